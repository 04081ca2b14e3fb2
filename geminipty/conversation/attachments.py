"""How a file is named to the CLI so that it reads this file, all of it and no other.

Rule: a name that some release takes for something else, or drops, is refused with its reason. What
is said here was measured with 0.24.5, 0.34.0 and 0.61.0; tests/live/test_attachments.py does it
again.
"""

import re
from pathlib import PurePath
from typing import Final

from geminipty.errors import UsageError
from geminipty.visible import line

#: 0.61 drops these from what is typed: directions of text, a blank without width, a byte order.
DROPPED: Final = re.compile("[\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]")
#: What ends a path of the CLI, or means something in it.
_SPECIAL: Final = re.compile(r"([\s,;!?()\[\]{}\\'\"*$&|<>`~#@])")
#: What cannot be said of a path, and what the CLI makes of it.
_UNSAYABLE: Final = (
    (
        re.compile("[\x00-\x1f\x7f-\x9f\ud800-\udfff]"),
        "a terminal takes a character of it for a key",
    ),
    (DROPPED, "the CLI drops an invisible character of it"),
    (re.compile(r"\\"), "the CLI takes a backslash in it for no part of it"),
    (re.compile('"'), "0.61 takes a quotation mark in it for the end of it"),
    (re.compile(r"[*?]|\[.+\]|\{.*(,|\.\.).*\}|[!+@]\(.*\)"), "it is a pattern for other names"),
    (re.compile(r"[\s.]\Z"), "the CLI takes a blank or a dot at its end for no part of it"),
)
#: Folders, endings and names of which the CLI reads nothing, whoever names them.
_FOLDERS: Final = frozenset(
    {
        *("node_modules", ".git", "bower_components", ".svn", ".hg", ".vscode", ".idea"),
        *("dist", "build", "coverage", "__pycache__"),
    }
)
_ENDINGS: Final = frozenset(
    {
        *(".bin", ".exe", ".dll", ".so", ".dylib", ".class", ".jar", ".war", ".zip", ".tar", ".gz"),
        *(".bz2", ".rar", ".7z", ".pak", ".rpa", ".doc", ".docx", ".xls", ".xlsx", ".ppt", ".pptx"),
        *(".odt", ".ods", ".odp", ".pyc", ".pyo"),
    }
)
_NAMES: Final = frozenset({".env", ".DS_Store"})
_WAY_OUT: Final = "Copy it, or link to it, under another name in the folder in which the CLI works."


def sayable(path: PurePath) -> str:
    """A path as it stands behind the @; raises UsageError if the CLI would not read it."""
    for pattern, why in _UNSAYABLE:
        if pattern.search(str(path)):
            raise refused(path, why)
    return _SPECIAL.sub(r"\\\1", str(path))


def check_left_out(path: PurePath, below: PurePath) -> None:
    """Raise UsageError for what the CLI leaves out; `below` is the path from its folder."""
    if left := next((part for part in below.parts if part in _FOLDERS), None):
        raise refused(path, f"the CLI leaves out all in a folder {left}")
    if below.name in _NAMES:
        raise refused(path, f"the CLI leaves out {below.name}")
    if below.suffix in _ENDINGS:
        raise refused(path, f"the CLI leaves out what ends in {below.suffix}")


def refused(path: PurePath, why: str) -> UsageError:
    """The error for a file that the CLI would not read."""
    return UsageError(f"{line(path)} cannot be attached: {why}. {_WAY_OUT}")
