"""Recordings on disk, so that nobody else opens them.

Rule: a recording that cannot be read is an error that names the file, never an empty recording.
What is written is private, and replaces nothing unless that was asked for.
"""

from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import BinaryIO

from geminipty import asciicast
from geminipty.errors import RecordingError, RecordingMissing

from . import private

_READ = 1 << 16


@contextmanager
def _writing(path: Path) -> Iterator[None]:
    try:
        yield
    except FileExistsError:
        raise RecordingError(
            "there is a recording already. Remove it, choose another name, or overwrite it: "
            "overwrite=True",
            recording=path,
        ) from None
    except OSError as error:
        raise RecordingError(
            f"the recording cannot be written: {error.strerror}", recording=path
        ) from error


def begin_recording(path: Path, *, overwrite: bool = False) -> private.Draft:
    """Make the file of a recording, which goes unless it is kept; raises RecordingError.

    A recording that is to be overwritten stays until the new one is to be kept; who has it open
    keeps the old one.
    """
    with _writing(path):
        return private.Draft(path, overwrite=overwrite)


def save_recording(path: Path, data: bytes, *, overwrite: bool = False) -> None:
    """Write a recording that is there whole or not at all; raises RecordingError."""
    with _writing(path), private.whole(path, overwrite=overwrite) as file:
        file.write(data)


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
