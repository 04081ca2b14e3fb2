"""What the plugin tells pytest to print: failures, sections and lines of its report.

Rule: nothing else of the plugin prints, and what is printed is harmless text. Nothing of ours is
imported before there is something to say.
"""

import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NoReturn

import pytest

#: The section of a failing test with its last screen.
SCREEN = "gemini screen"


def fail(problem: str) -> NoReturn:
    """End the test, or its fixture, with this and nothing of our own code."""
    pytest.fail(_harmless(problem), pytrace=False)


def tell(report: pytest.TestReport, text: str) -> None:
    """Add the last screen to the report of a test."""
    report.sections.append((SCREEN, _harmless(text)))


@contextmanager
def without_our_code() -> Iterator[None]:
    """Tracebacks that are told meanwhile end in the user's own lines, but with `--full-trace`."""
    ours = __name__.partition(".")[0]
    spaces = [vars(one) for name, one in sys.modules.items() if name.partition(".")[0] == ours]
    for space in spaces:
        space["__tracebackhide__"] = True  # which pytest looks for
    try:
        yield
    finally:
        for space in spaces:
            del space["__tracebackhide__"]


def hide(report: pytest.TestReport, text: Callable[[str], str]) -> None:
    """Take from what pytest says of a failure what `text` takes away; pytest's colours stay."""
    from geminipty.visible import coloured

    said = report.longrepr
    if not _is_pytests(said):
        said = str(said)
    report.longrepr = _mapped(said, lambda said: coloured(text(said)))


def _is_pytests(value: object) -> bool:
    """Whether it is a part of what pytest says of a traceback, not an object of somebody else."""
    return type(value).__module__ == "_pytest._code.code"


def _mapped(value: Any, text: Callable[[str], str]) -> Any:
    """The same value with other texts: pytest's are objects with fields, made of each other."""
    if isinstance(value, str):
        return text(value)
    if isinstance(value, list | tuple):
        if value and all(isinstance(one, str) for one in value):
            lines = text("\n".join(value)).split("\n")  # what is wrapped is found as a whole
            if len(lines) == len(value):
                return type(value)(lines)
        return type(value)(_mapped(one, text) for one in value)
    if _is_pytests(value):
        for field, one in vars(value).items():
            setattr(value, field, _mapped(one, text))
    return value


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
