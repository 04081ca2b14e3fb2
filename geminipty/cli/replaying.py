"""`geminipty replay-cli`: a recording that behaves as the `gemini` command it was made of.

Rule: it reads and writes as the CLI did and knows nothing more; a program that types something
else is told so by an exit status that the CLI never has.
"""

import argparse
import codecs
import math
import os
import re
import resource
import select
import shlex
import signal
import sys
import termios
import time
import tty
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import FrameType
from typing import Final

from geminipty.asciicast import Header
from geminipty.errors import ReplayMismatch, UsageError
from geminipty.transports.acting import MAX_SPEED, Act
from geminipty.transports.files import open_recording
from geminipty.visible import line

from .say import Parser, put, say
from .words import LONGEST, Commands, times

#: What the command ends with when something else was typed.
MISMATCH: Final = 3

_REPLAY = """\
  geminipty replay-cli recordings/0.61.0/hello.cast
  geminipty replay-cli recordings/0.61.0/hello.cast --speed max --model gemini-2.5-pro
  geminipty replay-cli recordings/0.61.0/hello.cast --version
  geminipty replay-cli recordings/0.61.0/hello.cast --install fake-bin
"""

_ABOUT = f"""\
Behave as the recorded `gemini` command, so that a program in any language can be tested without
the CLI: write the recorded output at the recorded times, and at each recorded input wait until it
was typed. Run it in a pseudo-terminal, as the CLI is run.

Keys are compared; the marks around a paste and what terminals answer by themselves do not count.
A run of full blocks (U+2588) stands for hidden text: any text up to its length fits. If something
else is typed, it says what was expected and ends with status {MISMATCH}. Else it ends as the
recorded CLI did, or with 0 at the end of the recording.

--speed and --install may also stand right after FILE. All other arguments after it are taken and
ignored, but for --version, which prints the recorded CLI's.

The recorded output goes to the terminal as it is: to look at a recording that you do not trust,
use `geminipty play`.
"""
#: How the CLI leaves a terminal (0.61.0), for a recording that stops before it did.
_LEAVE: Final = (
    "\x1b[?1004l\x1b[<u\x1b[>4;0m\x1b[?2004l\x1b[?1000l\x1b[?1002l\x1b[?1003l\x1b[?1006l"
    "\x1b[?2026l\x1b[0m\x1b[?7h\x1b[?25h"
)
#: Signals that end no process, so none was ended by one.
_HARMLESS: Final = frozenset(
    {
        signal.SIGSTOP,
        signal.SIGTSTP,
        signal.SIGTTIN,
        signal.SIGTTOU,
        signal.SIGCONT,
        signal.SIGCHLD,
        signal.SIGURG,
        signal.SIGWINCH,
    }
)
_OWN: Final = ("--speed", "--install")
_VERSION: Final = re.compile(r"[0-9]+\.[0-9]+\.[0-9]+[\w.+-]{0,60}", re.ASCII)


class _Hangup(BaseException):
    """The program has gone, or asks the CLI to go; it may come at any moment."""


def add(commands: Commands) -> None:
    """The commands of this module."""
    parser = commands.add(
        "replay-cli",
        _replay,
        summary="behave as the recorded gemini command, for tests of other programs",
        description=_ABOUT,
        examples=_REPLAY,
    )
    _options(parser)
    parser.add_argument(
        "rest", nargs=argparse.REMAINDER, metavar="ARGS", help="what a program gives to the CLI"
    )


def _options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--speed",
        type=_speed,
        default=1.0,
        metavar="N",
        help="N times as fast (default: 1), or `max`",
    )
    parser.add_argument(
        "--install",
        type=Path,
        metavar="DIR",
        help="write a script DIR/gemini that runs this recording, and end",
    )


def _replay(options: argparse.Namespace) -> int:
    rest = _take_own(options)
    with open_recording(options.recording) as recording:
        if options.install is not None:
            return _install(options)
        if "--version" in rest or "-v" in rest:
            return put(f"{version(recording.header)}\n")
        act = Act(recording.events, speed=options.speed)
    try:
        with _signals(), _terminal():
            try:
                _perform(act)
            finally:
                if act.status is None:
                    _leave(act)
    except _Hangup:
        # 0.61.0 leaves with 0 for SIGHUP and SIGTERM.
        return 0
    except ReplayMismatch as error:
        error.recording = options.recording
        say(f"geminipty replay-cli: {error}")
        return MISMATCH
    return _end(act.status or 0)


def _take_own(options: argparse.Namespace) -> list[str]:
    """Take our options from the front of what follows FILE; returns the CLI's arguments."""
    rest: list[str] = options.rest
    count = 0
    while count < len(rest) and rest[count].partition("=")[0] in _OWN:
        count += 1 if "=" in rest[count] else 2
    parser = Parser(prog="geminipty replay-cli", add_help=False)
    _options(parser)
    given = parser.parse_args(rest[:count])
    if count:
        options.speed = given.speed if given.speed != 1.0 else options.speed
        options.install = given.install or options.install
    return rest[count:]


def version(header: Header) -> str:
    """The recorded CLI's version, or "unknown"."""
    ours = header.extra.get("geminipty")
    told = ours.get("cli") if isinstance(ours, dict) else None
    if isinstance(told, str) and _VERSION.fullmatch(told):
        return told
    found = re.search(rf"\bgemini-cli v?({_VERSION.pattern})", header.title or "", re.ASCII)
    return found[1] if found else "unknown"


def _perform(act: Act) -> None:
    keyboard = sys.stdin.fileno()
    decoder = codecs.getincrementaldecoder("utf-8")(errors="replace")
    while not act.ended:
        while text := act.output(time.monotonic()):
            _write(text)
            if select.select([keyboard], [], [], 0.0)[0]:
                break
        if act.ended:
            return
        due = act.deadline
        wait = None if due is None else min(max(due - time.monotonic(), 0.0), LONGEST)
        if select.select([keyboard], [], [], wait)[0]:
            try:
                data = os.read(keyboard, 1 << 16)
            except OSError:  # Linux: the other end of the terminal is closed
                data = b""
            if not data:
                raise _Hangup
            act.type(decoder.decode(data), time.monotonic())


def _leave(act: Act) -> None:
    """Undo what the recording did to the terminal, which the CLI would have undone at its end."""
    with suppress(_Hangup):
        _write(("\x1b[?1049l" if act.is_alternate else "") + _LEAVE + "\r\n\x1b[J")


def _write(text: str) -> None:
    data = text.encode(errors="replace")
    while data:
        # Waits while nobody reads; what was typed meanwhile waits in the terminal.
        try:
            data = data[os.write(sys.stdout.fileno(), data) :]
        except OSError:
            raise _Hangup from None


@contextmanager
def _terminal() -> Iterator[None]:
    """Keys come one by one and output passes unchanged within; afterwards all is as it was."""
    keyboard = sys.stdin.fileno()
    if not os.isatty(keyboard):
        yield
        return
    modes = termios.tcgetattr(keyboard)
    try:
        tty.setraw(keyboard, termios.TCSANOW)  # what was typed before is kept
        yield
    finally:
        with suppress(termios.error):  # gone
            termios.tcsetattr(keyboard, termios.TCSANOW, modes)


@contextmanager
def _signals() -> Iterator[None]:
    ending = (signal.SIGHUP, signal.SIGTERM)

    def end(_number: int, _frame: FrameType | None) -> None:
        for one in ending:
            signal.signal(one, signal.SIG_IGN)  # once is enough: the terminal is being restored
        raise _Hangup

    before = {number: signal.signal(number, end) for number in ending}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _end(status: int) -> int:
    """End as the recorded CLI did: with its status, or by its signal."""
    number = -status
    if number in signal.valid_signals() and number not in _HARMLESS:
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        if number != signal.SIGKILL:
            signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)
    return status % 256 if status >= 0 else 128 + number % 128


def _install(options: argparse.Namespace) -> int:
    """Write the script; never over a file."""
    path: Path = options.install / "gemini"
    code = "import sys; from geminipty.cli import main; sys.exit(main())"
    speed = "max" if options.speed == MAX_SPEED else f"{options.speed:g}"
    recording = str(options.recording.absolute())
    # -P: nothing in the folder where it is run can stand for a module of ours.
    words = [sys.executable, "-P", "-c", code, "replay-cli", f"--speed={speed}", recording]
    # The name after the recording ends our options, so that all that follows is the CLI's.
    script = f'#!/bin/sh\nexec {shlex.join(words)} gemini "$@"\n'
    try:
        options.install.mkdir(parents=True, exist_ok=True)
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o755)
    except FileExistsError:
        raise UsageError(
            f"{line(path)} is there already; remove it, or choose another folder"
        ) from None
    except OSError as error:
        raise UsageError(f"{line(path)} cannot be written: {error.strerror}") from error
    with os.fdopen(handle, "w", encoding="utf-8", errors="surrogateescape") as file:
        file.write(script)
    return put(f"{line(path)}\n")


def _speed(text: str) -> float:
    return math.inf if text == "max" else times(text)
