"""The recordings of our own recorder tell the stories of the list, whatever the chunks they are in.

A replay is a whole session: the story's user asks, answers and interrupts, and gets from the
recording what the script says.
"""

import gzip
import json
import random
import re
import shutil
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from geminipty.asciicast import Event
from geminipty.launch.releases import Release
from geminipty.model import Turn, TurnOutcome
from geminipty.options import Options
from geminipty.run import Played, Run
from geminipty.session import GeminiSession
from geminipty.standin import Call, Fail, Say
from geminipty.stories import (
    RELEASES,
    STORIES,
    Ask,
    Command,
    Job,
    Shell,
    Story,
    check,
    differences,
    perform,
    place_of,
    stale,
)
from geminipty.stories.index import put_entry, read_index
from geminipty.stories.story import Performed
from geminipty.stories.telling import elsewhere
from geminipty.transports.replay import Replay

from .conftest import RECORDINGS
from .test_cli import geminipty

JOBS = [Job(story, release) for release in RELEASES for story in STORIES]
TOLD = [job for job in JOBS if not job.obstacle]
#: How often a recording is cut otherwise and replayed.
CUTS = 100
#: The same in the quick tests.
FEW = 2
EACH = [pytest.param(job, id=job.cast) for job in TOLD]


def replayed(path: Path, story: Story) -> tuple[Performed, tuple[Turn, ...]]:
    """What the story's user gets from a recording."""
    with GeminiSession.replay(path, timeout=60.0) as session:
        told = perform(story, session)
    return told, session.turns


@pytest.mark.parametrize("job", EACH)
def test_a_recording_tells_its_story(job: Job) -> None:
    """Replies, tools, dialogs, outcomes and what commands print are those of the script."""
    (checked,) = check([job], RECORDINGS)

    assert checked.wrong == ()


def test_every_story_is_there_for_every_release_and_no_recording_is_stale() -> None:
    """A story without its recording is missing; a recording of ours without a story is stale."""
    missing = [job.cast for job in TOLD if not place_of(job, RECORDINGS).exists()]

    assert missing == []
    assert stale(RECORDINGS, JOBS) == []


def test_every_recording_of_a_story_has_its_entry() -> None:
    """The index holds the prompts, replies and tools of each story, from its script."""
    entries = {entry["cast"]: entry for entry in read_index(RECORDINGS)}

    for job in TOLD:
        entry = entries[job.cast]
        assert (entry["cli"], entry["story"]) == (job.release, job.story.name)
        assert [turn["prompt"] for turn in entry["turns"]] == [a.prompt for a in job.story.asks]
        assert [turn["replies"] for turn in entry["turns"]] == [
            list(ask.replies) for ask in job.story.asks
        ]
        times = [turn[key] for turn in entry["turns"] for key in ("t_submit", "t_api_request")]
        assert times == sorted(times)


# Chunks


def cut(events: Iterable[Event], chance: random.Random) -> Iterator[Event]:
    """The same output at the same times, in other pieces."""
    for event in events:
        text = event.data
        if event.code != "o" or not isinstance(text, str) or len(text) < 2:
            yield event
            continue
        places = sorted(chance.sample(range(1, len(text)), min(chance.randrange(4), len(text) - 1)))
        for start, end in zip([0, *places], [*places, len(text)], strict=True):
            yield Event(event.time, "o", text[start:end])


class Recut(Played):
    """A recording whose output comes in other pieces, without a file of its own."""

    def __init__(self, path: Path) -> None:
        super().__init__(Options(timeout=60.0), path)
        self._path = path
        self._events = list(self._replay._events)

    def cut(self, chance: random.Random) -> None:
        """Begin anew with other pieces."""
        self._replay = Replay(cut(self._events, chance), path=self._path)


@pytest.mark.parametrize("cuts", [FEW, pytest.param(CUTS, marks=pytest.mark.live)])
@pytest.mark.parametrize("job", EACH)
def test_any_chunks_tell_the_same_story(job: Job, cuts: int) -> None:
    """However the output is cut, each event has its time and content, each turn its reply."""
    path = place_of(job, RECORDINGS)
    whole = replayed(path, job.story)
    recut = Recut(path)
    chance = random.Random(job.cast)

    for _ in range(cuts):
        recut.cut(chance)
        session = GeminiSession()
        session._run = Run(recut)
        with session:
            told = perform(job.story, session)
        assert (told, session.turns) == whole


# The measure itself


def test_a_recording_that_is_not_as_told_is_found(tmp_path: Path) -> None:
    """Another reply, a missing recording, one of no story and one cut short are differences."""
    job = next(job for job in TOLD if job.cast == "0.61.0/fail.cast.gz")
    path = place_of(job, tmp_path)
    path.parent.mkdir()
    assert "there is no such recording" in next(check([job], tmp_path)).wrong[0]

    data = gzip.decompress(place_of(job, RECORDINGS).read_bytes())
    path.write_bytes(gzip.compress(data.replace(b"Well again.", b"Sick again.")))
    assert "'Sick again.' is not 'Well again.'" in next(check([job], tmp_path)).wrong[0]

    path.write_bytes(gzip.compress(data[: data.index(b"a good question")].rpartition(b"\n")[0]))
    assert next(check([job], tmp_path)).wrong != ()

    shutil.copy(path, path.with_name("unknown.cast.gz"))
    shutil.copy(RECORDINGS / "0.61.0" / "hello.cast", path.parent)
    assert stale(tmp_path, [job]) == [path.with_name("unknown.cast.gz")]


def turns_of(name: str) -> tuple[Story, tuple[Turn, ...], tuple[str, ...]]:
    """A story with what its newest recording gives."""
    job = next(job for job in TOLD if job.cast == f"0.61.0/{name}.cast.gz")
    told, turns = replayed(place_of(job, RECORDINGS), job.story)
    return job.story, turns, told.printed


def test_what_went_otherwise_is_named() -> None:
    """Turns, prompts, outcomes, tools and dialogs that are not those of the script are told."""
    story, (allowed, denied), _ = turns_of("approve")

    assert differences(story, (allowed, denied), ()) == []
    assert differences(story, (allowed,), ()) == ["1 turns instead of 2"]
    swapped = "\n".join(differences(story, (denied, allowed), ()))
    for what in ("prompt became", "instead of finished", "is not 'I will make it.", "cancelled"):
        assert what in swapped
    no_tool = allowed.model_copy(
        update={"reply": allowed.reply.model_copy(update={"tools": ()}), "dialogs": ()}
    )
    assert "the tools are []" in differences(story, (no_tool, denied), ())[0]
    assert "0 dialogs instead of 1" in differences(story, (no_tool, denied), ())[-1]
    commands, turns, printed = turns_of("command")
    assert "did not show '42'" in differences(commands, turns, (printed[0], "41"))[0]


def test_the_truth_follows_from_the_script() -> None:
    """Replies, tools and the outcome of a prompt are known before anything runs."""
    call = Call("run_shell_command", command="ls")
    tool = Ask("x", ([Say("I look."), call], Say("Done.")), answers=(True,))

    assert tool.text == "I look.\n\nDone."
    assert tool.tools == (call,)
    assert tool.outcome is TurnOutcome.FINISHED
    assert Ask("x", (call,), answers=(False,)).outcome is TurnOutcome.CANCELLED
    assert Ask("x", (Say("a"),), interrupted=True).outcome is TurnOutcome.CANCELLED
    assert Ask("x", (Fail(400),)).outcome is TurnOutcome.FAILED


@pytest.mark.parametrize(
    ("release", "since", "possible"),
    [("0.1.5", (0, 6, 0), False), ("0.6.0", (0, 6, 0), True), ("0.62.0-nightly", (0, 6, 0), True)],
)
def test_a_release_that_cannot_tell_a_story_says_why(
    release: str, since: Release, possible: bool
) -> None:
    """The obstacle names what is lacking and the first release that has it."""
    story = Story("late", "Late.", (Shell("ls", ""),), since=since, lacks="it has no shell mode")

    obstacle = Job(story, release).obstacle

    assert obstacle == ("" if possible else "it has no shell mode; it can be told from 0.6.0 on")


def test_stories_have_names_of_their_own() -> None:
    """A name is used once and fit for a file; a story is one sentence with something to do."""
    names = [story.name for story in STORIES]

    assert len(names) == len(set(names))
    for story in STORIES:
        assert re.fullmatch(r"[a-z]+(-[a-z]+)*", story.name)
        assert story.what.endswith(".")
        assert story.acts


@pytest.mark.parametrize("length", [0, 1, 4, 9, 99])
def test_a_path_is_replaced_also_where_it_was_cut(length: int) -> None:
    """As much of the path as is there becomes as much of another one; all else stays."""
    root, path = "/tmp/xyz", "/tmp/xyz/home"
    shown = path[: len(root) + length]

    text = elsewhere(f"in {shown}… and {root} too, not /tmp/xy", path, root)

    other = "/home/user/fo"
    assert text == f"in {other[: len(shown)]}… and {other[: len(root)]} too, not /tmp/xy"


# The index


def test_an_entry_takes_the_place_of_the_one_before(tmp_path: Path) -> None:
    """Entries are sorted, one a line; others stay to the byte, and an index is made if needed."""
    shutil.copy(RECORDINGS / "index.json", tmp_path)
    before = (tmp_path / "index.json").read_bytes()
    entries = read_index(tmp_path)

    put_entry(tmp_path, entries[3])
    assert (tmp_path / "index.json").read_bytes() == before
    put_entry(tmp_path, {**entries[3], "size": "1x1"})
    changed = (tmp_path / "index.json").read_bytes()
    put_entry(tmp_path / "new", entries[0])

    old, new = before.splitlines(), changed.splitlines()
    assert [number for number, line in enumerate(old) if line != new[number]] == [4]
    assert read_index(tmp_path / "new") == [entries[0]]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["index.json", "new"]


def test_a_broken_index_is_said_to_be_so(tmp_path: Path) -> None:
    """Nothing is told over an index that cannot be read."""
    (tmp_path / "index.json").write_text("[1")

    result = geminipty("stories", "--release", "0.61.0", "--story", "ask", "--into", tmp_path)

    assert result.returncode == 1
    assert "the index cannot be read" in result.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["index.json"]


# The command


def test_list_shows_the_stories() -> None:
    """Each with its sentence; --json for machines."""
    shown = geminipty("stories", "--list").stdout.splitlines()
    data = json.loads(geminipty("stories", "--list", "--json").stdout)

    assert len(shown) == len(STORIES)
    assert [(one["story"], one["what"]) for one in data] == [(s.name, s.what) for s in STORIES]
    assert all(story.what in line for story, line in zip(STORIES, shown, strict=True))


def test_check_replays_and_tells_differences(tmp_path: Path) -> None:
    """0 and a count if all is as told; 1 and what is wrong if not."""
    good = geminipty("stories", "--check", "--release", "0.61.0", "--into", RECORDINGS)
    bad = geminipty("stories", "--check", "--story", "ask", "--into", tmp_path, "--json")

    assert good == (0, f"{len(STORIES)} recordings, 0 not as told\n", "")
    assert bad.returncode == 1
    assert [one["recording"] for one in json.loads(bad.stdout)] == [
        f"{release}/ask.cast.gz" for release in RELEASES
    ]
    assert "there is no such recording" in bad.stdout


def test_what_is_there_is_kept(tmp_path: Path) -> None:
    """Without --force a recording that is there, with its entry, is not told again."""
    for name in ("index.json", "0.61.0/ask.cast.gz"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        shutil.copy(RECORDINGS / name, tmp_path / name)
    clis = tmp_path / "clis" / "0.61.0" / "node_modules" / ".bin"
    clis.mkdir(parents=True)
    (clis / "gemini").write_text("#!/bin/false\n")

    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GEMINIPTY_CLIS", str(tmp_path / "clis"))
        result = geminipty("stories", "--release", "0.61.0", "--story", "ask", "--into", tmp_path)

    assert result.returncode == 0
    assert "kept" in result.stderr
    assert result.stdout == "1 kept in 0 s\n"


@pytest.mark.parametrize(
    "arguments", [["--story", "none"], ["--release", "newest"], ["--jobs", "0"], ["--jobs", "x"]]
)
def test_a_wrong_word_is_status_2(arguments: list[str]) -> None:
    """The usage is shown, and nothing is told."""
    result = geminipty("stories", *arguments)

    assert result.returncode == 2
    assert "usage: geminipty stories" in result.stderr


def test_help_of_stories_teaches() -> None:
    """--help names what is installed where, and gives examples."""
    text = geminipty("stories", "--help").stdout

    for word in ("examples:", "GEMINIPTY_CLIS", "--check", "docs/stories.md", "npm"):
        assert word in text


def test_a_command_that_shows_nothing_of_its_own_can_be_told() -> None:
    """A command without a text to look for is as told whatever it prints."""
    story = Story("x", "X.", (Command("/stats", shows=""),))

    assert differences(story, (), ("anything",)) == []
