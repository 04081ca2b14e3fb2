"""What a program asks its terminal, and what it may hear.

Rule: answers are fixed bytes from this list, but for the cursor's position, which is two numbers.
Nothing that a program wrote is ever sent back to it: no title, no settings, no clipboard.
"""

from collections.abc import Collection
from enum import StrEnum
from typing import Final


class Query(StrEnum):
    """A question that can be answered."""

    #: Primary device attributes. The CLI waits a second for this answer when it starts.
    DA1 = "da1"
    #: Secondary device attributes.
    DA2 = "da2"
    #: Device status: all is well.
    DSR = "dsr"
    #: Cursor position.
    CPR = "cpr"
    XTVERSION = "xtversion"
    #: The colours of text and background. The CLI then asks again every 60 s.
    FOREGROUND = "foreground"
    BACKGROUND = "background"
    #: Keyboard protocols; answering changes what keys the CLI expects.
    KITTY = "kitty"
    MODIFY_OTHER_KEYS = "modify-other-keys"


#: Answering DA1 alone saves the CLI's start a second and changes nothing else.
DEFAULT_ANSWERS: Final = frozenset({Query.DA1})

ANSWERS: Final = {
    Query.DA1: "\x1b[?62;22c",
    Query.DA2: "\x1b[>0;0;0c",
    Query.DSR: "\x1b[0n",
    Query.XTVERSION: "\x1bP>|geminipty\x1b\\",
    Query.FOREGROUND: "\x1b]10;rgb:ffff/ffff/ffff\x1b\\",
    Query.BACKGROUND: "\x1b]11;rgb:0000/0000/0000\x1b\\",
    Query.KITTY: "\x1b[?0u",
    Query.MODIFY_OTHER_KEYS: "\x1b[>4;0m",
}

#: Answers that wait to be sent; what a program asks beyond that goes unheard.
MAX_WAITING: Final = 1024


class Answers:
    """Collects the answers to the queries that the owner chose to answer."""

    def __init__(self, answered: Collection[Query] = DEFAULT_ANSWERS) -> None:
        self._answered = frozenset(answered)
        self._waiting: list[str] = []

    def ask(self, query: Query, cursor: tuple[int, int] = (0, 0)) -> None:
        """A program asked; `cursor` is its column and row, counted from 0."""
        if query in self._answered and len(self._waiting) < MAX_WAITING:
            x, y = cursor
            self._waiting.append(ANSWERS.get(query) or f"\x1b[{y + 1};{x + 1}R")

    def take(self) -> str:
        """All that is to be sent now."""
        waiting, self._waiting = self._waiting, []
        return "".join(waiting)
