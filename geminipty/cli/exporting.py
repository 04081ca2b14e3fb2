"""`geminipty export`: a recording in other forms, for people without geminipty.

Rule: everything is made before anything is written, so that an error leaves no half of it.
"""

import argparse
import math
from collections.abc import Iterator
from pathlib import Path

from geminipty.asciicast import Event, Header, Recording
from geminipty.export import cast2, explained, fonts, gif, moments, page, png, svg, text, timeline
from geminipty.export.colours import theme_of
from geminipty.export.merged import merged
from geminipty.terminal import Frame
from geminipty.transports.files import open_recording

from . import outputs
from .say import Progress, put
from .words import Commands, seconds

_EXPORT = """\
  geminipty export recordings/0.61.0/tool-approve.cast --html run.html
  geminipty export recordings/0.61.0/tool-approve.cast --at 9 --svg asks.svg --png asks.png
  geminipty export recordings/0.61.0/hello.cast --gif hello.gif
  geminipty export recordings/0.61.0/hello.cast --text - | less
  geminipty export recordings/0.61.0/hello.cast --cast2 hello-v2.cast
"""
#: The forms in the order of the help; those that show one moment; those that are no text.
_FORMS = {
    "html": "a page of its own: player, turns, replies; nothing is fetched",
    "svg": "the screen at a moment, as text that can be selected",
    "png": "the screen at a moment (needs: pip install 'geminipty[png]')",
    "gif": "the whole recording, as a film (needs: pip install 'geminipty[gif]')",
    "text": "the finished pictures as plain text; with --at one of them",
    "cast2": "asciicast v2, for older players; the recorded output as it is",
}
_MOMENTS = ("svg", "png", "text")
_BINARY = ("png", "gif")


def add(commands: Commands) -> None:
    """The command of this module."""
    parser = commands.add(
        "export",
        lambda options: _export(parser, options),
        summary="write a recording as a web page, picture, film or text",
        description="Write a recording (asciicast v2 or v3, gzip or not) in other forms, several "
        "at once if you like. OUT may be - for standard output where the form is text. Files are "
        "new and private to you. All forms but --cast2 hold what our own terminal painted, so "
        "that no sequence of the recording reaches whoever looks at them.",
        examples=_EXPORT,
    )
    for form, summary in _FORMS.items():
        parser.add_argument(f"--{form}", type=Path, metavar="OUT", help=summary)
    parser.add_argument(
        "--at", type=seconds, metavar="T", help="the moment, in seconds from the start (or the end)"
    )
    parser.add_argument("--font", type=Path, metavar="FILE", help="a monospace font, for PNG, GIF")
    parser.add_argument(
        "--idle", type=seconds, default=2.0, metavar="S",
        help="the longest that a GIF stands still, in seconds (default: 2)",
    )  # fmt: skip
    parser.add_argument("--force", action="store_true", help="write over files that exist")


class _Source:
    """A recording in memory, to be read as often as there are forms."""

    def __init__(self, recording: Recording, at: float | None) -> None:
        self.header: Header = recording.header
        self._events: list[Event] = list(recording.events)
        self.at = at
        self.theme = theme_of(self.header.theme)

    def again(self) -> Recording:
        return Recording(self.header, iter(self._events))

    def frames(self) -> Iterator[tuple[float, Frame]]:
        return explained.frames(self.again())

    def moment(self) -> Frame:
        """The last finished picture up to the moment, or the screen as it stood before any."""
        at = math.inf if self.at is None else self.at
        found = None
        for time, frame in self.frames():
            if time > at:
                break
            found = frame
        return found or moments.picture_at(self.again(), at)


def _export(parser: argparse.ArgumentParser, options: argparse.Namespace) -> int:
    wanted: dict[str, Path] = {
        form: path for form in _FORMS if (path := getattr(options, form)) is not None
    }
    _check(parser, wanted, options)
    for path in wanted.values():
        outputs.check(path, force=options.force)
    progress = Progress()
    with open_recording(options.recording) as recording:
        source = _Source(recording, options.at)
    made: dict[str, bytes] = {}
    try:
        for form in wanted:
            progress.tell(form)
            made[form] = _make(form, source, options, progress)
    finally:
        progress.clear()
    for form, path in wanted.items():
        if path != outputs.STDOUT:
            outputs.write(path, made[form], force=options.force)
    shown = [made[form].decode() for form, path in wanted.items() if path == outputs.STDOUT]
    return put("".join(shown))


def _check(
    parser: argparse.ArgumentParser, wanted: dict[str, Path], options: argparse.Namespace
) -> None:
    if not wanted:
        parser.error(f"choose a form: {', '.join(f'--{form}' for form in _FORMS)}")
    if options.at is not None and not any(form in wanted for form in _MOMENTS):
        parser.error("--at is for --svg, --png and --text; the other forms show it all")
    paths = [str(path) for path in wanted.values()]
    if len(set(paths)) < len(paths):
        parser.error("two forms cannot go to the same place")
    for form in _BINARY:
        if wanted.get(form) == outputs.STDOUT:
            parser.error(f"--{form} is not text; name a file")


def _make(form: str, source: _Source, options: argparse.Namespace, progress: Progress) -> bytes:
    match form:
        case "html":
            story = timeline.tell(source.again())
            return page.page(source.header, source.frames(), story).encode()
        case "svg":
            return svg.draw(source.moment(), source.theme).encode()
        case "png":
            return png.draw(source.moment(), fonts.font(options.font), source.theme)
        case "gif":
            return gif.animate(
                merged(source.frames(), gif.STEP),
                fonts.font(options.font),
                source.theme,
                idle=options.idle,
                watch=lambda time: progress.tell(f"gif, {time:.0f} s of the recording"),
            )
        case "text" if source.at is None:
            return "".join(text.film(source.frames())).encode()
        case "text":
            return text.moment(source.moment()).encode()
        case _:
            return "".join(cast2.lines(*source.again())).encode()
