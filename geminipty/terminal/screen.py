"""The living screen: pyte's Screen, with everything that must be right or fast done anew.

Rule: the screen stays a pyte screen. It keeps `display`, `buffer`, `cursor`, `title`, `mode` and
the names of what a terminal can be told, and pyte's tables of colours, modes and charsets;
`buffer` is a view, and `dirty` is gone, because rows that did not change are the same objects.
"""

from collections.abc import Iterator
from typing import Any, Final

from pyte import charsets
from pyte import modes as mo
from pyte.screens import Margins

from .cells import width
from .chars import BufferView
from .editing import Cursor, Editing
from .grid import Grid
from .pens import DEFAULT
from .work import STOP, Work

MAX_TITLE: Final = 1024

#: DEC's special graphics; pyte's table has a shade for the newline symbol.
LINE_DRAWING: Final = charsets.VT100_MAP.translate({0x2591: "\u2424", 0xA0: " "})

#: Private modes that show the alternate screen.
_ALTERNATE: Final = {47 << 5, 1047 << 5, 1049 << 5}
_SAVE_CURSOR: Final = {1048 << 5, 1049 << 5}


class Savepoint:
    """What DECSC saves."""

    __slots__ = ("charset", "g0", "g1", "origin", "pen", "wrap", "x", "y")

    def __init__(self, screen: "Screen") -> None:
        self.x, self.y, self.pen = screen.cursor.x, screen.cursor.y, screen.cursor.pen
        self.charset, self.g0, self.g1 = screen.charset, screen.g0_charset, screen.g1_charset
        self.origin, self.wrap = mo.DECOM in screen.mode, mo.DECAWM in screen.mode


class Screen(Editing):
    """A screen of `columns` by `lines` that programs paint on."""

    def __init__(self, columns: int, lines: int, work: Work | None = None) -> None:
        self.columns, self.lines = columns, lines
        self.work = work or Work()
        self.reset()

    def reset(self) -> None:
        """Start afresh, as RIS does: both buffers, modes, title and scrolled-off lines."""
        self.grid = self._main = Grid(self.columns, self.lines, self.work, keeps=True)
        self._alternate: Grid | None = None
        self._saved: dict[bool, Savepoint] = {}
        self._lead = ""
        self.title = self.icon_name = ""
        self.cursor = Cursor()
        self._reset_modes()
        self.mode = {mo.DECAWM, mo.DECTCEM}
        self.tabstops = set(range(8, self.columns, 8))
        self.work.done += STOP * len(self.tabstops)

    def _reset_modes(self) -> None:
        self.margins: Margins | None = None
        self.charset = 0
        self.g0_charset = charsets.LAT1_MAP
        self.g1_charset = charsets.LAT1_MAP
        self.cursor.pen = DEFAULT
        self.cursor.hidden = False

    def soft_reset(self) -> None:
        """Reset modes, margins, charsets and pen, as DECSTR does; text and cursor stay."""
        self._reset_modes()
        self.mode -= {mo.IRM, mo.DECOM}
        self.mode |= {mo.DECAWM, mo.DECTCEM}
        self._saved.pop(self.is_alternate, None)

    @property
    def display(self) -> list[str]:
        """The rows as text, padded to the screen's width."""
        return [row.padded(self.columns) for row in self.grid.settle()]

    @property
    def buffer(self) -> BufferView:  # type: ignore[override]  # pyte's is its store, ours a view
        """The cells as pyte describes them, to be looked at only."""
        return BufferView(self.grid.settle(), self.columns)

    def texts(self) -> Iterator[str]:
        """The rows of this screen and of the one behind it, as text."""
        for grid in (self._main, self._alternate):
            if grid:
                yield from (row.text for row in grid.settle())

    def show(self, other: "Screen") -> None:
        """Take the rows and lines of a screen of the same size that was told the same."""
        self._main.show(other._main)  # noqa: SLF001 - of its own class
        if self._alternate and other._alternate:  # noqa: SLF001
            self._alternate.show(other._alternate)  # noqa: SLF001

    @property
    def is_alternate(self) -> bool:
        """Whether the alternate screen is shown."""
        return self.grid is not self._main

    def resize(self, lines: int | None = None, columns: int | None = None) -> None:
        """Change the size; no text is lost (:meth:`Grid.resize`)."""
        lines, columns = lines or self.lines, columns or self.columns
        if (lines, columns) == (self.lines, self.columns):
            return
        self._resize_buffer(self._main, columns, lines)
        if self._alternate:
            self._resize_buffer(self._alternate, columns, lines)
        self.tabstops |= set(range(8 * -(-self.columns // 8), columns, 8))
        self.lines, self.columns = lines, columns
        self.margins = None
        self._settle_wrap()

    def _resize_buffer(self, grid: Grid, columns: int, lines: int) -> None:
        saved = self._saved.get(grid is not self._main)
        shown = grid is self.grid
        y = self.cursor.y if shown else saved.y if saved else self.lines - 1
        scrolled = y - grid.resize(columns, lines, y)
        if shown:
            self.cursor.y -= scrolled
        if saved:
            saved.x = min(saved.x, columns - 1)
            saved.y = min(max(saved.y - scrolled, 0), lines - 1)

    def set_title(self, param: str) -> None:
        """Set the window's title, cut to a bounded length."""
        self.title = param[:MAX_TITLE]

    def set_icon_name(self, param: str) -> None:
        """Set the icon's name, cut to a bounded length."""
        self.icon_name = param[:MAX_TITLE]

    def define_charset(self, code: str, mode: str) -> None:
        """Load a character set as G0 (``(``) or G1 (``)``); unknown ones change nothing."""
        table = LINE_DRAWING if code == "0" else charsets.MAPS.get(code)
        if table and mode == "(":
            self.g0_charset = table
        elif table and mode == ")":
            self.g1_charset = table

    # Modes

    def set_mode(self, *modes: int, **kwargs: Any) -> None:
        """Switch modes on; private ones are kept shifted by five bits, as pyte does."""
        for mode in self._shifted(modes, kwargs):
            self.mode.add(mode)
            if mode == mo.DECTCEM:
                self.cursor.hidden = False
            elif mode == mo.DECOM:
                self.cursor_position()
            elif mode == mo.DECCOLM:
                self._column_mode()
            if mode in _SAVE_CURSOR:
                self.save_cursor()
            if mode in _ALTERNATE:
                self._show_alternate(clear=mode == 1049 << 5)

    def reset_mode(self, *modes: int, **kwargs: Any) -> None:
        """Switch modes off."""
        for mode in self._shifted(modes, kwargs):
            self.mode.discard(mode)
            if mode == mo.DECTCEM:
                self.cursor.hidden = True
            elif mode == mo.DECOM:
                self.cursor_position()
            elif mode == mo.DECCOLM:
                self._column_mode()
            if mode in _ALTERNATE:
                self._show_main(clear=mode == 1047 << 5)
            if mode in _SAVE_CURSOR:
                self.restore_cursor()

    @staticmethod
    def _shifted(modes: tuple[int, ...], kwargs: dict[str, Any]) -> list[int]:
        return [mode << 5 if kwargs.get("private") else mode for mode in modes]

    def _column_mode(self) -> None:
        """DECCOLM clears; the width is the owner's to choose, as in most terminals today."""
        self.margins = None
        self.erase_in_display(2)
        self.cursor_position()

    def _show_alternate(self, *, clear: bool) -> None:
        if not self.is_alternate:
            if self._alternate is None or clear:
                self._alternate = Grid(self.columns, self.lines, self.work, keeps=False)
            self.grid = self._alternate

    def _show_main(self, *, clear: bool) -> None:
        if self.is_alternate:
            if clear:
                self._alternate = None
            self.grid = self._main

    # Cursor

    def save_cursor(self) -> None:
        """Save the cursor, pen and charsets; each buffer has one place for it."""
        self._saved[self.is_alternate] = Savepoint(self)

    def restore_cursor(self) -> None:
        """Go back to what was saved, or home."""
        saved = self._saved.get(self.is_alternate)
        if saved is None:
            self.mode.discard(mo.DECOM)
            self.cursor_position()
            return
        self.charset, self.g0_charset, self.g1_charset = saved.charset, saved.g0, saved.g1
        (self.mode.add if saved.origin else self.mode.discard)(mo.DECOM)
        (self.mode.add if saved.wrap else self.mode.discard)(mo.DECAWM)
        self.cursor.pen = saved.pen
        self.cursor.x, self.cursor.y = saved.x, saved.y

    def set_margins(self, top: int | None = None, bottom: int | None = None) -> None:
        """Choose the rows that scroll, and go home."""
        first = max((top or 1) - 1, 0)
        last = min((bottom or self.lines) - 1, self.lines - 1)
        if first < last:
            self.margins = Margins(first, last) if (first, last) != (0, self.lines - 1) else None
            self.cursor_position()

    def cursor_up(self, count: int | None = None) -> None:
        """Move up, to the top of the region at most."""
        self._settle_wrap()
        top = self.region[0] if self.cursor.y >= self.region[0] else 0
        self.cursor.y = max(self.cursor.y - (count or 1), top)

    def cursor_down(self, count: int | None = None) -> None:
        """Move down, to the end of the region at most."""
        self._settle_wrap()
        bottom = self.region[1] if self.cursor.y <= self.region[1] else self.lines - 1
        self.cursor.y = min(self.cursor.y + (count or 1), bottom)

    def cursor_position(self, line: int | None = None, column: int | None = None) -> None:
        """Go to a line and column, counted from 1, in the region if the origin mode is on."""
        self.cursor.x = min((column or 1) - 1, self.columns - 1)
        self.cursor_to_line(line)

    def cursor_to_line(self, line: int | None = None) -> None:
        """Go to a line in the same column."""
        self._settle_wrap()
        top, bottom = self.region if mo.DECOM in self.mode else (0, self.lines - 1)
        self.cursor.y = min(top + (line or 1) - 1, bottom)

    def cursor_to_line_relative(self, count: int | None = None) -> None:
        """Move down to the end of the screen at most (VPR)."""
        self._settle_wrap()
        self.cursor.y = min(self.cursor.y + (count or 1), self.lines - 1)

    # Tabs

    def tab(self, count: int | None = None) -> None:
        """Go to the next tab stop, or the right edge."""
        x = self._settled_x()
        self.work.done += STOP * len(self.tabstops)
        stops = sorted(stop for stop in self.tabstops if x < stop < self.columns)
        index = (count or 1) - 1
        self.cursor.x = stops[index] if index < len(stops) else self.columns - 1

    def back_tab(self, count: int | None = None) -> None:
        """Go to the tab stop before the cursor, or the left edge (CBT)."""
        self.work.done += STOP * len(self.tabstops)
        stops = sorted((stop for stop in self.tabstops if stop < self.cursor.x), reverse=True)
        index = (count or 1) - 1
        self.cursor.x = stops[index] if index < len(stops) else 0

    def repeat(self, char: str, count: int | None = None) -> None:
        """Paint `char` again (REP), for a row at most."""
        if char:
            self.draw(char * min(count or 1, self.columns // width(char)))
