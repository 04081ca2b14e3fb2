"""A session with the real CLI is recorded, and its replay is the same session again."""

from pathlib import Path
from typing import Any

import pytest

from geminipty.errors import ApiFailed, DialogWaiting
from geminipty.model import Event
from geminipty.session import GeminiSession
from geminipty.standin import Call, Fail, Say, Step, Think

from .conftest import Surroundings
from .models import NEWEST, Model

pytestmark = pytest.mark.live

RELEASES = ("0.1.5", "0.6.1", "0.15.4", "0.30.1", "0.34.0", "0.40.1", "0.51.0", NEWEST)
MARKDOWN = (
    "# Title\n\nSome `code` and **more**.\n\n```sh\nls -l\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |"
)
SCRIPT: tuple[Step, ...] = (
    [Think("Thinking", "of a greeting"), Say("Hello there.")],
    Say(MARKDOWN, chunks=9, pause=0.02),
    [Say("I will make it."), Call("run_shell_command", command="touch made")],
    Say("It is made."),
    Fail(400, "This is not for you."),
)


def tour(session: GeminiSession) -> tuple[list[Event], list[object]]:
    """What a program does with a session: every verb, and an error."""
    told: list[object] = [session.ask("say hello")]
    events = list(session.stream("some markdown\nin two lines"))
    with pytest.raises(DialogWaiting) as waiting:
        session.ask("make a file")
    told += [waiting.value.message, session.answer(1)]
    with pytest.raises(ApiFailed) as failed:
        session.ask("fail")
    told += [failed.value.message, failed.value.turn, session.interrupt(), session.status]
    return events, told


@pytest.mark.parametrize("look", ["lean", "normal"])
@pytest.mark.parametrize("release", RELEASES)
def test_a_replay_is_the_live_session_again(
    model: Model, surroundings: Surroundings, tmp_path: Path, release: str, look: str
) -> None:
    """Events with their times, replies, tools, tokens and errors are the same to the character."""
    model.will(*SCRIPT)
    options: dict[str, Any] = {"look": look, "record": tmp_path / "tour.cast"}
    with GeminiSession(**model.options(surroundings.project, release, **options)) as session:
        live = tour(session)

    with GeminiSession.replay(tmp_path / "tour.cast", timeout=60.0) as replayed:
        again = tour(replayed)

    assert again == live
    assert replayed.turns == session.turns
    assert model.finished
