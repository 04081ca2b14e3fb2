"""A recording as pictures and markers, to be played.

Rule: a film is whole and bounded. However many pictures a recording holds, a film keeps no more
than fit into its memory, evenly thinned out, and always the last one.
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Final, NamedTuple

from geminipty.asciicast import Recording
from geminipty.errors import UsageError
from geminipty.terminal import Frame, Row, Scrolled

from . import explained, moments, timeline

#: Bytes that the pictures of a film may take, as far as they can be told.
MAX_WEIGHT: Final = 256 << 20
#: What one row costs beside its cells, and one cell at most.
_ROW, _CELL, _POINTER = 200, 60, 8
#: Lines above the screen are not played, and would be kept for each picture.
_NOTHING: Final = Scrolled([], 0, 0)


class Picture(NamedTuple):
    """A finished picture, and when it was finished."""

    at: float
    frame: Frame


class Marker(NamedTuple):
    """A moment with a name. The name is the recording's: no terminal may see it as it is."""

    at: float
    name: str


class Film(NamedTuple):
    """What there is to play: at least one picture."""

    pictures: tuple[Picture, ...]
    markers: tuple[Marker, ...]
    #: How long the recording lasts.
    seconds: float
    #: Of how many finished pictures only one was kept; 1: all are there.
    thinned: int

    def marker(self, wanted: str) -> Marker:
        """The marker of this number, counted from 1, or of this name, or whose name begins so.

        UsageError, with those that there are, if there is none.
        """
        number = int(wanted) if wanted.isdecimal() and len(wanted) < 10 else 0
        if 1 <= number <= len(self.markers):
            return self.markers[number - 1]
        for fits in (str.__eq__, str.startswith):
            for marker in self.markers:
                if fits(marker.name, wanted):
                    return marker
        known = "".join(f"\n  {n}. {m.name!a}" for n, m in enumerate(self.markers[:50], 1))
        raise UsageError(f"there is no marker {wanted!r}; the recording has{known or ' none'}")


def develop(recording: Recording, *, weight: int = MAX_WEIGHT) -> Film:
    """Make a film of a recording; consumes its events.

    Its markers are those that were set while it was recorded, or else the prompts and statuses.
    """
    header, events = recording.header, list(recording.events)
    pictures, thinned = _kept(explained.frames(Recording(header, iter(events))), weight)
    end = events[-1].time if events else 0.0
    if not pictures:
        # All was erased and nothing painted again.
        pictures = [Picture(end, moments.picture_at(Recording(header, iter(events))))]
    markers = [Marker(event.time, str(event.data)) for event in events if event.code == "m"]
    markers = markers or list(_found(Recording(header, iter(events))))
    return Film(tuple(pictures), tuple(markers), max(end, pictures[-1].at), thinned)


def _kept(frames: Iterable[tuple[float, Frame]], most: int) -> tuple[list[Picture], int]:
    kept: list[Picture] = []
    rows: tuple[Row, ...] = ()
    weight, every = 0, 1
    last = None
    for number, (at, frame) in enumerate(frames):
        last = Picture(at, replace(frame, scrolled=_NOTHING))
        if number % every:
            continue
        kept.append(last)
        weight += _weight(frame.rows, rows)
        rows = frame.rows
        while weight > most and len(kept) > 1:
            every *= 2
            del kept[1::2]
            weight, rows = 0, ()
            for picture in kept:
                weight += _weight(picture.frame.rows, rows)
                rows = picture.frame.rows
    if last is not None and kept[-1] is not last:
        kept.append(last)
    return kept, every


def _weight(rows: tuple[Row, ...], before: tuple[Row, ...]) -> int:
    """What a picture costs after another one: rows that stayed are the same objects."""
    old = set(map(id, before))
    new = (row.width for row in rows if id(row) not in old)
    return len(rows) * _POINTER + sum(_ROW + _CELL * width for width in new)


def _found(recording: Recording) -> Iterator[Marker]:
    for event in timeline.tell(recording).events:
        if event.kind == "status-changed":
            yield Marker(event.at, event.status.value)
        elif event.kind == "turn-started":
            yield Marker(event.at, event.prompt)
