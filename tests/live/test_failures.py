"""What goes wrong, each by its name and within its time; and what mends itself."""

import os
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from geminipty import Anyway
from geminipty.errors import (
    ApiFailed,
    CliExited,
    ContextOverflow,
    FolderNotTrusted,
    LoopDetected,
    NotSignedIn,
    QuotaExceeded,
    SessionClosed,
    SignInExpired,
    TurnFailed,
    TurnTimeout,
    UnsafeApproval,
)
from geminipty.model import DialogKind
from geminipty.session import GeminiSession
from geminipty.standin import Always, Call, Cut, Fail, Hang, Say, Slow, Step
from geminipty.transports.pty import Pty

from .conftest import Surroundings
from .models import NEWEST, Model

pytestmark = pytest.mark.live

OVERFLOW = "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576)."
DAY = Fail(429, quota="day")
#: What the API does, and the error that the caller gets.
FAILURES: list[tuple[str, Step, type[TurnFailed]]] = [
    ("400", Fail(400), ApiFailed),
    ("401", Fail(401), SignInExpired),
    ("403", Fail(403), SignInExpired),
    ("404", Always(Fail(404)), ApiFailed),
    ("429 of a day", Always(DAY), QuotaExceeded),
    ("429 of a minute, for ever", Always(Fail(429, quota="minute", retry_after=1)), QuotaExceeded),
    ("503 for ever", Always(Fail(503)), ApiFailed),
    ("cut", Cut("Half a sentence, and"), ApiFailed),
    ("cut for ever", Always(Cut()), ApiFailed),
    ("too long", Fail(400, OVERFLOW), ContextOverflow),
    ("stopped for safety", Say("", finish="SAFETY"), ApiFailed),
]
#: What the API does before it answers.
MENDED: list[tuple[str, list[Step]]] = [
    ("429 of a minute", [Fail(429, quota="minute", retry_after=1)]),
    ("500", [Fail(500)]),
    ("cut before the first byte", [Cut()]),
    ("slow", []),
]


@pytest.fixture(scope="module")
def session(model: Model, project: Path) -> Iterator[GeminiSession]:
    """A session that fails again and again; the CLI asks the API at most twice."""
    settings = {"general": {"maxAttempts": 2}}
    options = model.options(project, settings=settings, approvals="allow")
    with GeminiSession(**options) as session:
        yield session


@pytest.mark.parametrize(
    ("step", "expected"), [row[1:] for row in FAILURES], ids=[row[0] for row in FAILURES]
)
def test_a_failure_of_the_api_is_named_and_the_session_goes_on(
    session: GeminiSession, model: Model, step: Step, expected: type[TurnFailed]
) -> None:
    """The turn raises the error of its kind, with its screen; then a prompt is answered."""
    model.will(step)
    with pytest.raises(TurnFailed) as failed:
        session.ask("fail", timeout=40)

    model.will(Say("Well again."))
    reply = session.ask("and now")

    assert type(failed.value) is expected
    assert failed.value.frame is not None
    assert failed.value.turn is not None
    assert failed.value.turn.prompt == "fail"
    assert reply.text == "Well again."
    assert len(model.asked) == 1


@pytest.mark.parametrize("before", [row[1] for row in MENDED], ids=[row[0] for row in MENDED])
def test_what_the_cli_mends_by_itself_is_no_failure(
    session: GeminiSession, model: Model, before: list[Step]
) -> None:
    """An API that is slow, or well again at the second try, gives an ordinary reply."""
    model.will(*before, Slow(Say("Here it is."), 1.5))

    reply = session.ask("try", timeout=40)

    assert reply.text == "Here it is."
    assert len(model.asked) == len(before) + 1


def test_silence_is_a_timeout(session: GeminiSession, model: Model) -> None:
    """An API that never answers is TurnTimeout at the caller's own deadline; then it goes on."""
    model.will(Hang(), Say("Awake."))

    with pytest.raises(TurnTimeout):
        session.ask("hello?", timeout=1.5)

    assert session.ask("hello!").text == "Awake."


@pytest.mark.parametrize(
    ("release", "settings"),
    [("0.24.5", {}), (NEWEST, {"model": {"disableLoopDetection": False}})],
)
def test_a_model_that_repeats_itself_is_stopped(
    model: Model, project: Path, release: str, settings: dict[str, Any]
) -> None:
    """The CLI's loop detection raises LoopDetected; its dialog is answered, it stays on."""
    model.will(Always(Call("read_file", file_path="missing.txt")))
    with GeminiSession(**model.options(project, release, settings=settings)) as session:
        with pytest.raises(LoopDetected) as stopped:
            session.ask("read it")

        model.will(Say("Out of it."))
        reply = session.ask("and now")

    assert stopped.value.turn is not None
    kinds = {dialog.kind for dialog in stopped.value.turn.dialogs}
    assert kinds <= {DialogKind.LOOP_DETECTED}
    assert reply.text == "Out of it."


def test_where_loops_are_watched_for_no_call_is_agreed_to_by_itself(
    model: Model, surroundings: Surroundings
) -> None:
    """What the CLI breaks off is in no log: "allow" says which setting is missing."""
    folder = surroundings.fresh("loops")
    model.will(Call("run_shell_command", command="touch made"), Say("Done."))
    settings = {"model": {"disableLoopDetection": False}}

    with GeminiSession(**model.options(folder, settings=settings, approvals="allow")) as session:
        with pytest.raises(UnsafeApproval, match="disableLoopDetection") as refused:
            session.ask("make it")
        session.answer(Anyway(True))

    assert refused.value.dialog.call is not None
    assert (folder / "made").exists()


def pid_of(session: GeminiSession) -> int:
    """The process that a session started."""
    transport = session._run.transport
    assert isinstance(transport, Pty)
    return transport.pid


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGSEGV], ids=lambda n: n.name)
def test_a_cli_that_is_killed_in_mid_turn_is_told(
    model: Model, project: Path, number: signal.Signals
) -> None:
    """CliExited names the signal and has what there was of the reply."""
    model.will(Hang("A beginning.\n\nAnd"))

    with GeminiSession(**model.options(project)) as session:
        events = session.stream("begin")
        while next(events).kind != "reply-grew":
            pass
        os.kill(pid_of(session), number)
        with pytest.raises(CliExited, match=f"signal {number.value}") as exited:
            list(events)

        assert exited.value.status == -number
        assert exited.value.turn is not None
        assert "A beginning." in exited.value.turn.reply.text


def test_a_cli_that_left_by_itself_is_told(model: Model, project: Path) -> None:
    """After /quit the next prompt raises CliExited, not a timeout; close() still works."""
    with GeminiSession(**model.options(project)) as session:
        session.command("/quit")

        with pytest.raises((CliExited, SessionClosed)):
            session.ask("are you there")


def test_a_folder_that_nobody_trusts_is_refused(model: Model, surroundings: Surroundings) -> None:
    """Without trust=True a new folder raises FolderNotTrusted, with the CLI's choices."""
    options = model.options(surroundings.fresh("strange"), trust=False)

    with pytest.raises(FolderNotTrusted, match="trust=True") as refused:
        GeminiSession(**options).start()

    assert len(refused.value.choices) == 3


def test_without_a_key_nobody_is_signed_in(model: Model, project: Path) -> None:
    """NotSignedIn names the variables that help; nothing is left running."""
    options = model.options(project) | {"env": {}}

    with pytest.raises(NotSignedIn, match="GEMINI_API_KEY"):
        GeminiSession(**options).start()


def test_a_wrong_key_is_told_by_the_first_turn(session: GeminiSession, model: Model) -> None:
    """The turn fails with the API's words about the key."""
    model.will(Fail(400, "API key not valid. Please pass a valid API key."))

    with pytest.raises(SignInExpired, match="API key not valid"):
        session.ask("hello")
