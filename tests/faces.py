"""Both faces of a session behind one set of calls, over the toy CLI."""

import asyncio
import os
import signal
import sys
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

from geminipty.aio import AsyncGeminiSession
from geminipty.errors import GeminiPtyError
from geminipty.model import Dialog, Reply, Turn
from geminipty.options import Deadlines
from geminipty.session import GeminiSession
from geminipty.terminal import Frame
from tests.leaks import wait_for

#: Options that decide what a session does with what it sees.
REPLAYED = ("approvals", "deadlines", "timeout")
TOY = Path(__file__).parent / "toys" / "cli.py"


class Place:
    """A user's home, a project, a folder for temporary files, and the toy's log."""

    def __init__(self, folder: Path) -> None:
        self.home, self.project = folder / "home", folder / "project"
        self.temporary = folder / "temporary"
        for one in (self.home, self.project, self.temporary):
            one.mkdir()
        self._log = folder / "toy.log"

    @property
    def log(self) -> list[str]:
        """What the toy was given, in order."""
        return self._log.read_text().splitlines() if self._log.exists() else []

    @property
    def prompts(self) -> list[str]:
        """The prompts that the toy took."""
        return [line.removeprefix("prompt ") for line in self.log if line.startswith("prompt ")]

    def swap(self) -> None:
        """Have the toy put another dialog in the place of the open one."""
        (pid,) = (int(line.removeprefix("pid ")) for line in self.log if line.startswith("pid "))
        os.kill(pid, signal.SIGUSR1)
        self.wait_for("swapped")

    def wait_for(self, line: str) -> None:
        """Wait until the toy has written this line."""
        wait_for(lambda: line in self.log)

    def options(self, *switches: str, **chosen: Any) -> dict[str, Any]:
        """Options for a session with the toy; short deadlines."""
        env = {"HOME": str(self.home), "TMPDIR": str(self.temporary), "TOY_LOG": str(self._log)}
        return {
            "command": (sys.executable, "-S", "-E", str(TOY), *switches),
            "cwd": self.project,
            "size": (80, 40),
            "deadlines": Deadlines(start=10.0, close=2.0),
            "timeout": 15.0,
            **chosen,
            "env": {**env, **chosen.get("env", {})},
        }


class Sync:
    """GeminiSession."""

    def __init__(self, **options: Any) -> None:
        self.session = GeminiSession(**options)

    @classmethod
    def over(cls, session: GeminiSession) -> "Sync":
        """The face of a session that is there already."""
        face = cls.__new__(cls)
        face.session = session
        return face

    def start(self) -> None:
        """As the session's."""
        self.session.start()

    def ask(self, prompt: str, **rest: Any) -> Reply:
        """As the session's."""
        return self.session.ask(prompt, **rest)

    def events(self, prompt: str) -> list[str]:
        """The kinds of a turn's events."""
        return [event.kind for event in self.session.stream(prompt)]

    def answer(self, answer: object, **rest: Any) -> Reply:
        """As the session's."""
        return self.session.answer(answer, **rest)

    def interrupt(self) -> Reply | None:
        """As the session's."""
        return self.session.interrupt()

    def command(self, command: str, **rest: Any) -> str:
        """As the session's."""
        return self.session.command(command, **rest)

    def resize(self, columns: int, lines: int) -> None:
        """As the session's."""
        self.session.resize(columns, lines)

    @property
    def dialog(self) -> Dialog | None:
        """As the session's."""
        return self.session.dialog

    @property
    def frame(self) -> Frame:
        """As the session's."""
        return self.session.frame

    @property
    def turns(self) -> tuple[Turn, ...]:
        """As the session's."""
        return self.session.turns

    def close(self) -> None:
        """As the session's."""
        self.session.close()

    def dispose(self) -> None:
        """Close it, and whatever it ran in."""
        self.close()


class Taped(Sync):
    """GeminiSession, recorded; in the end every call is made again to a replay of it.

    A test that takes the session itself makes calls that are not seen here: it has no replay.
    """

    def __init__(self, **options: Any) -> None:
        self._recording = options["cwd"].parent / f"{id(self)}.cast"
        self._options = {name: options[name] for name in REPLAYED if name in options}
        self._told: list[tuple[str, tuple[Any, ...], dict[str, Any], object]] = []
        self._whole = True
        self._session = GeminiSession(**options, record=self._recording)

    @property
    def session(self) -> GeminiSession:  # type: ignore[override]
        """The session; what is called on it has no replay."""
        self._whole = False
        return self._session

    def _tell(self, name: str, *args: Any, **rest: Any) -> Any:
        face = Sync.over(self._session)
        if "attachments" in rest:
            self._whole = False  # a replay has no files to look for
        try:
            outcome, result = outcome_of(getattr(face, name), *args, **rest)
        except KeyboardInterrupt:
            self._whole = False
            raise
        self._told.append((name, args, rest, outcome))
        if isinstance(result, BaseException):
            raise result
        return result

    def start(self) -> None:
        """As the session's."""
        self._tell("start")

    def ask(self, prompt: str, **rest: Any) -> Reply:
        """As the session's."""
        reply: Reply = self._tell("ask", prompt, **rest)
        return reply

    def events(self, prompt: str) -> list[str]:
        """The kinds of a turn's events."""
        kinds: list[str] = self._tell("events", prompt)
        return kinds

    def answer(self, answer: object, **rest: Any) -> Reply:
        """As the session's."""
        reply: Reply = self._tell("answer", answer, **rest)
        return reply

    def interrupt(self) -> Reply | None:
        """As the session's."""
        reply: Reply | None = self._tell("interrupt")
        return reply

    def command(self, command: str, **rest: Any) -> str:
        """As the session's."""
        printed: str = self._tell("command", command, **rest)
        return printed

    def resize(self, columns: int, lines: int) -> None:
        """As the session's."""
        self._tell("resize", columns, lines)

    @property
    def frame(self) -> Frame:
        """As the session's."""
        return self._session.frame

    @property
    def turns(self) -> tuple[Turn, ...]:
        """As the session's."""
        return self._session.turns

    def close(self) -> None:
        """As the session's."""
        self._tell("close")

    def dispose(self) -> None:
        """Close it, and make every call again to its replay."""
        self.close()
        if self._whole and self._recording.exists():
            session = GeminiSession.replay(self._recording, **self._options)
            face = Sync.over(session)
            for name, args, rest, outcome in self._told:
                again, _ = outcome_of(getattr(face, name), *args, **rest)
                assert again == outcome, f"{name}: {again} where it was {outcome}"
            assert session.turns == self.turns
        self._whole = False


def outcome_of(verb: Callable[..., Any], *args: Any, **rest: Any) -> tuple[object, Any]:
    """What a call gives, in a form that can be compared, and the thing itself."""
    try:
        result = verb(*args, **rest)
    except GeminiPtyError as error:
        return (type(error), error.message, error.turn), error
    except Exception as error:  # noqa: BLE001 - whatever a test's own function raises
        return (type(error), str(error)), error
    return result, result


class Async(Sync):
    """AsyncGeminiSession, in a loop of its own."""

    def __init__(self, **options: Any) -> None:
        self.runner = asyncio.Runner()
        self.disposed = False
        self.session: Any = AsyncGeminiSession(**options)

    def _run(self, verb: Coroutine[Any, Any, Any]) -> Any:
        return self.runner.run(verb)

    def start(self) -> None:
        """As the session's."""
        self._run(self.session.start())

    def ask(self, prompt: str, **rest: Any) -> Reply:
        """As the session's."""
        reply: Reply = self._run(self.session.ask(prompt, **rest))
        return reply

    def events(self, prompt: str) -> list[str]:
        """The kinds of a turn's events."""

        async def collect() -> list[str]:
            stream: Any = self.session.stream(prompt)
            return [event.kind async for event in stream]

        kinds: list[str] = self._run(collect())
        return kinds

    def answer(self, answer: object, **rest: Any) -> Reply:
        """As the session's."""
        reply: Reply = self._run(self.session.answer(answer, **rest))
        return reply

    def interrupt(self) -> Reply | None:
        """As the session's."""
        reply: Reply | None = self._run(self.session.interrupt())
        return reply

    def command(self, command: str, **rest: Any) -> str:
        """As the session's."""
        printed: str = self._run(self.session.command(command, **rest))
        return printed

    def resize(self, columns: int, lines: int) -> None:
        """As the session's."""
        self._run(self.session.resize(columns, lines))

    def close(self) -> None:
        """As the session's."""
        self._run(self.session.close())

    def dispose(self) -> None:
        """Close it, and whatever it ran in."""
        if not self.disposed:
            self.close()
            self.runner.close()
        self.disposed = True


Face = Sync | Async
#: Makes a session of one face, over the toy with these switches and options; started or not.
Open = Callable[..., Face]


def toys(place: Place) -> list[int]:
    """The toys of a place that still run, and what they started."""
    found = []
    for line in place.log:
        kind, _, pid = line.partition(" ")
        if kind in ("pid", "child") and Path(f"/proc/{pid}").exists():
            found.append(int(pid))
    return [pid for pid in found if _is_toy(pid)]


def _is_toy(pid: int) -> bool:
    try:
        return os.fsencode(str(TOY)) in Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return False
