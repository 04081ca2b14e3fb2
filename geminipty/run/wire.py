"""The wire and the conversation of one CLI, kept in step; how it is waited for, and how it ends.

Rule: nothing here waits. What takes time is a generator that yields the moment until which its
owner is to wait for the transport (None: until something happens), so that the faces differ in how
they wait and in nothing else.
"""

import signal
from collections import deque
from collections.abc import Generator
from enum import Enum
from typing import Any, Final, Literal, TypeVar

from pydantic import JsonValue

from geminipty.conversation import SIGN_IN, DrivenConversation, Errand, TurnErrand
from geminipty.errors import CliExited, NotSignedIn, ReplayMismatch, SessionClosed, TurnInProgress
from geminipty.model import Event, Status, TurnAborted, TurnFinished
from geminipty.options import Options
from geminipty.reading import Reading
from geminipty.terminal import Key
from geminipty.transports.transport import Transport

from .decisions import explain
from .hiding import hides, hides_while
from .interrupts import held
from .stages import Scene, Stage

_T = TypeVar("_T")
#: A verb under way: yields until when to wait, returns its result.
Steps = Generator[float | None, None, _T]
OnTimeout = Literal["interrupt", "close"]


class UseDefault(Enum):
    """The type of USE_DEFAULT, because None means that there is no limit."""

    USE_DEFAULT = "the session's own"


USE_DEFAULT: Final = UseDefault.USE_DEFAULT
#: Seconds, None for no limit, or what the session was made with.
Timeout = float | None | Literal[UseDefault.USE_DEFAULT]

#: What each rung of the ladder at the end may take.
_RUNG: Final = 1.0
#: How long the CLI may take to say that Ctrl+D must be pressed again.
_HINT: Final = 0.5
#: Events kept for somebody who streams.
_EVENTS: Final = 10_000
_NOT_SIGNED_IN: Final = 41
#: What the CLI means by its exit statuses.
_EXITS: Final = {
    _NOT_SIGNED_IN: ": it is not signed in",
    42: ": it was given no input, or does not know the session to resume",
    44: ": its sandbox cannot be started",
    52: ": its settings cannot be read",
    55: ": its folder is not trusted",
    126: ": the program cannot be executed",
    127: ": there is no such program",
}


class Wire:
    """A CLI that runs, and what is known of it."""

    def __init__(self, stage: Stage) -> None:
        self.options = stage.options
        #: What of this run must not be told.
        self.hiding = stage.hiding
        self.log = self.hiding.log
        self._stage = stage
        self._scene: Scene | None = None
        self.conversation = DrivenConversation()
        #: What happened in the turn under way; its end comes last, with the exact reply.
        self.events: deque[Event] = deque(maxlen=_EVENTS)
        #: How the newest turn ended, whether or not somebody waited for it.
        self._ended: TurnFinished | TurnAborted | None = None
        self._busy = False
        self._closed = False
        #: The dialog that stood there when the owner was last told, by its number.
        self._told: int | None = None

    @property
    def transport(self) -> Transport:
        """The wire; raises SessionClosed where there is none."""
        return self._here.transport

    @property
    def _here(self) -> Scene:
        if self._scene is None or self._closed:
            what = "was closed" if self._closed else "has not been started"
            raise SessionClosed(
                f"this session {what}; use it within `with GeminiSession() as s:`, or start() it"
            )
        return self._scene

    def _call(self, verb: str, **given: JsonValue) -> dict[str, Any]:
        """A verb is carried out from here on; returns what it is given, in a replay as recorded."""
        tape = self._here.tape
        while tape.lags:
            self.pump()
        return tape.call(verb, given)

    def pump(self) -> None:
        """Take what the CLI wrote, act on it, and type what is to be typed."""
        with held():
            self._pump()

    def _pump(self) -> None:
        transport, conversation = self.transport, self.conversation
        text = transport.receive()
        if text:
            conversation.receive(text)
        for news in self._here.news.news():  # before the pictures that it tells of
            self._here.tape.said(news)
            conversation.hear(news)
        conversation.behind = transport.behind
        conversation.tick(transport.now())
        try:
            transport.send(conversation.data_to_send())
        except ReplayMismatch as error:
            explain(error, conversation.dialog)
            raise
        if transport.ended and conversation.status is not Status.CLOSED:
            conversation.end(exited=True)
        for event in conversation.events():
            self._here.tape.tell(event)
            if isinstance(event, TurnFinished | TurnAborted):
                self._ended = event
            else:
                self.events.append(event)

    @hides
    def look(self) -> DrivenConversation:
        """The conversation, with all that has come by now."""
        if self._scene is not None and not self._closed and not self._busy:
            self.pump()
        return self.conversation

    def take_events(self) -> list[Event]:
        """What happened since the last call."""
        events = list(self.events)
        self.events.clear()
        return events

    def _catch_up(self) -> None:
        """See what came since the last call; raises TurnInProgress within another one.

        Who takes text that another call waits for would leave that one waiting for ever.
        """
        if self._busy:
            raise TurnInProgress("another call on this session has not ended; wait for it")
        self.pump()

    def _carry_out(self, errand: Errand) -> Steps[None]:
        self._catch_up()  # before anything is typed
        self._busy = True
        try:
            self._check_running(errand)
            self.conversation.begin(errand, self.transport.now())
            self.pump()
            while not errand.over:
                self._check_running(errand)
                yield self.conversation.deadline
                self.pump()
            if errand.error is not None:
                raise errand.error
        except Exception:
            self._told = self.conversation.asked  # by the error, or in a function of its own
            raise
        finally:
            self._busy = False
            self.conversation.drop()
        if isinstance(errand, TurnErrand) and isinstance(errand.event, TurnAborted):
            if self.conversation.status is Status.CLOSED:
                yield from self._until(None, self.transport.now() + _RUNG)
            self._check_running(errand)

    def _check_running(self, errand: Errand) -> None:
        transport = self.transport
        if not transport.ended:
            return
        status = transport.status or 0
        how = f"by signal {-status}" if status < 0 else f"with status {status}"
        event = errand.event if isinstance(errand, TurnErrand) else None
        said = f"the CLI ended {how}{_EXITS.get(status, '')}. Its last screen says more."
        frame = self.conversation.frame
        if status == _NOT_SIGNED_IN:
            raise NotSignedIn(f"{said} {SIGN_IN}", frame=frame)
        raise CliExited(said, status=status, turn=event.turn if event else None, frame=frame)

    @hides
    def resize(self, columns: int, lines: int) -> None:
        """Give the CLI's terminal another size; raises UsageError if no terminal has it."""
        size = Options.of(size=(columns, lines)).size
        assert size is not None
        self.transport.resize(size.columns, size.lines)
        self.conversation.resize(size.columns, size.lines)

    # The end

    @hides_while
    def close(self) -> Steps[None]:
        """End the CLI, politely at first, and give everything back."""
        try:
            if self._scene is not None and not self._closed:
                tape = self._scene.tape
                while tape.lags and not self._busy:
                    self.pump()
                if tape.leaves():
                    yield from self._leave(self._scene.transport)
        finally:
            self.abandon()

    def _leave(self, transport: Transport) -> Steps[None]:
        until = transport.now() + self.options.deadlines.close
        self.pump()
        yield from self._until_still(min(until, transport.now() + _HINT))
        reading = self.conversation.reading
        composer = reading.composer if reading else None
        if (
            not self._busy  # another task types: the composer will not stay empty
            and reading is not None
            and reading.status is Status.READY
            and self.conversation.is_still
            and composer is not None
            and composer.placeholder
        ):
            transport.send(Key.CTRL_D)
            yield from self._until(reading, min(until, transport.now() + _HINT))
            if self.conversation.reading is not reading:  # 0.27 has no ear for it
                transport.send(Key.CTRL_D)
                yield from self._until(None, until)
        for number in (signal.SIGHUP, signal.SIGTERM):
            if not transport.ended:
                transport.signal(number)
                yield from self._until(None, min(until, transport.now() + _RUNG))

    def _until_still(self, until: float) -> Steps[None]:
        """Wait for the whole picture of a CLI that has nothing to do, as after a resize."""
        conversation = self.conversation
        while (
            conversation.status is Status.READY
            and not (conversation.is_still or self._busy or self.transport.ended)
            and self.transport.now() < until
        ):
            due = conversation.deadline
            yield until if due is None else min(due, until)
            self.pump()

    def _until(self, seen: Reading | None, until: float) -> Steps[None]:
        """Wait for the CLI's end, or for a picture other than the one that was seen."""
        while not self.transport.ended and self.transport.now() < until:
            if seen is not None and self.conversation.reading is not seen:
                return
            due = self.conversation.deadline
            yield until if due is None else min(due, until)
            self.pump()

    def abandon(self) -> None:
        """End the CLI at once and give everything back; never raises."""
        self._closed = True
        self._stage.close()
        if self._scene is not None and self.conversation.status is not Status.CLOSED:
            self.conversation.end(exited=True)
