"""A session has a home of its own: the user's settings count, and nothing of the user changes."""

import gc
import hashlib
import json
import os
import stat
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest

from geminipty.errors import CliError, UsageError
from geminipty.launch import Launch
from geminipty.launch.folder import Folder
from geminipty.launch.jsonc import parse
from geminipty.transports import remains

from .launching import World
from .leaks import spare_descriptors, wait_for


@pytest.fixture
def world(tmp_path: Path) -> World:
    """A user with the newest CLI and a home that has been used."""
    world = World(tmp_path)
    world.install("0.61.0")
    for name in ("commands/mine.toml", "policies/mine.toml", "tmp/bin/rg", "tmp/p/chats/x.json"):
        path = world.gemini / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(name)
    for name in ("GEMINI.md", "state.json", "oauth_creds.json", "trustedFolders.json"):
        (world.gemini / name).write_text("{}")
    (world.gemini / "projects.json").write_text('{"projects": {}}')
    (world.home / ".gitconfig").write_text("[user]")
    return world


def settings_of(launch: Launch) -> dict[str, Any]:
    """The settings that the CLI will read."""
    value: dict[str, Any] = json.loads((launch.chats / "settings.json").read_text())
    return value


def test_the_home_is_private_and_removed(world: World) -> None:
    """Only its owner can look into the folder, and nothing of it is left after close()."""
    launch = world.launch()
    (folder,) = world.temporary.iterdir()

    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert launch.env["GEMINI_CLI_HOME"].startswith(str(folder))
    assert launch.env["TMPDIR"].startswith(str(folder))
    assert launch.marks in launch.env.values()
    assert launch.env["HOME"] == str(world.home)
    launch.close()
    launch.close()
    assert world.left_behind() == []


@pytest.mark.parametrize("version", ["0.61.0", "0.24.5", "0.3.4"])
def test_the_users_home_is_unchanged_whatever_the_cli_writes(world: World, version: str) -> None:
    """A run that writes every file that the CLI writes changes nothing in the user's home."""
    before = world.fingerprint()

    with world.launch(version) as launch:
        for name in ("settings.json", "GEMINI.md", "state.json", "trustedFolders.json"):
            (launch.chats / name).write_text("changed")
        (launch.chats / "policies" / "auto-saved.toml").write_text("new")
        (launch.chats / "policies" / "mine.toml").write_text("changed")
        (launch.chats / "projects.json").write_text("new")
        (launch.chats / "tmp" / "slug").mkdir(parents=True)
        (launch.chats / "history").mkdir()

    assert world.fingerprint() == before
    assert world.left_behind() == []


def test_what_is_the_users_is_there_and_what_is_other_sessions_is_not(world: World) -> None:
    """Commands, memory and credentials are found; chats and the list of projects are not."""
    with world.launch() as launch:
        assert (launch.chats / "commands" / "mine.toml").read_text() == "commands/mine.toml"
        assert (launch.chats / "oauth_creds.json").is_symlink()
        assert (launch.chats / "GEMINI.md").is_file()
        assert (launch.chats / "tmp" / "bin" / "rg").is_file()
        assert not (launch.chats / "tmp" / "p").exists()
        assert not (launch.chats / "projects.json").exists()


def test_before_0_25_the_home_itself_is_private_and_tools_find_their_files(world: World) -> None:
    """Old releases know only HOME; every other entry of the user's is linked there."""
    with world.launch("0.24.5") as launch:
        private = Path(launch.env["HOME"])
        assert private != world.home
        assert launch.chats == private / ".gemini"
        assert (private / ".gitconfig").read_text() == "[user]"
        assert "GEMINI_CLI_HOME" not in launch.env


def test_the_users_settings_count_where_ours_do_not(world: World) -> None:
    """Settings are merged: the user's, over them ours, over both the caller's."""
    theirs = '{"ui": {"theme": "X", "hideWindowTitle": true}, "mcpServers": {"a": {}}, // mine\n}'
    (world.gemini / "settings.json").write_text(theirs)

    with world.launch(
        settings={"ui": {"errorVerbosity": "low"}}, mcp_servers={"b": {"command": "c"}}
    ) as launch:
        settings = settings_of(launch)
    assert settings["ui"]["theme"] == "X"
    assert settings["ui"]["hideWindowTitle"] is False
    assert settings["ui"]["errorVerbosity"] == "low"
    assert settings["mcpServers"] == {"a": {}, "b": {"command": "c"}}
    assert settings["general"]["sessionRetention"] == {"enabled": False}


def test_before_0_4_settings_lie_at_the_top(world: World) -> None:
    """Old releases get the old names, and a theme, without which 0.1 opens with a question."""
    world.env["GEMINI_API_KEY"] = "x"

    with world.launch("0.3.4", trust=True) as launch:
        settings = settings_of(launch)
    assert settings["selectedAuthType"] == "gemini-api-key"
    assert settings["theme"] == "Default"
    assert settings["folderTrust"] is False
    assert "ui" not in settings


def test_old_names_in_the_users_settings_do_not_undo_ours(world: World) -> None:
    """A release that moves old names to their groups finds none of those that we set."""
    (world.gemini / "settings.json").write_text('{"vimMode": true, "theme": "X"}')

    with world.launch() as launch:
        settings = settings_of(launch)
    assert settings["general"]["vimMode"] is False
    assert "vimMode" not in settings
    assert settings["theme"] == "X"


@pytest.mark.parametrize(
    ("env", "stored", "kind"),
    [
        ({}, None, None),
        ({"GEMINI_API_KEY": "k"}, None, "gemini-api-key"),
        ({"GOOGLE_GENAI_USE_VERTEXAI": "true", "GEMINI_API_KEY": "k"}, None, "vertex-ai"),
        ({"GOOGLE_GENAI_USE_GCA": "true"}, None, "oauth-personal"),
        ({"GEMINI_API_KEY": "k"}, "oauth-personal", "oauth-personal"),
        ({"GEMINI_API_KEY": "k"}, "vertex-ai", "gemini-api-key"),
        ({"GOOGLE_GENAI_USE_VERTEXAI": "true"}, "gemini-api-key", "vertex-ai"),
        ({}, "gemini-api-key", "gemini-api-key"),
        ({"GEMINI_API_KEY": "k"}, "cloud-shell", "cloud-shell"),
    ],
)
def test_the_sign_in_fits_what_there_is(
    world: World, env: dict[str, str], stored: str | None, kind: str | None
) -> None:
    """The user's choice is kept while it can work; else the variables tell."""
    world.env |= env
    if stored:
        text = json.dumps({"security": {"auth": {"selectedType": stored}}})
        (world.gemini / "settings.json").write_text(text)

    with world.launch() as launch:
        auth = settings_of(launch).get("security", {}).get("auth", {})
    assert auth.get("selectedType") == kind


def test_a_key_that_the_caller_names_wins_over_the_users_choice(world: World) -> None:
    """Who passes a key for this session means it to be used."""
    (world.gemini / "settings.json").write_text('{"selectedAuthType": "oauth-personal"}')

    with world.launch(env={"GEMINI_API_KEY": "k"}) as launch:
        assert settings_of(launch)["security"]["auth"]["selectedType"] == "gemini-api-key"


def test_a_key_in_the_users_env_file_counts(world: World) -> None:
    """The CLI reads ~/.gemini/.env at its start, so the key there is one."""
    (world.gemini / ".env").write_text("# mine\nexport GEMINI_API_KEY='k'\n")

    with world.launch() as launch:
        assert settings_of(launch)["security"]["auth"]["selectedType"] == "gemini-api-key"


@pytest.mark.parametrize(
    ("version", "trust", "variable", "setting"),
    [
        ("0.61.0", True, "true", None),
        ("0.61.0", False, None, None),
        ("0.34.0", True, None, False),
        ("0.34.0", False, None, None),
    ],
)
def test_a_folder_is_trusted_only_if_the_caller_says_so(
    world: World, version: str, trust: bool, variable: str | None, setting: bool | None
) -> None:
    """trust=True is a variable since 0.39 and a setting before; an inherited variable is none."""
    world.env["GEMINI_CLI_TRUST_WORKSPACE"] = "true"

    with world.launch(version, trust=trust) as launch:
        folder_trust = settings_of(launch).get("security", {}).get("folderTrust", {})
        assert launch.env.get("GEMINI_CLI_TRUST_WORKSPACE") == variable
        assert folder_trust.get("enabled") == setting


def test_few_attempts_are_made_in_ci(world: World) -> None:
    """Where nobody waits, an error is told after three attempts instead of ten."""
    world.env["CI"] = "true"

    with world.launch() as launch:
        assert settings_of(launch)["general"]["maxAttempts"] == 3


def test_the_lean_look_draws_less(world: World) -> None:
    """Lean has no spinner and no banner; normal leaves both as they are."""
    with world.launch() as launch:
        lean = settings_of(launch)["ui"]
    with world.launch(look="normal") as launch:
        normal = settings_of(launch)["ui"]

    assert (lean["showSpinner"], lean["hideBanner"], lean["hideTips"]) == (False, True, False)
    assert not {"showSpinner", "hideBanner"} & normal.keys()


def test_a_system_prompt_is_a_file_for_this_run(world: World) -> None:
    """The CLI is told where it lies; it works in the user's home too, and goes at the end."""
    with world.launch(system_prompt="Be brief.", home="user") as launch:
        path = Path(launch.env["GEMINI_SYSTEM_MD"])
        assert path.read_text() == "Be brief."
    assert not path.exists()


def test_the_users_own_home_is_left_alone(world: World) -> None:
    """With home="user" the CLI runs in it, and we change nothing there."""
    before = world.fingerprint()

    with world.launch(home="user", trust=True) as launch:
        assert "GEMINI_CLI_HOME" not in launch.env
        assert launch.chats == world.gemini
    with world.launch("0.34.0", home="user", trust=True) as launch:
        listed = json.loads(Path(launch.env["GEMINI_CLI_TRUSTED_FOLDERS_PATH"]).read_text())
        assert listed == {str(world.project): "TRUST_FOLDER"}

    assert world.fingerprint() == before
    assert world.left_behind() == []


@pytest.mark.parametrize("registered", [True, False])
def test_a_chat_is_resumed_from_a_copy(world: World, registered: bool) -> None:
    """The chats of the folder are copied: the CLI's clean-up after a resume deletes them."""
    cwd = str(world.project)
    slug = "project" if registered else hashlib.sha256(cwd.encode()).hexdigest()
    chats = world.gemini / "tmp" / slug / "chats"
    chats.mkdir(parents=True)
    (chats / "session-1.jsonl").write_text("{}")
    if registered:
        registry = json.dumps({"projects": {cwd: slug, "/other": "other"}})
        (world.gemini / "projects.json").write_text(registry)

    with world.launch(resume="latest") as launch:
        copy = launch.chats / "tmp" / slug / "chats" / "session-1.jsonl"
        copy.unlink()
        assert "--resume=latest" in launch.argv
    assert (chats / "session-1.jsonl").exists()


def test_a_folder_without_chats_cannot_be_resumed(world: World) -> None:
    """The CLI would end with status 42; it is told before, and nothing is left behind."""
    with pytest.raises(UsageError, match="no chat of the folder"):
        world.launch(resume="latest")

    assert world.left_behind() == []


@pytest.mark.parametrize(
    ("text", "seen"),
    [("{", "is not JSON: .*line 1"), ("[]", "holds a list"), ("\n{'a': 1}", "line 2 column 2")],
)
def test_broken_settings_are_named_with_the_place(world: World, text: str, seen: str) -> None:
    """Settings that cannot be read are an error with the file and the line; nothing is left."""
    (world.gemini / "settings.json").write_text(text)

    with pytest.raises(CliError, match=seen) as caught:
        world.launch()

    assert str(world.gemini / "settings.json") in caught.value.message
    assert "home='user'" in caught.value.message
    assert world.left_behind() == []


def test_a_place_that_cannot_be_written_to_is_named(world: World) -> None:
    """Without a folder for temporary files there is no session, and the message says so."""
    world.env["TMPDIR"] = str(world.temporary / "none")

    with pytest.raises(CliError, match="no folder for this session could be made"):
        world.launch()


def test_sessions_share_nothing(world: World) -> None:
    """Two runs at once have two homes, and the end of one does not touch the other."""
    with world.launch() as one, world.launch() as other:
        assert one.marks != other.marks
        one.close()
        assert (other.chats / "settings.json").is_file()


def test_a_forgotten_launch_is_removed(world: World) -> None:
    """A session that nobody closed leaves nothing: not when it is collected, nor at exit."""
    world.launch()
    gc.collect()
    assert world.left_behind() == []

    code = "import geminipty.launch as it, geminipty; x = it.prepare(geminipty.Options())"
    env = {**world.env, "PYTHONPATH": os.pathsep.join(sys.path)}
    subprocess.run([sys.executable, "-c", code], env=env, cwd=world.project, check=True)
    assert world.left_behind() == []


def test_what_a_run_left_locked_goes_and_what_it_links_to_stays(
    world: World, tmp_path: Path
) -> None:
    """A folder that tools made read-only is removed; nothing behind a link is touched."""
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "kept").write_text("")
    outside.chmod(0o500)
    launch = world.launch()
    (folder,) = world.temporary.iterdir()
    (folder / "locked" / "below").mkdir(parents=True)
    (folder / "locked" / "link").symlink_to(outside)
    (folder / "locked" / "below" / "file").write_text("")
    (folder / "locked" / "below").chmod(0o500)
    (folder / "locked").chmod(0o500)

    launch.close()

    assert world.left_behind() == []
    assert (outside / "kept").exists()
    assert stat.S_IMODE(outside.stat().st_mode) == 0o500
    outside.chmod(0o700)


def test_a_link_in_the_place_of_the_folder_is_removed_alone(world: World, tmp_path: Path) -> None:
    """Who could put a link where our folder was does not make us remove or open another one."""
    outside = tmp_path / "outside"
    (outside / "below").mkdir(parents=True)
    (outside / "below").chmod(0o500)
    launch = world.launch()
    (folder,) = world.temporary.iterdir()
    folder.rename(tmp_path / "away")
    folder.symlink_to(outside)

    launch.close()

    assert world.left_behind() == []
    assert stat.S_IMODE((outside / "below").stat().st_mode) == 0o500


def test_a_folder_goes_however_deep_it_is(tmp_path: Path) -> None:
    """Neither a path nor our descriptors reach so far; links lead nowhere."""
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "kept").write_text("")
    folder = Folder(tmp_path)
    place = os.open(folder.path, os.O_RDONLY)
    name = "a folder in a folder " * 10
    for _ in range(150):
        os.symlink(outside, "link", dir_fd=place)
        os.close(os.open("file", os.O_CREAT, dir_fd=place))
        os.mkdir(name, dir_fd=place)
        below = os.open(name, os.O_RDONLY, dir_fd=place)
        os.fchmod(place, 0o500)
        os.close(place)
        place = below
    os.close(place)

    with spare_descriptors(3):
        folder.remove()

    assert list(tmp_path.iterdir()) == [outside]
    assert (outside / "kept").exists()


def test_a_folder_goes_while_others_remove_what_is_in_it(tmp_path: Path) -> None:
    """What is gone before we come to it is no reason to stop: who dies tidies up too."""
    folder = Folder(tmp_path)
    for number in range(2000):
        os.close(os.open(folder.path / str(number), os.O_CREAT))
    paths = list(folder.path.iterdir())

    def tidy() -> None:
        for path in paths:  # we begin at the other end
            path.unlink(missing_ok=True)

    other = threading.Thread(target=tidy)
    other.start()
    folder.remove()
    left = list(tmp_path.iterdir())
    other.join()

    assert left == []


def test_a_sweep_asks_once_which_boot_this_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A temporary folder may hold thousands of names; the question is counted, answered as ever."""
    asked, boot = [], remains.boot()

    def asks() -> str:
        asked.append(boot)
        return boot

    monkeypatch.setattr(remains, "boot", asks)
    for number in range(100):
        (tmp_path / f"{remains.PREFIX}{boot}-{number}").mkdir()

    remains.sweep(str(tmp_path))

    assert asked == [boot]
    assert list(tmp_path.iterdir()) == []


def test_threads_that_end_a_run_at_once_close_nothing_of_others(tmp_path: Path) -> None:
    """Its lock is let go of once: the number of a descriptor may be another file's by then."""
    raised: list[BaseException] = []

    def remove(folder: Folder, together: threading.Barrier) -> None:
        together.wait()
        try:
            folder.remove()
        except OSError as error:
            raised.append(error)

    for _ in range(200):
        folder, together = Folder(tmp_path), threading.Barrier(4)
        threads = [threading.Thread(target=remove, args=(folder, together)) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    assert raised == []
    assert list(tmp_path.iterdir()) == []


def test_a_forked_child_removes_nothing(world: World) -> None:
    """The home belongs to the process that made it."""
    launch = world.launch()

    pid = os.fork()
    if pid == 0:
        launch.close()
        os._exit(0)
    assert os.waitpid(pid, 0)[1] == 0

    assert launch.chats.is_dir()
    launch.close()
    assert world.left_behind() == []


#: Prepares a run and is killed; with an argument, there is no supervisor to see that.
KILLED = """
import os, signal, sys
if sys.argv[1:]:
    sys.frozen = True
import geminipty, geminipty.launch
one = geminipty.launch.prepare(geminipty.Options())
assert one.chats.is_dir()
os.kill(os.getpid(), signal.SIGKILL)
"""


def killed(world: World, *words: str) -> None:
    """A Python that prepares a run and is killed."""
    env = {**world.env, "PYTHONPATH": os.pathsep.join(sys.path)}
    code = [sys.executable, "-c", KILLED, *words]
    assert subprocess.run(code, env=env, cwd=world.project, check=False).returncode == -9


def test_the_home_goes_when_we_are_killed(world: World) -> None:
    """The supervisor removes it."""
    killed(world)

    wait_for(lambda: world.left_behind() == [])


def test_the_home_of_a_dead_run_goes_with_the_next_start(world: World, tmp_path: Path) -> None:
    """What nobody could remove is removed then; what is alive, a stranger's or no home stays."""
    alive = world.launch()
    killed(world, "alone")
    (dead,) = {*world.left_behind()} - {alive.chats.parents[1].name}
    others = ["geminipty-0123456789ab-0123456789abcdef", "geminipty-notes", dead[:23] + "link"]
    for name in others[:2]:
        (world.temporary / name).mkdir()
    (world.temporary / others[2]).symlink_to(tmp_path)

    killed(world)

    wait_for(lambda: {*world.left_behind()} == {alive.chats.parents[1].name, *others})
    assert alive.chats.is_dir()
    alive.close()


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('{"a": 1, // one\n "b": [1, 2,], /* two\n */ }', {"a": 1, "b": [1, 2]}),
        ('{"url": "http://x/*y*/", "q": "\\"//,]"}', {"url": "http://x/*y*/", "q": '"//,]'}),
        ('\ufeff{"a": [1, /* , */ ] // end\n}', {"a": [1]}),
        ("// nothing but\n{}", {}),
    ],
)
def test_settings_with_comments_are_understood(text: str, value: Any) -> None:
    """Comments and trailing commas are read over, and never inside a string."""
    assert parse(text) == value


@pytest.mark.parametrize("text", ['{"a": }', "/* open", '{"a" 1}', "{} {}"])
def test_what_is_not_json_stays_wrong(text: str) -> None:
    """Only comments and trailing commas are forgiven."""
    with pytest.raises(ValueError, match="line"):
        parse(text)
