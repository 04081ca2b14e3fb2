"""The PATH of a session, on which its CLI finds its node.

Rule: `node` on that PATH is a program that may be run, or there is none.
"""

import os
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from geminipty.errors import CliError
from geminipty.visible import line

from .places import PLACES, on_path, runs, usual
from .strangers import Gate

_NODE: Final = "node"


def with_node(
    env: Mapping[str, str],
    program: Path,
    gate: Gate,
    home: Path,
    places: tuple[str, ...] = PLACES,
) -> dict[str, str]:
    """The environment with a PATH on which the program finds a node that may be run.

    cron and services start with a PATH of two folders, and nvm's node is in none of them. Raises
    CliError if the program is a node script and there is no node for it.
    """
    folders = on_path(env)
    passed: dict[Path, str] = {}
    if (first := next((one for one in folders if runs(one / _NODE)), None)) is not None:
        why = gate.objection(first / _NODE)
        if why is None:
            return _with_path(env, folders)
        passed[first] = why
    elif not _is_node_script(program):
        return _with_path(env, folders)
    for folder in (*folders, *_beside(program), *usual(env, home, places)):
        if folder not in passed and runs(folder / _NODE):
            why = gate.objection(folder / _NODE)
            if why is None:
                return _with_path(env, [folder, *folders])
            passed[folder] = why
    if _is_node_script(program):
        raise CliError(_no_node(program, folders, passed))
    return _with_path(env, [one for one in folders if one not in passed])


def _with_path(env: Mapping[str, str], folders: list[Path]) -> dict[str, str]:
    return {**env, "PATH": os.pathsep.join(map(str, folders))}


def _beside(program: Path) -> Iterator[Path]:
    yield program.parent
    yield from (folder / "bin" for folder in program.resolve().parents[:-1])


def _no_node(program: Path, folders: list[Path], passed: dict[Path, str]) -> str:
    path = line(os.pathsep.join(map(str, folders)))
    said = (
        f"the CLI was found at {line(program)}, but not the program `node` that runs it: it is "
        f"neither beside the CLI nor on PATH ({path}). Install Node.js, or put its folder on PATH "
        "with the option `env`."
    )
    if not passed:
        return said
    listed = "\n".join(f"  {line(folder / _NODE)}: {why}" for folder, why in passed.items())
    return (
        f"the CLI was found at {line(program)}, but no program `node` that may run it:\n{listed}\n"
        "Mend what is said there, or, if you have looked and trust it, name both: "
        "command=['/path/to/node', '/path/to/gemini']."
    )


def _is_node_script(program: Path) -> bool:
    try:
        with program.open("rb") as file:
            return bool(re.match(rb"#!\s*\S*env\s+(-S\s+)?node\b", file.read(200)))
    except OSError:
        return False
