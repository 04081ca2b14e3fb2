"""Who answers a dialog, and how: the caller's policy made into keys.

Rule: what nobody said how to answer is not answered, and nothing is agreed to that may not be what
it looks like. "allow" takes the choice that is known to allow this one time; "deny" presses Escape,
and takes the choice that is known to deny in the one dialog that does not hear it.
"""

from collections.abc import Callable
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any, Final, Literal

from geminipty.errors import DialogWaiting, NoSuchChoice, UnsafeApproval, UsageError
from geminipty.model import Choice, Dialog, DialogKind
from geminipty.reading import allowing_choice, denies, denying_choice, unasked_choice
from geminipty.terminal import Frame, Key
from geminipty.visible import short

from .choose import Choose
from .hands import Hand, Press, Write

#: "ask": nobody; "allow" and "deny": always the same; a function: what it returns for the dialog.
Policy = Literal["ask", "allow", "deny"] | Callable[..., Any]


@dataclass(frozen=True)
class Anyway:
    """An answer that is meant although the dialog is suspicious, or not all of it can be seen."""

    answer: Choice | int | str | Literal[True]


#: Characters of a call that a message shows; `dialog.call` has all of them.
CALL: Final = 500
#: No dialog has so many choices.
_HUGE: Final = 1_000_000
#: Dialogs that ask whether something may be done.
_PERMISSIONS: Final = frozenset(
    {
        DialogKind.SHELL,
        DialogKind.EDIT,
        DialogKind.MCP_TOOL,
        DialogKind.INFO,
        DialogKind.PLAN_APPROVAL,
        DialogKind.OUTSIDE_WORKSPACE,
    }
)


def hand_for(policy: Policy, dialog: Dialog, frame: Frame) -> Hand | None:
    """How to answer a dialog in a turn; None if that is for the caller to say.

    Raises NoSuchChoice or UsageError if the caller's function gives no usable answer.
    """
    if callable(policy):
        answer = policy(dialog)
        if answer is None:
            return _unasked(dialog)
        return answered(dialog, answer, frame, who="the function in `approvals`")
    if policy == "deny":
        return denying(dialog)
    if policy == "allow" and (choice := _allowing(dialog)) is not None:
        _refuse_unsafe(dialog, frame)
        return Choose(dialog, choice.number)
    return _unasked(dialog)


def _allowing(dialog: Dialog) -> Choice | None:
    """The choice that allows what a permission asks, this one time."""
    return allowing_choice(dialog) if dialog.kind in _PERMISSIONS else None


def _unasked(dialog: Dialog) -> Hand | None:
    """What is answered without asking: no more tries of what the API refuses; loops are ended."""
    choice = unasked_choice(dialog)
    if choice is None:
        return None
    if dialog.kind is DialogKind.LOOP_DETECTED:
        return Press(Key.ESCAPE, dialog)  # Enter may be heard by the dialog above it, too
    return Choose(dialog, choice.number)


def denying(dialog: Dialog) -> Hand:
    """How to deny: Escape, and nothing else unless that does nothing."""
    choice = denying_choice(dialog)
    return Press(Key.ESCAPE, dialog) if choice is None else Choose(dialog, choice.number)


def answered(dialog: Dialog, answer: object, frame: Frame, *, who: str = "") -> Hand:
    """How to give an answer: a Choice, its number or label, True, False, or a text.

    True is the choice that allows this one time, False denies; a text is for a dialog that asks
    for one. Raises NoSuchChoice if there is no such choice, and UnsafeApproval for a dialog that
    may not be what it looks like, unless the answer denies or is in Anyway. `who` gave it.
    """
    anyway = isinstance(answer, Anyway)
    meant = answer.answer if isinstance(answer, Anyway) else answer
    if meant is False:
        return denying(dialog)
    if isinstance(meant, str) and not dialog.choices:
        if not anyway:
            _refuse_unsafe(dialog, frame)
        return Write(dialog, meant)
    if meant is not True and not isinstance(meant, Choice | int | str):
        raise UsageError(
            f"{who + ' answered ' if who else 'a dialog cannot be answered with '}{answer!r}; give "
            f"a Choice, its number or label, True to allow once, {'' if who else 'or '}False to "
            f"deny{', or None to leave it to the caller' if who else ''}",
            frame=frame,
            dialog=dialog,
        )
    choice = allowing_choice(dialog) if meant is True else _choice(dialog, meant)
    if choice is None:
        said = f"{who} answered {_said(meant)}: " if who else ""
        raise NoSuchChoice(
            f"{said}the dialog {dialog.title!r} has no choice {_meant(meant)}"
            f"{_nearest(dialog, meant)}; it offers: {_offered(dialog) or 'a place for text'}",
            choices=_labels(dialog),
            frame=frame,
            dialog=dialog,
        )
    if not anyway and not denies(dialog, choice):
        _refuse_unsafe(dialog, frame)
    return Choose(dialog, choice.number)


def _choice(dialog: Dialog, meant: Choice | int | str) -> Choice | None:
    """The choice that is meant: one with that label, or of that number, also where it is a text."""
    label = meant.label if isinstance(meant, Choice) else meant
    fits = (one for one in dialog.choices if label in (one.number, one.label))
    spelled = (one for one in dialog.choices if str(one.number) == meant)
    return next(fits, None) or next(spelled, None)


def _nearest(dialog: Dialog, meant: object) -> str:
    """The label for which a wrong one may have been meant, as a message asks for it."""
    labels = {label.casefold(): label for label in reversed(_labels(dialog))}
    said = meant.casefold() if isinstance(meant, str) else ""
    close = get_close_matches(said, labels, 1)
    return f" (did you mean {labels[close[0]]!r}?)" if close else ""


def _meant(answer: object) -> str:
    return "that is known to allow this once" if answer is True else _said(answer)


def _said(answer: object) -> str:
    """An answer as a message shows it; Python writes no numbers of some thousand digits."""
    huge = isinstance(answer, int) and abs(answer) > _HUGE
    return "a huge number" if huge else short(repr(answer), CALL)


def _refuse_unsafe(dialog: Dialog, frame: Frame) -> None:
    if why := _doubt(dialog):
        raise UnsafeApproval(
            f"{_question(dialog)}, and this was not agreed to: {why}. Look at error.dialog. "
            "answer(False) denies it; answer(Anyway(…)) agrees all the same.",
            **_asked(dialog, frame),
        )


def waiting(dialog: Dialog, frame: Frame) -> DialogWaiting:
    """The error for a dialog that nobody said how to answer."""
    doubt = _doubt(dialog)
    return DialogWaiting(
        f"{_question(dialog)} and nobody said how to answer. "
        f"{f'Beware: {doubt}. ' if doubt else ''}It offers: "
        f"{_offered(dialog) or 'a place for text'}. Call answer(…) on the session, or set "
        "approvals.",
        **_asked(dialog, frame),
    )


def _question(dialog: Dialog) -> str:
    """What is asked: the call, which will run, where it is known, and the picture where it is not.

    Characters that no screen shows are named where the text is printed.
    """
    call = dialog.call
    if call is None:
        return f"the CLI asks {dialog.title!r} ({dialog.kind})"
    return f"the CLI asks about {call.name} {short(call.arguments or '', CALL)} ({dialog.kind})"


def _doubt(dialog: Dialog) -> str:
    """Why a dialog may not be what it looks like; empty if nothing is wrong."""
    if not dialog.suspicious and not dialog.complete and dialog.call is None:
        return "not all of it is on the screen, and no witness knows the call"
    return dialog.suspicious


def _asked(dialog: Dialog, frame: Frame) -> dict[str, Any]:
    return {"title": dialog.title, "choices": _labels(dialog), "dialog": dialog, "frame": frame}


def _labels(dialog: Dialog) -> tuple[str, ...]:
    return tuple(choice.label for choice in dialog.choices)


def _offered(dialog: Dialog) -> str:
    return ", ".join(f"{choice.number}. {choice.label}" for choice in dialog.choices)
