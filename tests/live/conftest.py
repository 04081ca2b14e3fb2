"""What live tests stand in: a user's home, a project, a folder for temporary files, a model.

After each module the home must be as it was, and no file and no process may be left.
"""

import hashlib
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from geminipty.session import GeminiSession

from .models import Model

#: What would lead the CLI, or us, elsewhere.
ELSEWHERE = ("GEMINI_", "GOOGLE_", "CLOUD_SHELL")
KEPT = "GEMINIPTY_"


@dataclass(frozen=True)
class Surroundings:
    """The machine as a user has it."""

    home: Path
    project: Path
    temporary: Path

    def fingerprint(self) -> dict[str, str]:
        """Every entry of the user's home, with its content."""
        return {
            str(path): hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else "-"
            for path in sorted(self.home.rglob("*"))
        }

    def left(self) -> list[str]:
        """Files that were not removed, processes that still run or were not waited for."""
        files = [str(path) for path in self.temporary.iterdir()]
        return [*files, *running(str(self.temporary)), *children()]

    def fresh(self, name: str) -> Path:
        """A new folder to work in."""
        folder = self.project.parent / name
        folder.mkdir()
        return folder


def running(mark: str) -> Iterator[str]:
    """The processes that have a text in their environment, other than this one."""
    for process in Path("/proc").glob("[0-9]*"):
        try:
            found = mark.encode() in (process / "environ").read_bytes()
            if found and process.name != str(os.getpid()):
                yield f"{process.name} {(process / 'cmdline').read_bytes()!r:.80}"
        except OSError:
            continue  # it has ended, or is somebody else's


def children() -> Iterator[str]:
    """The processes of which this one is the parent."""
    for task in Path("/proc/self/task").iterdir():
        yield from (task / "children").read_text().split()


@pytest.fixture(scope="module", autouse=True)
def surroundings(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Surroundings]:
    """A home, a project and a temporary folder of the module's own; nothing is left at its end."""
    folder = tmp_path_factory.mktemp("live")
    here = Surroundings(folder / "user", folder / "project", folder / "temporary")
    for one in (here.home / ".gemini", here.project, here.temporary):
        one.mkdir(parents=True)
    (here.home / ".gemini" / "settings.json").write_text('{"ui": {"theme": "GitHub"}}\n')
    before = here.fingerprint()
    with pytest.MonkeyPatch.context() as patch:
        for name in os.environ:
            if name.startswith(ELSEWHERE) and not name.startswith(KEPT):
                patch.delenv(name)
        patch.setenv("HOME", str(here.home))
        patch.setenv("TMPDIR", str(here.temporary))
        yield here
    assert here.fingerprint() == before
    assert here.left() == []


@pytest.fixture(scope="module")
def project(surroundings: Surroundings) -> Path:
    """The folder in which the CLI works."""
    return surroundings.project


@pytest.fixture(scope="module")
def model() -> Iterator[Model]:
    """The model that the module's sessions talk to."""
    with Model() as model:
        yield model


@pytest.fixture(scope="module")
def asking(model: Model, project: Path) -> Iterator[GeminiSession]:
    """A session that several tests share and that hands dialogs to its caller."""
    with GeminiSession(**model.options(project)) as session:
        yield session
