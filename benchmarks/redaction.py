"""What hiding secrets finds, what it takes for one, and what it costs.

`python -m benchmarks.redaction` measures all, `… recall`, `… mistakes` and `… speed` one of them.
Rule: speeds are compared within one run; it fails if a secret is shown, or if eight times the text
costs far more than eight times as much, whatever the text is made of.
"""

import random
import sys
import sysconfig
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

from geminipty.asciicast import Event, Header
from geminipty.redaction import Cleaner, Redactor, Stream, clean
from geminipty.redaction.kinds import KINDS
from geminipty.redaction.redactor import Carry
from geminipty.redaction.solid import Solid
from geminipty.transports.files import open_recording
from tests.redaction_layouts import PICTURES, SCREEN, STREAMS
from tests.secrets import COLUMNS as NARROW
from tests.secrets import CORPUS, LINES, left

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


def shown() -> int:
    """Print how much of every kind of secret is hidden in every layout; how many runs show one."""
    layouts = [
        *((layout, Header(columns=NARROW, lines=LINES)) for layout in STREAMS),
        *((layout, SCREEN) for layout in PICTURES),
    ]
    print(f"{len(CORPUS)} kinds in {len(layouts)} layouts:")
    worst = total = 0
    for layout, header in layouts:
        runs = bad = 0
        for text, secret in CORPUS.values():
            for events in layout(text):
                done = clean(events, Redactor(), header.columns, header.lines)
                runs += 1
                bad += bool(left(done.events, secret, header) or done.left)
        print(f"  {layout.__name__:26} {runs:6} runs, hidden in {1 - bad / runs:7.2%}", flush=True)
        worst, total = worst + bad, total + runs
    print(f"  {'all':26} {total:6} runs, hidden in {1 - worst / total:7.2%}")
    return worst


def mistakes() -> None:
    """Print what is hidden in the sources of Python's standard library, which hold no secret."""
    mail = next(kind for kind in KINDS if kind.name == "e-mail")
    library = Path(sysconfig.get_path("stdlib"))
    size = mails = others = tests = 0
    for path in sorted(library.rglob("*.py")):
        place = path.relative_to(library)
        if "site-packages" in place.parts:
            continue
        text = path.read_text(encoding="utf-8", errors="replace")
        size += len(text)
        for found in hidden(text):
            if mail.pattern.fullmatch(found):
                mails += 1
            elif any(part.startswith("test") for part in place.parts):
                tests += 1
            else:
                others += 1
                print(f"  {place}: {found!r}")
    print(
        f"standard library of Python {sysconfig.get_python_version()}, {size / 1e6:.1f} MB: "
        f"{mails} e-mail addresses, {tests} other parts in its tests, {others} elsewhere"
    )


def hidden(text: str) -> Iterator[str]:
    """The parts of a text that are hidden."""
    solid = Solid(text)
    solid.close()
    redactor = Redactor()
    for start, end in redactor.spans(solid, redactor.wraps(None), Carry()):
        yield text[start:end]


def pictures() -> None:
    """Print what an event costs whose pictures are searched, before and after a secret."""
    words = random.Random(2).choices(["alpha", "beta", "gamma", "delta", "function"], k=240_000)
    rows = [" ".join(words[at : at + 10]) + "\r\n" for at in range(0, len(words), 10)]
    runs = {
        "lines": ["".join(rows[at : at + 16]) for at in range(0, 9600, 16)],
        "screens": ["\x1b[2J\x1b[H" + "".join(rows[at : at + 38]) for at in range(0, 11400, 38)],
        "a spinner": [f"\x1b[20;3H{'|/-+'[number % 4]}" for number in range(5000)],
    }
    key = "AKIAQWERTYUIOPASDFGH"
    jumps = [f"\x1b[5;{column}H{char}" for column, char in enumerate(key, 1)]
    befores = {
        "nothing": "",
        "a secret": f"{key}\r\n",
        "one placed by the cursor": "".join((*jumps[::2], *jumps[1::2])),
    }
    print("an event of 120 by 40, in milliseconds:")
    for name, texts in runs.items():
        for before, first in befores.items():
            cleaner = Cleaner(Redactor(), 120, 40)
            start = time.process_time()
            cleaner.all(Event(0.0, "o", text) for text in (first, *texts))
            spent = (time.process_time() - start) / len(texts)
            print(f"  {name:10} after {before:26} {spent * 1000:6.2f}")


def speed() -> int:
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
    pictures()
    return int(worst >= MOST)


def main() -> int:
    """Measure what the arguments name, or all."""
    parts: dict[str, Callable[[], int | None]] = {
        "recall": shown,
        "mistakes": mistakes,
        "speed": speed,
    }
    failed = [parts[name]() for name in sys.argv[1:] or parts]
    return int(any(failed))


if __name__ == "__main__":
    sys.exit(main())
