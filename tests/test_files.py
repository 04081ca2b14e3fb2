"""Recordings on disk: whole or an error, and whose error it is."""

import os
import threading
from pathlib import Path

import pytest

from geminipty.asciicast import Limits
from geminipty.errors import RecordingError, RecordingInvalid, RecordingMissing
from geminipty.transports import private
from geminipty.transports.files import open_recording, save_recording

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


def test_a_new_file_is_private_and_replaces_nothing(tmp_path: Path) -> None:
    """Under any umask only the owner may read it; a file or a link in its place is an error."""
    path, link = tmp_path / "new.cast", tmp_path / "link.cast"
    link.symlink_to(tmp_path / "elsewhere")
    before = os.umask(0)
    try:
        save_recording(path, b"one")
        save_recording(tmp_path / "other", b"two", overwrite=True)
    finally:
        os.umask(before)

    assert path.stat().st_mode & 0o777 == 0o600
    assert (tmp_path / "other").stat().st_mode & 0o777 == 0o600
    for taken in (path, link):
        with pytest.raises(RecordingError, match="already"):
            save_recording(taken, b"three")
    assert path.read_bytes() == b"one"
    assert not (tmp_path / "elsewhere").exists()
    with pytest.raises(RecordingError, match="cannot be written"):
        save_recording(tmp_path / "none" / "x", b"")
    assert len(list(tmp_path.iterdir())) == 3


def test_a_file_is_there_only_when_it_is_whole(tmp_path: Path) -> None:
    """An old file stands until the new one is complete, and stays if that fails."""
    path = tmp_path / "old.cast"
    path.write_bytes(b"old")

    for place in (path, tmp_path / "new.cast"):
        with (
            pytest.raises(ZeroDivisionError),
            private.whole(place, overwrite=place.exists()) as file,
        ):
            file.write(b"half %d" % (1 // 0))
    assert path.read_bytes() == b"old"
    with private.whole(path, overwrite=True) as file:
        file.write(b"new")
        assert path.read_bytes() == b"old"

    assert path.read_bytes() == b"new"
    assert [entry.name for entry in tmp_path.iterdir()] == ["old.cast"]
