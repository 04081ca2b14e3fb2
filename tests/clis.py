"""Releases of the Gemini CLI for the live tests, installed from npm on first use.

`python -m tests.clis 0.61.0 0.34.0` installs some, and without a name all that the tests use.
"""

import os
import sys
from pathlib import Path

from geminipty.errors import CliError
from geminipty.stories.releases import install

#: npm runs in what the tests were started in, not in the home that a test has made.
ENVIRONMENT = dict(os.environ)
FOLDER = Path(ENVIRONMENT.get("GEMINIPTY_CLIS") or Path(__file__).parent.parent / ".cache" / "clis")


#: The releases that the live tests name.
USED = (
    *("0.1.5", "0.6.1", "0.12.0", "0.15.4", "0.24.5", "0.30.1", "0.34.0", "0.40.1", "0.47.0"),
    *("0.51.0", "0.61.0"),
)


def cli(version: str) -> Path:
    """The executable of a release, installed if it is not there yet."""
    return install(version, FOLDER, ENVIRONMENT)


def main(versions: list[str]) -> int:
    """Install the releases named, or all that are used, and say where each is."""
    versions = versions or [*USED]
    for number, version in enumerate(versions, 1):
        print(f"[{number}/{len(versions)}] {version} ", end="", flush=True)
        try:
            print(cli(version))
        except CliError as failed:
            print(f"failed\n{failed}")
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
