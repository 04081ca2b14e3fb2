"""A small program that outlives ours, to end what we started and remove what we made.

Rule: this file is a program of its own, run with `python -I -S`: it imports nothing of ours and
little of Python's, because every process that starts a CLI pays for it in time and memory. It acts
on no process but descendants of its own, and on no file but those that it was told to hold.

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
signal; `e` end all. From a keeper, lines: `p` the CLI's process, `x` its exit status, `e` why it
could not be started.
"""

import fcntl
import marshal
import os
import resource
import select
import stat
import sys
import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    import signal
    import socket
    from collections.abc import Callable

    #: Arguments, environment, umask and limits of a program that is to be run.
    Request = tuple[list[bytes], dict[bytes, bytes], int, list[tuple[int, int, int]]]
else:
    # What is behind these modules: they themselves take 6 ms and 1 MB more, for their enums.
    import _signal as signal
    import _socket as socket

#: How long the processes of one CLI may take to die, and all of them together.
DYING = 10.0
#: The prefix of the folders that may be swept; what follows is named after this boot.
PREFIX = "geminipty-"

_PR_SET_PDEATHSIG = 1
_PR_SET_CHILD_SUBREAPER = 36
_PROC = "/proc"
#: Set once, before anything is forked.
prctl: "Callable[[int, int, int, int, int], int] | None" = None
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


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


def reap() -> dict[int, int] | None:
    """The children that have ended, with their statuses; None if there is no child at all."""
    ended: dict[int, int] = {}
    while True:
        try:
            pid, status = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return ended or None
        if pid == 0:
            return ended
        ended[pid] = os.waitstatus_to_exitcode(status)


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


# Files


def remove(path: str) -> None:
    """Remove a file, a link or a folder of ours and all in it; never raises, follows no link."""
    for _ in range(5):  # whoever dies may still write
        try:
            found = os.lstat(path)
            if not stat.S_ISDIR(found.st_mode):
                os.unlink(path)
                return
            if found.st_uid != os.geteuid():
                return
            _remove_folder(path, None)
        except FileNotFoundError:
            return
        except (OSError, RecursionError):
            continue


def _remove_folder(name: str, parent: int | None) -> None:
    try:
        folder = os.open(name, _FOLDER, dir_fd=parent)
    except PermissionError:  # a tool took our rights
        _let_in(name, parent)
        folder = os.open(name, _FOLDER, dir_fd=parent)
    try:
        os.fchmod(folder, 0o700)
        for entry in os.listdir(folder):
            if stat.S_ISDIR(os.lstat(entry, dir_fd=folder).st_mode):
                _remove_folder(entry, folder)
            else:
                os.unlink(entry, dir_fd=folder)
    finally:
        os.close(folder)
    os.rmdir(name, dir_fd=parent)


def _let_in(name: str, parent: int | None) -> None:
    """Take back our rights to a folder, and to no other that a link in its place leads to."""
    if not hasattr(os, "O_PATH"):
        os.chmod(name, 0o700, dir_fd=parent, follow_symlinks=False)
        return
    place = os.open(name, _FOLDER | os.O_PATH, dir_fd=parent)
    try:
        os.chmod(f"{_PROC}/self/fd/{place}", 0o700)
    finally:
        os.close(place)


def boot() -> str:
    """A name for this run of this machine; folders of others are nobody's to sweep."""
    try:
        with open(f"{_PROC}/sys/kernel/random/boot_id", encoding="ascii") as file:
            return file.read().replace("-", "").strip()[:12]
    except OSError:
        return "".join(letter for letter in os.uname().nodename if letter.isalnum())[:12] or "x"


def sweep(parent: str) -> None:
    """Remove the folders of runs that are dead; a living one holds a lock on its folder.

    A folder has its name only when it is locked, so one that is just being made is not seen.
    """
    try:
        names = os.listdir(parent)
    except OSError:
        return
    for name in names:
        if not name.startswith(f"{PREFIX}{boot()}-"):
            continue
        path = os.path.join(parent, name)
        try:
            if os.lstat(path).st_uid != os.geteuid():
                continue
            folder = os.open(path, _FOLDER)
        except OSError:
            continue  # gone meanwhile, or a link
        try:
            fcntl.flock(folder, fcntl.LOCK_EX | fcntl.LOCK_NB)
            remove(path)
        except OSError:
            continue  # its run is alive
        finally:
            os.close(folder)


# The keeper


def run(request: "Request", terminal: int) -> int:
    """Start the CLI and return its process; the child does not come back."""
    parent = os.getpid()
    pid = os.fork()
    if pid:
        return pid
    try:
        _become(request, terminal, parent)
    except BaseException as error:  # noqa: BLE001 - a fork of us must end here
        os.write(2, f"{error}\n".encode("utf-8", "backslashreplace"))
    finally:
        os._exit(127)


def _become(request: "Request", terminal: int, parent: int) -> None:
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
    only()
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
        self._cli = 0

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
            self._tell(reap())
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

    def _tell(self, ended: dict[int, int] | None) -> None:
        if ended and self._cli in ended:
            say(self._wire, f"x{ended[self._cli]}")
            self._cli = 0  # its number may be another's from now on

    def end(self) -> None:
        """Kill until there is no child any more; whoever was orphaned has become one."""
        until = time.monotonic() + DYING
        while time.monotonic() < until:
            self._signal(signal.SIGKILL)
            ended = reap()
            self._tell(ended)
            if ended is None:
                return
            if not ended:
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
        self._forked -= set(ended or ())
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


def main() -> None:
    """Serve the owner whose socket is the first argument and whose process is the second."""
    wire = int(sys.argv[1])
    owner = int(sys.argv[2]) if len(sys.argv) > 2 else None
    only(*(one for one in (wire, owner) if one is not None))
    os.chdir("/")
    # Whoever ends a whole group or service means the owner, and we go when it goes.
    for number in (signal.SIGINT, signal.SIGHUP, signal.SIGQUIT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)
    signal.signal(signal.SIGCHLD, lambda *_: None)  # else the bell does not ring
    Supervisor(wire, owner).serve()


if __name__ == "__main__":
    prctl = _kernel()
    main()
