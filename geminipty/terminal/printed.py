"""Which characters of an output are printed; the others are controls.

Rule: the parser says so, so the answer is that of the picture.
"""

import re
from typing import Final

from .params import Params
from .parser import Parser, State

_PRINTABLE: Final = re.compile(r"[^\x00-\x1f\x7f-\x9f]+")


class Printed:
    """Tells the printed characters of a text that may arrive in any pieces.

    `state` is where in a sequence the text before it stopped.
    """

    def __init__(self, state: State = State.GROUND) -> None:
        self._parser = Parser(self)
        self._parser.state = state
        self._prints = False

    def where(self, text: str) -> list[int]:
        """The places of the characters that are printed."""
        found: list[int] = []
        at = 0
        while at < len(text):
            # Only where no sequence is under way is more than one character printed at once.
            run = _PRINTABLE.match(text, at) if self._parser.state is State.GROUND else None
            end = run.end() if run else at + 1
            self._prints = False
            self._parser.feed(text[at:end])
            if self._prints:
                found += range(at, end)
            at = end
        return found

    # What the parser calls

    def text(self, text: str) -> None:
        """It is printed."""
        del text
        self._prints = True

    def control(self, char: str) -> None:
        """It is not."""

    def escape(self, intermediates: str, final: str) -> None:
        """It is not."""

    def csi(self, private: str, params: Params, intermediates: str, final: str) -> None:
        """It is not."""

    def osc(self, body: str) -> None:
        """It is not."""
