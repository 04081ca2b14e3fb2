"""`index.json` of a folder of recordings: the truth about each, for who measures the reading.

Rule: an entry is made of the script, of the stand-in's clock and of the calls in the recording,
never of what was read from the screen. Entries of others stay as they are.
"""

import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Final, TypeAlias

from geminipty.asciicast import Event, Header
from geminipty.errors import RecordingError
from geminipty.model import TurnOutcome
from geminipty.standin import Kind, Request
from geminipty.transports import private
from geminipty.transports.calls import call_of
from geminipty.transports.codes import VERB

from .story import Story

INDEX: Final = "index.json"
#: One recording: cast, cli, story, size, turns and markers, times in seconds of the recording.
Entry: TypeAlias = dict[str, Any]
#: The calls that begin an act of a story.
_BEGIN: Final = ("ask", "command", "shell")


def entry_of(
    story: Story,
    release: str,
    cast: str,
    header: Header,
    events: Iterable[Event],
    requests: Iterable[Request],
    begun: Sequence[float],
) -> Entry:
    """The truth about a recording; `begun` is when each act began, by the clock of `requests`."""
    calls = [call_of(event) for event in events if event.code == VERB]
    acts = [call for call in calls if call.verb in _BEGIN]
    # Each call was written down a moment after its act began: the nearest of them counts.
    start = max(at - call.at for at, call in zip(begun, acts, strict=True))
    main = iter([request for request in requests if request.kind is Kind.MAIN])
    asked = [call for call in calls if call.verb == "ask"]
    turns = []
    for ask, call in zip(story.asks, asked, strict=True):
        mine = [next(main) for _ in ask.script]
        ends = [request.ended for request in mine if request.ended is not None]
        turns.append(
            {
                "prompt": ask.prompt,
                "replies": list(ask.replies),
                "tool_calls": [{"name": call.name} for call in ask.tools],
                "t_submit": round(call.at, 3),
                "t_api_request": round(mine[0].came - start, 3),
                "t_api_done": round(max(ends) - start, 3) if ends else None,
                "cancelled": ask.outcome is TurnOutcome.CANCELLED,
            }
        )
    return {
        "cast": cast,
        "cli": release,
        "story": story.name,
        "size": f"{header.columns}x{header.lines}",
        "turns": turns,
        "markers": [[call.at, "dialog"] for call in calls if call.verb == "answer"],
    }


def read_index(folder: Path) -> list[Entry]:
    """The entries of a folder; none if it has no index. Raises RecordingError for a broken one."""
    path = folder / INDEX
    try:
        entries = json.loads(path.read_text(encoding="utf-8"))
        if not isinstance(entries, list) or not all("cast" in entry for entry in entries):
            raise ValueError("it is not a list of entries")
    except FileNotFoundError:
        return []
    except (OSError, ValueError, TypeError) as error:
        raise RecordingError(
            f"the index cannot be read: {error}. Mend it, or move it away.", recording=path
        ) from error
    return entries


def put_entry(folder: Path, entry: Entry) -> None:
    """Write an entry into the index in the place of the one of the same recording."""
    others = [one for one in read_index(folder) if one["cast"] != entry["cast"]]
    entries = sorted([*others, entry], key=lambda one: str(one["cast"]))
    lines = ",\n".join(json.dumps(one, ensure_ascii=False) for one in entries)
    replace(folder / INDEX, f"[\n{lines}\n]\n".encode())


def replace(path: Path, data: bytes) -> None:
    """Write a file whole or not at all; raises RecordingError if that cannot be."""
    try:
        private.folder(path.parent)
        with private.whole(path, overwrite=True) as file:
            file.write(data)
    except OSError as error:
        raise RecordingError(f"it cannot be written: {error.strerror}", recording=path) from error
