"""The start of the CLI: until it is ready, past the dialogs that it may open before.

Rule: only what is safe is answered here. Trust is for the caller to give, and nobody is signed in.
"""

from typing import Final

from geminipty.errors import FolderNotTrusted, NotSignedIn, StartTimeout
from geminipty.model import Dialog, DialogKind, Event, Status, TurnAborted, TurnFinished
from geminipty.reading import Reading, allowing_choice
from geminipty.terminal import Key

from .approvals import waiting
from .choose import Choose
from .errands import Errand
from .hands import Hand, Press
from .modes import RawMarkdown

#: 0.1 never asks for bracketed pastes; others do so when they begin to listen.
DEAF: Final = 1.0
SIGN_IN: Final = (
    "Set GEMINI_API_KEY; or GOOGLE_GENAI_USE_VERTEXAI=true with GOOGLE_API_KEY, or with "
    "GOOGLE_CLOUD_PROJECT and GOOGLE_CLOUD_LOCATION; or start the CLI once by hand and sign in "
    "with a Google account."
)


class Start(Errand):
    """From the first byte to a CLI that is ready, past the dialogs of its start."""

    def __init__(self, *, seconds: float, trust: bool, raw: bool, prompted: bool) -> None:
        super().__init__(seconds=seconds)
        self._trust = trust
        self._raw = raw
        #: The CLI was given a prompt of its own: the start is over when that has begun.
        self._prompted = prompted
        #: What ended its turn, if it was that short.
        self.event: TurnFinished | TurnAborted | None = None
        self._listens: float | None = None

    @property
    def phase(self) -> str:
        """What is being waited for."""
        return self._hand.phase if self._hand else "starting"

    def see(self, reading: Reading, now: float, *, fresh: bool) -> None:
        """Be done if the CLI is ready; answer what has a safe answer."""
        del fresh
        if self._hand is not None:
            return
        if reading.dialog is not None:
            self._listens = None
            self._hand = self._answer(reading.dialog, reading)
        elif reading.status is Status.READY:
            if reading.frame.bracketed_paste:
                self._ready(reading, now)
            elif self._listens is None:
                self._listens = now + DEAF
            elif now >= self._listens:
                self._listens, self.over = None, not self._prompted
        else:
            self._listens = None

    def _ready(self, reading: Reading, now: float) -> None:
        if self._raw and not reading.live.raw:
            self._raw = False
            self._hand = RawMarkdown(now)
        else:
            self.over = not self._prompted

    def hear(self, event: Event) -> None:
        """The turn of the first prompt has begun, or has ended already."""
        if not self._prompted:
            return
        if isinstance(event, TurnFinished | TurnAborted):
            self.event = event
        self.over = self.over or event.kind == "turn-started"

    @property
    def due(self) -> float | None:
        """When to look again, even if nothing came."""
        dues = (super().due, self._listens)
        return min((due for due in dues if due is not None), default=None)

    def _answer(self, dialog: Dialog, reading: Reading) -> Hand | None:
        frame = reading.frame
        labels = tuple(choice.label for choice in dialog.choices)
        if dialog.kind is DialogKind.TRUST:
            choice = allowing_choice(dialog) if self._trust else None
            if choice is not None:
                return Choose(dialog, choice.number)
            message = (
                f"the CLI asks whether to trust its folder: {dialog.title!r}. Pass trust=True if "
                "you know what is in the folder, or choose another one with cwd."
            )
            self.fail(FolderNotTrusted(message, choices=labels, frame=frame))
        elif dialog.kind is DialogKind.AUTH:
            message = f"the CLI is not signed in; it asks {dialog.title!r}. {SIGN_IN}"
            self.fail(NotSignedIn(message, frame=frame))
        elif dialog.kind is DialogKind.THEME:
            return Press(Key.ENTER, dialog)
        elif dialog.kind in (DialogKind.PRIVACY, DialogKind.IDE_NUDGE):
            return Press(Key.ESCAPE, dialog)
        else:
            self.fail(waiting(dialog, frame))
        return None

    def expire(self, reading: Reading | None, now: float) -> None:
        """The CLI did not become ready."""
        del now
        assert self.seconds is not None
        status = reading.status if reading else "nothing was drawn"
        self.fail(
            StartTimeout(
                f"the CLI was not ready within {self.seconds:g} s (last status: {status}). Look "
                "at the screen: allow more with Deadlines(start=…) if it is still at work.",
                seconds=self.seconds,
                phase=self.phase,
                frame=reading.frame if reading else None,
            )
        )
