"""`geminipty redact`: an existing recording without its secrets.

Rule: what is hidden is never printed, and no file is replaced unless that was asked for.
"""

import argparse
import gzip
import os
from pathlib import Path

from geminipty import asciicast
from geminipty.redaction import Redactor, clean, redact_header
from geminipty.terminal import Work
from geminipty.transports.files import open_recording, save_recording
from geminipty.transports.own import own_values
from geminipty.visible import line

from .say import put
from .words import Commands

_EXAMPLES = """\
  geminipty redact recordings/0.61.0/hello.cast --check
  geminipty redact recordings/0.61.0/hello.cast --check --forms-only --also "project x"
  geminipty redact run.cast                  (writes run.redacted.cast)
  geminipty redact run.cast --in-place
"""
_NAMED = 5  # moments that --check names


def add(commands: Commands) -> None:
    """The commands of this module."""
    redact = commands.add(
        "redact",
        _redact,
        summary="write a copy of a recording without its secrets, or check that it has none",
        description="Hide the secrets in a recording (asciicast v2 or v3, gzip or not): keys, "
        "tokens, passwords and e-mail addresses by their form; the values of your secret "
        "environment variables, your home folder, user and host name wherever they stand. Each "
        "hidden column becomes one \u2588, so the picture stays true. The copy is asciicast v3, "
        "and only you may read it. The exit status is 1 if parts of a secret can still be read. "
        "See docs/redaction.md for what is found, and what cannot be.",
        examples=_EXAMPLES,
    )
    redact.add_argument(
        "-o", "--output", type=Path, metavar="OUT", help="the copy (default: beside FILE)"
    )
    redact.add_argument(
        "--also", action="append", default=[], metavar="TEXT", help="hide this too (repeatable)"
    )
    redact.add_argument("--forms-only", action="store_true", help="use nothing of your environment")
    redact.add_argument("--force", action="store_true", help="replace the copy if it exists")
    how = redact.add_mutually_exclusive_group()
    how.add_argument("--in-place", action="store_true", help="replace FILE itself, at once")
    how.add_argument(
        "--check",
        action="store_true",
        help="write nothing; exit 1 if something would be hidden, or cannot be",
    )


def _redact(options: argparse.Namespace) -> int:
    redactor = Redactor([*([] if options.forms_only else own_values(os.environ)), *options.also])
    with open_recording(options.recording) as recording:
        header = redact_header(recording.header, redactor)
        size = header.columns, header.lines
        found = list(recording.events)
        limit = Work(asciicast.DEFAULT_LIMITS.work)
        done, left = clean(found, redactor, *size, work=limit)
        events = list(zip(found, done, strict=True))
    changed = [old for old, new in events if old != new]
    stays = [found[number] for number in left]
    told = f"{len(changed)} of {len(events)} events"
    if header != recording.header:
        told = f"the header and {told}"
    if options.check:
        if changed or header != recording.header:
            moments = _moments(changed)
            put(f"{line(options.recording)}: would change {told}{moments and f': {moments}'}\n")
        elif not left:
            return put(f"{line(options.recording)}: nothing to hide\n")
        return _say_left(options.recording, stays) or 1
    # Behind a link the secrets are in the file that it names.
    path = _copy(options).resolve()
    lines = asciicast.write(header, (new for _, new in events))
    data = "".join(lines).encode()
    if path.suffix == ".gz":
        data = gzip.compress(data, mtime=0)
    save_recording(path, data, overwrite=options.force or options.in_place)
    put(f"{line(path)}: changed {told}\n")
    return _say_left(path, stays)


def _moments(events: list[asciicast.Event]) -> str:
    return ", ".join(f"{event.time:.3f} s ({event.code})" for event in events[:_NAMED])


def _say_left(path: Path, events: list[asciicast.Event]) -> int:
    """Say where parts of secrets stay; the exit status."""
    if not events:
        return 0
    put(
        f"{line(path)}: parts of a secret can still be read, and cannot be hidden: "
        f"{_moments(events)}. Look at these moments, and do not share them.\n"
    )
    return 1


def _copy(options: argparse.Namespace) -> Path:
    path: Path = options.recording
    if options.in_place:
        return path
    if options.output:
        return Path(options.output)
    name = path.name.removesuffix(".gz").removesuffix(".cast")
    return path.with_name(f"{name}.redacted{path.name.removeprefix(name)}")
