"""`AsyncGeminiSession`: the same session for a program with an event loop.

Rule: this face only waits, and never blocks its loop. What to type, when a turn is over and what
went wrong is decided in the Run, which the other face shares.
"""

import asyncio
from collections.abc import AsyncIterator, Iterable
from contextlib import closing
from pathlib import Path, PurePath
from types import TracebackType
from typing import Self, TypeVar, Unpack, cast

from geminipty.errors import GeminiPtyError
from geminipty.model import Dialog, Event, Reply, Status, Turn
from geminipty.options import Command, OptionNames, Options
from geminipty.run import USE_DEFAULT, Live, OnTimeout, Played, Run, Steps, Timeout
from geminipty.terminal import Frame
from geminipty.transports.replay import Match

_T = TypeVar("_T")


class AsyncGeminiSession:
    """One Gemini CLI, started with `async with` or `await start()`; see GeminiSession.

    A task that is cancelled while it waits for a turn interrupts the turn.
    """

    def __init__(self, command: Command = None, **options: Unpack[OptionNames]) -> None:
        self._run = Run(Live(Options.of(command=command, **options)))
        #: Who waits for the transport, and what of it the loop watches for them.
        self._waiting: set[asyncio.Future[None]] = set()
        self._watched: tuple[int, ...] = ()
        self._streamed: Steps[Reply] | None = None

    @classmethod
    def replay(
        cls,
        recording: str | PurePath,
        *,
        match: Match | None = None,
        speed: float | None = None,
        remake: str = "",
        **options: Unpack[OptionNames],
    ) -> Self:
        """A session with a recording in the place of the CLI; see GeminiSession.replay."""
        session = cls(**options)
        played = Played(
            session._run.options, Path(recording), speed=speed, match=match, remake=remake
        )
        session._run = Run(played)
        return session

    async def start(self) -> Self:
        """Start the CLI and wait until it takes a prompt; see GeminiSession.start."""
        await self._drive(self._run.start())
        return self

    async def ask(
        self,
        prompt: str,
        *,
        timeout: Timeout = USE_DEFAULT,
        files: bool = False,
        attachments: Iterable[str | PurePath] = (),
        on_timeout: OnTimeout = "interrupt",
    ) -> Reply:
        """Send a prompt, wait until its turn has ended, and return the reply."""
        steps = self._run.ask(
            prompt, timeout=timeout, files=files, attachments=attachments, on_timeout=on_timeout
        )
        return await self._turn(steps)

    async def stream(
        self,
        prompt: str,
        *,
        timeout: Timeout = USE_DEFAULT,
        files: bool = False,
        attachments: Iterable[str | PurePath] = (),
        on_timeout: OnTimeout = "interrupt",
    ) -> AsyncIterator[Event]:
        """The same as `ask`, told as events; the last one holds the turn with its exact reply."""
        steps = self._run.ask(
            prompt, timeout=timeout, files=files, attachments=attachments, on_timeout=on_timeout
        )
        self._streamed = steps
        try:
            with closing(steps):
                for until in steps:
                    for event in self._run.take_events():
                        yield event
                    await self._wait(until)
        except asyncio.CancelledError:
            await self._stop()
            raise
        except GeminiPtyError:
            for event in self._run.take_events():
                yield event
            raise
        for event in self._run.take_events():
            yield event

    async def answer(
        self,
        answer: object,
        *,
        timeout: Timeout = USE_DEFAULT,
        on_timeout: OnTimeout = "interrupt",
    ) -> Reply:
        """Answer the open dialog and wait until its turn has ended."""
        return await self._turn(self._run.answer(answer, timeout=timeout, on_timeout=on_timeout))

    async def interrupt(self) -> Reply | None:
        """Stop the turn under way and return what there is of its reply; None if there is none."""
        self._leave_stream()
        return await self._drive(self._run.interrupt())

    async def command(
        self,
        command: str,
        *,
        timeout: Timeout = USE_DEFAULT,
    ) -> str:
        """Give the CLI a command of its own, such as `/stats`; returns what it prints."""
        return await self._turn(self._run.command(command, timeout=timeout))

    async def shell(
        self,
        command: str,
        *,
        timeout: Timeout = USE_DEFAULT,
    ) -> str:
        """Run a command in the CLI's shell mode; returns what the CLI shows of it."""
        return await self._turn(self._run.shell(command, timeout=timeout))

    async def resize(self, columns: int, lines: int) -> None:
        """Give the CLI's terminal another size."""
        self._run.resize(columns, lines)

    @property
    def status(self) -> Status | None:
        """What the CLI is doing now; None before anything was seen."""
        return self._run.look().status

    @property
    def dialog(self) -> Dialog | None:
        """The dialog that is open, with the call that it asks about; `answer` is for this one."""
        return self._run.dialog

    @property
    def frame(self) -> Frame:
        """The screen as it stands now."""
        return self._run.look().frame

    @property
    def screen(self) -> str:
        """The screen in a box, to print or log; see GeminiSession.screen."""
        return self._run.hiding.screen(self._run.look().frame)

    @property
    def turns(self) -> tuple[Turn, ...]:
        """The turns that have ended, with their replies."""
        return tuple(self._run.turns)

    async def close(self) -> None:
        """End the CLI and remove what was made for it. May be repeated; never raises."""
        self._leave_stream()
        try:
            await self._drive(self._run.close())
        except Exception:  # the end must come whatever is wrong; it is logged
            self._run.log.exception("the CLI could not be asked to leave")
        finally:
            self._ring()  # before the handles are closed
            self._run.abandon()

    async def __aenter__(self) -> Self:
        return await self.start()

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.close()

    async def _turn(self, steps: Steps[_T]) -> _T:
        """Carry out a turn; cancelling it interrupts the CLI too."""
        try:
            return await self._drive(steps)
        except asyncio.CancelledError:
            await self._stop()
            raise

    async def _stop(self) -> None:
        """Interrupt the turn of a task that was cancelled."""
        try:
            await asyncio.shield(self._drive(self._run.interrupt()))
        except GeminiPtyError as error:
            self._run.log.warning("a cancelled turn could not be interrupted: %s", error.message)

    def _leave_stream(self) -> None:
        """End a stream that nobody reads to its end; Python closes it only some time later."""
        streamed, self._streamed = self._streamed, None
        if streamed is not None:
            streamed.close()

    async def _drive(self, steps: Steps[_T]) -> _T:
        """Carry out a verb of the Run, waiting where it says so."""
        try:
            with closing(steps):
                while True:
                    try:
                        until = next(steps)
                    except StopIteration as done:
                        return cast("_T", done.value)
                    await self._wait(until)
        finally:
            self._ring()  # what one task did, such as close, another may wait for

    async def _wait(self, until: float | None) -> None:
        """Wait for the transport, as any number of tasks may at a time."""
        transport = self._run.transport
        loop = asyncio.get_running_loop()
        happened = loop.create_future()
        self._waiting.add(happened)
        handles = transport.handles
        for handle in set(self._watched) - set(handles):
            loop.remove_reader(handle)
            loop.remove_writer(handle)
        self._watched = handles
        for handle in self._watched:
            loop.add_reader(handle, self._ring)
        if transport.unsent:
            loop.add_writer(self._watched[0], self._ring)
        with self._run.hiding.errors():
            delay = transport.pause(until)
        timer = None if delay is None else loop.call_later(delay, _wake, happened)
        try:
            await happened
        finally:
            if timer is not None:
                timer.cancel()
            self._waiting.discard(happened)
            if not self._waiting:
                self._ring()

    def _ring(self) -> None:
        """Wake all who wait; each looks for itself what has happened."""
        if self._watched:
            loop = asyncio.get_running_loop()
            for handle in self._watched:
                loop.remove_reader(handle)
                loop.remove_writer(handle)
            self._watched = ()
        for happened in self._waiting:
            _wake(happened)


def _wake(happened: "asyncio.Future[None]") -> None:
    if not happened.done():
        happened.set_result(None)
