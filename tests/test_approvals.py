"""What is typed for a prompt, and who answers a dialog: the rules, without a CLI."""

from pathlib import PurePath

import pytest

from geminipty.conversation import Submit, is_prompt, safe_command, safe_prompt
from geminipty.conversation.approvals import hand_for
from geminipty.conversation.hands import Choose, Press
from geminipty.errors import UnsafePrompt, UsageError
from geminipty.model import Choice, Dialog, DialogKind
from geminipty.terminal import Terminal

FRAME = Terminal().picture()


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


def test_an_initial_prompt_may_be_a_command() -> None:
    """Only what goes to the model begins a turn."""
    assert is_prompt("hello")
    assert not any(map(is_prompt, (None, "", "  ", "/help", " !ls")))


@pytest.mark.parametrize("policy", ["ask", "allow", "deny", lambda _: None])
def test_what_the_api_refuses_is_given_up(policy: object) -> None:
    """Where the CLI offers to stop trying, that is chosen whatever the policy says."""
    choices = (Choice(number=1, label="Keep trying", selected=True), Choice(number=2, label="Stop"))
    dialog = Dialog(kind=DialogKind.QUOTA, title="It cannot be had.", choices=choices)

    hand = hand_for(policy, dialog, FRAME)  # type: ignore[arg-type]  # each of the kinds

    assert isinstance(hand, Choose)
    assert hand.number == 2


def test_a_dialog_that_nobody_knows_is_left_to_the_caller() -> None:
    """An unknown question without a choice to stop is not answered, but denied by "deny"."""
    dialog = Dialog(kind=DialogKind.UNKNOWN, title="?", choices=(Choice(number=1, label="Yes"),))

    assert hand_for("allow", dialog, FRAME) is None
    assert hand_for("ask", dialog, FRAME) is None
    assert isinstance(hand_for("deny", dialog, FRAME), Press)
