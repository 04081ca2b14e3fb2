"""The dialogs of five releases, laid out around any text as their own source does it.

`tests/test_dialog_layouts.py` proves the layouts: around the text of a recorded dialog, each gives
the rows that were recorded. Only what the reader looks at is drawn in colour or bold.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

from geminipty.model import DialogKind
from geminipty.terminal import Frame, Terminal
from geminipty.terminal.cells import width as _width

RELEASES = ("0.24.5", "0.30.1", "0.34.0", "0.47.0", "0.61.0")
#: Two signs and a joiner that terminals draw in one column more than the CLI counts.
WIDER = "क्\u200dष"
EDGE, MARK, DIM, PLAIN = "\x1b[38;5;183m", "\x1b[38;5;114m", "\x1b[2m", "\x1b[39m"
BOLD, THIN = "\x1b[1m", "\x1b[22m"
_SGR = re.compile(r"\x1b\[[0-9;]*m")
_SAVED = " ~/.gemini/policies/auto-saved.toml"
_BOXED, _NEW = (DialogKind.SHELL, DialogKind.EDIT), ("0.47.0", "0.61.0")
_ONCE, _MODIFY, _NO = "Allow once", "Modify with external editor", "No, suggest changes (esc)"
_YES = (
    ("Yes, automatically accept edits", "Approves plan and allows tools to run automatically"),
    ("Yes, manually accept edits", "Approves plan but requires confirmation for each tool"),
)


@dataclass(frozen=True)
class Asked:
    """What a dialog asks about, in words of others."""

    kind: DialogKind
    #: The tool as it is called on the screen, and what is said of it behind that.
    tool: str = ""
    about: str = ""
    #: The command, the change with its line numbers, the instructions, the question, the plan.
    body: str = ""
    #: The programs of a command; the server of a tool; the addresses to fetch.
    names: str = ""
    #: The answers that the model offers, with their descriptions.
    answers: tuple[tuple[str, str], ...] = ()
    #: The command writes into a file.
    redirects: bool = False
    #: How many rows of the body there is room for.
    room: int = 1 << 30


def framed(release: str, asked: Asked, columns: int, lines: int = 0) -> Frame:
    """The screen with this dialog; of few `lines`, its top may have scrolled off."""
    rows = [f"{EDGE} > {PLAIN}go", "", *dialog(release, asked, columns)]
    if release == "0.24.5":
        rows += ["⠏ Waiting for the respawn...", "", " /home/user/proj   no sandbox   Auto"]
    elif release in ("0.30.1", "0.34.0"):
        rows += ["", "─" * columns, " Shift+Tab to accept edits", " /home/user/proj"]
    terminal = Terminal(columns, lines or len(rows) + 20)
    terminal.receive("\x1b[?25l\x1b[?2004h" + "\r\n".join(rows))
    return terminal.picture()


def dialog(release: str, asked: Asked, columns: int) -> list[str]:
    """The rows of a dialog, as wide as the screen."""
    if asked.kind in (DialogKind.ASK_USER, DialogKind.PLAN_APPROVAL):
        inner = _routine(asked, columns - 4)
    elif release == "0.24.5":
        inner = _group(asked, columns - 4)
    elif asked.kind in _BOXED and release in _NEW:
        inner = _compact(asked, columns - 4)
    else:
        inner = _action(release, asked, columns - 4)
    edge = EDGE + (DIM if release == "0.24.5" else "")
    line = "─" * (columns - 2)
    side = f"{edge}│{PLAIN}{THIN}"
    rows = [f"{side} {_padded(row, columns - 4)} {side}" for row in inner]
    return [f"{edge}╭{line}╮{PLAIN}{THIN}", *rows, f"{edge}╰{line}╯{PLAIN}{THIN}"]


def labels(release: str, asked: Asked, columns: int) -> list[str]:
    """The labels of the choices of a dialog, as far as there is room for them."""
    if asked.kind is DialogKind.PLAN_APPROVAL:
        return [*(label for label, _ in _YES), "Type your feedback..."]
    if asked.kind is DialogKind.ASK_USER:
        return [*(label for label, _ in asked.answers), "Enter a custom value"]
    return [_truncated(label, columns - 9) for label in _labels(release, asked)]


def title(release: str, asked: Asked, columns: int) -> str:
    """What a dialog is titled: its heading, or the tool and what is said of it."""
    if asked.kind is DialogKind.PLAN_APPROVAL:
        return "Ready to start implementation?"
    if asked.kind is DialogKind.ASK_USER:
        return "Answer Questions"
    if asked.kind in _BOXED and release in _NEW:
        row = next(_compact(asked, columns - 4))
    else:
        row = _head(asked, columns - (6 if release == "0.24.5" else 4))
    return _SGR.sub("", row)[1:].strip()


def is_cut(release: str, asked: Asked, columns: int) -> bool:
    """Whether a part of the body is not drawn."""
    whole = replace(asked, room=1 << 30)
    return asked != whole and len(dialog(release, asked, columns)) < len(
        dialog(release, whole, columns)
    )


# The layouts: the rows between the sides


def _group(asked: Asked, room: int) -> Iterator[str]:
    """0.24: the tool, its text, the question, each with a blank row between."""
    yield _padded(_head(asked, room - 2), room - 2) + " ←"
    yield ""
    if asked.kind is DialogKind.SHELL:
        yield from _cut(_old_wrapped(asked.body, room), asked.room, "0.24.5", room)
    elif asked.kind is DialogKind.EDIT:
        yield from _cut(_change(asked.body, room, _old_wrapped), asked.room, "0.24.5", room)
    else:
        yield from _text(asked, room, details=False)
    yield ""
    yield from _wrapped(_question("0.24.5", asked), room)
    yield ""
    yield from _choices(_labels("0.24.5", asked), room)
    yield ""


def _action(release: str, asked: Asked, room: int) -> Iterator[str]:
    """From 0.27 on: a heading, the tool, its text, and the question right below it."""
    new = release in _NEW
    yield f"{EDGE}{BOLD}Action Required{THIN}{PLAIN}"
    yield ""
    yield _head(asked, room)
    yield ""
    if asked.kind is DialogKind.SHELL:
        body = asked.body if release == "0.34.0" else re.sub(r"\s+", " ", asked.body)
        rows = (row for line in body.split("\n") for row in _wrapped(line, room))
        yield from _cut(rows, asked.room, release, room)
        if asked.redirects:
            yield ""
            yield from _wrapped(
                "Note: Command contains redirection which can be undesirable.", room
            )
            tip = "Toggle auto-edit (Shift+Tab) to allow redirection in the future."
            yield from _wrapped(f"Tip:  {tip}", room)
    elif asked.kind is DialogKind.EDIT:
        yield from _cut(_change(asked.body, room, _wrapped), asked.room, release, room)
    else:
        details = release != "0.30.1"
        yield from _cut(_text(asked, room, details=details), asked.room, release, room)
    yield from _wrapped(_question(release, asked), room)
    yield ""
    yield from _choices(_labels(release, asked), room)
    if not new:
        yield ""


def _compact(asked: Asked, room: int) -> Iterator[str]:
    """From 0.38 on: the tool, its text in a box of its own, the question below that."""
    name = f"? {asked.tool}"
    about = asked.about.split("\n")
    gap = 2 if len(name) + 2 + max(map(columns_of, about)) <= room else 1
    indent = len(name) + gap
    for y, line in enumerate(about):
        head = f"{EDGE}{BOLD}{name}{THIN}{PLAIN}" + " " * gap if y == 0 else " " * indent
        yield head + _truncated(line, room - indent)
    yield f"{EDGE}╭{'─' * (room - 2)}╮{PLAIN}"
    if asked.kind is DialogKind.SHELL:
        lines = asked.body.strip().split("\n")
        rows: Iterable[str] = (row for line in lines for row in _wrapped(line, room - 6))
    else:
        rows = _change(asked.body, room - 4, _wrapped)
    for row in _cut(rows, asked.room, "0.61.0", room - 4):
        yield f"{EDGE}│{PLAIN} {_padded(row, room - 4)} {EDGE}│{PLAIN}"
    yield f"{EDGE}╰{'─' * (room - 2)}╯{PLAIN}"
    yield from _wrapped(_question("0.61.0", asked), room)
    if asked.redirects:
        yield from _wrapped("Redirection detected. To auto-accept, press Shift+Tab", room)
    yield ""
    yield from _choices(_labels("0.61.0", asked), room)


def _routine(asked: Asked, room: int) -> Iterator[str]:
    """From 0.30 on: what the model asks or plans, and its own answers."""
    plan = asked.kind is DialogKind.PLAN_APPROVAL
    heading = "Ready to start implementation?" if plan else "Answer Questions"
    yield f"{EDGE}{BOLD}{heading}{THIN}{PLAIN}"
    yield ""
    rows = (row for line in asked.body.split("\n") for row in _wrapped(line, room))
    yield from _cut(rows, asked.room, "0.61.0", room, last=True)
    yield ""
    last = "Type your feedback..." if plan else "Enter a custom value"
    for number, (label, said) in enumerate([*(_YES if plan else asked.answers), (last, "")], 1):
        bullet, pen = ("●", MARK) if number == 1 else (" ", "")
        for y, row in enumerate(_wrapped(label, room - 6)):
            yield pen + (f"{bullet} {number}.  " if y == 0 else " " * 6) + row + PLAIN
        if said:
            yield from (" " * 6 + row for row in _wrapped(said, room - 6))
    yield ""
    edit = "Ctrl+G to edit plan · " if plan else ""
    yield from _wrapped(f"Enter to select · ↑/↓ to navigate · {edit}Esc to cancel", room)


# Their parts


def _head(asked: Asked, room: int) -> str:
    """The row of the tool, cut at its end; a second line is not drawn."""
    about = _truncated(f"{asked.tool} {asked.about}".partition("\n")[0], room - 3)
    return f"{MARK}?{PLAIN}  {BOLD}{about[: len(asked.tool)]}{THIN}{about[len(asked.tool) :]}"


def _question(release: str, asked: Asked) -> str:
    new = release in _NEW
    return {
        DialogKind.SHELL: "Allow execution of [Shell]?"
        if new
        else f"Allow execution of: '{asked.names}'?",
        DialogKind.EDIT: "Apply this change?",
        DialogKind.INFO: "Do you want to proceed?",
        DialogKind.MCP_TOOL: f'Allow execution of MCP tool "{asked.tool.split(" ")[0]}" '
        f'from server "{asked.names}"?',
    }[asked.kind]


def _labels(release: str, asked: Asked) -> list[str]:
    saved = _SAVED if release in _NEW else ""
    old = release in ("0.24.5", "0.30.1")
    if asked.kind is DialogKind.MCP_TOOL:
        session = ["Allow tool for this session", "Allow all server tools for this session"]
        return [_ONCE, *session, "Allow tool for all future sessions" + saved, _NO]
    always = "Allow for all future sessions"
    if asked.kind is DialogKind.SHELL and not old:
        always = "Allow this command for all future sessions"
    if asked.kind is DialogKind.EDIT and not old:
        always = "Allow for this file in all future sessions"
    modify = [_MODIFY] if asked.kind is DialogKind.EDIT else []
    return [_ONCE, "Allow for this session", always + saved, *modify, _NO]


def _choices(labels: list[str], room: int) -> Iterator[str]:
    for number, label in enumerate(labels, 1):
        text = _truncated(label, room - 5)
        yield f"{MARK}● {number}. {text}{PLAIN}" if number == 1 else f"  {number}. {text}"


def _text(asked: Asked, room: int, *, details: bool) -> Iterator[str]:
    """The body of a fetch or of a server's tool."""
    if asked.kind is DialogKind.MCP_TOOL:
        yield from _wrapped(f"MCP Server: {asked.names}", room)
        yield from _wrapped(f"Tool: {asked.tool.split(' ')[0]}", room)
        if details:
            yield ""
            yield "MCP Tool Details:"
            yield from _wrapped("(press Ctrl+O to expand MCP tool details)", room)
        return
    yield from _wrapped(asked.body, room)
    if asked.names:
        yield ""
        yield "URLs to fetch:"
        for name in asked.names.split("\n"):
            yield from _wrapped(f" - {name}", room)


def _change(body: str, room: int, wrap: object) -> Iterator[str]:
    """The lines of a change behind their numbers; what is wrapped stands below the text."""
    assert callable(wrap)
    for line in body.split("\n"):
        gutter = re.match(r"\d+ (?:[+\- ] )?", line)
        assert gutter is not None
        start = gutter.end()
        for y, row in enumerate(wrap(line[start:], room - start)):
            yield (line[:start] if y == 0 else " " * start) + row


def _cut(
    rows: Iterable[str], room: int, release: str, columns: int, *, last: bool = False
) -> list[str]:
    """The last rows, or the first ones, that there is room for, and how many are hidden."""
    rows = list(rows)
    if len(rows) <= room:
        return rows
    hidden = len(rows) - room + 1
    key = "" if release in ("0.24.5", "0.30.1") else " (Ctrl+O to show)"
    if key and columns < 80:
        said = f"... {hidden} hidden (Ctrl+O) ..."
    else:
        lines = "lines" if hidden > 1 else "line"
        said = f"... {'last' if last else 'first'} {hidden} {lines} hidden{key} ..."
    said = _truncated(said, columns)
    return [*rows[:-hidden], said] if last else [said, *rows[hidden:]]


# Text in columns


@lru_cache(1 << 12)
def columns_of(text: str) -> int:
    """The columns that the CLI counts for a text."""
    if "\x1b" in text:
        text = _SGR.sub("", text)
    return len(text) if text.isascii() else sum(map(_width, text)) - text.count(WIDER)


def _padded(text: str, room: int) -> str:
    return text + " " * (room - columns_of(text))


def _truncated(text: str, room: int) -> str:
    if columns_of(text) <= room:
        return text
    while text and columns_of(text) > room - 1:
        text = text[:-1]
    return text + "…"


def _wrapped(text: str, room: int) -> list[str]:
    """Wrapped as Ink does it: blanks stay, a word that is longer than a row is cut anywhere."""
    return [row for line in text.split("\n") for row in _line(line, room)]


def _line(text: str, room: int) -> list[str]:
    rows = [""]
    used = 0
    for index, word in enumerate(text.split(" ")):
        if index:
            if used >= room:
                rows.append("")
                used = 0
            rows[-1] += " "
            used += 1
        size = columns_of(word)
        if size > room:
            here = 1 + (size - (room - used) - 1) // room
            if (size - 1) // room < here:
                rows.append("")
            _fill(rows, word, room)
            used = columns_of(rows[-1])
            continue
        if used and size and used + size > room:
            rows.append("")
            used = 0
        rows[-1] += word
        used += size
    return rows


def _fill(rows: list[str], word: str, room: int) -> None:
    """Put a long word into the last row and as many more as it takes."""
    while word:
        end = min(len(word), room)
        while end > 1 and columns_of(rows[-1] + word[:end]) > room:
            end -= 1
        if columns_of(rows[-1] + word[:end]) > room:
            rows.append("")
            continue
        rows[-1] += word[:end]
        word = word[end:]


def _old_wrapped(text: str, room: int) -> list[str]:
    """Wrapped as 0.24 did it for commands and changes: the blanks at an end of a row are lost."""
    rows = []
    for line in text.split("\n"):
        rows.append("")
        for word in filter(None, re.split(r"(\s+)", line)):
            if rows[-1] and columns_of(rows[-1] + word) > room:
                rows.append("")
                if word.isspace():
                    continue
            _fill(rows, word, room)
    return rows
