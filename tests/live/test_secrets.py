"""Secrets of every kind go through a session with the real CLI; none is left of them anywhere."""

import logging
import os
from pathlib import Path

import pytest

from geminipty.cli import main
from geminipty.session import GeminiSession
from geminipty.standin import Call, Say
from tests.playing import load
from tests.secrets import SECRETS, pieces, shown

from .conftest import Surroundings
from .models import Model

pytestmark = pytest.mark.live

#: Only its owner knows that these are secrets.
TOKEN, OWN, FOUND = "Kx8jQ2mN7pL0wZ4rT6yB1v", "correct horse battery", "Falcon-7741-Delta"
#: The first part of these looks like anything else; what only a function knows, like nothing.
WHOLE = ("e-mail", "url-password", "own", "found")
FORMS = ("--html", "--svg", "--text", "--cast2")


@pytest.mark.parametrize("size", [(100, 40), (42, 40)], ids=["wide", "narrow"])
def test_no_secret_is_left_in_a_recording_or_what_is_made_of_it(
    model: Model,
    surroundings: Surroundings,
    tmp_path: Path,
    caplog: pytest.LogCaptureFixture,
    size: tuple[int, int],
) -> None:
    """Asked, answered, in tools, on narrow screens, in the exact reply, in exports and the log."""
    project = surroundings.fresh(f"secrets-{size[0]}")
    story = tmp_path / "story.cast"
    texts = {name: secret.text.replace("\r\n", "\n") for name, secret in SECRETS.items()}
    texts |= {"token": TOKEN, "own": OWN, "found": FOUND}
    answers = [
        Say(f"You said:\n\n{text}\n\nIs it so?", chunks=None if name in WHOLE else 7, pause=0.001)
        for name, text in texts.items()
    ]
    tool = Call("run_shell_command", command=f"echo {TOKEN}")
    model.will(*answers, tool, Say("Done."))
    options = model.options(
        project,
        record=story,
        size=size,
        look="normal",
        approvals="allow",
        env={"DEPLOY_TOKEN": TOKEN, "CLI_TITLE": texts["google-api-key"]},
        redact=lambda text: [one for one in (OWN, FOUND) if one in text],
    )

    with caplog.at_level(logging.DEBUG), GeminiSession(**options) as session:
        replies = [session.ask(f"this: {text} !") for text in texts.values()]
        session.ask("run it")

    assert [reply.text for reply in replies] == [step.text for step in answers]
    main(["export", str(story), *(w for f in FORMS for w in (f, str(tmp_path / f"out{f}")))])
    header, events = load(story)
    made = "".join(path.read_text(encoding="utf-8") for path in tmp_path.iterdir())
    everything = shown(events, header)
    parts = {secret.secret: [*pieces(secret.secret)] for secret in SECRETS.values()}
    # Of a known value, parts of 11 characters are hidden.
    parts |= {
        one: [one[at : at + 11] for at in range(len(one) - 10)] for one in (TOKEN, OWN, FOUND)
    }
    for secret, some in parts.items():
        assert [part for part in some if part in everything] == []
        assert secret not in made
        assert secret not in caplog.text
    assert str(surroundings.home) not in made
    assert os.uname().nodename not in made


def test_a_redacted_session_replays(model: Model, project: Path, tmp_path: Path) -> None:
    """Whoever knows the secret asks as before, and gets the reply without the model's secret."""
    story = tmp_path / "story.cast"
    key = SECRETS["google-api-key"].text
    model.will(Say(f"The key is {key}, then."))
    with GeminiSession(**model.options(project, record=story)) as session:
        live = session.ask(f"is it {key}")

    with GeminiSession.replay(story) as replayed:
        reply = replayed.ask(f"is it {key}")

    assert key in live.text
    assert key[8:] not in reply.text
    assert len(reply.text) == len(live.text)
    assert reply.usage == live.usage
    assert replayed.turns[0].prompt == f"is it {key}"
