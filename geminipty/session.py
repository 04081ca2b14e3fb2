"""`GeminiSession`: the CLI at the other end of a call that waits.

Rule: this face only waits. What to type, when a turn is over and what went wrong is decided in
the Run, which the asynchronous face shares.
"""

import threading
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path, PurePath
from types import TracebackType
from typing import Self, TypeVar, Unpack, cast

from geminipty.errors import GeminiPtyError, TurnInProgress
from geminipty.model import Dialog, Event, Reply, Status, Turn
from geminipty.options import Command, OptionNames, Options
from geminipty.run import USE_DEFAULT, Live, OnTimeout, Played, Run, Steps, Timeout
from geminipty.terminal import Frame
from geminipty.transports.replay import Match

_T = TypeVar("_T")


class GeminiSession:
    """One Gemini CLI, started with `with` or `start()` and driven by calls.

    `command` names the program; None has it found. The keyword options are those of
    `geminipty.Options`; a wrong one raises UsageError here, before anything starts. One thread uses
    a session at a time; a second one gets TurnInProgress.
    """

    def __init__(self, command: Command = None, **options: Unpack[OptionNames]) -> None:
        self._run = Run(Live(Options.of(command=command, **options)))
        self._using = threading.Lock()

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
        """A session with a recording in the place of the CLI: same replies, same errors.

        Nothing is started and nothing waits, unless `speed` is given: 1.0 is real time. A call or
        a key that was not recorded raises ReplayMismatch; `match(recorded, prompt)` may let
        another prompt stand for the recorded one, and `remake` is a command for errors to name.
        Options that decide what is typed, such as `approvals`, are to be those of the recorded
        session; `look`, `trust` and `initial_prompt` are taken from the recording.

        Raises RecordingMissing or RecordingInvalid.
        """
        session = cls(**options)
        played = Played(
            session._run.options, Path(recording), speed=speed, match=match, remake=remake
        )
        session._run = Run(played)
        return session

    def start(self) -> Self:
        """Start the CLI and wait until it takes a prompt.

        The turn of an `initial_prompt` has ended then and is the first of `turns`, unless it opened
        a dialog: `status` is ASKING, and `answer` goes on with it.

        Raises CliNotFound, CliNotStarted, CliExited, NotSignedIn, FolderNotTrusted or StartTimeout;
        nothing is left running then.
        """
        self._drive(self._run.start())
        return self

    def ask(
        self,
        prompt: str,
        *,
        timeout: Timeout = USE_DEFAULT,
        files: bool = False,
        attachments: Iterable[str | PurePath] = (),
        on_timeout: OnTimeout = "interrupt",
    ) -> Reply:
        """Send a prompt, wait until its turn has ended, and return the reply.

        `timeout` in seconds replaces the session's, None waits for ever. `files=True` lets the CLI
        read what `@path` names; `attachments` are read in any case. When the time is up the turn
        is interrupted and the session can go on, or it is closed, as `on_timeout` says.

        Raises UnsafePrompt, TurnInProgress, a kind of TurnFailed, TurnTimeout, CliExited, or
        DialogWaiting: then the turn goes on with `answer`.
        """
        steps = self._run.ask(
            prompt, timeout=timeout, files=files, attachments=attachments, on_timeout=on_timeout
        )
        return self._drive(steps)

    def stream(
        self,
        prompt: str,
        *,
        timeout: Timeout = USE_DEFAULT,
        files: bool = False,
        attachments: Iterable[str | PurePath] = (),
        on_timeout: OnTimeout = "interrupt",
    ) -> Iterator[Event]:
        """The same as `ask`, told as events; the last one holds the turn with its exact reply."""
        steps = self._run.ask(
            prompt, timeout=timeout, files=files, attachments=attachments, on_timeout=on_timeout
        )
        with self._alone(), closing(steps):
            try:
                for until in steps:
                    yield from self._run.take_events()
                    self._run.transport.wait(until)
            except GeminiPtyError:
                yield from self._run.take_events()
                raise
            yield from self._run.take_events()

    def answer(
        self,
        answer: object,
        *,
        timeout: Timeout = USE_DEFAULT,
        on_timeout: OnTimeout = "interrupt",
    ) -> Reply:
        """Answer the open dialog and wait until its turn has ended.

        `answer` is a Choice, its number or label, True for the choice that is known to allow once,
        False to deny, or a text where the dialog asks for one. Raises NoSuchChoice, and whatever
        `ask` does.
        """
        return self._drive(self._run.answer(answer, timeout=timeout, on_timeout=on_timeout))

    def interrupt(self) -> Reply | None:
        """Stop the turn under way and return what there is of its reply; None if there is none."""
        return self._drive(self._run.interrupt())

    def command(self, command: str, *, timeout: Timeout = USE_DEFAULT) -> str:
        """Give the CLI a command of its own, such as `/stats`; returns what it prints."""
        return self._drive(self._run.command(command, timeout=timeout))

    def shell(self, command: str, *, timeout: Timeout = USE_DEFAULT) -> str:
        """Run a command in the CLI's shell mode; returns what the CLI shows of it."""
        return self._drive(self._run.shell(command, timeout=timeout))

    def resize(self, columns: int, lines: int) -> None:
        """Give the CLI's terminal another size."""
        with self._alone():
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
        """The screen as it stands now, as data; `screen` is it as text."""
        return self._run.look().frame

    @property
    def screen(self) -> str:
        """The screen in a box, to print or log: harmless text, its secrets hidden."""
        return self._run.hiding.screen(self._run.look().frame)

    @property
    def turns(self) -> tuple[Turn, ...]:
        """The turns that have ended, with their replies."""
        return tuple(self._run.turns)

    def close(self) -> None:
        """End the CLI and remove what was made for it. May be repeated; never raises."""
        try:
            self._drive(self._run.close())
        except TurnInProgress:
            self._run.log.info(
                "closed by one thread while another used it: the CLI is not asked to leave"
            )
        except Exception:  # the end must come whatever is wrong; it is logged
            self._run.log.exception("the CLI could not be asked to leave")
        finally:
            self._run.abandon()

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def _drive(self, steps: Steps[_T]) -> _T:
        """Carry out a verb of the Run, waiting where it says so."""
        with self._alone(), closing(steps):
            while True:
                try:
                    until = next(steps)
                except StopIteration as done:
                    return cast("_T", done.value)
                self._run.transport.wait(until)

    @contextmanager
    def _alone(self) -> Iterator[None]:
        if not self._using.acquire(blocking=False):
            raise TurnInProgress("another thread uses this session; wait for it, or start a second")
        try:
            with self._run.hiding.errors():
                yield
        finally:
            self._using.release()
