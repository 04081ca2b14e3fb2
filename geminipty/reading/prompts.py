"""Reads a prompt of the transcript, in each of the ways that releases draw it.

Rule: a prompt is known by its edges and its column, never by its words.
"""

from collections.abc import Sequence
from typing import Final

from geminipty.terminal import Row

from . import marks
from .lines import columns_of
from .rows import EDGES, Kind, is_boxed_prompt, note

_SIDES: Final = frozenset(marks.SIDE.forms)
#: Typed in an empty composer, it switches to shell commands and back.
SHELL_KEY: Final = marks.SHELL.forms[0]
NO_LIMIT: Final = 1 << 30
_INNER: Final = frozenset({Kind.PROMPT, Kind.TEXT, Kind.BLANK, Kind.BAND})


def read_prompt(rows: Sequence[Row], y: int, end: int, margin: int) -> tuple[str, int] | None:
    """The prompt that begins in row `y`, and the row behind it; None if there is none."""
    kind = note(rows[y]).kind
    if kind is Kind.TOP:
        return _boxed(rows, y, end, margin)
    if kind in EDGES:
        return _between_bars(rows, y, end)
    return _bare(rows, y, end, margin)


def _boxed(rows: Sequence[Row], y: int, end: int, margin: int) -> tuple[str, int] | None:
    """0.1.13 to 0.7: a box as wide as the prompt."""
    if y + 2 >= end or note(rows[y]).column:
        return None
    if not is_boxed_prompt(rows[y + 1]):
        return None
    width = rows[y].width
    stop = y + 1
    inner = []
    while stop < end and note(rows[stop]).kind is Kind.SIDE:
        text = "".join(rows[stop].cells[5:]).rstrip(" ")
        inner.append(text[:-1].rstrip(" ") if text[-1:] in _SIDES else text)
        stop += 1
    if stop >= end or note(rows[stop]).kind is not Kind.BOTTOM:
        return None
    # A box that could be wider holds whole lines.
    room = width - 8 if width + 2 >= margin else NO_LIMIT
    return _unwrapped(inner, room), stop + 1


def _between_bars(rows: Sequence[Row], y: int, end: int) -> tuple[str, int] | None:
    """From 0.27 on: half blocks or a coloured band above and below."""
    if y + 2 >= end or note(rows[y + 1]).kind is not Kind.PROMPT:
        return None
    inner = []
    stop = y + 1
    while stop < end and not _closes(rows, stop, end, rows[y]):
        if note(rows[stop]).kind not in _INNER:
            return None
        inner.append("".join(rows[stop].cells[3:]).rstrip(" "))
        stop += 1
    if stop >= end:
        return None
    return _unwrapped(inner, rows[y].width - 4), stop + 1


def _closes(rows: Sequence[Row], y: int, end: int, top: Row) -> bool:
    """Whether row `y` is the bottom edge that belongs to `top`."""
    kind = note(rows[y]).kind
    if kind not in EDGES:
        return False
    if note(top).kind is not Kind.BAND:
        return kind is not Kind.BAND
    # An empty line of the prompt has the colour of the edges: the last one is the edge.
    return y + 1 >= end or rows[y + 1].pen(0).bg != rows[y].pen(0).bg


def _bare(rows: Sequence[Row], y: int, end: int, margin: int) -> tuple[str, int]:
    """Without edges: rows below belong to it if they are indented and in its colour."""
    start = note(rows[y]).column + 2
    row = rows[y]
    colour = row.pen(start).fg
    inner = ["".join(row.cells[start:]).rstrip(" ")]
    stop = y + 1
    while stop < end:
        known = note(rows[stop])
        if known.kind is Kind.BLANK and colour != "default":
            following = stop + 1
            if following < end and _continues(rows[following], start, colour):
                inner.append("")
                stop += 1
                continue
            break
        if not _continues(rows[stop], start, colour):
            break
        inner.append("".join(rows[stop].cells[start:]).rstrip(" "))
        stop += 1
    return _unwrapped(inner, max(margin - start, 1) if margin else NO_LIMIT), stop


def _continues(row: Row, start: int, colour: str) -> bool:
    known = note(row)
    return known.kind is Kind.TEXT and known.column >= start and row.pen(known.column).fg == colour


def _unwrapped(lines: list[str], width: int) -> str:
    """The lines of a prompt with wraps undone: a row goes on where the next word had no room."""
    text = lines[0]
    room = width - columns_of(lines[0])
    for following in lines[1:]:
        word = following.split(" ", 1)[0]
        if following[:1] == " " != following[1:2] and room <= 1:
            text += following  # the blank itself had no room
        elif word and text and columns_of(word) >= room and not following.startswith(" "):
            last = text.rsplit("\n", 1)[-1].rsplit(" ", 1)[-1]
            tight = columns_of(last) + columns_of(word) > width and room <= 1
            text += ("" if tight else " ") + following
        else:
            text += "\n" + following
        room = width - columns_of(following)
    return text.rstrip("\n")


def is_command(prompt: str) -> bool:
    """Whether a prompt is a command to the CLI, which may or may not ask the model."""
    return prompt.startswith(marks.COMMAND.forms)


def is_chore(prompt: str) -> bool:
    """Whether a prompt is a command that works without asking for a reply."""
    return prompt.split(" ", 1)[0] in marks.CHORES.forms


def stand_ins(text: str) -> int:
    """How many long texts the composer does not show, but only a word for each."""
    return sum(text.count(form) for form in marks.PASTED.forms)


def is_stand_in(text: str) -> bool:
    """Whether the composer shows a word for a long text instead of it."""
    return stand_ins(text) > 0
