"""A user's test with the real CLI and a scripted model: recorded once, replayed without either."""

import pytest

from tests.clis import cli

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
