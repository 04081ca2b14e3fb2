"""What a stranger could have put there is not started: programs, folders, links, modules, paths.

Root gives files away to be a stranger to them; others ask as somebody else would.
"""

import grp
import os
import pwd
import subprocess
from pathlib import Path

import pytest

from geminipty.errors import CliError, CliNotFound
from geminipty.launch.environment import fit
from geminipty.launch.find import find
from geminipty.launch.node import with_node
from geminipty.launch.strangers import Gate, is_shared, open_to_others

from .launching import World, package, program

ME = os.geteuid()
SOMEBODY = 54321


@pytest.fixture
def world(tmp_path: Path) -> World:
    """A user who has no CLI yet, and no node but those that a test makes."""
    world = World(tmp_path)
    world.env["PATH"] = f"{world.prefix / 'bin'}"
    return world


def found(world: World, *, trust: bool = False) -> Path:
    """The program that is found for a user; no place of this machine is looked at."""
    return find(None, world.env, world.home, Gate(world.project, trust=trust), ()).path


def given_away(path: Path, *, link: bool = False) -> int:
    """Make somebody else the owner, or return who is somebody else to us: the user to ask as."""
    if ME != 0:
        return SOMEBODY
    os.chown(path, SOMEBODY, -1, follow_symlinks=not link)
    return ME


def evil(path: Path) -> Path:
    """A program that leaves a trace if it is ever run, and says a version."""
    return program(path, f"#!/bin/sh\nexport -p > {path}.ran\necho 9.9.9\n")


# ------------------------------------------------------------------ what the folder brings along


@pytest.mark.parametrize("below", [".", "a/b"])
def test_the_cli_of_a_folder_is_not_started_unless_it_is_trusted(world: World, below: str) -> None:
    """node_modules of the working folder and of its parents is passed over without trust=True."""
    own = evil(world.project / "node_modules" / ".bin" / "gemini")
    (world.project / below).mkdir(parents=True, exist_ok=True)
    gate = Gate((world.project / below).resolve())

    with pytest.raises(CliNotFound, match="no Gemini CLI was found"):
        find(None, world.env, world.home, gate, ())

    assert not own.with_name("gemini.ran").exists()
    assert found(world, trust=True) == own


@pytest.mark.parametrize("way", ["PATH", "a link on PATH", "GEMINI_CLI_PATH"])
def test_nor_is_it_where_path_or_a_variable_leads_there(world: World, way: str) -> None:
    """A script of npm has node_modules/.bin on its PATH, and a link can lead there."""
    own = evil(world.project / "node_modules" / ".bin" / "gemini")
    if way == "PATH":
        world.env["PATH"] = str(own.parent)
    elif way == "GEMINI_CLI_PATH":
        world.env["GEMINI_CLI_PATH"] = str(own)
    else:
        (world.prefix / "bin").mkdir(parents=True)
        (world.prefix / "bin" / "gemini").symlink_to(own)

    with pytest.raises(CliNotFound, match="trust=True was not said") as caught:
        found(world)

    assert str(world.project) in caught.value.message
    assert not own.with_name("gemini.ran").exists()


@pytest.mark.parametrize("entry", ["", ".", "bin", "./node_modules/.bin", "~/bin"])
def test_a_relative_entry_of_path_is_no_place(
    world: World, entry: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It means the current folder, which may be a stranger's: nothing is found or run by it."""
    for name in ("gemini", "node", "toy"):
        evil(world.project / entry / name)
    monkeypatch.chdir(world.project)
    world.env["PATH"] = f"{entry}:{world.prefix / 'bin'}:{entry}"
    gate = Gate(world.project)

    with pytest.raises(CliNotFound):
        find(("toy",), world.env, world.home, gate, ())
    with pytest.raises(CliNotFound):
        find(None, world.env, world.home, gate, ())
    env = with_node(world.env, program(world.home / "x"), gate, world.home, ())

    assert env["PATH"] == str(world.prefix / "bin")


def test_a_variable_with_a_relative_path_is_refused(world: World) -> None:
    """GEMINI_CLI_PATH=./gemini would be another program in each folder."""
    world.env["GEMINI_CLI_PATH"] = "./gemini"

    with pytest.raises(CliNotFound, match="another program in each folder"):
        found(world)


@pytest.mark.parametrize("shim", [".asdf/shims/gemini", ".volta/bin/gemini"])
def test_a_shim_that_asks_the_folder_what_to_run_is_passed_over(world: World, shim: str) -> None:
    """Volta runs a project's own program, asdf what `path:` in its .tool-versions names."""
    volta = evil(world.home / ".volta" / "volta-shim")
    link = world.home / shim
    link.parent.mkdir(parents=True, exist_ok=True)
    link.symlink_to(volta)
    world.env["PATH"] = f"{link.parent}:{world.prefix / 'bin'}"

    with pytest.raises(CliNotFound, match="it is a shim"):
        found(world)
    assert not volta.with_name("volta-shim.ran").exists()

    real = package(world.prefix, "0.61.0")
    assert found(world) == real
    assert found(world, trust=True) == link


def test_what_is_named_whole_in_the_option_is_taken_as_it_is(world: World) -> None:
    """Who writes a whole path in `command` has looked; it is not started to be asked anything."""
    own = evil(world.project / "node_modules" / ".bin" / "gemini")
    own.parent.chmod(0o777)

    cli = find((str(own),), world.env, world.home, Gate(world.project), ())

    assert cli.path == own
    assert not own.with_name("gemini.ran").exists()


# ------------------------------------------------------------------ what others own or may write to


@pytest.mark.parametrize("part", ["bin/gemini", "bin", "lib", "lib/node_modules/@google"])
def test_a_cli_that_anybody_may_change_is_passed_over(world: World, part: str) -> None:
    """A program, or a folder that leads to it or to what its link names, that others may write."""
    link = package(world.prefix, "0.61.0")
    target = (world.prefix / part).resolve()
    target.chmod(target.stat().st_mode | 0o002)

    with pytest.raises(CliNotFound, match="anybody may write to") as caught:
        found(world)

    assert str(target) in caught.value.message
    assert f"{link}: " in caught.value.message
    target.chmod(target.stat().st_mode & ~0o002)
    assert found(world) == link


def test_the_next_cli_is_taken_where_one_is_passed_over(world: World) -> None:
    """PATH is searched on, so that a stranger's folder on it costs nothing."""
    first = evil(world.home / "shared" / "gemini")
    first.parent.chmod(0o777)
    second = package(world.prefix, "0.61.0")
    world.env["PATH"] = f"{first.parent}:{second.parent}"

    assert found(world) == second
    assert not first.with_name("gemini.ran").exists()


@pytest.mark.parametrize("part", ["bin/gemini", "bin", "lib/node_modules", "the link", "bin/node"])
def test_a_cli_of_somebody_else_is_passed_over(world: World, part: str) -> None:
    """Whoever owns a program, a folder before it or a link to it can replace it; root may."""
    package(world.prefix, "0.61.0")
    path = world.prefix / ("bin/gemini" if part == "the link" else part)
    cli = found(world)
    gate = Gate(world.project, user=given_away(path, link=part == "the link"))

    if part == "bin/node":
        with pytest.raises(CliError, match="belongs to"):
            with_node(world.env, cli, gate, world.home, ())
    else:
        with pytest.raises(CliNotFound, match="belongs to"):
            find(None, world.env, world.home, gate, ())
    assert open_to_others(Path("/bin/sh"), SOMEBODY) is None


@pytest.mark.parametrize("modules", ["absent", "ours", "theirs"])
def test_a_sticky_folder_is_no_reason_but_modules_in_it_are(tmp_path: Path, modules: str) -> None:
    """Nobody replaces our entry in /tmp, but node takes modules from /tmp/node_modules."""
    mine = program(tmp_path / "sticky" / "prefix" / "gemini")
    mine.parent.parent.chmod(0o1777)
    user = ME
    if modules != "absent":
        (mine.parent.parent / "node_modules").mkdir()
    if modules == "theirs":
        user = given_away(mine.parent.parent / "node_modules")

    why = open_to_others(mine, user)

    assert (why is None) == (modules != "theirs")


def test_a_group_of_the_users_own_may_write(tmp_path: Path) -> None:
    """Root's group, and one of the user's name without other members; no other, no longer list."""
    daemon = pwd.getpwnam("daemon")
    private = next(u for u in pwd.getpwall() if grp.getgrgid(u.pw_gid).gr_name == u.pw_name)

    assert not is_shared(tmp_path, 0, ME)
    assert not is_shared(tmp_path, private.pw_gid, private.pw_uid)
    assert is_shared(tmp_path, daemon.pw_gid, SOMEBODY)
    assert is_shared(tmp_path, SOMEBODY, ME)


def test_links_are_followed_and_may_not_go_round(tmp_path: Path) -> None:
    """Relative and absolute links count with what they lead to; a ring is refused."""
    real = program(tmp_path / "far" / "away" / "gemini")
    (tmp_path / "near").mkdir()
    (tmp_path / "near" / "gemini").symlink_to("../hop/gemini")
    (tmp_path / "hop").symlink_to(real.parent)
    (tmp_path / "ring").symlink_to("ring")

    fine = open_to_others(tmp_path / "near" / "gemini", ME)
    real.parent.parent.chmod(0o777)
    bad = open_to_others(tmp_path / "near" / "gemini", ME)
    real.parent.parent.chmod(0o755)

    assert fine is None
    assert bad is not None
    assert str(real.parent.parent) in bad
    assert "round" in (open_to_others(tmp_path / "ring", ME) or "")


# ------------------------------------------------------------------------------------ its node


def test_a_node_that_anybody_may_change_is_not_the_sessions_node(world: World) -> None:
    """Where the first `node` on PATH is not safe, the folder of one that is comes before it."""
    link = package(world.prefix, "0.61.0")
    bad = evil(world.home / "open" / "node")
    bad.parent.chmod(0o777)
    env = {"PATH": f"{bad.parent}:/nowhere"}

    path = with_node(env, link, Gate(world.project), world.home, ())["PATH"]

    assert path.split(":") == [str(link.parent), str(bad.parent), "/nowhere"]


def test_a_script_with_no_safe_node_is_not_started(world: World) -> None:
    """The error says which node was passed over, why, and that both can be named."""
    script = program(world.home / "gemini.js", "#!/usr/bin/env node\n")
    bad = evil(world.project / "node_modules" / ".bin" / "node")
    env = {"PATH": str(bad.parent)}
    gate = Gate(world.project)

    with pytest.raises(CliError, match="trust=True was not said") as caught:
        with_node(env, script, gate, world.home, ())

    assert "name both" in caught.value.message
    assert with_node(env, program(world.home / "wrapper"), gate, world.home, ())["PATH"] == ""


# ------------------------------------------------------------------------------- what is told


def test_a_program_is_asked_for_its_version_without_keys_and_elsewhere(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It gets no key, no token and none of our variables, and runs in an empty folder."""
    monkeypatch.chdir(world.project)
    asked = evil(world.prefix / "bin" / "gemini")
    asked.write_text(f"#!/bin/sh\nexport -p > {asked}.ran; pwd >> {asked}.ran; echo 1.2.3\n")
    world.env |= {"GEMINI_API_KEY": "k-secret", "AWS_SESSION_TOKEN": "t-secret", "MY": "m-secret"}
    world.env["NODE_OPTIONS"] = "--require ./secret.js"

    assert found(world) == asked

    seen = asked.with_name("gemini.ran").read_text()
    assert "secret" not in seen
    assert f"HOME='{world.home}'" in seen
    assert str(world.project) not in seen


@pytest.mark.parametrize(
    ("name", "value", "kept"),
    [
        ("LD_LIBRARY_PATH", ":/opt/lib", "/opt/lib"),
        ("LD_LIBRARY_PATH", "", None),
        ("NODE_PATH", "lib:/usr/lib/node_modules:.", "/usr/lib/node_modules"),
        ("DYLD_LIBRARY_PATH", "lib", None),
        ("NODE_OPTIONS", "--max-old-space-size=4096", "--max-old-space-size=4096"),
        ("NODE_OPTIONS", "--require ./a.js --no-warnings", "--no-warnings"),
        ("NODE_OPTIONS", "-r dotenv/config", None),
        ("NODE_OPTIONS", "--experimental_loader ./x.mjs --no_warnings", "--no_warnings"),
        ("NODE_OPTIONS", "--openssl-config=./x.cnf", None),
        ("LD_PRELOAD", "/opt/a.so:b.so", None),
        ("LD_PRELOAD", "/opt/a.so /opt/b.so", "/opt/a.so /opt/b.so"),
        ("OPENSSL_CONF", "ssl.cnf", None),
        ("OPENSSL_CONF", "/etc/ssl/a b.cnf", "/etc/ssl/a b.cnf"),
        ("BASH_ENV", "./env.sh", None),
        ("ENV", "/home/user/env.sh", "/home/user/env.sh"),
        ("NODE_OPTIONS", "--import=tsx --require=/opt/hook.js", "--require=/opt/hook.js"),
        ("NODE_OPTIONS", '--require "/opt/a b.js"', '--require "/opt/a b.js"'),
        ("NODE_OPTIONS", "--inspect-brk=0.0.0.0:9229", None),
        ("NODE_OPTIONS", "--experimental-default-config-file", None),
        ("NODE_OPTIONS", '--require "', None),
    ],
)
def test_nothing_is_loaded_from_the_folder_by_the_callers_environment(
    name: str, value: str, kept: str | None
) -> None:
    """Relative places, names looked for in node_modules, and debuggers go; the rest stays."""
    assert fit({name: value}, {}, None).get(name) == kept
    assert fit({}, {name: value}, None).get(name) == value


def test_node_does_load_from_its_folder_what_we_take_out(world: World) -> None:
    """The proof that the rule is needed: node runs a module of its folder, and not with ours."""
    (world.project / "hook.js").write_text("console.log('hooked')")
    flags = {"NODE_OPTIONS": "--require ./hook.js", "PATH": os.environ["PATH"]}

    def said(env: dict[str, str]) -> str:
        done = subprocess.run(
            ["node", "-e", "0"], cwd=world.project, env=env, capture_output=True, text=True
        )
        return done.stdout

    assert said(flags) == "hooked\n"
    assert said(fit(flags, {}, None)) == ""
