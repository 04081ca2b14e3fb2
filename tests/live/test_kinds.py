"""No text of a call changes what the real CLI's dialog about it is taken for."""

import json
import random
from contextlib import suppress
from pathlib import Path
from typing import Literal

import pytest

from geminipty.errors import TurnCancelled
from geminipty.model import Dialog, DialogKind
from geminipty.options import MIN_COLUMNS, MIN_LINES
from geminipty.session import GeminiSession
from geminipty.standin import Always, Call, Say
from tests.dialog_words import ASK_USER, EDIT, INFO, SHELL, line, text

from .conftest import Surroundings
from .models import NEWEST, Model

pytestmark = pytest.mark.live

#: What no terminal draws, or does something else with.
UNSEEN = ("\r", "\x1b[2J\x1b[H", "\x08\x08\x08", "\x9b2J", "\x1b]0;x\x07", "\u202e", "\u200b", "")
SIZES = ((MIN_COLUMNS, 40), (60, 40), (100, 40), (160, 200))
CHOICES = {
    SHELL: ("Allow for this session",),
    EDIT: ("Allow for this session", "Modify with external editor"),
    INFO: ("Allow for this session",),
}


def call(rng: random.Random, kind: DialogKind) -> Call:
    """A call of that kind, about a hostile text."""
    words = text(rng).replace("'", "’") + rng.choice(UNSEEN) + line(rng).replace("'", "’")
    if kind is SHELL:
        return Call("run_shell_command", command=f"touch '{words}'")
    if kind is EDIT:
        return Call("write_file", file_path=f"{rng.random()}.txt", content=words)
    if kind is INFO:
        return Call("web_fetch", prompt=f"{words} http://127.0.0.1:9/x")
    answers = [{"label": f"{line(rng):.20}", "description": text(rng)} for _ in range(2)]
    question = {"question": words, "header": "x", "type": "choice", "options": answers}
    return Call("ask_user", questions=[question])


@pytest.mark.parametrize(
    ("release", "size", "number"),
    [*((NEWEST, size, 25) for size in SIZES), ("0.34.0", (80, 40), 20), ("0.24.5", (80, 40), 20)],
    ids=str,
)
def test_kind_choices_and_call_are_right(
    model: Model,
    surroundings: Surroundings,
    release: str,
    size: tuple[int, int],
    number: int,
) -> None:
    """Whatever is in a call, its dialog is known, whole in its choices, and has its call."""
    rng = random.Random(f"{release} {size}")
    folder = surroundings.fresh(f"{release}-{size[0]}")
    kinds = (SHELL, EDIT, INFO) if release == "0.24.5" else (SHELL, EDIT, INFO, ASK_USER)
    shown: list[Dialog] = []

    def deny(dialog: Dialog) -> bool:
        shown.append(dialog)
        return False

    wrong = []
    with GeminiSession(**model.options(folder, release, approvals=deny, size=size)) as session:
        for one in range(number):
            kind = kinds[one % len(kinds)]
            asked = call(rng, kind)
            model.will(asked, Always(Say("Done.")))
            shown.clear()
            with suppress(TurnCancelled):  # a question to the user is answered by a refusal
                session.ask("go", timeout=20)
            # A long one is drawn in two steps, and asked about again.
            faults = {fault_of(dialog, kind, asked) for dialog in shown} or {"no dialog"}
            if faults != {""}:
                wrong.append((faults, asked, shown[:]))

    assert wrong == []


def fault_of(dialog: Dialog, kind: DialogKind, asked: Call) -> str:
    """What is wrong with the dialog that was shown for a call, if anything is."""
    labels = [choice.label for choice in dialog.choices]
    if dialog.kind is not kind:
        return f"a {dialog.kind} dialog"
    if kind is ASK_USER:
        offered = json.loads(asked.arguments)["questions"][0]["options"]
        known = [" ".join(one["label"].split()) for one in offered]
        if [" ".join(label.split()) for label in labels[:-1]] != known:
            return f"choices {labels}"
    elif labels != ["Allow once", *CHOICES[kind], "No, suggest changes (esc)"]:
        return f"choices {labels}"
    call = dialog.call
    if call is None or call.arguments is None:
        return "no call"
    same = json.loads(call.arguments) == json.loads(asked.arguments)
    return "" if same and call.name == asked.name else "another call"


@pytest.mark.parametrize("look", ["lean", "normal"])
@pytest.mark.parametrize("release", ["0.24.5", "0.61.0"])
def test_the_smallest_size_can_be_read(
    model: Model, project: Path, release: str, look: Literal["lean", "normal"]
) -> None:
    """A prompt, a command and a change to a file on the smallest screen that an option takes."""
    size = (MIN_COLUMNS, MIN_LINES)
    folder = project / f"{release}-{look}"
    folder.mkdir()
    changed = folder / "x.txt"  # a name that is drawn in full, or the dialog is suspicious
    calls = [
        Call("run_shell_command", command="touch q"),
        Call("write_file", file_path=str(changed), content="hello\n"),
    ]
    options = model.options(folder, release, approvals="allow", size=size, look=look)
    with GeminiSession(**options) as session:
        model.will(Say("Hello."))
        assert session.ask("hello").text == "Hello."
        for call in calls:
            model.will(call, Say("Done."))
            assert session.ask("go").text == "Done."

    assert changed.read_text() == "hello\n"
