"""Files and folders that only their owner can read, whatever the umask says.

Rule: nothing is written over, nor through a link, unless that was asked for; then the old file is
replaced in one step.
"""

import errno
import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO, Final

from . import supervised

_NEW: Final = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC


def folder(path: Path) -> None:
    """Make a folder and those above it that are missing; raises OSError."""
    if not path.is_dir():
        folder(path.parent)
        path.mkdir(mode=0o700, exist_ok=True)


class Draft:
    """A file that grows, and stays only if it is to be kept; raises OSError.

    Where there is a file already that may be overwritten, it grows beside that one, and takes its
    place when it is to be kept. If we end, or are killed, before that, it goes.
    """

    def __init__(self, path: Path, *, overwrite: bool = False) -> None:
        self._path = path
        self._kept = False
        #: Where it is now.
        self.place = path
        try:
            self.file = _create(path)
        except FileExistsError:
            if not overwrite:
                raise
            if path.is_dir() and not path.is_symlink():
                raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR)) from None
            self.place = _beside(path)
            supervised.hold(self._held)
            self.file = _create(self.place)
            return
        try:
            supervised.hold(self._held)  # not before: a file that was there is not ours
        except OSError:
            self.close()
            raise

    @property
    def _held(self) -> Path:
        return self.place.absolute()  # the supervisor may work in another folder

    def keep(self) -> None:
        """Put it where it belongs, to stay; it may be repeated.

        Raises OSError if it cannot be there, and then stays where it is.
        """
        if self._kept:
            return
        self._kept = True
        supervised.forget(self._held)
        if self.place != self._path:
            self.place = self.place.replace(self._path)

    def close(self) -> None:
        """See to it that the disk has it, or that it is gone if nobody wanted to keep it."""
        if self._kept:
            with suppress(OSError):  # what is no file cannot be told so
                os.fsync(self.file)
        else:
            self.place.unlink(missing_ok=True)
            supervised.forget(self._held)
        os.close(self.file)


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
            file.flush()
            os.fsync(file.fileno())
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
