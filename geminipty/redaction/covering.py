"""A picture without its secrets, for errors and reports, which show pictures that nobody recorded.

Rule: what is hidden keeps its columns and its colours; a picture that shows nothing is the same
object.
"""

from dataclasses import replace
from typing import Final

from geminipty.terminal import Frame, Row, Scrolled

from .known import HIDDEN
from .redactor import Carry, Redactor
from .solid import Solid

#: Lines above the screen that are kept, and looked through.
_ABOVE: Final = 1000


def cover(frame: Frame, redactor: Redactor) -> Frame:
    """The picture with every secret in its rows and its title hidden; far above, lines are left."""
    above = frame.scrolled[-_ABOVE:]
    rows = [*above, *frame.rows]
    covered = _rows(rows, frame.columns, redactor)
    title = redactor.text(frame.title)
    dropped = frame.scrolled.dropped + len(frame.scrolled) - len(above)
    if title == frame.title and covered == rows and dropped == frame.scrolled.dropped:
        return frame
    return replace(
        frame,
        rows=tuple(covered[len(above) :]),
        scrolled=Scrolled(covered[: len(above)], len(above), dropped),
        title=title,
    )


def _rows(rows: list[Row], columns: int, redactor: Redactor) -> list[Row]:
    text = "".join(row.text + "\n" * (not row.wrapped) for row in rows)
    solid = Solid(text)
    solid.close()
    spans = redactor.spans(solid, redactor.wraps(columns), Carry())
    covered = []
    at = 0
    for row in rows:
        end = at + len(row.text)
        near = [(max(a, at) - at, min(b, end) - at) for a, b in spans if a < end and at < b]
        covered.append(_row(row, near) if near else row)
        at = end + (not row.wrapped)
    return covered


def _row(row: Row, spans: list[tuple[int, int]]) -> Row:
    cells: list[str] = []
    at = 0
    hidden = False
    for cell in row.cells:
        if cell:  # the right half of a wide one is as its left half
            hidden = any(a < at + len(cell) and at < b for a, b in spans) and not cell.isspace()
        at += len(cell)
        cells.append(HIDDEN if hidden else cell)
    whole = tuple(cells) if any(len(cell) != 1 for cell in cells) else None
    return Row("".join(cells), row.spans, whole, wrapped=row.wrapped)
