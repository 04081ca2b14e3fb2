"""`geminipty show`, `read` and `explain`: what a recording holds, for people and machines.

Rule: a recording is only looked at; nothing is written but to standard output.
"""

import argparse
import math
import os
import sys

from geminipty.export import ansi, explained, timeline
from geminipty.export.moments import picture_at
from geminipty.reading import read
from geminipty.terminal import Frame
from geminipty.transports.files import open_recording
from geminipty.visible import as_json

from .say import put
from .words import Commands, seconds

_SHOW = """\
  geminipty show recordings/0.61.0/hello.cast
  geminipty show recordings/0.61.0/hello.cast --at 8 --plain
  geminipty show recordings/0.61.0/long.cast.gz --scrollback | less
  geminipty show recordings/0.61.0/hello.cast --colours | less -R
"""

_READ = """\
  geminipty read recordings/0.61.0/tool-approve.cast
  geminipty read recordings/0.61.0/hello.cast --json | jq -r '.turns[].text'
"""

_EXPLAIN = """\
  geminipty explain recordings/0.61.0/tool-approve.cast --at 9
"""


def add(commands: Commands) -> None:
    """The commands of this module."""
    show = commands.add(
        "show",
        _show,
        summary="draw the screen of a recording",
        description="Draw the screen of a recording (asciicast v2 or v3, gzip or not) as it was "
        "at its end, or at a moment.",
        examples=_SHOW,
    )
    _at(show)
    how = show.add_mutually_exclusive_group()
    how.add_argument("--plain", action="store_true", help="no colours")
    how.add_argument(
        "--colours",
        action="store_true",
        help="colours in any case (default: on a terminal, unless NO_COLOR is set)",
    )
    show.add_argument(
        "--scrollback", action="store_true", help="also the lines that scrolled off the top"
    )
    show.add_argument("--json", action="store_true", help="for machines: rows, cursor, title")
    story = commands.add(
        "read",
        _read,
        summary="tell what the CLI did in a recording: statuses, turns, replies",
        description="Run a recording of the CLI, ours or not (asciicast v2 or v3, gzip or not), "
        "through the code that reads a live session, and print when the CLI was ready, working or "
        "asking, and the turns with their tools, dialogs and replies.",
        examples=_READ,
    )
    story.add_argument(
        "--json", action="store_true", help="for machines: statuses, turns, final (docs/reading.md)"
    )
    explain = commands.add(
        "explain",
        _explain,
        summary="draw a moment of a recording with what each row was taken for, and why",
        description="Draw the last finished picture up to a moment in a box, each row labelled by "
        "what it was taken for, then the status and the evidence for it.",
        examples=_EXPLAIN,
    )
    _at(explain)


def _at(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--at", type=seconds, default=math.inf, metavar="T", help="seconds from its start"
    )


def _show(options: argparse.Namespace) -> int:
    with open_recording(options.recording) as recording:
        frame = picture_at(recording, options.at)
    if options.json:
        return put(as_json(_as_data(frame, scrolled=options.scrollback)) + "\n")
    fitting = sys.stdout.isatty() and not os.environ.get("NO_COLOR")
    colours = options.colours or (fitting and not options.plain)
    text = ansi.draw(frame, scrolled=options.scrollback, colours=colours)
    return put(text, colours=colours)


def _read(options: argparse.Namespace) -> int:
    with open_recording(options.recording) as recording:
        story = timeline.tell(recording)
    if options.json:
        return put(as_json(timeline.as_data(story)) + "\n")
    return put(timeline.as_text(story))


def _explain(options: argparse.Namespace) -> int:
    with open_recording(options.recording) as recording:
        at, frame = explained.frame_at(recording, options.at)
    return put(f"picture of {at:.3f} s ({frame.cut})\n{explained.explain(read(frame))}")


def _as_data(frame: Frame, *, scrolled: bool) -> dict[str, object]:
    data: dict[str, object] = {
        "columns": frame.columns,
        "lines": len(frame.rows),
        "title": frame.title,
        "cursor": list(frame.cursor),
        "cursor_shown": frame.cursor_shown,
        "alternate": frame.alternate,
        "rows": frame.lines,
    }
    if scrolled:
        data["scrolled"] = [row.text for row in frame.scrolled]
    return data
