"""Options become arguments and an environment in which the CLI draws the same everywhere."""

import json
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest

from geminipty.errors import CliNotFound, UsageError
from geminipty.launch.environment import SCRUBBED
from geminipty.launch.launch import SIZES
from geminipty.options import Size

from .launching import World, program


@pytest.fixture
def world(tmp_path: Path) -> World:
    """A user with the newest CLI."""
    world = World(tmp_path)
    world.install("0.61.0")
    return world


@pytest.mark.parametrize(
    ("chosen", "arguments"),
    [
        ({}, []),
        ({"model": "gemini-2.5-pro"}, ["--model=gemini-2.5-pro"]),
        ({"approval_mode": "plan"}, ["--approval-mode=plan"]),
        ({"sandbox": False}, ["--sandbox=false"]),
        ({"sandbox": "docker"}, ["--sandbox=true"]),
        ({"extensions": ()}, ["--extensions=none"]),
        ({"extensions": ("a", "b")}, ["--extensions=a", "--extensions=b"]),
        ({"allowed_tools": ["x"]}, ["--allowed-tools=x"]),
        ({"session_id": UUID(int=1)}, [f"--session-id={UUID(int=1)}"]),
        ({"debug": True}, ["--debug"]),
        ({"initial_prompt": "-p\nx"}, ["--prompt-interactive=-p\nx"]),
        ({"extra_args": ["--a=b"]}, ["--a=b"]),
    ],
)
def test_options_become_arguments(
    world: World, chosen: dict[str, Any], arguments: list[str]
) -> None:
    """Each option is one flag with its value behind an equals sign."""
    with world.launch(**chosen) as launch:
        assert list(launch.told[1:]) == arguments


def test_paths_are_given_from_the_root(world: World, tmp_path: Path) -> None:
    """A path of the caller means the same to the CLI, which works in another folder."""
    rules = tmp_path / "deny.toml"
    rules.write_text("")

    with world.launch(include_directories=[tmp_path], policies=[rules]) as launch:
        assert launch.told[1:] == (f"--include-directories={tmp_path}", f"--policy={rules}")
    with pytest.raises(UsageError, match="there is no folder"):
        world.launch(include_directories=[tmp_path / "none"])
    with pytest.raises(UsageError, match="there is no file"):
        world.launch(policies=[tmp_path / "none"])
    assert world.left_behind() == []


@pytest.mark.parametrize(
    ("version", "chosen", "since"),
    [
        ("0.40.1", {"session_id": UUID(int=1)}, "session_id: the CLI has it since 0.41.0"),
        ("0.28.2", {"policies": ["x"]}, "policies: the CLI has it since 0.30.0"),
        ("0.11.3", {"resume": "latest"}, "resume: the CLI has it since 0.15.0"),
        ("0.25.0", {"approval_mode": "plan"}, "approval_mode='plan': the CLI has it since 0.26.0"),
        ("0.1.5", {"approval_mode": "auto_edit"}, "approval_mode: the CLI has it since 0.1.22"),
        ("0.1.5", {"extensions": ()}, "extensions: the CLI has it since 0.1.13"),
    ],
)
def test_what_the_release_does_not_know_is_refused(
    world: World, version: str, chosen: dict[str, Any], since: str
) -> None:
    """An option that the found CLI lacks is named with the release that has it."""
    with pytest.raises(UsageError, match="does not know these options") as caught:
        world.launch(version, **chosen)

    assert since in str(caught.value)
    assert world.left_behind() == []


def test_the_oldest_releases_know_yolo_by_another_flag(world: World) -> None:
    """Before --approval-mode, yolo is --yolo and default is what the CLI does anyway."""
    with world.launch("0.1.5", approval_mode="yolo") as launch:
        assert launch.argv[1:] == ("--yolo",)
    with world.launch("0.1.5", approval_mode="default") as launch:
        assert launch.argv[1:] == ()


def test_what_describes_another_terminal_does_not_reach_the_cli(world: World) -> None:
    """Inside CI, tmux, an editor or cron the environment says the same."""
    noise = {name.replace("*", "X"): "true" for name in SCRUBBED}
    world.env |= {**noise, "CI": "true", "GITHUB_ACTIONS": "true", "TERM": "dumb", "LC_ALL": "C"}

    with world.launch() as launch:
        assert not {*noise, "CI", "GITHUB_ACTIONS", "LC_ALL"} & launch.env.keys()
        assert launch.env["TERM"] == "xterm-256color"
        assert launch.env["COLORTERM"] == "truecolor"
        assert launch.env["LANG"] == "C.UTF-8"
        assert launch.env["GEMINI_CLI_NO_RELAUNCH"] == "true"


def test_what_the_caller_names_wins_except_what_leaves_no_screen(world: World) -> None:
    """`env` may bring back NO_COLOR or another TERM, but not CI=true: nothing would be drawn."""
    chosen = {"NO_COLOR": "1", "TERM": "vt100", "CI": "true", "MINE": "x"}

    with world.launch(env=chosen) as launch:
        kept = {name: launch.env.get(name) for name in chosen}
    assert kept == {"NO_COLOR": "1", "TERM": "vt100", "CI": None, "MINE": "x"}


def test_names_of_gitlab_go_only_where_they_do_harm(world: World) -> None:
    """Before 0.8 any CI_… variable keeps the CLI from drawing; later ones do not look."""
    world.env["CI_JOB_ID"] = "1"

    with world.launch("0.6.1") as launch:
        assert "CI_JOB_ID" not in launch.env
    with world.launch("0.61.0") as launch:
        assert launch.env["CI_JOB_ID"] == "1"


def test_a_utf8_locale_is_kept(world: World) -> None:
    """Who speaks UTF-8 keeps the language."""
    world.env["LANG"] = "de_DE.UTF-8"

    with world.launch() as launch:
        assert launch.env["LANG"] == "de_DE.UTF-8"


def test_an_almost_empty_environment_is_enough(world: World, tmp_path: Path) -> None:
    """Under cron there is neither PATH nor HOME; the run has both."""
    toy = program(tmp_path / "toy")
    world.env = {"TMPDIR": world.env["TMPDIR"]}

    with world.launch(command=toy, home="user") as launch:
        assert launch.env["PATH"]
        assert launch.env["HOME"]


def test_the_look_has_a_size_of_its_own_unless_one_is_chosen(world: World) -> None:
    """`size` wins; else lean is wide and tall, normal is 100x40."""
    with world.launch() as launch:
        assert launch.size == SIZES["lean"]
    with world.launch(look="normal") as launch:
        assert str(launch.size) == "100x40"
    with world.launch(size=(80, 24)) as launch:
        assert launch.size == Size(columns=80, lines=24)


def test_a_folder_that_cannot_be_used_is_refused(world: World, tmp_path: Path) -> None:
    """`cwd` must be there; the CLI's name for it, without links, is kept."""
    (tmp_path / "file").write_text("")
    (tmp_path / "link").symlink_to(world.project)

    with world.launch(cwd=tmp_path / "link") as launch:
        assert launch.cwd == world.project
    for wrong in ("file", "none"):
        with pytest.raises(UsageError, match="cwd"):
            world.launch(cwd=tmp_path / wrong)


def test_a_sandbox_is_named_by_a_variable(world: World) -> None:
    """The flag takes no name, and an inherited GEMINI_SANDBOX would win over the flag."""
    world.env["GEMINI_SANDBOX"] = "podman"

    with world.launch(sandbox="docker") as launch:
        assert launch.env["GEMINI_SANDBOX"] == "docker"
    with world.launch(sandbox=False) as launch:
        assert "GEMINI_SANDBOX" not in launch.env
    with world.launch() as launch:
        assert launch.env["GEMINI_SANDBOX"] == "podman"


def test_the_chat_gets_an_id_where_there_are_others(world: World) -> None:
    """In the user's home the id is known before the start, from 0.41 on; a private home has one."""
    with world.launch(home="user") as launch:
        assert f"--session-id={launch.session_id}" in launch.argv
        assert launch.chats == world.gemini
    with world.launch("0.40.1", home="user") as launch:
        assert launch.session_id is None
    with world.launch("0.61.0") as launch:
        assert launch.session_id is None


def test_a_toy_can_take_the_clis_place(world: World, tmp_path: Path) -> None:
    """Any program works as `command`; it is treated as the newest release."""
    toy = program(tmp_path / "toy")

    with world.launch(command=[toy, "--slow"]) as launch:
        assert launch.argv == (str(toy), "--slow")
        assert launch.cli.version is None
        settings = json.loads((launch.chats / "settings.json").read_text())
    assert settings["ui"]["dynamicWindowTitle"] is True


def test_nothing_is_made_for_a_cli_that_is_not_there(world: World) -> None:
    """CliNotFound leaves no folder behind."""
    with pytest.raises(CliNotFound):
        world.launch(command="/no/such/program")

    assert world.left_behind() == []
