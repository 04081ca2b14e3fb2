"""The viewer's terminal while a recording plays: keys in, pictures out, signals.

Rule: the terminal is given back before this returns, raises, stops or dies; and nothing here waits
but for a key, a signal or the next picture.
"""

import os
import re
import select
import signal
import sys
import termios
import time
import tty
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from types import FrameType
from typing import Final

from geminipty.export.player import Command, Player
from geminipty.export.projection import CLEAR, ENTER, LEAVE, Projection

from .words import LONGEST

_KEYS: Final = {
    " ": Command.PAUSE,
    ".": Command.FORWARD,
    "\x1b[C": Command.FORWARD,
    "\x1bOC": Command.FORWARD,
    "\x1b[D": Command.BACK,
    "\x1bOD": Command.BACK,
    "[": Command.PREVIOUS_MARKER,
    "]": Command.NEXT_MARKER,
    "\r": Command.PAUSE,
    "\n": Command.PAUSE,
}
_KEY: Final = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|O[@-~])|.", re.DOTALL)
_BEGUN: Final = re.compile(r"\x1b(?:\[[0-?]*[ -/]*|O)?\Z")
_ENDING: Final = (signal.SIGTERM, signal.SIGHUP, signal.SIGINT)
_TOLD: Final = (signal.SIGWINCH, signal.SIGTSTP, signal.SIGCONT)


class _Ended(BaseException):
    """A signal asks for the end; it must pass through everything that a program catches."""

    def __init__(self, number: int) -> None:
        self.number = number


def watch(player: Player, *, colours: bool) -> int:
    """Play until the viewer leaves; returns the exit status."""
    try:
        with ExitStack() as stack:
            keyboard = stack.enter_context(_keyboard())
            signals = stack.enter_context(_signals())
            viewer = _Viewer(player, keyboard, signals, colours=colours)
            with viewer.terminal():
                viewer.run()
    except _Ended as ended:
        signal.signal(ended.number, signal.SIG_DFL)
        os.kill(os.getpid(), ended.number)
    return 0


class _Viewer:
    def __init__(
        self, player: Player, keyboard: int | None, signals: int, *, colours: bool
    ) -> None:
        self._player = player
        self._keyboard, self._signals = keyboard, signals
        self._output = sys.stdout.fileno()
        self._colours = colours
        self._modes = None if keyboard is None else termios.tcgetattr(keyboard)
        self._begun = ""
        self._projection = self._new()

    @contextmanager
    def terminal(self) -> Iterator[None]:
        """The terminal is ours within, and as it was afterwards."""
        try:
            self._enter()
            yield
        finally:
            with suppress(OSError, termios.error):  # it may be gone, which is why we are here
                self._leave()

    def run(self) -> None:
        """Play until the viewer leaves, or to the end where there is nobody to press a key."""
        player = self._player
        player.play(time.monotonic())
        while not (self._keyboard is None and player.at_end):
            self._write(self._projection.draw(player))
            due = player.deadline
            wait = None if due is None else min(max(due - time.monotonic(), 0.0), LONGEST)
            handles = [self._signals] + ([] if self._keyboard is None else [self._keyboard])
            ready, _, _ = select.select(handles, [], [], wait)
            if self._signals in ready:
                for number in os.read(self._signals, 512):
                    self._told(number)
            if self._keyboard in ready and not self._press():
                return
            player.tick(time.monotonic())

    def _press(self) -> bool:
        """Read keys and obey them; False when the viewer leaves."""
        assert self._keyboard is not None
        try:
            data = os.read(self._keyboard, 4096)
        except OSError:
            data = b""
        if not data:
            return False
        text = self._begun + data.decode(errors="replace")
        begun = _BEGUN.search(text)
        self._begun = begun[0] if begun else ""
        for key in _KEY.findall(text[: len(text) - len(self._begun)]):
            if key == "q":
                return False
            if command := _KEYS.get(key):
                self._player.obey(command, time.monotonic())
        return True

    def _told(self, number: int) -> None:
        if number == signal.SIGTSTP:
            self._stop()
            return
        if number == signal.SIGCONT:
            self._listen()  # whoever was in the foreground may have changed it
        self._write(CLEAR)
        self._projection = self._new()

    def _stop(self) -> None:
        """Give the terminal back and stop as the shell expects; SIGCONT takes it again."""
        playing = self._player.playing
        self._player.stop(time.monotonic())
        self._leave()
        before = signal.signal(signal.SIGTSTP, signal.SIG_DFL)
        os.kill(os.getpid(), signal.SIGTSTP)
        signal.signal(signal.SIGTSTP, before)
        self._enter()
        self._projection = self._new()
        if playing:
            self._player.play(time.monotonic())

    def _enter(self) -> None:
        self._listen()
        self._write(ENTER + CLEAR)

    def _listen(self) -> None:
        """Have keys come one by one, unseen; Ctrl-C and Ctrl-Z stay signals."""
        if self._keyboard is not None:
            tty.setcbreak(self._keyboard, termios.TCSADRAIN)

    def _leave(self) -> None:
        try:
            self._write(LEAVE)
        finally:
            if self._keyboard is not None and self._modes is not None:
                termios.tcsetattr(self._keyboard, termios.TCSADRAIN, self._modes)

    def _new(self) -> Projection:
        columns, lines = os.get_terminal_size(self._output)
        # A terminal that does not know its size says 0.
        return Projection(columns or 80, lines or 24, colours=self._colours)

    def _write(self, text: str) -> None:
        data = text.encode(sys.stdout.encoding, errors="replace")
        while data:
            data = data[os.write(self._output, data) :]


@contextmanager
def _keyboard() -> Iterator[int | None]:
    """Where keys come from: standard input, or the terminal of this process, or nowhere."""
    if sys.stdin is not None and sys.stdin.isatty():
        yield sys.stdin.fileno()
        return
    try:
        handle = os.open("/dev/tty", os.O_RDWR | os.O_NOCTTY)
    except OSError:
        yield None
        return
    try:
        yield handle
    finally:
        os.close(handle)


@contextmanager
def _signals() -> Iterator[int]:
    """A handle from which the numbers of signals can be read; those that end us are raised."""

    def end(number: int, _: FrameType | None) -> None:
        for one in _ENDING:
            signal.signal(one, signal.SIG_IGN)  # once is enough: the terminal is being restored
        raise KeyboardInterrupt if number == signal.SIGINT else _Ended(number)

    def tell(number: int, frame: FrameType | None) -> None:
        """The wakeup handle has it already."""

    reading, writing = os.pipe()
    os.set_blocking(writing, False)
    before = {number: signal.signal(number, end) for number in _ENDING}
    before |= {number: signal.signal(number, tell) for number in _TOLD}
    woken = signal.set_wakeup_fd(writing, warn_on_full_buffer=False)
    try:
        yield reading
    finally:
        signal.set_wakeup_fd(woken)
        for number, handler in before.items():
            signal.signal(number, handler)
        os.close(reading)
        os.close(writing)
