"""Finds the CLI and its version.

Rule: nothing is started to find it. A version is read from the package beside the program; only a
program that was found by search and has no package is asked, once and with a deadline.
"""

import contextlib
import glob
import json
import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from geminipty.errors import CliError, CliNotFound
from geminipty.visible import line

from .releases import Release

NAME: Final = "gemini"
#: Names the CLI for all programs of a user; geminipty's own, the CLI does not read it.
VARIABLE: Final = "GEMINI_CLI_PATH"
#: How long a program may take to say its version; 0.61 takes about a second.
VERSION_DEADLINE: Final = 15.0

#: Where installers put programs, below the home folder or from the root. Of several matches the
#: newest version counts.
PLACES: Final = (
    "~/.npm-global/bin",
    "~/.local/bin",
    "~/.nvm/versions/node/*/bin",
    "~/.local/share/mise/installs/node/*/bin",
    "~/.local/share/mise/installs/npm-google-gemini-cli/*/bin",
    "~/.local/share/mise/shims",
    "~/.volta/bin",
    "~/.local/share/fnm/node-versions/*/installation/bin",
    "~/.fnm/node-versions/*/installation/bin",
    "~/Library/Application Support/fnm/node-versions/*/installation/bin",
    "~/.asdf/installs/nodejs/*/bin",
    "~/.local/share/pnpm",
    "~/Library/pnpm",
    "~/.bun/bin",
    "~/.yarn/bin",
    "/opt/homebrew/bin",
    "/home/linuxbrew/.linuxbrew/bin",
    "/usr/local/bin",
    "/usr/bin",
)


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
    cwd: Path,
    places: tuple[str, ...] = PLACES,
) -> Cli:
    """Return the CLI that `command` names, or else the first that is found.

    Raises CliNotFound with the places where it was looked for.
    """
    if command is not None:
        path = _named(command[0], env, "the option `command`")
        return Cli((str(path), *command[1:]), path, *_package(path, *command[1:]))
    if named := env.get(VARIABLE):
        path = _named(os.path.expanduser(named), env, VARIABLE)  # noqa: PTH111 - keeps "gemini"
        return _alone(path, env)
    looked: list[str] = []
    for folder in _folders(env, home, cwd, places):
        looked.append(str(folder))
        path = folder / NAME
        if _runs(path):
            return _alone(path, env)
    listed = "\n".join(f"  {line(place)}" for place in looked)
    raise CliNotFound(
        f"no Gemini CLI was found; a program named {NAME!r} was looked for in\n{listed}\n"
        f"Install it with `npm install -g @google/gemini-cli`, or name it with the option "
        f"`command` or the variable {VARIABLE}.",
        looked=tuple(looked),
    )


def _alone(path: Path, env: Mapping[str, str]) -> Cli:
    """A program without arguments, which may be asked for its version."""
    version, package = _package(path)
    return Cli((str(path),), path, version or _told_version(path, env), package)


def _named(name: str, env: Mapping[str, str], by: str) -> Path:
    """The program that somebody named: a path, or a name to be found on PATH."""
    if os.sep not in name:
        found = shutil.which(name, path=env.get("PATH", os.defpath))
        if found:
            return Path(found)
        looked = tuple(part for part in env.get("PATH", os.defpath).split(os.pathsep) if part)
        raise CliNotFound(
            f"{by} names {name!r}, and no program of this name is on PATH: "
            f"{line(os.pathsep.join(looked))}\nGive its whole path, or install it with "
            "`npm install -g @google/gemini-cli`.",
            looked=looked,
        )
    path = Path(os.path.abspath(name))  # noqa: PTH100 - a link keeps its name: shims go by it
    if _runs(path):
        return path
    if path.is_dir():
        seen, do = "is a folder", "Name the program in it."
    elif path.exists():
        seen, do = "is not executable", f"Make it so: chmod +x {line(path)}"
    else:
        seen, do = "does not exist", "Install it with `npm install -g @google/gemini-cli`."
    raise CliNotFound(f"{by} names {line(path)}, which {seen}. {do}", looked=(str(path),))


def _runs(path: Path) -> bool:
    return path.is_file() and os.access(path, os.X_OK)


def _folders(
    env: Mapping[str, str], home: Path, cwd: Path, places: tuple[str, ...]
) -> Iterator[Path]:
    """Every folder to look in, best first, each once."""
    seen: set[Path] = set()
    for folder in _all_folders(env, home, cwd, places):
        if folder not in seen:
            seen.add(folder)
            yield folder


def _all_folders(
    env: Mapping[str, str], home: Path, cwd: Path, places: tuple[str, ...]
) -> Iterator[Path]:
    yield from (Path(part) for part in env.get("PATH", "").split(os.pathsep) if part)
    yield from (folder / "node_modules" / ".bin" for folder in (cwd, *cwd.parents))
    for name, below in (("NPM_CONFIG_PREFIX", "bin"), ("npm_config_prefix", "bin")):
        if env.get(name):
            yield Path(env[name], below)
    for name, below in (
        ("NVM_DIR", "versions/node/*/bin"),
        ("VOLTA_HOME", "bin"),
        ("PNPM_HOME", ""),
    ):
        if env.get(name):
            yield from _newest_first(os.path.join(glob.escape(env[name]), below))  # noqa: PTH118
    for place in places:
        yield from _newest_first(place.replace("~", glob.escape(str(home)), 1))


def _newest_first(pattern: str) -> list[Path]:
    """The folders that fit; one that does not exist is named too if it is no pattern."""
    if not glob.has_magic(pattern):
        return [Path(pattern)]
    found = glob.glob(pattern)  # noqa: PTH207 - the pattern is absolute
    return [Path(name) for name in sorted(found, key=_numbers, reverse=True)] or [Path(pattern)]


def _numbers(name: str) -> tuple[int, ...]:
    """The version numbers in a path, so that v22 comes before v9."""
    return tuple(int(part) for part in re.findall(r"\d+", name))


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


def _told_version(path: Path, env: Mapping[str, str]) -> str | None:
    """What the program says to --version, or None; it gets an empty home to leave its traces in."""
    with (
        contextlib.suppress(OSError, subprocess.SubprocessError),
        tempfile.TemporaryDirectory(prefix="geminipty-", ignore_cleanup_errors=True) as folder,
    ):
        done = subprocess.run(
            [path, "--version"],
            env={**with_node(env, path), "GEMINI_CLI_HOME": folder, "TMPDIR": folder},
            cwd=folder,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=VERSION_DEADLINE,
        )
        found = re.search(rb"\b\d+\.\d+\.\d+[\w.+-]*", done.stdout)
        if done.returncode == 0 and found:
            return found[0].decode()
    return None


def with_node(
    env: Mapping[str, str], path: Path, places: tuple[str, ...] = PLACES
) -> dict[str, str]:
    """The environment with a PATH on which the program finds its node.

    cron and services start with a PATH of two folders, and nvm's node is in none of them. Raises
    CliError if the program is a node script and there is no node.
    """
    search = env.get("PATH") or os.defpath
    kept = {**env, "PATH": search}
    if shutil.which("node", path=search) or not _is_node_script(path):
        return kept
    beside = (path.parent, *(folder / "bin" for folder in path.resolve().parents[:-1]))
    usual = (Path(place) for place in places if place.startswith("/"))
    for folder in (*beside, *usual):
        if _runs(folder / "node"):
            return {**kept, "PATH": f"{folder}{os.pathsep}{search}"}
    raise CliError(
        f"the CLI was found at {line(path)}, but not the program `node` that runs it: it is "
        f"neither beside the CLI nor on PATH ({line(search)}). Install Node.js, or put its folder "
        "on PATH with the option `env`."
    )


def _is_node_script(path: Path) -> bool:
    try:
        with path.open("rb") as file:
            return bool(re.match(rb"#!\s*\S*env\s+(-S\s+)?node\b", file.read(200)))
    except OSError:
        return False
