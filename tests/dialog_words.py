"""What others may write to be taken for the CLI: words of its dialogs, rows of them, all of it."""

import random
from functools import cache

from geminipty.model import DialogKind
from geminipty.reading import marks

from .dialog_layouts import RELEASES, WIDER, Asked, framed

SHELL, EDIT, INFO, MCP_TOOL, ASK_USER, PLAN = (
    DialogKind.SHELL,
    DialogKind.EDIT,
    DialogKind.INFO,
    DialogKind.MCP_TOOL,
    DialogKind.ASK_USER,
    DialogKind.PLAN_APPROVAL,
)
TWO = "touch one > log.txt\ntouch two"
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
_ROWS = (
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
PIECES = sorted({form for _, mark in marks.table() for form in mark.forms} | {*_ROWS})


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
