"""What the commands share: their arguments.

Rule: a wrong argument is told before anything is done.
"""

import argparse
import math
from collections.abc import Callable
from pathlib import Path
from typing import Final

#: No wait is longer at once, in seconds: what a recording asks for may be more than a call takes.
LONGEST: Final = 86400.0


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
