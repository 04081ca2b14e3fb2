"""Recordings on disk, so that nobody else opens them.

Rule: a recording that cannot be read is an error that names the file, never an empty recording.
What is written is private, and replaces nothing unless that was asked for.
"""

import os
import secrets
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import BinaryIO

from geminipty import asciicast
from geminipty.errors import RecordingError, RecordingMissing

_READ = 1 << 16


@contextmanager
def open_recording(
    path: Path, *, limits: asciicast.Limits | None = None
) -> Iterator[asciicast.Recording]:
    """Open a recording, gzip or not, that is valid to its end; events are read as asked for.

    Raises RecordingMissing if there is no such file, RecordingInvalid with the line for one that
    breaks the format or a limit, RecordingError if it cannot be read. All of it is read once to
    find out, so that nobody acts on the first half of a bad recording; only what cannot be read
    twice, such as a pipe, is checked while it is used.
    """
    limits = limits or asciicast.Limits()
    try:
        file = path.open("rb")
    except FileNotFoundError:
        raise RecordingMissing("there is no such recording", recording=path) from None
    except OSError as error:
        raise _unreadable(path, error) from error
    with file:
        try:
            if file.seekable():
                deque(asciicast.read(_chunks(file, path), limits=limits).events, maxlen=0)
                file.seek(0)
            yield asciicast.read(_chunks(file, path), limits=limits)
        except RecordingError as error:
            error.recording = error.recording or path
            raise


def _chunks(file: BinaryIO, path: Path) -> Iterator[bytes]:
    try:
        yield from iter(partial(file.read, _READ), b"")
    except OSError as error:
        raise _unreadable(path, error) from error


def _unreadable(path: Path, error: OSError) -> RecordingError:
    return RecordingError(f"the recording cannot be read: {error.strerror}", recording=path)


@contextmanager
def create_private(path: Path, *, overwrite: bool = False) -> Iterator[BinaryIO]:
    """Create a file that only its owner may read, whatever the umask says.

    RecordingError if there is a file or a link already. With `overwrite` it is written beside its
    place and put there when it is whole; after an exception the old file is as it was.
    """
    place = path.with_name(f".{path.name}.{secrets.token_hex(8)}") if overwrite else path
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
    try:
        file = os.fdopen(os.open(place, flags, 0o600), "wb")
    except FileExistsError:
        raise _exists(path) from None
    except OSError as error:
        raise _unwritable(path, error) from error
    try:
        with file:
            yield file
        if overwrite:
            place.replace(path)
    finally:
        if overwrite:
            place.unlink(missing_ok=True)


def _exists(path: Path) -> RecordingError:
    return RecordingError("there is such a file already; choose another name", recording=path)


def _unwritable(path: Path, error: OSError) -> RecordingError:
    return RecordingError(f"the recording cannot be written: {error.strerror}", recording=path)
