"""Makes a home for one run of the CLI, so that a session leaves no trace in the user's.

Rule: the user's files are only read. What the CLI writes in place is copied, what is too big for
that or must stay one file (credentials, which are renewed) is linked, and what belongs to other
sessions is left out.
"""

import hashlib
import json
import os
import shutil
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

from geminipty.errors import CliError, UsageError
from geminipty.visible import line

from .jsonc import parse

#: The CLI's folder in a home.
GEMINI: Final = ".gemini"
SETTINGS: Final = "settings.json"
TRUSTED: Final = "trustedFolders.json"
REGISTRY: Final = "projects.json"

#: Left out: ours, or the chats and locks of other sessions.
LEFT_OUT: Final = frozenset({SETTINGS, f"{SETTINGS}.orig", REGISTRY, "tmp", "history"})
#: Linked although they are small: the CLI renews them, and a renewed token must not be lost.
CREDENTIALS: Final = frozenset(
    {
        "oauth_creds.json",
        "gemini-credentials.json",
        "google_accounts.json",
        "mcp-oauth-tokens.json",
        "mcp-oauth-tokens-v2.json",
        "a2a-oauth-tokens.json",
    }
)
#: Folders that the CLI writes into: rules saved by "allow always", agents that were confirmed.
COPIED_FOLDERS: Final = frozenset({"policies", "acknowledgments"})
#: What else the CLI reads in a home, beside `.gemini`.
BESIDE: Final = (".agents", ".env")
#: A file that is bigger is linked.
MAX_COPY: Final = 1 << 20


def read_settings(gemini: Path) -> dict[str, Any]:
    """The user's settings; {} if there are none. Raises CliError if they cannot be read."""
    return _read_object(gemini / SETTINGS)


def known_settings(gemini: Path) -> dict[str, Any]:
    """The settings of a folder as far as they can be read, whatever is wrong with them."""
    try:
        return read_settings(gemini)
    except CliError:
        return {}


def _read_object(path: Path) -> dict[str, Any]:
    way_out = "Mend it, or take the user's home as it is with home='user'."
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return {}
    except (OSError, UnicodeDecodeError) as error:
        raise CliError(f"the CLI's file {line(path)} cannot be read: {error}. {way_out}") from error
    try:
        value = parse(text) if text.strip() else {}
    except (ValueError, RecursionError) as error:
        raise CliError(f"the CLI's file {line(path)} is not JSON: {error}. {way_out}") from error
    if not isinstance(value, dict):
        kind = type(value).__name__
        raise CliError(f"the CLI's file {line(path)} holds a {kind}, not an object. {way_out}")
    return value


def furnish(home: Path, user: Path | None, settings: dict[str, Any], *, whole: bool) -> Path:
    """Fill a private home from the user's and return its `.gemini`.

    `whole`: the home will be HOME itself, so every other entry of the user's is linked and tools
    still find their files.
    """
    gemini = home / GEMINI
    gemini.mkdir(mode=0o700, parents=True)
    if user is not None:
        others = _entries(user) if whole else [user / name for name in BESIDE]
        for entry in others:
            if entry.name != GEMINI and os.path.lexists(entry):
                _link(entry, home / entry.name)
        for entry in _entries(user / GEMINI):
            _take(entry, gemini / entry.name)
        # Programs that the CLI has downloaded for itself, such as ripgrep.
        programs = user / GEMINI / "tmp" / "bin"
        if programs.is_dir():
            (gemini / "tmp").mkdir(mode=0o700)
            _link(programs, gemini / "tmp" / "bin")
    write(gemini / SETTINGS, json.dumps(settings, indent=2))
    return gemini


def bring_chats(gemini: Path, user: Path | None, cwd: Path) -> None:
    """Copy the chats of a folder, so that one can be resumed; the user's stay as they are.

    Raises UsageError if the folder has none.
    """
    old = user / GEMINI if user is not None else gemini
    registry = _read_object(old / REGISTRY).get("projects")
    slug = registry.get(str(cwd)) if isinstance(registry, dict) else None
    digest = hashlib.sha256(str(cwd).encode()).hexdigest()  # its name up to 0.28
    names = [name for name in (slug, digest) if isinstance(name, str)]
    found = [name for name in names if (old / "tmp" / name / "chats").is_dir()]
    if not found or user is None:
        raise UsageError(
            f"resume: no chat of the folder {line(cwd)} was found below "
            f"{line(old / 'tmp')}. Leave `resume` out, or set `cwd` to the folder of the chat."
        )
    for name in found:
        shutil.copytree(old / "tmp" / name / "chats", gemini / "tmp" / name / "chats")
        marker = old / "tmp" / name / ".project_root"
        if marker.is_file():
            shutil.copyfile(marker, gemini / "tmp" / name / ".project_root")
    if slug is not None:
        write(gemini / REGISTRY, json.dumps({"projects": {str(cwd): slug}}))


def trusted_folders(path: Path, cwd: Path) -> str:
    """The text of a file of trusted folders: the user's, with one more."""
    return json.dumps({**_read_object(path), str(cwd): "TRUST_FOLDER"})


def write(path: Path, text: str) -> None:
    """Write a file that only its owner can read."""
    with os.fdopen(
        os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8"
    ) as file:
        file.write(text)


def _entries(folder: Path) -> Iterable[Path]:
    try:
        return sorted(folder.iterdir())
    except (FileNotFoundError, NotADirectoryError, PermissionError):
        return []  # a user without a home, or with one that cannot be listed


def _take(entry: Path, to: Path) -> None:
    """Copy or link one entry of the user's `.gemini`, or leave it out."""
    if entry.name in LEFT_OUT or entry.name.endswith((".lock", ".tmp")):
        return
    if entry.name in COPIED_FOLDERS and entry.is_dir():
        shutil.copytree(entry, to, symlinks=True)
    elif entry.name not in CREDENTIALS and _is_small_file(entry):
        shutil.copyfile(entry, to)
        to.chmod(0o600)
    else:
        _link(entry, to)


def _is_small_file(entry: Path) -> bool:
    return entry.is_file() and os.access(entry, os.R_OK) and entry.stat().st_size <= MAX_COPY


def _link(entry: Path, to: Path) -> None:
    to.symlink_to(entry.absolute())
