"""Where exports go: new private files, or standard output.

Rule: a file appears whole, readable by its owner only, and never in place of another unless that
was asked for; a symbolic link is not followed.
"""

import os
import secrets
import stat
from pathlib import Path

from geminipty.errors import UsageError

STDOUT = Path("-")


def check(path: Path, *, force: bool) -> None:
    """UsageError if `path` could not be written, before any work is done for it."""
    if path == STDOUT:
        return
    try:
        found = path.lstat()
    except FileNotFoundError:
        if not path.parent.is_dir():
            raise UsageError(f"{path.parent} is not a folder; create it first") from None
        return
    except OSError as error:
        raise _refused(path, error) from error
    if not stat.S_ISREG(found.st_mode):
        raise UsageError(f"{path} exists and is no plain file; choose another name")
    if not force:
        raise UsageError(f"{path} exists; choose another name, or write over it with --force")


def write(path: Path, data: bytes, *, force: bool) -> None:
    """Create `path` with `data`."""
    if not force:
        try:
            _create(path, data)
        except FileExistsError:
            check(path, force=False)
            raise UsageError(f"{path} exists; choose another name") from None
        return
    check(path, force=True)
    beside = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    _create(beside, data)
    try:
        beside.replace(path)
    except OSError as error:
        beside.unlink()
        raise _refused(path, error) from error


def _create(path: Path, data: bytes) -> None:
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
    try:
        file = os.fdopen(os.open(path, flags, 0o600), "wb")
    except FileExistsError:
        raise
    except OSError as error:
        raise _refused(path, error) from error
    try:
        with file:
            file.write(data)
    except OSError as error:
        path.unlink()  # half a file looks like a whole one
        raise _refused(path, error) from error


def _refused(path: Path, error: OSError) -> UsageError:
    return UsageError(f"{path} cannot be written: {error.strerror}")
