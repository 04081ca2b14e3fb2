"""What is typed for a prompt, and who answers a dialog: the rules, without a CLI."""

from dataclasses import replace
from pathlib import PurePath
from typing import Any

import pytest

from geminipty.conversation import Submit, safe_command, safe_initial_prompt, safe_prompt
from geminipty.conversation.approvals import Policy, answered, hand_for, waiting
from geminipty.conversation.choose import Choose
from geminipty.conversation.hands import Press
from geminipty.errors import NoSuchChoice, UnsafeApproval, UnsafePrompt, UsageError
from geminipty.model import Choice, Dialog, DialogKind, ToolCall, ToolOutcome
from geminipty.reading import read
from geminipty.terminal import Key, Terminal

FRAME = Terminal().picture()
READING = read(FRAME)


@pytest.mark.parametrize(
    ("prompt", "typed"),
    [
        ("hello", "hello"),
        ("two\nlines", "two\nlines"),
        ("ends in \\", "ends in \\ "),
        ("mail a@b.c", "mail a\\@b.c "),
        ("@one\nand more", "\\@one\nand more"),
        ("at @", "at @ "),
    ],
)
def test_a_prompt_is_typed_so_that_enter_sends_it(prompt: str, typed: str) -> None:
    """A blank at the end keeps Enter from being a new line, or from taking a suggestion."""
    assert safe_prompt(prompt) == typed


def test_files_are_named_where_the_caller_says_so() -> None:
    """With files=True an `@` stays as it is; attachments are added with their blanks escaped."""
    assert safe_prompt("see @a.txt", files=True) == "see @a.txt "
    assert safe_prompt("see", attachments=[PurePath("my notes.txt")]) == "see @my\\ notes.txt "


@pytest.mark.parametrize("prompt", ["/quit", " /quit", "\n!ls", "\u00a0/x", "\u00ad!x", "\u200b/x"])
def test_a_command_is_no_prompt(prompt: str) -> None:
    """What the CLI would run is refused, whatever invisible characters stand before it."""
    with pytest.raises(UnsafePrompt):
        safe_prompt(prompt)


@pytest.mark.parametrize("text", ["a\x1b[201~\r!ls", "a\x03", "a\x9b201~", "\ud800"])
def test_keys_are_no_prompt(text: str) -> None:
    """Control characters are refused when the prompt is made ready, before anything is typed."""
    with pytest.raises(UnsafePrompt):
        Submit(safe_prompt(text))


def test_a_command_is_one_line() -> None:
    """A command has its mark and one line."""
    assert safe_command(" /stats ", "/") == "/stats"
    for wrong in ("stats", "/", ""):
        with pytest.raises(UsageError):
            safe_command(wrong, "/")
    with pytest.raises(UnsafePrompt):
        safe_command("/stats\n/quit", "/")


def test_a_prompt_of_keys_alone_is_told_as_keys() -> None:
    """Control characters are no empty prompt, whatever blanks stand around them."""
    for text in ("\x00", " \x03\n"):
        with pytest.raises(UnsafePrompt, match="takes for a key"):
            safe_prompt(text)
    for empty in ("", " \n\t", "\u2060"):
        with pytest.raises(UsageError, match="empty"):
            safe_prompt(empty)


def test_shell_takes_the_command_without_its_mark() -> None:
    """As command() wants the `/`, shell() wants no `!`; the negation of the shell is no mark."""
    for wrong in ("!ls", " !ls", "!", "!!"):
        with pytest.raises(UsageError, match="without it"):
            safe_command(wrong, "")
    assert safe_command("! grep -q x y", "") == "! grep -q x y"


def test_an_initial_prompt_goes_through_the_same_gate() -> None:
    """It is escaped and refused as any other, and the error names the option."""
    assert safe_initial_prompt("see @one\r\n") == "see \\@one\n"
    for wrong in ("/help", " !ls", "a\x03", "\u200bx"):
        with pytest.raises(UnsafePrompt, match="initial_prompt"):
            safe_initial_prompt(wrong)
    with pytest.raises(UsageError):
        safe_initial_prompt("  ")


def dialog_of(kind: DialogKind, *labels: str) -> Dialog:
    """A dialog with these choices, the first one selected."""
    choices = [
        Choice(number=number, label=label, selected=number == 1)
        for number, label in enumerate(labels, 1)
    ]
    return Dialog(kind=kind, title="It asks.", choices=tuple(choices))


QUOTA = dialog_of(DialogKind.QUOTA, "Keep trying", "Stop")
LOOP = dialog_of(
    DialogKind.LOOP_DETECTED,
    "Disable loop detection for this session",
    "Keep loop detection enabled (esc)",
)
UNASKED: list[Any] = ["ask", "allow", lambda _: None]


@pytest.mark.parametrize("policy", [*UNASKED, "deny", lambda _: False])
def test_no_more_tries_is_chosen_unasked(policy: Policy) -> None:
    """It allows nothing, and Escape does not end the question: by its label, wherever it stands."""
    hand = hand_for(policy, QUOTA, FRAME)

    assert isinstance(hand, Choose)
    assert hand.number == 2


@pytest.mark.parametrize("policy", [*UNASKED, "deny", lambda _: False])
def test_a_loop_is_watched_for_by_escape(policy: Policy) -> None:
    """0.24 draws this question below one about a command, and Enter would answer both."""
    hand = hand_for(policy, LOOP, FRAME)

    assert isinstance(hand, Press)
    assert hand.look(replace(READING, dialog=LOOP), 0.0, fresh=True) == Key.ESCAPE


@pytest.mark.parametrize("kind", DialogKind)
@pytest.mark.parametrize("policy", UNASKED)
def test_other_labels_are_never_chosen_unasked(policy: Policy, kind: DialogKind) -> None:
    """A dialog of any kind whose labels nobody knows is left to the caller."""
    dialog = dialog_of(kind, "Go on", "Never mind")

    assert hand_for(policy, dialog, FRAME) is None


@pytest.mark.parametrize("kind", DialogKind)
def test_deny_presses_escape_and_nothing_else(kind: DialogKind) -> None:
    """Whatever is asked: Escape allows nothing. The two that do not hear it have known labels."""
    for dialog in (dialog_of(kind, "Keep trying", "Give up"), dialog_of(kind)):
        assert isinstance(hand_for("deny", dialog, FRAME), Press)
        assert isinstance(answered(dialog, False, FRAME), Press)


def test_the_dialog_that_does_not_hear_escape_is_denied_by_its_label() -> None:
    """The question about a file elsewhere stays after Escape: "No" is chosen, wherever it is."""
    for labels in (("Yes", "No"), ("No", "Yes")):
        dialog = dialog_of(DialogKind.OUTSIDE_WORKSPACE, *labels)
        for hand in (hand_for("deny", dialog, FRAME), answered(dialog, False, FRAME)):
            assert isinstance(hand, Choose)
            assert labels[hand.number - 1] == "No"


@pytest.mark.parametrize("answer", [2, "No (esc)", Choice(number=2, label="No (esc)")])
def test_to_deny_needs_no_trust_in_the_picture(answer: object) -> None:
    """A suspicious dialog, or one that is cut and has no call, is denied by any choice that does.

    Whatever allows is refused, with a message that names the doubt.
    """
    whole = dialog_of(DialogKind.SHELL, "Allow once", "No (esc)")
    doubtful = [
        whole.model_copy(update={"suspicious": "it holds a U+200B"}),
        whole.model_copy(update={"complete": False}),
    ]

    for dialog, doubt in zip(doubtful, ("U\\+200B", "not all of it"), strict=True):
        hand = answered(dialog, answer, FRAME)
        assert isinstance(hand, Choose)
        assert hand.number == 2
        for yes in (1, "Allow once", True):
            with pytest.raises(UnsafeApproval, match=doubt):
                answered(dialog, yes, FRAME)


def test_the_error_tells_the_call_and_not_its_picture() -> None:
    """The title is what the CLI draws of a call; what will run is what the message says."""
    call = ToolCall(
        name="Shell",
        summary="ls",
        function="run_shell_command",
        arguments='{"command": "ls; touch PWNED"}',
        outcome=ToolOutcome.PENDING,
    )
    dialog = dialog_of(DialogKind.SHELL, "Allow once").model_copy(update={"call": call})

    message = waiting(dialog, FRAME).message

    assert "touch PWNED" in message
    assert "It asks." not in message


@pytest.mark.parametrize(
    ("dialog", "number"),
    [
        (dialog_of(DialogKind.SHELL, "Allow for this session", "Allow once", "No"), 2),
        (dialog_of(DialogKind.EDIT, "Yes, allow once", "No (esc)"), 1),
        (dialog_of(DialogKind.INFO, "Allow once", "No"), 1),
        (dialog_of(DialogKind.MCP_TOOL, "Allow tool for this session", "Allow once"), 2),
        (
            dialog_of(
                DialogKind.PLAN_APPROVAL,
                "Yes, automatically accept edits",
                "Yes, manually accept edits",
            ),
            2,
        ),
        (dialog_of(DialogKind.OUTSIDE_WORKSPACE, "No", "Yes"), 2),
    ],
    ids=lambda value: str(getattr(value, "kind", value)),
)
def test_to_allow_is_to_allow_once(dialog: Dialog, number: int) -> None:
    """The choice is found by its label: never one for the session, never just the first."""
    for hand in (hand_for("allow", dialog, FRAME), answered(dialog, True, FRAME)):
        assert isinstance(hand, Choose)
        assert hand.number == number


@pytest.mark.parametrize("kind", DialogKind)
def test_true_is_no_answer_where_nothing_is_known_to_allow(kind: DialogKind) -> None:
    """A dialog without the known label is not answered: the first choice may be anything."""
    dialog = dialog_of(kind, "Allow for this session", "Go on")

    with pytest.raises(NoSuchChoice):
        answered(dialog, True, FRAME)
    assert hand_for("allow", dialog, FRAME) is None


def test_a_dialog_that_nobody_knows_is_left_to_the_caller() -> None:
    """An unknown question is not answered, but denied by "deny"."""
    dialog = dialog_of(DialogKind.UNKNOWN, "Allow once", "Stop")

    assert hand_for("allow", dialog, FRAME) is None
    assert hand_for("ask", dialog, FRAME) is None
    assert isinstance(hand_for("deny", dialog, FRAME), Press)


def test_the_number_of_a_choice_may_be_a_text() -> None:
    """As a person types it; a label that is a number goes first, and no other sign is a digit."""
    dialog = dialog_of(DialogKind.SHELL, "Allow once", "No (esc)")
    years = dialog_of(DialogKind.ASK_USER, "2", "1")

    for asked, answer, number in ((dialog, "2", 2), (years, "1", 2), (years, "2", 1)):
        hand = answered(asked, answer, FRAME)
        assert isinstance(hand, Choose)
        assert hand.number == number
    for wrong in ("3", "²", "١", "-1", "9" * 9000):
        with pytest.raises(NoSuchChoice):
            answered(dialog, wrong, FRAME)


def test_a_number_that_python_does_not_write_is_no_choice() -> None:
    """It is refused as any other wrong number."""
    with pytest.raises(NoSuchChoice, match="no choice a huge number"):
        answered(QUOTA, 10**5000, FRAME, who="a function")


def test_a_wrong_label_is_told_the_nearest() -> None:
    """The error asks whether that was meant; for what is like no label it only lists them."""
    dialog = dialog_of(DialogKind.SHELL, "Allow once", "Allow for this session", "No (esc)")

    with pytest.raises(
        NoSuchChoice, match="no choice 'allow Once' \\(did you mean 'Allow once'\\?\\)"
    ):
        answered(dialog, "allow Once", FRAME)
    for far in ("xyz", 7):
        with pytest.raises(NoSuchChoice, match="it offers") as raised:
            answered(dialog, far, FRAME)
        assert "did you mean" not in raised.value.message


def test_only_a_function_can_leave_a_dialog_to_the_caller() -> None:
    """None as the answer of the caller is told what may be given, and None is not among it."""
    dialog = dialog_of(DialogKind.SHELL, "Allow once")

    with pytest.raises(UsageError) as raised:
        answered(dialog, None, FRAME)
    assert raised.value.message.endswith("True to allow once, or False to deny")
    with pytest.raises(UsageError, match="or None to leave it to the caller"):
        answered(dialog, 1.5, FRAME, who="the function in `approvals`")
