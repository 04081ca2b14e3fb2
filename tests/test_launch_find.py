"""The CLI is found where people have it, with its version, and nothing is started for that."""

import os
from pathlib import Path

import pytest

from geminipty.errors import CliError, CliNotFound
from geminipty.launch.find import Cli, find
from geminipty.launch.node import with_node
from geminipty.launch.places import PLACES
from geminipty.launch.strangers import Gate

from .launching import World, package, program


@pytest.fixture
def world(tmp_path: Path) -> World:
    """A user who has no CLI yet."""
    return World(tmp_path)


def found(world: World, command: tuple[str, ...] | None = None) -> Cli:
    """What is found for a user."""
    return find(command, world.env, world.home, Gate(world.project))


def noded(path: str, program_of: Path, places: tuple[str, ...] = PLACES) -> dict[str, str]:
    """The environment for a program, with a node."""
    return with_node({"PATH": path}, program_of, Gate(Path("/")), Path("/nobody"), places)


def test_the_option_wins_over_the_variable_and_the_variable_over_path(world: World) -> None:
    """`command` comes first, then GEMINI_CLI_PATH, then PATH."""
    on_path = package(world.prefix, "0.1.0")
    named = package(world.home / "named", "0.2.0")
    chosen = package(world.home / "chosen", "0.3.0")

    assert found(world).path == on_path
    world.env["GEMINI_CLI_PATH"] = str(named)
    assert found(world).path == named
    assert found(world, (str(chosen),)).path == chosen


@pytest.mark.parametrize(
    ("place", "version"),
    [
        (".npm-global", "0.61.0"),
        (".nvm/versions/node/v22.1.0", "0.61.0"),
        (".local/share/mise/installs/node/24.0.0", "0.61.0"),
        (".local/share/fnm/node-versions/v20.0.0/installation", "0.61.0"),
        (".volta", "0.61.0"),
    ],
)
def test_the_usual_places_are_searched(world: World, place: str, version: str) -> None:
    """A CLI that is not on PATH is found where its installer put it."""
    world.env["PATH"] = "/nowhere"
    link = package(world.home / place, version)

    cli = found(world)

    assert cli.path == link
    assert cli.version == version


def test_of_several_versions_of_node_the_newest_counts(world: World) -> None:
    """v22 is newer than v9, although not in the order of letters."""
    world.env["PATH"] = "/nowhere"
    for node in ("v9.1.0", "v22.3.0", "v22.10.0"):
        package(world.home / ".nvm" / "versions" / "node" / node, "0.61.0")

    assert "v22.10.0" in str(found(world).path)


def test_the_projects_own_cli_is_found_from_a_folder_below_that_is_trusted(world: World) -> None:
    """With trust=True, node_modules/.bin of the folder and of its parents is searched."""
    world.env["PATH"] = "/nowhere"
    own = program(world.project / "node_modules" / ".bin" / "gemini", "#!/bin/sh\necho 0.50.1\n")
    below = world.project / "a" / "b"
    below.mkdir(parents=True)

    cli = find(None, world.env, world.home, Gate(below, trust=True))

    assert (cli.path, cli.version, cli.release) == (own, "0.50.1", (0, 50, 1))


def test_a_missing_cli_is_told_with_every_place_and_how_to_install_it(world: World) -> None:
    """CliNotFound lists where it was looked for, in order, and the command that installs it."""
    world.env["PATH"] = "/nowhere:/else"
    own = tuple(place for place in PLACES if place.startswith("~"))

    with pytest.raises(CliNotFound, match="npm install -g @google/gemini-cli") as caught:
        find(None, world.env, world.home, Gate(world.project), own)

    assert caught.value.looked[:2] == ("/nowhere", "/else")
    assert str(world.home / ".volta" / "bin") in caught.value.looked
    assert all(place in caught.value.message for place in caught.value.looked)


@pytest.mark.parametrize(
    ("name", "seen"),
    [("none", "does not exist"), ("text", "is not executable"), (".", "is a folder")],
)
def test_a_named_program_that_cannot_run_is_told_why(world: World, name: str, seen: str) -> None:
    """A path that does not exist, is no program or is a folder is named with what to do."""
    (world.home / "text").write_text("")

    with pytest.raises(CliNotFound, match=seen):
        found(world, (f"{world.home}/{name}",))


def test_a_named_program_is_looked_for_on_path(world: World) -> None:
    """A name without a slash is found on the PATH of the session, or the PATH is shown."""
    toy = program(world.prefix / "bin" / "toy")

    assert found(world, ("toy", "--slow")).argv == (str(toy), "--slow")
    with pytest.raises(CliNotFound, match="no program of this name") as caught:
        found(world, ("no-such-toy",))
    assert str(world.prefix / "bin") in caught.value.looked


def test_a_command_without_a_package_is_never_started(world: World, tmp_path: Path) -> None:
    """What the caller named is not run to ask for its version: it may be anything."""
    toy = program(tmp_path / "toy", f"#!/bin/sh\ntouch {tmp_path}/ran\necho 1.2.3\n")

    cli = found(world, (str(toy),))

    assert cli.version is None
    assert cli.release is None
    assert not (tmp_path / "ran").exists()


def test_the_version_of_a_script_after_node_is_read(world: World) -> None:
    """For `node gemini.js` the version is that of the script."""
    link = package(world.prefix, "0.62.0-nightly.1")

    cli = found(world, ("/bin/sh", str(link.resolve())))

    assert cli.version == "0.62.0-nightly.1"
    assert cli.release == (0, 62, 0)


@pytest.mark.parametrize("text", ["exit 3", "echo none", "echo 'broken' >&2; echo"])
def test_a_program_that_does_not_tell_its_version_is_used_all_the_same(
    world: World, text: str
) -> None:
    """A version that cannot be told is None, not an error."""
    program(world.prefix / "bin" / "gemini", f"#!/bin/sh\n{text}\n")

    assert found(world).version is None


def test_node_beside_the_cli_is_put_on_path(world: World) -> None:
    """Under cron PATH has no node; the folder of the CLI's own node comes first then."""
    link = package(world.prefix, "0.61.0")

    env = noded("/nowhere", link)

    assert env["PATH"] == f"{link.parent}{os.pathsep}/nowhere"


def test_a_path_with_node_stays_as_it_is(world: World) -> None:
    """Where node is on PATH already, or the program needs none, nothing is added."""
    link = package(world.prefix, "0.61.0")
    toy = program(world.home / "toy")

    assert noded(str(link.parent), link)["PATH"] == str(link.parent)
    assert noded("/nowhere", toy)["PATH"] == "/nowhere"


def test_a_cli_without_any_node_is_told(world: World) -> None:
    """A node script without a node is named before it fails with a riddle."""
    script = program(world.home / "gemini.js", "#!/usr/bin/env node\n")

    with pytest.raises(CliError, match="Install Node"):
        noded("/nowhere", script, ())


@pytest.mark.parametrize("command", ["gemini --yolo", "/nowhere/gemini --yolo"])
def test_one_string_of_several_words_is_told_to_be_a_list(world: World, command: str) -> None:
    """The error names the list; without blanks in the name it speaks of none."""
    with pytest.raises(CliNotFound, match="never split") as raised:
        found(world, (command,))

    assert f"give a list: {command.split()!r}" in raised.value.message
    with pytest.raises(CliNotFound) as raised:
        found(world, (command.split()[0],))
    assert "list" not in raised.value.message
