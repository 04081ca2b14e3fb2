"""What was asked of a conversation and takes many pictures: to start, a turn, a command.

Rule: an errand is over when a picture says so or its time is up, and then it has either a result
or an error. It types only what its hand says, and only while no other picture is on its way.
"""

from typing import Final

from geminipty.errors import GeminiPtyError, TurnTimeout, UnsafePrompt
from geminipty.model import (
    Dialog,
    DialogKind,
    Event,
    Status,
    Turn,
    TurnAborted,
    TurnFinished,
)
from geminipty.reading import Reading, denying_choice, unasked_choice
from geminipty.terminal import Key

from .approvals import Policy, denying, hand_for, waiting
from .calls import Calls
from .choose import Choose
from .hands import Hand, Press, Stop, Submit

#: How long an interrupted turn may take to end.
TO_STOP: Final = 10.0


class Errand:
    """Something that a conversation does for its owner."""

    def __init__(self, *, seconds: float | None) -> None:
        self.seconds = seconds
        self.over = False
        self.error: GeminiPtyError | None = None
        self._hand: Hand | None = None
        self._expires: float | None = None
        #: Somebody was asked, which takes time: look at what has come since before anything else.
        self._again: float | None = None
        #: What stands there is another dialog than the one that was answered, and looks like it.
        self.replaced = False
        #: The calls of the conversation that it belongs to.
        self.calls = Calls()

    @property
    def phase(self) -> str:
        """What is being waited for."""
        return self._hand.phase if self._hand else "working"

    @property
    def expires(self) -> float | None:
        """When its time is up."""
        return self._expires

    @property
    def due(self) -> float | None:
        """When `look` is to be called next if all is still, even if nothing came."""
        dues = [self._expires, self._again, self._hand.due if self._hand else None]
        return min((due for due in dues if due is not None), default=None)

    def begin(self, now: float) -> None:
        """The clock starts."""
        if self.seconds is not None:
            self._expires = now + self.seconds

    def look(self, reading: Reading | None, now: float, *, fresh: bool, still: bool) -> str:
        """What to type now. `still` says that no newer picture is on its way."""
        if self._expires is not None and now >= self._expires:
            self._expires = None
            self.expire(reading, now)
        if self.over or reading is None or not (still or self._stops(reading)):
            return ""
        self._again = None
        text = ""
        while not text:
            self.see(reading, now, fresh=fresh)
            hand = self._hand
            if self.over or hand is None or self._again is not None:
                break
            if isinstance(hand, Choose):
                hand.last = self.calls.is_last(hand.asked, hand.number)
            try:
                text = hand.look(reading, now, fresh=fresh)
            except UnsafePrompt as error:
                self.fail(error)
                break
            if text == Key.ENTER and isinstance(hand, Choose):
                self.calls.entered(hand.asked, hand.number)
            if not hand.done:
                break
            self._hand = None
            self.handed(hand, reading, now)
            if isinstance(hand, Choose) and hand.replaced:
                self.replaced, self._again = True, now
                break
        return text

    def _stops(self, reading: Reading) -> bool:
        """Whether Escape may be pressed although a newer picture is on its way.

        Up to 0.24 a spinner and a reply that grows leave no silence to wait for.
        """
        return isinstance(self._hand, Stop) and reading.status is Status.WORKING

    def see(self, reading: Reading, now: float, *, fresh: bool) -> None:
        """Decide by a picture."""

    def hear(self, event: Event) -> None:
        """Decide by what the conversation tells."""

    def handed(self, hand: Hand, reading: Reading, now: float) -> None:
        """A hand has done its work."""

    def expire(self, reading: Reading | None, now: float) -> None:
        """Time is up."""
        raise NotImplementedError

    def fail(self, error: GeminiPtyError) -> None:
        """End without a result."""
        self.error, self.over = error, True


class TurnErrand(Errand):
    """A turn until its end, whatever is asked in between."""

    def __init__(
        self,
        hand: Hand | None,
        *,
        policy: Policy,
        seconds: float | None,
        interrupt: bool = True,
        in_turn: bool = True,
        begun: bool = False,
        later: Submit | None = None,
    ) -> None:
        super().__init__(seconds=seconds)
        self._hand = hand
        #: The prompt that waits until a dialog is answered, or what stops the turn.
        self._later: Submit | Stop | None = later
        #: The CLI has taken the prompt.
        self._begun = begun
        self._in_turn = in_turn
        self._policy = policy
        self._interrupt = interrupt
        self._timed_out: tuple[str, Status | None] | None = None
        self._answered: Dialog | None = None
        #: A cursor key that was pressed in the dialog before, and may not have been read yet.
        self._stray: Key | None = None
        #: What ended the turn.
        self.event: TurnFinished | TurnAborted | None = None
        #: The dialog about a refusal that was answered with "stop", if there was one.
        self.stopped: Dialog | None = None

    @property
    def entered(self) -> bool:
        """Whether Enter was pressed for the prompt and nothing came of it yet."""
        return isinstance(self._hand, Submit) and self._hand.entered

    @property
    def typed(self) -> bool:
        """Whether anything of the prompt was given to the terminal."""
        prompt = self._later or self._hand
        return self._begun or not isinstance(prompt, Submit) or prompt.typed

    @property
    def given(self) -> bool:
        """Whether the CLI has the prompt, as far as can be known."""
        return self._begun or self.entered

    def hear(self, event: Event) -> None:
        """Be done when the turn is; what ends before Enter was pressed is another's."""
        prompt = self._later or self._hand
        if isinstance(prompt, Submit) and not prompt.pressed:
            return
        self._begun = self._begun or event.kind == "turn-started"
        if isinstance(event, TurnFinished | TurnAborted):
            self.event = event
            self.over = True
            self._hand = None
        elif event.kind == "dialog-closed":
            self._answered = None

    def handed(self, hand: Hand, reading: Reading, now: float) -> None:
        """Go on with the prompt that waited; without a turn nothing is left to do."""
        del now
        if isinstance(hand, Press) and hand.stays and reading.dialog is not None:
            self.fail(waiting(reading.dialog, reading.frame))
            return
        self._begun = self._begun or isinstance(hand, Submit)
        self._stray = hand.stray if isinstance(hand, Choose) else None
        self._answered = None
        self._hand, self._later = self._later, None
        # A turn that has not told its end when all has stood still for a while never will.
        if self._hand is None and (not self._in_turn or isinstance(hand, Stop)):
            self.over = True

    def see(self, reading: Reading, now: float, *, fresh: bool) -> None:
        """Answer a dialog as the policy says."""
        dialog = reading.dialog
        if dialog is None:
            return
        stopping = self._hand
        if isinstance(stopping, Stop) and denying_choice(dialog) is not None:
            self._hand, self._later = denying(dialog), stopping
        busy = self._hand is not None and not isinstance(self._hand, Submit)
        if busy or (dialog == self._answered and not fresh):
            return
        policy = self._policy if self._timed_out is None else "deny"
        try:
            hand = hand_for(policy, dialog, reading.frame)
        except GeminiPtyError as error:
            self.fail(error)
            return
        if callable(policy):
            self._again = now
        if hand is None:
            self.fail(waiting(dialog, reading.frame))
            return
        stop = unasked_choice(dialog) if dialog.kind is DialogKind.QUOTA else None
        if stop is not None and isinstance(hand, Choose) and hand.number == stop.number:
            self.stopped = dialog
        if isinstance(hand, Choose) and self._stray is not None:
            hand = Choose(dialog, hand.number, stray=self._stray)
        self._answered = dialog
        if isinstance(self._hand, Submit):
            self._begun = self._begun or self._hand.entered
            self._later = None if self._begun else self._hand
        self._hand = hand

    def expire(self, reading: Reading | None, now: float) -> None:
        """Stop the turn if the caller wants to go on, then say that it took too long."""
        done = self._timed_out is not None or not self._interrupt
        if done or reading is None or not self.typed:
            self.fail(self.timeout(None, reading))
            return
        self._timed_out = (self.phase, reading.status)
        self._expires = now + TO_STOP
        self._later = None
        self._hand = Stop()

    def timeout(self, turn: Turn | None, reading: Reading | None) -> TurnTimeout:
        """The error for a turn that took too long."""
        phase, status = self._timed_out or (self.phase, reading.status if reading else None)
        return TurnTimeout(
            f"no whole reply within {self.seconds:g} s (phase: {phase}, last status: {status}). "
            "Allow more with ask(timeout=…), or look at the screen for what it waits for.",
            seconds=self.seconds or 0.0,
            phase=phase,
            turn=turn,
            frame=reading.frame if reading else None,
        )

    @property
    def timed_out(self) -> bool:
        """Whether the turn was stopped because it took too long."""
        return self._timed_out is not None
