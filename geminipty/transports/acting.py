"""A recording performed as the CLI was: what is written when, and what must be typed before.

Rule: no I/O and no clock. Time that the recorded user took is not played, time that the CLI took
is: after an input the recording goes on when that was typed, however early or late.
"""

from collections.abc import Iterable
from math import inf
from typing import Final

from geminipty.asciicast import Event
from geminipty.errors import ReplayMismatch

from .typed import Typing, keys

#: The speed that waits for nothing but what is typed.
MAX_SPEED: Final = inf
#: After this silence half a sequence counts as keys: a program that types ESC types no more.
SETTLED: Final = 0.2
#: Output is handed out in pieces, so that what is typed is looked at in between.
_PIECE: Final = 1 << 16


class Act:
    """One performance of a recording at `speed` times its own.

    Call `output` with the time until it is empty, then wait for keys or for `deadline`. `type`
    takes keys and raises ReplayMismatch for others than the recorded ones. Events of other kinds
    than output, input and exit are passed over.
    """

    def __init__(self, events: Iterable[Event], *, speed: float = 1.0) -> None:
        self._events = [
            event
            for event in events
            if event.code in ("o", "x") or (event.code == "i" and keys(str(event.data)))
        ]
        inputs = [event for event in self._events if event.code == "i"]
        self._times = [event.time for event in inputs]
        self._typing = Typing(str(event.data) for event in inputs)
        self._speed = speed
        self._next = self._inputs = 0
        self._rest = ""
        #: A moment, and the time of the recording that it stands for.
        self._anchor: tuple[float, float] | None = None
        self._typed_at = 0.0
        #: The recorded exit status, or minus the signal that ended the CLI; None if there is none.
        self.status: int | None = None

    @property
    def ended(self) -> bool:
        """Whether all was written and typed."""
        return self._next == len(self._events) and not self._rest

    @property
    def is_alternate(self) -> bool:
        """Whether what was written has left the alternate screen on."""
        for event in reversed(self._events[: self._next]):
            text = str(event.data) if event.code == "o" else ""
            on, off = text.rfind("\x1b[?1049h"), text.rfind("\x1b[?1049l")
            if on != off:
                return on > off
        return False

    @property
    def deadline(self) -> float | None:
        """When there is something to do next; None if only keys can bring it on."""
        due = None
        if self._rest or self._anchor is None:
            due = -inf
        elif self._next < len(self._events):
            event = self._events[self._next]
            if event.code != "i":
                due = self._due(event.time)
            elif self._typing.reached > self._inputs:
                due = -inf
        if self._typing.is_open:
            settled = self._typed_at + SETTLED
            due = settled if due is None else min(due, settled)
        return due

    def type(self, text: str, now: float) -> None:
        """Take what was typed, also ahead of its time; ReplayMismatch if it is something else."""
        self._typing.type(text)
        self._typed_at = now
        self._check()

    def output(self, now: float) -> str:
        """What is to be written now, in pieces: empty if nothing is, for the time being."""
        if self._typing.is_open and now >= self._typed_at + SETTLED:
            self._typing.settle()
            self._check()
        if self._anchor is None:
            self._anchor = (now, 0.0)
        while not self._rest and self._next < len(self._events):
            event = self._events[self._next]
            if event.code == "i":
                if self._typing.reached <= self._inputs:
                    break
                self._inputs += 1
                self._anchor = (now, event.time)
            elif self._due(event.time) > now:
                break
            elif event.code == "o":
                self._rest = str(event.data)
            else:
                self.status = int(str(event.data))
                self._next = len(self._events) - 1
            self._next += 1
        text, self._rest = self._rest[:_PIECE], self._rest[_PIECE:]
        return text

    def _due(self, time: float) -> float:
        assert self._anchor is not None
        moment, known = self._anchor
        return moment + (time - known) / self._speed

    def _check(self) -> None:
        typing = self._typing
        if typing.came is None:
            return
        expected = None
        what = "after the last input of the recording nothing more was to be typed"
        if typing.current < len(typing.inputs):
            expected = typing.inputs[typing.current]
            at = self._times[typing.current]
            what = f"at {at:.3f} s of the recording {expected!r} was to be typed"
            if typing.so_far:
                what += f", and {typing.so_far!r} was"
        raise ReplayMismatch(
            f"{what}, but then came {typing.came!r}. Type what was recorded, or record anew.",
            expected=expected,
            typed=typing.so_far + typing.came,
        )
