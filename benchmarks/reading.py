"""What reading costs: microseconds a picture, and whether long answers cost more than short ones.

    python -m benchmarks.reading

The pictures are those of a turn as 0.61 paints it, line by line. Beside it stands what the field
does: join the display and search it with ten regular expressions. Exits with 1 if a long answer
costs more than 1.5 times as much a picture as a short one.
"""

import argparse
import re
import sys
import time
from collections.abc import Callable

from geminipty.conversation import Conversation
from geminipty.reading import Transcript, read
from geminipty.terminal import Frame, Terminal

#: What other tools look for in the text of a whole screen.
PATTERNS = [
    re.compile(pattern, re.MULTILINE)
    for pattern in (
        r"^ [>*!] +Type your message",
        r"esc to cancel",
        r"^[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏]",
        r"Allow execution",
        r"^ *● \d+\.",
        r"^✦ (.*)",
        r"^▀+$",
        r"^▄+$",
        r"\? for shortcuts",
        r"Waiting for user confirmation",
    )
]
SIZES = ((100, 40), (200, 60))
REPEATS = 5


def turn(columns: int, lines: int, answer: int) -> list[Frame]:
    """The pictures of a turn as 0.61 paints one: the answer grows, then the spinner turns."""
    terminal = Terminal(columns, lines)
    frames: list[Frame] = []

    def receive(text: str) -> None:
        terminal.receive(text)
        frames.extend(terminal.frames())

    bar, rule = "▄" * columns, "─" * columns
    width = columns - 1

    def live(spinner: str) -> str:
        rows = ["", "", f" {spinner} Thinking... (esc to cancel, 1s)", rule, " Shift+Tab", bar]
        rows += [" >   Type your message or @path/to/file", bar.replace("▄", "▀"), " workspace"]
        return "\r\n".join(row[:width] if row[:1] == " " else row for row in rows)

    park = "\r\n\x1b[4A\x1b[4G"
    erase = "\x1b[4B" + "\x1b[2K\x1b[1A" * 9 + "\x1b[2K\x1b[G"
    receive(f"\x1b[?25l\x1b[?2004h\x1b]0;✦  Working… (x)\x07{bar}\r\n > ask\r\n{bar}\r\n")
    receive(live("⠋") + park)
    for number in range(answer):
        head = "\x1b[38;5;183m✦ \x1b[39m" if not number else "  "
        row = f"{head}L{number:04} is one more line of the answer, about as long as most.\r\n"
        receive(erase + row + live("⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏"[number % 10]) + park)
    return frames


def per_frame(frames: list[Frame], act: Callable[[Frame], object]) -> float:
    """Microseconds a frame, the best of some runs."""
    best = float("inf")
    for _ in range(REPEATS):
        start = time.perf_counter()
        for frame in frames:
            act(frame)
        best = min(best, time.perf_counter() - start)
    return best / len(frames) * 1e6


def field(frame: Frame) -> list[object]:
    """What other tools do with a screen."""
    text = "\n".join(frame.lines)
    return [pattern.search(text) for pattern in PATTERNS]


def following() -> Callable[[Frame], object]:
    """Reading and keeping the transcript up to date, as a session does for each picture."""
    transcript = Transcript()

    def follow(frame: Frame) -> None:
        transcript.update(read(frame))

    return follow


def conversation(columns: int, lines: int, answer: int) -> float:
    """Microseconds a picture for all of it: reading, blocks, reply text, events."""
    frames = turn(columns, lines, answer)
    best = float("inf")
    for _ in range(REPEATS):
        talk = Conversation(columns, lines)
        start = time.perf_counter()
        for frame in frames:
            talk.see(frame)
        best = min(best, time.perf_counter() - start)
    return best / len(frames) * 1e6


def main() -> int:
    """Print the costs; 0 if a long answer costs no more a picture than a short one."""
    argparse.ArgumentParser(description=__doc__.partition("\n")[0]).parse_args()
    worst = 0.0
    for columns, lines in SIZES:
        frames = turn(columns, lines, 200)
        ours, theirs = per_frame(frames, read), per_frame(frames, field)
        follow = per_frame(frames, following())
        print(f"{columns}x{lines}, {len(frames)} pictures")
        print(f"  read                     {ours:8.1f} µs")
        print(f"  read and transcript      {follow:8.1f} µs")
        print(f"  ten regular expressions  {theirs:8.1f} µs   reading is {theirs / ours:.1f} x")
        short, long = conversation(columns, lines, 20), conversation(columns, lines, 2000)
        worst = max(worst, long / short)
        print(f"  all, 20-line answer      {short:8.1f} µs")
        print(f"  all, 2,000-line answer   {long:8.1f} µs   ratio {long / short:.2f}")
    return int(worst > 1.5)


if __name__ == "__main__":
    sys.exit(main())
