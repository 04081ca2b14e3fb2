"""The folders in which programs are looked for, and the parts of a search path that are one.

Rule: a folder is named from the root. What is relative or empty means the folder in which the CLI
works, and that may be a stranger's.
"""

import glob
import os
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

#: Where installers put programs, below the home folder or from the root. Of several matches the
#: newest version counts.
PLACES: Final = (
    "~/.npm-global/bin",
    "~/.local/bin",
    "~/.nvm/versions/node/*/bin",
    "~/.local/share/mise/installs/node/*/bin",
    "~/.local/share/mise/installs/npm-google-gemini-cli/*/bin",
    "~/.local/share/mise/shims",
    "~/.volta/tools/image/packages/@google/gemini-cli/bin",
    "~/.volta/tools/image/node/*/bin",
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
#: Variables that name the folder of an installer, and where programs are below it.
_INSTALLERS: Final = (
    ("NPM_CONFIG_PREFIX", "bin"),
    ("npm_config_prefix", "bin"),
    ("NVM_DIR", "versions/node/*/bin"),
    ("VOLTA_HOME", "tools/image/packages/@google/gemini-cli/bin"),
    ("VOLTA_HOME", "tools/image/node/*/bin"),
    ("VOLTA_HOME", "bin"),
    ("PNPM_HOME", ""),
)


def whole(path: str | None) -> str:
    """A search path without its relative and empty entries."""
    return os.pathsep.join(part for part in (path or "").split(os.pathsep) if part.startswith("/"))


def on_path(env: Mapping[str, str]) -> list[Path]:
    """The folders on PATH; the system's own if there is no PATH."""
    return [Path(part) for part in whole(env.get("PATH") or os.defpath).split(os.pathsep) if part]


def usual(env: Mapping[str, str], home: Path, places: tuple[str, ...] = PLACES) -> Iterator[Path]:
    """Where installers put programs, whatever PATH says."""
    for name, below in _INSTALLERS:
        if env.get(name, "").startswith("/"):
            yield from _newest_first(os.path.join(glob.escape(env[name]), below))  # noqa: PTH118
    for place in places:
        yield from _newest_first(place.replace("~", glob.escape(str(home)), 1))


def runs(path: Path) -> bool:
    """Whether it is a program that we may execute."""
    return path.is_file() and os.access(path, os.X_OK)


def _newest_first(pattern: str) -> list[Path]:
    """The folders that fit; one that does not exist is named too if it is no pattern."""
    if not glob.has_magic(pattern):
        return [Path(pattern)]
    found = glob.glob(pattern)  # noqa: PTH207 - the pattern is absolute
    return [Path(name) for name in sorted(found, key=_numbers, reverse=True)] or [Path(pattern)]


def _numbers(name: str) -> tuple[int, ...]:
    """The version numbers in a path, so that v22 comes before v9."""
    return tuple(int(part) for part in re.findall(r"\d+", name))
