"""Reads a question off its box: kind, title, body, choices, and which one is selected.

Rule: a box is a dialog because something in it can be chosen or typed, not because of its words.
The words only name its kind; a dialog that nobody has seen before is still a dialog.
"""

import re
from collections.abc import Sequence
from typing import Final

from geminipty.model import Choice, Dialog, DialogKind
from geminipty.terminal import Row

from . import marks
from .rows import cut, has_cursor_cell, ink_of
from .tools import outcome_of

_SELECTED: Final = marks.SELECTED.forms[0]
_UNSELECTED: Final = marks.UNSELECTED.forms[0]
#: A choice: its bullet or blanks, its number if it has one, its label.
_CHOICE: Final = re.compile(
    rf"^( {{0,6}})([{_SELECTED}{_UNSELECTED} ]) {{1,3}}(?:(\d+)\. +)?(\S.*?) *$"
)
_COLUMN_GAP: Final = re.compile(" {3,}")
_SIDES: Final = "".join(marks.SIDE.forms)
_EDGES: Final = frozenset(marks.TOP_LEFT.forms + marks.BOTTOM_LEFT.forms)
_GLYPHS: Final = frozenset(marks.ASKED.forms + marks.CHAT.forms)


def open_box(rows: Sequence[Row], column: int, width: int) -> list[Row]:
    """The rows of a box that begins in a column and is so wide, without its sides."""
    inner = []
    for row in rows:
        end = row.width
        if row.text and row.text[-1] in _SIDES and end >= width - 2:
            end -= 1
        inner.append(cut(row, column + 1, end))
    return inner


def read_box(inner: Sequence[Row], *, cursor_inside: bool) -> Dialog | None:
    """The dialog in a box, or None if nothing can be chosen or typed there."""
    texts = [row.text.rstrip(" ") for row in inner]
    choices, first = _choices(inner, texts)
    heads = _tools(inner[:first])
    if heads and texts[heads[-1]][1] not in marks.ASKED.forms:
        return None  # past asking: what it prints may be anything
    if not choices:
        last = next((text for text in reversed(texts) if text), "")
        hinted = any(form in last for form in marks.HINTS.forms)
        if not (hinted or cursor_inside or any(has_cursor_cell(row) for row in inner)):
            return None
    # Where several tools share a box, the last one above the choices is asked about.
    start = heads[-1] if heads else 0
    said = [text for text in (_plain(text) for text in texts[start:first]) if text is not None]
    while said and not said[0].strip():
        said.pop(0)
    while said and not said[-1].strip():
        said.pop()
    title, body = _title(said)
    return Dialog(kind=_kind(said), title=title, body=body, choices=choices)


def _tools(inner: Sequence[Row]) -> list[int]:
    """The rows of a box that are heads of tools."""
    ink = ink_of(inner)
    heads: list[int] = []
    for y, row in enumerate(inner):
        if row.text[:1] == " " and outcome_of(cut(row, 1, row.width), ink=ink, first=not heads):
            heads.append(y)
    return heads


def _choices(inner: Sequence[Row], texts: list[str]) -> tuple[tuple[Choice, ...], int]:
    """The choices, and the row of the first one. They are the last list with a selected row."""
    found = [_CHOICE.match(text) for text in texts]
    chosen = [y for y, match in enumerate(found) if match and match[2] == _SELECTED]
    if not chosen:
        return (), len(texts)
    picked = chosen[-1]
    match = found[picked]
    assert match is not None
    listed: dict[int, re.Match[str]] = {picked: match}
    if match[3]:
        _extend(listed, found, picked, -1)
        _extend(listed, found, picked, 1)
    else:
        listed |= {
            y: other
            for y, other in enumerate(found)
            if other and other[2] == _UNSELECTED and other[1] == match[1]
        }
    choices = []
    for count, y in enumerate(sorted(listed), 1):
        one = listed[y]
        number = int(one[3]) if one[3] and int(one[3]) > 0 else count
        label = _label(inner, texts, listed, y)
        choices.append(Choice(number=number, label=label, selected=y == picked))
    return tuple(choices), min(listed)


def _extend(
    listed: dict[int, re.Match[str]], found: list[re.Match[str] | None], start: int, step: int
) -> None:
    """Add the choices numbered in a row before or after the selected one."""
    anchor = listed[start]
    end = anchor.end(3)  # numbers are aligned on the right
    number = int(anchor[3])
    y = start + step
    gap = 0
    while 0 <= y < len(found) and gap < 4:
        match = found[y]
        if match and match[3] and match.end(3) == end and int(match[3]) == number + step:
            listed[y] = match
            number += step
            gap = 0
        else:
            gap += 1
        y += step


def _label(inner: Sequence[Row], texts: list[str], listed: dict[int, re.Match[str]], y: int) -> str:
    """The label with the rows that it was wrapped into; a description has another colour."""
    match = listed[y]
    label = _COLUMN_GAP.split(match[4])[0]
    pen = inner[y].pen(match.start(4))
    row = y + 1
    while row < len(texts) and row not in listed:
        text = texts[row]
        start = len(text) - len(text.lstrip(" "))
        if (
            not text
            or start != match.start(4)
            or pen.fg == "default"
            or inner[row].pen(start) != pen
        ):
            break
        label += " " + text.strip()
        row += 1
    return label


def _plain(text: str) -> str | None:
    """A row without the sides of an inner box; None for the edges of one."""
    stripped = text.strip()
    if stripped[:1] in _EDGES:
        return None
    if stripped[:1] in _SIDES and stripped[-1:] in _SIDES and len(stripped) > 1:
        return stripped[2:-1].rstrip()
    return text[1:] if text[:1] == " " else text


def _title(said: list[str]) -> tuple[str, str]:
    """The line that says what is asked about, and the rest."""
    if not said:
        return "", ""
    at = next((y for y, text in enumerate(said[:4]) if text[:2].strip() in marks.ASKED.forms), 0)
    head = said[at].strip()
    if head[:1] in _GLYPHS and head[1:2] == " ":
        head = head[1:].strip()
    for tail in marks.ASKED_TAIL.forms:
        head = head.removesuffix(tail).rstrip()
    head = _COLUMN_GAP.split(head)[0]  # a count, or the heading of a second column
    body = said[at + 1 :]
    while body and not body[0].strip():
        body.pop(0)
    return head, "\n".join(text.rstrip() for text in body)


def _kind(said: list[str]) -> DialogKind:
    """The kind, by the first lines or the last ones: what lies between is somebody's text."""
    lines = [text.strip() for text in said if text.strip()]
    ends = lines[:2] + lines[-3:]
    for kind, mark in marks.QUESTIONS.items():
        if any(_says(line, form) for line in ends for form in mark.forms):
            return kind
    return DialogKind.UNKNOWN


def _says(line: str, form: str) -> bool:
    """Whether a line begins with a phrase, after the glyph that it may have."""
    if line[:1] in _GLYPHS:
        line = line[1:].lstrip()
    return line.startswith(form)


def stop_choice(dialog: Dialog) -> Choice | None:
    """The choice of the quota dialog that gives up."""
    return next((one for one in dialog.choices if one.label in marks.STOP.forms), None)
