"""All processes that one run of the CLI has started, also those that left its group.

Rule: a process counts only if it descends from the CLI, or carries the mark of this run in its
environment; nobody else's is ever touched.
"""

import contextlib
import os
import signal
from collections.abc import Callable, Iterator
from pathlib import Path

_PROC = Path("/proc")


def descendants(pid: int, mark: str = "") -> list[int]:
    """The processes that `pid` started, or whose environment holds `mark`; not `pid` itself.

    Without a /proc there are none: the process group is all that can be known.
    """
    parents = dict(_parents())
    found = {one for one in parents if one != pid and _descends(one, pid, parents)}
    return sorted(found | set(marked(mark)) - {pid})


def marked(mark: str) -> list[int]:
    """The processes whose environment holds `mark`, but for this one."""
    if not mark:
        return []
    return [one for one, _ in _parents() if one != os.getpid() and _carries(one, mark)]


def _parents() -> Iterator[tuple[int, int]]:
    if not _PROC.is_dir():
        return
    for entry in _PROC.iterdir():
        if not entry.name.isdigit():
            continue
        with contextlib.suppress(OSError):  # it has ended meanwhile
            stat = (entry / "stat").read_text(encoding="utf-8", errors="replace")
            # The name, in parentheses, may hold anything; state and parent follow it.
            state, parent, *_ = stat.rpartition(")")[2].split()
            if state != "Z":
                yield int(entry.name), int(parent)


def _descends(one: int, ancestor: int, parents: dict[int, int]) -> bool:
    seen = 0
    while one in parents and seen <= len(parents):
        one = parents[one]
        if one == ancestor:
            return True
        seen += 1
    return False


def _carries(one: int, mark: str) -> bool:
    with contextlib.suppress(OSError):  # another user's, or ended
        return os.fsencode(mark) in (_PROC / str(one) / "environ").read_bytes()
    return False


def send(number: int, group: int | None, others: list[int]) -> None:
    """Send a signal to a process group, if it is known, and to processes that left it."""
    for one in others:
        _signal(os.kill, one, number)
    if group is None:
        return
    _signal(os.killpg, group, number)
    if number in (signal.SIGHUP, signal.SIGTERM):
        _signal(os.killpg, group, signal.SIGCONT)  # a stopped process takes no other signal


def _signal(how: Callable[[int, int], None], target: int, number: int) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        how(target, number)
