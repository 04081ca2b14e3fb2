"""Who answers a dialog, and how: the caller's policy made into keys.

Rule: what nobody said how to answer is not answered, and nothing is agreed to that may not be what
it looks like. "allow" takes the choice that is known to allow this one time; "deny" presses
Escape, which denies in every dialog, and nothing else.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, Literal

from geminipty.errors import DialogWaiting, NoSuchChoice, UnsafeApproval, UsageError
from geminipty.model import Choice, Dialog, DialogKind
from geminipty.reading import allowing_choice, unasked_choice
from geminipty.terminal import Frame, Key

from .hands import Choose, Hand, Press, Write

#: "ask": nobody; "allow" and "deny": always the same; a function: what it returns for the dialog.
Policy = Literal["ask", "allow", "deny"] | Callable[..., Any]


@dataclass(frozen=True)
class Anyway:
    """An answer that is meant although the dialog is suspicious, or not all of it can be seen."""

    answer: Choice | int | str | Literal[True]


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
        return answered(dialog, answer, frame)
    if policy == "deny":
        return Press(Key.ESCAPE, dialog)
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
    return None if choice is None else Choose(dialog, choice.number)


def answered(dialog: Dialog, answer: object, frame: Frame) -> Hand:
    """How to give an answer: a Choice, its number or label, True, False, or a text.

    True is the choice that allows this one time, False denies; a text is for a dialog that asks
    for one. Raises NoSuchChoice if there is no such choice, and UnsafeApproval for a dialog that
    may not be what it looks like, unless the answer is False or in Anyway.
    """
    if answer is False:
        return Press(Key.ESCAPE, dialog)
    if isinstance(answer, Anyway):
        answer = answer.answer
    else:
        _refuse_unsafe(dialog, frame)
    if answer is True and (allowing := allowing_choice(dialog)) is not None:
        return Choose(dialog, allowing.number)
    if isinstance(answer, str) and not dialog.choices:
        return Write(dialog, answer)
    if isinstance(answer, Choice | int | str):
        for choice in dialog.choices:
            number = choice.number == answer if type(answer) is int else False
            same = isinstance(answer, Choice) and choice.label == answer.label
            if number or same or choice.label == answer:
                return Choose(dialog, choice.number)
        labels = tuple(choice.label for choice in dialog.choices)
        offered = ", ".join(f"{choice.number}. {choice.label}" for choice in dialog.choices)
        raise NoSuchChoice(
            f"the dialog {dialog.title!r} has no choice {answer!r}; it offers: {offered or 'none'}",
            choices=labels,
            frame=frame,
        )
    raise UsageError(
        f"a dialog cannot be answered with {answer!r}; give a Choice, its number or label, "
        "True to allow, False to deny, or None to leave it to the caller"
    )


def _refuse_unsafe(dialog: Dialog, frame: Frame) -> None:
    why = dialog.suspicious
    if not why and not dialog.complete and dialog.call is None:
        why = "not all of it is on the screen, and no witness knows the call"
    if why:
        raise UnsafeApproval(
            f"the CLI asks {dialog.title!r} ({dialog.kind}), and this was not agreed to: {why}. "
            "Look at error.dialog. answer(False) denies it; answer(Anyway(…)) agrees all the same.",
            **_asked(dialog, frame),
        )


def waiting(dialog: Dialog, frame: Frame) -> DialogWaiting:
    """The error for a dialog that nobody said how to answer."""
    offered = ", ".join(f"{choice.number}. {choice.label}" for choice in dialog.choices)
    return DialogWaiting(
        f"the CLI asks {dialog.title!r} ({dialog.kind}) and nobody said how to answer. It offers: "
        f"{offered or 'a place for text'}. Call answer(…) on the session, or set approvals.",
        **_asked(dialog, frame),
    )


def _asked(dialog: Dialog, frame: Frame) -> dict[str, Any]:
    choices = tuple(choice.label for choice in dialog.choices)
    return {"title": dialog.title, "choices": choices, "dialog": dialog, "frame": frame}
