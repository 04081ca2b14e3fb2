"""Makes an environment in which the CLI draws the same screen wherever it is started.

Rule: what the caller's own environment says about its terminal, its editor or its CI is not true
of ours and goes, and so does what would make the CLI run code of its folder; what the caller names
in `env` stays, except what would leave no screen at all.
"""

import os
import pwd
import re
import shlex
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from .places import whole
from .releases import DRAWS_WITH_CI_NAMES, Release, has

#: With one of these the CLI draws nothing (exit status 42, or a screen only at its end). They go
#: even if `env` names them: the caller would get no session.
NO_SCREEN: Final = frozenset({"CI", "CONTINUOUS_INTEGRATION", "GITHUB_ACTIONS"})

#: What each of the others changes. A name that ends in `*` stands for all that begin like it.
SCRUBBED: Final[Mapping[str, str]] = {
    "NO_COLOR": "no colours, other borders",
    "FORCE_COLOR": "other colours",
    "NODE_DISABLE_COLORS": "no colours",
    "TF_BUILD": "16 colours, inside Azure's CI",
    "TEAMCITY_VERSION": "16 colours, inside TeamCity",
    "COLUMNS": "the size of another terminal",
    "LINES": "the size of another terminal",
    "TMUX*": "a warning; sequences wrapped for tmux",
    "STY": "sequences wrapped for screen",
    "SHPOOL_SESSION_NAME": "redraws for shpool",
    "WT_SESSION": "taken for Windows Terminal",
    "TERM_PROGRAM*": "questions about the editor and its keys",
    "TERM_PRODUCT": "taken for an editor's terminal",
    "TERMINAL_EMULATOR": "taken for JetBrains",
    "VSCODE_*": "taken for VS Code; its debugger attaches",
    "CURSOR_TRACE_ID": "taken for Cursor",
    "ZED_*": "taken for Zed",
    "POSITRON": "taken for Positron",
    "REPLIT_USER": "taken for Replit",
    "MONOSPACE_ENV": "taken for Firebase Studio",
    "EDITOR_IN_CLOUD_SHELL": "taken for Cloud Shell's editor",
    "__COG_BASHRC_SOURCED": "taken for Devin",
    "ANTIGRAVITY_CLI_ALIAS": "taken for Antigravity",
    "GEMINI_CLI_IDE_*": "connects to an editor, which then shows the dialogs",
    "DEBUG": "debug output on the screen; waits for a debugger",
    "DEBUG_MODE": "debug output on the screen",
    "DEV": "looks for React's developer tools",
    "NODE_ENV": "developer features on the screen",
    "VITEST": "believes to be under test",
    "GEMINI_CLI_INTEGRATION_TEST": "believes to be under test",
    "GEMINI_CLI_WORKTREE_HANDLED": "set by a CLI for its own child",
    "GEMINI_CLI_TRUST_WORKSPACE": "trusts the folder: the option `trust` says that",
    "GEMINI_SYSTEM_MD": "another system prompt: the option `system_prompt` says that",
    "GEMINI_WRITE_SYSTEM_MD": "writes the system prompt to a file",
}

#: Search paths from which node, or the system for it, loads code. A relative or empty entry means
#: the folder in which the CLI works. PATH is made by `with_node`.
_SEARCHED: Final = ("NODE_PATH", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH")
#: Files that are loaded by node, the system or a shell, with what may stand between several.
_LOADED: Final = {
    **dict.fromkeys(("LD_PRELOAD", "LD_AUDIT", "DYLD_INSERT_LIBRARIES"), re.compile("[: ]")),
    **dict.fromkeys(("OPENSSL_CONF", "BASH_ENV", "ENV"), None),
}
#: Flags in NODE_OPTIONS that load a file or a module; a name that is no path is looked for in the
#: node_modules of the CLI's folder.
_LOADERS: Final = frozenset(
    {
        *("-r", "--require", "--import", "--loader", "--experimental-loader"),
        *("--env-file", "--env-file-if-exists", "--experimental-config-file"),
        *("--experimental-default-config-file", "--openssl-config"),
    }
)
#: Those with which somebody else on this machine could steer the CLI, or that wait for somebody.
_DEBUGGERS: Final = ("--inspect", "--debug")

#: What the CLI may rely on in our terminal, unless `env` says otherwise.
GIVEN: Final[Mapping[str, str]] = {
    "TERM": "xterm-256color",
    "COLORTERM": "truecolor",
    # One process instead of two: it starts 0.6 s sooner and ends when its terminal does.
    "GEMINI_CLI_NO_RELAUNCH": "true",
    # Before 0.25 the check for updates leaves a file in ~/.config.
    "NO_UPDATE_NOTIFIER": "1",
}


def fit(
    environ: Mapping[str, str], chosen: Mapping[str, str], cli: Release | None
) -> dict[str, str]:
    """The caller's environment made fit, with `chosen` laid over it."""
    env = {name: value for name, value in environ.items() if not _is_scrubbed(name)}
    _speak_utf8(env)
    _load_nothing_of_the_folder(env)
    env |= GIVEN
    env |= chosen
    for name in list(env):
        # Before 0.8 any name that begins so keeps the CLI from drawing: GitLab sets dozens.
        if name in NO_SCREEN or (name.startswith("CI_") and not has(cli, DRAWS_WITH_CI_NAMES)):
            del env[name]
    return env


def _load_nothing_of_the_folder(env: dict[str, str]) -> None:
    """Take out what would make node load code from the folder in which the CLI is to work."""
    for name in _SEARCHED:
        if name in env and (kept := whole(env.pop(name))):
            env[name] = kept
    for name, between in _LOADED.items():
        if name in env:
            files = between.split(env[name]) if between else [env[name]]
            if not all(file.startswith("/") for file in files if file):
                del env[name]
    if "NODE_OPTIONS" in env and (said := _harmless(env.pop("NODE_OPTIONS"))):
        env["NODE_OPTIONS"] = said


def _harmless(flags: str) -> str:
    """NODE_OPTIONS without debuggers and without what is loaded from a relative place.

    Node takes a blank between a flag and its value, and quotes as a shell does.
    """
    try:
        words = shlex.split(flags)
    except ValueError:
        return ""  # node would not start with it
    kept: list[str] = []
    while words:
        name, equals, value = words.pop(0).partition("=")
        flag = [name] if not equals else [f"{name}={value}"]
        name = name.replace("_", "-")  # to node they are the same
        if name in _LOADERS:
            if not equals and words and not words[0].startswith("-"):
                value = words.pop(0)
                flag.append(value)
            if not value.startswith(("/", "file:///")):
                continue
        elif name.startswith(_DEBUGGERS):
            continue
        kept += flag
    return " ".join(_quoted(word) for word in kept)


def _quoted(word: str) -> str:
    plain = word.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{plain}"' if " " in word or plain != word else word


def runs_in_ci(environ: Mapping[str, str]) -> bool:
    """Whether the caller runs in CI, where nobody waits for ten attempts."""
    return any(environ.get(name, "") not in ("", "0", "false") for name in NO_SCREEN)


def home_of(env: Mapping[str, str]) -> Path | None:
    """The user's home, or None for a user who has none: a container with a made-up uid."""
    if env.get("HOME"):
        return Path(env["HOME"])
    try:
        return Path(pwd.getpwuid(os.getuid()).pw_dir)
    except KeyError:
        return None


def _is_scrubbed(name: str) -> bool:
    return name in SCRUBBED or any(
        name.startswith(prefix[:-1]) for prefix in SCRUBBED if prefix.endswith("*")
    )


def _speak_utf8(env: dict[str, str]) -> None:
    """Under cron the locale is C, and the tools that the CLI runs would write question marks."""
    locale = env.get("LC_ALL") or env.get("LC_CTYPE") or env.get("LANG") or ""
    if "utf-8" in locale.lower() or "utf8" in locale.lower():
        return
    env.pop("LC_ALL", None)
    env.pop("LC_CTYPE", None)
    env["LANG"] = "C.UTF-8"
