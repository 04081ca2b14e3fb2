"""A program in a pseudo-terminal: how it is started, how its end is seen, and how it is ended.

Rule: nothing of it outlives `close`. It is started by a supervisor that knows whatever comes of it,
and where there is none by ourselves; then what left the program's group is found by a mark in its
environment, and nothing ends it if we are killed.
"""

import contextlib
import fcntl
import os
import signal
import struct
import termios
from abc import abstractmethod
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

import pexpect
import ptyprocess

from . import processes, supervised

#: The status of a child that cannot be told, as asyncio has it.
UNKNOWN_STATUS: Final = 255
#: "$@" is never looked at by the shell.
_IN_FOLDER: Final = ("/bin/sh", "-c", 'cd -- "$1" && shift && exec "$@"', "sh")
#: What Python ignores and a program does not expect to be ignored.
_SIGNALS: Final = (signal.SIGPIPE, signal.SIGXFSZ, signal.SIGHUP, signal.SIGINT)

# The stubs know a type argument that the class itself does not take.
if TYPE_CHECKING:
    _Spawn = pexpect.spawn[bytes]
else:
    _Spawn = pexpect.spawn


class Child(_Spawn):
    """pexpect's child, started without a fork: a process with threads must not run Python in one.

    `pexpect.spawn(None)` leaves the start to its subclass.
    """

    #: A descriptor that becomes readable when the child has ended, where there is such.
    exit_handle: int | None

    def __init__(self, argv: Sequence[str], master: int, process: ptyprocess.PtyProcess) -> None:
        super().__init__(None, timeout=None)  # type: ignore[arg-type]  # missing in the stubs
        self.name, self.args, self.command = f"<{argv[0]}>", list(argv), argv[0]
        self.delaybeforesend, self.delayafterclose, self.delayafterterminate = None, 0, 0
        os.set_blocking(master, False)
        self.ptyproc = process
        self.ptyproc.delayafterclose = self.ptyproc.delayafterterminate = 0
        # Else it kills the child when it is collected, also in a process that was forked from us.
        self.ptyproc.closed = True
        self.pid, self.child_fd = process.pid, master
        self.closed = self.terminated = False
        self._owner = os.getpid()

    @property
    def ended_with(self) -> int | None:
        """The status it has ended with, None while it runs."""
        try:
            if self.isalive():
                return None
        except pexpect.ExceptionPexpect:
            return UNKNOWN_STATUS  # somebody else has waited for it, or ignores SIGCHLD
        left, killed = self.exitstatus, self.signalstatus
        return left if left is not None else -(killed or 0)

    @property
    @abstractmethod
    def gone(self) -> bool:
        """Whether it has ended, with all that can be waited for."""

    @abstractmethod
    def tell(self, number: int) -> None:
        """Send a signal to the child's group and to all that it started elsewhere."""

    @abstractmethod
    def finish(self) -> None:
        """End it and all that it started; `gone` tells when that is done."""

    def let_go(self) -> None:
        """Give back what stood for it; what has not ended is killed."""
        self.ptyproc.closed = False
        if os.getpid() != self._owner:  # a fork of us only lets go of it
            self.ptyproc.fileobj.close()
            self.ptyproc.closed = True
        with contextlib.suppress(pexpect.ExceptionPexpect, OSError):
            self.close(force=True)


def begin(
    argv: Sequence[str],
    env: Mapping[str, str],
    cwd: Path,
    size: tuple[int, int],
    mark: str = "",
) -> Child:
    """Start a program in a terminal of `size`, which is columns and lines; raises OSError."""
    words = [*_IN_FOLDER, str(cwd.absolute()), *argv]
    master, slave = os.openpty()
    try:
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", size[1], size[0], 0, 0))
        keeper = supervised.start(words, env, slave)
        if keeper is not None:
            return _Kept(argv, master, keeper)
        return _Own(argv, master, _spawn(words, env, os.ttyname(slave)), mark)
    except BaseException:
        os.close(master)
        raise
    finally:
        os.close(slave)


class _Reported(ptyprocess.PtyProcess):  # type: ignore[misc]  # it has no types
    """A process that is somebody else's child, who tells of its end."""

    def __init__(self, keeper: supervised.Keeper, master: int) -> None:
        super().__init__(keeper.pid, master)
        self._keeper = keeper

    def isalive(self) -> bool:
        """Whether it still runs; raises PtyProcessError if nobody knows."""
        self._keeper.listen()
        status = self._keeper.status
        if status is None and self._keeper.ended:
            raise ptyprocess.PtyProcessError("its keeper was killed")
        if status is not None:
            self.terminated = True
            self.exitstatus = status if status >= 0 else None
            self.signalstatus = -status if status < 0 else None
        return status is None


class _Kept(Child):
    """A child that a keeper started, which ends it even when we are killed."""

    def __init__(self, argv: Sequence[str], master: int, keeper: supervised.Keeper) -> None:
        super().__init__(argv, master, _Reported(keeper, master))
        self._keeper = keeper
        self.exit_handle = keeper.channel

    @property
    def gone(self) -> bool:
        self._keeper.listen()
        return self._keeper.ended

    def tell(self, number: int) -> None:
        self._keeper.signal(number)

    def finish(self) -> None:
        self._keeper.end()

    def let_go(self) -> None:
        super().let_go()
        self._keeper.close()
        self.exit_handle = None


class _Own(Child):
    """A child of our own; `mark` is in its environment and in that of whatever it starts."""

    def __init__(self, argv: Sequence[str], master: int, pid: int, mark: str) -> None:
        super().__init__(argv, master, ptyprocess.PtyProcess(pid, master))
        self._leader, self._mark = pid, mark
        self.exit_handle = _exit_handle(pid)

    @property
    def gone(self) -> bool:
        return self.ended_with is not None

    def tell(self, number: int) -> None:
        if self.ended_with is None:
            processes.send(number, self._leader, processes.descendants(self._leader, self._mark))
        else:
            # Its number may be another's by now; what it started is known by the mark alone.
            processes.send(number, None, processes.marked(self._mark))

    def finish(self) -> None:
        self.tell(signal.SIGKILL)

    def let_go(self) -> None:
        if os.getpid() == self._owner:
            self.finish()  # what was being started while the others were killed
        super().let_go()
        if self.exit_handle is not None:
            os.close(self.exit_handle)
            self.exit_handle = None


def _spawn(argv: list[str], env: Mapping[str, str], terminal: str) -> int:
    return os.posix_spawn(
        argv[0],
        argv,
        env,
        # The leader of a new session gets the terminal that it opens first as its own.
        file_actions=[
            (os.POSIX_SPAWN_OPEN, 0, terminal, os.O_RDWR, 0),
            (os.POSIX_SPAWN_DUP2, 0, 1),
            (os.POSIX_SPAWN_DUP2, 0, 2),
        ],
        setsid=True,
        setsigdef=_SIGNALS,
        setsigmask=(),
    )


def _exit_handle(pid: int) -> int | None:
    """A file descriptor that becomes readable when the process ends, where there is such."""
    if not hasattr(os, "pidfd_open"):
        return None
    try:
        return os.pidfd_open(pid)
    except OSError:
        return None
