"""Dialogs that are higher than the screen tear the transcript: turns stay apart all the same."""

from typing import Any

import pytest

from geminipty.model import Status
from geminipty.session import GeminiSession
from geminipty.standin import Call, Say

from .conftest import Surroundings
from .models import NEWEST, Model

pytestmark = pytest.mark.live

SMALL, NORMAL = {"size": (80, 24)}, {"look": "normal"}
CASES = [
    *((NEWEST, 30, SMALL | NORMAL), (NEWEST, 30, NORMAL), (NEWEST, 150, {})),
    *(("0.34.0", 30, NORMAL), ("0.24.5", 30, NORMAL)),
]


def long(lines: int, name: str) -> Call:
    """A command of so many lines."""
    rows = (f"echo line {number} of {name} >> {name}" for number in range(lines))
    return Call("run_shell_command", command="\n".join(rows))


@pytest.mark.parametrize("prompts", [("go",) * 4, ("one", "two", "three", "four")], ids=len)
@pytest.mark.parametrize(("release", "lines", "look"), CASES)
def test_each_turn_has_its_own_reply_and_tools(
    model: Model,
    surroundings: Surroundings,
    release: str,
    lines: int,
    look: dict[str, Any],
    prompts: tuple[str, ...],
) -> None:
    """The same prompt again or another one: its dialog is answered, its reply is its own."""
    folder = surroundings.fresh(f"{release} {lines} {len(look)} {prompts[-1]}")
    told = []

    with GeminiSession(**model.options(folder, release, approvals="allow", **look)) as session:
        for number, prompt in enumerate(prompts):
            model.will(long(lines, f"{number}.txt"), Say(f"Done with {number}."))
            reply = session.ask(prompt)
            told.append((reply.text, [tool.arguments for tool in reply.tools], session.status))

    assert told == [
        (f"Done with {number}.", [long(lines, f"{number}.txt").arguments], Status.READY)
        for number in range(len(prompts))
    ]
    assert len(list(folder.iterdir())) == len(prompts)
