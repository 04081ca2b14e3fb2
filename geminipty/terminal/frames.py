"""Frame, a finished picture of the screen, and the rules that say when one is finished.

Rule: a Frame is cut where the program shows that its picture is whole, at the same places
however the text was chunked, and never between an erase and the repaint. The CLI erases and
repaints with up to 40 ms between, and most releases do not mark where a picture ends:

========  =====================================================  =============================
cut       what stood is whole, because                           proof
========  =====================================================  =============================
SYNC      the program ends a synchronised update (``?2026l``),   0.6.1/hello, 0.15.4/hello
          or begins one over what it had painted
PARKED    it parks the cursor in its input box (cursor up, then  0.30.1/hello, 0.61.0/hello
          to a column): the last thing it does, from 0.27 on
ERASED    it begins to erase whole lines (EL 2, ED 2): it only   0.1.5/hello, 0.24.5/hello
          erases whole pictures
ASIDE     nothing was painted since the last cut, but the title  0.61.0/hello (``Working…``
          or the paste mode changed                              comes after the cursor parked)
QUIET     it has been silent since it painted: the last resort   0.24.5/hello, dialogs of
                                                                 0.61.0/tool-approve
ENDED     it will not write any more
========  =====================================================  =============================

What is erased and not painted again is torn, and is never cut.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from pyte.modes import DECTCEM

from .grid import Scrolled
from .rows import Row
from .screen import Screen
from .work import PICTURE, PICTURE_ROW

#: Silence that ends a picture, in seconds. Parts of one picture that were cut between two lines
#: came at most 49 ms apart in 311 recordings, but once: a start of 0.24.5 showed its banner alone
#: for 160 ms, which then is a Frame. Torn pictures need no allowance.
QUIET: Final = 0.1
#: Silence that ends a picture whose text stopped within a line or a sequence, or within an update
#: that never ends. 0.30.1/long paints its banner in reads 60 ms apart, cut at any character.
PATIENCE: Final = 1.0

BRACKETED_PASTE: Final = 2004 << 5


class Cut(StrEnum):
    """Why a picture counted as finished."""

    SYNC = "sync"
    PARKED = "parked"
    ERASED = "erased"
    ASIDE = "aside"
    QUIET = "quiet"
    ENDED = "ended"
    UNFINISHED = "unfinished"  # it did not: somebody looked at the screen as it stood


@dataclass(frozen=True, slots=True)
class Frame:
    """A finished picture: rows, lines scrolled off above them, cursor, title. Immutable.

    Rows that did not change are the same objects from one Frame to the next.
    """

    columns: int
    rows: tuple[Row, ...]
    scrolled: Scrolled
    #: Column and row, counted from 0.
    cursor: tuple[int, int]
    cursor_shown: bool
    title: str
    #: The program takes pasted text as such: it listens.
    bracketed_paste: bool
    alternate: bool
    cut: Cut

    @property
    def lines(self) -> list[str]:
        """The rows as text without blanks at the end."""
        return [row.clipped(self.columns) for row in self.rows]

    def boxed(self) -> str:
        """The picture in a drawn box, without the blank rows at its end: a screen has many."""
        edge = "─" * self.columns
        shown = len(self.rows)
        while shown and not self.rows[shown - 1].text.strip():
            shown -= 1
        body = (f"│{row.padded(self.columns)}│" for row in self.rows[:shown])
        return "\n".join((f"╭{edge}╮", *body, f"╰{edge}╯"))

    def shows_the_same(self, other: "Frame") -> bool:
        """Whether nothing but the reason of the cut differs."""
        return (
            self.rows == other.rows
            and self.cursor == other.cursor
            and self.title == other.title
            and self.scrolled == other.scrolled
            and self.cursor_shown == other.cursor_shown
            and self.bracketed_paste == other.bracketed_paste
            and self.alternate == other.alternate
            and self.columns == other.columns
        )


class Cutter:
    """Watches what happens to a screen and cuts its Frames."""

    def __init__(self, screen: Screen, quiet: float = QUIET) -> None:
        self._screen = screen
        self._quiet = quiet
        self._frames: list[Frame] = []
        self._last: Frame | None = None
        #: Something came since the last long silence: the picture may be another.
        self._touched = False
        #: Something was painted or erased since the last cut.
        self._changed = False
        #: The last of it was an erase.
        self._torn = False
        self._updating = False
        self._silent_since: float | None = None

    def take(self) -> list[Frame]:
        """The Frames finished since the last call."""
        frames, self._frames = self._frames, []
        return frames

    def picture(self, cut: Cut) -> Frame:
        """The screen as it stands, finished or not."""
        screen = self._screen
        grid = screen.grid
        return Frame(
            screen.columns,
            tuple(grid.settle()),
            grid.scrolled,
            (screen.cursor.x, screen.cursor.y),
            DECTCEM in screen.mode,
            screen.title,
            BRACKETED_PASTE in screen.mode,
            screen.is_alternate,
            cut,
        )

    @property
    def is_whole(self) -> bool:
        """Whether the last Frame is what the screen shows."""
        return self._last is not None and not (self._changed or self._torn or self._updating)

    # What happens to the screen

    def received(self) -> None:
        """The program wrote something, or the screen was resized: silence begins anew."""
        self._touched = True
        self._silent_since = None

    def painted(self) -> None:
        """Text was painted, or a part of a line changed."""
        self._changed = True
        self._torn = False

    def erasing(self) -> None:
        """The program is about to erase whole lines."""
        if self._changed:
            self._cut_if_whole(Cut.ERASED)
        self._changed = self._torn = True

    def parked(self) -> None:
        """The cursor was put where the user types."""
        self._cut_if_whole(Cut.PARKED)

    def aside(self) -> None:
        """Something beside the picture changed."""
        if not self._changed:
            self._cut_if_whole(Cut.ASIDE)

    def update_begins(self) -> None:
        """A synchronised update begins."""
        if self._changed:
            self._cut_if_whole(Cut.SYNC)
        self._updating = True

    def update_ends(self) -> None:
        """A synchronised update ends."""
        self._updating = self._torn = False
        self._cut_if_whole(Cut.SYNC)

    def ended(self) -> None:
        """The program has ended."""
        self._updating = False
        self._cut_if_whole(Cut.ENDED)

    # Time, given from outside

    def listen(self, now: float) -> None:
        """Start the silence, if text came since the last call."""
        if self._silent_since is None:
            self._silent_since = now

    def due(self, *, held: bool, unfinished: bool) -> float | None:
        """When silence will have finished the picture, or None if there is nothing to finish.

        `held` says that text waits to be painted, `unfinished` that it stopped within a line.
        """
        if self._silent_since is None or not self._touched or (self._torn and not held):
            return None
        return self._silent_since + (PATIENCE if unfinished or self._updating else self._quiet)

    def quiet(self) -> None:
        """The program has been silent for long."""
        self._updating = self._touched = False
        self._cut_if_whole(Cut.QUIET)

    def _cut_if_whole(self, cut: Cut) -> None:
        if self._torn or self._updating:
            return
        frame = self.picture(cut)
        self._screen.work.done += PICTURE + PICTURE_ROW * len(frame.rows)
        self._changed = False
        if self._last is None or not frame.shows_the_same(self._last):
            self._frames.append(frame)
            self._last = frame
