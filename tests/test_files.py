"""Recordings on disk: whole or an error, and whose error it is."""

import os
import threading
from pathlib import Path

import pytest

from geminipty.asciicast import Limits
from geminipty.errors import RecordingInvalid, RecordingMissing
from geminipty.transports.files import open_recording

HEADER = b'{"version": 2, "width": 80, "height": 24}\n'
EVENTS = b'[0.5, "o", "hi"]\n[1.0, "o", "ho"]\n'


def test_a_recording_that_is_bad_at_its_end_is_refused_before_its_first_event(
    tmp_path: Path,
) -> None:
    """Nobody gets to act on the first half of a bad recording; the error names file and line."""
    path = tmp_path / "bad.cast"
    path.write_bytes(HEADER + EVENTS + b"[0.2\n")

    with pytest.raises(RecordingInvalid) as caught, open_recording(path):
        pytest.fail("it was opened")

    assert caught.value.line == 4
    assert caught.value.recording == path


def test_the_events_are_there_after_the_check(tmp_path: Path) -> None:
    """A valid recording is read from its start, within the limits given."""
    path = tmp_path / "good.cast"
    path.write_bytes(HEADER + EVENTS)

    with open_recording(path) as recording:
        assert [event.data for event in recording.events] == ["hi", "ho"]
    with pytest.raises(RecordingInvalid, match="limit of 1 events"):
        open_recording(path, limits=Limits(events=1)).__enter__()


def test_a_pipe_is_read_once(tmp_path: Path) -> None:
    """What cannot be read twice is checked while it is used."""
    path = tmp_path / "pipe"
    os.mkfifo(path)
    writer = threading.Thread(target=path.write_bytes, args=(HEADER + EVENTS,))
    writer.start()

    with open_recording(path) as recording:
        assert len(list(recording.events)) == 2
    writer.join()


def test_an_error_of_the_caller_is_not_blamed_on_the_recording(tmp_path: Path) -> None:
    """An OSError inside the with block stays what it is; a missing file has its own error."""
    path = tmp_path / "good.cast"
    path.write_bytes(HEADER)

    with pytest.raises(ConnectionError), open_recording(path):
        raise ConnectionError("the caller's")
    with pytest.raises(RecordingMissing), open_recording(tmp_path / "none.cast"):
        pytest.fail("it was opened")
