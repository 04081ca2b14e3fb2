"""Which keys answer a dialog, picture by picture: never one more than was decided on."""

from dataclasses import replace

import pytest

from geminipty.conversation.choose import Choose
from geminipty.conversation.hands import LOST, Press, Submit
from geminipty.model import Choice, Dialog, DialogKind, Status, ToolCall, ToolOutcome
from geminipty.reading import Composer, Mode, Reading, read
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


class Box:
    """A composer that does what its keys say, and shows it."""

    def __init__(self, text: str, cursor: int) -> None:
        self.text, self.cursor = text, cursor

    def type(self, key: str) -> None:
        """Take a key, or a paste."""
        before, after = self.text[: self.cursor], self.text[self.cursor :]
        start = before.rfind("\n") + 1
        if key == Key.CTRL_U:
            before = before[:start]
        elif key == Key.BACKSPACE:
            before = before[:-1]
        elif key == Key.CTRL_E:
            end = after.find("\n") if "\n" in after else len(after)
            before, after = before + after[:end], after[end:]
        elif key == Key.DOWN and "\n" in after:
            end = after.find("\n") + 1
            before, after = before + after[:end], after[end:]
        elif key == Key.LEFT and before:
            before, after = before[:-1], before[-1] + after
        elif key.startswith("\x1b[200~"):
            before += key.removeprefix("\x1b[200~").removesuffix("\x1b[201~")
        self.text, self.cursor = before + after, len(before)

    def reading(self) -> Reading:
        """What it shows."""
        composer = Composer(self.text, Mode.CHAT, not self.text, 5, 7, 80, "cursor")
        frame = replace(EMPTY.frame, cursor=(self.cursor, 6), bracketed_paste=True)
        live = EMPTY.live._replace(composer=composer)
        return replace(EMPTY, status=Status.READY, live=live, frame=frame)


@pytest.mark.parametrize(
    ("text", "cursor"),
    [("1", 0), ("abc", 1), ("abc", 3), ("one\ntwo\nthree", 2), ("one\n\nthree", 4), ("a\n", 2)],
)
def test_what_was_left_in_the_composer_goes_wherever_its_cursor_stands(
    text: str, cursor: int
) -> None:
    """Keys that show nothing are followed by others, until the prompt is all that is there."""
    box, hand = Box(text, cursor), Submit("hello")
    now, shown = 0.0, box.reading()
    typed: list[str] = []

    while Key.ENTER not in typed and now < 30 * LOST:
        key = hand.look(shown, now, fresh=now == 0.0 or box.reading() != shown)
        before = box.reading()
        if key:
            typed.append(key)
            box.type(key)
        if box.reading() != before:
            shown = box.reading()
        now += LOST / 4

    assert box.text == "hello"
    assert typed[-1] == Key.ENTER
    assert sum(key.startswith("\x1b[200~") for key in typed) == 1


def test_a_key_whose_effect_is_on_its_way_is_not_pressed_again() -> None:
    """While nothing has changed, it is waited for as long as a key may be lost."""
    shown, hand = Box("abc", 3).reading(), Submit("hello")

    assert hand.look(shown, 0.0, fresh=True) == Key.CTRL_U
    for now in (0.1, LOST / 2):
        assert hand.look(shown, now, fresh=False) == ""
    assert hand.look(shown, LOST, fresh=False) == Key.CTRL_E
