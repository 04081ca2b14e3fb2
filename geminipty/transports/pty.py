"""A live CLI in a pseudo-terminal. This is the only place that sees bytes.

Rule: reading and writing never block, so that a CLI that does not read cannot stop us from
reading. What the child is and started is the Child's business.
"""

import codecs
import contextlib
import errno
import os
import select
import threading
import time
from collections import deque
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from geminipty.errors import CliNotStarted
from geminipty.visible import line

from .children import begin

#: A PTY gives at most 4 kB a read; so many reads are taken before the clock is looked at.
_READS: Final = 64
_PIECE: Final = 1 << 16
#: Milliseconds, as many as poll takes.
_LONGEST: Final = 2**31 - 1
#: How long to wait for the kernel to end what was killed.
_REAP: Final = 2.0
_NOTHING_LEFT: Final = "See whether the machine has pseudo-terminals, processes and memory left."


def _too_long(argv: Sequence[str], env: Mapping[str, str]) -> str:
    """What to do about words that no program can be given."""
    sizes = [(len(os.fsencode(word)) + 1, "an argument") for word in argv]
    sizes += [
        (len(os.fsencode(f"{name}={value}")) + 1, f"the variable {line(name)}")
        for name, value in env.items()
    ]
    longest, what = max(sizes)
    return (
        f"Its arguments and its environment have {sum(size for size, _ in sizes)} bytes, and the "
        f"longest of them, {what}, has {longest}: the system allows less. Make them shorter, or "
        "leave some out."
    )


class Pty:
    """A child process in a pseudo-terminal of `columns` by `lines`.

    `mark` is a text in `env` that only this child and what it starts have in theirs; by it
    processes are found that left the child's group. Raises CliNotStarted.
    """

    def __init__(
        self,
        argv: Sequence[str],
        *,
        env: Mapping[str, str],
        cwd: Path,
        columns: int,
        lines: int,
        mark: str = "",
    ) -> None:
        try:
            self._child = begin(argv, env, cwd, (columns, lines), mark)
        except OSError as error:
            raise CliNotStarted(
                f"{line(argv[0])} could not be started: {error.strerror or error}. "
                + (_too_long(argv, env) if error.errno == errno.E2BIG else _NOTHING_LEFT)
            ) from error
        self._fd: int = self._child.child_fd
        #: The process that was started; it leads a group and a session of its own.
        self.pid: int = self._child.ptyproc.pid
        self._owner = os.getpid()
        # A number that was closed may be another file's: who closes waits for who reads or writes.
        self._using = threading.RLock()
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._outbox: deque[memoryview] = deque()
        self._drained = False
        self._closed = False
        self.behind = False
        self.status: int | None = None

    @property
    def handles(self) -> tuple[int, ...]:
        """The terminal, and what tells that the child has ended."""
        if self._closed:
            return ()
        terminal = () if self._drained else (self._fd,)
        exit_handle = self._child.exit_handle
        if exit_handle is None or self.status is not None:
            return terminal
        return (*terminal, exit_handle)

    @property
    def unsent(self) -> bool:
        """Whether text waits until the child reads."""
        return bool(self._outbox) and not self._drained

    @property
    def ended(self) -> bool:
        """Whether the child has ended and all that it wrote was received."""
        return self._drained and self.status is not None

    def now(self) -> float:
        """Seconds of a clock that never goes back."""
        return time.monotonic()

    def pause(self, until: float | None) -> float | None:
        """How many seconds to wait for `handles` at most; None for ever."""
        if self._child.exit_handle is None and self._drained:
            # Without a handle for its end there is only looking again.
            until = min(until or self.now() + 0.01, self.now() + 0.01)
        return None if until is None else max(0.0, until - self.now())

    def wait(self, until: float | None) -> None:
        """Wait until the child wrote, read or ended, or that moment has come."""
        poll = select.poll()
        for handle in self.handles:
            poll.register(handle, select.POLLIN)
        if self.unsent:
            poll.modify(self._fd, select.POLLIN | select.POLLOUT)
        seconds = self.pause(until)
        # Rounded up: a poll that ends too early would be repeated at once.
        poll.poll(None if seconds is None else min(seconds * 1000 + 0.5, _LONGEST))

    def receive(self) -> str:
        """What the child has written since the last call, without waiting."""
        with self._using:
            self._flush()
            # First, because what comes after the end of the child is not waited for.
            self._look()
            texts = []
            for _ in range(_READS):
                data = self._read()
                if data is None:
                    break
                if not data:
                    self._drained = True
                    self._outbox.clear()
                    texts.append(self._decoder.decode(b"", final=True))
                    break
                texts.append(self._decoder.decode(data))
            self.behind = len(texts) == _READS
        return "".join(texts)

    def _read(self) -> bytes | None:
        """Some bytes; none at all at the end; None if there is nothing now."""
        if self._drained:
            return None
        try:
            return os.read(self._fd, _PIECE)
        except BlockingIOError:
            # A process that the child left behind may hold the terminal open for ever.
            return b"" if self.status is not None else None
        except OSError as error:
            if error.errno == errno.EIO:  # Linux says so where others give an empty read
                return b""
            raise

    def _look(self) -> None:
        if self.status is None and not self._closed:
            self.status = self._child.ended_with

    def send(self, text: str) -> None:
        """Type `text`, as far as the child reads it now; the rest follows with `receive`."""
        with self._using:
            if text and not self._drained and not self._closed:
                self._outbox.append(memoryview(text.encode("utf-8", "replace")))
                self._flush()

    def _flush(self) -> None:
        while self._outbox and not self._closed:
            data = self._outbox[0]
            try:
                written = os.write(self._fd, data)
            except BlockingIOError:
                return
            except OSError as error:
                if error.errno != errno.EIO:
                    raise
                self._outbox.clear()  # nobody is left to read it
                return
            if written == len(data):
                self._outbox.popleft()
            else:
                self._outbox[0] = data[written:]

    def resize(self, columns: int, lines: int) -> None:
        """Tell the child that its terminal has another size."""
        with self._using:
            if not self._closed:
                self._child.setwinsize(lines, columns)

    def signal(self, number: int) -> None:
        """Send a signal to the child's group and to all that it started elsewhere."""
        with self._using:
            if not self._closed and os.getpid() == self._owner:
                self._child.tell(number)

    def close(self) -> None:
        """End what still runs, at once, and give everything back."""
        with self._using:
            if self._closed:
                return
            if os.getpid() == self._owner:  # a fork of us only lets go of it
                self._child.finish()
                self._reap()
            self._look()
            self._closed = self._drained = True
            self._outbox.clear()
            self._child.let_go()

    def _reap(self) -> None:
        until = self.now() + _REAP
        while not self._child.gone and self.now() < until:
            # A child that is blocked in writing ends only when somebody reads.
            with contextlib.suppress(OSError):
                os.read(self._fd, _PIECE)
            if self._child.exit_handle is None:
                time.sleep(0.001)
            else:
                poll = select.poll()
                poll.register(self._child.exit_handle, select.POLLIN)
                poll.poll(max(0.0, (until - self.now()) * 1000))
