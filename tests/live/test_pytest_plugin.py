"""A user's test with the real CLI and a scripted model: recorded once, replayed without either."""

import pytest

from geminipty.standin import Request, Say, StandIn, Step
from tests.clis import cli
from tests.test_docs import ROOT, blocks

from .models import NEWEST

pytestmark = pytest.mark.live
pytest_plugins = ["pytester"]

TESTS = """
import pytest
from geminipty.standin import Call, Say

@pytest.mark.gemini(command={command!r}, trust=True, approvals="allow", timeout=60.0)
def test_makes_a_file(gemini, gemini_standin, tmp_path):
    gemini_standin([[Say("I make it."), Call("run_shell_command", command="touch made")]])
    gemini_standin([Say("It is **made**.")])

    reply = gemini.ask("make a file")

    assert reply.text.endswith("It is **made**.")
    assert [tool.function for tool in reply.tools] == ["run_shell_command"]
    if gemini_standin.api is not None:
        assert (tmp_path / "made").exists()
"""


def test_a_test_with_the_real_cli_is_recorded_and_replayed(pytester: pytest.Pytester) -> None:
    """The second run has no CLI to start, no model, and the same exact reply and tools."""
    pytester.makepyfile(test_file=TESTS.format(command=str(cli(NEWEST))))
    pytester.runpytest_inprocess("-W", "error", "--gemini-record=new").assert_outcomes(passed=1)
    pytester.makepyfile(test_file=TESTS.format(command="no-such-program"))

    result = pytester.runpytest_inprocess("-W", "error", "--gemini-unused=fail")

    result.assert_outcomes(passed=1)
    recordings = pytester.path / "recordings"
    assert [path.name for path in recordings.rglob("*.cast")] == ["test_makes_a_file.cast"]


PROGRAM = """
def greet(session, name):
    return session.ask(f"Greet {name}, please.").text
"""


def answer(request: Request) -> Step:
    """The model of the examples that bring none."""
    return Say("Hello, Ada." if "Ada" in request.prompt else "Hello.")


def test_the_tests_of_the_documents_can_be_recorded_and_replayed(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each example of docs/testing.md passes as it stands, with the CLI and then without."""
    examples = blocks(ROOT / "docs" / "testing.md", "pytest")
    modules = {f"test_{number}": code for number, code in enumerate(examples)}
    pytester.makepyfile(my_program=PROGRAM, **modules)
    pytester.syspathinsert()

    with StandIn(answer) as api:
        for name, value in api.options["env"].items():
            monkeypatch.setenv(name, value)
        monkeypatch.setenv("GEMINI_CLI_PATH", str(cli(NEWEST)))
        recorded = pytester.runpytest_inprocess("-W", "error", "--gemini-record=new")
    monkeypatch.setenv("GEMINI_CLI_PATH", "no-such-program")
    replayed = pytester.runpytest_inprocess("-W", "error", "--gemini-unused=fail")

    recorded.assert_outcomes(passed=3)
    replayed.assert_outcomes(passed=3)
