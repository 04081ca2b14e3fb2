"""One run of the CLI: its verbs, and what its witnesses add to what the screen says.

Rule: nothing here waits; each verb is a generator of the moments until which to wait.
"""

import weakref
from collections.abc import Iterable
from pathlib import PurePath
from typing import Final

from geminipty import checks
from geminipty.chats import ExactReply
from geminipty.conversation import (
    CommandErrand,
    DrivenConversation,
    Hand,
    Start,
    Stop,
    Submit,
    TurnErrand,
    answered,
    safe_command,
    safe_initial_prompt,
    safe_prompt,
    waiting,
)
from geminipty.errors import (
    BY_REASON,
    DialogWaiting,
    FailureReason,
    GeminiPtyError,
    NoSuchChoice,
    SessionClosed,
    TurnFailed,
    TurnInProgress,
    TurnTimeout,
    UsageError,
)
from geminipty.model import (
    Choice,
    Dialog,
    Reply,
    ReplySource,
    Status,
    Turn,
    TurnAborted,
    TurnFinished,
)
from geminipty.terminal import Work
from geminipty.visible import short
from geminipty.witnesses import merge

from .attached import attachable
from .decisions import Decisions
from .hiding import hides_while
from .stages import Stage
from .wire import OnTimeout, Steps, Timeout, UseDefault, Wire

#: The chat file is written no later than the screen turns ready; this is for a slow disk.
_CHAT_WAIT: Final = 0.25
_CHAT_STEP: Final = 0.01
#: How long an interrupted turn may take to end.
_STOP: Final = 10.0


class Run(Wire):
    """A CLI from its start to its end."""

    def __init__(self, stage: Stage) -> None:
        super().__init__(stage)
        #: The prompt whose turn has not ended.
        self._asked: str | None = None
        #: The same as the CLI was given it, and has it in its files: escaped, with attachments.
        self._sent: str | None = None
        #: The same while it waits for a dialog that was open before it.
        self._unsent: str | None = None
        self._decisions = Decisions(self.options.approvals)
        #: The turns that have ended, with their exact replies.
        self.turns: list[Turn] = []

    @hides_while
    def start(self) -> Steps[None]:
        """Start the CLI and wait until it is ready."""
        if self._scene is not None or self._closed:
            raise SessionClosed("a session starts once; make a new one")
        options = self.options
        first = options.initial_prompt
        try:
            given = None if first is None else safe_initial_prompt(first)
            scene = self._scene = self._stage.open()
            weakref.finalize(self, scene.transport.close)
            size, work = scene.size, Work(scene.work)
            self.conversation = DrivenConversation(size.columns, size.lines, work=work)
            self._call("start")
            start = Start(
                seconds=options.deadlines.start,
                trust=options.trust,
                raw=options.look == "lean",
                prompted=first is not None,
            )
            yield from self._carry_out(start)
            if first is not None:
                self._asked, self._sent = first, given
                yield from self._first_turn(start)
            self._here.tape.keep()  # also where the first turn asks, and was never ready
        except BaseException:
            self.abandon()
            raise

    def _first_turn(self, start: Start) -> Steps[None]:
        """See the turn of the initial prompt to its end; a dialog in it is left to the caller."""
        if start.event is not None:
            self._end(start.event)
            return
        try:
            errand = self._errand(None, UseDefault.USE_DEFAULT, "interrupt")
            yield from self._turn(errand, "interrupt")
        except (DialogWaiting, TurnFailed) as error:
            self.log.info("the initial prompt: %s", error.message)

    @hides_while
    def ask(
        self,
        prompt: str,
        *,
        timeout: Timeout,
        files: bool,
        attachments: Iterable[str | PurePath],
        on_timeout: OnTimeout,
    ) -> Steps[Reply]:
        """Send a prompt and wait for its reply."""
        self._check_free()
        paths = tuple(self._attachment(path) for path in _several(attachments))
        # All that can be wrong with the call comes first: a turn that never began cannot end.
        text = safe_prompt(prompt, files=files, attachments=paths)
        errand = self._errand(Submit(text), timeout, on_timeout)
        said = self._call("ask", prompt=prompt, text=text)["text"]
        if said != text:  # a replay types what was recorded
            text, errand = said, self._errand(Submit(said), timeout, on_timeout)
        self.conversation.calls.forget()
        self._here.witnesses.mark()
        self._asked, self._sent, self._ended = prompt, text, None
        self._decisions.forget()
        self.events.clear()
        return (yield from self._turn(errand, on_timeout))

    @hides_while
    def answer(self, answer: object, *, timeout: Timeout, on_timeout: OnTimeout) -> Steps[Reply]:
        """Answer the open dialog, and wait for the end of the turn that it belongs to."""
        self._catch_up()
        # What follows depends on the dialog that stands there: a replay must have come to it.
        self._call("answer", answer=answer.number if isinstance(answer, Choice) else str(answer))
        dialog, frame = self.conversation.dialog, self.conversation.frame
        if dialog is None:
            raise NoSuchChoice("no dialog is open", choices=(), frame=frame)
        if self._told != self.conversation.asked:
            self._told = self.conversation.asked
            raise waiting(dialog, frame)  # the answer was meant for another one, or for none
        hand = answered(dialog, answer, frame)
        errand = self._errand(hand, timeout, on_timeout, self._unsent)
        self._decisions.say(dialog, answer, f"answer({short(repr(answer))})")
        return (yield from self._turn(errand, on_timeout))

    @property
    def dialog(self) -> Dialog | None:
        """The dialog that is open; `answer` answers the one that was seen last."""
        dialog = self.look().dialog
        self._told = self.conversation.asked
        return dialog

    @hides_while
    def interrupt(self) -> Steps[Reply | None]:
        """Stop the turn under way; returns what there is of its reply, None if there is no turn."""
        self._catch_up()
        self._call("interrupt")
        if self._asked is None:
            if not self.conversation.turn_is_open:
                return None
            self._ended = None  # the turn of a command, or of the initial prompt, goes on
        if self._ended is None:
            begun = self.conversation.turn_is_open
            yield from self._carry_out(
                TurnErrand(Stop(), policy="deny", seconds=_STOP, interrupt=False, begun=begun)
            )
        if self._ended is None and self.conversation.turn_is_open:
            self.conversation.give_up()
            self.pump()
        if self._ended is None:
            self._asked = self._unsent = None  # the CLI never took the prompt
            return None
        return self._end(self._ended).reply

    @hides_while
    def command(self, command: str, *, timeout: Timeout) -> Steps[str]:
        """Give the CLI a command of its own, such as `/stats`; returns what it prints."""
        return (yield from self._command(safe_command(command, "/"), False, timeout))

    @hides_while
    def shell(self, command: str, *, timeout: Timeout) -> Steps[str]:
        """Run a command in the CLI's shell mode; returns what the CLI shows of its output."""
        return (yield from self._command(safe_command(command, ""), True, timeout))

    def _command(self, text: str, shell: bool, timeout: Timeout) -> Steps[str]:
        self._check_free()
        errand = CommandErrand(
            text, shell=shell, policy=self.options.approvals, seconds=self._seconds(timeout)
        )
        self._call("shell" if shell else "command", text=text)
        self.conversation.calls.forget()
        try:
            yield from self._carry_out(errand)
        except TurnTimeout:
            if self.conversation.status is not Status.READY:  # it did not stop
                yield from self.close()
            raise
        return self.conversation.shell_output if shell else self.conversation.printed

    def _seconds(self, timeout: Timeout) -> float | None:
        if timeout is UseDefault.USE_DEFAULT:
            return self.options.timeout
        if timeout is None:
            return None
        number = isinstance(timeout, int | float) and not isinstance(timeout, bool)
        if not number or not 0 < timeout < float("inf"):
            raise UsageError(f"timeout must be more than 0 seconds, or None: {timeout!r}")
        return timeout

    def _check_free(self) -> None:
        self._catch_up()
        if self._asked is not None and self._ended is not None:
            # Its caller went away, and it came to its end without one.
            self._end(self._ended)
        if self._asked is not None or self.conversation.turn_is_open:
            raise TurnInProgress(
                "the turn before has not ended; answer() its dialog, or interrupt() it",
                frame=self.conversation.frame,
            )

    def _attachment(self, path: str | PurePath) -> PurePath:
        here = self._here
        if here.cwd is None:
            return PurePath(path)
        beside = self.options.include_directories
        return attachable(path, here.cwd, beside, asks=here.asks_outside)

    def _errand(
        self,
        hand: Hand | None,
        timeout: Timeout,
        on_timeout: OnTimeout,
        later: str | None = None,
    ) -> TurnErrand:
        if on_timeout not in ("interrupt", "close"):
            raise UsageError(f"on_timeout must be 'interrupt' or 'close': {on_timeout!r}")
        return TurnErrand(
            hand,
            policy=self._decisions.policy,
            seconds=self._seconds(timeout),
            interrupt=on_timeout == "interrupt",
            in_turn=isinstance(hand, Submit) or self._asked is not None,
            begun=self.conversation.turn_is_open,
            later=None if later is None else Submit(later),
        )

    def _turn(self, errand: TurnErrand, on_timeout: OnTimeout) -> Steps[Reply]:
        try:
            yield from self._carry_out(errand)
        except TurnTimeout as error:
            error.turn = self.conversation.partial
            if errand.typed or on_timeout == "close":  # it did not stop, or is to be closed
                yield from self.close()
            self._asked = None
            raise
        except BaseException as error:
            known = isinstance(error, GeminiPtyError)
            self._unsent = None
            if isinstance(error, DialogWaiting) and not errand.typed:
                self._unsent = self._sent  # answer() goes on with it
            elif not (errand.given if known else errand.typed):
                self._asked = None  # the CLI knows nothing of it
            raise
        event = errand.event
        if event is None and errand.timed_out:
            self._asked = None  # the CLI never took the prompt
            raise errand.timeout(None, self.conversation.reading)
        if event is None:
            # A dialog of no turn.
            said = self.conversation.printed
            return Reply(text="", source=ReplySource.SCREEN, screen_text=said)
        if isinstance(event, TurnFinished) and errand.stopped is None and not errand.timed_out:
            yield from self._wait_for_chat(event.turn)
            turn = self._end(event)
            if turn.reply.agreement is False:
                self.log.warning("the screen shows another reply to %.60r", turn.prompt)
            return turn.reply
        turn = self._end(event)
        if errand.timed_out:
            raise errand.timeout(turn, self.conversation.reading)
        reason, said = FailureReason.QUOTA, ""
        if isinstance(event, TurnAborted):
            reason, said = event.reason, event.message
        if errand.stopped is not None:
            said = f"{errand.stopped.title} {errand.stopped.body} {said}".strip()
        told = f"the turn failed ({reason}): {said}"
        if reason is FailureReason.CANCELLED:
            told = self._decisions.cancelled(turn)
        raise BY_REASON[reason](
            told,
            reason=reason,
            turn=turn,
            frame=self.conversation.frame,
        )

    def _wait_for_chat(self, turn: Turn) -> Steps[None]:
        """Wait until the CLI has written all of the turn to its chat file, if it has one."""
        until = self.transport.now() + _CHAT_WAIT
        self._busy = True
        try:
            while self.transport.now() < until:
                if self._here.witnesses.settled(self._sent or turn.prompt, turn.reply.screen_text):
                    return
                yield self.transport.now() + _CHAT_STEP
                self.pump()
        finally:
            self._busy = False

    def _exact(self, turn: Turn) -> ExactReply | None:
        """What the witnesses say of the turn."""
        return self._here.witnesses.reply(self._sent or turn.prompt, turn.reply.screen_text)

    def _end(self, event: TurnFinished | TurnAborted) -> Turn:
        """The turn is over, with what the witnesses say of it."""
        exact = self._exact(event.turn)
        turn = event.turn.model_copy(update={"prompt": self._asked or event.turn.prompt})
        turn = merge(turn, exact)
        self._here.tape.end(exact)
        self._asked = self._sent = self._unsent = self._ended = None
        self.turns.append(turn)
        self.events.append(event.model_copy(update={"turn": turn}))
        return turn


def _several(attachments: Iterable[str | PurePath]) -> Iterable[str | PurePath]:
    try:
        several: Iterable[str | PurePath] = checks.several(attachments)
    except ValueError as error:
        raise UsageError(f"attachments: {error} (seen: {attachments!r:.80})") from None
    return several
