"""Our end of the supervisor: what is to be ended and removed when this process goes.

Rule: there is one supervisor for a process, started when something needs it; a fork of us has no
part in it. Where none can be had, that is logged once, and only our own end cleans up.
"""

import contextlib
import errno
import marshal
import os
import resource
import select
import socket
import sys
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from geminipty.logs import log

from . import remains

#: Where the supervisor is. It is imported: what Python has compiled is run only if it is its own.
_PLACE: Final = Path(__file__).parent
_PROGRAM: Final = (
    "import sys; sys.path.append(sys.argv[1]); import supervisor; "
    "supervisor.main(*map(int, sys.argv[2:]))"
)
#: Goes on at once: what it has started is nobody's child, so nobody has to wait for it.
_APART: Final = ("/bin/sh", "-c", '"$@" &', "sh")
#: How long a busy machine may take to start it, and to answer.
_PATIENCE: Final = 30.0
#: Where a Python that was built so finds its own libraries.
_LIBRARIES: Final = ("LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH")
#: What a program inherits, and the supervisor may have inherited otherwise.
_LIMITS: Final = tuple(
    getattr(resource, name) for name in dir(resource) if name.startswith("RLIMIT_")
)


class _Link:
    """The way to the supervisor of one process."""

    def __init__(self) -> None:
        self.lock = threading.RLock()
        #: There is none, and never will be.
        self.absent = False
        self._wire: int | None = None
        #: Whether it has said that it is there.
        self._heard = False
        #: What is to be removed if we die, and the folders where the dead were looked for.
        self.held: dict[Path, None] = {}
        self.swept: set[Path] = set()
        #: The descriptors that a fork of us must not keep open, beside the one above.
        self.channels: set[int] = set()

    @property
    def handles(self) -> tuple[int, ...]:
        """All descriptors that lead to the supervisor and to keepers."""
        return (*self.channels, *(() if self._wire is None else (self._wire,)))

    def tell(self, kind: bytes, text: bytes = b"", handle: int | None = None) -> None:
        """Send a message, to a new supervisor if the one before was killed; raises OSError."""
        with self.lock:
            if not self._connect():
                return
            assert self._wire is not None
            try:
                _send(self._wire, _message(kind, text), handle)
            except ConnectionError:
                self._drop()
                if self._connect():
                    _send(self._wire, _message(kind, text), handle)

    def hear(self) -> bool:
        """Whether there is a supervisor; waits until it has started."""
        with self.lock:
            for _ in range(2):  # something may have killed the first one
                if not self._connect():
                    return False
                assert self._wire is not None
                self._heard = self._heard or _line(self._wire) is not None
                if self._heard:
                    return True
                self._drop()
            self.absent = True
            _warn("it did not start")
            return False

    def _connect(self) -> bool:
        """Start a supervisor if there was none; False if there cannot be one."""
        if self._wire is None and not self.absent:
            self.absent = not _can()
            if not self.absent:
                self._wire, self._heard = _start(), False
                for path in self.held:
                    _send(self._wire, _message(b"h", os.fsencode(path)))
        return not self.absent

    def _drop(self) -> None:
        if self._wire is not None:
            os.close(self._wire)
            self._wire = None


_link = _Link()


def _forget() -> None:
    """In a fork of us: let go of everything, so that our own end is seen."""
    global _link
    for handle in _link.handles:
        with contextlib.suppress(OSError):
            os.close(handle)
    _link = _Link()


os.register_at_fork(after_in_child=_forget)


def _warn(why: str) -> None:
    log.warning(
        "no supervisor: %s. If this process is killed, the CLI's processes and files stay; the "
        "files are removed by the next start.",
        why,
    )


def _can() -> bool:
    """Whether there is a Python to run the supervisor."""
    if getattr(sys, "frozen", False):
        _warn("this program holds its own Python")
    elif not sys.executable or not os.access(sys.executable, os.X_OK):
        _warn(f"there is no program at sys.executable ({sys.executable!r})")
    elif not _PLACE.is_dir():
        _warn("geminipty is not installed as files")
    else:
        return True
    return False


def _flags() -> list[str]:
    """Nothing of the user's and of the folder's; what is compiled is kept where ours is."""
    flags = ["-I", "-S"]
    if sys.dont_write_bytecode:
        flags.append("-B")
    if sys.pycache_prefix is not None:
        flags += ["-X", f"pycache_prefix={sys.pycache_prefix}"]
    return flags


def _start() -> int:
    """Start a supervisor and return the socket to it; it works while we go on."""
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)
    watched = None
    try:
        handles = [theirs.fileno()]
        if hasattr(os, "pidfd_open"):
            with contextlib.suppress(OSError):
                watched = os.pidfd_open(os.getpid())
                handles.append(watched)
        # Copies under numbers above all of them: what is copied would else be written over.
        first = max(handles) + 1
        copies = range(first, first + len(handles))
        words = [sys.executable, *_flags(), "-c", _PROGRAM, str(_PLACE), *map(str, copies)]
        pid = os.posix_spawn(
            _APART[0],
            [*_APART, *words],
            {name: os.environ[name] for name in _LIBRARIES if name in os.environ},
            file_actions=[
                (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDWR, 0),
                (os.POSIX_SPAWN_DUP2, 0, 1),
                (os.POSIX_SPAWN_DUP2, 0, 2),
                *((os.POSIX_SPAWN_DUP2, *pair) for pair in zip(handles, copies, strict=True)),
            ],
            setsid=True,
            setsigmask=(),
        )
        with contextlib.suppress(ChildProcessError):  # somebody else has waited for it
            os.waitpid(pid, 0)
        return ours.detach()
    finally:
        ours.close()
        theirs.close()
        if watched is not None:
            os.close(watched)


def _message(kind: bytes, text: bytes = b"") -> bytes:
    return (len(text) + 1).to_bytes(4, "big") + kind + text


def _send(wire: int, data: bytes, handle: int | None = None) -> None:
    """Send all of it over a socket, with a descriptor; raises OSError."""
    one = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM, 0, wire)
    flags = getattr(socket, "MSG_NOSIGNAL", 0)  # a program may have left SIGPIPE as it was
    try:
        if handle is not None:
            rights = handle.to_bytes(4, sys.byteorder)
            aside = (socket.SOL_SOCKET, socket.SCM_RIGHTS, rights)
            data = data[one.sendmsg([data], [aside], flags) :]
        one.sendall(data, flags)
    finally:
        one.detach()


def _line(wire: int) -> bytes | None:
    """The next line of a socket without its end; None if it has ended."""
    poll, line = select.poll(), bytearray()
    poll.register(wire, select.POLLIN)
    while not line.endswith(b"\n"):
        if not poll.poll(_PATIENCE * 1000):
            return None
        try:
            data = os.read(wire, 1)  # what follows may be for somebody else
        except ConnectionError:
            return None
        if not data:
            return None
        line += data
    return bytes(line[:-1])


def ready() -> bool:
    """Whether there is a supervisor; starts one and waits until it is there. Raises OSError."""
    return _link.hear()


def hold(*paths: Path) -> None:
    """Have files or folders removed if this process ends before it forgets them; raises OSError.

    They need not be there yet.
    """
    with _link.lock:
        for path in paths:
            _link.tell(b"h", os.fsencode(path))
            _link.held[path] = None


def forget(*paths: Path) -> None:
    """They are gone, or are to stay."""
    with _link.lock:
        for path in paths:
            if path in _link.held:
                del _link.held[path]
                with contextlib.suppress(OSError):
                    _link.tell(b"f", os.fsencode(path))


def sweep(folder: Path) -> None:
    """Have the folders of dead runs removed, once for each folder that they lie in."""
    with _link.lock:
        if folder not in _link.swept:
            _link.swept.add(folder)
            _link.tell(b"w", os.fsencode(folder))
            if _link.absent:
                remains.sweep(str(folder))


class Keeper:
    """The process that keeps one program: started by `start`, told what to do, heard."""

    def __init__(self, channel: int, pid: int) -> None:
        #: Readable when the program or the keeper has ended; -1 once it was let go of.
        self.channel = channel
        self.pid = pid
        #: The program's exit status, or minus the signal that ended it.
        self.status: int | None = None
        #: Whether the keeper has ended, and so all that it kept.
        self.ended = False
        self._heard = bytearray()
        self._owner = os.getpid()

    def signal(self, number: int) -> None:
        """Send a signal to all that the program is and has started."""
        self._tell(b"s", str(number).encode())

    def end(self) -> None:
        """Kill all of it, whatever it does; `ended` when that is done."""
        self._tell(b"e")

    def _tell(self, kind: bytes, text: bytes = b"") -> None:
        if not self.ended and os.getpid() == self._owner:
            with contextlib.suppress(OSError):  # then it has ended
                _send(self.channel, _message(kind, text))

    def listen(self) -> None:
        """Take what it has said."""
        self.ended = self.ended or os.getpid() != self._owner  # a fork of us has let go of it
        while not self.ended:
            try:
                data = os.read(self.channel, 64)
            except BlockingIOError:
                break
            except OSError:
                data = b""
            self._heard += data
            self.ended = not data
        while b"\n" in self._heard:
            line, _, rest = self._heard.partition(b"\n")
            self._heard = rest
            if line.startswith(b"x"):
                self.status = int(line[1:])

    def close(self) -> None:
        """Let go of it; it ends what still runs. May be called again."""
        channel, self.channel = self.channel, -1
        if os.getpid() == self._owner and channel >= 0:
            _link.channels.discard(channel)
            os.close(channel)
        self.ended = True


def start(argv: Sequence[str], env: Mapping[str, str], terminal: int) -> Keeper | None:
    """Start a program in a session of its own on a terminal, under a keeper of its own.

    None if there is no supervisor. Raises OSError if it cannot be started.
    """
    for _ in range(2):  # the supervisor may be killed at any moment
        if not ready():
            return None
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)
        channel = ours.detach()
        _link.channels.add(channel)
        try:
            with theirs:
                _link.tell(b"n", handle=theirs.fileno())
            _send(channel, _message(b"r", _request(argv, env)), terminal)
            said = _line(channel)
            if said is not None and said.startswith(b"p"):
                os.set_blocking(channel, False)
                keeper = Keeper(channel, int(said[1:]))
                channel = -1
                return keeper
            if said is not None:
                raise OSError(int(said[1:]), os.strerror(int(said[1:])))
        except ConnectionError:
            continue
        finally:
            if channel >= 0:
                _link.channels.discard(channel)
                os.close(channel)
    raise OSError(errno.ECHILD, "the process that was to keep it has ended")


def _request(argv: Sequence[str], env: Mapping[str, str]) -> bytes:
    limits = []
    for which in _LIMITS:
        with contextlib.suppress(OSError, ValueError):  # the system knows it not
            limits.append((which, *resource.getrlimit(which)))
    words = [os.fsencode(word) for word in argv]
    names = {os.fsencode(name): os.fsencode(value) for name, value in env.items()}
    return marshal.dumps((words, names, _umask(), limits), 2)


def _umask() -> int:
    """The umask, where possible without changing it under other threads."""
    with contextlib.suppress(OSError):
        status = Path("/proc/self/status").read_text(encoding="utf-8", errors="replace")
        _, known, rest = status.partition("\nUmask:")
        if known:
            return int(rest.split()[0], 8)
    with _link.lock:
        umask = os.umask(0o077)
        os.umask(umask)
    return umask
