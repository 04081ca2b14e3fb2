"""The CLI is asked for a wire log where it surely knows how, and starts as before where not."""

import json
import stat
import sys
from pathlib import Path
from typing import Any

import pytest

from geminipty.launch.wire import WIRE_FLAG
from geminipty.session import GeminiSession

from .faces import TOY
from .launching import World, program

#: A CLI that ends at a flag that it does not know, as the real one does.
STRICT = """#!{python}
import runpy, sys
known = {known}
for word in sys.argv[1:]:
    flag, _, value = word.removeprefix("--").partition("=")
    if flag not in known:
        sys.exit("Unknown argument: " + flag)
    open(value, "a").write('{{"method": "countTokens", "response": {{}}}}\\n')
sys.argv[1:] = []
runpy.run_path({toy!r}, run_name="__main__")
"""


@pytest.fixture
def world(tmp_path: Path) -> World:
    """A user with a CLI."""
    return World(tmp_path)


def future(folder: Path, *flags: str) -> Path:
    """Install a CLI of a release that nobody has measured and that knows these flags only."""
    known = "{" + ", ".join(f'"{flag}"' for flag in flags) + "}" if flags else "()"
    text = STRICT.format(python=sys.executable, known=known, toy=str(TOY))
    script = program(folder / "bundle" / "gemini.js", text)
    about = {"name": "@google/gemini-cli", "version": "9.9.9"}
    (folder / "package.json").write_text(json.dumps(about))
    return script


@pytest.mark.parametrize("home", ["private", "user"])
def test_a_wire_log_lies_in_the_folder_of_the_run(world: World, home: str) -> None:
    """It is there before the start, only its owner can read it, and it goes with the folder."""
    with world.launch("0.61.0", home=home) as launch:
        assert launch.wire is not None
        assert stat.S_IMODE(launch.wire.stat().st_mode) == 0o600
        assert launch.wire.read_bytes() == b""
        assert f"{WIRE_FLAG}={launch.wire}" in launch.argv
        assert world.temporary in launch.wire.parents
        assert not any(word.startswith(WIRE_FLAG) for word in launch.told)
    assert world.left_behind() == []


@pytest.mark.parametrize(("version", "knows"), [("0.11.3", False), ("0.12.0", True)])
def test_a_measured_release_is_known(world: World, version: str, knows: bool) -> None:
    """The flag is there from 0.12.0 on; an older CLI would not start with it."""
    with world.launch(version) as launch:
        assert (launch.wire is not None) is knows
        assert any(word.startswith(WIRE_FLAG) for word in launch.argv) is knows


@pytest.mark.parametrize(
    "chosen",
    [
        {"extra_args": [f"{WIRE_FLAG}=mine"]},
        {"sandbox": True},
        {"sandbox": "docker"},
        {"env": {"GEMINI_SANDBOX": "podman"}},
    ],
    ids=str,
)
def test_there_is_none_where_the_caller_has_the_flag_or_a_sandbox(
    world: World, chosen: dict[str, Any]
) -> None:
    """The flag is never given twice, and no path is given to a CLI that may not see it."""
    with world.launch("0.61.0", **chosen) as launch:
        assert launch.wire is None
        assert launch.argv == launch.told


@pytest.mark.parametrize(("flags", "knows"), [((), False), (("record-responses",), True)])
def test_an_unknown_release_starts_whether_or_not_it_knows_the_flag(
    world: World, tmp_path: Path, flags: tuple[str, ...], knows: bool
) -> None:
    """What a release declares in its own files is given to it, and nothing else: it would end."""
    command = future(tmp_path / "future", *flags)

    with world.launch(command=command) as launch:
        assert (launch.wire is not None) is knows
    with GeminiSession(command=command, cwd=world.project, env=world.env) as session:
        assert session.ask("hello").screen_text


def test_a_program_of_no_package_is_not_given_the_flag(world: World, tmp_path: Path) -> None:
    """Nobody can say what a script of the user's passes on, and to what."""
    command = program(tmp_path / "gemini.sh", '#!/bin/sh\nexec gemini "record-responses"\n')

    with world.launch(command=command) as launch:
        assert launch.wire is None


OFF, ON = ({"model": {"disableLoopDetection": one}} for one in (True, False))


@pytest.mark.parametrize(
    ("version", "chosen", "users", "folders", "breaks_off"),
    [
        ("0.61.0", {}, None, None, False),
        ("0.61.0", {}, ON, None, False),
        ("0.61.0", {"settings": ON}, None, None, True),
        ("0.61.0", {}, None, ON, True),
        ("0.61.0", {}, None, OFF, False),
        ("0.61.0", {"home": "user"}, None, None, True),
        ("0.61.0", {"home": "user"}, OFF, None, False),
        ("0.61.0", {"home": "user"}, OFF, ON, True),
        ("0.28.2", {"home": "user"}, None, None, True),
        ("0.28.1", {}, OFF, None, True),
        ("0.25.0", {}, None, None, True),
        ("0.24.5", {"home": "user"}, None, None, False),
        ("0.24.5", {"settings": ON}, None, None, False),
    ],
)
def test_whether_answers_may_be_broken_off_in_silence(
    world: World,
    version: str,
    chosen: dict[str, Any],
    users: dict[str, Any] | None,
    folders: dict[str, Any] | None,
    breaks_off: bool,
) -> None:
    """A private home watches for no loops; the folder's settings win, and older releases ask."""
    (world.project / ".gemini").mkdir()
    for place, settings in ((world.gemini, users), (world.project / ".gemini", folders)):
        if settings is not None:
            (place / "settings.json").write_text(json.dumps(settings))

    with world.launch(version, **chosen) as launch:
        assert launch.breaks_off is breaks_off


def test_settings_of_a_folder_that_are_none_change_nothing(world: World) -> None:
    """What the CLI cannot read either says nothing about loops."""
    (world.project / ".gemini").mkdir()
    (world.project / ".gemini" / "settings.json").write_text('{"model": [')

    with world.launch("0.61.0") as launch:
        assert launch.breaks_off is False
