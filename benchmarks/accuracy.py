"""How often the reading is right, on every recording of a folder that has an index.

    python -m benchmarks.accuracy ../shared/recordings [--json] [--details]

The index tells for each recording the prompts, the exact texts that the model sent, its tool
calls, and when the API began and finished. Printed per release and story: what was found of it.
Exits with 1 if a turn, prompt, tool or dialog is missed, a READY is false, or prose is not equal.
"""

import argparse
import json
import re
import sys
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from geminipty.chats.agreement import rendered
from geminipty.export.timeline import Timeline, tell
from geminipty.model import Event, Status, Turn
from geminipty.transports.files import open_recording

#: What is counted, and how it is called in the table. A pair is found and expected.
PAIRS = ("turns", "prompts", "exact", "rendered", "prose", "tools", "dialogs")
FAULTS = ("false_ready", "missed_states", "extra_turns", "unknown")

_MARKDOWN = re.compile(r"```|~~~|\*\*|^#{1,6} |^ *[-*+] |^ *\d+[.)] |^\||\[.*\]\(|`", re.MULTILINE)


def is_prose(text: str) -> bool:
    """Whether a text has nothing that the CLI would draw otherwise."""
    return not _MARKDOWN.search(text)


def check(
    entry: dict[str, Any], timeline: Timeline, paints: list[float]
) -> tuple[Counter[str], list[str], list[float]]:
    """Compare a recording with its entry in the index: counts, faults in words, delays."""
    counts: Counter[str] = Counter()
    faults: list[str] = []
    delays: list[float] = []
    asked = [turn for turn in entry["turns"] if turn["t_api_request"] is not None]
    counts["turns expected"] = len(asked)
    for number, expected in enumerate(asked):
        if number >= len(timeline.turns):
            faults.append(f"turn {number + 1} was not found")
            continue
        counts["turns"] += 1
        _check_turn(expected, timeline.turns[number], timeline.events, counts, faults)
        delays += _delay(timeline.turns[number], paints)
    counts["extra_turns"] = max(len(timeline.turns) - len(asked), 0)
    faults += [f"a turn too many: {turn.prompt!r}" for turn in timeline.turns[len(asked) :]]
    _check_dialogs(entry, timeline, counts, faults)
    counts["unknown"] = sum(s is Status.UNKNOWN for _, s in _statuses(timeline.events))
    return counts, faults, delays


def _check_turn(
    expected: dict[str, Any],
    turn: Turn,
    events: list[Event],
    counts: Counter[str],
    faults: list[str],
) -> None:
    counts["prompts expected"] += 1
    if turn.prompt == expected["prompt"]:
        counts["prompts"] += 1
    else:
        faults.append(f"prompt {turn.prompt!r} instead of {expected['prompt']!r}")
    sent = [reply for reply in expected["replies"] if reply.strip()]
    text = "\n\n".join(reply.strip("\n") for reply in sent)
    shown = turn.reply.text
    # After Esc the CLI draws no more of what still arrives.
    equal = text.startswith(shown) if expected["cancelled"] else shown == text
    counts["exact expected"] += 1
    counts["rendered expected"] += 1
    counts["exact"] += equal
    same = equal or rendered(shown) == rendered(text)
    counts["rendered"] += same
    if turn.reply.truncated:
        counts["truncated"] += 1
    elif all(is_prose(reply) for reply in sent):
        counts["prose expected"] += 1
        counts["prose"] += equal
        if not equal:
            faults.append(f"prose differs: {_difference(text, shown)}")
    elif not same:
        faults.append(f"drawn text differs: {_difference(rendered(text), rendered(shown))}")
    counts["tools expected"] += len(expected["tool_calls"])
    counts["tools"] += min(len(turn.reply.tools), len(expected["tool_calls"]))
    if len(turn.reply.tools) < len(expected["tool_calls"]):
        names = [tool.name for tool in turn.reply.tools]
        faults.append(f"tools {names} of {[call['name'] for call in expected['tool_calls']]}")
    _check_ready(expected, events, counts, faults)


def _check_ready(
    expected: dict[str, Any], events: list[Event], counts: Counter[str], faults: list[str]
) -> None:
    """READY is false between the first busy sign of a turn and the last byte of its API."""
    done = expected["t_api_done"]
    if done is None or expected["cancelled"]:
        return
    statuses = _statuses(events)
    before = [status for at, status in statuses if at <= expected["t_submit"]]
    busy = [
        at
        for at, status in [(expected["t_submit"], before[-1])] * bool(before) + statuses
        if at >= expected["t_submit"] and status in (Status.WORKING, Status.ASKING)
    ]
    if not busy or busy[0] > done:
        counts["missed_states"] += 1
        faults.append("no busy sign was seen")
        return
    # Where the prompt was queued, READY between the two turns is true.
    start = max(busy[0], expected["t_api_request"])
    wrong = [at for at, status in statuses if status is Status.READY and start < at < done]
    counts["false_ready"] += len(wrong)
    faults += [f"false READY at {at:.3f}, the API ended at {done}" for at in wrong]


def _check_dialogs(
    entry: dict[str, Any], timeline: Timeline, counts: Counter[str], faults: list[str]
) -> None:
    """The driver's markers name the moments when a dialog was on the screen."""
    asking = [at for at, name in entry["markers"] if name in ("dialog", "trust")]
    statuses = _statuses(timeline.events)
    for at in asking:
        counts["dialogs expected"] += 1
        before = [status for time, status in statuses if time <= at]
        if before and before[-1] is Status.ASKING:
            counts["dialogs"] += 1
        else:
            faults.append(f"the dialog at {at} was read as {before[-1:]}")


def _statuses(events: Iterable[Event]) -> list[tuple[float, Status]]:
    return [(event.at, event.status) for event in events if event.kind == "status-changed"]


def _delay(turn: Turn, paints: list[float]) -> list[float]:
    """Seconds from the last paint of the turn's picture to the event that ends the turn."""
    if turn.finished is None:
        return []
    painted = [at for at in paints if turn.started <= at <= turn.finished]
    return [turn.finished - painted[-1]] if painted else []


def _difference(expected: str, shown: str) -> str:
    at = next(
        (i for i, (a, b) in enumerate(zip(expected, shown, strict=False)) if a != b),
        min(len(expected), len(shown)),
    )
    return f"at {at}, {expected[at : at + 40]!r} became {shown[at : at + 40]!r}"


def main() -> int:
    """Print the table; 0 if nothing was missed."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folder", type=Path, help="a folder with recordings and index.json")
    parser.add_argument("--json", action="store_true", help="for machines")
    parser.add_argument("--details", action="store_true", help="also every fault in words")
    options = parser.parse_args()
    entries = json.loads((options.folder / "index.json").read_text(encoding="utf-8"))
    table: dict[tuple[str, str], Counter[str]] = {}
    delays: dict[str, list[float]] = {}
    wrong = 0
    for count, entry in enumerate(entries, 1):
        print(f"\r{count}/{len(entries)} {entry['cast']:<60}", end="", file=sys.stderr)
        path = options.folder / entry["cast"]
        with open_recording(path) as recording:
            timeline = tell(recording)
        with open_recording(path) as recording:
            paints = [event.time for event in recording.events if event.code == "o"]
        counts, faults, late = check(entry, timeline, paints)
        key = (entry["cli"], entry["story"])
        table[key] = table.get(key, Counter()) + counts
        delays.setdefault(entry["cli"], []).extend(late)
        wrong += bool(faults)
        if options.details and faults:
            print(f"\r{entry['cast']}", *faults, sep="\n    ")
    print("\r" + " " * 80 + "\r", end="", file=sys.stderr)
    total = sum(table.values(), Counter())
    if options.json:
        print(json.dumps({" ".join(key): counts for key, counts in table.items()}))
    else:
        _print_table(table, total, delays)
    print(f"{len(entries)} recordings, {wrong} with something to look at")
    missed = any(
        total[name] < total[f"{name} expected"]
        for name in ("turns", "prompts", "prose", "tools", "dialogs")
    )
    return int(missed or bool(total["false_ready"]))


def _print_table(
    table: dict[tuple[str, str], Counter[str]],
    total: Counter[str],
    delays: dict[str, list[float]],
) -> None:
    head = "".join(f"{name:>12}" for name in (*PAIRS, *FAULTS, "truncated"))
    print(f"{'release':<9}{'story':<16}{head}")
    for (release, story), counts in [*table.items(), (("all", ""), total)]:
        pairs = [f"{counts[name]}/{counts[f'{name} expected']}" for name in PAIRS]
        faults = [str(counts[name]) for name in (*FAULTS, "truncated")]
        print(f"{release:<9}{story:<16}" + "".join(f"{cell:>12}" for cell in (*pairs, *faults)))
    print("\nseconds from the last paint of a turn to its end (median, largest)")
    for release, late in delays.items():
        if late:
            print(f"{release:<9}{sorted(late)[len(late) // 2]:>8.3f}{max(late):>8.3f}")


if __name__ == "__main__":
    sys.exit(main())
