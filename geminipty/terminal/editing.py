"""The half of the screen that paints, erases and moves text.

Rule: a method does to the grid what xterm does, in a cost bounded by the size of the screen
whatever its arguments. A character is never dropped for being of no width.
"""

from typing import Any

import pyte
from pyte import charsets
from pyte import modes as mo
from pyte.screens import Char

from .cells import MAX_MARKS, SIMPLE, width
from .chars import char_of
from .grid import Grid
from .params import Param
from .pens import DEFAULT, Pen
from .rows import BLANK, Row
from .work import CELL, LOOKED_UP, PLAIN, Work


class Cursor(pyte.screens.Cursor):
    """pyte's cursor, holding a :class:`Pen`; `x` equals the columns while a wrap is due."""

    __slots__ = ("pen",)

    def __init__(self, x: int = 0, y: int = 0, pen: Pen = DEFAULT) -> None:
        self.x = x
        self.y = y
        self.pen = pen
        self.hidden = False

    @property
    def attrs(self) -> Char:  # type: ignore[override]  # pyte stores it; here it is the pen's
        """The pen, as pyte describes it."""
        return char_of(" ", self.pen)


class Editing(pyte.Screen):
    """Painting, erasing, inserting and scrolling; :class:`Screen` adds modes and the rest."""

    cursor: Cursor
    grid: Grid
    work: Work
    _lead: str

    @property
    def region(self) -> tuple[int, int]:
        """The first and the last row that scroll."""
        return self.margins or (0, self.lines - 1)

    @property
    def has_lead(self) -> bool:
        """Whether marks wait at the left edge for the character that they belong to."""
        return bool(self._lead)

    def draw(self, data: str) -> None:
        """Paint printable characters at the cursor, wrapping and scrolling as modes say."""
        charset = self.g1_charset if self.charset else self.g0_charset
        if charset is not charsets.LAT1_MAP:
            data = data.translate(charset)
        if mo.IRM in self.mode:
            for char in data:
                self._make_room(char)
                self._paint(char)
        else:
            self._paint(data)

    def _make_room(self, char: str) -> None:
        """Insert the blanks that `char` is about to take."""
        cursor = self.cursor
        joined, room = self.grid.line(cursor.y).room_for(cursor.x, char)
        if not joined and cursor.x + room > self.columns and mo.DECAWM in self.mode:
            self._wrap()
        if room and cursor.x < self.columns:
            self.insert_characters(room)

    def _wrap(self) -> None:
        self.grid.line(self.cursor.y).wrapped = True
        self.cursor.x = 0
        self.index()

    def _paint(self, data: str) -> None:
        cursor, columns = self.cursor, self.columns
        index, end = 0, len(data)
        while index < end:
            if self._lead:
                index += self._paint_after_lead(data[index])
                continue
            # A bounded window: matching all that is left for every row would be quadratic.
            window = data[index : index + 2 * columns]
            line = self.grid.line(cursor.y)
            cursor.x, taken = line.draw(cursor.x, window, cursor.pen, columns)
            self.work.done += taken * (PLAIN if window.isascii() else LOOKED_UP)
            index += taken
            if taken < len(window):
                if cursor.x == 0:
                    self._paint_orphan(data[index])
                    index += 1
                elif mo.DECAWM in self.mode:
                    self._wrap()
                else:  # what does not fit overwrites the last column
                    if SIMPLE.fullmatch(data, index):
                        index = end - 1
                    cursor.x = columns - min(width(data[index]), columns)

    def _paint_orphan(self, mark: str) -> None:
        """Keep a mark at the left edge: it belongs to the row that wrapped, or to what follows."""
        y = self.cursor.y
        if y and self.grid.settle()[y - 1].wrapped:
            self.grid.line(y - 1).draw(self.columns, mark, self.cursor.pen, self.columns)
        else:
            self._lead = mark

    def _paint_after_lead(self, char: str) -> int:
        """Paint the character that the marks before it waited for: 1 if it was taken."""
        lead, self._lead = self._lead, ""
        if self.cursor.x:
            return 0  # the cursor has moved: they wait no longer
        if width(char) == 0:
            self._lead = (lead + char)[:MAX_MARKS]
            return 1
        line = self.grid.line(self.cursor.y)
        self.cursor.x, _ = line.draw(0, char, self.cursor.pen, self.columns)
        line.cells[0] = lead + line.cells[0]
        return 1

    @property
    def _blank(self) -> Row:
        """An erased row: plain, or in the pen's background from edge to edge."""
        eraser = self.cursor.pen.eraser
        if eraser is DEFAULT:
            return BLANK
        return Row(" " * self.columns, ((self.columns, eraser),))

    def erase_in_line(self, how: int = 0, private: bool = False) -> None:  # noqa: ARG002
        """Erase right of the cursor (0), left of it (1) or the whole line (2)."""
        x, y, eraser = self.cursor.x, self.cursor.y, self.cursor.pen.eraser
        self.work.done += CELL * self.columns
        if how == 2 or (how == 0 and x == 0):
            self.grid.replace(y, self._blank)
        elif how == 0 and x < self.columns:  # with a wrap due, nothing is right of the cursor
            self.grid.line(y).erase_right(x, self.columns, eraser)
        elif how == 1:
            self.grid.line(y).erase(0, min(x + 1, self.columns), eraser)

    def erase_in_display(self, how: int = 0, *args: Any, **kwargs: Any) -> None:  # noqa: ARG002
        """Erase below the cursor (0), above it (1), all (2), or the scrolled-off lines (3)."""
        if how == 0:
            self.erase_in_line(0)
            self.grid.fill(self.cursor.y + 1, self.lines, self._blank)
        elif how == 1:
            self.grid.fill(0, self.cursor.y, self._blank)
            self.erase_in_line(1)
        elif how == 2:
            self.grid.fill(0, self.lines, self._blank)
        elif how == 3:
            self.grid.forget_scrolled()

    def erase_characters(self, count: int | None = None) -> None:
        """Erase `count` characters from the cursor on."""
        x = self._settled_x()
        end = min(x + (count or 1), self.columns)
        self.grid.line(self.cursor.y).erase(x, end, self.cursor.pen.eraser)

    def alignment_display(self) -> None:
        """Fill the screen with E, as DECALN does."""
        self.margins = None
        self.grid.fill(0, self.lines, Row("E" * self.columns))
        self.cursor_position()

    def insert_characters(self, count: int | None = None) -> None:
        """Insert blanks at the cursor."""
        x = self._settled_x()
        count = min(count or 1, self.columns - x)
        self.grid.line(self.cursor.y).insert(x, count, self.columns, self.cursor.pen.eraser)

    def delete_characters(self, count: int | None = None) -> None:
        """Delete characters at the cursor."""
        x = self._settled_x()
        count = min(count or 1, self.columns - x)
        self.grid.line(self.cursor.y).delete(x, count, self.columns, self.cursor.pen.eraser)

    def insert_lines(self, count: int | None = None) -> None:
        """Insert blank lines at the cursor's line."""
        top, bottom = self.region
        if top <= self.cursor.y <= bottom:
            self.grid.scroll_down(self.cursor.y, bottom, count or 1, self._blank)
            self.carriage_return()

    def delete_lines(self, count: int | None = None) -> None:
        """Delete lines from the cursor's line on."""
        top, bottom = self.region
        if top <= self.cursor.y <= bottom:
            self.grid.delete(self.cursor.y, bottom, count or 1, self._blank)
            self.carriage_return()

    def scroll_up(self, count: int | None = None) -> None:
        """Scroll the region up (SU)."""
        self.grid.scroll_up(*self.region, count or 1, self._blank)

    def scroll_down(self, count: int | None = None) -> None:
        """Scroll the region down (SD)."""
        self.grid.scroll_down(*self.region, count or 1, self._blank)

    def index(self) -> None:
        """Move the cursor down, scrolling at the end of the region."""
        self._settle_wrap()
        if self.cursor.y == self.region[1]:
            self.grid.scroll_up(*self.region, 1, self._blank)
        elif self.cursor.y < self.lines - 1:
            self.cursor.y += 1

    def reverse_index(self) -> None:
        """Move the cursor up, scrolling at the top of the region."""
        self._settle_wrap()
        if self.cursor.y == self.region[0]:
            self.grid.scroll_down(*self.region, 1, self._blank)
        elif self.cursor.y > 0:
            self.cursor.y -= 1

    def select_graphic_rendition(self, *attrs: Param, private: bool = False) -> None:
        """Change the pen; private variants set keyboard options and are not for us."""
        if not private:
            self.cursor.pen = self.cursor.pen.after(attrs)

    def _settle_wrap(self) -> None:
        """Forget a wrap that is due: every movement does."""
        if self.cursor.x >= self.columns:
            self.cursor.x = self.columns - 1

    def _settled_x(self) -> int:
        """The column for a change of the row, whose cells it may all move."""
        self._settle_wrap()
        self.work.done += CELL * self.columns
        return self.cursor.x
