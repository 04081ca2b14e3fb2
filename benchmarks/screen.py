"""How fast text becomes Frames, beside pyte, tmux and asciinema's terminal.

    python -m benchmarks.screen [FOLDER] [--json] [--repeats N]

Every bundled recording (or those below FOLDER) is played chunk by chunk as it arrived. We give a
Frame wherever one is finished; stock pyte, patched only so that it does not crash, paints and
gives nothing. CPU time, the least of several interleaved repeats; ratios count, seconds do not.
"""

import argparse
import gc
import json
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import avt
import pyte

from geminipty.terminal import Terminal
from tests import tmux
from tests.oracles import excuse
from tests.playing import outputs

RECORDINGS = Path(__file__).parent.parent / "recordings"
FLOOR_HISTORY, FLOOR_SCREEN = 50, 12
#: Twice the input may cost twice as much, and some noise; 4 would be quadratic.
MOST_GROWTH, MOST_HOSTILE_GROWTH = 2.3, 3.0


class Played(NamedTuple):
    """A recording's output, in memory."""

    name: str
    columns: int
    lines: int
    output: list[tuple[float, str]]

    @property
    def size(self) -> int:
        """Bytes of output."""
        return sum(len(text.encode()) for _, text in self.output)


class PatchedScreen(pyte.Screen):
    """pyte's screen, with the one argument without which the CLI's first bytes crash it."""

    def select_graphic_rendition(self, *attrs: int, private: bool = False) -> None:
        """Ignore private variants."""
        if not private:
            super().select_graphic_rendition(*attrs)


class PatchedHistoryScreen(PatchedScreen, pyte.HistoryScreen):
    """pyte's screen with scrollback, patched in the same way."""


def play_ours(played: Played) -> list[str]:
    """Paint, and take each Frame that is finished."""
    terminal = Terminal(played.columns, played.lines)
    receive, tick, frames = terminal.receive, terminal.tick, terminal.frames
    for now, text in played.output:
        tick(now)
        receive(text)
        tick(now)
        frames()
    return terminal.picture().lines


def play_pyte(screen: type[pyte.Screen]) -> Callable[[Played], list[str]]:
    """Paint on a stock screen; the rows only at the end."""

    def play(played: Played) -> list[str]:
        painted = screen(played.columns, played.lines)
        stream = pyte.Stream(painted)
        for _, text in played.output:
            stream.feed(text)
        return [row.rstrip() for row in painted.display]

    return play


def play_avt(*, rows: bool) -> Callable[[Played], list[str]]:
    """Paint on asciinema's compiled terminal; `rows` takes the text out after each chunk."""

    def play(played: Played) -> list[str]:
        terminal = avt.Vt(played.columns, played.lines)
        for _, text in played.output:
            terminal.feed_str(text)
            if rows:
                _ = [line.text for line in terminal.view()]
        return [line.text.rstrip(" ") for line in terminal.view()]

    return play


def seconds(work: Callable[[], object]) -> float:
    """CPU time of one run, without other runs' garbage (as timeit does it)."""
    gc.collect()
    gc.disable()
    try:
        start = time.process_time()
        work()
        return time.process_time() - start
    finally:
        gc.enable()


def least(works: Sequence[Callable[[], object]], repeats: int) -> list[float]:
    """The least CPU time of each, the runs interleaved so that a busy moment hits all."""
    best = [float("inf")] * len(works)
    for _ in range(repeats):
        for index, work in enumerate(works):
            best[index] = min(best[index], seconds(work))
    return best


def tmux_seconds(recordings: Iterable[Played]) -> float | None:
    """CPU time of tmux's server for the same bytes, or None where that cannot be measured."""
    if not tmux.AVAILABLE or not Path("/proc/self/schedstat").exists():
        return None
    total = 0
    for played in recordings:
        with tmux.TmuxPane(played.columns, played.lines) as pane:
            stat = Path(f"/proc/{pane.server_pid()}/schedstat")
            before = int(stat.read_text().split()[0])
            pane.feed("".join(text for _, text in played.output))
            total += int(stat.read_text().split()[0]) - before
    return total / 1e9


def load(folder: Path) -> list[Played]:
    """Every recording below a folder."""
    recordings = []
    for path in sorted(folder.rglob("*.cast*")):
        header, output = outputs(path)
        name = str(path.relative_to(folder))
        recordings.append(Played(name, header.columns, header.lines, output))
    return recordings


def growth(make: Callable[[int], str], length: int, repeats: int) -> float:
    """How much longer twice the input takes: 2.0 is linear."""

    def paint(text: str) -> Callable[[], object]:
        return lambda: Terminal(80, 24).receive(text)

    once, twice = least([paint(make(length)), paint(make(2 * length))], repeats)
    return twice / once


#: Input that costs an unbounded terminal more than its length; each made n long.
HOSTILE: dict[str, Callable[[int], str]] = {
    "lines never seen before": lambda n: "".join(f"{i:060d}\r\n" for i in range(n // 60)),
    "one endless line": lambda n: "x" * n,
    "wide characters": lambda n: "日" * n,
    "marks on one cell": lambda n: "e" + "\u0301" * n,
    "an endless DCS": lambda n: "\x1bP" + "x" * n,
    "cursor-addressed cells": lambda n: "".join(
        f"\x1b[{i % 24};{i * 7 % 80}Hx" for i in range(n // 9)
    ),
    "escapes in lines": lambda n: "\x1b\r\n" * (n // 3),
    "colours": lambda n: "".join(f"\x1b[38;5;{i % 256}mx" for i in range(n // 12)),
}


def measure(recordings: list[Played], repeats: int) -> dict[str, Any]:
    """All numbers."""
    played = [r for r in recordings if r.output]
    players: dict[str, Callable[[Played], list[str]]] = {
        "geminipty": play_ours,
        "pyte.Screen": play_pyte(PatchedScreen),
        "pyte.HistoryScreen": play_pyte(PatchedHistoryScreen),
        "avt": play_avt(rows=False),
        "avt, rows taken": play_avt(rows=True),
    }
    totals = dict.fromkeys(players, 0.0)
    each = {}
    for recording in played:
        if sys.stderr.isatty():
            print(f"\r\x1b[K{recording.name}", end="", file=sys.stderr)
        works = [lambda p=p, r=recording: p(r) for p in players.values()]
        best = dict(zip(players, least(works, repeats), strict=True))
        for name, spent in best.items():
            totals[name] += spent
        each[recording.name] = {
            name: best[name] / best["geminipty"] for name in ("pyte.Screen", "pyte.HistoryScreen")
        }
    if sys.stderr.isatty():
        print("\r\x1b[K", end="", file=sys.stderr)
    size = sum(recording.size for recording in played)
    if (spent_by_tmux := tmux_seconds(played)) is not None:
        totals["tmux server"] = spent_by_tmux
    differ = [
        r.name
        for r in played
        if play_ours(r) != players["avt"](r) and not excuse("avt", Path(r.name))
    ]
    doubled = [r._replace(output=[*r.output, *r.output]) for r in played]
    once, twice = least(
        [lambda: [play_ours(r) for r in played], lambda: [play_ours(r) for r in doubled]], repeats
    )
    return {
        "recordings": len(played),
        "bytes": size,
        "megabytes_per_second": {name: size / spent / 1e6 for name, spent in totals.items()},
        "times_as_fast_as": {
            name: spent / totals["geminipty"]
            for name, spent in totals.items()
            if name != "geminipty"
        },
        "each": each,
        "rows_differ_at_the_end": differ,
        "twice_the_recordings_cost": twice / once,
        "twice_the_input_costs": {
            name: growth(make, 400_000, repeats) for name, make in HOSTILE.items()
        },
    }


def report(result: dict[str, Any]) -> None:
    """Print the numbers for people."""
    print(f"{result['recordings']} recordings, {result['bytes'] / 1e6:.2f} MB of output\n")
    ratios = result["times_as_fast_as"]
    for name, speed in result["megabytes_per_second"].items():
        ratio = f"{ratios[name]:6.1f} x" if name in ratios else " " * 8
        print(f"  {name:<20} {speed:8.2f} MB/s   geminipty is {ratio}" if ratio.strip() else
              f"  {name:<20} {speed:8.2f} MB/s")  # fmt: skip
    print("\neach recording: x pyte.Screen, x pyte.HistoryScreen")
    for name, ratio in result["each"].items():
        print(f"  {name:<30} {ratio['pyte.Screen']:6.1f} {ratio['pyte.HistoryScreen']:6.1f}")
    print(f"\nrows at the end unlike avt's: {result['rows_differ_at_the_end'] or 'none'}")
    print(f"twice the recordings cost {result['twice_the_recordings_cost']:.2f} times as much")
    print("twice the hostile input costs")
    for name, ratio in result["twice_the_input_costs"].items():
        print(f"  {name:<30} {ratio:.2f} times as much")


def main() -> int:
    """Measure, and fail if the floor of the speed is not reached."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("folder", type=Path, nargs="?", default=RECORDINGS)
    parser.add_argument("--json", action="store_true", help="print the numbers as JSON")
    parser.add_argument("--repeats", type=int, default=3)
    options = parser.parse_args()
    result = measure(load(options.folder), options.repeats)
    if options.json:
        print(json.dumps(result, indent=2))
    else:
        report(result)
    ratios = result["times_as_fast_as"]
    missed = [
        ratios["pyte.HistoryScreen"] < FLOOR_HISTORY,
        ratios["pyte.Screen"] < FLOOR_SCREEN,
        bool(result["rows_differ_at_the_end"]),
        result["twice_the_recordings_cost"] > MOST_GROWTH,
        max(result["twice_the_input_costs"].values()) > MOST_HOSTILE_GROWTH,
    ]
    return int(any(missed))


if __name__ == "__main__":
    sys.exit(main())
