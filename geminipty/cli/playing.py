"""`geminipty play`: a recording in the viewer's terminal, which it cannot touch.

Rule: whatever happens, the terminal is left as it was found.
"""

import argparse
import math
import os
import sys

from geminipty.export import ansi
from geminipty.export.film import Film, develop
from geminipty.export.moments import picture_at
from geminipty.export.player import IDLE, Player
from geminipty.transports.files import open_recording

from .say import put
from .viewing import watch
from .words import Commands, seconds, times

_PLAY = """\
  geminipty play recordings/0.61.0/hello.cast
  geminipty play recordings/0.61.0/tool-approve.cast --speed 4 --idle 0.5
  geminipty play recordings/0.61.0/tool-approve.cast --marker dialog --step
  geminipty play recordings/0.61.0/hello.cast --all | less
"""

_ABOUT = """\
Play a recording (asciicast v2 or v3, gzip or not) in this terminal. It is painted on a screen of
our own, and only the finished pictures are shown: a recording cannot set the title or the
clipboard, ring, or ask the terminal anything. Where the terminal is smaller, the bottom left of
the picture is shown. When standard output is no terminal, the last picture is printed.

keys:
  space        pause, go on; at the end: play again
  . or right   the next finished picture
  left         the picture before
  [ and ]      to the previous and next marker; where a recording has none, its prompts and statuses
  q or Ctrl-C  leave
"""


def add(commands: Commands) -> None:
    """The commands of this module."""
    play = commands.add(
        "play",
        _play,
        summary="play a recording in this terminal, safely",
        description=_ABOUT,
        examples=_PLAY,
    )
    play.add_argument(
        "--speed", type=times, default=1.0, metavar="N", help="play N times as fast (default: 1)"
    )
    play.add_argument(
        "--idle",
        type=_pause,
        metavar="SECONDS",
        help="cut pauses to this; `off` plays them as recorded "
        f"(default: what the recording asks for, or {IDLE:g})",
    )
    play.add_argument("--step", action="store_true", help="wait for a key at each finished picture")
    start = play.add_mutually_exclusive_group()
    start.add_argument(
        "--marker", metavar="NAME|NUMBER", help="start at this marker; the first is number 1"
    )
    start.add_argument("--at", type=seconds, metavar="T", help="start T seconds from its start")
    play.add_argument(
        "--all",
        action="store_true",
        help="print each finished picture with its time, without colours, and play nothing",
    )


def _play(options: argparse.Namespace) -> int:
    if not options.all and not sys.stdout.isatty():
        with open_recording(options.recording) as recording:
            return put(ansi.draw(picture_at(recording), colours=False))
    with open_recording(options.recording) as recording:
        film = develop(recording)
        asked = recording.header.idle_time_limit
    at = options.at or 0.0
    if options.marker is not None:
        at = film.marker(options.marker).at
    if options.all:
        return _print(film, at)
    idle = options.idle if options.idle is not None else asked or IDLE
    player = Player(film, speed=options.speed, idle=idle, step=options.step, at=at)
    return watch(player, colours=not os.environ.get("NO_COLOR"))


def _print(film: Film, at: float) -> int:
    for picture in film.pictures[Player(film, at=at).index :]:
        cut = picture.frame.cut.value
        put(f"picture of {picture.at:.3f} s ({cut})\n{ansi.draw(picture.frame, colours=False)}\n")
    return 0


def _pause(text: str) -> float:
    if text == "off":
        return math.inf
    value = seconds(text)
    if not value:
        raise argparse.ArgumentTypeError("must be more than 0 seconds; `off` keeps all pauses")
    return value
