"""The command line: `geminipty` for people and scripts.

Rule: an error is one message on standard error and an exit status, never a traceback; standard
output gets a whole result or nothing. 0 means done, 1 that the input is at fault, 2 that the
call is.
"""

import argparse
import io
import os
import sys
from collections.abc import Sequence

from geminipty.errors import GeminiPtyError

from . import exporting, looking, playing, recording, redacting, replaying, telling
from .say import Parser, say
from .words import Commands, spoken

#: Each has `add(commands)`, in the order of the help.
_MODULES = (recording, looking, playing, exporting, redacting, replaying, telling)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit status."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")  # a terminal without UTF-8 shows ? for the rest
    options = parsed(sys.argv[1:] if arguments is None else arguments)
    try:
        return int(options.run(options))
    except GeminiPtyError as error:
        error.message = spoken(error.message)
        say(f"geminipty: {error}")
        return 1
    except BrokenPipeError:
        # The reader of a pipe has gone (`| head`): that is its right. Python would complain when
        # it flushes standard output at exit, so that goes nowhere.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as error:
        say(f"geminipty: the output cannot be written: {error.strerror}")
        return 1
    except KeyboardInterrupt:
        return 130


def parsed(words: Sequence[str]) -> argparse.Namespace:
    """What a command line says; leaves with 2 if it cannot be understood."""
    own, flags = recording.parted(words)
    options = parser().parse_args(own)
    if flags:
        options.flags = [*options.flags, *flags]
    return options


def parser() -> Parser:
    """All commands with their arguments."""
    whole = Parser(
        prog="geminipty",
        description="Drives Google's Gemini CLI in a pseudo-terminal and reads its screen as data.",
    )
    commands = Commands(whole)
    for module in _MODULES:
        module.add(commands)
    return whole
