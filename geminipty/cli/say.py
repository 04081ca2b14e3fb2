"""All that the command line prints: results on standard output, the rest on standard error.

Rule: nothing else in this package prints, and what is printed is harmless text, on a terminal and
on a pipe, which may lead to one. Who needs the exact text takes --json, or Python. The exceptions
are those whose task it is to pass a terminal's bytes on, `record` by hand and `replay-cli`, and
`play`, which paints every picture itself.
"""

import argparse
import sys
from time import monotonic
from typing import IO, Any, NoReturn

from geminipty.visible import coloured, line, visible


def put(text: str, *, colours: bool = False) -> int:
    """Print a result and return the exit status of success; `colours` of ours may be in it."""
    return _print(coloured(text) if colours else visible(text), sys.stdout)


def say(text: str) -> None:
    """Tell how it goes, or what went wrong, in a line or more."""
    _print(visible(f"{text}\n"), sys.stderr)


def _print(text: str, file: IO[str]) -> int:
    file.write(text)
    file.flush()
    return 0


class Progress:
    """One line on a terminal, for what takes longer than a second."""

    def __init__(self) -> None:
        self._start = monotonic()
        self._shown = False

    def tell(self, what: str) -> None:
        """Say what is being done now."""
        if sys.stderr.isatty() and monotonic() - self._start > 1:
            _print(f"\r\x1b[Kgeminipty: {line(what)} …", sys.stderr)
            self._shown = True

    def clear(self) -> None:
        """It is done: leave no trace."""
        if self._shown:
            _print("\r\x1b[K", sys.stderr)


class Parser(argparse.ArgumentParser):
    """Arguments whose help and complaints, which quote them, are printed as all else is."""

    #: Python 3.14 would colour its help.
    color = False

    def error(self, message: str) -> NoReturn:
        """End with a complaint in one line."""
        super().error(line(message))

    def exit(self, status: int = 0, message: str | None = None) -> NoReturn:
        """End, with a message on standard error."""
        if message:
            say(message.removesuffix("\n"))
        sys.exit(status)

    def print_usage(self, file: Any = None) -> None:
        """Print how it is called."""
        _print(visible(self.format_usage()), sys.stdout if file is None else file)

    def print_help(self, file: Any = None) -> None:
        """Print what it does."""
        _print(visible(self.format_help()), sys.stdout if file is None else file)
