"""What independent terminals show for a recording, at every event's border.

Run as a script on any folder of recordings: python -m tests.oracles FOLDER [--tmux]
"""

import argparse
import sys
from collections.abc import Generator
from pathlib import Path

import avt

from geminipty.asciicast import Event
from geminipty.terminal import Terminal
from geminipty.terminal.parser import State

from .playing import load
from .tmux import TmuxPane

#: Recordings whose rows differ from an oracle's, and why that one is wrong there.
EXCEPTIONS = {
    ("avt", "input-matrix"): "avt gives a variation selector and a joiner a column each, so an "
    "emoji made of several characters overflows the row that the CLI counted",
    **{
        (oracle, story): "both give more columns to joined letters (Hindi) or emoji than the CLI "
        "does, so rows that it filled to the edge overflow"
        for oracle in ("avt", "tmux")
        for story in ("prose", "multiline")
    },
}

Difference = tuple[int, list[str], list[str]]


def differences_from_avt(path: Path) -> Generator[Difference, None, None]:
    """Where our rows are not those of asciinema's terminal: event, ours, theirs."""
    header, events = load(path)
    ours, theirs = Terminal(header.columns, header.lines), avt.Vt(header.columns, header.lines)
    for number, event in enumerate(events, 1):
        if event.code == "o":
            _paint(ours, event)
            theirs.feed_str(str(event.data))
            rows = [line.text.rstrip(" ") for line in theirs.view()]
            if ours.picture().lines != rows:
                yield number, ours.picture().lines, rows


def differences_from_tmux(
    path: Path, *, most: int | None = None
) -> Generator[Difference, None, None]:
    """Where our rows are not those of tmux, and at the end the lines above them too.

    A border within a sequence is left out: the question that waits for tmux would break it. Of
    more borders than `most`, only so many are looked at, evenly.
    """
    header, events = load(path)
    step = 1 if most is None else len(events) // most + 1
    ours = Terminal(header.columns, header.lines)
    waiting = ""
    with TmuxPane(header.columns, header.lines) as theirs:
        for number, event in enumerate(events, 1):
            if event.code == "o":
                _paint(ours, event)
                waiting += str(event.data)
                if number % step and number < len(events):
                    continue
                if ours._parser.state is State.GROUND and not ours._held:
                    theirs.feed(waiting)
                    waiting = ""
                    rows = theirs.rows()
                    if ours.picture().lines != rows:
                        yield number, ours.picture().lines, rows
        picture = ours.picture()
        if not waiting and not picture.alternate:
            all_ours = [row.text.rstrip(" ") for row in (*picture.scrolled, *picture.rows)]
            all_theirs = theirs.rows(scrolled=True)
            if all_ours != all_theirs:
                yield len(events), all_ours, all_theirs


def excuse(oracle: str, path: Path) -> str | None:
    """Why the rows of a recording may differ from an oracle's."""
    return EXCEPTIONS.get((oracle, path.name.partition(".")[0]))


def _paint(terminal: Terminal, event: Event) -> None:
    terminal.receive(str(event.data))
    terminal.picture()  # paints what was held back


def main() -> int:
    """Compare every recording below a folder."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--tmux", action="store_true", help="ask tmux, not avt")
    options = parser.parse_args()
    oracle = "tmux" if options.tmux else "avt"
    compare = differences_from_tmux if options.tmux else differences_from_avt
    files = wrong = excused = 0
    for path in sorted(options.folder.rglob("*.cast*")):
        files += 1
        first = next(compare(path), None)
        if first is None:
            continue
        if reason := excuse(oracle, path):
            excused += 1
            print(f"{path}: event {first[0]}: {reason}")
            continue
        wrong += 1
        number, ours, theirs = first
        y = next((y for y, (a, b) in enumerate(zip(ours, theirs, strict=False)) if a != b), -1)
        print(f"{path}: event {number}, row {y}\n  ours   {ours[y]!r}\n  theirs {theirs[y]!r}")
    print(f"{oracle}: {files} recordings, {wrong} differ, {excused} named exceptions")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
