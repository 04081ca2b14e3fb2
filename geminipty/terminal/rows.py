"""One row of the screen: `Row` as it stands in pictures, `Line` while it is being painted.

Rule: a Row never changes, so pictures and scrolled-off lines may share it. Whoever paints thaws
a Row into a Line and freezes the Line again.
"""

from itertools import groupby
from typing import Final

from .cells import MAX_MARKS, SIMPLE, joins, widens, width
from .pens import DEFAULT, Pen

#: A style and the column where it ends.
Span = tuple[int, Pen]


class Row:
    """What one row shows: immutable, compared by content, blank on the right of its text.

    `text` is the row's characters in order without the plain blanks at the end. `spans` are its
    styles from left to right. `wrapped` says that the text went on in the next row by itself.
    A row that was painted on a wider screen keeps what is now beyond the right edge.
    """

    __slots__ = ("_cells", "note", "reach", "spans", "text", "wrapped")

    def __init__(
        self,
        text: str,
        spans: tuple[Span, ...] = (),
        cells: tuple[str, ...] | None = None,
        *,
        wrapped: bool = False,
        reach: int = 0,
    ) -> None:
        self.text = text
        self.spans = spans
        self._cells = cells
        self.wrapped = wrapped
        #: For whoever painted it: the columns that were painted, blanks included.
        self.reach = reach
        #: For whoever reads rows: what it made of this one. Neither is part of the content.
        self.note: object = None

    @property
    def cells(self) -> tuple[str, ...]:
        """The characters of each column: marks with their base, "" right of a wide one."""
        return tuple(self.text) if self._cells is None else self._cells

    @property
    def width(self) -> int:
        """The number of columns that are not blank on the right."""
        return len(self.text) if self._cells is None else len(self._cells)

    def pen(self, column: int) -> Pen:
        """The style of the cell in `column`."""
        for end, pen in self.spans:
            if column < end:
                return pen
        return DEFAULT

    def shown(self, columns: int) -> list[str]:
        """The cells that a screen of `columns` columns shows; those right of them are blank."""
        cells = list(self.cells[:columns])
        if self.width > columns and self.cells[columns] == "":
            cells[-1] = " "  # half of a wide character is not shown
        return cells

    def padded(self, columns: int) -> str:
        """The text that a screen of `columns` columns shows, blanks at the end included."""
        cells = self.shown(columns)
        return "".join(cells) + " " * (columns - len(cells))

    def clipped(self, columns: int) -> str:
        """The text that a screen of `columns` columns shows, without blanks at the end."""
        text = self.text if self.width <= columns else self.padded(columns)
        return text.rstrip(" ")

    def part(self, start: int, end: int) -> "Row":
        """The columns from `start` to before `end`, as a row of its own."""
        if self._cells is not None:
            line = Line(self, end)
            line.cells, line.pens = line.cells[start:end], line.pens[start:end]
            line.wrapped = False
            return line.freeze()
        spans: list[Span] = []
        for stop, pen in self.spans:
            if stop > start and (not spans or spans[-1][0] < end - start):
                spans.append((min(stop, end) - start, pen))
        if spans and spans[-1][1] == DEFAULT:
            spans.pop()
        text = self.text[start:end]
        kept = max(len(text.rstrip(" ")), spans[-1][0] if spans else 0)
        return Row(text[:kept], tuple(spans)) if kept else BLANK

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if not isinstance(other, Row):
            return NotImplemented
        return (
            self.text == other.text
            and self.spans == other.spans
            and self._cells == other._cells
            and self.wrapped == other.wrapped
        )

    def __hash__(self) -> int:
        return hash(self.text)

    def __reduce__(self) -> tuple[object, ...]:
        return _row, (self.text, self.spans, self._cells, self.wrapped)  # the content alone

    def __repr__(self) -> str:
        return f"Row({self.text!r})"


def _row(text: str, spans: tuple[Span, ...], cells: tuple[str, ...] | None, wrapped: bool) -> Row:
    return Row(text, spans, cells, wrapped=wrapped)


#: An empty row, of any width.
BLANK: Final = Row("")


class Line:
    """A row under the brush: one string and one pen for each column."""

    __slots__ = ("cells", "pens", "wrapped")

    def __init__(self, row: Row, columns: int) -> None:
        self.cells = list(row.cells)
        self.pens: list[Pen] = []
        for end, pen in row.spans:
            self.pens += [pen] * (end - len(self.pens))
        self.pens += [DEFAULT] * (len(self.cells) - len(self.pens))
        missing = columns - len(self.cells)
        if missing > 0:
            self.cells += [" "] * missing
            self.pens += [DEFAULT] * missing
        self.wrapped = row.wrapped

    def freeze(self, *, reach: int = 0) -> Row:
        """The row as it stands; `reach` are the columns that were painted."""
        cells, pens = self.cells, self.pens
        end = len(cells)
        while end and cells[end - 1] == " " and pens[end - 1] == DEFAULT:
            end -= 1
        if not end:
            return Row("", wrapped=True) if self.wrapped else BLANK
        text = "".join(cells[:end])
        one_each = len(text) == end and "" not in cells[:end]
        return Row(
            text,
            spans_of(pens[:end]),
            None if one_each else tuple(cells[:end]),
            wrapped=self.wrapped,
            reach=reach,
        )

    def draw(self, x: int, text: str, pen: Pen, columns: int) -> tuple[int, int]:
        """Paint `text` from column `x` on: the column and the index of the text reached.

        What does not fit into `columns` is left, and so is a mark with no character before it.
        """
        if SIMPLE.fullmatch(text):
            end = min(x + len(text), columns)
            self._put(x, text[: end - x], [pen] * (end - x))
            return end, end - x
        for index, char in enumerate(text):
            if x and joins(self.cells[self._left_of(x)], char):
                x = self._join(x, char, columns)
                continue
            taken = min(width(char), columns)
            if not taken or x + taken > columns:
                return x, index
            self._put(x, char if taken == 1 else (char, ""), [pen] * taken)
            x += taken
        return x, len(text)

    def room_for(self, x: int, char: str) -> tuple[bool, int]:
        """Whether `char` at column `x` would join the one before it, and the columns it takes."""
        if x and joins(cell := self.cells[self._left_of(x)], char):
            return True, int(widens(cell, char))
        return False, width(char)

    def erase(self, start: int, end: int, pen: Pen) -> None:
        """Blank the columns from `start` to before `end`."""
        self._put(start, " " * (end - start), [pen] * (end - start))

    def erase_right(self, start: int, columns: int, pen: Pen) -> None:
        """Blank all from `start` on, and what lies beyond the right edge."""
        self.erase(start, columns, pen)
        del self.cells[columns:], self.pens[columns:]
        self.wrapped = False

    def insert(self, x: int, count: int, columns: int, pen: Pen) -> None:
        """Move the cells from `x` on to the right; those pushed over the edge are lost."""
        self._split(x)
        self._split(columns - count)
        del self.cells[columns - count : columns], self.pens[columns - count : columns]
        self.cells[x:x] = " " * count
        self.pens[x:x] = [pen] * count

    def delete(self, x: int, count: int, columns: int, pen: Pen) -> None:
        """Move the cells right of `x` to the left over `count` deleted ones."""
        self._split(x)
        self._split(x + count)
        del self.cells[x : x + count], self.pens[x : x + count]
        self.cells[columns - count : columns - count] = " " * count
        self.pens[columns - count : columns - count] = [pen] * count

    def _put(self, x: int, cells: str | tuple[str, ...], pens: list[Pen]) -> None:
        end = x + len(cells)
        self._split(x)
        self._split(end)
        self.cells[x:end] = cells
        self.pens[x:end] = pens

    def _split(self, x: int) -> None:
        """Blank both halves of a wide character that a change at `x` would cut in two."""
        if x < len(self.cells) and self.cells[x] == "":
            self.cells[x - 1] = self.cells[x] = " "

    def _left_of(self, x: int) -> int:
        return x - 2 if self.cells[x - 1] == "" else x - 1

    def _join(self, x: int, char: str, columns: int) -> int:
        """Add a mark to the character left of `x`, which may make that one wide."""
        left = self._left_of(x)
        cell = self.cells[left]
        if len(cell) <= MAX_MARKS:
            self.cells[left] = cell + char
        if widens(cell, char) and x < columns:
            self._put(x, ("",), [self.pens[left]])
            return x + 1
        return x


def spans_of(pens: list[Pen]) -> tuple[Span, ...]:
    """The styles of a row, neighbours that are equal as one, without plain ones at the end."""
    spans: list[Span] = []
    column = 0
    for pen, run in groupby(pens):
        column += sum(1 for _ in run)
        spans.append((column, pen))
    if spans and spans[-1][1] == DEFAULT:
        spans.pop()
    return tuple(spans)
