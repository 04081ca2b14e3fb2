"""A small program that outlives ours, to end what we started and remove what we made.

Rule: this file is a program of its own, run with `python -I -S`: it imports nothing of ours but
`remains`, and little of Python's, because every process that starts a CLI pays for it in time and
memory. It acts on no process but descendants of its own, and on no file but those that it was told
to hold.

There are three kinds of processes, each forked from the one before:

    supervisor   one for a Python process, its owner. It is no child of the owner's, has a session
                 of its own and learns of the owner's end by a descriptor for the process and by
                 the end of the socket between them. It forks keepers, and removes files at the end.
    keeper       one for a CLI. What the CLI's processes leave behind becomes the keeper's child,
                 whatever they do (PR_SET_CHILD_SUBREAPER), so all that descends from it belongs to
                 that CLI. It talks to the owner by a socket of their own.
    the CLI      the leader of a session, with the slave of a pseudo-terminal as its terminal.

What a keeper leaves behind when it is killed becomes the supervisor's, which ends it. A keeper
whose supervisor is killed ends its CLI. Where there is no such thing as a sub-reaper, the CLI's
process group is all that is known.

On the sockets a message is four bytes of length and a kind of one letter with its text. To the
supervisor: `n` a keeper is wanted for the socket that comes along; `h` hold a path, `f` forget it;
`w` sweep a folder. To a keeper: `r` run, a marshalled Request with the terminal; `s` send a
signal; `e` end all. From a keeper, lines: `p` the CLI's process, once it is executed, `x` its exit
status, `e` why it could not be executed.
"""

import errno
import marshal
import os
import resource
import select
import sys
import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    import signal
    import socket
    from collections.abc import Callable

    from geminipty.transports.remains import remove, sweep

    #: Arguments, environment, umask and limits of a program that is to be run.
    Request = tuple[list[bytes], dict[bytes, bytes], int, list[tuple[int, int, int]]]
else:
    # What is behind these modules: they themselves take 6 ms and 1 MB more, for their enums.
    import _signal as signal
    import _socket as socket

    from remains import remove, sweep

#: How long the processes of one CLI may take to die, and all of them together.
DYING = 10.0

_PR_SET_PDEATHSIG = 1
_PR_SET_CHILD_SUBREAPER = 36
_PROC = "/proc"
#: Set once, before anything is forked.
prctl: "Callable[[int, int, int, int, int], int] | None" = None


def _kernel() -> "Callable[[int, int, int, int, int], int] | None":
    """What Python has no name for, where there is such."""
    if not sys.platform.startswith("linux"):
        return None
    try:
        import ctypes

        return ctypes.CDLL(None).prctl
    except (ImportError, OSError, AttributeError):
        return None


def adopt() -> None:
    """Have whoever descends from this process and is orphaned become its child."""
    if prctl is not None:
        prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


# Messages


def receive(wire: "socket.socket") -> tuple[bytes, list[int]] | None:
    """The next message with the descriptors that came along; None at the end."""
    try:
        head, ancillary, _, _ = wire.recvmsg(4, socket.CMSG_SPACE(4), socket.MSG_WAITALL)
        size = int.from_bytes(head, "big") if len(head) == 4 else 0
        body = wire.recv(size, socket.MSG_WAITALL)
    except OSError:
        return None
    came = [
        int.from_bytes(value[:4], sys.byteorder)
        for level, kind, value in ancillary
        if (level, kind) == (socket.SOL_SOCKET, socket.SCM_RIGHTS)
    ]
    return (body, came) if size and len(body) == size else None


def say(wire: "socket.socket", line: str) -> None:
    """Tell the owner, if it is still there; what it said last counts in any case."""
    try:
        wire.send(f"{line}\n".encode())
    except OSError:
        return


# Processes


def children(pid: int) -> list[int]:
    """The children of a process, also those that have ended; [] if that cannot be known."""
    found = []
    try:
        for task in os.listdir(f"{_PROC}/{pid}/task"):
            try:
                with open(f"{_PROC}/{pid}/task/{task}/children", "rb") as file:
                    found += [int(child) for child in file.read().split()]
            except FileNotFoundError:
                if not os.path.exists(f"{_PROC}/self/task/{os.getpid()}/children"):
                    return _children_by_parent(pid)
    except OSError:
        return found  # it has ended, or there is no /proc
    return found


def _children_by_parent(pid: int) -> list[int]:
    """The same for a kernel that keeps no list of children."""
    found = []
    for name in os.listdir(_PROC):
        if name.isdigit():
            try:
                with open(f"{_PROC}/{name}/stat", "rb") as file:
                    # The name, in parentheses, may hold anything; state and parent follow it.
                    parent = file.read().rpartition(b")")[2].split()[1]
            except OSError:
                continue
            if int(parent) == pid:
                found.append(int(name))
    return found


def descendants(pid: int) -> list[int]:
    """All that a process has started, parents first."""
    found, queue = [], [pid]
    while queue:
        for child in children(queue.pop()):
            if child not in found:
                found.append(child)
                queue.append(child)
    return found


def send(pid: int, number: int) -> None:
    """Send a signal to a process, or to a group if the number is negative."""
    try:
        os.kill(pid, number)
    except OSError:
        return  # it has ended, or became somebody else's


def reap() -> set[int] | None:
    """Wait for the children that have ended; None if there is no child at all."""
    ended: set[int] = set()
    while True:
        try:
            pid, _ = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return ended or None
        if pid == 0:
            return ended
        ended.add(pid)


def reap_but(one: int) -> None:
    """Wait for the children that have ended, but for one that is not to be waited for yet."""
    for child in children(os.getpid()):
        if child != one:
            try:
                os.waitpid(child, os.WNOHANG)
            except ChildProcessError:
                continue  # this /proc counts processes otherwise


def ended_with(child: int) -> int | None:
    """The status of a child, None while it runs.

    Its number stays its own, because it is not waited for, if the system can do that.
    """
    if hasattr(os, "waitid"):
        end = os.waitid(os.P_PID, child, os.WEXITED | os.WNOHANG | os.WNOWAIT)
        if end is None:
            return None
        return end.si_status if end.si_code == os.CLD_EXITED else -end.si_status
    pid, status = os.waitpid(child, os.WNOHANG)
    if pid == 0:
        return None
    send(-child, signal.SIGKILL)  # macOS up to Python 3.12: now, while the number is not used again
    return os.waitstatus_to_exitcode(status)


class Bell:
    """A descriptor that becomes readable when a child has ended."""

    def __init__(self) -> None:
        self.reader, self._writer = os.pipe()
        os.set_blocking(self.reader, False)
        os.set_blocking(self._writer, False)
        signal.set_wakeup_fd(self._writer, warn_on_full_buffer=False)

    def quiet(self) -> None:
        """Take note; a child that ends from now on rings again."""
        try:
            os.read(self.reader, 4096)
        except BlockingIOError:
            return

    def wait(self, seconds: float) -> None:
        """Wait until it rings."""
        poll = select.poll()
        poll.register(self.reader, select.POLLIN)
        poll.poll(max(0, int(seconds * 1000)))
        self.quiet()


# The keeper


def run(request: "Request", terminal: int) -> int:
    """Start the CLI and return its process, which leads its group; raises OSError.

    The child does not come back.
    """
    parent = os.getpid()
    reader, writer = os.pipe()  # to execute something closes the writer
    try:
        pid = os.fork()
    except OSError:
        os.close(reader)
        os.close(writer)
        raise
    if pid == 0:
        try:
            _become(request, terminal, parent, writer)
        except BaseException as error:  # noqa: BLE001 - a fork of us must end here
            os.write(writer, b"%d" % (getattr(error, "errno", None) or errno.EINVAL))
        finally:
            os._exit(127)
    os.close(writer)
    failed = os.read(reader, 16)
    os.close(reader)
    if failed:
        os.waitpid(pid, 0)
        raise OSError(int(failed), "not executed")
    return pid


def _become(request: "Request", terminal: int, parent: int, kept: int) -> None:
    if prctl is not None:
        prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    if os.getppid() != parent:
        return  # it ended before we asked to be told
    argv, env, umask, limits = request
    for number in range(1, signal.NSIG):
        try:
            signal.signal(number, signal.SIG_DFL)
        except (OSError, ValueError):
            continue  # not to be changed
    signal.pthread_sigmask(signal.SIG_SETMASK, ())
    os.login_tty(terminal)
    only(kept)
    for which, soft, hard in limits:
        try:
            resource.setrlimit(which, (soft, hard))
        except (OSError, ValueError):
            continue  # the owner's were raised since we were started
    os.umask(umask)
    os.execve(argv[0], argv, env)


def only(*kept: int) -> None:
    """Close all files but these and the first three."""
    try:
        found = [int(name) for name in os.listdir("/dev/fd")]
    except OSError:
        found = list(range(1 << 12))
    for one in found:
        if one > 2 and one not in kept:
            os.closerange(one, one + 1)  # unlike close it does not mind what is closed already


class Keeper:
    """Starts one CLI, and ends all that comes of it."""

    def __init__(self, channel: int, link: int) -> None:
        self._wire = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM, 0, channel)
        self._link = link
        self._bell = Bell()
        #: The CLI's process until it is waited for. So long its number is nobody else's, nor is
        #: that of its group, which may go on without it.
        self._cli = 0
        self._over = False

    def keep(self) -> None:
        """Do as the owner says until it wants an end, or is gone."""
        adopt()
        poll = select.poll()
        for handle in (self._wire.fileno(), self._link, self._bell.reader):
            poll.register(handle, select.POLLIN)
        wanted = True
        while wanted:
            ready = [handle for handle, _ in poll.poll()]
            self._bell.quiet()
            self._look()
            reap_but(self._cli)
            if self._wire.fileno() in ready:
                wanted = self._obey(receive(self._wire))
            wanted = wanted and self._link not in ready
        self.end()

    def _obey(self, told: tuple[bytes, list[int]] | None) -> bool:
        if told is None:
            return False
        (kind, text), terminals = (told[0][:1], told[0][1:]), told[1]
        if kind == b"r" and len(terminals) == 1:
            try:
                self._cli = run(marshal.loads(text), terminals[0])
                say(self._wire, f"p{self._cli}")
            except OSError as error:
                say(self._wire, f"e{error.errno}")
            os.close(terminals[0])
        elif kind == b"s":
            self._signal(int(text))
        return kind != b"e"

    def _signal(self, number: int) -> None:
        for one in descendants(os.getpid()):
            if one != self._cli:
                send(one, number)
        if self._cli:
            send(-self._cli, number)
            if number in (signal.SIGHUP, signal.SIGTERM):
                send(-self._cli, signal.SIGCONT)  # a stopped process takes no other signal

    def _look(self) -> None:
        """Tell of the CLI's end, once."""
        if self._cli and not self._over:
            status = ended_with(self._cli)
            if status is not None:
                say(self._wire, f"x{status}")
                self._over = True
                if not hasattr(os, "waitid"):
                    self._cli = 0

    def end(self) -> None:
        """Kill until there is no child any more; whoever was orphaned has become one."""
        until = time.monotonic() + DYING
        while time.monotonic() < until:
            self._look()
            self._signal(signal.SIGKILL)
            if self._over and self._cli:
                os.waitpid(self._cli, 0)  # its group was killed after its end
                self._cli = 0
            if not self._cli:
                ended = reap()
                if ended is None:
                    return
                if ended:
                    continue
            self._bell.wait(0.02)


# The supervisor


class Supervisor:
    """Serves its owner until the owner is gone; then leaves nothing behind."""

    def __init__(self, wire: int, owner: int | None) -> None:
        self._wire = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM, 0, wire)
        self._owner = owner
        self._bell = Bell()
        #: Keepers see its end when we are gone: nobody else has the other one.
        self._link, self._mine = os.pipe()
        self._forked: set[int] = set()
        self._held: dict[str, None] = {}

    def serve(self) -> None:
        """Do as the owner says until it is gone."""
        adopt()
        poll = select.poll()
        for handle in (self._wire.fileno(), self._bell.reader, self._owner):
            if handle is not None:
                poll.register(handle, select.POLLIN)
        say(self._wire, "1")
        wanted = True
        while wanted:
            ready = [handle for handle, _ in poll.poll()]
            if self._bell.reader in ready:
                self._tidy()
            if self._wire.fileno() in ready:
                # What was said last is heard before the end of who said it.
                wanted = self._obey(receive(self._wire))
            elif self._owner in ready:
                wanted = False
        self._end()

    def _obey(self, told: tuple[bytes, list[int]] | None) -> bool:
        if told is None:
            return False
        kind, text = told[0][:1], os.fsdecode(told[0][1:])
        if kind == b"n":
            for channel in told[1]:
                if self._forks(channel, self._link):
                    _last(Keeper(channel, self._link).keep)
                os.close(channel)
        elif kind == b"h":
            self._held[text] = None
        elif kind == b"f":
            self._held.pop(text, None)
        elif kind == b"w" and self._forks():
            _last(lambda: sweep(text))
        return True

    def _forks(self, *kept: int) -> bool:
        """Fork; True in the child, which has no files but these."""
        try:
            pid = os.fork()
        except OSError:
            return False  # the owner sees the end of its socket
        if pid:
            self._forked.add(pid)
            return False
        only(*kept)
        return True

    def _tidy(self) -> bool:
        """Wait for who has ended, end whose keeper was killed; whether anybody is left."""
        self._bell.quiet()
        ended = reap()
        self._forked -= ended or set()
        for stranger in set(children(os.getpid())) - self._forked:
            for one in (*descendants(stranger), stranger):
                send(one, signal.SIGKILL)
        return ended is not None

    def _end(self) -> None:
        os.close(self._mine)
        self._wire.close()
        until = time.monotonic() + DYING + 5
        while self._tidy() and time.monotonic() < until:
            self._bell.wait(0.1)
        for path in self._held:
            remove(path)


def _last(work: "Callable[[], None]") -> None:
    """Do it in a fork, and no more."""
    try:
        work()
    finally:
        os._exit(0)


def main(wire: int, owner: int | None = None) -> None:
    """Serve the owner that has the other end of a socket, and is a process that can be watched."""
    global prctl
    prctl = _kernel()
    only(*(one for one in (wire, owner) if one is not None))
    os.chdir("/")
    # Whoever ends a whole group or service means the owner, and we go when it goes.
    for number in (signal.SIGINT, signal.SIGHUP, signal.SIGQUIT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)
    signal.signal(signal.SIGCHLD, lambda *_: None)  # else the bell does not ring
    Supervisor(wire, owner).serve()
