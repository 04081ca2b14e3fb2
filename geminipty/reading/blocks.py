"""Cuts the transcript into blocks: prompts, replies, tools, notices and errors.

Rule: nothing is ever deleted from a line; what is not part of the reply belongs to another block.
(Deleting lines that look like the CLI's own is how answers lose sentences.)
"""

from collections.abc import Iterator, Sequence
from enum import StrEnum
from typing import Final, NamedTuple

from geminipty.model import ToolCall
from geminipty.terminal import Row

from . import marks
from .prompts import read_prompt
from .rows import EDGES, Ink, Kind, note
from .tools import compact_tool, tools_in


class BlockKind(StrEnum):
    """What a block of the transcript is."""

    PROMPT = "prompt"
    REPLY = "reply"
    TOOL = "tool"
    NOTICE = "notice"
    ERROR = "error"


class Block(NamedTuple):
    """One item of the transcript: its kind and its rows, counted from the transcript's start."""

    kind: BlockKind
    start: int
    end: int
    #: The tools of a tool block.
    tools: tuple[ToolCall, ...] = ()
    #: The text of a prompt block.
    prompt: str = ""


_HEADS: Final = {
    Kind.REPLY: BlockKind.REPLY,
    Kind.NOTICE: BlockKind.NOTICE,
    Kind.WARNING: BlockKind.NOTICE,
    Kind.ERROR: BlockKind.ERROR,
}
#: What goes on with lines of the CLI that have no mark.
_LOOSE: Final = frozenset({Kind.LOOSE, Kind.COMPOSER, Kind.SIDE, Kind.SPINNER, Kind.TEXT})
_NOTICES: Final = frozenset({Kind.NOTICE, Kind.WARNING, Kind.ERROR})
#: After these, text in the third column is the model's, with or without its mark.
_SPEAKERS: Final = frozenset({BlockKind.PROMPT, BlockKind.REPLY, BlockKind.TOOL})


class Look(NamedTuple):
    """What the blocks of a screen look like."""

    #: The column where prompts without edges are wrapped, or 0 if nobody knows.
    margin: int = 0
    ink: Ink = Ink.COLOURS


def cut_blocks(
    rows: Sequence[Row], look: Look, start: int = 0, before: BlockKind | None = None
) -> Iterator[Block]:
    """The blocks of the rows from `start` on; `before` is the kind of the block above them."""
    y = start
    end = len(rows)
    while y < end:
        kind = note(rows[y]).kind
        if kind is Kind.BLANK:
            y += 1
            continue
        block = _block(rows, y, end, kind, before, look)
        yield block
        y, before = block.end, block.kind


def _block(
    rows: Sequence[Row], y: int, end: int, kind: Kind, before: BlockKind | None, look: Look
) -> Block:
    if kind in _HEADS:
        if kind is Kind.REPLY:
            return Block(BlockKind.REPLY, y, reply_end(rows, y + 1, look))
        return Block(_HEADS[kind], y, _same_pen_end(rows, y, end))
    if kind in EDGES or kind in (Kind.PROMPT, Kind.TOP):
        prompt = read_prompt(rows, y, end, look.margin)
        if prompt is not None:
            return Block(BlockKind.PROMPT, y, prompt[1], prompt=prompt[0])
    if kind is Kind.TOP:
        stop = _box_end(rows, y, end)
        tools = tuple(tools_in(rows, y, stop, ink=look.ink))
        return Block(BlockKind.TOOL if tools else BlockKind.NOTICE, y, stop, tools)
    if kind is Kind.TEXT:
        found = compact_tool(rows, y, end, ink=look.ink)
        if found is not None:
            return Block(BlockKind.TOOL, y, found[1], (found[0],))
        if _leads_notice(rows, y, end):
            return Block(BlockKind.NOTICE, y, _same_pen_end(rows, y, end))
        if before in _SPEAKERS and not _is_model_info(rows[y], before):
            return Block(BlockKind.REPLY, y, reply_end(rows, y, look))
    stop = y + 1
    while stop < end and note(rows[stop]).kind in _LOOSE:
        if kind is Kind.TEXT and note(rows[stop]).kind is Kind.TEXT:
            break
        stop += 1
    return Block(BlockKind.NOTICE, y, stop)


def reply_end(rows: Sequence[Row], y: int, look: Look) -> int:
    """Where a reply ends: text and blank rows are its own, up to a tool's row."""
    end = len(rows)
    while y < end:
        kind = note(rows[y]).kind
        if rows[y - 1].wrapped:
            pass  # the terminal wrapped the row above: the CLI counts some scripts otherwise
        elif kind is Kind.TEXT:
            if compact_tool(rows, y, end, ink=look.ink) is not None:
                break
        elif kind is not Kind.BLANK:
            break
        y += 1
    if y < end:
        y = _notice_start(rows, y)
    while note(rows[y - 1]).kind is Kind.BLANK:
        y -= 1
    return y


def _notice_start(rows: Sequence[Row], y: int) -> int:
    """Where the notice begins whose mark is in row `y`: 0.1.22 draws its first rows above that."""
    if note(rows[y]).kind not in _NOTICES:
        return y
    colour = rows[y].pen(0).fg
    while y > 1 and colour != "default" and _goes_on(rows[y - 1], colour):
        y -= 1
    return y


def _same_pen_end(rows: Sequence[Row], y: int, end: int) -> int:
    """Where a notice ends: its rows are indented and drawn in its colour."""
    pen = rows[y].pen(max(rows[y].width - 1, 0))
    stop = y + 1
    while stop < end:
        kind = note(rows[stop]).kind
        if kind in _NOTICES and stop > y and note(rows[y]).kind is Kind.TEXT:
            y = stop  # its mark
        elif kind is Kind.BLANK and pen.fg != "default":
            following = stop
            while following < end and note(rows[following]).kind is Kind.BLANK:
                following += 1
            if following == end or not _goes_on(rows[following], pen.fg):
                break
            stop = following
        elif not _goes_on(rows[stop], pen.fg):
            break
        stop += 1
    return stop


def _leads_notice(rows: Sequence[Row], y: int, end: int) -> bool:
    """Whether row `y` is the first one of a notice that has its mark further down."""
    colour = rows[y].pen(note(rows[y]).column).fg
    while y < end and colour != "default" and _goes_on(rows[y], colour):
        y += 1
    return y < end and note(rows[y]).kind in _NOTICES and rows[y].pen(0).fg == colour


def _goes_on(row: Row, colour: str) -> bool:
    known = note(row)
    return known.kind is Kind.TEXT and row.pen(known.column).fg == colour


def _box_end(rows: Sequence[Row], y: int, end: int) -> int:
    """Where a box ends; one without its bottom edge (0.61.0 leaves such) at the first other row."""
    column = note(rows[y]).column
    stop = y + 1
    while stop < end:
        known = note(rows[stop])
        if rows[stop - 1].wrapped:
            stop += 1  # 0.8.2 draws boxes wider than the screen
            continue
        if known.kind is Kind.BOTTOM and known.column == column:
            return stop + 1 + rows[stop].wrapped
        if known.kind is not Kind.SIDE or known.column != column:
            return stop
        stop += 1
    return stop


def _is_model_info(row: Row, before: BlockKind) -> bool:
    return before is BlockKind.PROMPT and row.text.strip().startswith(marks.MODEL_INFO.forms)
