"""Where exports go: new private files, or standard output.

Rule: a file appears whole, readable by its owner only, and never in place of another unless that
was asked for; a symbolic link is not followed.
"""

import stat
from pathlib import Path

from geminipty.errors import UsageError
from geminipty.transports import private
from geminipty.visible import line

STDOUT = Path("-")


def check(path: Path, *, force: bool) -> None:
    """UsageError if `path` could not be written, before any work is done for it."""
    if path == STDOUT:
        return
    try:
        found = path.lstat()
    except FileNotFoundError:
        if not path.parent.is_dir():
            raise UsageError(f"{line(path.parent)} is not a folder; create it first") from None
        return
    except OSError as error:
        raise _refused(path, error) from error
    if not stat.S_ISREG(found.st_mode):
        raise UsageError(f"{line(path)} exists and is no plain file; choose another name")
    if not force:
        raise UsageError(f"{line(path)} exists; choose another name, or write over it with --force")


def write(path: Path, data: bytes, *, force: bool) -> None:
    """Create `path` with `data`."""
    check(path, force=force)
    try:
        with private.whole(path, overwrite=force) as file:
            file.write(data)
    except OSError as error:
        raise _refused(path, error) from error


def _refused(path: Path, error: OSError) -> UsageError:
    return UsageError(f"{line(path)} cannot be written: {error.strerror}")
