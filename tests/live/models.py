"""A scripted model whose script changes from test to test, and what a CLI is given to meet it."""

import threading
from collections import deque
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from geminipty.standin import Always, Kind, Request, StandIn, Step
from geminipty.stories.told import settings_of
from tests.clis import cli

#: The release that is tested in full.
NEWEST = "0.61.0"


class Model:
    """A stand-in that is told before each test what it will answer."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._steps: deque[Step] = deque()
        self._before = 0
        self.api = StandIn(self._answer)

    def will(self, *steps: Step) -> None:
        """Answer with these steps from now on; what was asked before is forgotten."""
        with self._lock:
            self._steps = deque(steps)
            self._before = len(self.api.requests)

    @property
    def requests(self) -> tuple[Request, ...]:
        """All requests since the last `will`, side calls too."""
        return self.api.requests[self._before :]

    @property
    def asked(self) -> tuple[Request, ...]:
        """The requests of the conversation since the last `will`."""
        return tuple(request for request in self.requests if request.kind is Kind.MAIN)

    def wait(self, number: int = 1) -> Request:
        """Wait for the request of the conversation with this number since the last `will`."""
        earlier = self.api.requests[: self._before]
        return self.api.wait_for(number + sum(one.kind is Kind.MAIN for one in earlier))

    @property
    def finished(self) -> bool:
        """Whether every step was used."""
        return not self._steps or isinstance(self._steps[0], Always)

    def options(self, cwd: Path, release: str = NEWEST, /, **chosen: Any) -> dict[str, Any]:
        """What a session needs to run a release in a trusted folder against this model."""
        env = self.api.options["env"] | chosen.pop("env", {})
        command = cli(release)
        settings = {**settings_of(release), **chosen.pop("settings", {})}
        given = {"command": command, "cwd": cwd, "trust": True, "timeout": 60.0, **chosen}
        if chosen.get("home") != "user":
            given["settings"] = settings
        return given | {"env": env}

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.api.close()

    def _answer(self, request: Request) -> Step:
        with self._lock:
            if not self._steps:
                raise AssertionError(f"nobody said how to answer {request.prompt[:60]!r}")
            step = self._steps[0]
            return step if isinstance(step, Always) else self._steps.popleft()
