"""What a test may leave behind: no file descriptor, no process, no thread."""

import os
import resource
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from geminipty.transports import supervised

_PROC = Path("/proc")


def descriptors() -> dict[str, str]:
    """The open file descriptors of this process, each with what it stands for."""
    found = {}
    for entry in (_PROC / "self" / "fd").iterdir():
        with suppress(OSError):  # the one that lists the folder
            found[entry.name] = str(entry.readlink())
    return found


def children() -> set[int]:
    """The children of this process, dead ones included."""
    found: set[int] = set()
    for task in (_PROC / "self" / "task").iterdir():
        with suppress(OSError):  # a thread that has ended
            found |= {int(pid) for pid in (task / "children").read_text().split()}
    return found


def carriers(mark: str) -> set[int]:
    """The processes whose environment holds a text."""
    found = set()
    for entry in _PROC.iterdir():
        if entry.name.isdigit() and int(entry.name) != os.getpid():
            with suppress(OSError):  # ended, or a kernel's own
                if os.fsencode(mark) in (entry / "environ").read_bytes():
                    found.add(int(entry.name))
    return found


def named(text: str) -> set[int]:
    """The processes whose command line holds a text, other than this one."""
    found = set()
    for entry in _PROC.iterdir():
        if entry.name.isdigit() and int(entry.name) != os.getpid():
            with suppress(OSError):  # it has ended
                if os.fsencode(text) in (entry / "cmdline").read_bytes():
                    found.add(int(entry.name))
    return found


def parent(pid: int) -> int:
    """The parent of a process; 0 if it has ended."""
    with suppress(OSError):
        return int((_PROC / str(pid) / "stat").read_text().rpartition(")")[2].split()[1])
    return 0


def resident() -> int:
    """The memory of this process, in bytes."""
    pages = (_PROC / "self" / "statm").read_text().split()[1]
    return int(pages) * os.sysconf("SC_PAGE_SIZE")


def wait_for(what: Callable[[], object], seconds: float = 10.0) -> None:
    """Look until it is so; for what tells nobody of its change."""
    until = time.monotonic() + seconds
    pause = threading.Event()
    while not what():
        assert time.monotonic() < until, "it did not come to pass"
        pause.wait(0.002)


@contextmanager
def nothing_left() -> Iterator[None]:
    """Fail if what is done within leaves a file, a process or a thread behind.

    But for the one socket to the supervisor, which stays as long as we do.
    """
    supervised.ready()
    files, processes, threads = descriptors(), children(), set(threading.enumerate())
    yield
    assert {n: f for n, f in descriptors().items() if files.get(n) != f} == {}
    assert children() - processes == set()
    assert set(threading.enumerate()) - threads == set()


@contextmanager
def spare_descriptors(count: int) -> Iterator[None]:
    """No more than so many files can be opened."""
    free = os.dup(0)
    os.close(free)
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (free + count, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, before)
