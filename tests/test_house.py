"""The house holds: imports go down, the lower floors touch nothing, modules stay readable.

The rules are functions on source text, so that each can be shown to fail on a bad module too.
"""

import ast
from pathlib import Path

import pytest

import geminipty

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
    "transports": 4,
    "chats": 4,
    "hooks": 4,
    "headless": 4,
    "launch": 4,
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
OUTSIDE = 4
#: Modules that reach the outside or know the time. Floors below 4 do without.
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
MAX_LINES = 500


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
    """Imports go down only, floors below 4 do no I/O, and a module is short and says its rule."""
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
    """The rule is red for files, sockets, clocks and prints below floor 4, and not above."""
    assert worldly(source, "terminal")
    assert worldly(source, "conversation")
    assert not worldly(source, "transports")


def test_a_module_without_its_rule_is_found() -> None:
    """The rule is red for a missing docstring and for one that does not state a rule."""
    assert undocumented("x = 1")
    assert undocumented('"""Helpers."""')
    assert undocumented('"""Cuts text into terminal actions, for the screen."""')
    assert not undocumented('"""Cuts text into terminal actions.\n\nRule: nothing leaks."""')
