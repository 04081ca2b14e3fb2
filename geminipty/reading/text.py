"""Rebuilds the text of a reply from its rows: wraps undone, Markdown where the colours tell.

Rule: what stands on the screen is kept to the character; a mark of Markdown is added only where
the drawing proves it. What the screen has lost is listed in docs/reading.md.
"""

from collections.abc import Sequence
from typing import Final, NamedTuple

from geminipty.terminal import Row

from .lines import INDENT, RAW_INDENT, begins_line, glue, line
from .rows import Kind, note, runs
from .tables import read_table

FENCE: Final = "```"


class Layout(NamedTuple):
    """How the replies of a screen are drawn."""

    #: The column where rows end.
    margin: int
    #: They are drawn as the model sent them.
    raw: bool = False
    #: The colour of the reply mark, which inline code has too.
    accent: str = "default"


class Paragraph(NamedTuple):
    """One line of a reply's text, or one table or code block, and its rows."""

    text: str
    start: int
    end: int
    #: The blank rows above it.
    gap: int
    #: A table or a code block, which Markdown sets apart by blank lines.
    apart: bool


def paragraphs(rows: Sequence[Row], start: int, end: int, layout: Layout) -> list[Paragraph]:
    """The paragraphs of the rows from `start` to before `end`."""
    result: list[Paragraph] = []
    gap = 0
    y = start
    while y < end:
        row = rows[y]
        if note(row).kind is Kind.BLANK:
            gap += 1
            y += 1
            continue
        first = y
        apart = False
        found = None if layout.raw else _drawn(rows, y, end, layout.margin)
        if found is not None:
            text, y = found
            apart = True
        else:
            text, y = _joined(rows, y, end, layout)
        if text.strip(" "):
            result.append(Paragraph(text, first, y, gap, apart))
            gap = 0
    return result


def separator(above: Paragraph | None, below: Paragraph, layout: Layout) -> str:
    """What stands in the text between two paragraphs."""
    if above is None:
        return ""
    if layout.raw:
        return "\n" * (below.gap + 1)
    return "\n\n" if below.gap or above.apart or below.apart else "\n"


def text_of(parts: Sequence[Paragraph], layout: Layout) -> str:
    """The text of paragraphs in a row."""
    above: Paragraph | None = None
    pieces = []
    for part in parts:
        pieces.append(separator(above, part, layout) + part.text)
        above = part
    return "".join(pieces)


def _drawn(rows: Sequence[Row], y: int, end: int, margin: int) -> tuple[str, int] | None:
    """The code block or the table that begins in row `y`."""
    known = line(rows[y])
    if known.number == 1:
        return _code(rows, y, end, margin)
    return read_table(rows, y, end) if known.table else None


def _joined(rows: Sequence[Row], y: int, end: int, layout: Layout) -> tuple[str, int]:
    """A line of prose or a list item, with the rows that it was wrapped into."""
    indent = RAW_INDENT if layout.raw else INDENT
    known = line(rows[y])
    in_list = not layout.raw and known.marker and known.start > indent
    base = indent + 1 if in_list else indent
    column = known.start + known.marker if in_list else indent
    pieces: list[tuple[Row, int, str]] = [(rows[y], min(base, known.start), "")]
    y += 1
    while y < end:
        if rows[y - 1].wrapped:
            pieces.append((rows[y], 0, ""))
            known = line(rows[y])
            y += 1
            continue
        if note(rows[y]).kind is not Kind.TEXT:
            break
        following = line(rows[y])
        between = glue(known, following, column, layout.margin)
        if between is None or (
            between == " " and not in_list and begins_line(rows, y, column, layout.margin)
        ):
            break
        pieces.append((rows[y], following.start, between))
        known = following
        y += 1
    return _styled(pieces, layout), y


def _styled(pieces: list[tuple[Row, int, str]], layout: Layout) -> str:
    """The text of rows from their columns on, with the Markdown that their pens prove."""
    if layout.raw or all(line(row).even and not _accented(row, layout) for row, _, _ in pieces):
        text = ""
        for row, start, between in pieces:
            text += _between(text, between) + _from(row, start)
        return text
    styled: list[tuple[str, str]] = []  # text and its marks
    for row, start, between in pieces:
        if between:
            above, style = styled[-1]
            styled[-1] = (above + _between(above, between), style)
        styled += _runs(row, start, layout)
    bold = [style for text, style in styled if text.strip()]
    if bold and all(style == "heading" for style in bold):
        return "## " + "".join(text for text, _ in styled).strip(" ")
    merged: list[list[str]] = []
    for text, style in styled:
        style = "**" if style == "heading" else style
        if merged and (merged[-1][1] == style or not text.strip()):
            merged[-1][0] += text
        else:
            merged.append([text, style])
    return "".join(_marked(text, style) for text, style in merged)


def _between(above: str, between: str) -> str:
    """What joins two rows; up to 0.16 the blank is still there, at the end of the row above."""
    return "" if above.endswith(" ") else between


def _marked(text: str, style: str) -> str:
    """A text between marks, with its outer blanks outside of them."""
    body = text.strip(" ")
    if not style or not body:
        return text
    left, _, right = text.partition(body)
    return f"{left}{style}{body}{style}{right}"


def _runs(row: Row, start: int, layout: Layout) -> list[tuple[str, str]]:
    """The text of a row from a column on, in pieces of one style."""
    cells = row.cells
    pieces = []
    at = start
    for begin, end, pen in runs(row):
        if end <= at:
            continue
        if begin > at:
            pieces.append(("".join(cells[at:begin]), ""))
        text = "".join(cells[max(begin, at) : end])
        if pen.bold and pen.fg not in ("default", layout.accent) and not pen.italics:
            style = "heading" if _is_coloured(pen.fg) else "**"
        elif pen.bold:
            style = "***" if pen.italics else "**"
        elif pen.italics:
            style = "*"
        elif pen.strikethrough:
            style = "~~"
        else:
            style = "`" if pen.fg == layout.accent != "default" else ""
        pieces.append((text, style))
        at = end
    if at < len(cells):
        pieces.append(("".join(cells[at:]), ""))
    return pieces


def _is_coloured(colour: str) -> bool:
    """Whether a colour is more than a shade of grey or a light text colour."""
    if len(colour) != 6 or any(char not in "0123456789abcdef" for char in colour):
        return colour not in ("white", "black", "brightblack", "brightwhite")
    red, green, blue = (int(colour[i : i + 2], 16) for i in (0, 2, 4))
    return max(red, green, blue) - min(red, green, blue) > 48


def _accented(row: Row, layout: Layout) -> bool:
    return layout.accent != "default" and any(
        pen.fg == layout.accent and end > INDENT for end, pen in row.spans
    )


def _from(row: Row, start: int) -> str:
    """The text of a row from a column on; the reply mark is no part of it."""
    return row.text[start:] if row.width == len(row.text) else "".join(row.cells[start:])


def _code(rows: Sequence[Row], y: int, end: int, margin: int) -> tuple[str, int]:
    """A code block, from the row of its first line on."""
    column = _code_column(rows[y])
    lines: list[str] = []
    while y < end:
        row = rows[y]
        known = line(row)
        if known.number == len(lines) + 1 and _code_column(row) == column:
            lines.append(_from(row, column))
        elif note(row).kind is Kind.TEXT and known.start >= column and known.number is None:
            broken = line(rows[y - 1]).tail + known.head > margin - column
            lines[-1] += _between(lines[-1], "" if broken else " ") + _from(row, column)
        else:
            break
        y += 1
    fence = FENCE
    while any(text.startswith(fence) for text in lines):
        fence += "`"
    return "\n".join((fence, *lines, fence)), y


def _code_column(row: Row) -> int:
    """The column of the code behind a line number; the reply mark may stand before that."""
    start = line(row).start
    digits = row.text[start:]
    return start + len(digits) - len(digits.lstrip("0123456789")) + 1
