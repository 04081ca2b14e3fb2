"""What a replay costs: seconds against the length of the recorded session.

    python -m benchmarks.replay [FOLDER]

Every recording of a story is lived through once, as a test would, and a session of a minute that
is made up here: a spinner that turns and a reply that grows. Exits with 1 if a minute takes more
than a second.
"""

import argparse
import json
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from geminipty.asciicast import Event, Header, write
from geminipty.session import GeminiSession
from geminipty.standin import Say
from geminipty.stories import RELEASES, STORIES, Ask, Job, Story, differences, perform, place_of
from geminipty.transports.codes import HEADER
from geminipty.transports.files import open_recording

RECORDINGS = Path(__file__).parent.parent / "recordings"
#: A minute of a session may take so many seconds.
LIMIT = 1.0
MINUTE = 60.0
COLUMNS, LINES = 100, 30
#: The CLI paints its spinner so often, in seconds.
TICK = 0.08

_LINES = "\n".join(f"Line {number:03} of a reply." for number in range(700))
SYNTHETIC = Story("minute", "A reply that takes a minute.", (Ask("go on", (Say(_LINES),)),))


def minute() -> Iterator[Event]:
    """A session of a minute as 0.61 paints one."""
    bar, rule = "▄" * COLUMNS, "─" * COLUMNS
    top = bar.replace("▄", "▀")

    def live(text: str, spinner: str = "") -> str:
        rows = ["", spinner, rule, " Shift+Tab", bar, f" > {text}", top, " workspace"]
        return "\r\n".join(rows) + "\r\n\x1b[3A\x1b[4G"

    erase = "\x1b[3B" + "\x1b[2K\x1b[1A" * 8 + "\x1b[2K\x1b[G"
    empty = "  Type your message or @path/to/file"
    banner = " Gemini CLI\r\n\r\nTips for getting started:\r\n1. Ask questions\r\n"
    begin = f"\x1b[?25l\x1b[?2004h\x1b]0;◇  Ready (x)\x07{banner}"
    yield Event(0.0, "v", json.dumps({"verb": "start"}))
    yield Event(0.5, "o", begin + live(empty))
    call = json.dumps({"verb": "ask", "prompt": "go on", "text": "go on"})
    yield Event(0.6, "v", call)
    yield Event(0.6, "t", "")
    yield Event(0.6, "i", "\x1b[200~go on\x1b[201~")
    yield Event(0.7, "o", erase + live("go on"))
    yield Event(0.8, "t", "")
    yield Event(0.8, "i", "\r")
    asked = f"{bar}\r\n > go on\r\n{top}\r\n"
    at = 0.9
    yield Event(at, "o", "\x1b]0;✦  Working… (x)\x07" + erase + asked + live(empty, " ⠋ Thinking"))
    for number, line in enumerate(_LINES.split("\n")):
        at += TICK
        head = "\x1b[38;5;183m✦ \x1b[39m" if not number else "  "
        spinner = f" {'⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏'[number % 10]} Thinking... (esc to cancel, {at:.0f}s)"
        yield Event(at, "o", erase + head + line + "\r\n" + live(empty, spinner))
    at = MINUTE - 0.5
    yield Event(at, "o", "\x1b]0;◇  Ready (x)\x07" + erase + live(empty))
    yield Event(MINUTE, "t", "")
    yield Event(MINUTE, "e", "null")
    yield Event(MINUTE, "x", "0")


def measure(path: Path, story: Story) -> tuple[float, float]:
    """Seconds that were recorded, and seconds that living through them again takes."""
    with open_recording(path) as recording:
        length = max(event.time for event in recording.events)
    began = time.perf_counter()
    with GeminiSession.replay(path, timeout=None) as session:
        printed = perform(story, session).printed
    took = time.perf_counter() - began
    wrong = differences(story, session.turns, printed)
    if wrong:
        raise SystemExit(f"{path} is not as told: {wrong[0]}")
    return length, took


def main() -> int:
    """Print the table; 0 if a minute takes no more than a second."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folder", type=Path, nargs="?", default=RECORDINGS)
    folder = parser.parse_args().folder
    print(f"{'story':<14}{'recordings':>11}{'recorded':>11}{'replayed':>11}{'ratio':>8}")
    totals = [0.0, 0.0]
    for story in STORIES:
        jobs = [Job(story, release) for release in RELEASES]
        paths = [place_of(job, folder) for job in jobs if not job.obstacle]
        pairs = [measure(path, story) for path in paths]
        length, took = (sum(column) for column in zip(*pairs, strict=True))
        totals[0] += length
        totals[1] += took
        _row(story.name, len(pairs), length, took)
    _row("all", 0, *totals)
    with tempfile.TemporaryDirectory() as made:
        path = Path(made) / "minute.cast"
        header = Header(
            columns=COLUMNS,
            lines=LINES,
            extra={HEADER: {"recording": 1, "look": "normal", "trust": True}},
        )
        path.write_text("".join(write(header, minute())), encoding="utf-8")
        length, took = measure(path, SYNTHETIC)
    _row("a minute", 1, length, took)
    slowest = max(took, totals[1] / totals[0] * MINUTE)
    return int(slowest > LIMIT)


def _row(name: str, count: int, length: float, took: float) -> None:
    print(
        f"{name:<14}{count or '':>11}{length:>9.1f} s{took * 1000:>8.0f} ms{length / took:>6.0f} x"
    )


if __name__ == "__main__":
    sys.exit(main())
