"""Both faces of a session behind one set of calls, over the toy CLI."""

import asyncio
import os
import sys
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

from geminipty.aio import AsyncGeminiSession
from geminipty.model import Reply, Turn
from geminipty.options import Deadlines
from geminipty.session import GeminiSession
from geminipty.terminal import Frame
from tests.leaks import wait_for

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
