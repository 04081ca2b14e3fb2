"""What a reader of the pictures could still read after the stream was searched.

A program may write the characters of a secret in any order and to any place: corrected, moved
together, repeated by the terminal. So the output is painted as the stream gives it back, and each
picture is searched; what is found and still to be seen is hidden in the events that wrote it.

Rule: nothing but characters that a picture shows as part of a secret is hidden, and every other
character stays where it was. To know who wrote what, the output is painted once more with each
character replaced by one that no other place of the output has.
"""

from bisect import bisect_left, bisect_right
from collections import deque
from collections.abc import Iterable
from itertools import accumulate
from typing import Final

from geminipty.terminal import Frame, Row, Terminal, Work

from .ink import Ink, Written
from .kinds import may_hold_key
from .redactor import Carry, Redactor, merged
from .solid import Solid
from .stream import Searched

#: So many characters are painted before the picture is looked at.
PIECE: Final = 1 << 14
#: As many characters are kept to be painted again when something is found, and so many without
#: anything found end the painting in ink.
WINDOW: Final = 1 << 16
#: The characters, and the rows above the screen, that are searched on either side of what has
#: changed, if no empty row ends them before: the bound of what a small change can cost.
_FAR: Final = 1 << 13
_FAR_ABOVE: Final = 400
#: What it costs to look whether a character can be part of a secret, and to search it, in the
#: units of `Work`.
_LOOKED_AT: Final = 5
_SEARCHED: Final = 50


class Pictures:
    """Takes the events of a run in order, and tells which of their characters are to be hidden.

    With `marked` the writer of every character is known; else that of the last `WINDOW`, and of
    those that come after one that is found.
    """

    def __init__(
        self,
        redactor: Redactor,
        columns: int,
        lines: int,
        *,
        marked: bool = False,
        work: Work | None = None,
    ) -> None:
        self._ink = Ink(work)
        self._search = _Search(redactor, columns, self._ink, work or Work())
        self._count = 0
        #: The places to be hidden of each event, by its number, until somebody takes them.
        self._places: dict[int, set[int]] = {}
        #: What is shown though it is not known who wrote it, and the event that showed it first.
        self._lost: dict[str, int] = {}
        #: What the pictures are.
        self._ahead = Terminal(columns, lines, work=work)
        #: The picture before the `_recent` ones, to go on from in ink. While all is painted in
        #: ink, the picture of now.
        self._behind = Terminal(columns, lines, work=work)
        self._recent: deque[Written | tuple[int, int]] = deque()
        self._length = 0
        self._always = marked
        #: Whether new characters are marked.
        self._marks = marked
        if marked:
            self._ink.begin(self._ahead.printed())

    @property
    def left(self) -> list[int]:
        """The events with which something is shown, and it is not known who wrote it."""
        return sorted(set(self._lost.values()))

    def look(self, searched: Searched) -> None:
        """Paint the next event as the stream hid it, and look at its pictures."""
        number, self._count = self._count, self._count + 1
        event = searched.event
        if event.code == "r":
            self._resize(*event.size)
        if event.code == "o" and isinstance(event.data, str):
            text = self._ink.veil(event.data, searched.spans)
            for start in range(0, len(text), PIECE):
                self._paint(Written(number, start, text[start : start + PIECE]))

    def take(self, number: int) -> set[int]:
        """The places that are to be hidden of the event with this number, as far as is known."""
        return self._places.pop(number, set())

    def late(self) -> dict[int, set[int]]:
        """What is to be hidden beside what was taken, by the numbers of the events."""
        return self._places

    def _resize(self, columns: int, lines: int) -> None:
        self._search.columns = columns
        self._ahead.resize(columns, lines)
        if self._marks:
            self._behind.resize(columns, lines)
        else:
            self._recent.append((columns, lines))

    def _paint(self, written: Written) -> None:
        self._length += len(written.text)
        if self._marks:
            self._mark(written)
            if not self._always:
                self._receive_behind(written)
                if self._length > WINDOW:
                    self._stop_marking()
            return
        self._recent.append(written)
        self._ahead.receive(written.text)
        # All of them are looked at, because each is compared with the one before.
        found = [part for frame in _frames(self._ahead) for part in self._search.parts(frame)]
        if any(part not in self._lost for part in found) and not self._mark_recent():
            self._lost |= dict.fromkeys(found, written.number)
        while self._length > WINDOW and self._recent:
            oldest = self._recent.popleft()
            if isinstance(oldest, Written):
                self._length -= len(oldest.text)
                self._receive_behind(oldest)
            else:
                self._behind.resize(*oldest)

    def _receive_behind(self, written: Written) -> None:
        self._behind.receive(written.text)
        self._behind.frames()

    def _mark_recent(self) -> bool:
        """Paint the recent pictures again, in ink, and go on so; whether anything is found."""
        self._ahead, self._behind = self._behind, self._ahead
        recent, self._recent = self._recent, deque()
        self._marks = True
        self._ink.begin(self._ahead.printed())
        self._search.begin(self._ahead.picture())
        found = False
        for one in recent:
            if isinstance(one, Written):
                found |= self._mark(one)
            else:
                self._ahead.resize(*one)
        return found

    def _stop_marking(self) -> None:
        """Nothing was found for long: go on without marks from two pictures that are the same."""
        self._behind.screen.show(self._ahead.screen)
        self._marks, self._length = False, 0

    def _mark(self, written: Written) -> bool:
        """Paint a text in ink, and look at its pictures; whether anything is found."""
        found = False
        if self._ink.is_short(len(written.text)):
            self._ink.reuse(self._texts())
        self._ahead.receive(self._ink.mark(written))
        for frame in _frames(self._ahead):
            for part in self._search.parts(frame):
                found = True
                for number, places in self._ink.hide(part):
                    self._places.setdefault(number, set()).update(places)
                    self._length = 0
                if self._ink.shown(part):
                    self._lost.setdefault(part, written.number)
        return found

    def _texts(self) -> Iterable[str]:
        """All that may be searched again."""
        for terminal in (self._ahead, self._behind):
            yield from terminal.screen.texts()
            yield from (row.text for row in terminal.picture().scrolled[-_FAR_ABOVE:])


class _Search:
    """Searches each picture, as far as it has changed since the one before."""

    def __init__(self, redactor: Redactor, columns: int, ink: Ink, work: Work) -> None:
        self._redactor = redactor
        self._ink = ink
        self._work = work
        self.columns = columns
        #: The lines that had scrolled off, and the rows below them.
        self._above = 0
        self._rows: tuple[Row, ...] = ()
        self._is_alternate = False
        #: A private key may go on where nothing tells that it does.
        self._in_key = False

    def begin(self, frame: Frame) -> None:
        """Search all that comes after a picture, whatever was searched before."""
        self._above = frame.scrolled.dropped + len(frame.scrolled)
        self._rows = ()

    def parts(self, frame: Frame) -> list[str]:
        """What is to be hidden and still shown, as it is painted."""
        rows, changed = self._changed(frame)
        if not changed:
            return []
        painted = _text(rows, _around(changed, rows))
        text = self._ink.read(painted)
        if self._in_key or may_hold_key(text):
            # Its rows may have empty ones between them.
            painted = _text(rows, _around(range(len(rows)), rows))
            text = self._ink.read(painted)
        self._charge(_LOOKED_AT * len(text))
        if not self._in_key and not self._redactor.may_hold(text):
            return []
        self._charge(_SEARCHED * len(text))
        solid = Solid(text)
        solid.close()
        self._in_key = may_hold_key(solid.text)
        spans = self._redactor.spans(solid, self._redactor.wraps(self.columns), Carry())
        parts = (painted[start:end] for start, end in spans)
        return [part for part in parts if self._ink.shown(part)]

    def _charge(self, units: int) -> None:
        self._work.done += units
        self._work.check()

    def _changed(self, frame: Frame) -> tuple[list[Row], list[int]]:
        """The rows of a picture and some lines above it, and the numbers of those that are new."""
        # Rows live on with the picture, so no other one is the same object.
        scrolled, known, first = frame.scrolled, self._rows, len(frame.scrolled)
        if frame.alternate is not self._is_alternate:
            known = ()
        if not frame.alternate:
            total = scrolled.dropped + len(scrolled)
            if total >= self._above:
                first = max(self._above - scrolled.dropped, 0)
            else:
                known = ()
            self._above = total
        self._rows, self._is_alternate = frame.rows, frame.alternate
        new = [*scrolled[first:], *frame.rows]
        changed = [at for at, row in enumerate(new) if at >= len(known) or row is not known[at]]
        if not changed:
            return [], []
        above = scrolled[max(first - _FAR_ABOVE, 0) : first]
        return [*above, *new], [len(above) + at for at in changed]


def _around(changed: Iterable[int], rows: list[Row]) -> list[tuple[int, int]]:
    """The ranges of rows, none of them empty, that one with some of them may go on in."""
    empty = [-1, *(y for y, row in enumerate(rows) if _is_empty(row)), len(rows)]
    sums = [0, *accumulate(len(row.text) for row in rows)]
    ranges = []
    for y in changed:
        after = bisect_left(empty, y)
        if empty[after] != y:
            start = max(empty[after - 1] + 1, bisect_left(sums, sums[y] - _FAR))
            end = min(empty[after], bisect_right(sums, sums[y + 1] + _FAR) - 1)
            ranges.append((start, end))
    return merged(ranges)


def _is_empty(row: Row) -> bool:
    return not row.wrapped and (not row.text or row.text.isspace())


def _frames(terminal: Terminal) -> list[Frame]:
    """The pictures that were finished, and the one that stands there now."""
    return [*terminal.frames(), terminal.picture()]


def _text(rows: list[Row], ranges: list[tuple[int, int]]) -> str:
    """The rows of some ranges, which nothing crosses: an empty row stands between them."""
    return "\n\n".join(
        "".join(row.text + "\n" * (not row.wrapped) for row in rows[start:end]).rstrip("\n")
        for start, end in ranges
    )
