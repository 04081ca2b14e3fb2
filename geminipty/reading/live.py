"""Finds the live region: what the CLI redraws below the transcript, and what it shows there.

Rule: only the bottom counts. The region is walked upwards from the composer, or from the last row
where there is none, and the walk stops at the first row that the transcript could have drawn.
"""

from collections.abc import Sequence
from typing import Final, NamedTuple, cast

from geminipty.terminal import Frame, Row

from . import marks
from .composer import EDGELESS, MODE_ROWS, Composer, Mode, box_top, find
from .rows import Kind, Note, bare, note

#: Below the box of a dialog stand at most the footer, a mode row and a spinner.
_LOOSE: Final = frozenset({Kind.LOOSE, Kind.COMPOSER})
_BELOW_BOX: Final = frozenset({Kind.BLANK, Kind.LOOSE, Kind.RULE, Kind.SPINNER})
#: Rows with notes of the CLI (modes, "press again") directly above a composer with a box.
_NOTE_ROWS: Final = 2
#: Queued prompts may stand between the spinner and the composer.
_SPINNER_REACH: Final = 14
#: Hints of the CLI that may stand between a dialog and the spinner below it.
_HINT_ROWS: Final = 2
#: No reply begins so far to the right directly above a composer.
_FAR_RIGHT: Final = 12


class Live(NamedTuple):
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
    notes = cast("list[Note]", [row.note or note(row) for row in rows])
    last = len(rows) - 1
    while last >= 0 and notes[last].kind is Kind.BLANK:
        last -= 1
    composer, end = find(rows, notes, last, frame.cursor, frame.columns)
    if composer is None:
        return _without_composer(rows, notes, last, end)
    if composer.proof == EDGELESS:
        return Live(rows, notes, 0, composer)
    if notes[composer.top].kind is Kind.TOP:
        return _above_box(rows, notes, composer)
    return _above_bars(rows, notes, composer)


def _above_box(rows: Sequence[Row], notes: Sequence[Note], composer: Composer) -> Live:
    """The region above a composer in a box (up to 0.26), upwards to the transcript."""
    edge = composer.top
    if _says(rows, range(edge - 2, edge), marks.YOLO_ROW):
        composer = composer._replace(mode=Mode.YOLO)
    raw = _says(rows, range(edge - 2, edge), marks.RAW)
    spinner = _spinner_above(notes, edge)
    if spinner is None:
        top, queued = _climb(rows, notes, edge, boxed=True)
        return Live(rows, notes, top, composer, queued=queued, raw=raw)
    below = range(spinner + 1, edge - 1)
    # Queued prompts are dim; the spinner's own text may be wrapped into the row below it.
    dim = [y for y in below if notes[y].kind is Kind.TEXT and rows[y].pen(notes[y].column).dim]
    texts = [rows[y].text.strip() for y in dim]
    queued = tuple(text for text in texts if text not in marks.QUEUED.forms)
    return Live(rows, notes, spinner, composer, spinner=spinner, queued=queued, raw=raw)


def _above_bars(rows: Sequence[Row], notes: Sequence[Note], composer: Composer) -> Live:
    """The region above a composer between bars (from 0.27 on), upwards to the transcript."""
    edge = composer.top
    rule = edge
    for y in range(edge - 1, max(edge - 1 - MODE_ROWS, -1), -1):
        if notes[y].kind is Kind.RULE:
            rule = y
            break
    # 0.27 and 0.28 have no line there, and tell the mode at the right of the status row.
    far = rule == edge and edge > 0 and notes[edge - 1].column >= _FAR_RIGHT
    raw = _says(rows, range(edge - 1 if far else rule, edge), marks.RAW)
    status = rule - 1
    if status < 0 or (rule == edge and 2 <= notes[status].column < _FAR_RIGHT):
        return Live(rows, notes, rule, composer, raw=raw)  # no status row, but the transcript
    spinner = status if notes[status].kind is Kind.SPINNER else _spinner_above(notes, status)
    start = status if spinner is None else spinner
    top, queued = _climb(rows, notes, start, boxed=False)
    return Live(rows, notes, top, composer, None, spinner, status, queued, raw)


def _says(rows: Sequence[Row], where: range, mark: marks.Mark) -> bool:
    """Whether one of the rows that tell the mode says this."""
    return any(y >= 0 and mark.forms[0] in rows[y].text for y in where)


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
        elif kind in _LOOSE and (notes_left > 0 if boxed else notes[y].column == 1):
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


def _without_composer(rows: Sequence[Row], notes: Sequence[Note], last: int, end: int) -> Live:
    """The region below the transcript where there is no composer: a dialog, a spinner, nothing.

    `end` is the bottom edge of the last box, or -1.
    """
    spinner = None
    others = 0
    for y in range(last, max(end, -1), -1):
        kind = notes[y].kind
        if kind is Kind.SPINNER and spinner is None:
            spinner = y
        elif kind not in _BELOW_BOX and notes[y].column < _FAR_RIGHT:
            if y < last and notes[y + 1].kind is Kind.RULE:
                continue  # the status row
            others += 1 if kind is Kind.TEXT else _HINT_ROWS + 1
            if others > _HINT_ROWS:
                break
    if end >= 0 and others <= _HINT_ROWS:
        found = box_top(rows, notes, end)
        first = -1 if found is None and reaches_top(rows, notes, end) else found
        if first is not None:
            return Live(rows, notes, end + 1, None, (first, end), spinner)
    return Live(rows, notes, last + 1 if spinner is None else spinner, None, None, spinner)


def reaches_top(rows: Sequence[Row], notes: Sequence[Note], bottom: int) -> bool:
    """Whether the box whose bottom edge is in row `bottom` begins above the screen."""
    column = notes[bottom].column
    return all(
        (notes[y].kind is Kind.SIDE and notes[y].column == column) or (y and rows[y - 1].wrapped)
        for y in range(bottom)
    )
