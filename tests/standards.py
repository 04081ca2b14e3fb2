"""The shape of the tables in test_standards_*.py: what goes into a terminal, what it shows then.

Rule: a row names the standard that says so, and all that a row does not mention (title, lines
scrolled off) must be as in a fresh terminal. Rows were compared with tmux 3.3a and avt when they
were written; where those differ from each other, the row follows its source.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import pytest

from geminipty.terminal import Pen, Terminal

Pieces = Callable[[str], list[str]]

BLUE = Pen(bg="blue")
PLAIN = Pen()


@dataclass(frozen=True)
class Behaviour:
    """One row of a table. Rows of the screen that are not given are blank."""

    name: str
    #: A section of ECMA-48 (fifth edition), or a sequence as DEC's or xterm's manual names it.
    source: str
    text: str
    rows: tuple[str, ...]
    #: Column and row from 0, the column behind the last one while a wrap is due. None: not said.
    cursor: tuple[int, int] | None
    size: tuple[int, int] = (10, 4)
    #: Sizes that the screen is given, one after the other, when the text has been received.
    resized: tuple[tuple[int, int], ...] = ()
    #: Received after that.
    then: str = ""
    title: str = ""
    scrolled: tuple[str, ...] = ()
    alternate: bool = False
    #: The style of some cells, by column and row.
    pens: Mapping[tuple[int, int], Pen] = field(default_factory=dict)

    def seen(self, pieces: Pieces) -> dict[str, object]:
        """What a terminal shows, given the text in these pieces."""
        terminal = Terminal(*self.size)
        for piece in pieces(self.text):
            terminal.receive(piece)
        for size in self.resized:
            terminal.resize(*size)
        for piece in pieces(self.then):
            terminal.receive(piece)
        frame = terminal.picture()
        return {
            "rows": frame.lines,
            "cursor": self.cursor and frame.cursor,
            "title": frame.title,
            "scrolled": [row.text for row in frame.scrolled],
            "alternate": frame.alternate,
            "pens": {(x, y): frame.rows[y].pen(x) for x, y in self.pens},
        }

    def expected(self) -> dict[str, object]:
        """What it is to show."""
        _, lines = (self.size, *self.resized)[-1]
        return {
            "rows": [*self.rows, *[""] * (lines - len(self.rows))],
            "cursor": self.cursor,
            "title": self.title,
            "scrolled": list(self.scrolled),
            "alternate": self.alternate,
            "pens": dict(self.pens),
        }


def whole(text: str) -> list[str]:
    """All at once."""
    return [text]


def by_character(text: str) -> list[str]:
    """One character at a time."""
    return list(text)


#: Every row is tried in both ways.
in_pieces = pytest.mark.parametrize("pieces", [whole, by_character])


def table(behaviours: list[Behaviour]) -> pytest.MarkDecorator:
    """Run a test for each row."""
    return pytest.mark.parametrize("behaviour", behaviours, ids=lambda row: row.name)
