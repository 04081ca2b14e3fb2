"""Recordings on disk, so that nobody else opens them.

Rule: a recording that cannot be read is an error that names the file, never an empty recording.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

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
        with path.open("rb") as file:
            chunks = iter(partial(file.read, _READ), b"")
            yield asciicast.read(chunks, limits=limits or asciicast.Limits())
    except RecordingError as error:
        error.recording = error.recording or path
        raise
    except FileNotFoundError:
        raise RecordingMissing("there is no such recording", recording=path) from None
    except OSError as error:
        message = f"the recording cannot be read: {error.strerror}"
        raise RecordingError(message, recording=path) from error
