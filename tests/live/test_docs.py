"""The examples that need the CLI run as they stand in the documents."""

from pathlib import Path

import pytest

from geminipty.standin import Call, Request, Say, StandIn, Step
from tests.clis import cli
from tests.test_docs import PAGES, blocks

from .models import NEWEST

pytestmark = pytest.mark.live

EXAMPLES = [
    pytest.param(code, id=f"{page.name}-{number}")
    for page in PAGES
    for number, code in enumerate(blocks(page, "py"), 1)
]


def answer(request: Request) -> Step:
    """A greeting, or the tool that the example with a dialog is about."""
    if "touch" in request.prompt and not request.tool_results:
        return Call("run_shell_command", command="touch notes")
    return Say("Hello there.")


@pytest.mark.parametrize("code", EXAMPLES)
def test_every_live_example_runs(
    code: str,
    project: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """An example finds the CLI and the key by itself, and prints the reply."""
    with StandIn(answer) as api:
        for name, value in api.options["env"].items():
            monkeypatch.setenv(name, value)
        monkeypatch.setenv("GEMINI_CLI_PATH", str(cli(NEWEST)))
        monkeypatch.chdir(project)

        exec(compile(code, "example", "exec"), {"__name__": "example"})

    assert "Hello there." in capsys.readouterr().out
