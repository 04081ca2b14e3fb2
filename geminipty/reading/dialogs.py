"""Reads a question off its box: kind, title, body, choices, and which one is selected.

Rule: a box is a dialog because something in it can be chosen or typed, not because of its words;
and what somebody else wrote into it is neither its title nor one of its choices. Which rows are
the CLI's own follows from the layout, and that from the first row of the box.
"""

import re
from collections.abc import Sequence
from typing import Final, NamedTuple

from geminipty.model import Choice, Dialog, DialogKind
from geminipty.terminal import Row

from . import marks
from .questions import Asked, Layout, kind_of
from .rows import cut, has_cursor_cell, ink_of
from .tools import outcome_of

_SELECTED: Final = marks.SELECTED.forms[0]
_UNSELECTED: Final = marks.UNSELECTED.forms[0]
#: A choice: its bullet or blanks, its number if it has one, its label.
_CHOICE: Final = re.compile(
    rf"^( {{0,6}})([{_SELECTED}{_UNSELECTED} ]) {{1,3}}(?:(\d+)\. +)?(\S.*?) *$"
)
_COLUMN_GAP: Final = re.compile(" {3,}")
_COUNT: Final = re.compile(r"( {2,})\d+ of \d+$")
_SIDES: Final = "".join(marks.SIDE.forms)
_EDGES: Final = (*marks.TOP_LEFT.forms, *marks.BOTTOM_LEFT.forms)
#: Which rows, how many, and what they are; in a narrow box the number alone.
_HIDDEN: Final = re.compile(
    rf"{re.escape(marks.HIDDEN.forms[0])}(?:\w+ )?\d+ (?:\w+ )?{marks.HIDDEN_WORD.forms[0]}"
)
#: Dialogs with the text of others, where the CLI puts bullets into the second column.
_FOREIGN: Final = frozenset({Layout.GROUP, Layout.ACTION, Layout.COMPACT, Layout.ROUTINE})
_BULLET: Final = 1
#: What is asked about is in the body, if it is drawn at all; of these a part is in the title only.
_BODIED: Final = frozenset({DialogKind.SHELL, DialogKind.EDIT, DialogKind.INFO})
#: A box that leaves only so many rows of the screen may be cut off, but for so many of its text:
#: 0.34.0 draws one first as if nothing were missing, and says what is hidden a second later.
_BESIDE: Final = 17
_LEFT: Final = 2
_TITLED: Final = frozenset({DialogKind.EDIT, DialogKind.MCP_TOOL})


class Box(NamedTuple):
    """The rows of a box without its sides, and how much of it is there."""

    rows: list[Row]
    #: Its first row is among them.
    topped: bool
    #: And stands on the screen.
    shown: bool
    #: The rows of the screen.
    lines: int


class _List(NamedTuple):
    """The choices, the row of the first one, and whether all of them are in sight."""

    choices: tuple[Choice, ...]
    first: int
    whole: bool = True


def open_box(rows: Sequence[Row], column: int, width: int) -> list[Row]:
    """The rows of a box that begins in a column and is so wide, without its sides."""
    inner = []
    for row in rows:
        end = row.width
        if row.text and row.text[-1] in _SIDES and end >= width - 2:
            end -= 1
        inner.append(cut(row, column + 1, end))
    return inner


def read_box(box: Box, *, cursor_inside: bool) -> Dialog | None:
    """The dialog in a box, or None if nothing can be chosen or typed there."""
    inner = box.rows
    texts = [row.text.rstrip(" ") for row in inner]
    layout = _layout(texts) if box.topped else Layout.TOPLESS
    heads = _tools(inner) if layout in (Layout.OTHER, Layout.TOPLESS) else []
    if heads and layout is Layout.OTHER:
        layout = Layout.GROUP
    hint = _hint(texts)
    listed = _choices(inner, texts, layout, hint, heads)
    heads = [y for y in heads if y < listed.first]
    asking = [y for y in heads if texts[y][1] in marks.ASKED.forms]
    if heads and not asking:
        return None  # past asking: what it prints may be anything
    if not listed.choices and not (
        hint or cursor_inside or any(has_cursor_cell(row) for row in inner)
    ):
        return None
    # Of several tools the first one that waits is asked about. A text that looks like one more
    # leaves open which it is: then all is said, below the first row.
    start = asking[0] if len(asking) == 1 else 0
    title, body, head = _said(inner, texts, layout, start, listed.first)
    question = _question(texts, start, listed.first, boxed=layout is Layout.COMPACT)
    asked = Asked(
        layout=layout,
        heading=title,
        question=question,
        cut=bool(question) and len(question[-1]) >= max(map(len, texts)) - 6,
        hint=hint,
    )
    kind, asks = kind_of(asked, listed.choices)
    complete = (
        box.shown
        and (listed.whole or layout not in _FOREIGN)
        and len(asking) < 2
        and not any(_HIDDEN.match(row) for row in body)
        and not (layout is Layout.ACTION and _may_be_cut(box, len(body) - asks))
        and not (kind in _TITLED and head.endswith(marks.CUT))
        and not (kind in _BODIED and not any(body[: len(body) - asks]))
    )
    if not title:
        title = question[-1] if question else ""
    return Dialog(
        kind=kind,
        title=title,
        body="\n".join(body),
        choices=listed.choices,
        complete=complete,
    )


def _may_be_cut(box: Box, rows: int) -> bool:
    """Whether a box with so many rows of text is as high as one can be."""
    return len(box.rows) + 2 >= box.lines - _BESIDE and rows >= _LEFT


def _layout(texts: list[str]) -> Layout:
    """How a box is drawn, by its first row."""
    first = texts[0] if texts else ""
    heading = _COUNT.sub("", first[1:])
    if heading in marks.ACTION.forms:
        return Layout.ACTION
    if heading in (
        *marks.QUESTIONS[DialogKind.ASK_USER].forms,
        *marks.QUESTIONS[DialogKind.PLAN_APPROVAL].forms,
    ):
        return Layout.ROUTINE
    if first[1:2] in marks.ASKED.forms and first[2:3] == " " and first[3:4] not in ("", " "):
        return Layout.COMPACT
    return Layout.OTHER


def _tools(inner: Sequence[Row]) -> list[int]:
    """The rows of a box that are heads of tools."""
    ink = ink_of(inner)
    heads: list[int] = []
    for y, row in enumerate(inner):
        if row.text[:1] == " " and outcome_of(cut(row, 1, row.width), ink=ink, first=not heads):
            heads.append(y)
    return heads


def _hint(texts: list[str]) -> str:
    """How a dialog is answered, if its last rows say so."""
    last = len(texts) - 1
    while last >= 0 and not texts[last]:
        last -= 1
    first = last
    while first > 0 and texts[first - 1]:
        first -= 1
    said = " ".join(text.strip() for text in texts[max(first, 0) : last + 1])
    return said if any(form in said for form in marks.HINTS.forms) else ""


def _choices(
    inner: Sequence[Row], texts: list[str], layout: Layout, hint: str, heads: list[int]
) -> _List:
    """The choices: the last list with a selected row.

    Where others have written into the box, it is in the CLI's column and nothing of theirs is
    below it.
    """
    none = _List((), len(texts))
    foreign = layout in _FOREIGN
    found = [_CHOICE.match(text) for text in texts]
    chosen = [
        y
        for y, match in enumerate(found)
        if match and match[2] == _SELECTED and (not foreign or len(match[1]) == _BULLET)
    ]
    if not chosen or (layout is Layout.ROUTINE and any(one in hint for one in marks.REVIEW.forms)):
        return none
    picked = chosen[-1]
    rows, floor = _listed(texts, found, picked, foreign=foreign)
    before, after = rows[0] - 1, _behind(texts, rows[-1], floor)
    above, below = (
        texts[y].strip() == arrow if 0 <= y < len(texts) else False
        for y, arrow in zip((before, after), marks.MORE.forms, strict=True)
    )
    if foreign:
        number = found[rows[0]]
        begins = number is None or number[3] in (None, "1") or above
        rest = [y for y in range(after + below, len(texts)) if texts[y] and y not in heads]
        told = " ".join(texts[y].strip() for y in rest)
        if not begins or told != (hint if layout is Layout.ROUTINE else ""):
            return none
    choices: list[Choice] = []
    for count, y in enumerate(rows, 1):
        one = found[y]
        assert one is not None
        last = choices[-1].number if choices else 0
        number_drawn = int(one[3]) if one[3] and int(one[3]) > last else 0
        label = _label(inner, texts, rows, one, y, whole=foreign)
        choices.append(
            Choice(number=number_drawn or max(last + 1, count), label=label, selected=y == picked)
        )
    return _List(tuple(choices), rows[0] - above, not (above or below))


def _listed(
    texts: list[str], found: list[re.Match[str] | None], picked: int, *, foreign: bool
) -> tuple[list[int], int]:
    """The rows where choices begin, of the list with the selected one.

    And the column behind which the description of the last one begins.
    """
    match = found[picked]
    assert match is not None
    bullet = match.end(1)
    anchor: int | None = picked
    if not match[3]:
        anchor = _numbered_above(texts, found, picked) if foreign else None
    if anchor is None:
        return _unnumbered(found, picked), bullet + 2
    numbered = found[anchor]
    assert numbered is not None
    floor = numbered.end(3)
    rows = [anchor]
    _extend(rows, texts, found, anchor, -1)
    _extend(rows, texts, found, anchor, 1)
    rows.sort()
    # The last row of a list with several answers has no number.
    last = _behind(texts, rows[-1], floor)
    if foreign and last < len(texts) and _has_no_number(texts[last], bullet):
        return [*rows, last], bullet + 2
    return rows, floor


def _has_no_number(text: str, bullet: int) -> bool:
    """Whether a row is a choice without a number, in a list of others with numbers."""
    first = text[bullet : bullet + 1]
    blank = not text[:bullet].strip() and text[bullet + 1 : bullet + 3] == "  "
    return blank and first in (" ", _SELECTED) and text[bullet + 3 : bullet + 4] not in ("", " ")


def _numbered_above(texts: list[str], found: list[re.Match[str] | None], picked: int) -> int | None:
    """The last numbered choice above the selected one, which has no number."""
    match = found[picked]
    assert match is not None
    for y in range(picked - 1, -1, -1):
        other = found[y]
        if other and other[3] and other.end(1) == match.end(1):
            return y
        if texts[y] and not _is_deeper(texts[y], match.end(1) + 2):
            return None
    return None


def _unnumbered(found: list[re.Match[str] | None], picked: int) -> list[int]:
    """The rows of a list without numbers: those right above and below with a bullet."""
    match = found[picked]
    assert match is not None
    rows = [picked]
    for step in (-1, 1):
        y = picked + step
        while 0 <= y < len(found):
            other = found[y]
            if other is None or other[2] != _UNSELECTED or other[1] != match[1]:
                break
            rows.append(y)
            y += step
    return sorted(rows)


def _extend(
    rows: list[int],
    texts: list[str],
    found: list[re.Match[str] | None],
    start: int,
    step: int,
) -> None:
    """Add the choices numbered in a row before or after one; between them stand descriptions."""
    anchor = found[start]
    assert anchor is not None
    end = anchor.end(3)  # numbers are aligned on the right
    number = int(anchor[3])
    y = start + step
    while 0 <= y < len(found) and number + step > 0:
        match = found[y]
        if match and match[3] and match.end(3) == end and int(match[3]) == number + step:
            rows.append(y)
            number += step
        elif texts[y] and not _is_deeper(texts[y], end):
            break
        y += step


def _is_deeper(text: str, column: int) -> bool:
    """Whether a row begins behind a column."""
    return len(text) - len(text.lstrip(" ")) > column


def _behind(texts: list[str], last: int, floor: int) -> int:
    """The row behind the last choice and its description."""
    y = last + 1
    while y < len(texts) and (not texts[y] or _is_deeper(texts[y], floor)):
        y += 1
    return y


def _label(
    inner: Sequence[Row],
    texts: list[str],
    rows: list[int],
    match: re.Match[str],
    y: int,
    *,
    whole: bool,
) -> str:
    """The label with the rows that it was wrapped into; a description has another colour."""
    label = match[4] if whole else _COLUMN_GAP.split(match[4])[0]
    pen = inner[y].pen(match.start(4))
    row = y + 1
    while row < len(texts) and row not in rows:
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


def _question(texts: list[str], start: int, first: int, *, boxed: bool) -> tuple[str, ...]:
    """The rows right above the choices, up to a blank one or an inner box, cut off or not."""
    y = first - 1
    while y > start and not texts[y]:
        y -= 1
    rows: list[str] = []
    while y > start and texts[y] and not (boxed and _is_of_a_box(texts[y])):
        rows.insert(0, texts[y].strip())
        y -= 1
    return tuple(rows)


def _is_of_a_box(text: str) -> bool:
    """Whether a row is the edge of an inner box, or has both of its sides."""
    return text[1:2] in _EDGES or (text[1:2] in _SIDES and text[-1:] in _SIDES)


def _said(
    inner: Sequence[Row], texts: list[str], layout: Layout, start: int, first: int
) -> tuple[str, list[str], str]:
    """The title, the rows below it, and the title's row as it is drawn, without its count."""
    end = first
    while end > start and not texts[end - 1]:
        end -= 1
    while layout is Layout.OTHER and start < end and not texts[start]:
        start += 1
    at = start
    if layout is Layout.ACTION and start + 2 < end and not texts[start + 1]:
        at = start + 2
    if layout is Layout.TOPLESS or at >= end:
        return "", _unboxed(texts[start:end]), ""
    head = _uncounted(inner[at], texts[at]).strip()
    title = head
    if layout is Layout.OTHER:
        title = _COLUMN_GAP.split(title)[0]  # the heading of a second column
    if title[:1] in (*marks.ASKED.forms, *marks.CHAT.forms) and title[1:2] == " ":
        title = title[1:].strip()
    if layout is Layout.GROUP:
        for tail in marks.ASKED_TAIL.forms:
            head, title = head.removesuffix(tail).rstrip(), title.removesuffix(tail).rstrip()
    rest = texts[at + 1 : end]
    while rest and not rest[0]:
        rest.pop(0)
    boxed = layout in (Layout.COMPACT, Layout.OTHER)
    return title, _unboxed(rest) if boxed else [_plain(text) for text in rest], head


def _uncounted(row: Row, text: str) -> str:
    """A row without the number of the question, which the CLI draws in another colour."""
    match = _COUNT.search(text)
    if match is None or row.pen(match.end(1)) == row.pen(match.start(1) - 1):
        return text
    return text[: match.start(1)]


def _unboxed(texts: list[str]) -> list[str]:
    """The rows without the edges and sides of an inner box; nothing else is left out."""
    rows: list[str] = []
    column = None
    for text in texts:
        stripped = text.strip()
        start = len(text) - len(text.lstrip(" "))
        edge = stripped[:1] in _EDGES and not stripped[1:-1].strip(marks.RULE.forms[0])
        if column is None and edge and stripped[:1] in marks.TOP_LEFT.forms:
            column = start
        elif column == start and edge:
            column = None
        elif column == start and stripped[:1] in _SIDES and stripped[-1:] in _SIDES:
            rows.append(stripped[2:-1].rstrip())
        else:
            rows.append(_plain(text))
    return rows


def _plain(text: str) -> str:
    """A row without the blank that every row of a box begins with."""
    return text[1:] if text[:1] == " " else text
