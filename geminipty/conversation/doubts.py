"""Which Readings count at once, and which only if nothing contradicts them for a while.

Rule: nothing here says what a Reading means for the turn, only how sure it is.
"""

from dataclasses import replace
from typing import Final, NamedTuple

from geminipty.model import Status
from geminipty.reading import Evidence, Reading, Witness
from geminipty.terminal import Cut

from .turns import OpenTurn

#: Silence after which a composer with nothing above it is taken for ready. The banner comes up to
#: 2.0 s after the composer from 0.38 on; with the banner switched off it never comes.
SETTLED: Final = 2.5

#: The same after tools have ended: the model is asked again, and 0.6 draws no spinner then.
AFTER_TOOLS: Final = 1.0

#: Pictures that stood still before they were given.
_STILL: Final = frozenset({Cut.QUIET, Cut.ENDED})


class _Held(NamedTuple):
    reading: Reading
    wait: float
    due: float


class Doubts:
    """The Reading that is not believed yet, if there is one."""

    def __init__(self, quiet: float) -> None:
        self._quiet = quiet
        self._held: _Held | None = None

    @property
    def due(self) -> float | None:
        """When the Reading that is held will count."""
        return self._held.due if self._held else None

    def wait(self, reading: Reading, before: Status | None, turn: OpenTurn | None) -> float | None:
        """How long a Reading must stand before it counts; None if it counts at once."""
        status = reading.status
        if is_bare_composer(reading):
            return SETTLED
        if status is before or reading.frame.cut in _STILL:
            return None
        if status is Status.UNKNOWN:
            return self._quiet
        # Without a title to agree, 0.1 shows its composer for an instant between two requests.
        witnesses = {one.witness for one in reading.evidence}
        if status is Status.READY and before is not None and Witness.TITLE not in witnesses:
            return AFTER_TOOLS if turn and turn.awaits_answer(reading) else self._quiet
        return None

    def hold(self, reading: Reading, wait: float, now: float) -> None:
        """Keep a Reading until it has stood for `wait`, or for as long as one like it had to."""
        if self._held is not None and self._held.reading.status is reading.status:
            wait = max(wait, self._held.wait)
        self._held = _Held(reading, wait, now + wait)

    def drop(self) -> None:
        """Forget the Reading that is held: something newer counts."""
        self._held = None

    def settled(self, now: float) -> tuple[Reading, float] | None:
        """The Reading that nothing has contradicted for long enough, and since when it counts."""
        if self._held is None or now < self._held.due:
            return None
        reading, _, due = self._held
        self._held = None
        if reading.status is Status.STARTING:
            seen = Evidence(Witness.GRID, f"{SETTLED} s of silence", Status.READY)
            reading = replace(reading, status=Status.READY, evidence=(seen, *reading.evidence))
        return reading, due


def is_bare_composer(reading: Reading) -> bool:
    """Whether a composer stands there with nothing above it, which is how the CLI starts."""
    starting = reading.status is Status.STARTING
    return starting and reading.composer is not None and reading.frame.bracketed_paste
