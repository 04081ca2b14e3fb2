"""A reply as releases of the CLI draw it: for what no recording can hold, any text at all."""

from geminipty.terminal import Frame, Terminal

SPINNER = "⠋"
ACCENT, PLAIN = "\x1b[38;5;183m", "\x1b[39m"


def old(reply: list[str], *, busy: bool, columns: int = 60, lines: int = 24) -> Frame:
    """0.24: a box around the composer, the spinner in the first column, no status in the title."""
    box = columns - 2
    rows = [f"{ACCENT}>{PLAIN} tell me", ""]
    rows += [(f"{ACCENT}✦{PLAIN} " if y == 0 else "  ") + text for y, text in enumerate(reply)]
    rows += ["", f"{SPINNER} A tip... (esc to cancel, 1s)"] if busy else ["", ""]
    rows += ["", "╭" + "─" * box + "╮"]
    hint = "\x1b[7m \x1b[27m Type your message or @path/to/file"
    rows += [f"│ {ACCENT}>{PLAIN} {hint}".ljust(box + len(ACCENT + PLAIN) + 10) + "│"]
    rows += ["╰" + "─" * box + "╯", " ~/proj   no sandbox   Auto"]
    return _painted(rows, columns, lines, "\x1b]0;Gemini - proj\x07", "")


def new(reply: list[str], *, busy: bool, columns: int = 60, lines: int = 24) -> Frame:
    """0.61: bars around the composer, a status row, and the status in the title."""
    bar = "▄" * columns
    rows = [bar, f" {ACCENT}>{PLAIN} tell me", bar.replace("▄", "▀")]
    rows += [(f"{ACCENT}✦{PLAIN} " if y == 0 else "  ") + text for y, text in enumerate(reply)]
    status = f" {SPINNER} Thinking... (esc to cancel, 1s)" if busy else " " * 40 + "? for shortcuts"
    rows += ["", "", status, "─" * columns, " Shift+Tab to accept edits", bar]
    hint = "\x1b[7m \x1b[27m Type your message or @path/to/file"
    rows += [f" {ACCENT}>{PLAIN} {hint}", bar.replace("▄", "▀")]
    rows += [" workspace", " ~/proj"]
    title = "✦  Working… (proj)" if busy else "◇  Ready (proj)"
    return _painted(rows, columns, lines, f"\x1b]0;{title}\x07", "\x1b[4A\x1b[4G")


def _painted(rows: list[str], columns: int, lines: int, title: str, park: str) -> Frame:
    terminal = Terminal(columns, lines)
    terminal.receive(f"\x1b[?25l\x1b[?2004h{title}")
    terminal.receive("\r\n".join(["banner", "", *rows]) + "\r\n" + park)
    terminal.tick(0)
    terminal.tick(5)
    return terminal.frames()[-1]
