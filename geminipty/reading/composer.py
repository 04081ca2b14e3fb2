"""Finds the composer: the CLI's input box, the text in it and its mode.

Rule: edges, columns and the cursor tell; the words in the box do not. A prompt in the transcript
has the same edges from 0.27 on, but neither a cursor nor the mode row's line above it.
"""

from collections.abc import Sequence
from enum import StrEnum
from typing import Final, NamedTuple

from geminipty.terminal import Row

from . import marks
from .rows import EDGES, PROMPT_GLYPHS, Kind, Note, has_cursor_cell


class Mode(StrEnum):
    """What the composer does with its text."""

    CHAT = "chat"
    YOLO = "yolo"
    SHELL = "shell"
    SEARCH = "search"


class Composer(NamedTuple):
    """The input box as one picture shows it."""

    #: What is typed, rows joined by newlines; empty while the placeholder is shown.
    text: str
    mode: Mode
    #: The CLI draws its hint in place of a text: the composer is empty.
    placeholder: bool
    #: The rows of its edges.
    top: int
    bottom: int
    #: The columns of its box; the screen's width from 0.27 on.
    width: int
    #: What told it from a prompt in the transcript.
    proof: str


_MODES: Final = {
    **dict.fromkeys(marks.CHAT.forms, Mode.CHAT),
    **dict.fromkeys(marks.YOLO.forms, Mode.YOLO),
    **dict.fromkeys(marks.SHELL.forms, Mode.SHELL),
    **dict.fromkeys(marks.SEARCH.forms, Mode.SEARCH),
}
#: How a composer is known that has no edges.
EDGELESS: Final = "screen reader"
#: Above and below. Half blocks are turned inwards or outwards, but never both the same way.
_PAIRS: Final = frozenset(
    {
        (Kind.UPPER, Kind.LOWER),
        (Kind.LOWER, Kind.UPPER),
        (Kind.BAND, Kind.BAND),
        (Kind.RULE, Kind.RULE),
    }
)
#: What the first row is.
_HEADS: Final = frozenset({Kind.PROMPT, Kind.COMPOSER})
#: What the rows below the first one can be; empty lines may have the band's colour.
_INNER: Final = frozenset({Kind.TEXT, Kind.BLANK, Kind.BAND})
#: Rows of mode and hints that may stand between the composer and the line above it.
MODE_ROWS: Final = 3


def find(
    rows: Sequence[Row], notes: Sequence[Note], last: int, cursor: tuple[int, int], columns: int
) -> tuple[Composer | None, int]:
    """The composer, or where the search ended: at the bottom edge of a box, or above all rows.

    `last` is the lowest row with something on it.
    """
    if last >= 0 and notes[last].kind is Kind.PROMPT and notes[last].column == 0:
        return _edgeless(rows, last, cursor, columns), -1
    for y in range(last, -1, -1):
        kind = notes[y].kind
        if kind is Kind.BOTTOM:
            return _in_box(rows, notes, y, cursor), y
        if kind in EDGES:
            found = _between_bars(rows, notes, y, cursor, columns)
            if found is not None:
                return found, y
    return None, -1


def box_top(rows: Sequence[Row], notes: Sequence[Note], bottom: int) -> int | None:
    """The row of the top edge of the box whose bottom edge is in row `bottom`."""
    column, width = notes[bottom].column, rows[bottom].width
    for y in range(bottom - 1, -1, -1):
        known = notes[y]
        if y and rows[y - 1].wrapped:
            continue  # the end of the row above
        if known.column != column:
            return None
        if known.kind is Kind.TOP:
            # The right edge may be clipped, and an emoji inside may push it.
            return y if abs(rows[y].width - width) <= 2 else None
        if known.kind is not Kind.SIDE:
            return None
    return None


def _in_box(
    rows: Sequence[Row], notes: Sequence[Note], bottom: int, cursor: tuple[int, int]
) -> Composer | None:
    top = box_top(rows, notes, bottom)
    if top is None or notes[bottom].column or bottom - top < 2:
        return None
    inner = rows[top + 1 : bottom]
    first = inner[0].text[2:]
    glyph = _glyph(first)
    # A prompt in the transcript has one blank more; a dialog that begins like a prompt has its
    # choices in the columns of the glyph.
    if inner[0].text[1:2] != " " or not glyph:
        return None
    if any(row.text[1:4].strip(" ") for row in inner[1:]):
        return None
    width = rows[bottom].width
    texts = [_without_side(row, width)[2 + len(glyph) + 1 :] for row in inner]
    return _composer(glyph, texts, inner, 2, cursor, top, bottom, width, "box")


def _between_bars(
    rows: Sequence[Row], notes: Sequence[Note], bottom: int, cursor: tuple[int, int], columns: int
) -> Composer | None:
    head = bottom - 1
    while head >= 0 and notes[head].kind in _INNER:
        head -= 1
    top = head - 1
    if top < 0 or notes[head].kind not in _HEADS or notes[head].column != 1:
        return None
    if (notes[top].kind, notes[bottom].kind) not in _PAIRS:
        return None
    inner = rows[top + 1 : bottom]
    glyph = _glyph(inner[0].text[1:])
    if len(inner) > 1 and any(row.text[:3].strip(" ") for row in inner[1:]):
        return None
    if top < cursor[1] < bottom:
        proof = "cursor"
    elif any(has_cursor_cell(row) for row in inner):
        proof = "cursor cell"
    elif any(notes[y].kind is Kind.RULE for y in range(max(top - MODE_ROWS, 0), top)):
        proof = "line above"
    else:
        return None
    texts = [row.text[1 + len(glyph) + 1 :] for row in inner]
    return _composer(glyph, texts, inner, 1, cursor, top, bottom, columns, proof)


def _edgeless(
    rows: Sequence[Row], y: int, cursor: tuple[int, int], columns: int
) -> Composer | None:
    """The composer of the view for screen readers: the last row, with the cursor on it."""
    row = rows[y]
    if cursor[1] != y or not has_cursor_cell(row):
        return None
    glyph = _glyph(row.text)
    text = row.text[len(glyph) + 1 :]
    hinted = text.strip(" ") in marks.PLACEHOLDER.forms or not text.strip(" ")
    return Composer(
        "" if hinted else text.strip(" "), _MODES[glyph], hinted, y, y, columns, EDGELESS
    )


def _glyph(text: str) -> str:
    for glyph in PROMPT_GLYPHS:
        if text.startswith(glyph) and text[len(glyph) : len(glyph) + 1] in (" ", ""):
            return glyph
    return ""


def _without_side(row: Row, width: int) -> str:
    """The text of a row within a box, without the right edge."""
    cells = row.cells
    if len(cells) >= width and cells[width - 1] in marks.SIDE.forms:
        return "".join(cells[: width - 1])
    return row.text.rstrip("".join(marks.SIDE.forms))


def _composer(
    glyph: str,
    texts: list[str],
    inner: Sequence[Row],
    column: int,
    cursor: tuple[int, int],
    top: int,
    bottom: int,
    width: int,
    proof: str,
) -> Composer:
    start = column + len(glyph) + 1
    first = texts[0].strip(" ")
    at_start = inner[0].pen(start).reverse or cursor == (start, top + 1)
    # The placeholder begins behind the cursor and a blank; text begins under the cursor.
    placeholder = len(texts) == 1 and (
        not first
        or (at_start and texts[0].startswith("  "))
        or (texts[0].startswith("  ") and first in marks.PLACEHOLDER.forms)
    )
    text = "" if placeholder else "\n".join(part.rstrip(" ") for part in texts)
    return Composer(text, _MODES[glyph], placeholder, top, bottom, width, proof)
