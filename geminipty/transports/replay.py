"""A recording in the place of a CLI: it plays as fast as it is read, and checks what is typed.

Rule: a replay gives what the recording holds, in its order and with its times, or an error. What
follows a recorded key or call is given only when that key was typed and that call was made.
"""

import time
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Final, NoReturn

from pydantic import JsonValue

from geminipty.asciicast import Event
from geminipty.errors import RecordingError, ReplayMismatch
from geminipty.terminal import Key

from .calls import SHOWN, Call, call_of, json_of, shown, told, verb_of, whole
from .codes import BEHIND, EXACT, MOMENT, SAID, VERB
from .typed import same_keys

#: A session that waits so much longer than the recorded one did waits for something else.
_PATIENCE: Final = 10.0
#: Who cancels a task does so by the clock on the wall, and gets so many seconds of it.
_CANCELS: Final = 30.0
_INTERRUPT: Final = "interrupt"

#: Whether a prompt may stand for a recorded one: (recorded, asked).
Match = Callable[[str, str], bool]


class Replay:
    """A Transport that plays a recording which a Recorder has made.

    `speed` is None for as fast as it is read, 1.0 for real time. `match` says whether a prompt
    may stand for a recorded one that is not the same. `remake` is the command that would make the
    recording anew, for errors to name.
    """

    def __init__(
        self,
        events: Iterable[Event],
        *,
        path: Path,
        speed: float | None = None,
        match: Match | None = None,
        remake: str = "",
    ) -> None:
        self._path = path
        self._events = list(whole(events))
        exact = (at for at, event in enumerate(self._events) if event.code == EXACT)
        self._exacts = deque((at, self._events[at]) for at in exact)
        said = (at for at, event in enumerate(self._events) if event.code == SAID)
        self._said = deque((at, self._events[at]) for at in said)
        self._speed = speed
        self._match = match
        self._remake = remake
        self._at = 0
        self._now = 0.0
        self._until: float | None = None
        self._patience = _CANCELS
        self._closed = False
        #: What was typed and lies still ahead.
        self._typed = ""
        self.behind = False
        self.status: int | None = None

    handles: tuple[int, ...] = ()
    unsent = False

    @property
    def ended(self) -> bool:
        """Whether the recorded CLI has ended."""
        return self.status is not None

    def now(self) -> float:
        """Seconds of the recording."""
        return self._now

    # Time

    def pause(self, until: float | None) -> float | None:
        """How long to wait by the clock on the wall until the next `receive`."""
        self._until = until
        event = self._next()
        if event is not None and event.code in ("o", MOMENT):
            return 0.0 if self._speed is None else max(0.0, event.time - self._now) / self._speed
        if event is not None and verb_of(event) == _INTERRUPT and self._patience:
            wait, self._patience = self._patience, 0.0
            return wait
        if self.ended:
            return 0.0
        if until is None or until - max(self._now, event.time if event else 0.0) > _PATIENCE:
            self._stuck(event)
        return 0.0

    def wait(self, until: float | None) -> None:
        """Go on to the next moment; in real time only if asked to."""
        self._patience = 0.0  # nobody can cancel a call that blocks
        seconds = self.pause(until)
        if seconds:
            time.sleep(seconds)

    def receive(self) -> str:
        """What the CLI had written by the next time that the session looked."""
        self.behind = False
        event = self._next()
        if event is None or event.code not in ("o", MOMENT):
            if self._until is not None:
                self._now = max(self._now, self._until)
            self._until = None
            return ""
        self._until = None
        self._at += 1
        self._now = event.time
        after = self._next()
        if after is not None and (after.code, after.data) == (MOMENT, BEHIND):
            self.behind = True
            self._at += 1
            after = self._next()
        if after is not None and after.code == "x":
            self.status = int(str(after.data))
            self._at += 1
        return str(event.data)

    def _next(self) -> Event | None:
        """The next event that is not over: a moment, or what the session must do first."""
        while self._at < len(self._events):
            event = self._events[self._at]
            if event.code == "i" and self._typed:
                text = str(event.data)
                if not self._typed.startswith(text):
                    return event
                self._typed = self._typed[len(text) :]
            elif event.code in ("i", "o", "r", "x", MOMENT, VERB):
                return event
            self._at += 1
        return None

    # What the session does

    def send(self, text: str) -> None:
        """Check that this was typed; raises ReplayMismatch if something else was."""
        if not text or self._closed:
            return
        ahead = "".join(self._inputs())
        typed = self._typed + text
        half = typed.endswith(Key.ESCAPE) and ahead[len(typed) :].startswith("[")
        if half or not ahead.startswith(typed):  # Escape is no beginning of a cursor key
            self._mismatch(
                "the session types something else than the recorded one did",
                expected=ahead[len(self._typed) :] or self._next_call(),
                typed=text,
            )
        self._typed = typed

    def _inputs(self) -> Iterable[str]:
        """What is typed in the recording from here on until the next call."""
        for event in self._events[self._at :]:
            if event.code == VERB:
                return
            if event.code == "i":
                yield str(event.data)

    def _next_call(self) -> str | None:
        ahead = (event for event in self._events[self._at :] if event.code == VERB)
        return told(next(ahead, None))

    def resize(self, columns: int, lines: int) -> None:
        """Check that the terminal got this size."""
        event = self._next()
        asked = f"{columns}x{lines}"
        if event is None or event.code != "r" or event.data != asked:
            self._mismatch("the terminal gets another size", expected=told(event), typed=asked)
        self._at += 1

    def signal(self, number: int) -> None:
        """Nothing: what came of it is in the recording."""

    def close(self) -> None:
        """Leave the recording."""
        self._closed = True

    # Calls

    @property
    def lags(self) -> bool:
        """Whether there is more to see before the next call."""
        event = self._next()
        return event is not None and event.code in ("o", MOMENT)

    def call(self, verb: str, given: dict[str, JsonValue]) -> dict[str, Any]:
        """Check that this call was recorded here; returns what it was given then."""
        event = self._next()
        if event is not None and event.code == "i":
            self._stuck(event)
        recorded = None if event is None or event.code != VERB else call_of(event)
        if recorded is None or recorded.verb != verb or not self._fits(recorded.given, given):
            self._other_call(Call(self._now, verb, given), recorded)
        while self._exacts and self._exacts[0][0] < self._at:
            self._exacts.popleft()  # of a turn that this session did not see to its end
        self._at += 1
        self._patience = _CANCELS
        return recorded.given

    def is_next(self, verb: str) -> bool:
        """Whether the recording goes on with this call."""
        event = self._next()
        return event is not None and verb_of(event) == verb

    def exact(self) -> Any:
        """What was known of the turn that ends here beside what the wire showed."""
        if not self._exacts:
            return None
        at, event = self._exacts[0]
        calls = (i for i in range(self._at, at) if self._events[i].code == VERB)
        return json_of(event) if next(calls, None) is None else None

    def take_exact(self) -> None:
        """The turn has ended: go past what `exact` gave."""
        if self._exacts:
            self._exacts.popleft()

    def said(self) -> Iterable[Any]:
        """What the wire log had said by now, and was not told yet."""
        self._next()
        while self._said and self._said[0][0] < self._at:
            yield json_of(self._said.popleft()[1])

    def _fits(self, recorded: dict[str, Any], given: dict[str, JsonValue]) -> bool:
        asked, told = given.get("prompt"), recorded.get("prompt")
        if self._match is not None and isinstance(asked, str) and isinstance(told, str):
            return self._match(told, asked)
        return recorded.keys() == given.keys() and all(
            same_keys(str(value), str(given[name])) for name, value in recorded.items()
        )

    def _other_call(self, call: Call, recorded: Call | None) -> NoReturn:
        said = str(next(iter(call.given.values()), "")) or call.verb
        others = [one for one in self._calls() if one.verb == call.verb]
        names = {str(next(iter(one.given.values()), "")): one for one in others}
        close = get_close_matches(said[:SHOWN], [name[:SHOWN] for name in names], 1, 0.0)
        nearest = next((names[name] for name in names if close and name[:SHOWN] == close[0]), None)
        what = "the recording has no call left" if recorded is None else f"it holds {recorded}"
        near = (
            ""
            if nearest is None
            else f"\nThe nearest recorded one: {nearest} at {nearest.at:.2f} s."
        )
        self._mismatch(
            f"{call} was not recorded here",
            expected=None if recorded is None else str(recorded),
            typed=str(call),
            more=f" ({what}).{near}",
        )

    def _calls(self) -> Sequence[Call]:
        return [call_of(event) for event in self._events if event.code == VERB]

    def _stuck(self, event: Event | None) -> NoReturn:
        if event is None:
            raise RecordingError(
                "the recording ends here, and the session waits for more. It was cut off, or the "
                f"program now does more than it did.{self._again}",
                recording=self._path,
            )
        self._mismatch(
            "the session waits, and the recorded one did not", expected=told(event), typed=None
        )

    def _mismatch(
        self, what: str, *, expected: str | None, typed: str | None, more: str = ""
    ) -> NoReturn:
        raise ReplayMismatch(
            f"{what}, {self._now:.2f} s into the recording{more}\n"
            f"  recorded: {shown(expected)}\n  now:      {shown(typed)}{self._again}",
            expected=expected,
            typed=typed,
            recording=self._path,
        )

    @property
    def _again(self) -> str:
        return f"\nTo record it again: {self._remake}" if self._remake else ""
