"""A row as part of a reply: where its text begins and ends, and whether the next row goes on.

Rule: rows are joined only where the CLI must have wrapped them: the next word had no room.
"""

import re
from collections.abc import Sequence
from typing import Final, NamedTuple
from unicodedata import category

from geminipty.terminal import Row
from geminipty.terminal.cells import width

from . import marks
from .rows import Kind, note

#: Replies are indented by two columns, raw ones by three.
INDENT: Final = 2
RAW_INDENT: Final = 3

#: Rows above that are looked at to learn how the lines of a paragraph begin and end.
_LOOK_BACK: Final = 12
_LIST: Final = re.compile(r"(?:[-*+]|\d{1,9}[.)]) +(?=\S)|[-*+]$")
_GUTTER: Final = re.compile(r"^ {3}( *\d+)(?: (.*))?$")
_STOPS: Final = frozenset(".!?:;,")
_TABLE: Final = frozenset("".join(marks.TABLE_EDGES.forms))


class Line(NamedTuple):
    """What matters about a row of a reply."""

    #: The column of its first character, and the column behind its last one.
    start: int
    end: int
    #: The columns of its first character, first word and last word.
    first: int
    head: int
    tail: int
    #: Columns of the list marker at its start, with its blanks.
    marker: int
    #: The line number of a row of code.
    number: int | None
    #: It is the top edge of a table.
    table: bool
    #: All of its text is in one style.
    even: bool
    #: Marks that join a letter: the CLI may count other columns for them than a terminal.
    joined: int
    #: How it begins (a capital, a digit, …, and whether its first word has digits) and its last
    #: character if that is a mark of punctuation.
    shape: tuple[str, bool]
    stop: str


def line(row: Row) -> Line:
    """The row as part of a reply; the reply mark counts as a blank."""
    known = note(row)
    found = known.line
    if found is None:
        found = known.line = _learn(row, known.kind)
    return found  # type: ignore[return-value]  # only this module writes it


def is_table_top(row: Row) -> bool:
    """Whether a row is the top edge of a table, or looks like one."""
    return line(row).table


def _learn(row: Row, kind: Kind) -> Line:
    text = row.text.rstrip(" ")
    if kind is Kind.REPLY:
        text = " " + text[1:]
    body = text.lstrip(" ")
    start = len(text) - len(body)
    end = row.width - (len(row.text) - len(text))
    words = body.split(" ")
    head, tail = len(words[0]), len(words[-1])
    first = 1
    if not body.isascii():
        cells = row.cells
        first = 2 if cells[start + 1 : start + 2] == ("",) else 1
        head = next((x for x in range(start, end) if cells[x] == " "), end) - start
        tail = end - 1 - next((x for x in range(end - 1, -1, -1) if cells[x] == " "), start - 1)
    marker = _LIST.match(body)
    gutter = _GUTTER.match(text)
    number = int(gutter[1]) if gutter and _is_gutter(row, gutter.end(1)) else None
    return Line(
        start,
        end,
        first,
        head,
        tail,
        marker.end() if marker else 0,
        number,
        body[:1] in _TABLE and body[0] == marks.TABLE_EDGES.forms[0],
        _is_even(row),
        0 if row.text.isascii() else sum(category(char) in ("Mn", "Mc") for char in row.text),
        (_class(body[:1]), any(char.isdigit() for char in words[0])),
        body[-1:] if body[-1:] in _STOPS else "",
    )


def _class(char: str) -> str:
    if marks.DRAWING[0] <= char <= marks.DRAWING[1]:
        return marks.DRAWING[0]
    return "A" if char.isupper() else "a" if char.isalpha() else "9" if char.isdigit() else char


def _is_gutter(row: Row, end: int) -> bool:
    """Whether a number before column `end` is drawn unlike the text behind it, or all is plain."""
    if not row.spans:
        return True
    pen = row.pen(end - 1)
    return pen.fg != "default" and not pen.bold


def _is_even(row: Row) -> bool:
    pens = {pen for end, pen in row.spans if end > INDENT}
    if not pens:
        return True
    if len(pens) > 1:
        return False
    (pen,) = pens
    return not (pen.bold or pen.italics or pen.strikethrough)


def columns_of(text: str) -> int:
    """The columns that a text takes."""
    return sum(width(char) for char in text)


def glue(above: Line, below: Line, column: int, margin: int) -> str | None:
    """What was between two rows that the CLI wrapped, or None if a new line begins.

    `column` is where the text of a wrapped row begins, `margin` the column where rows end.
    """
    if below.start == column + 1 and above.end >= margin:
        return " "  # the blank itself had no room
    if below.start != column or not below.head or below.number is not None:
        return None
    if above.end + 1 + below.head + above.joined + below.joined <= margin:
        return None
    if above.tail + below.head > margin - column and above.end + below.first > margin:
        return ""  # a word too long for any row
    return " "


def begins_line(rows: Sequence[Row], y: int, column: int, margin: int) -> bool:
    """Whether row `y` is a line of its own, although its first word had no room in the row above.

    The picture is the same for a wrapped row and for a line that happens to end near the margin.
    The lines above tell: if some of them surely end early, and they all begin as this row does
    and end as the row above does, then this row is one of them.
    """
    below = line(rows[y])
    starts: list[tuple[str, bool]] = []
    stops: list[str] = []
    at = y - 1
    for _ in range(_LOOK_BACK):
        known = line(rows[at])
        if at == 0 or note(rows[at]).kind is not Kind.TEXT:
            starts.append(known.shape)
            break
        above = line(rows[at - 1])
        if not above.head:
            starts.append(known.shape)
            break
        if known.start == column and above.end + 1 + known.head <= margin:
            starts.append(known.shape)
            stops.append(above.stop)
        at -= 1
    if not stops or any(shape != below.shape for shape in starts):
        return False
    return not all(stops) or bool(line(rows[y - 1]).stop)
