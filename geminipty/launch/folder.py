"""The folder of one run of the CLI: its home, its temporary files, its wire log.

Rule: it ends with the run, whatever ends that. We remove it ourselves, the supervisor does if we
are killed, and the next start does if both were: a folder without a lock on it is a dead run's.
"""

import fcntl
import os
import secrets
import tempfile
import threading
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType

from geminipty.transports import remains, supervised


class Folder:
    """A new folder below `parent` that only its owner can enter; raises OSError."""

    def __init__(self, parent: Path) -> None:
        supervised.sweep(parent)
        parent = parent.resolve(strict=True)
        name = secrets.token_hex(8)
        # Nobody sweeps this name. It gets the other one when it is locked, if it can be.
        made = parent / f"{remains.PREFIX}{name}"
        #: Where it is.
        self.path = parent / f"{remains.PREFIX}{remains.boot()}-{name}"
        self._names = (made, self.path)
        self._owner = os.getpid()
        self._lock: int | None = None
        #: A descriptor must be closed once: its number may be another file's by then.
        self._removing = threading.RLock()
        supervised.hold(*self._names)
        try:
            made.mkdir(mode=0o700)
            self._lock = _locked(made)
            if self._lock is None:
                self.path = made
            else:
                made.rename(self.path)
        except BaseException:
            self.remove()
            raise

    def remove(self) -> None:
        """Remove it and all in it; never raises, and may be called again, by any thread.

        Nothing happens in a fork of the process that made it. What somebody still writes there is
        removed at our end.
        """
        if os.getpid() != self._owner:
            return
        with self._removing:
            for name in self._names:
                remains.remove(os.fspath(name))
            if self._lock is not None:
                os.close(self._lock)
                self._lock = None
        supervised.forget(*(name for name in self._names if not os.path.lexists(name)))

    def __enter__(self) -> Path:
        return self.path

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.remove()


def temporary(env: Mapping[str, str]) -> Path:
    """Where temporary files go in an environment.

    Python's own answer is what TMPDIR was when it first asked.
    """
    return Path(env.get("TMPDIR") or tempfile.gettempdir())


def _locked(folder: Path) -> int | None:
    """A descriptor that locks a folder as long as we live; None where there are no such locks."""
    lock = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(lock)
        return None
    return lock
