"""On a busy machine no prompt is lost and none is sent twice."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from os import cpu_count

import pytest

from geminipty.session import GeminiSession
from geminipty.standin import Always, Say

from .models import Model

pytestmark = pytest.mark.live

PROMPTS = 60


@pytest.fixture
def load() -> Iterator[None]:
    """A process for each core that does nothing but work."""
    with ExitStack() as stack:
        for _ in range(cpu_count() or 1):
            busy = stack.enter_context(subprocess.Popen([sys.executable, "-c", "while True: pass"]))
            stack.callback(busy.kill)
        yield


@pytest.mark.usefixtures("load")
def test_under_load_each_prompt_is_sent_once(asking: GeminiSession, model: Model) -> None:
    """Sixty prompts, short and long, arrive once each and in order; each has its reply."""
    prompts = [
        f"prompt {number}" + ("\nand a line" * 8 if number % 3 == 0 else "")
        for number in range(PROMPTS)
    ]
    model.will(Always(Say("Got it.")))

    texts = [asking.ask(prompt).text for prompt in prompts]

    assert texts == ["Got it."] * PROMPTS
    assert [request.prompt for request in model.asked] == prompts
