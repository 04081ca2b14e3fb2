"""One contract for both faces, and many sessions side by side."""

import asyncio
import gc
from collections.abc import AsyncIterator, Iterator
from concurrent.futures import ThreadPoolExecutor
from inspect import isawaitable
from pathlib import Path
from typing import Any

import pytest

from geminipty.aio import AsyncGeminiSession
from geminipty.errors import (
    ApiFailed,
    DialogWaiting,
    SessionClosed,
    TurnInProgress,
    TurnTimeout,
    UnsafePrompt,
    UsageError,
)
from geminipty.model import Event, Status
from geminipty.session import GeminiSession
from geminipty.standin import Always, Call, Fail, Hang, Request, Say, StandIn, Step

from .conftest import Surroundings
from .models import Model

pytestmark = pytest.mark.live


class Face:
    """Either session as calls that wait: what must be awaited is run on a loop of its own."""

    def __init__(self, kind: type[GeminiSession | AsyncGeminiSession], **options: Any) -> None:
        self._session = kind(**options)
        self._loop = asyncio.new_event_loop()

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._session, name)
        if not callable(found):
            return found

        def call(*args: Any, **chosen: Any) -> Any:
            return self._whole(found(*args, **chosen))

        return call

    def _whole(self, result: Any) -> Any:
        if isinstance(result, Iterator):
            return list(result)
        if isinstance(result, AsyncIterator):
            return self._loop.run_until_complete(_listed(result))
        return self._loop.run_until_complete(result) if isawaitable(result) else result

    def end(self) -> None:
        """Close the session and give the loop back."""
        self.close()
        self._loop.close()


async def _listed(events: AsyncIterator[Event]) -> list[Event]:
    return [event async for event in events]


@pytest.fixture(scope="module", params=[GeminiSession, AsyncGeminiSession])
def kind(request: pytest.FixtureRequest) -> type[GeminiSession | AsyncGeminiSession]:
    """One of the two faces."""
    found: type[GeminiSession | AsyncGeminiSession] = request.param
    return found


@pytest.fixture(scope="module")
def face(
    kind: type[GeminiSession | AsyncGeminiSession], model: Model, project: Path
) -> Iterator[Face]:
    """A session that has started, by either face."""
    face = Face(kind, **model.options(project))
    face.start()
    yield face
    face.end()


def test_ask_returns_the_reply(face: Face, model: Model) -> None:
    """A prompt gets its reply."""
    model.will(Say("Hello."))

    assert face.ask("hi").text == "Hello."
    assert face.status is Status.READY


def test_stream_ends_with_the_turn(face: Face, model: Model) -> None:
    """The events of a turn begin with its start and end with the whole of it."""
    model.will(Say("One.\n\nTwo.\n\nThree.", chunks=6, pause=0.05))

    events = face.stream("count")

    assert events[-1].kind == "turn-finished"
    assert events[-1].turn.reply.text == "One.\n\nTwo.\n\nThree."
    assert "reply-grew" in [event.kind for event in events]


def test_a_dialog_is_answered(face: Face, model: Model, project: Path) -> None:
    """DialogWaiting, then an answer, then the reply."""
    (project / "made").unlink(missing_ok=True)
    model.will(Call("run_shell_command", command="touch made"), Say("Made."))

    with pytest.raises(DialogWaiting):
        face.ask("make it")
    with pytest.raises(TurnInProgress):
        face.ask("another")

    assert face.answer(True).text == "Made."
    assert (project / "made").exists()


def test_a_turn_is_interrupted(face: Face, model: Model) -> None:
    """interrupt() ends the turn that waits for an answer; without a turn there is None."""
    model.will(Call("run_shell_command", command="touch never"))
    with pytest.raises(DialogWaiting):
        face.ask("make it")

    part = face.interrupt()

    assert part is not None
    assert face.interrupt() is None
    assert face.status is Status.READY


def test_errors_are_raised_and_the_session_goes_on(face: Face, model: Model) -> None:
    """A failure, a timeout and a refused prompt are errors by name; then a prompt is answered."""
    model.will(Fail(400, "No."), Hang(), Say("Well."))

    with pytest.raises(ApiFailed):
        face.ask("fail")
    with pytest.raises(TurnTimeout):
        face.ask("hang", timeout=1.5)
    with pytest.raises(UnsafePrompt):
        face.ask("/quit")
    with pytest.raises(UsageError):
        face.ask("hello", timeout=0)

    assert face.ask("and now").text == "Well."


def test_commands_and_the_shell_are_run(face: Face, model: Model) -> None:
    """command() and shell() return what the CLI prints; a resized terminal changes nothing."""
    model.will(Say("Still here."))

    face.resize(120, 50)

    assert "Session Stats" in face.command("/stats")
    assert "42" in face.shell("echo $((40 + 2))")
    assert face.ask("there?").text == "Still here."


def test_a_session_is_used_between_start_and_close(
    kind: type[GeminiSession | AsyncGeminiSession], model: Model, project: Path
) -> None:
    """Before start() and after close() a call raises SessionClosed; close() can be repeated."""
    session = Face(kind, **model.options(project))

    with pytest.raises(SessionClosed):
        session.ask("too early")
    session.start()
    session.close()
    session.close()
    with pytest.raises(SessionClosed):
        session.ask("too late")
    with pytest.raises(SessionClosed):
        session.start()

    session.end()


def test_a_second_thread_is_refused(model: Model, project: Path) -> None:
    """While one thread waits for its turn, another gets TurnInProgress at once."""
    model.will(Hang())
    with GeminiSession(**model.options(project)) as session, ThreadPoolExecutor(1) as thread:
        first = thread.submit(session.ask, "x", timeout=3)
        model.wait()

        with pytest.raises(TurnInProgress):
            session.ask("y")

        assert isinstance(first.exception(), TurnTimeout)


def echo(request: Request) -> Step:
    """Say what was asked."""
    return Say(f"You said {request.prompt}.")


def test_eight_sessions_share_a_loop(project: Path, model: Model) -> None:
    """Sessions on one loop answer at the same time, each its own prompts."""

    async def talk(number: int, api: StandIn) -> list[str]:
        options = model.options(project) | api.options
        async with AsyncGeminiSession(**options) as session:
            replies = [await session.ask(f"session {number} prompt {turn}") for turn in range(2)]
        return [reply.text for reply in replies]

    async def all_of_them(api: StandIn) -> list[list[str]]:
        return list(await asyncio.gather(*(talk(number, api) for number in range(8))))

    with StandIn(echo) as api:
        texts = asyncio.run(all_of_them(api))

    expected = [[f"You said session {n} prompt {t}." for t in range(2)] for n in range(8)]
    assert texts == expected


def test_a_cancelled_task_interrupts_its_turn(project: Path, model: Model) -> None:
    """Cancelling the task that asks stops the CLI, and the session takes the next prompt."""
    model.will(Hang("A beginning."), Say("Fresh."))

    async def story() -> str:
        async with AsyncGeminiSession(**model.options(project)) as session:
            task = asyncio.create_task(session.ask("begin"))
            await asyncio.to_thread(model.wait)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            return (await session.ask("next")).text

    assert asyncio.run(story()) == "Fresh."


def test_sessions_leave_nothing(project: Path, model: Model, surroundings: Surroundings) -> None:
    """Five sessions, opened and closed: no process, file or file descriptor is left.

    Those of the module's shared session are there before.
    """
    before = surroundings.left()
    model.will(Always(Say("Hello.")))
    handles: list[int] = []

    for _ in range(5):
        with GeminiSession(**model.options(project)) as session:
            assert session.ask("hi").text == "Hello."
        gc.collect()
        handles.append(len(list(Path("/proc/self/fd").iterdir())))

    assert surroundings.left() == before
    assert max(handles[1:]) <= handles[0]  # the stand-in lets go of the first ones a little later
