"""The rows of one screen buffer, and the lines that scrolled off its top.

Rule: rows are shared, never copied. A row is thawed when something paints into it and frozen
when the grid is looked at or moved, so both cost what was painted, not the size of the screen.
"""

from collections.abc import Sequence
from typing import Final, overload

from .rows import BLANK, Line, Row
from .work import CELL, Work

#: Lines kept after they scrolled off; at most twice as many for a while.
MAX_SCROLLED: Final = 50_000


class Scrolled(Sequence[Row]):
    """The lines that had scrolled off when a picture was finished: an immutable view.

    `dropped` counts older lines that were given up for the limit.
    """

    __slots__ = ("_length", "_rows", "dropped")

    def __init__(self, rows: list[Row], length: int, dropped: int) -> None:
        self._rows = rows
        self._length = length
        self.dropped = dropped

    def __len__(self) -> int:
        return self._length

    @overload
    def __getitem__(self, index: int) -> Row: ...
    @overload
    def __getitem__(self, index: slice) -> list[Row]: ...
    def __getitem__(self, index: int | slice) -> Row | list[Row]:
        if isinstance(index, slice):
            start, stop, step = index.indices(self._length)
            return [self._rows[i] for i in range(start, stop, step)]
        if not -self._length <= index < self._length:
            raise IndexError(index)
        return self._rows[index if index >= 0 else index + self._length]

    def continues(self, earlier: "Scrolled") -> bool:
        """Whether these are the lines of an earlier view, and perhaps more; costs nothing."""
        same = self._rows is earlier._rows  # noqa: SLF001 - of its own class
        return same and self._length >= len(earlier)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Scrolled):
            return NotImplemented
        if self._length != other._length or self.dropped != other.dropped:
            return False
        return self._rows is other._rows or self[:] == other[:]

    def __hash__(self) -> int:
        return hash((self._length, self.dropped))

    def __reduce__(self) -> tuple[type["Scrolled"], tuple[list[Row], int, int]]:
        return Scrolled, (self[:], self._length, self.dropped)  # without later lines

    def __repr__(self) -> str:
        return f"<Scrolled: {self._length} lines, {self.dropped} dropped>"


class Grid:
    """A buffer of rows with a place for what scrolls off; `keeps` is False for an alternate."""

    def __init__(self, columns: int, lines: int, work: Work, *, keeps: bool) -> None:
        self._work = work
        work.done += lines
        self.columns = columns
        self.rows: list[Row] = [BLANK] * lines
        self._open: dict[int, Line] = {}
        self._keeps = keeps
        self._scrolled: list[Row] = []
        self._dropped = 0

    @property
    def scrolled(self) -> Scrolled:
        """A view of the lines that have scrolled off so far."""
        return Scrolled(self._scrolled, len(self._scrolled), self._dropped)

    def forget_scrolled(self) -> None:
        """Give up all scrolled-off lines; views that were taken keep theirs."""
        self._scrolled = []
        self._dropped = 0

    def line(self, y: int) -> Line:
        """Row `y`, thawed for painting."""
        line = self._open.get(y)
        if line is None:
            line = self._open[y] = Line(self.rows[y], self.columns)
            self._work.done += CELL * len(line.cells)
        return line

    def replace(self, y: int, row: Row) -> None:
        """Put `row` in the place of row `y`."""
        self._open.pop(y, None)
        self.rows[y] = row

    def settle(self) -> list[Row]:
        """All rows, frozen."""
        if self._open:
            for y, line in self._open.items():
                self.rows[y] = line.freeze()
            self._open.clear()
        return self.rows

    def show(self, other: "Grid") -> None:
        """Take the rows and lines of a grid of the same size."""
        self._open.clear()
        self.rows[:] = other.settle()
        self._scrolled = other._scrolled[:]  # noqa: SLF001 - of its own class
        self._work.done += len(self.rows) + len(self._scrolled)

    def fill(self, start: int, end: int, row: Row) -> None:
        """Put `row` in the place of all rows from `start` to before `end`."""
        if self._open:
            for y in [y for y in self._open if start <= y < end]:
                del self._open[y]
        self.rows[start:end] = [row] * (end - start)
        self._work.done += max(end - start, 0)

    def scroll_up(self, top: int, bottom: int, count: int, blank: Row) -> None:
        """Move the rows between `top` and `bottom` up; those that leave row 0 are kept."""
        rows = self.settle()
        self._work.done += bottom + 1 - top
        count = min(count, bottom + 1 - top)
        if top == 0:
            self.keep(rows[:count])
        rows[top : bottom + 1] = [*rows[top + count : bottom + 1], *[blank] * count]

    def scroll_down(self, top: int, bottom: int, count: int, blank: Row) -> None:
        """Move the rows between `top` and `bottom` down; those that leave are lost."""
        rows = self.settle()
        self._work.done += bottom + 1 - top
        count = min(count, bottom + 1 - top)
        rows[top : bottom + 1] = [*[blank] * count, *rows[top : bottom + 1 - count]]

    def delete(self, y: int, bottom: int, count: int, blank: Row) -> None:
        """Delete rows from `y` on; those below, down to `bottom`, move up. Nothing is kept."""
        rows = self.settle()
        self._work.done += bottom + 1 - y
        count = min(count, bottom + 1 - y)
        rows[y : bottom + 1] = [*rows[y + count : bottom + 1], *[blank] * count]

    def keep(self, rows: list[Row]) -> None:
        """Append lines that scrolled off."""
        if not self._keeps:
            return
        self._scrolled += rows
        if len(self._scrolled) > 2 * MAX_SCROLLED:
            self._dropped += len(self._scrolled) - MAX_SCROLLED
            self._scrolled = self._scrolled[-MAX_SCROLLED:]

    def resize(self, columns: int, lines: int, cursor_y: int) -> int:
        """Change the size without losing text: the new row of the cursor.

        No row is wrapped anew: the CLI erases by counting the rows it painted. A row that is now
        too wide keeps its text beyond the edge. Blank rows below the cursor go first, then rows
        scroll off the top; new rows come at the bottom.
        """
        rows = self.settle()
        self._work.done += len(rows) + lines
        excess = len(rows) - lines
        if excess > 0:
            below = len(rows) - 1 - cursor_y
            blank = 0
            while blank < min(excess, below) and rows[-1 - blank] == BLANK:
                blank += 1
            if blank:
                del rows[-blank:]
            self.keep(rows[: excess - blank])
            del rows[: excess - blank]
            cursor_y = max(cursor_y - (excess - blank), 0)
        else:
            rows += [BLANK] * -excess
        self.columns = columns
        return cursor_y
