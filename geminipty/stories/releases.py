"""Releases of the Gemini CLI side by side in one folder, installed from npm on first use.

Rule: a release is there whole or not at all. It is installed beside its place and moved there when
npm has ended well, by one process at a time.
"""

import fcntl
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from geminipty.errors import CliError

PACKAGE: Final = "@google/gemini-cli"
#: How long npm may take for one release.
SECONDS: Final = 300


def folder_of_clis(environ: Mapping[str, str] = os.environ) -> Path:
    """Where releases are kept: GEMINIPTY_CLIS, or .cache/clis below the current folder."""
    return Path(environ.get("GEMINIPTY_CLIS") or Path(".cache") / "clis").absolute()


def program_of(version: str, folder: Path) -> Path:
    """The executable of a release, whether or not it is there."""
    return folder / version / "node_modules" / ".bin" / "gemini"


def install(version: str, folder: Path, environ: Mapping[str, str] = os.environ) -> Path:
    """The executable of a release, installed if it is not there yet.

    npm runs in `environ`. Raises CliError with what npm said.
    """
    program = program_of(version, folder)
    if program.exists():
        return program
    folder.mkdir(parents=True, exist_ok=True)
    with _alone(version, folder):
        if not program.exists():
            _run_npm(version, folder / version, environ)
    if not program.exists():
        raise CliError(f"{PACKAGE}@{version} has no program at {program}. Choose another release.")
    return program


def _run_npm(version: str, place: Path, environ: Mapping[str, str]) -> None:
    npm = shutil.which("npm", path=environ.get("PATH"))
    if npm is None:
        raise CliError("npm is not on PATH. Install Node.js 20 or later with npm.")
    made = Path(tempfile.mkdtemp(prefix=f".{version}-", dir=place.parent))
    try:
        flags = ["--ignore-scripts", "--no-audit", "--no-fund"]
        done = subprocess.run(
            [npm, "install", "--prefix", str(made), *flags, f"{PACKAGE}@{version}"],
            env=dict(environ),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=SECONDS,
            check=False,
        )
        if done.returncode:
            raise CliError(f"npm could not install {PACKAGE}@{version}:\n{done.stdout}")
        made.chmod(0o755)
        shutil.rmtree(place, ignore_errors=True)  # what is there has no program
        made.rename(place)
    except subprocess.TimeoutExpired:
        raise CliError(
            f"npm did not install {PACKAGE}@{version} within {SECONDS} s. Try again."
        ) from None
    finally:
        shutil.rmtree(made, ignore_errors=True)


@contextmanager
def _alone(version: str, folder: Path) -> Iterator[None]:
    """Wait for any other process that installs the same release."""
    with (folder / f".{version}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
