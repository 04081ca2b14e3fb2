"""What hiding secrets costs: `python -m benchmarks.redaction`.

Rule: speeds are compared within one run; it fails if eight times the text costs far more than
eight times as much, whatever the text is made of.
"""

import sys
import time
from pathlib import Path
from typing import Final

from geminipty.asciicast import Event
from geminipty.redaction import Redactor, Stream
from geminipty.transports.files import open_recording

COLUMNS: Final = 40
KNOWN: Final = "Kx8jQ2mN7pL0wZ4rT6yB1v"
VALUES: Final = (KNOWN, "/home/marlene", "marlene", "s3cr3t!")
#: Beginnings of secrets without end, and what makes rows and words.
PIECES: Final = (
    "a",
    "a\x1b[31m",
    "AIza",
    "token=",
    "://a:",
    "a@a.",
    "-----BEGIN ",
    "ghp_R4k8Wm2Xq7Zt5 ",
    "eyJhbGciOiJ.",
    "password ",
    " ",
    "\r\n",
    f"{'x' * COLUMNS}\r\n",
    "│ ",
    "\x1b[1A",
    "\x1b]0;t\x07",
    "\x1b]0;",
    "Authorization: Bearer ",
    KNOWN[:8],
)
MOST: Final = 30.0


def seconds(texts: list[str]) -> float:
    """The processor time that a stream of output takes."""
    stream = Stream(Redactor(VALUES), COLUMNS)
    start = time.process_time()
    for number, text in enumerate(texts):
        stream.push(Event(number / 10, "o", text))
    stream.flush()
    return time.process_time() - start


def growth(piece: str) -> float:
    """How much more eight times the text costs, in one event or in many."""
    small = piece * (60_000 // len(piece))
    worst = 0.0
    for cut in (len(small), 997):
        short = [small[at : at + cut] for at in range(0, len(small), cut)]
        long = [text for _ in range(8) for text in short] if cut < len(small) else [small * 8]
        base = max(min(seconds(short) for _ in range(2)), 0.001)
        worst = max(worst, seconds(long) / base)
    return worst


def main() -> int:
    """Print the speed on the bundled recordings, and the growth on hostile text."""
    texts = []
    for path in sorted(Path("recordings").glob("*/*.cast*")):
        with open_recording(path) as recording:
            texts.append([str(event.data) for event in recording.events if event.code == "o"])
    size = sum(len(text) for one in texts for text in one)
    spent = sum(seconds(one) for one in texts)
    print(f"{len(texts)} recordings, {size / 1e6:.1f} MB of output: {size / spent / 1e6:.1f} MB/s")
    print("eight times the text costs so many times as much:")
    worst = 0.0
    for piece in PIECES:
        times = growth(piece)
        worst = max(worst, times)
        print(f"  {piece!r:.30} {times:6.1f}")
    return 0 if worst < MOST else 1


if __name__ == "__main__":
    sys.exit(main())
