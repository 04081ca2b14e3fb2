"""What a player shows when: the position in a film, moved by time and by keys.

Rule: no I/O and no clock. Whoever owns a Player tells it the time and the keys, and draws the
picture that it names.
"""

from bisect import bisect_left, bisect_right
from enum import StrEnum
from typing import Final

from .film import Film, Marker, Picture

#: Pauses are cut to this many seconds unless somebody says otherwise.
IDLE: Final = 2.0
#: While it plays, "back to the marker" passes over one that went by just now, in seconds.
_GRACE: Final = 1.0


class Command(StrEnum):
    """What a viewer may do."""

    PAUSE = "pause"
    FORWARD = "forward"
    BACK = "back"
    PREVIOUS_MARKER = "previous marker"
    NEXT_MARKER = "next marker"


class Player:
    """Plays a film from `at` seconds on, `speed` times as fast as it was recorded.

    A pause lasts no longer than `idle` seconds of the recording; None keeps them. With `step` it
    goes from picture to picture by command only.
    """

    def __init__(
        self,
        film: Film,
        *,
        speed: float = 1.0,
        idle: float | None = IDLE,
        step: bool = False,
        at: float = 0.0,
    ) -> None:
        self.film = film
        self.speed = speed
        self.step = step
        self._idle = idle
        self._times = [picture.at for picture in film.pictures]
        self._marks = [marker.at for marker in film.markers]
        #: The moment since which the picture stands; None while it does not play.
        self._since: float | None = None
        #: What was shown of the current pause before it was stopped, in seconds of the viewer.
        self._spent = 0.0
        self._index, self.position = 0, 0.0
        self._go(at)

    @property
    def picture(self) -> Picture:
        """What is to be shown."""
        return self.film.pictures[self._index]

    @property
    def index(self) -> int:
        """The number of the picture, from 0."""
        return self._index

    @property
    def playing(self) -> bool:
        """Whether time moves it."""
        return self._since is not None

    @property
    def at_end(self) -> bool:
        """Whether the last picture is shown."""
        return self._index == len(self._times) - 1

    @property
    def marker(self) -> Marker | None:
        """The last marker up to here."""
        passed = bisect_right(self._marks, self.position)
        return self.film.markers[passed - 1] if passed else None

    @property
    def deadline(self) -> float | None:
        """When the next picture is due; None if time brings none."""
        if self._since is None or self.at_end:
            return None
        gap = self._times[self._index + 1] - self.position
        return self._since + (gap if self._idle is None else min(gap, self._idle)) / self.speed

    def play(self, now: float) -> None:
        """Begin, or go on where it was stopped."""
        if self._since is None and not self.step:
            self._since = now - self._spent

    def stop(self, now: float) -> None:
        """Stand still, until `play`."""
        if self._since is not None:
            self._spent = now - self._since
            self._since = None

    def tick(self, now: float) -> None:
        """Say what time it is: move on to the picture that is due."""
        while (due := self.deadline) is not None and due <= now:
            self._move(self._index + 1)
            self._since = due

    def obey(self, command: Command, now: float) -> None:
        """Do what the viewer wants."""
        self.tick(now)
        match command:
            case Command.PAUSE if self.playing:
                self.stop(now)
            case Command.PAUSE if not self.step:
                if self.at_end:
                    self._move(0)
                self.play(now)
            case Command.FORWARD | Command.PAUSE:
                self._since = None
                self._move(min(self._index + 1, len(self._times) - 1))
            case Command.BACK:
                self._since = None
                self._move(max(self._index - 1, 0))
            case Command.NEXT_MARKER:
                self._jump(bisect_right(self._marks, self.position), now)
            case Command.PREVIOUS_MARKER:
                grace = _GRACE * self.speed if self.playing else 0.0
                self._jump(max(bisect_left(self._marks, self.position - grace) - 1, 0), now)

    def _jump(self, number: int, now: float) -> None:
        if number < len(self._marks):
            self._go(self._marks[number])
            self._since = now if self.playing else None

    def _move(self, index: int) -> None:
        self._index, self._spent = index, 0.0
        self.position = self._times[index]

    def _go(self, at: float) -> None:
        """Show the picture that stood at a time."""
        self._move(max(bisect_right(self._times, at) - 1, 0))
        self.position = max(self.position, min(at, self.film.seconds))
