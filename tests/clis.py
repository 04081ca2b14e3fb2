"""Releases of the Gemini CLI for the live tests, installed from npm on first use.

Rule: a release is there whole or not at all. It is installed beside its place and moved there when
npm has ended well, by one process at a time. `python -m tests.clis 0.61.0 0.34.0` installs some.
"""

import fcntl
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

PACKAGE = "@google/gemini-cli"
#: npm runs in what the tests were started in, not in the home that a test has made.
ENVIRONMENT = dict(os.environ)
#: How long npm may take for one release.
SECONDS = 300


class InstallError(Exception):
    """npm could not install a release; the message has what npm said."""


def cli(version: str) -> Path:
    """The executable of a release, installed if it is not there yet; raises InstallError."""
    place = folder() / version
    program = place / "node_modules" / ".bin" / "gemini"
    if program.exists():
        return program
    folder().mkdir(parents=True, exist_ok=True)
    with _alone(version):
        if not program.exists():
            _install(version, place)
    if not program.exists():
        raise InstallError(f"{PACKAGE}@{version} has no program at {program}")
    return program


def folder() -> Path:
    """Where releases are kept: GEMINIPTY_CLIS, or .cache/clis of the repository."""
    chosen = os.environ.get("GEMINIPTY_CLIS")
    return Path(chosen) if chosen else Path(__file__).parent.parent / ".cache" / "clis"


def _install(version: str, place: Path) -> None:
    npm = shutil.which("npm", path=ENVIRONMENT.get("PATH"))
    if npm is None:
        raise InstallError("npm is not on PATH; the live tests need Node.js 20 or later with npm")
    made = Path(tempfile.mkdtemp(prefix=f".{version}-", dir=place.parent))
    try:
        flags = ["--ignore-scripts", "--no-audit", "--no-fund"]
        done = subprocess.run(
            [npm, "install", "--prefix", str(made), *flags, f"{PACKAGE}@{version}"],
            env=ENVIRONMENT,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=SECONDS,
            check=False,
        )
        if done.returncode:
            raise InstallError(f"npm could not install {PACKAGE}@{version}:\n{done.stdout}")
        made.chmod(0o755)
        shutil.rmtree(place, ignore_errors=True)  # what is there has no program
        made.rename(place)
    finally:
        shutil.rmtree(made, ignore_errors=True)


@contextmanager
def _alone(version: str) -> Iterator[None]:
    """Wait for any other process that installs the same release."""
    with (folder() / f".{version}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def main(versions: list[str]) -> int:
    """Install the releases named, and say where each is."""
    for number, version in enumerate(versions, 1):
        print(f"[{number}/{len(versions)}] {version} ", end="", flush=True)
        try:
            print(cli(version))
        except InstallError as failed:
            print(f"failed\n{failed}")
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
