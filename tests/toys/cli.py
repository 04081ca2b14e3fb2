"""A toy that draws its screen as Gemini CLI 0.61.0 does, and misbehaves as its arguments say.

It is run as a program of its own with nothing but the standard library, because it must start at
once. What it was given goes to the file TOY_LOG, a line each: that is what a test asks for.

Arguments, all optional:

    write=TEXT exit=N       write the text, exit with the status
    silent                  draw nothing, in cooked mode, and never end
    garbage, badutf8        random bytes, or bytes that are no UTF-8, before the start and a reply
    flood                   write without end before the start; flood-turn: in a turn
    leftover=TEXT           a text stands in the composer
    says=TEXT               what is replied
    deaf                    read no more once the composer is drawn
    swallow=N newline=N     the first N Enters do nothing, or are new lines
    late=S                  the first Enter is answered after S seconds, in which nothing is read
    steps=S                 seconds between one picture of a turn and the next
    stops                   a turn ends as if somebody had pressed Escape
    forever                 a turn ends only by Escape; stubborn: not even by that
    signal=N                in a turn, send this signal to itself
    dialogs=N               a turn asks N times
    dialog-after            a dialog opens after the first turn
                            (SIGUSR1 puts another dialog in the place of an open one)
    trust, auth             a dialog at the start
    ignore                  take no notice of SIGHUP, SIGTERM and Ctrl+D
    child                   leave a process in a session of its own behind
"""

import os
import re
import select
import signal
import sys
import termios
import time
import tty

SWITCHES = dict(word.partition("=")[::2] for word in sys.argv[1:])
KEYS = re.compile(
    rb"\x1b\[200~(.*?)\x1b\[201~|(\x1b\[[0-9;?>]*[A-Za-z~])|(\x1b(?!\[))|([\x00-\x1f\x7f])"
    rb"|([^\x00-\x1f\x7f]+)",
    re.DOTALL,
)
STEP = float(SWITCHES.get("steps", "0.01"))
CHOICES = ("Allow once", "Allow for this session", "No, suggest changes (esc)")
TRUST = ("Trust folder (proj)", "Trust parent folder (home)", "Don't trust")
AUTH = ("Sign in with Google", "Use Gemini API Key", "Vertex AI")


def number(name: str) -> int:
    """The number that a switch was given; 0 where it was not."""
    return int(SWITCHES.get(name) or 0)


def log(what: str) -> None:
    """Tell the test what was received."""
    if path := os.environ.get("TOY_LOG"):
        with open(path, "a", encoding="utf-8") as file:  # noqa: PTH123 - pathlib is slow to import
            file.write(what.replace("\n", "\\n") + "\n")


def write(text: str | bytes) -> None:
    """Write all of it."""
    data = text.encode("utf-8", "surrogateescape") if isinstance(text, str) else text
    while data:
        data = data[os.write(1, data) :]


class Toy:
    """The screen and what it shows."""

    def __init__(self) -> None:
        self.columns, self.lines = os.get_terminal_size(0)
        self.text = SWITCHES.get("leftover", "")
        self.static: list[str] = [
            "",
            " ▝▜▄     Gemini CLI v0.61.0",
            "",
            "Tips for getting started:",
        ]
        #: All that was ever added to the transcript.
        self.history: list[str] = []
        self.live = 0
        self.parked = False
        self.reply = ""
        self.hint = ""
        self.raw = self.busy = False
        self.asks: tuple[str, tuple[str, ...]] | None = None
        self.selected = 0
        self.asked = self.turns = self.moved = 0
        self.swallow, self.newline = number("swallow"), number("newline")
        self.late = float(SWITCHES.get("late") or 0)
        #: What happens next in the turn, and when.
        self.steps: list[str] = []
        self.due = 0.0

    # Drawing

    def rows(self) -> list[str]:
        """The rows below the transcript."""
        if self.asks is not None:
            return self.boxed(*self.asks)
        bar = "▄" * self.columns
        status = " ⠋ Thinking... (esc to cancel, 0s)" if self.busy else " " * 50 + "? for shortcuts"
        mode = " Shift+Tab to accept edits" + (" raw markdown mode" if self.raw else "")
        rows = [f"✦ {self.reply}"] if self.reply and self.busy else []
        rows += ["", f" {self.hint}" if self.hint else "", status, "─" * self.columns, mode, bar]
        shown = self.text if len(self.text) < 300 else f"[Pasted Text: {len(self.text)} chars]"
        lines = shown.split("\n")
        if not self.text:
            lines = ["\x1b[7m \x1b[27m Type your message or @path/to/file"]
        rows += [(" > " if y == 0 else "   ") + line for y, line in enumerate(lines)]
        if self.text:
            rows[-1] += " " * (self.moved % 2) + "\x1b[7m \x1b[27m"
        return [*rows, bar.replace("▄", "▀"), " workspace", " ~/proj"]

    def boxed(self, question: str, choices: tuple[str, ...]) -> list[str]:
        """A dialog."""
        inner = [question, ""]
        if choices is CHOICES:
            edge = "─" * (self.columns - 7)
            named = f"touch {self.asked}.txt"
            boxed = (f"╭{edge}╮", f"│ {named.ljust(self.columns - 9)} │", f"╰{edge}╯")
            inner[:0] = [f"? Shell  {named}", *boxed]
        for at, label in enumerate(choices):
            inner.append(f"{'●' if at == self.selected else ' '} {at + 1}. {label}")
        width = self.columns - 2
        body = [f"│ {line.ljust(width - 3)} │" for line in inner]
        return ["╭" + "─" * (width - 1) + "╮", *body, "╰" + "─" * (width - 1) + "╯"]

    def paint(self, *more: str) -> None:
        """Erase the live region, add to the transcript, and draw the region again."""
        out = "\x1b[4B" if self.parked else ""
        out += "\x1b[2K" + "\x1b[1A\x1b[2K" * self.live + "\x1b[G" if self.live else ""
        rows = self.rows()
        glyph = "✋" if self.asks else "✦" if self.busy else "◇"
        words = "Action Required" if self.asks else "Working…" if self.busy else "Ready"
        added = [*self.static, *more]
        self.static = []
        self.history += added
        out += "".join(f"{line}\r\n" for line in added)
        out += "".join(f"{line}\r\n" for line in rows)
        self.live, self.parked = len(rows), self.asks is None
        out += "\x1b[4A\x1b[4G" if self.parked else ""
        write(f"\x1b[?25l{out}\x1b]0;{glyph}  {words} (proj)\x07")

    # Turns

    def enter(self) -> None:
        """Enter was pressed."""
        if self.asks is not None:
            self.answer(self.asks[1][self.selected])
        elif not self.text or self.busy:
            return
        elif self.swallow:
            self.swallow -= 1
        elif self.newline:
            self.newline -= 1
            self.text += "\n"
            self.paint()
        else:
            if self.late:
                late, self.late = self.late, 0.0
                time.sleep(late)
            self.submit()

    def submit(self) -> None:
        """The prompt is taken."""
        log(f"prompt {self.text}")
        self.turns += 1
        bar = "▄" * self.columns
        lines = self.text.split("\n")
        prompt = [(" > " if y == 0 else "   ") + line for y, line in enumerate(lines)]
        self.text, self.reply, self.hint = "", "", ""
        if len("".join(prompt)) > 2000:
            prompt = [prompt[0][: self.columns - 4]]
        self.busy = True
        self.steps = ["begin"] + ["ask"] * number("dialogs") + ["reply"]
        if "forever" not in SWITCHES and "flood-turn" not in SWITCHES:
            self.steps.append("end")
        self.due = time.monotonic() + STEP
        self.paint(bar, *prompt, bar.replace("▄", "▀"))

    def step(self) -> None:
        """The next thing of a turn."""
        step = self.steps.pop(0)
        self.due = time.monotonic() + STEP
        if step == "begin":
            self.reply = "A part"
            self.paint()
            log("working")
            if number("signal"):
                os.kill(os.getpid(), number("signal"))
        elif step == "ask":
            self.asked += 1
            self.open("Allow execution of [Shell]?", CHOICES)
        elif step == "reply":
            self.reply = SWITCHES.get("says", "A part and the whole.")
            if "garbage" in SWITCHES:
                write(os.urandom(3000).replace(b"\x1b", b"").replace(b"\x0e", b""))
                write("\x0f\x1bc\x1b[?2004h")
                self.live, self.parked = 0, False
            if "badutf8" in SWITCHES:
                self.reply = "before \udcff\udcc3( after"
            self.paint()
            if "flood-turn" in SWITCHES:
                flood()
        elif step == "end" and "stops" in SWITCHES:
            self.finish(f"✦ {self.reply}", "", "ℹ Request cancelled.")
        elif step == "end":
            self.finish(f"✦ {self.reply}")

    def finish(self, *said: str) -> None:
        """The turn is over."""
        self.busy, self.steps, self.reply = False, [], ""
        self.paint(*said)
        log("ready")
        if "dialog-after" in SWITCHES and self.turns == 1:
            self.asked += 1
            self.open("Allow execution of [Shell]?", CHOICES)

    def open(self, question: str, choices: tuple[str, ...]) -> None:
        """A dialog opens."""
        self.asks, self.selected = (question, choices), 0
        self.paint()
        log("asking")

    def answer(self, label: str) -> None:
        """A dialog is answered."""
        log(f"choice {label}")
        self.asks = None
        if self.busy and label == CHOICES[-1]:
            self.finish("ℹ Request cancelled.")
            return
        self.due = time.monotonic() + STEP
        self.paint()

    # Keys

    def key(self, found: "re.Match[bytes]") -> None:
        """One key, or one paste."""
        key = found.group().decode("utf-8", "replace")
        if found.group(1) is not None:
            self.text += found.group(1).decode("utf-8", "replace")
            log(f"pasted {len(self.text)}")
            self.paint()
        elif found.group(5) is not None:
            self.text += key
            self.paint()
        elif key == "\r":
            self.enter()
        elif key == "\x1b":
            log("escape")
            if self.asks is not None:
                self.answer(self.asks[1][-1])
            elif self.busy and "stubborn" not in SWITCHES:
                self.finish(f"✦ {self.reply}", "", "ℹ Request cancelled.")
        elif key in ("\x1b[A", "\x1b[B") and self.asks is not None:
            self.selected += 1 if key == "\x1b[B" else -1
            self.paint()
        elif key == "\x1b[D" and self.text:
            log("left")
            self.moved += 1
            self.paint()
        elif key == "\x1b[109;3u":
            self.raw = not self.raw
            self.paint()
        elif key == "\x15":
            self.text = "\n".join([*self.text.split("\n")[:-1], ""]) if self.text else ""
            self.paint()
        elif key == "\x7f":
            self.text = self.text[:-1]
            self.paint()
        elif key == "\x04" and not self.text and "ignore" not in SWITCHES:
            if self.hint:
                log("left politely")
                write("\x1b[?2004l\x1b[?25h\x1b]0;\x07")
                raise SystemExit(0)
            self.hint = "Press Ctrl+D again to exit."
            self.paint()

    def run(self) -> None:
        """Read keys and take steps, for ever."""
        pending = b""
        rung, ring = os.pipe()
        os.set_blocking(ring, False)
        signal.set_wakeup_fd(ring, warn_on_full_buffer=False)
        for told in (signal.SIGWINCH, signal.SIGUSR1):
            signal.signal(told, lambda *_: None)
        while True:
            soon = max(0.0, self.due - time.monotonic())
            wait = soon if self.steps and self.asks is None else None
            if "deaf" in SWITCHES:
                signal.pause()
            ready = select.select([0, rung], [], [], wait)[0]
            if rung in ready:
                if signal.SIGUSR1 in os.read(rung, 1 << 16):
                    self.asked += 1
                    self.paint()
                    log("swapped")
                else:
                    self.resized()
            elif ready:
                try:
                    data = os.read(0, 1 << 16)
                except OSError:
                    raise SystemExit(1) from None
                if not data:
                    raise SystemExit(1)
                pending += data
                while pending and (found := KEYS.match(pending)):
                    if pending.startswith(b"\x1b[200~") and b"\x1b[201~" not in pending:
                        break  # the end of a paste is on its way
                    pending = pending[found.end() :]
                    self.key(found)
            elif self.steps and time.monotonic() >= self.due:
                self.step()

    def resized(self) -> None:
        """The terminal has another size: all that was drawn is drawn again."""
        self.columns, self.lines = os.get_terminal_size(0)
        write("\x1b[2J\x1b[3J\x1b[H")
        self.static, self.history = self.history, []
        self.live, self.parked = 0, False
        self.paint()


def flood() -> None:
    """Write without end."""
    line = b"".join(b"%08d a line of a flood that has no end\r\n" % n for n in range(1000))
    while True:
        write(line)


def main() -> None:
    """Start, as the switches say."""
    log(f"pid {os.getpid()}")
    if "ignore" in SWITCHES:
        signal.signal(signal.SIGHUP, signal.SIG_IGN)
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    if "child" in SWITCHES and os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            signal.signal(signal.SIGHUP, signal.SIG_IGN)
            log(f"child {os.getpid()}")
            while True:
                signal.pause()
        os._exit(0)
    write(SWITCHES.get("write", ""))
    if "exit" in SWITCHES:
        raise SystemExit(number("exit"))
    if "silent" in SWITCHES:
        log("silent")
        signal.pause()
    if "garbage" in SWITCHES:
        write(os.urandom(3000) + b"\x0f\x1b\\\x1bc")
    if "badutf8" in SWITCHES:
        write(b"\xff\xfe\xc3(\xe2\x82\xf0\x9f\r\n")
    tty.setraw(0, termios.TCSANOW)
    if "flood" in SWITCHES:
        flood()
    toy = Toy()
    write("\x1b[?2004h")
    if "trust" in SWITCHES:
        toy.open("Do you trust the files in this folder?", TRUST)
    elif "auth" in SWITCHES:
        toy.open("Get started", AUTH)
    else:
        toy.paint()
        log("ready")
    toy.run()


main()
