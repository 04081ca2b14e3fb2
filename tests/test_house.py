"""The house holds: imports go down, the lower floors touch nothing, modules stay readable.

The rules are functions on source text, so that each can be shown to fail on a bad module too.
"""

import ast
from pathlib import Path
from textwrap import indent

import pytest

import geminipty

from .printing import exits

PACKAGE = Path(geminipty.__file__).parent
MODULES = sorted(PACKAGE.rglob("*.py"))

#: Which floor each noun of the house lives on. `errors` lies under the other words, which raise
#: some of them, and what makes their text harmless under that; the front door stands on the roof.
FLOORS = {
    "visible": -1,
    "errors": 0.0,
    "checks": 0.25,
    "model": 0.5,
    "options": 0.5,
    "asciicast": 1,
    "terminal": 1,
    "redaction": 1.5,
    "reading": 2,
    "conversation": 3,
    "logs": 3.5,
    "transports": 4,
    "chats": 4,
    "hooks": 4,
    "headless": 4,
    "launch": 4.1,
    "standin": 4,
    "export": 4,
    "witnesses": 4.25,
    "run": 4.5,
    "session": 5,
    "aio": 5,
    "pool": 5,
    "stories": 5.5,
    "cli": 6,
    "pytest_plugin": 6,
    "integrations": 6,
    "__main__": 7,
    "": 7,
}
OUTSIDE = 3.5
#: Modules that reach the outside or know the time. Floors below OUTSIDE do without.
WORLD = frozenset(
    {
        "asyncio",
        "concurrent",
        "ctypes",
        "datetime",
        "fcntl",
        "glob",
        "http",
        "importlib",
        "io",
        "logging",
        "multiprocessing",
        "os",
        "pexpect",
        "pty",
        "random",
        "resource",
        "select",
        "selectors",
        "shutil",
        "signal",
        "socket",
        "ssl",
        "subprocess",
        "sys",
        "tempfile",
        "termios",
        "threading",
        "time",
        "tty",
        "urllib",
    }
)
WORLDLY_CALLS = frozenset({"open", "print", "input", "exec", "eval", "breakpoint"})
PURE_PATHS = frozenset({"PurePath", "PurePosixPath", "PureWindowsPath"})
MAX_LINES = 520
#: Where text leaves geminipty, by why that is in order. All else passes `geminipty.visible` where
#: it stands. A new place belongs into the first group only if all that it writes is harmless.
EXITS = {
    "the guarded functions": [
        "cli/say.py put: sys.stdout",
        "cli/say.py say: sys.stderr",
        "cli/say.py _print: write()",
        "cli/say.py Progress.tell: sys.stderr",
        "cli/say.py Progress.clear: sys.stderr",
        "cli/say.py module: ArgumentParser",
        "cli/say.py Parser.exit: sys.exit",
        "cli/say.py Parser.print_usage: sys.stdout",
        "cli/say.py Parser.print_help: sys.stdout",
        "logs.py module: logging",
        "pytest_plugin/reports.py fail: pytest.fail",
        "pytest_plugin/reports.py hide: .longrepr",
        "pytest_plugin/reports.py tell: .sections",
        "run/hiding.py module: traceback",
    ],
    "a terminal's own bytes, or pictures that were painted of harmless cells": [
        "cli/playing.py _play: _print()",
        "cli/replaying.py _write: os.write",
        "cli/replaying.py _write: sys.stdout",
        "cli/viewing.py _Viewer._write: os.write",
        "run/byhand.py _write: os.write",
        "transports/pty.py Pty._flush: os.write",
        "transports/supervisor.py run: os.write",
    ],
    "no text: a status, a question about the terminal, constants": [
        "__main__.py module: sys.exit",
        "cli/__init__.py main: sys.stdout",
        "cli/__init__.py main: os.dup2",
        "cli/looking.py _show: sys.stdout",
        "cli/playing.py _play: sys.stdout",
        "cli/recording.py _record: sys.stdout",
        "cli/viewing.py _Viewer.__init__: sys.stdout",
        "cli/viewing.py _Viewer._write: sys.stdout",
        "pytest_plugin/__init__.py pytest_runtest_setup: pytest.fail",
        "pytest_plugin/reports.py listed: section()",
    ],
    "a file, or a socket": [
        "cli/exporting.py _export: write()",
        "cli/outputs.py write: write()",
        "cli/redacting.py _redact: write()",
        "cli/replaying.py _install: write()",
        "export/page.py page: write()",
        "launch/home.py furnish: write()",
        "launch/home.py bring_chats: write()",
        "launch/home.py write: write()",
        "launch/launch.py _wire_log: write()",
        "launch/launch.py _move_in: write()",
        "launch/launch.py _trust_by_file: write()",
        "standin/wire.py Wire.reply: write()",
        "standin/wire.py Wire.stream: write()",
        "stories/index.py replace: write()",
        "stories/telling.py tell: write()",
        "transports/castfile.py CastFile.__init__: write()",
        "transports/castfile.py CastFile._hide_late: write()",
        "transports/castfile.py CastFile._put: os.write",
        "transports/files.py save_recording: write()",
    ],
    "how a value reads, which is printed by a guarded function": [
        "options.py Size: __str__",
        "reading/reading.py Evidence: __str__",
        "standin/steps.py Call: __repr__",
        "terminal/grid.py Scrolled: __repr__",
        "terminal/rows.py Row: __repr__",
        "transports/calls.py Call: __str__",
    ],
}


def noun_of(path: Path) -> str:
    """The noun of the house that a module belongs to; the front door has none."""
    first = path.relative_to(PACKAGE).parts[0].removesuffix(".py")
    return "" if first == "__init__" else first


def imports_of(source: str, noun: str) -> list[str]:
    """The full names of all that a module imports, also inside functions."""
    names = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.level:
            # One dot is the noun's own package; more would leave it, which nobody needs.
            package = f"geminipty.{noun}" if node.level == 1 and noun else "geminipty"
            names.append(f"{package}.{node.module}" if node.module else package)
        elif isinstance(node, ast.ImportFrom):
            names += [f"{node.module}.{alias.name}" for alias in node.names]
    return names


def climbs(source: str, noun: str) -> list[str]:
    """The imports that do not go down."""
    own = FLOORS[noun]
    wrong = []
    for name in imports_of(source, noun):
        root, _, rest = name.partition(".")
        other = rest.partition(".")[0]
        if root == "geminipty" and other != noun and FLOORS.get(other, own) >= own:
            wrong.append(name)
    return wrong


def worldly(source: str, noun: str) -> list[str]:
    """What in a module of a lower floor reaches the outside or knows the time."""
    if FLOORS[noun] >= OUTSIDE:
        return []
    wrong = []
    for name in imports_of(source, noun):
        root, _, rest = name.partition(".")
        if root in WORLD or (root == "pathlib" and rest not in PURE_PATHS):
            wrong.append(name)
    calls = [node.func for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call)]
    names = [call.id for call in calls if isinstance(call, ast.Name)]
    return wrong + [name for name in names if name in WORLDLY_CALLS]


def undocumented(source: str) -> bool:
    """Whether a module does not open with why it exists and its rule."""
    docstring = ast.get_docstring(ast.parse(source)) or ""
    why, _, _ = docstring.partition("\n")
    return len(why) < 20 or "Rule:" not in docstring


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_every_module_keeps_the_rules_of_the_house(path: Path) -> None:
    """Imports go down only, the lower floors do no I/O, and a module is short and says its rule."""
    source = path.read_text(encoding="utf-8")

    assert noun_of(path) in FLOORS, "a new noun: give it a floor"
    assert climbs(source, noun_of(path)) == []
    assert worldly(source, noun_of(path)) == []
    assert len(source.splitlines()) <= MAX_LINES
    assert not undocumented(source)


@pytest.mark.parametrize(
    ("noun", "source"),
    [
        ("terminal", "import geminipty.reading"),
        ("terminal", "from geminipty.session import GeminiSession"),
        ("terminal", "from geminipty import cli"),
        ("terminal", "from ..reading import read"),
        ("asciicast", "from geminipty.terminal import Frame"),
        ("reading", "def late():\n    from geminipty.transports import pty"),
        ("errors", "from geminipty.model import Status"),
        ("terminal", "import geminipty"),
    ],
)
def test_an_import_that_climbs_is_found(noun: str, source: str) -> None:
    """The rule is red for an import of the same floor or a higher one, however it is written."""
    assert climbs(source, noun)


@pytest.mark.parametrize(
    "source",
    [
        "import time",
        "from time import monotonic",
        "import os.path",
        "from pathlib import Path",
        "text = open('x').read()",
        "def late():\n    import socket",
        "print('hello')",
    ],
)
def test_io_or_a_clock_on_a_lower_floor_is_found(source: str) -> None:
    """The rule is red for files, sockets, clocks and prints on the lower floors, and not above."""
    assert worldly(source, "terminal")
    assert worldly(source, "conversation")
    assert not worldly(source, "transports")


def test_a_module_without_its_rule_is_found() -> None:
    """The rule is red for a missing docstring and for one that does not state a rule."""
    assert undocumented("x = 1")
    assert undocumented('"""Helpers."""')
    assert undocumented('"""Cuts text into terminal actions, for the screen."""')
    assert not undocumented('"""Cuts text into terminal actions.\n\nRule: nothing leaks."""')


def test_text_leaves_only_where_it_is_harmless() -> None:
    """Every place that prints, logs or makes an error's text is guarded there, or in this list."""
    found = {
        f"{path.relative_to(PACKAGE)} {place}"
        for path in MODULES
        for place in exits(path.read_text(encoding="utf-8"))
    }

    assert sorted(found) == sorted(place for places in EXITS.values() for place in places)


@pytest.mark.parametrize(
    "source",
    [
        "print(name)",
        "tell = print",
        "sys.stdout.write(text)",
        "out = sys.stderr",
        "from sys import stdout",
        "out = getattr(sys, 'stdout')",
        "os.write(1, data)",
        "from os import write",
        "terminal.write(text)",
        "terminal.write(f'a {name}')",
        "terminal.write(name + visible(text))",
        "import logging",
        "import logging.handlers as handlers",
        "from logging import getLogger",
        "import warnings",
        "from warnings import warn",
        "import traceback",
        "error.print_exc()",
        "raise SystemExit(text)",
        "sys.exit(text)",
        "parser = argparse.ArgumentParser(prog=name)",
        "class Mine(argparse.ArgumentParser): pass",
        "parser.print_help()",
        "pytest.fail(text)",
        "terminalreporter.write_line(text)",
        "report.sections.append((title, text))",
        "def __str__(self):\n    return self.message",
        "class One:\n    def __repr__(self):\n        return f'{self.name}'",
    ],
)
def test_a_way_around_the_guard_is_found(source: str) -> None:
    """The rule is red for a new print, write, log, warning, report or text of an error."""
    assert exits(source)
    assert exits(f"class Outer:\n    def inner(self):\n{indent(source, ' ' * 8)}")


@pytest.mark.parametrize(
    "source",
    [
        "terminal.write('done')",
        "terminal.write(visible(text))",
        "terminal.write(f'{line(name)}: {visible.short(text)}' + 'done')",
        "def __str__(self):\n    return visible(self.message)",
        "log.warning('passed over %s', path)",
    ],
)
def test_what_is_guarded_on_the_spot_is_no_way_around(source: str) -> None:
    """A place that hands its text to a guard first needs no entry in the list."""
    assert exits(source) == []
