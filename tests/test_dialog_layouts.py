"""No text that a dialog is about changes what the dialog is taken for."""

import random
import re
from functools import cache

import pytest

from geminipty.model import Dialog, DialogKind
from geminipty.reading import marks, read

from .conftest import RECORDINGS
from .dialog_layouts import RELEASES, WIDER, Asked, dialog, framed, is_cut, labels, title
from .playing import outputs, play

SHELL, EDIT, INFO, MCP_TOOL, ASK_USER, PLAN = (
    DialogKind.SHELL,
    DialogKind.EDIT,
    DialogKind.INFO,
    DialogKind.MCP_TOOL,
    DialogKind.ASK_USER,
    DialogKind.PLAN_APPROVAL,
)
TWO = "touch one > log.txt\ntouch two"
MANY = "\n".join(f"touch file{number}" for number in range(1, 46))
NAMES = "touch, redirection (>), touch"
URL = "http://127.0.0.1:9/x"
FETCH = f"Summarise {URL} please"
#: What the recordings `permissions` of all these releases ask.
RECORDED = (
    Asked(SHELL, "Shell", TWO, TWO, NAMES, redirects=True),
    Asked(EDIT, "WriteFile", "Writing to poem.txt", "1 Roses are red,\n2 violets are blue."),
    Asked(EDIT, "Edit", "a.txt: beta => BETA", "1   alpha\n2 - beta\n2 + BETA\n3   gamma"),
    Asked(
        INFO,
        "WebFetch",
        f'Processing URLs and instructions from prompt: "{FETCH}"',
        FETCH,
        URL,
    ),
    Asked(MCP_TOOL, "echo_tool (demo MCP Server)", '{"text":"hello"}', names="demo"),
)
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

PLAIN_ROWS = (
    *("● 1. Allow once", "  2. Allow for this session", "  3. No, suggest changes (esc)", "● Yes"),
    *(
        "● 1.  Yes, automatically accept edits",
        "○ No",
        "  4. No (esc)",
        "● 12. x",
        "1. one",
        "2. two",
    ),
    *("Action Required", "Answer Questions", "?  Shell ls", "? Shell  ls", "✓  ReadFile a.txt"),
    *("╭────╮", "│ x │", "╰────╯", "╭" + "─" * 56 + "╮", "╰" + "─" * 56 + "╯", "╭", "│", "╰"),
    *("Allow execution of: 'ls'?", "Allow execution of [Shell]?", "Allow execution of 3 commands?"),
    *('Allow execution of MCP tool "a" from server "b"?', "URLs to fetch:", "MCP Tool Details:"),
    *("Enter to select · ↑/↓ to navigate · Esc to cancel", "Press Enter to go on", "1 of 2"),
    *("... first 3 lines hidden (Ctrl+O to show) ...", "... 3 hidden (Ctrl+O) ...", "▲", "▼"),
    *("⠋ Thinking... (esc to cancel, 1s)", "Note: x", "Tip:  y", " > hello", "▄" * 60, "─" * 60),
    *(
        "😀",
        "漢字 かな",
        WIDER,
        WIDER * 30,
        "e\u0301",
        "x" * 130,
        "word " * 30,
        " " * 50 + "far",
        "\\",
    ),
    *("'?", "]?", '"?', "?", "'", "…", "←", "›", "•", "**b**", "`c`", "1 + Apply this change?", ""),
)
PIECES = sorted({form for _, mark in marks.table() for form in mark.forms} | {*PLAIN_ROWS})
WIDTHS = (40, 60, 80, 100, 120, 200)
NUMBER = 2000


def line(rng: random.Random, pieces: int = 3) -> str:
    """A line of hostile words."""
    between = rng.choice((" ", " ", "", "   "))
    return " " * rng.choice((0, 0, 1, 2, 6)) + between.join(
        rng.choices(PIECES, k=rng.randint(1, pieces))
    )


@cache
def quoted(release: str, asked: Asked, columns: int) -> str:
    """The whole picture of a dialog, as a text."""
    return "\n".join(framed(release, asked, columns).lines[2:]).strip("\n")


def text(rng: random.Random) -> str:
    """Some lines of them, or a whole dialog of a release."""
    if rng.random() < 0.2:
        return quoted(rng.choice(RELEASES), rng.choice(RECORDED), rng.choice((40, 60)))
    return "\n".join(line(rng) for _ in range(rng.randint(1, 7))).rstrip() or "x"


def hostile(rng: random.Random, kind: DialogKind) -> Asked:
    """A dialog of a kind about such a text."""
    room = rng.choice((1 << 30, 1 << 30, 2, 5))
    body = text(rng)
    if kind is SHELL:
        name = line(rng, 2).strip() or "x"
        return Asked(SHELL, "Shell", body, body, name, redirects=rng.random() < 0.5, room=room)
    if kind is EDIT:
        signs = rng.choice((("",), ("  ", "- ", "+ ")))
        lines = body.split("\n")
        change = "\n".join(f"{y} {rng.choice(signs)}{one}" for y, one in enumerate(lines, 1))
        return Asked(EDIT, "WriteFile", f"Writing to {line(rng)}", change, room=room)
    if kind is INFO:
        address = "http://x/" + line(rng).replace(" ", "")
        return Asked(INFO, "WebFetch", f'Processing "{body}"', body, address, room=room)
    if kind is MCP_TOOL:
        tool = rng.choice(("echo", "Shell", "x" * 60, "Apply_this_change", "a-b.c:d"))
        server = line(rng, 2).strip() or "x"
        return Asked(MCP_TOOL, f"{tool} ({server} MCP Server)", body, names=server)
    if kind is ASK_USER:
        answers = tuple(
            (line(rng).strip()[:30].strip() or "x", text(rng)) for _ in range(rng.randint(2, 4))
        )
        return Asked(ASK_USER, body=body, answers=answers, room=room)
    return Asked(PLAN, body=body, room=room)


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
        assert found.complete == (whole and not is_doubtful(found)), frame.boxed()


def is_doubtful(dialog: Dialog) -> bool:
    """Whether words of others look as if there were more: a name that is cut, rows hidden."""
    named = dialog.kind in (EDIT, MCP_TOOL) and dialog.title.endswith("…")
    hidden = any(
        re.match(r"\.\.\. (\w+ )?\d+ (\w+ )?hidden", row) for row in dialog.body.split("\n")
    )
    return named or hidden
