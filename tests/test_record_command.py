"""`geminipty record`, in a terminal and with prompts: the toy stands for the CLI."""

import shlex
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pexpect
import pytest

from geminipty.cli import main
from geminipty.errors import RecordingInvalid
from geminipty.export.timeline import tell
from geminipty.session import GeminiSession
from geminipty.transports.files import open_recording
from tests.faces import TOY, Place
from tests.leaks import nothing_left
from tests.playing import load

if TYPE_CHECKING:
    from collections.abc import Iterator

#: The person's terminal is pexpect's, which forks; these tests have no threads of their own.
pytestmark = pytest.mark.filterwarnings("ignore:.*forkpty:DeprecationWarning")

REPLY = "A part and the whole."


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Place:
    """The toy as a program of one word, and a home for it."""
    place = Place(tmp_path)
    for name, folder in (("HOME", place.home), ("TMPDIR", place.temporary)):
        monkeypatch.setenv(name, str(folder))
    monkeypatch.setenv("TOY_LOG", str(tmp_path / "toy.log"))
    monkeypatch.chdir(place.project)
    program = tmp_path / "gemini"
    words = shlex.join([sys.executable, "-S", "-E", str(TOY), "dialogs=1"])
    program.write_text(f"#!/bin/sh\nexec {words}\n")
    program.chmod(0o755)
    return place


@pytest.fixture
def by_hand(place: Place, tmp_path: Path) -> "Iterator[pexpect.spawn[str]]":
    """A person at a terminal who records."""
    assert place.project.is_dir()
    arguments = ["-m", "geminipty", "record", "story.cast", "--command", str(tmp_path / "gemini")]
    with nothing_left():
        child = pexpect.spawn(
            sys.executable, arguments, dimensions=(40, 80), encoding="utf-8", timeout=20
        )
        yield child
        child.close(force=True)


def test_a_person_records_in_their_own_terminal(
    place: Place, by_hand: "pexpect.spawn[str]"
) -> None:
    """Keys go in, the screen comes out, a new size arrives, and the terminal is as before."""
    by_hand.expect("Type your message")
    for key in "hello":
        by_hand.send(key)
    by_hand.expect("hello")
    by_hand.send("\r")
    by_hand.expect("Allow once")
    by_hand.send("\r")
    by_hand.expect("and the whole.*Ready")
    by_hand.setwinsize(30, 100)
    by_hand.expect("▄{100}")
    by_hand.send("\x04")
    by_hand.expect("again to exit")
    by_hand.send("\x04")
    by_hand.expect("recorded: story.cast")
    by_hand.expect(pexpect.EOF)
    by_hand.wait()

    assert by_hand.exitstatus == 0
    assert place.prompts == ["hello"]
    path = place.project / "story.cast"
    header, events = load(path)
    assert (header.columns, header.lines) == (80, 40)
    assert [event.data for event in events if event.code in "rx"] == ["100x30", "0"]
    with open_recording(path) as recording:
        assert [turn.reply.text for turn in tell(recording).turns] == [REPLY]
    with pytest.raises(RecordingInvalid, match="made by hand"):
        GeminiSession.replay(path)
    assert list(place.temporary.iterdir()) == []


def test_prompts_are_asked_and_their_replies_printed(
    place: Place, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """What was recorded so can be replayed."""
    command = ["record", "story.cast", "--command", str(tmp_path / "gemini")]

    status = main([*command, "--approvals", "allow", "--ask", "one", "--ask", "two"])

    assert status == 0
    assert capsys.readouterr().out == f"{REPLY}\n{REPLY}\n"
    assert place.prompts == ["one", "two"]
    with GeminiSession.replay("story.cast", approvals="allow") as session:
        assert session.ask("one").text == REPLY


def test_what_goes_wrong_is_said_and_the_recording_is_kept(
    place: Place, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """An open dialog is an error with status 1; a recording that is there is not written over."""
    command = ["record", "story.cast", "--command", str(tmp_path / "gemini"), "--ask", "one"]

    assert main(command) == 1
    first = capsys.readouterr().err
    assert main(command) == 1
    second = capsys.readouterr().err

    assert "nobody said how to answer" in first
    assert "story.cast" in first
    assert "there is a recording already" in second
    assert place.prompts == ["one"]
    assert load(place.project / "story.cast")[1]


def test_without_a_terminal_prompts_are_needed(place: Place, tmp_path: Path) -> None:
    """The error says so; nothing is started or written."""
    command = [sys.executable, "-m", "geminipty", "record", "story.cast"]

    done = subprocess.run(
        [*command, "--command", str(tmp_path / "gemini")],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode == 1
    assert "give prompts with --ask" in done.stderr
    assert list(place.project.iterdir()) == []
    assert place.log == []
