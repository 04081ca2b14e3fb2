"""A live CLI in a pseudo-terminal. This is the only place that sees bytes.

Rule: reading and writing never block, so that a CLI that does not read cannot stop us from
reading; and a child is reaped by its pexpect.spawn alone, because a process can be waited for once.
"""

import codecs
import contextlib
import errno
import fcntl
import os
import select
import signal
import struct
import termios
import threading
import time
from collections import deque
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

import pexpect
import ptyprocess

from geminipty.errors import CliNotStarted
from geminipty.visible import line

from . import processes

#: A PTY gives at most 4 kB a read; so many reads are taken before the clock is looked at.
_READS: Final = 64
_PIECE: Final = 1 << 16
#: Milliseconds, as many as poll takes.
_LONGEST: Final = 2**31 - 1
#: How long to wait for the kernel to end what was killed.
_REAP: Final = 2.0
#: The status of a child that cannot be told, as asyncio has it.
UNKNOWN_STATUS: Final = 255
#: posix_spawn knows no working folder; "$@" is never looked at by the shell.
_IN_FOLDER: Final = ("/bin/sh", "-c", 'cd -- "$1" && shift && exec "$@"', "sh")
#: What Python ignores and a program does not expect to be ignored.
_SIGNALS: Final = (signal.SIGPIPE, signal.SIGXFSZ, signal.SIGHUP, signal.SIGINT)


# The stubs know a type argument that the class itself does not take.
if TYPE_CHECKING:
    _Spawn = pexpect.spawn[bytes]
else:
    _Spawn = pexpect.spawn


class _Child(_Spawn):
    """pexpect's child, started without a fork: a process with threads must not run Python in one.

    `pexpect.spawn(None)` leaves the start to its subclass.
    """

    def __init__(
        self, argv: Sequence[str], env: Mapping[str, str], cwd: Path, columns: int, lines: int
    ) -> None:
        super().__init__(None, timeout=None)  # type: ignore[arg-type]  # missing in the stubs
        self.name, self.args, self.command = f"<{argv[0]}>", list(argv), argv[0]
        self.delaybeforesend, self.delayafterclose, self.delayafterterminate = None, 0, 0
        master, slave = os.openpty()
        try:
            size = struct.pack("HHHH", lines, columns, 0, 0)
            fcntl.ioctl(slave, termios.TIOCSWINSZ, size)
            terminal = os.ttyname(slave)
            # The leader of a new session gets the terminal that it opens first as its own.
            actions = [
                (os.POSIX_SPAWN_OPEN, 0, terminal, os.O_RDWR, 0),
                (os.POSIX_SPAWN_DUP2, 0, 1),
                (os.POSIX_SPAWN_DUP2, 0, 2),
            ]
            pid = os.posix_spawn(
                _IN_FOLDER[0],
                [*_IN_FOLDER, str(cwd), *argv],
                env,
                file_actions=actions,
                setsid=True,
                setsigdef=_SIGNALS,
                setsigmask=(),
            )
        except BaseException:
            os.close(master)
            raise
        finally:
            os.close(slave)
        os.set_blocking(master, False)
        self.ptyproc = ptyprocess.PtyProcess(pid, master)
        self.ptyproc.delayafterclose = self.ptyproc.delayafterterminate = 0
        # Else it kills the child when it is collected, also in a process that was forked from us.
        self.ptyproc.closed = True
        self.pid, self.child_fd = pid, master
        self.closed = self.terminated = False


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
            self._child = _Child(argv, env, cwd, columns, lines)
        except OSError as error:
            raise CliNotStarted(
                f"{line(argv[0])} could not be started: {error.strerror or error}. "
                "See whether the machine has pseudo-terminals, processes and memory left."
            ) from error
        self._fd: int = self._child.child_fd
        #: The process that was started; it leads a group and a session of its own.
        self.pid: int = self._child.ptyproc.pid
        self._exit = _exit_handle(self.pid)
        self._mark = mark
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
        return terminal if self._exit is None else (*terminal, self._exit)

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
        if self._exit is None and self._drained:
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
            self._is_alive()
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

    def _is_alive(self) -> bool:
        """Whether the child still runs; if not, its status is known."""
        if self.status is not None:
            return False
        try:
            if self._child.isalive():
                return True
            left, killed = self._child.exitstatus, self._child.signalstatus
            self.status = left if left is not None else -(killed or 0)
        except pexpect.ExceptionPexpect:
            self.status = UNKNOWN_STATUS  # somebody else has waited for it, or ignores SIGCHLD
        return False

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
        if self._closed or os.getpid() != self._owner:
            return
        if self.status is None:
            processes.send(number, self.pid, processes.descendants(self.pid, self._mark))
        else:
            # Its number may be another's by now; what it started is known by the mark alone.
            processes.send(number, None, processes.marked(self._mark))

    def close(self) -> None:
        """End what still runs, at once, and give everything back."""
        with self._using:
            if self._closed:
                return
            if os.getpid() == self._owner:  # a fork of us only lets go of it
                self.signal(signal.SIGKILL)
                self._reap()
            # What was being started while the others were killed.
            self.signal(signal.SIGKILL)
            self._closed = self._drained = True
            self._outbox.clear()
            self._child.ptyproc.closed = False
            if os.getpid() != self._owner:
                self._child.ptyproc.fileobj.close()
                self._child.ptyproc.closed = True
            with contextlib.suppress(pexpect.ExceptionPexpect, OSError):
                self._child.close(force=True)
            if self._exit is not None:
                os.close(self._exit)
                self._exit = None

    def _reap(self) -> None:
        until = self.now() + _REAP
        while self._is_alive() and self.now() < until:
            # A child that is blocked in writing ends only when somebody reads.
            with contextlib.suppress(OSError):
                os.read(self._fd, _PIECE)
            if self._exit is None:
                time.sleep(0.001)
            else:
                poll = select.poll()
                poll.register(self._exit, select.POLLIN)
                poll.poll(max(0.0, (until - self.now()) * 1000))


def _exit_handle(pid: int) -> int | None:
    """A file descriptor that becomes readable when the process ends, where there is such."""
    if not hasattr(os, "pidfd_open"):
        return None
    try:
        return os.pidfd_open(pid)
    except OSError:
        return None
