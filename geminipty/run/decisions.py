"""What was decided about the dialogs of a turn, and how an error tells it in words.

Rule: only what is known is said; a turn that nobody is known to have denied was cancelled.
"""

from typing import Final

from geminipty.conversation import Anyway, Policy
from geminipty.errors import ReplayMismatch
from geminipty.model import Choice, Dialog, Turn
from geminipty.reading import denies
from geminipty.redaction import HIDDEN
from geminipty.terminal import Key
from geminipty.visible import short

from .interrupts import let_in

#: Characters of a call, or of an answer, that a message shows.
_SHOWN: Final = 200
_CURSOR: Final[dict[str, int]] = {Key.DOWN: 1, Key.UP: -1}


class Decisions:
    """Who said no to a dialog of the turn under way."""

    def __init__(self, policy: Policy) -> None:
        self._policy = policy
        self._denied: Dialog | None = None
        self._who = ""

    @property
    def policy(self) -> Policy:
        """The caller's policy; what a function in it says is heard here."""
        policy = self._policy
        if not callable(policy):
            return policy

        def decide(dialog: Dialog) -> object:
            with let_in():
                answer = policy(dialog)
            self.say(dialog, answer, "the function in `approvals`")
            return answer

        return decide

    def forget(self) -> None:
        """Another turn begins."""
        self._denied = None

    def say(self, dialog: Dialog, answer: object, who: str) -> None:
        """Take note of an answer to a dialog, and who gave it."""
        self._denied = dialog if _is_no(dialog, answer) else None
        self._who = who

    def cancelled(self, turn: Turn) -> str:
        """How a turn came to be cancelled, as a message says it."""
        denied, who = self._denied, self._who
        if self._policy == "deny" and turn.dialogs:
            denied, who = turn.dialogs[-1], 'approvals="deny"'
        if denied is None:
            return "the turn was cancelled: somebody interrupted it. The session goes on."
        return f"{_named(denied)} was denied by {who}, which ended the turn. The session goes on."


def explain(error: ReplayMismatch, dialog: Dialog | None) -> None:
    """Say in words that a dialog is answered otherwise than in the recording, if one is open."""
    if dialog is None or error.typed is None:
        return
    recorded, now = _pressed(dialog, error.expected), _pressed(dialog, error.typed)
    why = "`approvals` differs"
    if HIDDEN in dialog.model_dump_json():
        why += f", or reads what was hidden ({HIDDEN})"
    error.message = (
        f"{_named(dialog)} was {recorded} when it was recorded, and is {now} now: {why}. In keys:\n"
        f"{error.message}"
    )


def _named(dialog: Dialog) -> str:
    """What a dialog asks about: the call where it is known, else what is drawn of it."""
    if dialog.call is None:
        return f"what the dialog {short(dialog.title, _SHOWN)!r} asks about"
    return f"{dialog.call.name} {short(dialog.call.arguments or '', _SHOWN)}"


def _pressed(dialog: Dialog, text: str | None) -> str:
    """What keys, or the next call of a recording, do to a dialog."""
    if text is None or not text.startswith((Key.ENTER, Key.ESCAPE)):
        return "left to the caller"
    at = next((y for y, choice in enumerate(dialog.choices) if choice.selected), None)
    while at is not None and (step := _CURSOR.get(text[:3])):
        at, text = (at + step) % len(dialog.choices), text[3:]
    if text.startswith(Key.ESCAPE) and text[1:2] != "[":
        return "denied"
    if at is None or not text.startswith(Key.ENTER):
        return "answered with another choice"
    return f"answered with {dialog.choices[at].label!r}"


def _is_no(dialog: Dialog, answer: object) -> bool:
    meant = answer.answer if isinstance(answer, Anyway) else answer
    if isinstance(meant, bool):
        return not meant
    label = meant.label if isinstance(meant, Choice) else meant
    fits = (one for one in dialog.choices if label in (one.label, one.number, str(one.number)))
    return any(denies(dialog, one) for one in fits)
