"""The stand-in itself: hands out the steps of its script and keeps what was asked.

Rule: it never blocks the CLI by accident. A script that has ended, and one that raises, are
answered at once in words that the CLI shows, and told again by `check`.
"""

import os
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from types import TracebackType
from typing import Any, Final, Self, TypeAlias

from geminipty.errors import TimedOut, UsageError
from geminipty.standin.answers import beginning, events, stream_of, tokens, whole
from geminipty.standin.requests import Kind, Request, received
from geminipty.standin.sides import side_text
from geminipty.standin.steps import (
    Always,
    Cut,
    Fail,
    Hang,
    Say,
    Slow,
    Step,
    checked,
)
from geminipty.standin.wire import Server, Wire

#: The steps in their order, or a function that answers by what was asked.
Script: TypeAlias = Iterable[Step] | Callable[[Request], Step]
_SHOWN: Final = 60  # characters of a prompt in a message


class StandIn:
    """A scripted Gemini API on a free port of 127.0.0.1, from here to `close`.

    Each request of the conversation takes the next step; a function is called with the request
    instead, for one request at a time. Steps are checked now: UsageError for what is none. Use it
    in a `with` block, and give `options` to the session.
    """

    def __init__(self, script: Script) -> None:
        self._steps: Sequence[Step] = ()
        self._function: Callable[[Request], Step] | None = None
        if callable(script):
            self._function = script
        else:
            self._steps = _steps_of(script)
        self._used = 0
        self._turn = threading.Lock()  # a function is called for one request at a time
        self._changed = threading.Condition()
        self._requests: list[Request] = []
        self._unexpected: list[int] = []
        self._problems: list[BaseException] = []
        self._closed = False
        self._server = Server(self._answer, self._problems.append)

    @property
    def url(self) -> str:
        """Where it listens."""
        return f"http://{self._server.host}"

    @property
    def key(self) -> str:
        """Its own random key: whoever sends another one, or none, is refused."""
        return self._server.key

    @property
    def options(self) -> dict[str, Any]:
        """Keyword options for a session whose CLI is to use the stand-in: `env`."""
        return {"env": {**_no_proxy(), **self._sign_in()}}

    @property
    def requests(self) -> tuple[Request, ...]:
        """All that was asked so far, in the order of arrival."""
        with self._changed:
            return tuple(self._requests)

    @property
    def unexpected(self) -> tuple[Request, ...]:
        """The requests of the conversation that came after the end of the script."""
        with self._changed:
            return tuple(self._requests[index] for index in self._unexpected)

    @property
    def finished(self) -> bool:
        """Whether every step was used; for a function, always."""
        with self._changed:
            left = self._steps[self._used :]
        return not left or isinstance(left[0], Always)

    @property
    def last_byte(self) -> float | None:
        """When the last answer of the conversation ended, by `time.monotonic`; None before."""
        ends = [r.ended for r in self.requests if r.kind is Kind.MAIN and r.ended is not None]
        return max(ends, default=None)

    def wait_for(self, number: int, timeout: float = 30.0, *, answered: bool = False) -> Request:
        """Wait for the request of the conversation with this number, from 1, and return it.

        With `answered`, wait until its answer has ended. TimedOut after so many seconds;
        UsageError if the stand-in is closed before.
        """

        def here() -> Request | None:
            asked = [request for request in self._requests if request.kind is Kind.MAIN]
            found = asked[number - 1] if 0 < number <= len(asked) else None
            return found if found and (found.ended or not answered) else None

        with self._changed:
            self._changed.wait_for(lambda: here() or self._closed, timeout)
            if (request := here()) is not None:
                return request
            if self._closed:
                raise UsageError(f"the stand-in was closed before request {number} was there.")
            came = sum(request.kind is Kind.MAIN for request in self._requests)
        raise TimedOut(
            f"request {number} did not come within {timeout:g} s; there were {came}. "
            "Look at what the CLI shows: it may be waiting for an answer.",
            seconds=timeout,
            phase="waiting for a request",
        )

    def check(self) -> None:
        """Raise UsageError unless the script was used to its end and was enough."""
        if self._problems:
            problem = self._problems[0]
            raise UsageError(f"the stand-in could not answer: {problem!r}.") from problem
        if unexpected := self.unexpected:
            raise UsageError(
                f"requests after the end of the script: {len(unexpected)}; the first was "
                f"{_shown(unexpected[0])}. Add steps for them."
            )
        if not self.finished:
            raise UsageError(
                f"only {self._used} of {len(self._steps)} steps were used; the next is "
                f"{self._steps[self._used]!r}. Take it out, or ask more."
            )

    def close(self) -> None:
        """End every answer at once and leave no thread and no socket; a second time is nothing."""
        with self._changed:
            if self._closed:
                return
            self._closed = True
            self._changed.notify_all()
        self._server.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def _answer(self, wire: Wire, body: bytes) -> None:
        request = received(wire.command, wire.path, body, came=time.monotonic())
        with self._changed:
            request = replace(request, number=len(self._requests) + 1)
            self._requests.append(request)
            self._changed.notify_all()
            main = request.kind is Kind.MAIN
            step = self._next(request) if main and self._function is None else None
        if main and self._function is not None:
            step = self._called(self._function, request)
        hung_up = True
        try:
            if step is None:
                self._side(wire, request)
            else:
                self._play(wire, request, step)
            hung_up = False
        finally:
            self._update(request, ended=time.monotonic(), hung_up=hung_up)

    def _next(self, request: Request) -> Step:
        if self._used < len(self._steps):
            step = self._steps[self._used]
            self._used += not isinstance(step, Always)
            return step
        self._unexpected.append(request.number - 1)
        return Say(
            f"The script of the stand-in has ended (steps: {len(self._steps)}). "
            f"This was {_shown(request)}."
        )

    def _called(self, function: Callable[[Request], Step], request: Request) -> Step:
        try:
            with self._turn:
                return checked(function(request))
        except Exception as problem:  # noqa: BLE001 - the caller's code; `check` shows it
            self._problems.append(problem)
            return Fail(400, f"The script of the stand-in raised {problem!r}.")

    def _update(self, request: Request, **changes: Any) -> None:
        with self._changed:
            index = request.number - 1
            self._requests[index] = replace(self._requests[index], **changes)
            self._changed.notify_all()

    def _side(self, wire: Wire, request: Request) -> None:
        self._update(request, began=time.monotonic())
        if request.kind is Kind.UNKNOWN:
            wire.refuse(Fail(404, f"The stand-in has nothing at {request.method} {request.path}."))
        elif request.kind is Kind.COUNT:
            wire.reply({"totalTokens": tokens(request.body)})
        elif request.streamed:
            wire.stream(stream_of(whole(side_text(request), request)))
        else:
            wire.reply(whole(side_text(request), request))

    def _play(self, wire: Wire, request: Request, step: Step) -> None:
        match step:
            case Always():
                self._play(wire, request, step.step)
                return
            case Slow():
                wire.wait(step.seconds)
                self._play(wire, request, step.step)
                return
            case Hang() | Cut():
                if step.pieces:
                    self._update(request, began=time.monotonic())
                    wire.stream(beginning(step, request), end=False)
                if isinstance(step, Hang):
                    wire.wait(None)
                wire.close_connection = True
                return
        self._update(request, began=time.monotonic())
        if isinstance(step, Fail):
            wire.refuse(step)
        else:
            wire.stream(events(step, request))

    def _sign_in(self) -> dict[str, str]:
        # An empty value keeps the CLI from signing in elsewhere, as the caller's own may ask.
        elsewhere = dict.fromkeys(("GOOGLE_GENAI_USE_VERTEXAI", "GOOGLE_GENAI_USE_GCA"), "")
        return elsewhere | {"GEMINI_API_KEY": self.key, "GOOGLE_GEMINI_BASE_URL": self.url}


def _steps_of(script: Iterable[Step]) -> tuple[Step, ...]:
    if isinstance(script, str) or not isinstance(script, Iterable):
        raise UsageError(f"a script is a list of steps or a function, but was given {script!r}.")
    steps = tuple(map(checked, script))
    for step in steps[:-1]:
        if isinstance(step, Always):
            raise UsageError(f"no step can come after {step!r}. Make it the last one.")
    return steps


def _no_proxy() -> dict[str, str]:
    """Keep the CLI's requests to us away from a proxy, beside those that are kept away already."""
    known = os.environ.get("NO_PROXY") or os.environ.get("no_proxy") or ""
    hosts = ",".join(filter(None, (known, "127.0.0.1", "localhost")))
    return {"NO_PROXY": hosts, "no_proxy": hosts}


def _shown(request: Request) -> str:
    prompt = request.prompt
    text = prompt if len(prompt) <= _SHOWN else prompt[:_SHOWN] + "…"
    return f"request {request.number}, {text!r}"
