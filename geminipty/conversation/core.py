"""One run of the CLI as a conversation: text in, events out.

Rule: no I/O and no clock. Whoever owns a Conversation hands it what the CLI wrote, then the time,
and calls `tick` again when `deadline` has come.
"""

from collections import deque
from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from geminipty.model import (
    Closed,
    Dialog,
    DialogClosed,
    DialogKind,
    DialogOpened,
    Event,
    Status,
    StatusChanged,
    Turn,
    TurnOutcome,
    TurnStarted,
)
from geminipty.reading import Layout, Reading, Transcript, read
from geminipty.terminal import LINE, QUIET, Frame, Terminal, Work

from .calls import Calls, kept, looks_like
from .doubts import Doubts, is_bare_composer
from .machine import TABLE, Phase, Sight
from .prompts import Prompts
from .turns import OpenTurn

_SIGHTS: Final = {
    Status.STARTING: Sight.STARTING,
    Status.READY: Sight.READY,
    Status.WORKING: Sight.WORKING,
    Status.ASKING: Sight.ASKING,
    Status.QUEUED: Sight.QUEUED,
    Status.CLOSED: Sight.CLOSED,
    Status.UNKNOWN: Sight.UNKNOWN,
}


class Conversation:
    """What happens in a terminal of `columns` by `lines`, told as events.

    `work` counts what it costs; if it has a limit, RecordingInvalid is raised beyond it.
    """

    def __init__(
        self,
        columns: int = 80,
        lines: int = 24,
        *,
        quiet: float = QUIET,
        work: Work | None = None,
    ) -> None:
        self._work = work or Work()
        self._terminal = Terminal(columns, lines, quiet=quiet, work=self._work)
        self._quiet = quiet
        self._events: deque[Event] = deque()
        self._transcript = Transcript()
        self._prompts = Prompts()
        self._layout = Layout(columns)
        self._turn: OpenTurn | None = None
        #: The turn before, as long as its reply may still be looked at.
        self._ended: OpenTurn | None = None
        self._dialog: Dialog | None = None
        #: The same as it is drawn, without its call.
        self._drawn: Dialog | None = None
        #: How many dialogs were opened: two that look alike are told apart by it.
        self.asked = 0
        #: What the model asked for, as a witness beside the screen tells.
        self.calls = Calls()
        self._doubts = Doubts(quiet)
        self._now = 0.0
        self._silent_since: float | None = None
        self._peeked = False
        self.phase = Phase.WAITING
        self.status: Status | None = None
        self.reading: Reading | None = None
        #: The turns that ended, and the one that never did, in order.
        self.turns: list[Turn] = []

    # In

    def receive(self, text: str) -> None:
        """Take what the CLI wrote, cut anywhere; `tick` follows."""
        self._terminal.receive(text)
        self._silent_since = None
        self._peeked = False

    def tick(self, now: float) -> None:
        """Say what time it is: after each `receive`, and when `deadline` has come."""
        self._settle(now)
        self._now = now
        self._terminal.tick(now)
        for frame in self._terminal.frames():
            self.see(frame)
        self._settle(now)
        if self._silent_since is None:
            self._silent_since = now
        peek = self._peek_due
        if peek is not None and now >= peek:
            self._peek()

    def resize(self, columns: int, lines: int) -> None:
        """Say that the terminal has another size."""
        self._terminal.resize(columns, lines)

    def end(self, *, exited: bool = False) -> None:
        """Say that no more will come; `exited` says that this is because the CLI has ended."""
        self._terminal.end()
        for frame in self._terminal.frames():
            self.see(frame)
        if exited and self.status is not Status.CLOSED:
            self._close()
        if self._turn is not None:
            self.turns.append(self._turn.turn(TurnOutcome.OPEN, None))
            self._turn = None

    def _close(self) -> None:
        """The CLI has ended without saying so."""
        self._doubts.drop()
        self.status = Status.CLOSED
        self._tell(StatusChanged(at=self._now, status=Status.CLOSED))
        if self._dialog is not None:
            self._tell(DialogClosed(at=self._now, dialog=self._dialog))
            self._dialog = None
        self.phase = TABLE[self.phase, Sight.CLOSED]
        if self._turn is not None:
            self._turn.leave()
            self._finish()
        self._tell(Closed(at=self._now))

    def entered(self) -> None:
        """Say that Enter was typed: READY counts only when the CLI has taken the prompt."""
        self.phase = Phase.ENTERED

    # Out

    def events(self) -> Iterable[Event]:
        """What happened since the last call, in order."""
        while self._events:
            yield self._events.popleft()

    @property
    def deadline(self) -> float | None:
        """When `tick` is to be called next, or None if that can wait for text."""
        due = (self._terminal.deadline, self._doubts.due, self._peek_due)
        return min((moment for moment in due if moment is not None), default=None)

    @property
    def dialog(self) -> Dialog | None:
        """The dialog that is open, with the call that it asks about."""
        return self._dialog

    def data_to_send(self) -> str:
        """What is to be written to the CLI: answers to its queries."""
        return self._terminal.data_to_send()

    # Pictures

    @property
    def _peek_due(self) -> float | None:
        """When to look at a picture that ends within a line, while the CLI works.

        0.17 to 0.26 end the picture of a long answer so, and the terminal waits for the rest.
        """
        if self._peeked or self._silent_since is None or self.status is not Status.WORKING:
            return None
        due, finished = self._silent_since + self._quiet, self._terminal.deadline
        return due if finished is not None and finished > due else None

    def _peek(self) -> None:
        """Take the picture as it stands if its composer is whole: only the footer is below it."""
        self._peeked = True
        reading = read(self._terminal.picture())
        composer = reading.composer
        if composer is None or reading.frame.cursor[1] <= composer.bottom:
            return
        if reading.status is Status.READY:
            self._doubts.drop()
            self._take(reading)

    def see(self, frame: Frame) -> None:
        """Take a finished picture; `tick` does this with those of its terminal."""
        reading = read(frame)
        if self.status is Status.CLOSED:
            if reading.composer is None and reading.dialog is None:
                return  # what the CLI left behind, or the shell that started it
            self.phase = Phase.WAITING  # it was started again
        wait = self._doubts.wait(reading, self.status, self._turn)
        if wait is None:
            self._doubts.drop()
            self._take(reading)
            return
        if is_bare_composer(reading) and self.status is not Status.STARTING:
            self._take(reading)
        self._doubts.hold(reading, wait, self._now)

    def _settle(self, now: float) -> None:
        """Let a Reading count that nothing has contradicted for long enough."""
        settled = self._doubts.settled(now)
        if settled is not None:
            reading, self._now = settled
            self._take(reading)

    def _take(self, reading: Reading) -> None:
        """Act on a Reading that counts."""
        fresh = None
        closes = False
        if reading.status is not Status.UNKNOWN:
            self._learn_layout(reading)
            look = reading.look._replace(margin=self._layout.margin)
            if self._transcript.update(reading, look):
                self._look_back()
            self._work.done += LINE * self._transcript.reread
            self._work.check()
            fresh = self._prompts.update(reading, self._transcript)
        if reading.status is not self.status:
            self.status = reading.status
            self._tell(StatusChanged(at=self._now, status=reading.status))
            closes = reading.status is Status.CLOSED
        if reading.status is not Status.UNKNOWN:
            self._follow_dialog(reading.dialog)
            reading = replace(reading, dialog=self._dialog)
        self.reading = reading
        if fresh is not None:
            self._step(Sight.PROMPT, reading, fresh)
        self._step(self._sight(reading), reading)
        if closes:
            self._tell(Closed(at=self._now))

    def _sight(self, reading: Reading) -> Sight:
        turn = self._turn
        if reading.status is Status.READY and turn is not None and turn.typed and turn.answered:
            return Sight.ANSWER
        return _SIGHTS[reading.status]

    def _step(self, sight: Sight, reading: Reading, prompt: str = "") -> None:
        self.phase = TABLE[self.phase, sight]
        turn = self._turn
        if sight is Sight.PROMPT:
            if turn is not None:
                self._grow(turn, whole=True, skip=1)
                self._finish()
            self._ended = None
            self._turn = OpenTurn(prompt, self._now, typed=self._prompts.was_typed(prompt))
            self._prompts.taken()
            self._tell(TurnStarted(at=self._now, prompt=prompt))
            return
        if turn is None:
            return
        over = self.phase in (Phase.DONE, Phase.CLOSED)
        if reading.status not in (Status.UNKNOWN, Status.CLOSED):
            self._grow(turn, whole=reading.status in (Status.READY, Status.ASKING))
        if self.phase is Phase.CLOSED:
            turn.leave()
        if over:
            self._finish()

    def _grow(self, turn: OpenTurn, *, whole: bool, skip: int = 0) -> None:
        layout = self._layout
        for event in turn.update(self._transcript, layout, self._now, whole=whole, skip=skip):
            self._tell(event)

    def _finish(self) -> None:
        if self._turn is None:
            return
        event = self._turn.finish(self._now)
        self._tell(event)
        self.turns.append(event.turn)
        self._ended, self._turn = self._turn, None

    def _look_back(self) -> None:
        """See whether the CLI destroys the reply of a turn that has ended."""
        ended = self._ended
        if ended is None or self._turn is not None:
            return
        turn = self.turns[-1]
        deque(ended.update(self._transcript, self._layout, self._now, whole=True), maxlen=0)
        text = ended.text
        if text and len(text) < len(turn.reply.text) and turn.reply.text.startswith(text):
            reply = turn.reply.model_copy(update={"truncated": True})
            self.turns[-1] = turn.model_copy(update={"reply": reply})
            self._ended = None

    def _follow_dialog(self, drawn: Dialog | None) -> None:
        """See a dialog open, change or close; it is known with the call that it asks about."""
        before, self._drawn = self._dialog, drawn
        dialog = None if drawn is None else self.calls.about(drawn)
        if dialog is not None and before is not None and before.call and looks_like(dialog, before):
            dialog = kept(dialog, before)
        if before is not None and (dialog is None or not _same(dialog, before)):
            self._tell(DialogClosed(at=self._now, dialog=before))
            self.calls.settled(before)
            # Now that its call is settled, it does not stand in the way of the next one.
            before, dialog = None, None if drawn is None else self.calls.about(drawn)
        if dialog is not None and before is None:
            self.asked += 1
            if dialog.kind is DialogKind.LOOP_DETECTED:
                self.calls.break_off()
            self.calls.stands()
            self._tell(DialogOpened(at=self._now, dialog=dialog))
            if self._turn is not None:
                self._turn.dialogs.append(dialog)
        self._dialog = dialog

    def hear(self, news: object) -> None:
        """What a witness beside the screen said, as `Calls.hear` takes it."""
        self.calls.hear(news)
        if self._dialog is not None:
            self._follow_dialog_again()

    def replace_dialog(self) -> None:
        """What stands there now is another dialog, which looks like the one before."""
        if self._dialog is not None:
            self._tell(DialogClosed(at=self._now, dialog=self._dialog))
            self.calls.settled(self._dialog)
            self._dialog = None
            self._follow_dialog_again()

    def _follow_dialog_again(self) -> None:
        """Something else is known of the dialog than when it was drawn."""
        before = self._dialog
        self._follow_dialog(self._drawn)
        if self.reading is not None and self._dialog != before:
            self.reading = replace(self.reading, dialog=self._dialog)

    def _learn_layout(self, reading: Reading) -> None:
        margin = reading.margin or self._layout.margin
        raw = reading.live.raw if reading.composer is not None else self._layout.raw
        accent = reading.accent or self._layout.accent
        self._layout = Layout(margin, raw, accent)

    def _tell(self, event: Event) -> None:
        self._events.append(event)


def _same(one: Dialog, other: Dialog) -> bool:
    """Whether two dialogs are one with another choice selected or more of it shown."""
    return one.kind is other.kind and one.title == other.title and one.call == other.call
