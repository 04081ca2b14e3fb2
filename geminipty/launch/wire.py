"""Whether the CLI can be asked for a wire log: its hidden flag `--record-responses`.

Rule: a CLI that may not know the flag is not given it, for it would not start. What --help hides
is looked for in the files of a release that nobody has measured.
"""

import re
from collections.abc import Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import Final

from geminipty.options import Options

from .find import Cli
from .releases import MEASURED, WIRE_LOG

WIRE_FLAG: Final = "--record-responses"
#: How the flag stands where the CLI names its flags to its parser.
_DECLARED: Final = re.compile(rb"""["'`]record-responses["'`]""")
#: Where the programs of a package lie, and how much of them is read: 0.61 has 72 MB of them, and
#: names its flags in the files of 640 kB.
_PROGRAMS: Final = ("bundle", "dist")
_FILE_BYTES: Final = 8 << 20
_ALL_BYTES: Final = 64 << 20
_FILES: Final = 5_000


def writes_wire_log(options: Options, cli: Cli, env: Mapping[str, str]) -> bool:
    """Whether the CLI is to be told to write one: it surely knows the flag, and can write there.

    Not if the caller uses the flag, and not in a sandbox, which may see other folders or be
    another user.
    """
    if any(word.partition("=")[0] == WIRE_FLAG for word in options.extra_args):
        return False
    if options.sandbox not in (None, False) or (
        options.sandbox is None and env.get("GEMINI_SANDBOX", "") not in ("", "0", "false")
    ):
        return False
    if cli.release is not None and cli.release <= MEASURED:
        return cli.release >= WIRE_LOG
    return cli.package is not None and _declares(cli.package)


def _declares(package: Path) -> bool:
    """Whether a program of the package declares the flag."""
    left = _ALL_BYTES
    for path in _programs(package):
        try:
            with path.open("rb") as file:
                text = file.read(min(_FILE_BYTES, left))
        except OSError:
            continue
        left -= len(text)
        if _DECLARED.search(text):
            return True
        if left <= 0:
            break
    return False


def _programs(package: Path) -> Iterator[Path]:
    """The package's own programs, those that speak of flags first; not what it depends on."""
    found: list[Path] = []
    for name in _PROGRAMS:
        paths = islice((package / name).rglob("*.js"), _FILES)
        found += (path for path in paths if "node_modules" not in path.relative_to(package).parts)
    speaks = ("gemini", "config")
    yield from sorted(found, key=lambda path: (not path.name.startswith(speaks), path))
