"""The pictures of a recording that an eye can tell apart, for players and films.

Rule: a picture is never later than it was, so that whoever goes to the time of an event sees it.
"""

from collections.abc import Iterable, Iterator
from typing import Final

from geminipty.terminal import Frame

#: Pictures closer than this many seconds are one: the CLI repaints up to 60 times a second.
CLOSE: Final = 0.03


def merged(
    frames: Iterable[tuple[float, Frame]], close: float = CLOSE
) -> Iterator[tuple[float, Frame]]:
    """The last of the pictures within each `close` seconds, at the time of the first of them."""
    start = 0.0
    last: Frame | None = None
    for time, frame in frames:
        if last is not None and time - start >= close:
            yield start, last
            last = None
        if last is None:
            start = time
        last = frame
    if last is not None:
        yield start, last
