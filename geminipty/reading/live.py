"""Finds the live region: what the CLI redraws below the transcript, and what it shows there.

Rule: only the bottom counts. The region is walked upwards from the composer, or from the last row
where there is none, and the walk stops at the first row that the transcript could have drawn.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from geminipty.terminal import Frame, Row

from . import marks
from .composer import EDGELESS, Composer, box_top, find
from .rows import Kind, Note, bare, note

#: Below the box of a dialog stand at most the footer, a mode row and a spinner.
_BELOW_BOX: Final = frozenset({Kind.BLANK, Kind.LOOSE, Kind.RULE, Kind.SPINNER})
#: Rows with notes of the CLI (modes, "press again") directly above a composer with a box.
_NOTE_ROWS: Final = 2
_RULE_ROWS: Final = 3
#: Queued prompts may stand between the spinner and the composer.
_SPINNER_REACH: Final = 14
#: No reply begins so far to the right directly above a composer.
_FAR_RIGHT: Final = 12


@dataclass(frozen=True, slots=True)
class Live:
    """The live region of one picture."""

    rows: Sequence[Row]
    notes: Sequence[Note]
    #: The first row of the region; the transcript ends above it.
    top: int
    composer: Composer | None = None
    #: The rows of the edges of the last box, where there is no composer. The top one is -1 if it
    #: has scrolled off.
    box: tuple[int, int] | None = None
    spinner: int | None = None
    #: The status row, where the CLI always has one.
    status: int | None = None
    queued: tuple[str, ...] = ()
    raw: bool = False


def look(frame: Frame) -> Live:
    """Find the live region of a picture."""
    rows: Sequence[Row] = frame.rows
    if frame.alternate:
        rows = [bare(row, frame.columns) for row in rows]
    notes = [row.note or note(row) for row in rows]
    last = len(rows) - 1
    while last >= 0 and notes[last].kind is Kind.BLANK:  # type: ignore[attr-defined]
        last -= 1
    composer, end = find(rows, notes, last, frame.cursor, frame.columns)  # type: ignore[arg-type]
    if composer is not None:
        return _above(rows, notes, composer)  # type: ignore[arg-type]
    return _without_composer(rows, notes, last, end)  # type: ignore[arg-type]


def _above(rows: Sequence[Row], notes: Sequence[Note], composer: Composer) -> Live:
    """The region above a composer, upwards to the transcript."""
    if composer.proof == EDGELESS:
        return Live(rows, notes, 0, composer)
    edge = composer.top
    boxed = notes[edge].kind is Kind.TOP
    rule = None
    if not boxed:
        for y in range(edge - 1, max(edge - 1 - _RULE_ROWS, -1), -1):
            if notes[y].kind is Kind.RULE:
                rule = y
                break
    raw = any(
        marks.RAW.forms[0] in rows[y].text
        for y in range(max(edge - _RULE_ROWS, 0) if rule is None else rule, edge)
        if notes[y].kind in (Kind.LOOSE, Kind.TEXT)
    )
    top = edge if rule is None else rule
    status = spinner = None
    if not boxed:
        status = top - 1
        if status < 0:
            return Live(rows, notes, top, composer, raw=raw)
        top = status
        if notes[status].kind is Kind.SPINNER:
            spinner = status
    if spinner is None:
        spinner = _spinner_above(notes, top)
    if spinner is not None:
        between = rows[spinner + 1 : edge if boxed else top]
        texts = [row.text.strip() for row in between if note(row).kind is Kind.TEXT]
        queued = tuple(text for text in texts if text not in marks.QUEUED.forms)
        top = min(spinner, top)
        if not boxed:
            top, queued = _climb(rows, notes, top, boxed=False)
        return Live(rows, notes, top, composer, None, spinner, status, queued, raw)
    top, queued = _climb(rows, notes, top, boxed=boxed)
    return Live(rows, notes, top, composer, None, None, status, queued, raw)


def _spinner_above(notes: Sequence[Note], top: int) -> int | None:
    """The row of a spinner above row `top`, before anything that only the transcript draws."""
    for y in range(top - 1, max(top - 1 - _SPINNER_REACH, -1), -1):
        kind = notes[y].kind
        if kind is Kind.SPINNER:
            return y
        if kind not in (Kind.BLANK, Kind.TEXT, Kind.LOOSE):
            return None
    return None


def _climb(
    rows: Sequence[Row], notes: Sequence[Note], edge: int, *, boxed: bool
) -> tuple[int, tuple[str, ...]]:
    """The first row of the region that ends above row `edge`, and the prompts queued in it."""
    top = edge
    y = edge - 1
    notes_left = _NOTE_ROWS
    queued: tuple[str, ...] = ()
    while y >= 0:
        kind = notes[y].kind
        if kind is Kind.BLANK:
            notes_left -= boxed
        elif kind is Kind.LOOSE and (notes_left > 0 if boxed else notes[y].column == 1):
            top = y
            notes_left -= 1
        elif kind is Kind.RULE and not boxed:
            top = y
        elif boxed and y == edge - 1 and notes[y].column >= _FAR_RIGHT:
            top = y  # the mode, on the right
        elif kind is Kind.TEXT and not queued and (start := _queue(rows, notes, y)) is not None:
            queued = tuple(row.text.strip() for row in rows[start + 1 : y + 1])
            top = y = start
        else:
            break
        y -= 1
    return top, queued


def _queue(rows: Sequence[Row], notes: Sequence[Note], last: int) -> int | None:
    """The row where the list of queued prompts begins whose last row is `last`."""
    # One row, for notes, stands between the list and the status row; a reply keeps two.
    below = last + 1
    if below + 1 >= len(rows) or notes[below + 1].kind is Kind.BLANK:
        return None
    for y in range(last, -1, -1):
        if notes[y].kind is not Kind.TEXT:
            return None
        if rows[y].text.strip() == marks.QUEUED.forms[0]:
            return y if y < last else None
        if notes[y].column < 4:
            return None
    return None


def _without_composer(
    rows: Sequence[Row], notes: Sequence[Note], last: int, end: int
) -> Live:
    """The region below the transcript where there is no composer: a dialog, a spinner, nothing."""
    spinner = None
    top = last + 1
    y = last
    while y >= 0 and (
        notes[y].kind in _BELOW_BOX
        or notes[y].column >= _FAR_RIGHT
        or (y < last and notes[y + 1].kind is Kind.RULE)
    ):
        if notes[y].kind is Kind.SPINNER:
            spinner = top = y
            # Nothing of the region stands above a spinner but a dialog's box.
            while y > 0 and notes[y - 1].kind is Kind.BLANK:
                y -= 1
            y -= 1
            break
        y -= 1
    if y >= 0 and y == end:
        found = box_top(rows, notes, y)
        first = -1 if found is None and _reaches_top(notes, y) else found
        if first is not None:
            return Live(rows, notes, y + 1, None, (first, y), spinner)
    return Live(rows, notes, top if spinner is not None else last + 1, None, None, spinner)


def _reaches_top(notes: Sequence[Note], bottom: int) -> bool:
    """Whether the box whose bottom edge is in row `bottom` begins above the screen."""
    column = notes[bottom].column
    return all(known.kind is Kind.SIDE and known.column == column for known in notes[:bottom])
