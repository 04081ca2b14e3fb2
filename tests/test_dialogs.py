"""An open dialog keeps its call and is answered once, whatever is heard while it stands there."""

import json
from typing import Any

from geminipty.conversation import DrivenConversation, TurnErrand
from geminipty.model import Dialog, DialogKind
from geminipty.terminal import Key

from .dialog_layouts import Asked, framed

MAKE = Asked(kind=DialogKind.SHELL, tool="Shell", about="make", body="make", names="make")
#: Silence after which a picture is taken for finished, and a key for lost.
FINISHED, LOST = 0.2, 1.2


def picture(*, selected: int = 1) -> str:
    """The dialog about `make`, with this choice selected, as the CLI draws it anew."""
    rows = [row.text for row in framed("0.61.0", MAKE, 80).rows]
    text = "\r\n".join(rows).rstrip()
    if selected != 1:
        text = text.replace("● 1.", "  1.").replace(f"  {selected}.", f"● {selected}.")
    return f"\x1b[?25l\x1b[?2004h\x1b[H\x1b[2J{text}\r\n"


class Screen:
    """A conversation that is shown pictures, and asked what it types."""

    def __init__(self, answer: Any) -> None:
        self.conversation = DrivenConversation(80, 40)
        self.asked: list[Dialog] = []
        self.errand = TurnErrand(None, policy=self._policy, seconds=60.0, begun=True)
        self.conversation.begin(self.errand, 0.0)
        self._answer = answer
        self._now = 0.0

    def _policy(self, dialog: Dialog) -> Any:
        self.asked.append(dialog)
        return self._answer(dialog)

    def hear(self, directory: str, answer: int) -> None:
        """The model calls `make` in a folder."""
        arguments = json.dumps({"command": "make", "dir_path": directory})
        self.conversation.hear(None)
        self.conversation.hear(
            {"name": "run_shell_command", "arguments": arguments, "answer": answer}
        )

    def shows(self, text: str = "", *, after: float = FINISHED) -> str:
        """The keys that follow when this is drawn, or nothing, until so much later."""
        self.conversation.receive(text)
        self.conversation.tick(self._now)
        typed = self.conversation.data_to_send()
        self._now += after
        for _ in range(5):
            self.conversation.tick(self._now)
            typed += self.conversation.data_to_send()
        return typed

    @property
    def events(self) -> list[str]:
        """What was told of dialogs."""
        return [event.kind for event in self.conversation.events() if "dialog" in event.kind]


def folder(dialog: Dialog) -> str:
    """In which folder the call of a dialog works."""
    assert dialog.call is not None
    found = json.loads(dialog.call.arguments or "")["dir_path"]
    assert isinstance(found, str)
    return found


def test_a_call_that_is_heard_later_is_not_what_stands_there() -> None:
    """The picture was drawn before it: the dialog keeps its call, and tells of the doubt."""
    screen = Screen(lambda _: None)
    screen.hear("a", 1)
    screen.shows(picture())
    screen.hear("b", 2)
    screen.shows(picture())

    dialog = screen.conversation.dialog

    assert screen.events == ["dialog-opened"]
    assert dialog is not None
    assert folder(dialog) == "a"
    assert "has come since" in dialog.suspicious


def test_enter_is_pressed_once_while_a_picture_stands() -> None:
    """A call that is heard after Enter, and would be drawn alike, is not entered there."""
    screen = Screen(lambda dialog: folder(dialog) == "a")
    screen.hear("a", 1)
    assert screen.shows(picture()) == Key.ENTER
    screen.hear("b", 2)

    assert screen.shows(picture()) == ""
    assert screen.shows(after=LOST) == Key.DOWN
    assert screen.shows(after=10 * LOST) == ""
    assert [folder(dialog) for dialog in screen.asked] == ["a"]


def test_a_dialog_that_takes_the_place_of_one_like_it_is_asked_about() -> None:
    """A cursor key that moves proves that Enter was read: what stands there is the other call's."""
    screen = Screen(lambda dialog: folder(dialog) == "a")
    screen.hear("a", 1)
    assert screen.shows(picture()) == Key.ENTER
    screen.hear("b", 2)
    screen.shows(picture())
    assert screen.shows(after=LOST) == Key.DOWN

    typed = screen.shows(picture(selected=2))

    assert [folder(dialog) for dialog in screen.asked] == ["a", "b"]
    assert screen.events == ["dialog-opened", "dialog-closed", "dialog-opened"]
    assert typed == Key.ESCAPE
