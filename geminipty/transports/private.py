"""Files and folders that only their owner can read, whatever the umask says.

Rule: nothing is written over, nor through a link, unless that was asked for; then the old file is
replaced in one step.
"""

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, Final

_NEW: Final = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC


def folder(path: Path) -> None:
    """Make a folder and those above it that are missing; raises OSError."""
    if not path.is_dir():
        folder(path.parent)
        path.mkdir(mode=0o700, exist_ok=True)


def begin(path: Path, *, overwrite: bool = False) -> int:
    """Make a file that is there from now on, and return its descriptor; raises OSError."""
    if not overwrite:
        return _create(path)
    place = _beside(path)
    file = _create(place)
    try:
        place.replace(path)
    except OSError:
        os.close(file)
        place.unlink()
        raise
    return file


@contextmanager
def whole(path: Path, *, overwrite: bool = False) -> Iterator[BinaryIO]:
    """Make a file that is there when the block has ended well, and only then; raises OSError."""
    if not overwrite and os.path.lexists(path):
        raise FileExistsError(path)
    place = _beside(path)
    file = os.fdopen(_create(place), "wb")
    try:
        with file:
            yield file
        if overwrite:
            place.replace(path)
        else:
            os.link(place, path, follow_symlinks=False)  # unlike a rename it replaces nothing
    finally:
        place.unlink(missing_ok=True)


def _beside(path: Path) -> Path:
    return path.with_name(f".{path.name}.{secrets.token_hex(4)}")


def _create(path: Path) -> int:
    file = os.open(path, _NEW, 0o600)
    os.fchmod(file, 0o600)
    return file
