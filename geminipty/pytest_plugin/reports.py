"""What the plugin tells pytest to print: failures, sections and lines of its report.

Rule: nothing else of the plugin prints, and what is printed is harmless text. Nothing of ours is
imported before there is something to say.
"""

from collections.abc import Iterable
from pathlib import Path
from typing import NoReturn

import pytest

#: The section of a failing test with its last screen.
SCREEN = "gemini screen"


def fail(problem: str) -> NoReturn:
    """End the test, or its fixture, with this and nothing of our own code."""
    pytest.fail(_harmless(problem), pytrace=False)


def tell(report: pytest.TestReport, text: str) -> None:
    """Add the last screen to the report of a test."""
    report.sections.append((SCREEN, _harmless(text)))


def name(path: str | Path) -> str:
    """A path in one line."""
    from geminipty.visible import line

    return line(path)


def listed(
    terminal: pytest.TerminalReporter, title: str, lines: Iterable[str], *, red: bool
) -> None:
    """A section at the end of the run."""
    terminal.section(title, red=red, bold=True)
    for one in lines:
        terminal.line(_harmless(one))


def _harmless(text: str) -> str:
    from geminipty.visible import visible

    return visible(text)
