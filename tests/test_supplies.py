"""What comes from others: the versions that CI installs, and the files that we carry along."""

import re
import tomllib
from hashlib import sha256
from importlib.metadata import requires
from pathlib import Path

import geminipty

ROOT = Path(__file__).parent.parent
CONSTRAINTS = ROOT / ".ci" / "constraints.txt"
PINNED = re.compile(r"([A-Za-z0-9_.-]+)==[0-9][0-9A-Za-z.+!]*")
#: The name of a requirement and whether it is for one of the extras or other systems.
REQUIREMENT = re.compile(r"([A-Za-z0-9_.-]+)(?:\[[^]]*\])?[^;]*(;.*)?")

#: The player of exported pages: asciinema-player 3.17.0 as npm has it (`npm pack`), dist/bundle.
PLAYER = {
    "LICENSE": "63422284ed65be54ab38d8a94e7518d27e222fbb26c9ae4cd984c63926e91c12",
    "asciinema-player.css": "f619fe17597043564f03b2c6918b3daf890ee8b912fb408542fba11afade4fdb",
    "asciinema-player.min.js": "a13c37632e1b5c49fe9128417b9319a9b5bc64cb457dd5ae52cbba8a3aceb880",
}
VERSION = "asciinema-player 3.17.0"


def plain(name: str) -> str:
    """A package's name as the registries compare it."""
    return re.sub("[-_.]+", "-", name).lower()


def pinned() -> set[str]:
    """The packages whose versions are fixed."""
    lines = CONSTRAINTS.read_text().splitlines()
    found = [PINNED.fullmatch(line) for line in lines if not line.startswith("#")]
    assert all(found), "each line is a comment or NAME==VERSION"
    return {plain(one[1]) for one in found if one}


def needed(name: str) -> set[str]:
    """What an installed package needs on this system, without its extras."""
    found = [REQUIREMENT.fullmatch(line) for line in requires(name) or []]
    return {plain(one[1]) for one in found if one and one[2] is None}


def test_ci_installs_exact_versions_of_all_that_it_needs() -> None:
    """Everything that `.[dev]` and its build bring in has a line, also what those need."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    own = project["project"]
    wanted = [*own["dependencies"], *own["optional-dependencies"]["dev"]]
    open_names = {plain(REQUIREMENT.fullmatch(line)[1]) for line in wanted}  # type: ignore[index]  # each is one
    every = {"hatchling"}

    while open_names:
        every |= open_names
        open_names = {name for one in open_names for name in needed(one)} - every

    assert len(every) > 20
    assert every <= pinned()
    assert project["build-system"]["requires"] == ["hatchling>=1.25"]


def test_ci_uses_the_exact_versions() -> None:
    """The run exports the constraints before the README's own command installs anything."""
    run = (ROOT / ".ci" / "run").read_text()

    assert run.index("PIP_CONSTRAINT=") < run.index('eval "${set_up[0]}"')


def test_the_bundled_player_is_the_published_one() -> None:
    """Each file of it is known by its hash, no other lies beside it, and pages name its version."""
    folder = Path(geminipty.__file__).parent / "export" / "asciinema"

    found = {path.name: sha256(path.read_bytes()).hexdigest() for path in folder.iterdir()}

    assert found == PLAYER
    assert VERSION in (folder.parent / "page.py").read_text()
    assert VERSION in (ROOT / "docs" / "export.md").read_text()
