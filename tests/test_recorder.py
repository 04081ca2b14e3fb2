"""A session is written down as it goes: privately, whole at any moment, over nobody else's file."""

import json
import logging
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from geminipty import asciicast
from geminipty.errors import CliExited, DialogWaiting, RecordingError, UsageError
from geminipty.export.timeline import tell
from geminipty.redaction import Redactor
from geminipty.session import GeminiSession
from geminipty.transports.castfile import CastFile
from geminipty.transports.files import begin_recording, open_recording
from tests.faces import Place
from tests.leaks import nothing_left, wait_for
from tests.playing import load

REPLY = "A part and the whole."


@pytest.fixture
def place(tmp_path: Path) -> Place:
    """Where a test happens."""
    return Place(tmp_path)


@pytest.fixture
def story(tmp_path: Path) -> Path:
    """Where the recording goes."""
    return tmp_path / "story.cast"


def test_a_recording_holds_the_wire_the_calls_and_the_chapters(place: Place, story: Path) -> None:
    """Output, input, statuses, prompts, dialogs, the end: any player shows it."""
    with GeminiSession(**place.options("dialogs=1", record=story)) as session:
        with pytest.raises(DialogWaiting):
            session.ask("hello")
        session.answer(1)
        session.resize(90, 30)

    header, events = load(story)
    assert header.version == 3
    assert (header.columns, header.lines) == (80, 40)
    marks = [event.data for event in events if event.code == "m"]
    assert marks[:4] == ["STARTING", "READY", "WORKING", "prompt: hello"]
    assert "asks: Shell  touch 1.txt" in marks
    typed = "".join(str(event.data) for event in events if event.code == "i")
    assert "\x1b[200~hello\x1b[201~\r" in typed
    calls = [json.loads(str(event.data))["verb"] for event in events if event.code == "v"]
    assert calls == ["start", "ask", "answer", "close"]
    assert [event.data for event in events if event.code in "rx"] == ["90x30", "0"]


def test_a_recording_is_read_like_any_other(place: Place, story: Path) -> None:
    """`geminipty read` tells the same turns that the session had."""
    with GeminiSession(**place.options(record=story)) as session:
        session.ask("hello")

    with open_recording(story) as recording:
        told = tell(recording)

    (turn,) = session.turns
    assert [(one.prompt, one.reply, one.outcome) for one in told.turns] == [
        (turn.prompt, turn.reply, turn.outcome)
    ]


def test_a_recording_is_private_whatever_the_umask(place: Place, story: Path) -> None:
    """Nobody but its owner can read it."""
    before = os.umask(0)
    try:
        with GeminiSession(**place.options(record=story)):
            mode = story.stat().st_mode
    finally:
        os.umask(before)

    assert mode & 0o777 == 0o600


def test_a_recording_is_never_written_over_another(place: Place, story: Path) -> None:
    """The error says so before the CLI starts; a link is not followed either."""
    story.write_text("precious")
    link = story.with_name("link.cast")
    link.symlink_to(story.with_name("elsewhere"))

    for path in (story, link):
        with nothing_left(), pytest.raises(RecordingError, match="already") as raised:
            GeminiSession(**place.options(record=path)).start()
        assert raised.value.recording == path

    assert story.read_text() == "precious"
    assert not (story.with_name("elsewhere")).exists()
    assert place.log == []


def test_overwriting_replaces_the_old_recording_when_the_cli_is_ready(
    place: Place, story: Path
) -> None:
    """With overwrite=True there is always a whole recording in its place, and private."""
    story.write_text("old")

    with GeminiSession(**place.options(record=story, overwrite=True)):
        header, _ = load(story)

    assert header.columns == 80
    assert story.stat().st_mode & 0o777 == 0o600
    assert [path.name for path in story.parent.glob("*story*")] == ["story.cast"]


def test_a_start_that_fails_replaces_nothing(place: Place, story: Path) -> None:
    """The old recording stays; where there was none, there is none, and the next try can begin."""
    story.write_text("old")
    other = story.with_name("other.cast")

    for path, overwrite in ((story, True), (other, True), (other, False)):
        with pytest.raises(CliExited):
            GeminiSession(**place.options("exit=3", record=path, overwrite=overwrite)).start()

    assert story.read_text() == "old"
    assert [path.name for path in story.parent.glob("*.cast*")] == ["story.cast"]
    with GeminiSession(**place.options(record=other)):
        assert load(other)[1]
    assert load(other)[1]


def test_a_place_that_is_lost_meanwhile_loses_nothing(
    story: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """If the new recording cannot take the old one's place, it stays beside it, and is named."""
    story.write_text("old")
    file = CastFile(
        begin_recording(story, overwrite=True),
        "story",
        asciicast.Header(columns=80, lines=24),
        Redactor(),
    )
    story.unlink()
    story.mkdir()

    with caplog.at_level(logging.ERROR):
        file.keep()
        file.add(asciicast.Event(1.0, "o", "hello"))
        file.close()

    (beside,) = story.parent.glob(".story*")
    assert str(beside) in caplog.text
    assert [event.data for event in load(beside)[1]] == ["hello"]


def test_a_folder_is_no_place_for_a_recording(place: Place, tmp_path: Path) -> None:
    """The error says so before the CLI starts."""
    with nothing_left(), pytest.raises(RecordingError, match="directory"):
        GeminiSession(**place.options(record=tmp_path, overwrite=True)).start()

    assert place.log == []


@pytest.mark.parametrize("old", ["old", None])
def test_a_killed_start_leaves_the_old_recording_alone(
    tmp_path: Path, story: Path, old: str | None
) -> None:
    """What was to replace it is gone, and so is a recording that was to be the first."""
    if old is not None:
        story.write_text(old)
    folder = tmp_path / "place"
    folder.mkdir()
    root = str(Path(__file__).parent.parent)
    code = STARTS.format(root=root, folder=str(folder), count=1 if old is None else 2)

    # A relative name, as most are: whoever removes it works in another folder.
    done = subprocess.run([sys.executable, "-c", code], check=False, cwd=tmp_path)

    assert done.returncode == -9
    names = [] if old is None else ["story.cast"]
    wait_for(lambda: [path.name for path in tmp_path.glob("*story*")] == names)
    assert old is None or story.read_text() == old


def test_a_folder_that_is_not_there_is_named(place: Place, tmp_path: Path) -> None:
    """Nothing is started; the error has the path."""
    path = tmp_path / "missing" / "story.cast"

    with nothing_left(), pytest.raises(RecordingError, match="No such file"):
        GeminiSession(**place.options(record=path)).start()

    assert list(place.temporary.iterdir()) == []


def test_a_packed_recording_is_refused(place: Place) -> None:
    """A file that grows event by event cannot be gzip; the error says what to do."""
    with pytest.raises(UsageError, match="pack it with gzip afterwards"):
        GeminiSession(**place.options(record="story.cast.gz"))


#: Records over another session and dies before the CLI has begun.
STARTS = """
import os, signal, sys, threading
sys.path.insert(0, {root!r})
from pathlib import Path
from tests.faces import Place
from tests.leaks import wait_for
from geminipty.session import GeminiSession
def die():
    sizes = lambda: [path.stat().st_size for path in Path().glob("*story*")]
    wait_for(lambda: len(sizes()) == {count} and all(sizes()))
    os.kill(os.getpid(), signal.SIGKILL)
place = Place(Path({folder!r}))
threading.Thread(target=die).start()
GeminiSession(**place.options("silent", record="story.cast", overwrite=True)).start()
"""
#: Records a session and dies in its turn, by no means of its own.
DIES = """
import os, signal, sys
sys.path.insert(0, {root!r})
from pathlib import Path
from tests.faces import Place
from geminipty.session import GeminiSession
place = Place(Path({folder!r}))
session = GeminiSession(**place.options("steps=0.05", record={story!r})).start()
session.ask("first")
for event in session.stream("second"):
    if event.kind == "turn-started":
        os.kill(os.getpid(), signal.SIGKILL)
"""


def test_a_killed_program_leaves_a_readable_recording(tmp_path: Path, story: Path) -> None:
    """Whatever was seen before the end is there, and the file is valid to its last line."""
    folder = tmp_path / "place"
    folder.mkdir()
    root = str(Path(__file__).parent.parent)
    code = DIES.format(root=root, folder=str(folder), story=str(story))

    done = subprocess.run([sys.executable, "-c", code], check=False)

    assert done.returncode == -9
    with open_recording(story) as recording:
        turns = tell(recording).turns
    assert [(turn.prompt, turn.outcome.value) for turn in turns] == [
        ("first", "finished"),
        ("second", "open"),
    ]


#: Records a session with a disk that takes so many bytes and no more.
FULL = """
import resource, sys
sys.path.insert(0, {root!r})
from pathlib import Path
from tests.faces import Place
from geminipty.session import GeminiSession
place = Place(Path({folder!r}))
with GeminiSession(**place.options(record={story!r})) as session:
    resource.setrlimit(resource.RLIMIT_FSIZE, (Path({story!r}).stat().st_size + 700,) * 2)
    print(session.ask("hello").text)
"""


def test_a_full_disk_ends_the_recording_and_not_the_session(tmp_path: Path, story: Path) -> None:
    """The reply comes; the log says that the recording goes no further, and it stays readable."""
    folder = tmp_path / "place"
    folder.mkdir()
    root = str(Path(__file__).parent.parent)
    code = FULL.format(root=root, folder=str(folder), story=str(story))

    done = subprocess.run(
        [sys.executable, "-c", code], check=True, capture_output=True, text=True, timeout=60
    )

    assert done.stdout == f"{REPLY}\n"
    assert f"the recording {story} goes no further: File too large" in done.stderr
    _, events = load(story)
    assert "o" in [event.code for event in events]


def test_a_recording_ends_at_what_a_reader_takes(
    story: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Events beyond the limits of every reader are left out, with a word in the log."""
    header = asciicast.Header(columns=80, lines=24)
    limits = asciicast.Limits(events=50)
    file = CastFile(begin_recording(story), "story", header, Redactor(), limits=limits)

    file.keep()
    with caplog.at_level(logging.ERROR):
        for number in range(60):
            file.add(asciicast.Event(number / 1e6, "t", ""))
        file.close()

    assert "limit of 50 events" in caplog.text
    assert len(load(story)[1]) == 50


def test_long_texts_are_kept_whole(place: Place, story: Path) -> None:
    """A prompt that is larger than a line of a recording may be replays all the same."""
    prompt = '0123456789 "\\é\n' * 40_000
    options: dict[str, Any] = {"record": story}
    with GeminiSession(**place.options(**options)) as session:
        session.ask(prompt)

    with GeminiSession.replay(story) as replayed:
        replayed.ask(prompt)

    assert replayed.turns == session.turns
    assert session.turns[0].prompt == prompt
