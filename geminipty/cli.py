"""The command line: `geminipty` for people and scripts.

Rule: an error is one message on standard error and an exit status, never a traceback; standard
output gets a whole result or nothing. 0 means done, 1 that the input is at fault, 2 that the
call is.
"""

import argparse
import io
import json
import math
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from geminipty.errors import GeminiPtyError
from geminipty.export import ansi, explained, timeline
from geminipty.export.moments import picture_at
from geminipty.reading import read
from geminipty.terminal import Frame
from geminipty.transports.files import open_recording

_SHOW_EPILOG = """examples:
  geminipty show recordings/0.61.0/hello.cast
  geminipty show recordings/0.61.0/hello.cast --at 8 --plain
  geminipty show recordings/0.61.0/long.cast.gz --scrollback --plain | less
"""

_READ_EPILOG = """examples:
  geminipty read recordings/0.61.0/tool-approve.cast
  geminipty read recordings/0.61.0/hello.cast --json | jq -r '.turns[].text'
"""

_EXPLAIN_EPILOG = """examples:
  geminipty explain recordings/0.61.0/tool-approve.cast --at 9
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit status."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")  # a terminal without UTF-8 shows ? for the rest
    options = _parser().parse_args(arguments)
    try:
        return int(options.run(options))
    except GeminiPtyError as error:
        print(f"geminipty: {error}", file=sys.stderr)
        return 1
    except BrokenPipeError:
        # The reader of a pipe has gone (`| head`): that is its right. Python would complain when
        # it flushes standard output at exit, so that goes nowhere.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as error:
        print(f"geminipty: the output cannot be written: {error.strerror}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="geminipty",
        description="Drives Google's Gemini CLI in a pseudo-terminal and reads its screen as data.",
    )
    commands = parser.add_subparsers(title="commands", required=True, metavar="COMMAND")
    show = commands.add_parser(
        "show",
        help="draw the screen of a recording",
        description="Draw the screen of a recording (asciicast v2 or v3, gzip or not) as it was "
        "at its end, or at a moment.",
        epilog=_SHOW_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    show.add_argument("recording", type=Path, metavar="FILE", help="the recording (.cast)")
    show.add_argument(
        "--at", type=_seconds, default=math.inf, metavar="T", help="seconds from its start"
    )
    show.add_argument("--plain", action="store_true", help="no colours (also if NO_COLOR is set)")
    show.add_argument(
        "--scrollback", action="store_true", help="also the lines that scrolled off the top"
    )
    show.add_argument("--json", action="store_true", help="for machines: rows, cursor, title")
    show.set_defaults(run=_show)
    story = commands.add_parser(
        "read",
        help="tell what the CLI did in a recording: statuses, turns, replies",
        description="Run a recording of the CLI, ours or not (asciicast v2 or v3, gzip or not), "
        "through the code that reads a live session, and print when the CLI was ready, working or "
        "asking, and the turns with their tools, dialogs and replies.",
        epilog=_READ_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    story.add_argument("recording", type=Path, metavar="FILE", help="the recording (.cast)")
    story.add_argument(
        "--json", action="store_true", help="for machines: statuses, turns, final (docs/reading.md)"
    )
    story.set_defaults(run=_read)
    explain = commands.add_parser(
        "explain",
        help="draw a moment of a recording with what each row was taken for, and why",
        description="Draw the last finished picture up to a moment in a box, each row labelled by "
        "what it was taken for, then the status and the evidence for it.",
        epilog=_EXPLAIN_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    explain.add_argument("recording", type=Path, metavar="FILE", help="the recording (.cast)")
    explain.add_argument(
        "--at", type=_seconds, default=math.inf, metavar="T", help="seconds from its start"
    )
    explain.set_defaults(run=_explain)
    return parser


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = math.nan
    if not 0 <= seconds < math.inf:
        raise argparse.ArgumentTypeError(f"must be a number of seconds from 0 on, not {text!r}")
    return seconds


def _show(options: argparse.Namespace) -> int:
    with open_recording(options.recording) as recording:
        frame = picture_at(recording, options.at)
    if options.json:
        text = json.dumps(_as_data(frame, scrolled=options.scrollback), ensure_ascii=False) + "\n"
    else:
        colours = not options.plain and not os.environ.get("NO_COLOR")
        text = ansi.draw(frame, scrolled=options.scrollback, colours=colours)
    return _print(text)


def _read(options: argparse.Namespace) -> int:
    with open_recording(options.recording) as recording:
        story = timeline.tell(recording)
    if options.json:
        text = json.dumps(timeline.as_data(story), ensure_ascii=False) + "\n"
    else:
        text = timeline.as_text(story)
    return _print(text)


def _explain(options: argparse.Namespace) -> int:
    with open_recording(options.recording) as recording:
        at, frame = explained.frame_at(recording, options.at)
    return _print(f"picture of {at:.3f} s ({frame.cut})\n{explained.explain(read(frame))}")


def _print(text: str) -> int:
    sys.stdout.write(text)
    sys.stdout.flush()
    return 0


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
