"""Where the recording of a test lies, and the command that makes it.

Rule: two tests share a file only if they name the same story. What a file system would not take,
or might take for another name, is replaced and told apart by a digest.
"""

import hashlib
import os
import re
import shlex
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import pytest

from .reports import name

FOLDER: Final = "recordings"
ARTIFACTS: Final = ".pytest-gemini"
SUFFIX: Final = ".cast"
#: What a story may be called: a file name that needs no quotes, and no `+`.
STORY: Final = re.compile(r"\w[\w.-]*", re.ASCII)

_UNSAFE: Final = re.compile(r"[^A-Za-z0-9_.+-]+")
#: Between a test and its parameters. No story has it, so `a+b` is never a story of its own.
_WITH: Final = "+"
#: Of the 255 bytes that a file name may have, the rest is for suffixes and digests.
_LONGEST: Final = 120
#: In these a shell would find more than text, also between double quotes.
_SHELL: Final = frozenset('\\"$`!')


@dataclass(frozen=True)
class Place:
    """The files of one test."""

    recording: Path
    #: Where the recording of a run that failed is kept.
    artifact: Path

    @property
    def part(self) -> Path:
        """Where a recording is written before it is known how its test ends."""
        return self.artifact.with_name(f".{self.artifact.stem}.{os.getpid()}{SUFFIX}")


def marked(item: pytest.Item) -> dict[str, Any]:
    """The keywords of the test's markers; the nearest to the test wins."""
    chosen: dict[str, Any] = {}
    for mark in item.iter_markers("gemini"):
        chosen = {**mark.kwargs, **chosen}
    return chosen


def place_of(item: pytest.Item) -> Place:
    """The files of a test."""
    name = file_name(_story(item), _parameters(item)) + SUFFIX
    root, module = item.config.rootpath, item.path.stem
    # A test outside the root folder is told apart by its module alone.
    near = item.path.parent
    below = near.relative_to(root) if near.is_relative_to(root) else Path()
    return Place(folder_of(item) / name, artifacts(item.config) / below / module / name)


def folder_of(item: pytest.Item) -> Path:
    """The folder with the recordings of the test's module."""
    config, near = item.config, item.path.parent
    chosen = config.getini("gemini_recordings")
    if chosen:
        base, root = config.rootpath / str(chosen), config.rootpath
        return base / (near.relative_to(root) if near.is_relative_to(root) else "") / item.path.stem
    return near / FOLDER / item.path.stem


def artifacts(config: pytest.Config) -> Path:
    """The folder for what failing tests leave to look at."""
    return config.rootpath / (config.getoption("gemini_artifacts") or ARTIFACTS)


def keep_from_git(config: pytest.Config) -> None:
    """See that nobody commits our own folder by accident; one that was chosen is not ours."""
    ignore = config.rootpath / ARTIFACTS / ".gitignore"
    if artifacts(config) == ignore.parent and not ignore.exists():
        from geminipty.transports import private

        with private.whole(ignore, overwrite=True) as file:
            file.write(b"*\n")


def file_name(story: str, parameters: str = "") -> str:
    """A name for a file, its own for each story and parameters."""
    whole = f"{story}{_WITH}{parameters}" if parameters else story
    plain = _UNSAFE.sub("-", whole)[:_LONGEST]
    # Parameters differ by case alone more often than tests do, and not every disk can tell.
    if plain == whole and parameters == parameters.lower() and not plain.startswith("."):
        return plain
    digest = hashlib.sha256(whole.encode("utf-8", "surrogatepass")).hexdigest()[:8]
    return f"{plain.lstrip('.')}{_WITH}{digest}"


def command(item: pytest.Item, mode: str) -> str:
    """The command that records this test, to be run where this run was started."""
    path, colons, test = item.nodeid.partition("::")
    here = os.path.relpath(item.config.rootpath / path, item.config.invocation_params.dir)
    name = f"{here}{colons}{test}"
    quoted = shlex.quote(name) if _SHELL & set(name) else f'"{name}"'
    return f"pytest --gemini-record={mode} {quoted}"


def shown(config: pytest.Config, path: Path) -> str:
    """A path as the other lines of a report show paths."""
    root = config.rootpath
    return name(path.relative_to(root) if path.is_relative_to(root) else path)


def _story(item: pytest.Item) -> str:
    story = marked(item).get("story")
    if story is not None:
        return str(story)
    classes = [node.name for node in item.listchain() if isinstance(node, pytest.Class)]
    return ".".join([*classes, getattr(item, "originalname", None) or item.name])


def _parameters(item: pytest.Item) -> str:
    name = getattr(item, "originalname", None) or item.name
    return item.name.removeprefix(name).removeprefix("[").removesuffix("]")
