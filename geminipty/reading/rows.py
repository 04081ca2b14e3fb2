"""What a single row is, by its edges, columns and colours: learnt once and kept on the row.

Rule: a row is judged by its shape alone. What it means is for those who know where it stands.
"""

from collections.abc import Sequence
from enum import IntEnum, auto
from typing import Final

from geminipty.terminal import Pen, Row
from geminipty.terminal.rows import Line

from . import marks


class Kind(IntEnum):
    """The shape of a row."""

    BLANK = auto()  #: nothing on it
    BAND = auto()  #: nothing but a background colour
    UPPER = auto()  #: upper half blocks from the first column on
    LOWER = auto()  #: lower half blocks from the first column on
    RULE = auto()  #: a line from the first column on
    TOP = auto()  #: the top edge of a box in the first or second column
    SIDE = auto()  #: within such a box
    BOTTOM = auto()  #: its bottom edge
    SPINNER = auto()  #: a spinner in the first or second column
    REPLY = auto()  #: the reply mark in the first column
    NOTICE = auto()
    WARNING = auto()
    ERROR = auto()
    PROMPT = auto()  #: the glyph of prompts in the first or second column
    COMPOSER = auto()  #: a glyph there that only composers have
    TEXT = auto()  #: text from the third column on
    LOOSE = auto()  #: other text in the first or second column


class Ink(IntEnum):
    """What a screen is drawn with, which the user's settings decide."""

    NONE = auto()  #: nothing but text
    STYLES = auto()  #: bold and the like, but no colours
    COLOURS = auto()


#: Kinds that edge a composer or a prompt.
EDGES: Final = frozenset({Kind.BAND, Kind.UPPER, Kind.LOWER, Kind.RULE})

_HEADS: Final = {
    **dict.fromkeys(marks.SPINNER.forms, Kind.SPINNER),
    **dict.fromkeys(marks.REPLY.forms, Kind.REPLY),
    **dict.fromkeys(marks.NOTICE.forms, Kind.NOTICE),
    **dict.fromkeys(marks.WARNING.forms, Kind.WARNING),
    **dict.fromkeys(marks.ERROR.forms, Kind.ERROR),
    **dict.fromkeys(marks.TOP_LEFT.forms, Kind.TOP),
    **dict.fromkeys(marks.SIDE.forms, Kind.SIDE),
    **dict.fromkeys(marks.BOTTOM_LEFT.forms, Kind.BOTTOM),
}
_BARS: Final = {
    marks.UPPER_HALF.forms[0]: Kind.UPPER,
    marks.LOWER_HALF.forms[0]: Kind.LOWER,
    marks.RULE.forms[0]: Kind.RULE,
}
#: Bars shorter than this are not edges.
_SHORTEST: Final = 8
#: In the second column stand only these; a reply mark or a notice there is text of something else.
_INDENTED: Final = frozenset({Kind.SPINNER, Kind.TOP, Kind.SIDE, Kind.BOTTOM})
PROMPT_GLYPHS: Final = (
    *marks.CHAT.forms,
    *marks.YOLO.forms,
    *marks.SHELL.forms,
    *marks.SEARCH.forms,
)


_PROMPTS: Final = tuple(f"{glyph} " for glyph in marks.CHAT.forms)
_COMPOSERS: Final = tuple(f"{glyph} " for glyph in PROMPT_GLYPHS if glyph not in marks.CHAT.forms)


class Note:
    """What a row is: its kind, the column where it begins, and what others found out about it."""

    __slots__ = ("bare", "column", "kind", "line")

    def __init__(self, kind: Kind, column: int) -> None:
        self.kind = kind
        self.column = column
        #: For `text`: the row as part of a reply.
        self.line: object = None
        #: The row without the scroll bar of the alternate screen, if it has one.
        self.bare: Row | None = None


_BLANK: Final = Note(Kind.BLANK, 0)


def note(row: Row) -> Note:
    """What `row` is."""
    known = row.note
    if known is None:
        known = row.note = _learn(row)
    return known  # type: ignore[return-value]  # only this module writes notes


def _learn(row: Row) -> Note:
    text = row.text
    stripped = text.lstrip(" ")
    if not stripped:
        if not row.spans or row.spans[0][1].bg == "default":
            return _BLANK
        # A band with the cursor on it is an empty line of the composer.
        return Note(Kind.TEXT, row.width) if has_cursor_cell(row) else Note(Kind.BAND, 0)
    column = len(text) - len(stripped)
    head = stripped[0]
    if column == 0 and head in _BARS and len(text) >= _SHORTEST and not stripped.strip(head):
        return Note(_BARS[head], 0)
    if column > 1:
        return Note(Kind.TEXT, column)
    kind = _HEADS.get(head)
    if kind is not None and (column == 0 or kind in _INDENTED):
        return Note(kind, column)
    if is_prompt(stripped):
        return Note(Kind.PROMPT, column)
    if stripped.startswith(_COMPOSERS):
        return Note(Kind.COMPOSER, column)
    return Note(Kind.LOOSE, column)


def is_boxed_prompt(row: Row) -> bool:
    """Whether a row is the first one of a prompt in a box of its own."""
    return row.text[1:3] == "  " and is_prompt(row.text[3:].rstrip(" " + "".join(marks.SIDE.forms)))


def is_prompt(text: str) -> bool:
    """Whether `text` begins with the glyph of prompts and a blank, or is the glyph alone."""
    return text.startswith(_PROMPTS) or text in marks.CHAT.forms


def bare(row: Row, columns: int) -> Row:
    """The row of an alternate screen without the scroll bar in its last column."""
    # Emoji that the CLI counts otherwise move it by a column or two.
    if not row.width or row.width < columns - 2 or row.cells[-1] not in marks.SCROLLBAR.forms:
        return row
    if row.text == row.text[0] * len(row.text):
        return row  # an edge over the whole width
    known = note(row)
    if known.bare is None:
        known.bare = cut(row, 0, row.width - 1)
    return known.bare


def cut(row: Row, start: int, end: int) -> Row:
    """The columns of a row from `start` to before `end`, as a row of its own."""
    return row.part(start, end)


def joined(rows: Sequence[Row], columns: int) -> list[Row]:
    """The rows with what went on in the next one because it was wider than the screen.

    The CLI counts some signs narrower than terminals draw them, so that text of others may stand
    in the first column of a row: it is no row of its own.
    """
    whole: list[Row] = []
    for row in rows:
        goes_on = whole and whole[-1].wrapped
        whole.append(_beside(whole.pop(), row, columns) if goes_on else row)
    return whole


def _beside(left: Row, right: Row, columns: int) -> Row:
    # One that went on several times is a multiple of the screen.
    line, more = Line(left, -(-left.width // columns) * columns), Line(right, right.width)
    line.cells += more.cells
    line.pens += more.pens
    line.wrapped = more.wrapped
    return line.freeze()


def runs(row: Row) -> list[tuple[int, int, Pen]]:
    """The styled runs of a row: first column, column behind it, pen."""
    result = []
    start = 0
    for end, pen in row.spans:
        result.append((start, end, pen))
        start = end
    return result


def has_cursor_cell(row: Row) -> bool:
    """Whether a cell of the row is drawn in reverse, as the CLI draws its own cursor."""
    return any(pen.reverse for _, pen in row.spans)


def ink_of(rows: Sequence[Row]) -> Ink:
    """What rows are drawn with; looked for from the bottom."""
    styled = False
    for row in reversed(rows):
        for _, pen in row.spans:
            if pen.fg != "default":
                return Ink.COLOURS
            styled = True
    return Ink.STYLES if styled else Ink.NONE
