"""A reply that quotes the CLI's own screen changes no status, and loses no character."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from geminipty.export.timeline import Timeline, tell
from geminipty.model import Status, ToolOutcome
from geminipty.reading import BlockKind, marks, read
from geminipty.terminal import Frame
from geminipty.transports.files import open_recording

from . import painting
from .conftest import RECORDINGS, examples

INDEX = {
    entry["cast"]: entry
    for entry in json.loads((RECORDINGS / "index.json").read_text(encoding="utf-8"))
}
QUOTING = sorted(RECORDINGS.glob("*/adversarial*.cast*"))


def story(path: Path) -> Timeline:
    """What happens in a recording."""
    with open_recording(path) as recording:
        return tell(recording)


@pytest.mark.parametrize("path", QUOTING, ids=lambda path: path.parent.name)
def test_a_reply_that_quotes_every_mark_is_only_a_reply(path: Path) -> None:
    """On the real CLI: no dialog, no tool, no queue, no status but working between the turns."""
    timeline = story(path)
    entry = INDEX[f"{path.parent.name}/{path.name}"]

    statuses = [e.status for e in timeline.events if e.kind == "status-changed"]
    assert not [e for e in timeline.events if e.kind in ("dialog-opened", "tool-called")]
    assert [turn.prompt for turn in timeline.turns] == [turn["prompt"] for turn in entry["turns"]]
    assert {turn.outcome.value for turn in timeline.turns} == {"finished"}
    pairs = [Status.WORKING, Status.READY] * len(timeline.turns)
    assert [one for one in statuses if one is not Status.STARTING] == [Status.READY, *pairs]


@pytest.mark.parametrize("path", QUOTING, ids=lambda path: path.parent.name)
def test_no_quoted_line_is_deleted(path: Path) -> None:
    """Each line that fits the screen, of each reply, stands in the text that is given back."""
    timeline = story(path)
    entry = INDEX[f"{path.parent.name}/{path.name}"]

    for turn, expected in zip(timeline.turns, entry["turns"], strict=True):
        if turn.reply.truncated:
            continue
        words = " ".join(turn.reply.text.split())
        for line in "\n".join(expected["replies"]).split("\n"):
            if 0 < len(line) <= 80 and not line.startswith("```"):
                assert " ".join(line.split()) in words


#: Everything that the CLI draws and we rely on, and the worst lines made of it.
QUOTES = sorted(
    {form for _, mark in marks.table() for form in mark.forms}
    | {"╭────╮", "│ > x │", "╰────╯", "● 1. Allow once", "  2. Allow for this session", "▄" * 60}
    | {"─" * 60, "> ", " > ", "* ", "│ ● 1. Yes │", "│ ?  Shell rm │", "Queued (press ↑ to edit):"}
    | {"ℹ Request cancelled.", "✕ [API Error: x]", "✦ more", "✓  ReadFile  a.txt", "Waiting..."}
)
LINES = st.lists(
    st.lists(st.sampled_from(QUOTES), min_size=1, max_size=3).map(" ".join).map(str.strip),
    min_size=1,
    max_size=8,
).map(lambda lines: [line[:56] or "x" for line in lines])


@examples(400)
@given(LINES, st.booleans(), st.sampled_from([painting.old, painting.new]))
@example(["Queued (press ↑ to edit):", "  x"], False, painting.new)
@example(["╭────╮", "│ ● 1. Yes │", "╰────╯"], False, painting.old)
@example(["⠋ Thinking... (esc to cancel, 3s)"], False, painting.old)
def test_any_quotation_changes_no_status(
    reply: list[str], busy: bool, paint: Callable[..., Frame]
) -> None:
    """A reply made of any marks in any order leaves the status, and is one reply block."""
    frame = paint(reply, busy=busy)

    reading = read(frame)

    assert reading.status is (Status.WORKING if busy else Status.READY)
    assert reading.dialog is None
    assert reading.queued == ()
    kinds = [block.kind for block in reading.blocks]
    assert kinds == [BlockKind.NOTICE, BlockKind.PROMPT, BlockKind.REPLY]


@pytest.mark.parametrize("glyph", sorted(marks.TOOL_GLYPHS))
@pytest.mark.parametrize("paint", [painting.old, painting.new])
def test_a_bold_word_behind_a_glyph_is_no_tool(glyph: str, paint: Callable[..., Frame]) -> None:
    """A reply with a tick and a bold name has one colour; a tool's glyph has its own."""
    frame = paint(["Done:", "", f"{glyph}  \x1b[1mReadFile\x1b[22m a.txt"], busy=False)

    kinds = [block.kind for block in read(frame).blocks]

    assert kinds == [BlockKind.NOTICE, BlockKind.PROMPT, BlockKind.REPLY]


def test_output_of_a_tool_may_say_anything() -> None:
    """A running command that prints a dialog is a tool's output, not a question."""
    frame = painting.new(["I run it."], busy=True)
    rows = [row.text for row in frame.rows]
    assert rows.count("✦ I run it.") == 1
    box = ["╭" + "─" * 54 + "╮", *(f"│ {text:<52} │" for text in OUTPUT), "╰" + "─" * 54 + "╯"]

    reading = read(painting.new(["I run it.", *("\r" + row for row in box)], busy=True))

    assert reading.status is Status.WORKING
    assert reading.dialog is None
    (tool,) = [tool for block in reading.blocks for tool in block.tools]
    assert tool.outcome is ToolOutcome.RUNNING
    assert "● 1. Allow once" in tool.output


OUTPUT = (
    "\x1b[34m⊷\x1b[39m  \x1b[1mShell\x1b[22m cat dialog.txt" + " " * 19,
    "",
    "Allow execution of: 'rm'?",
    "● 1. Allow once",
    "  2. No",
)
