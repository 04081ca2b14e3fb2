"""Reads tool calls off their boxes and, from 0.38 on, off single rows.

Rule: a tool is an outcome glyph, two blanks and a name in bold, in the columns where the CLI puts
them. Output is kept as it is shown, whatever it says.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from geminipty.model import ToolCall, ToolOutcome
from geminipty.terminal import Row

from . import marks
from .rows import Ink, Kind, cut, note

_COMPACT: Final = 2
_SIDES: Final = frozenset(marks.SIDE.forms)
_NAME: Final = 3  # the name's column, counted from the glyph
_RESULT: Final = 5  # the column of a result, with its arrow before it in a row of its own


def tools_in(rows: Sequence[Row], top: int, end: int, *, ink: Ink) -> Iterator[ToolCall]:
    """The tools of the box whose top edge is in row `top`; `end` is the row behind it.

    `ink` is what the screen is drawn with.
    """
    column = note(rows[top]).column
    width = rows[top].width
    head: tuple[Row, ToolOutcome] | None = None
    output: list[str] = []
    for y in range(top + 1, end):
        row = rows[y]
        if rows[y - 1].wrapped:
            continue  # the right edge of a box that is wider than the screen
        if note(row).kind is not Kind.SIDE:
            break
        stop = row.width - 1 if row.text[-1] in _SIDES and row.width >= width - 2 else row.width
        inner = cut(row, column + 2, stop)
        outcome = outcome_of(inner, ink=ink, first=head is None)
        if outcome is not None:
            if head is not None:
                yield _tool(*head, output)
            head, output = (inner, outcome), []
        elif head is None:
            return
        else:
            output.append(inner.text.rstrip(" "))
    if head is not None:
        yield _tool(*head, output)


def compact_tool(rows: Sequence[Row], y: int, end: int, *, ink: Ink) -> tuple[ToolCall, int] | None:
    """The tool in row `y` without a box, and the row behind what is shown of its result."""
    row = rows[y]
    known = note(row)
    if known.column != _COMPACT or row.text[_COMPACT : _COMPACT + 1] not in marks.TOOL_GLYPHS:
        return None
    inner = cut(row, _COMPACT, row.width)
    outcome = outcome_of(inner, ink=ink, first=False)
    if outcome is None:
        return None
    output = []
    stop = y + 1
    if stop < end and _is_result(rows[stop]):
        output.append(rows[stop].text[_RESULT:].rstrip(" "))
        stop += 1
    # A change is shown below its row, behind a blank one and further in than any reply.
    probe = stop
    while probe < end and note(rows[probe]).kind is Kind.BLANK:
        probe += 1
    while probe < end and note(rows[probe]).kind is Kind.TEXT and note(rows[probe]).column >= 5:
        output.append(rows[probe].text[5:].rstrip(" "))
        probe += 1
        stop = probe
    tool = _tool(inner, outcome, output)
    summary, arrow, result = tool.summary.rpartition(marks.RESULT.forms[0])
    if arrow:
        shown = "\n".join(part for part in (result, tool.output) if part)
        tool = tool.model_copy(update={"summary": summary, "output": shown})
    return tool, stop


def _is_result(row: Row) -> bool:
    """Whether a row below that of a tool has its result, for which there was no room."""
    known = note(row)
    arrow = marks.RESULT.forms[0].lstrip(" ")
    return known.kind is Kind.TEXT and row.text[:_RESULT].strip(" ") == arrow.strip(" ")


def outcome_of(inner: Row, *, ink: Ink, first: bool) -> ToolOutcome | None:
    """The outcome that a row states if it is the head of a tool.

    The name is in bold, or struck through, and its glyph has another colour, as far as the screen
    has such ink; without any, the columns tell. The `first` row of a box may be of one colour (a
    running tool in 0.15): no reply stands there, and no output.
    """
    text = inner.text
    outcome = marks.TOOL_GLYPHS.get(text[:1])
    if outcome is None or text[1:_NAME] != "  " or text[_NAME : _NAME + 1] in ("", " "):
        return None
    glyph, name = inner.pen(0), inner.pen(_NAME)
    if ink is not Ink.NONE and not (name.bold or name.strikethrough):
        return None
    if ink is Ink.COLOURS and not first and glyph.fg == name.fg:
        return None
    return outcome


def _tool(inner: Row, outcome: ToolOutcome, output: list[str]) -> ToolCall:
    pen = inner.pen(_NAME)
    cells = inner.cells
    end = _NAME
    if pen.bold or pen.strikethrough:
        while end < len(cells) and inner.pen(end) == pen:
            end += 1
    else:
        while end < len(cells) and cells[end] != " ":
            end += 1
    name = "".join(cells[_NAME:end]).strip(" ")
    summary = "".join(cells[end:]).strip(" ")
    for tail in marks.ASKED_TAIL.forms:
        summary = summary.removesuffix(tail).rstrip(" ")
    shown = list(output)
    while shown and not shown[0]:
        shown.pop(0)
    while shown and not shown[-1]:
        shown.pop()
    return ToolCall(name=name, summary=summary, outcome=outcome, output="\n".join(shown))
