"""What a run tells of itself beside the wire: its calls, its events, what its witnesses said.

Rule: a run does the same whether nobody listens, a recorder writes it down or a replay holds it
against what was written; only what it is given differs.
"""

from collections.abc import Iterable, Iterator
from typing import Any, Protocol

from pydantic import JsonValue, ValidationError

from geminipty.chats import ExactReply, fits
from geminipty.conversation import LOOPS
from geminipty.errors import RecordingInvalid
from geminipty.model import Event, Status
from geminipty.transports.recorder import Recorder
from geminipty.transports.replay import Replay
from geminipty.witnesses import WireLog


class Tape(Protocol):
    """Who is told of a run."""

    @property
    def lags(self) -> bool:
        """Whether there is more to see before the next call."""

    def call(self, verb: str, given: dict[str, JsonValue]) -> dict[str, Any]:
        """A verb is called; returns what it is to be given."""

    def leaves(self) -> bool:
        """Whether the CLI is to be asked to leave, now that the session is closed."""

    def tell(self, event: Event) -> None:
        """Something has happened."""

    def keep(self) -> None:
        """The run is worth a recording: it came to something."""

    def said(self, news: JsonValue) -> None:
        """The wire log said this, as `Calls.hear` takes it."""

    def end(self, exact: ExactReply | None) -> None:
        """A turn has ended, and this is what its witnesses said."""


class News(Protocol):
    """Where the calls of the model come from."""

    def news(self) -> Iterable[JsonValue]:
        """What the wire log said since the last look, as `Calls.hear` takes it."""


class NoNews:
    """Nobody knows what the API sends."""

    def news(self) -> Iterable[JsonValue]:
        """Nothing."""
        return ()


class Overheard:
    """A wire log that grows."""

    def __init__(self, log: WireLog, *, breaks_off: bool) -> None:
        self._log = log
        self._breaks_off = breaks_off
        self._speaks = self._lost = False
        self._seen = 0

    def news(self) -> Iterator[JsonValue]:
        """That there is a log, the calls of each answer, and that answers were lost."""
        log = self._log
        log.refresh()
        if log.exists and not self._speaks:
            self._speaks = True
            yield None
            if self._breaks_off:
                yield LOOPS
        for exchange in log.exchanges:
            if exchange.number > self._seen:
                self._seen = exchange.number
                for call in exchange.calls:
                    yield {
                        "name": call.name,
                        "arguments": call.arguments,
                        "answer": exchange.number,
                    }
        if self._lost is log.whole:
            self._lost = not log.whole
            yield log.whole


class Untold:
    """Nobody listens."""

    lags = False

    def call(self, verb: str, given: dict[str, JsonValue]) -> dict[str, Any]:
        """Do as told."""
        del verb
        return given

    def leaves(self) -> bool:
        """Yes."""
        return True

    def tell(self, event: Event) -> None:
        """Nothing."""

    def keep(self) -> None:
        """Nothing."""

    def said(self, news: JsonValue) -> None:
        """Nothing."""

    def end(self, exact: ExactReply | None) -> None:
        """Nothing."""


class Recorded:
    """All is written down."""

    lags = False

    def __init__(self, recorder: Recorder) -> None:
        self._recorder = recorder

    def call(self, verb: str, given: dict[str, JsonValue]) -> dict[str, Any]:
        """Do as told."""
        self._recorder.call(verb, given)
        return given

    def leaves(self) -> bool:
        """Yes."""
        self._recorder.call("close", {})
        return True

    def tell(self, event: Event) -> None:
        """A chapter for players: a status, a prompt, a dialog."""
        if event.kind == "status-changed":
            if event.status is Status.READY:
                self.keep()
            self._recorder.mark(event.status.value)
        elif event.kind == "turn-started":
            self._recorder.mark(f"prompt: {event.prompt}")
        elif event.kind == "dialog-opened":
            self._recorder.mark(f"asks: {event.dialog.title}")

    def keep(self) -> None:
        """Keep the file."""
        self._recorder.keep()

    def said(self, news: JsonValue) -> None:
        """Write it."""
        self._recorder.said(news)

    def end(self, exact: ExactReply | None) -> None:
        """Write what the witnesses said."""
        data = None if exact is None else exact.model_dump(mode="json", exclude_defaults=True)
        self._recorder.exact(data)


class Replayed:
    """All is held against a recording, which is also the source of exact replies."""

    def __init__(self, replay: Replay) -> None:
        self._replay = replay

    @property
    def lags(self) -> bool:
        """Whether there is more to see before the next call."""
        return self._replay.lags

    def call(self, verb: str, given: dict[str, JsonValue]) -> dict[str, Any]:
        """Do what was recorded; raises ReplayMismatch if it was something else."""
        return self._replay.call(verb, given)

    def leaves(self) -> bool:
        """Only where the recorded one did: a program may stop earlier."""
        leaves = self._replay.is_next("close")
        if leaves:
            self._replay.call("close", {})
        return leaves

    def tell(self, event: Event) -> None:
        """Nothing."""

    def keep(self) -> None:
        """Nothing."""

    def said(self, news: JsonValue) -> None:
        """Nothing."""

    def news(self) -> Iterable[JsonValue]:
        """What the wire log had said by now."""
        return self._replay.said()

    def end(self, exact: ExactReply | None) -> None:
        """The reply was taken."""
        del exact
        self._replay.take_exact()

    def mark(self) -> None:
        """Nothing."""

    def settled(self, prompt: str, screen: str) -> bool:
        """As much is known as ever will be, unless the recorded session waited for more."""
        exact = self.reply(prompt, screen)
        return exact is None or fits(exact, screen)

    def reply(self, prompt: str, screen: str) -> ExactReply | None:
        """What the witnesses said of the turn that ends here."""
        del prompt, screen
        data = self._replay.exact()
        if data is None:
            return None
        try:
            return ExactReply.model_validate(data)
        except ValidationError:
            raise RecordingInvalid(
                "it holds an exact reply that is none. Record it again."
            ) from None
