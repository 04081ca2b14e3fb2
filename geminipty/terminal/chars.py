"""Rows as pyte's users know them: a mapping of rows of :class:`pyte.screens.Char`.

Rule: a view only. It is built when somebody looks, so that painting never pays for it.
"""

from collections.abc import Iterator, Mapping

from pyte.screens import Char

from .pens import Pen
from .rows import Row


def char_of(data: str, pen: Pen) -> Char:
    """One cell as pyte describes it; it has no words for dim and hidden."""
    return Char(
        data,
        pen.fg,
        pen.bg,
        pen.bold,
        pen.italics,
        pen.underscore,
        pen.strikethrough,
        pen.reverse,
        pen.blink,
    )


class RowView(Mapping[int, Char]):
    """One row by column; columns without text are blanks."""

    def __init__(self, row: Row, columns: int) -> None:
        self._row, self._cells, self._columns = row, row.cells, columns

    def __getitem__(self, column: int) -> Char:
        if not 0 <= column < self._columns:
            raise KeyError(column)
        data = self._cells[column] if column < len(self._cells) else " "
        return char_of(data, self._row.pen(column))

    def __iter__(self) -> Iterator[int]:
        return iter(range(self._columns))

    def __len__(self) -> int:
        return self._columns


class BufferView(Mapping[int, RowView]):
    """The screen by row."""

    def __init__(self, rows: list[Row], columns: int) -> None:
        self._rows, self._columns = rows, columns

    def __getitem__(self, y: int) -> RowView:
        if not 0 <= y < len(self._rows):
            raise KeyError(y)
        return RowView(self._rows[y], self._columns)

    def __iter__(self) -> Iterator[int]:
        return iter(range(len(self._rows)))

    def __len__(self) -> int:
        return len(self._rows)
