"""Recordings on disk, so that nobody else opens them.

Rule: a recording that cannot be read is an error that names the file, never an empty recording.
"""

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
    """Open a recording, gzip or not; its events are read while they are asked for.

    Raises RecordingMissing if there is no such file, RecordingInvalid with the line for one that
    breaks the format or a limit (from here or while events are read), RecordingError otherwise.
    """
    try:
        file = path.open("rb")
    except FileNotFoundError:
        raise RecordingMissing("there is no such recording", recording=path) from None
    except OSError as error:
        raise _unreadable(path, error) from error
    with file:
        try:
            yield asciicast.read(_chunks(file, path), limits=limits or asciicast.Limits())
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
