"""Which keys answer a dialog, picture by picture: never one more than was decided on."""

from dataclasses import replace

import pytest

from geminipty.conversation.choose import Choose
from geminipty.conversation.hands import LOST, Press
from geminipty.model import Choice, Dialog, DialogKind, Status, ToolCall, ToolOutcome
from geminipty.reading import Reading, read
from geminipty.terminal import Key, Terminal

EMPTY = read(Terminal().picture())
LABELS = ("Allow once", "Allow for this session", "Modify with external editor", "No (esc)")


def call(arguments: str = '{"command": "ls"}') -> ToolCall:
    """A call that a dialog asks about."""
    name = "run_shell_command"
    return ToolCall(name=name, summary="", outcome=ToolOutcome.PENDING, arguments=arguments)


LS = call()


def asked(about: ToolCall | None = LS, *, selected: int = 1, body: str = "ls") -> Dialog:
    """A dialog with the choice of this number selected."""
    choices = tuple(
        Choice(number=at, label=label, selected=at == selected)
        for at, label in enumerate(LABELS, 1)
    )
    return Dialog(kind=DialogKind.SHELL, title="Shell ls", body=body, choices=choices, call=about)


def seen(dialog: Dialog | None) -> Reading:
    """A picture with a dialog."""
    return replace(EMPTY, status=Status.ASKING, dialog=dialog)


def entered(hand: Choose) -> None:
    """Have the hand press Enter on the dialog that it is for, at once."""
    assert hand.look(seen(hand.asked), 0.0, fresh=True) == Key.ENTER


@pytest.mark.parametrize("body", ["ls", "ls\ndrawn anew"])
@pytest.mark.parametrize("selected", [1, 2])
def test_a_dialog_that_stays_after_enter_is_left_alone(body: str, selected: int) -> None:
    """However slowly it goes: another Enter could reach the next dialog."""
    hand = Choose(asked(), 1)
    entered(hand)
    hand.last = True

    for now in (0.1, LOST, 10 * LOST):
        assert hand.look(seen(asked(body=body, selected=selected)), now, fresh=True) == ""
        assert not hand.done

    hand.look(seen(asked(call('{"command": "touch x"}'))), 11 * LOST, fresh=True)
    assert hand.done


def test_where_an_equal_call_may_follow_a_cursor_key_tells() -> None:
    """A selection that moves proves that Enter was read; only then is anybody asked again."""
    hand = Choose(asked(), 1)
    entered(hand)

    assert hand.look(seen(asked()), LOST / 2, fresh=True) == ""
    assert hand.look(seen(asked(body="drawn anew")), LOST, fresh=True) == Key.DOWN
    assert (hand.look(seen(asked()), 3 * LOST, fresh=True), hand.done) == ("", False)
    assert (hand.look(seen(asked(selected=2)), 4 * LOST, fresh=True), hand.done) == ("", True)
    assert hand.stray is None


def test_a_cursor_key_that_nobody_saw_is_told_to_the_next_choice() -> None:
    """It may still move the selection of the next dialog."""
    hand, other = Choose(asked(), 1), call('{"command": "touch x"}')
    entered(hand)
    assert hand.look(seen(asked()), LOST, fresh=True) == Key.DOWN

    hand.look(seen(asked(other)), LOST, fresh=True)

    assert (hand.done, hand.stray) == (True, Key.DOWN)


def test_escape_is_pressed_once_for_a_call() -> None:
    """A dialog that is drawn anew after it is the same one."""
    hand = Press(Key.ESCAPE, asked())

    assert hand.look(seen(asked()), 0.0, fresh=True) == Key.ESCAPE
    for now in (0.1, 10.0):
        assert hand.look(seen(asked(body="drawn anew")), now, fresh=True) == ""
        assert not hand.done
