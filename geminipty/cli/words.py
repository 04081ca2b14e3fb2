"""What the commands share: their arguments, and the words that a person at a terminal can use.

Rule: a wrong argument is told before anything is done, and no message tells a person to write
Python.
"""

import argparse
import math
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

#: No wait is longer at once, in seconds: what a recording asks for may be more than a call takes.
LONGEST: Final = 86400.0

#: What errors say to who writes Python, and what that is at the command line; the first that fits
#: goes first.
SAID: Final[Mapping[str, str]] = {
    # Trust
    "Pass trust=True if you know what is in the folder, or choose another one with cwd.": (
        "Give --trust if you know what is in the folder, or run this in another one."
    ),
    "and trust=True was not said": "and --trust was not given",
    "use trust=True": "use --trust",
    # Dialogs
    "Call answer(…) on the session, or set approvals.": (
        "Give --approvals allow or --approvals deny, or answer it by hand: without --ask."
    ),
    "Look at error.dialog. answer(False) denies it; answer(Anyway(…)) agrees all the same.": (
        "Give --approvals deny, or look at it and answer it by hand: without --ask."
    ),
    'approvals="deny"': "--approvals deny",
    # Prompts and time
    "Use command() or shell() if you mean one; if not, put a word before it.": (
        "If you mean one, give it by hand: without --ask; if not, put a word before it."
    ),
    "Take it out, or let geminipty.terminal.cleaned() do it.": "Take it out.",
    "Allow more with ask(timeout=…), or": "Allow more with --timeout, or",
    "allow more with Deadlines(start=…) if it is still at work": (
        "if it is still at work, try again, or record by hand: without --ask"
    ),
    # Files and programs
    "or overwrite it: overwrite=True": "or replace it: --force",
    "the option `command`": "--command",
    "with the option `env`": "in your environment",
    "name both: command=['/path/to/node', '/path/to/gemini']": (
        "name with --command a script of your own that starts both"
    ),
    "never split at blanks: if this is a program with arguments, give a list:": (
        "never split at blanks: give arguments after `--`, not in a text of these words:"
    ),
    # Flags after `--`
    "use the option `cwd`": "run this in that folder",
    "use the option `initial_prompt`": "use --ask",
    "use approval_mode='yolo'": "use --approval-mode=yolo",
    "; use the option `": "; from Python there is the option `",
    "these options cannot be used:": "this cannot be used:",
}
#: Options of Python, as a message about them begins its lines, and the arguments that choose them.
ARGUMENTS: Final[Mapping[str, str]] = {
    "record": "FILE",
    "extra_args": "FLAGS",
    **{name: f"--{name}" for name in ("command", "model", "timeout", "redact")},
}
_ARGUMENT: Final = re.compile(rf"^  ({'|'.join(ARGUMENTS)})(?=[.:])", re.MULTILINE)


def spoken(message: str) -> str:
    """The message of an error as a person at the command line can act on it."""
    for python, here in SAID.items():
        message = message.replace(python, here)
    return _ARGUMENT.sub(lambda found: f"  {ARGUMENTS[found[1]]}", message)


class Commands:
    """The commands of one parser."""

    def __init__(self, parser: argparse.ArgumentParser) -> None:
        self._parsers = parser.add_subparsers(title="commands", required=True, metavar="COMMAND")

    def add(
        self,
        name: str,
        run: Callable[[argparse.Namespace], int],
        *,
        summary: str,
        description: str,
        examples: str,
        recording: bool = True,
    ) -> argparse.ArgumentParser:
        """Add a command, by default one about a recording, and return its parser."""
        parser = self._parsers.add_parser(
            name,
            help=summary,
            description=description,
            epilog=f"examples:\n{examples}",
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        if recording:
            parser.add_argument(
                "recording", type=Path, metavar="FILE", help="the recording (.cast)"
            )
        parser.set_defaults(run=run)
        return parser


def seconds(text: str) -> float:
    """A number of seconds, as an argument."""
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not 0 <= value < math.inf:
        raise argparse.ArgumentTypeError(f"must be a number of seconds from 0 on, not {text!r}")
    return value


def times(text: str) -> float:
    """How many times as fast, as an argument."""
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not 0.001 <= value <= 1000:
        raise argparse.ArgumentTypeError(f"must be a number from 0.001 to 1000, not {text!r}")
    return value
