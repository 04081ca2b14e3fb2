"""The same rules on releases of every layout, from 0.1.5 on."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from geminipty.errors import ApiFailed, TurnCancelled
from geminipty.model import Dialog, ReplySource, Status, ToolOutcome
from geminipty.session import GeminiSession
from geminipty.standin import Call, Fail, Say
from geminipty.terminal import Key

from .conftest import Surroundings
from .models import NEWEST, Model

pytestmark = pytest.mark.live

RELEASES = ("0.1.5", "0.6.1", "0.15.4", "0.24.5", "0.30.1", "0.34.0", "0.40.1", "0.51.0", NEWEST)
#: Who knows best what the model said, where that is not the wire log.
SOURCES = {"0.1.5": ReplySource.SCREEN, "0.6.1": ReplySource.CHAT_FILE}
CASES = [*((release, "lean") for release in RELEASES), ("0.24.5", "normal"), (NEWEST, "normal")]


@pytest.fixture(scope="module", params=CASES, ids=" ".join)
def case(request: pytest.FixtureRequest) -> tuple[str, str]:
    """A release, and how its screen is to look."""
    release, look = request.param
    return release, look


class Policy:
    """Allows, unless it is told to deny."""

    allows = True

    def __call__(self, dialog: Dialog) -> bool:
        """The answer to a dialog."""
        del dialog
        return self.allows


@pytest.fixture(scope="module")
def policy() -> Policy:
    """What the session answers dialogs with."""
    return Policy()


@pytest.fixture(scope="module")
def session(
    model: Model, case: tuple[str, str], policy: Policy, surroundings: Surroundings
) -> Iterator[GeminiSession]:
    """A session of the release; its end leaves nothing."""
    release, look = case
    chosen = {"look": look, "approvals": policy}
    with GeminiSession(**model.options(surroundings.project, release, **chosen)) as session:
        yield session
    assert session.status is Status.CLOSED
    assert surroundings.left() == []


def test_a_session_is_ready_when_it_has_started(session: GeminiSession) -> None:
    """`with` gives a CLI that takes a prompt."""
    assert session.status is Status.READY


def test_each_turn_has_its_own_reply(
    session: GeminiSession, model: Model, case: tuple[str, str]
) -> None:
    """Two prompts in one session get two replies, each once and to its own prompt."""
    model.will(Say("Hello there."), Say("A line.\n\nAnd another."))

    first = session.ask("say hello")
    second = session.ask("again\nwith two lines")

    assert (first.text, second.text) == ("Hello there.", "A line.\n\nAnd another.")
    assert [request.prompt for request in model.asked] == ["say hello", "again\nwith two lines"]
    source = SOURCES.get(case[0], ReplySource.WIRE)
    assert second.source is source
    assert second.agreement is (None if source is ReplySource.SCREEN else True)


def test_an_allowed_tool_runs(session: GeminiSession, model: Model, project: Path) -> None:
    """A shell command that is allowed runs, and the reply tells of it."""
    (project / "made").unlink(missing_ok=True)
    call = Call("run_shell_command", command="touch made")
    model.will([Say("I will make it."), call], Say("It is made."))

    reply = session.ask("make a file")

    assert (project / "made").exists()
    assert reply.text == "I will make it.\n\nIt is made."
    assert [tool.outcome for tool in reply.tools] == [ToolOutcome.SUCCESS]
    assert "touch made" in reply.tools[0].summary


def test_an_error_of_the_api_has_a_name_and_the_session_goes_on(
    session: GeminiSession, model: Model
) -> None:
    """A refused request raises ApiFailed with the API's words; the next prompt is answered."""
    model.will(Fail(400, "This is not for you."), Say("Well again."))

    with pytest.raises(ApiFailed, match="This is not for you") as failed:
        session.ask("fail")
    reply = session.ask("and now")

    assert failed.value.turn is not None
    assert reply.text == "Well again."
    assert [request.prompt for request in model.asked] == ["fail", "and now"]


def test_a_denied_tool_does_not_run_and_the_session_goes_on(
    session: GeminiSession, model: Model, project: Path, policy: Policy
) -> None:
    """A command that is denied is not run, the turn says so, and the next prompt is answered."""
    model.will(Call("run_shell_command", command="touch denied"), Say("Still here."))
    policy.allows = False

    try:
        with pytest.raises(TurnCancelled) as cancelled:
            session.ask("make a file")
    finally:
        policy.allows = True  # for the tests that share it
    reply = session.ask("are you there")

    assert not (project / "denied").exists()
    turn = cancelled.value.turn
    assert turn is not None
    # 0.1 draws the tool twice when it turns ready, and once a moment later.
    assert {tool.outcome for tool in turn.reply.tools} == {ToolOutcome.CANCELLED}
    assert reply.text == "Still here."


def test_a_text_that_was_left_in_the_composer_goes(session: GeminiSession, model: Model) -> None:
    """Wherever its cursor stands, the prompt arrives alone."""
    run = session._run
    model.will(Say("Alone."))
    for keys in ("left", Key.LEFT, Key.LEFT):
        run.transport.send(keys)
        before = run.conversation.frame.rows, run.conversation.frame.cursor
        until = run.transport.now() + 5
        while run.transport.now() < until and before == (
            run.conversation.frame.rows,
            run.conversation.frame.cursor,
        ):
            run.transport.wait(until)
            run.pump()

    reply = session.ask("are you alone?")

    assert reply.text == "Alone."
    assert model.asked[-1].prompt == "are you alone?"
