"""Finds the CLI and its version.

Rule: nothing is started to find it, and what a stranger could have put there is passed over. A
version is read from the package beside the program; only a program that was found by search and has
no package is asked, once, with a deadline and without a key.
"""

import contextlib
import json
import os
import re
import subprocess
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from geminipty.errors import CliNotFound
from geminipty.logs import log
from geminipty.visible import line

from .folder import Folder, temporary
from .node import with_node
from .places import PLACES, on_path, runs, usual
from .releases import Release
from .strangers import Gate

NAME: Final = "gemini"
#: Names the CLI for all programs of a user; geminipty's own, the CLI does not read it.
VARIABLE: Final = "GEMINI_CLI_PATH"
#: How long a program may take to say its version; 0.61 takes about a second.
VERSION_DEADLINE: Final = 15.0
#: All that a program gets of the environment to say its version: what node, and what starts it,
#: need to run. Keys are not among it.
_FOR_VERSION: Final = (
    *("PATH", "HOME", "USER", "LANG", "LC_ALL", "LC_CTYPE", "LD_LIBRARY_PATH"),
    *("DYLD_LIBRARY_PATH", "VOLTA_HOME", "MISE_DATA_DIR", "ASDF_DATA_DIR", "ASDF_DIR"),
    *("XDG_DATA_HOME", "XDG_CONFIG_HOME"),
)
_INSTALL: Final = "npm install -g @google/gemini-cli"


@dataclass(frozen=True)
class Cli:
    """A program that was found: how to call it, where it is and which release it is."""

    argv: tuple[str, ...]
    path: Path
    version: str | None  #: None: cannot be told
    #: The folder of its npm package; None if it lies in none.
    package: Path | None = None

    @property
    def release(self) -> Release | None:
        """The version as numbers, without what stands after a dash."""
        found = re.match(r"(\d+)\.(\d+)\.(\d+)", self.version or "")
        return (int(found[1]), int(found[2]), int(found[3])) if found else None


def find(
    command: tuple[str, ...] | None,
    env: Mapping[str, str],
    home: Path,
    gate: Gate,
    places: tuple[str, ...] = PLACES,
) -> Cli:
    """Return the CLI that `command` names, or else the first that is found and may be run.

    A whole path in `command` is taken as it is: who writes it has looked. Raises CliNotFound with
    the places where it was looked for, and what was passed over and why.
    """
    if command is not None:
        path = _chosen(command[0], env, gate)
        return Cli((str(path), *command[1:]), path, *_package(path, *command[1:]))
    path = _from_variable(env, gate) or _searched(env, home, gate, places)
    version, package = _package(path)
    return Cli((str(path),), path, version or _told_version(path, env, gate, home), package)


def _chosen(name: str, env: Mapping[str, str], gate: Gate) -> Path:
    """The program that the option names: a path, or a name to be found on PATH."""
    if os.sep not in name:
        return _on_path(name, env, gate, "the option `command`")
    # Not resolved: a link keeps its name, because shims go by it.
    return _there(Path(os.path.abspath(name)), "the option `command`")  # noqa: PTH100


def _from_variable(env: Mapping[str, str], gate: Gate) -> Path | None:
    """The program that the variable names, if it is set."""
    if not (named := env.get(VARIABLE)):
        return None
    if os.sep not in named:
        return _on_path(named, env, gate, VARIABLE)
    path = Path(os.path.expanduser(named))  # noqa: PTH111 - keeps the name of a link
    if not path.is_absolute():
        raise CliNotFound(
            f"{VARIABLE} names {line(path)}, which is another program in each folder. Name "
            "it from the root.",
            looked=(str(path),),
        )
    if why := gate.objection(_there(path, VARIABLE)):
        raise CliNotFound(
            f"{VARIABLE} names {line(path)}, which is not run: {why}. Mend that, or, if "
            "you have looked and trust it, name it with the option `command`.",
            looked=(str(path),),
        )
    return path


def _on_path(name: str, env: Mapping[str, str], gate: Gate, by: str) -> Path:
    folders = on_path(env)
    passed: dict[Path, str] = {}
    if found := _first(name, folders, gate, passed):
        return found
    raise CliNotFound(
        f"{by} names {name!r}, and no program of this name that may be run is on PATH: "
        f"{line(os.pathsep.join(map(str, folders)))}\n{_listed(passed)}"
        f"{_words(name)}Give its whole path, or install it with `{_INSTALL}`.",
        looked=tuple(map(str, folders)),
    )


def _there(path: Path, by: str) -> Path:
    """The path if there is a program; else CliNotFound says what there is."""
    if runs(path):
        return path
    if path.is_dir():
        seen, do = "is a folder", "Name the program in it."
    elif path.exists():
        seen, do = "is not executable", f"Make it so: chmod +x {line(path)}"
    else:
        seen, do = "does not exist", f"{_words(path)}Install it with `{_INSTALL}`."
    raise CliNotFound(f"{by} names {line(path)}, which {seen}. {do}", looked=(str(path),))


def _words(name: str | Path) -> str:
    """What to do if a name that leads to no program is several words."""
    words = str(name).split()
    if len(words) < 2:
        return ""
    return (
        "One string is one program, never split at blanks: if this is a program with arguments, "
        f"give a list: {words!r}. "
    )


def _searched(env: Mapping[str, str], home: Path, gate: Gate, places: tuple[str, ...]) -> Path:
    folders = list(dict.fromkeys(_folders(env, home, gate, places)))
    passed: dict[Path, str] = {}
    if found := _first(NAME, folders, gate, passed):
        return found
    if passed:
        said = f"no Gemini CLI that may be run was found. Passed over:\n{_listed(passed)}"
        do = "Mend what is said there; or, if you have looked and trust one,"
    else:
        said, do = "no Gemini CLI was found. ", f"Install it with `{_INSTALL}`, or"
    places_looked = "\n".join(f"  {line(folder)}" for folder in folders)
    raise CliNotFound(
        f"{said}A program named {NAME!r} was looked for in\n{places_looked}\n"
        f"{do} name it with the option `command`"
        + ("." if passed else f" or the variable {VARIABLE}."),
        looked=tuple(map(str, folders)),
    )


def _folders(
    env: Mapping[str, str], home: Path, gate: Gate, places: tuple[str, ...]
) -> Iterator[Path]:
    """Every folder to look in, best first."""
    if env.get("PATH"):
        yield from on_path(env)
    if gate.trust:
        yield from (one / "node_modules" / ".bin" for one in (gate.cwd, *gate.cwd.parents))
    yield from usual(env, home, places)


def _first(name: str, folders: list[Path], gate: Gate, passed: dict[Path, str]) -> Path | None:
    """The first program of a name that may be run; `passed` is told of those before it."""
    for folder in folders:
        path = folder / name
        if not runs(path):
            continue
        why = gate.objection(path)
        if why is None:
            return path
        passed[path] = why
        log.warning("passed over %s: %s", line(path), why)
    return None


def _listed(passed: Mapping[Path, str]) -> str:
    return "".join(f"  {line(path)}: {why}\n" for path, why in passed.items())


def _package(*words: str | Path) -> tuple[str | None, Path | None]:
    """The version and the folder of the package in which the first word lies that lies in one."""
    for word in words:
        try:
            start = Path(word).resolve(strict=True)
        except OSError:  # no file: a flag, say
            continue
        for folder in start.parents:
            try:
                package = json.loads((folder / "package.json").read_text(encoding="utf-8"))
            except (OSError, ValueError):
                continue
            if isinstance(package, dict) and str(package.get("name", "")).endswith("gemini-cli"):
                version = package.get("version")
                return (version if isinstance(version, str) else None), folder
    return None, None


def _told_version(path: Path, env: Mapping[str, str], gate: Gate, home: Path) -> str | None:
    """What the program says to --version, or None.

    It runs in an empty folder, which is also its home: there its traces are left, and no file of
    the folder in which the CLI is to work can say what is run.
    """
    kept = {name: env[name] for name in _FOR_VERSION if name in env}
    with contextlib.suppress(OSError, subprocess.SubprocessError), Folder(temporary(env)) as folder:
        done = subprocess.run(
            [path, "--version"],
            env={
                **with_node(kept, path, gate, home),
                "GEMINI_CLI_HOME": str(folder),
                "TMPDIR": str(folder),
            },
            cwd=folder,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=VERSION_DEADLINE,
        )
        found = re.search(rb"\b\d+\.\d+\.\d+[\w.+-]*", done.stdout)
        if done.returncode == 0 and found:
            return found[0].decode()
    return None
