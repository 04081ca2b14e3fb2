"""A reply is what the API sent, code point for code point, whatever a screen can show of it."""

from pathlib import Path

import pytest

from geminipty.model import ReplySource
from geminipty.session import GeminiSession
from geminipty.standin import Say
from tests.scripts import PIECES, replies

from .models import NEWEST, Model

pytestmark = pytest.mark.live

#: One release of each layout that writes a wire log.
RELEASES = ("0.12.0", "0.15.4", "0.24.5", "0.34.0", "0.47.0", NEWEST)
PROMPTS = {f"Write {kind}": "".join(replies(kind)) for kind in PIECES}


@pytest.mark.parametrize("release", RELEASES)
def test_three_hundred_replies_are_exact(
    release: str, model: Model, project: Path, tmp_path: Path
) -> None:
    """300 texts in over 20 scripts come out as they went in, live and in the replay."""
    path = tmp_path / "exact.cast"
    model.will(*(Say(text, chunks=97) for text in PROMPTS.values()))

    with GeminiSession(**model.options(project, release, record=path)) as session:
        live = [session.ask(prompt) for prompt in PROMPTS]
    with GeminiSession.replay(path) as session:
        played = [session.ask(prompt) for prompt in PROMPTS]

    for (prompt, text), one, other in zip(PROMPTS.items(), live, played, strict=True):
        assert one.text == text, prompt
        assert one.source is ReplySource.WIRE
        assert other == one
