"""Stories are told with the real CLI by the command; what does not go well leaves nothing."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from geminipty.standin import Say
from geminipty.stories import STORIES, Ask, Job, Maker, Story, read_index
from tests.clis import FOLDER, cli

from .conftest import Surroundings, running
from .models import NEWEST

pytestmark = pytest.mark.live

ASK = next(story for story in STORIES if story.name == "ask")


def stories(*arguments: object) -> "subprocess.Popen[str]":
    """The command in a process of its own, as a user starts it."""
    cli(NEWEST)  # npm is not what is tested here
    return subprocess.Popen(
        [Path(sys.executable).parent / "geminipty", "stories", *map(str, arguments)],
        env={**os.environ, "GEMINIPTY_CLIS": str(FOLDER)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def test_a_story_is_told_and_its_recording_replays(
    tmp_path: Path, surroundings: Surroundings
) -> None:
    """The command writes the recording and its entry, and --check finds it as told."""
    into = tmp_path / "recordings"
    which = ("--release", NEWEST, "--story", "ask", "--into", into)

    with stories(*which) as telling:
        printed, said = telling.communicate(timeout=90)
    with stories("--check", *which) as checking:
        checked, _ = checking.communicate(timeout=90)

    assert (telling.returncode, printed[:6]) == (0, "1 told"), said
    assert f"[1/1] {NEWEST}" in said
    assert (checking.returncode, checked) == (0, "1 recordings, 0 not as told\n")
    assert [entry["cast"] for entry in read_index(into)] == [f"{NEWEST}/ask.cast.gz"]
    files = sorted(path.name for path in into.rglob("*") if path.is_file())
    assert files == ["ask.cast.gz", "index.json"]
    assert surroundings.left() == []


def test_a_story_that_goes_otherwise_leaves_nothing(
    tmp_path: Path, surroundings: Surroundings
) -> None:
    """A model that says more than is asked for fails the story; its screen is shown, no file is."""
    story = Story("wrong", "Two answers to one prompt.", (Ask("hi", (Say("Hi."), Say("Again."))),))

    (made,) = Maker(tmp_path, FOLDER).make([Job(story, NEWEST)])

    assert made.result == "failed"
    assert "the reply 'Hi.' is not 'Hi.\\n\\nAgain.'" in made.why
    assert "│" in made.why
    assert list(tmp_path.iterdir()) == []
    assert surroundings.left() == []


def test_ctrl_c_ends_every_cli_and_leaves_nothing(
    tmp_path: Path, surroundings: Surroundings
) -> None:
    """Two CLIs are at work when Ctrl-C comes: exit status 130, no process and no file."""
    into = tmp_path / "recordings"
    mark = f"{surroundings.temporary}/geminipty-story-"
    which = ("--release", NEWEST, "--story", "approve", "--story", "interrupt")

    with stories(*which, "--jobs", "2", "--into", into) as telling:
        assert telling.stderr is not None
        while sum("gemini" in one for one in running(mark)) < 2:
            assert telling.poll() is None, telling.stderr.read()
        telling.send_signal(signal.SIGINT)
        _, said = telling.communicate(timeout=60)

    assert telling.returncode == 130
    assert "stopped" in said
    assert "Traceback" not in said
    assert not into.exists()
    assert list(running(mark)) == []
    assert surroundings.left() == []


def test_a_maker_that_was_stopped_tells_nothing_more(tmp_path: Path) -> None:
    """A story that has not begun when the maker is stopped fails without starting a CLI."""
    cli(NEWEST)
    maker = Maker(tmp_path, FOLDER)
    maker.stop()

    (made,) = maker.make([Job(ASK, NEWEST)])

    assert (made.result, made.why) == ("failed", "the telling was stopped")
    assert list(tmp_path.iterdir()) == []
