"""The reading is right on every bundled recording whose truth is known."""

import json
from typing import Any

import pytest

from benchmarks.accuracy import check, is_prose
from geminipty.chats.agreement import rendered
from geminipty.export.timeline import tell
from geminipty.transports.files import open_recording

from .conftest import RECORDINGS

INDEX = json.loads((RECORDINGS / "index.json").read_text(encoding="utf-8"))
#: What the CLI itself does not show, by recording.
HIDDEN = {
    "0.1.5/adversarial.cast.gz": "rows of nothing but blanks and an edge are wider than its "
    "screen and wrapped; their blanks are lost",
    "0.11.3/prose.cast.gz": "it drops a combining accent",
    "0.8.2/yolo.cast.gz": "it shows one box for two tools",
}


@pytest.mark.parametrize("entry", INDEX, ids=[entry["cast"] for entry in INDEX])
def test_turns_prompts_tools_dialogs_and_prose_are_found(entry: dict[str, Any]) -> None:
    """Every turn, prompt, tool and dialog is found, prose is equal, and no READY is false."""
    path = RECORDINGS / entry["cast"]
    with open_recording(path) as recording:
        timeline = tell(recording)

    counts, faults, _ = check(entry, timeline, [])

    assert bool(faults) == (entry["cast"] in HIDDEN), faults
    assert counts["turns"] == counts["turns expected"]
    assert counts["prompts"] == counts["prompts expected"]
    assert counts["false_ready"] == 0
    assert counts["dialogs"] == counts["dialogs expected"]


def test_the_check_finds_faults() -> None:
    """A false READY, a missing turn and a changed text are seen by the measure itself."""
    entry = next(entry for entry in INDEX if entry["cast"] == "0.61.0/hello.cast")
    with open_recording(RECORDINGS / entry["cast"]) as recording:
        timeline = tell(recording)
    (turn,) = entry["turns"]

    late = {**entry, "turns": [{**turn, "t_api_done": turn["t_api_done"] + 5}]}
    other = {**entry, "turns": [{**turn, "replies": ["Good bye."]}]}
    more = {**entry, "turns": [turn, turn]}

    assert check(entry, timeline, [])[1] == []
    assert "false READY" in check(late, timeline, [])[1][0]
    assert "prose differs" in check(other, timeline, [])[1][0]
    assert "not found" in check(more, timeline, [])[1][0]


def test_rendering_leaves_the_words() -> None:
    """Markdown is compared as the words that are drawn; prose is what has none of it."""
    assert rendered("## A\n\n**b** `c` [d](e)\n\n| x | y |\n|---|---|\n| 1 | 2 |") == (
        "A b c d (e) x y 1 2"
    )
    assert is_prose("Two lines.\nAnd: 3 * 4, a_b_c.")
    assert not is_prose("- a list")
