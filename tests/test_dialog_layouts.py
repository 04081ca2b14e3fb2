"""No text that a dialog is about changes what the dialog is taken for."""

import random
import re
from functools import cache

import pytest

from geminipty.model import Dialog, DialogKind
from geminipty.reading import read
from geminipty.terminal import Frame

from .conftest import RECORDINGS
from .dialog_layouts import RELEASES, Asked, dialog, framed, is_cut, labels, title
from .dialog_words import (
    ASK_USER,
    EDIT,
    INFO,
    MCP_TOOL,
    PLAN,
    RECORDED,
    SHELL,
    TWO,
    hostile,
)
from .playing import outputs, play

MANY = "\n".join(f"touch file{number}" for number in range(1, 46))
#: The same with more text than there is room for.
CUT = {
    "0.24.5": Asked(SHELL, "Shell", MANY, MANY, "touch", room=14),
    "0.34.0": Asked(SHELL, "Shell", MANY, MANY, ", ".join(["touch"] * 45), room=12),
    "0.47.0": Asked(SHELL, "Shell", MANY, MANY, room=26),
    "0.61.0": Asked(SHELL, "Shell", MANY, MANY, room=26),
}


@cache
def boxes(story: str) -> set[tuple[str, ...]]:
    """The boxes of all dialogs of a recording, row by row, as far as they are on the screen."""
    (path,) = RECORDINGS.glob(f"{story}.cast*")
    found = set()
    for frame in play(*outputs(path)):
        box = read(frame).live.box
        if box is not None:
            found.add(tuple(frame.lines[max(box[0], 0) : box[1] + 1]))
    return found


def drawn(release: str, asked: Asked, columns: int = 100) -> tuple[str, ...]:
    """The box of a dialog as our layout draws it."""
    lines = framed(release, asked, columns).lines
    top = lines.index("╭" + "─" * (columns - 2) + "╮")
    return tuple(lines[top : top + len(dialog(release, asked, columns))])


@pytest.mark.parametrize("release", RELEASES)
def test_a_layout_draws_what_was_recorded(release: str) -> None:
    """Shell, edit, fetch and server: row by row as the release drew them."""
    recorded = boxes(f"{release}/permissions")

    for asked in RECORDED:
        if release == "0.24.5":
            asked = asked if asked.kind is not SHELL else Asked(SHELL, "Shell", TWO, TWO, "touch")
        assert drawn(release, asked) in recorded


@pytest.mark.parametrize("release", CUT)
def test_a_layout_cuts_as_was_recorded(release: str) -> None:
    """A text that is too long is cut where the release cut it; the top may have scrolled off."""
    box = drawn(release, CUT[release])

    assert any(box[-len(rows) :] == rows for rows in boxes(f"{release}/permissions"))


def test_what_the_model_asks_and_plans_is_drawn_as_recorded() -> None:
    """A question with answers, and a plan, of 0.61."""
    answers = (("SQLite", "small"), ("Postgres", "big"))
    question = Asked(ASK_USER, body="Which DB?", answers=answers)
    plan = Asked(PLAN, body="Plan\n\n 1. Do this\n 2. Do that")

    assert drawn("0.61.0", question) in boxes("0.61.0/dialogs")
    assert drawn("0.61.0", plan) in boxes("0.61.0/plan")


def test_a_narrow_layout_draws_what_was_recorded() -> None:
    """The width counts: 80 columns, where the CLI does not offer to save its rule."""
    command = "echo hi there && touch made-by-tool.txt"
    asked = Asked(SHELL, "Shell", command, command)

    (recorded,) = boxes("0.61.0/tool-approve-80x24")
    rows = [row for row in drawn("0.61.0", asked, 80) if "future" not in row]

    assert rows == [row.replace("3. No", "4. No") for row in recorded]


# What others may write

WIDTHS = (40, 60, 80, 100, 120, 200)
NUMBER = 2000


KINDS = [
    (release, kind)
    for release in RELEASES
    for kind in (SHELL, EDIT, INFO, MCP_TOOL, ASK_USER, PLAN)
    if release != "0.24.5" or kind not in (ASK_USER, PLAN)  # they came later
]


@pytest.mark.parametrize(("release", "kind"), KINDS)
def test_no_text_changes_what_a_dialog_is(release: str, kind: DialogKind) -> None:
    """Kind, title and choices are the CLI's; a text makes it less complete at most."""
    rng = random.Random(f"{release} {kind}")
    for _ in range(-(-NUMBER // len(KINDS))):
        asked, columns = hostile(rng, kind), rng.choice(WIDTHS)
        frame = framed(release, asked, columns, rng.choice((0, 0, 24)))
        shown = "╭" + "─" * (columns - 2) + "╮" in frame.lines
        whole = shown and not is_cut(release, asked, columns)

        found = read(frame).dialog

        assert found is not None, frame.boxed()
        assert found.kind is kind, frame.boxed()
        assert found.title == title(release, asked, columns), frame.boxed()
        assert [one.label for one in found.choices] == labels(release, asked, columns)
        assert [one.selected for one in found.choices].index(True) == 0
        doubtful = is_doubtful(found) or is_high(frame, found)
        assert found.complete == (whole and not doubtful), frame.boxed()


def is_high(frame: Frame, dialog: Dialog) -> bool:
    """Whether a box of the kind that 0.34 cuts off in silence leaves little of the screen."""
    rows = dialog.body.split("\n")
    asked = ("Allow", "Apply this", "Do you want")
    text = max((y for y, row in enumerate(rows) if row.startswith(asked)), default=len(rows))
    top = max((y for y, row in enumerate(frame.lines) if row.startswith("╭")), default=0)
    height = sum(row[:1] in "╭│╰" for row in frame.lines[top:] if row)
    high = height >= len(frame.lines) - 17 and text >= 2
    return high and "Action Required" in frame.lines[top + 1]


def is_doubtful(dialog: Dialog) -> bool:
    """Whether words of others look as if there were more: a name that is cut, rows hidden."""
    named = dialog.kind in (EDIT, MCP_TOOL) and dialog.title.endswith("…")
    hidden = any(
        re.match(r"\.\.\. (\w+ )?\d+ (\w+ )?hidden", row) for row in dialog.body.split("\n")
    )
    return named or hidden
