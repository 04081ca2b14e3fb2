"""The pytest plugin, end to end: each test here is a run of pytest over tests of a user."""

import re
import shlex
import shutil
import stat
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from geminipty.pytest_plugin.places import file_name
from tests.faces import TOY, Place, toys
from tests.leaks import nothing_left

pytest_plugins = ["pytester"]

#: As a user runs it who wants to hear of everything.
STRICT = ("-p", "no:cacheprovider", "-W", "error", "--strict-markers")
REPLY = "A part and the whole."
ASKS = """
def test_ask(gemini):
    assert gemini.ask("hello").text == "A part and the whole."
"""
#: A key by its form, in pieces, so that no scanner takes this file for a leak.
BY_FORM = "gh" + "p_" + "R4k8Wm2Xq7Zt5Vb1Lc9Nf3Hd6Ps0Jy4Gk8Tw"
FAILS = ASKS + "    assert gemini.turns == 'none'\n"


class Project:
    """A user's tests, and a toy in the place of the CLI."""

    def __init__(self, pytester: pytest.Pytester, place: Place) -> None:
        self.root = pytester.path
        self._pytester = pytester
        self._place = place
        self._toy = self.root / "toy.py"
        shutil.copy(TOY, self._toy)

    def write(
        self,
        tests: str,
        module: str = "test_talk",
        *,
        first: str = "",
        mark: str = "",
        says: str = REPLY,
    ) -> None:
        """Write a module of tests; its marker names the toy, before which a shell runs `first`."""
        toy: tuple[str, ...] = (sys.executable, "-S", "-E", str(self._toy), f"says={says}")
        command = ("/bin/sh", "-c", f"{first}; exec {shlex.join(toy)}") if first else toy
        chosen = {**self._place.options(), "command": command}
        named = {name: chosen[name] for name in ("command", "env", "size", "timeout")}
        marks = ", ".join([*(f"{name}={value!r}" for name, value in named.items()), mark])
        imports = "import pytest\nfrom geminipty.standin import Say\n"
        head = f"{imports}pytestmark = pytest.mark.gemini({marks})\n"
        (self.root / f"{module}.py").write_text(head + tests)

    def run(self, *arguments: str) -> pytest.RunResult:
        """Run the tests in this process."""
        return self._pytester.runpytest_inprocess(*STRICT, *arguments)

    def run_apart(self, *arguments: str) -> pytest.RunResult:
        """Run the tests in a process of their own."""
        return self._pytester.runpytest_subprocess(*STRICT, *arguments)

    def record(self, tests: str = ASKS) -> Path:
        """Write tests, record them, and return the recording of the first."""
        self.write(tests)
        self.run("--gemini-record=new").assert_outcomes(passed=tests.count("def test_"))
        return self.recordings[0]

    def remove_cli(self) -> None:
        """From now on nothing can be started."""
        self._toy.unlink()

    @property
    def starts(self) -> int:
        """How often the CLI was started."""
        return sum(line.startswith("pid ") for line in self._place.log)

    @property
    def recordings(self) -> list[Path]:
        """What is beside the tests, whatever it is called."""
        return sorted(path for path in (self.root / "recordings").rglob("*") if path.is_file())

    @property
    def artifacts(self) -> list[str]:
        """What failing tests left, but for the file that keeps it from git."""
        found = sorted((self.root / ".pytest-gemini").rglob("*.cast"))
        return [str(path.relative_to(self.root)) for path in found]


@pytest.fixture
def project(
    pytester: pytest.Pytester, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Project]:
    """A user's project; nothing runs or is open in the end."""
    place = Place(tmp_path_factory.mktemp("place"))
    with nothing_left():
        yield Project(pytester, place)
    assert toys(place) == []
    assert list(place.temporary.iterdir()) == []


def test_what_was_recorded_is_replayed_without_a_cli(project: Project) -> None:
    """A test recorded with --gemini-record=new passes by default, and no CLI is there."""
    recording = project.record()
    project.remove_cli()

    result = project.run()

    result.assert_outcomes(passed=1)
    assert project.starts == 1
    assert recording == project.root / "recordings" / "test_talk" / "test_ask.cast"
    assert project.artifacts == []


def test_a_run_starts_no_cli_unless_told_to(project: Project) -> None:
    """Without a recording the test fails, starts nothing, and names the one command that helps."""
    project.write(ASKS)

    result = project.run()

    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(
        [
            "*no recording, and --gemini-record=none starts no CLI.",
            "  looked for: recordings/test_talk/test_ask.cast",
            'To record it: pytest --gemini-record=new "test_talk.py::test_ask"',
        ]
    )
    assert project.starts == 0
    assert project.recordings == []


def test_the_command_that_is_named_does_it(project: Project) -> None:
    """For whatever parameters, the command as a shell reads it records this test and no other."""
    ids = ["it's", "a/b", "$HOME `x` !", 'say "so"', "ä", "plain"]
    project.write(
        f"@pytest.mark.parametrize('word', {ids!r})\n"
        "class TestWords:\n"
        "    def test_ask(self, gemini, word):\n"
        "        assert gemini.ask('hello')\n"
    )
    said = project.run().stdout.str()  # in CI pytest says it again in its summary
    told = set(re.findall(r"^To record it: pytest (.*)$", said, re.MULTILINE))

    for arguments in told:
        project.run(*shlex.split(arguments)).assert_outcomes(passed=1)

    assert len(told) == project.starts == len(project.recordings) == len(ids)
    assert 'new "test_talk.py::TestWords::test_ask[plain]"' in " ".join(told)
    project.run().assert_outcomes(passed=len(ids))


def test_a_command_is_named_as_it_must_be_typed_here(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who runs pytest in a folder below the root gets a command for that folder."""
    (project.root / "pytest.ini").write_text("[pytest]\n")
    (project.root / "below").mkdir()
    project.write(ASKS)
    monkeypatch.chdir(project.root / "below")

    result = project.run("../test_talk.py")

    result.stdout.fnmatch_lines(['*: pytest --gemini-record=new "../test_talk.py::test_ask"'])


def test_the_folder_for_artifacts_is_named_from_here(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A relative folder is one below where pytest was started, as in any command."""
    (project.root / "pytest.ini").write_text("[pytest]\n")
    (project.root / "below").mkdir()
    project.record()
    project.write(FAILS)
    monkeypatch.chdir(project.root / "below")

    project.run("../test_talk.py", "--gemini-artifacts=kept").assert_outcomes(failed=1)

    assert (project.root / "below" / "kept" / "test_talk" / "test_ask.cast").is_file()


def test_new_records_what_is_missing_and_replays_the_rest(project: Project) -> None:
    """--gemini-record=new leaves a recording that is there as it is, and says what it does."""
    recording = project.record()
    before = recording.read_bytes()
    project.write(ASKS + ASKS.replace("test_ask", "test_more"))

    result = project.run("--gemini-record=new")

    result.assert_outcomes(passed=2)
    result.stdout.fnmatch_lines(["gemini: --gemini-record=new, into recordings/ beside the tests*"])
    assert project.starts == 2
    assert recording.read_bytes() == before
    assert [path.name for path in project.recordings] == ["test_ask.cast", "test_more.cast"]


def test_rewrite_records_all_that_is_selected(project: Project) -> None:
    """--gemini-record=rewrite replaces the recordings of the tests that run, and no other."""
    project.record(ASKS + ASKS.replace("test_ask", "test_more"))
    ask, more = (path.read_bytes() for path in project.recordings)

    project.run("--gemini-record=rewrite", "-k", "more").assert_outcomes(passed=1, deselected=1)

    now = [path.read_bytes() for path in project.recordings]
    assert now[0] == ask
    assert now[1] != more


def test_another_prompt_is_a_mismatch_that_names_its_remedy(project: Project) -> None:
    """A test that changed fails with the recorded and the new prompt, and the command to use."""
    project.record()
    project.write(ASKS.replace("hello", "good day"))

    result = project.run()

    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*hello*", "*good day*"])
    result.stdout.fnmatch_lines(
        ['*To record it again: pytest --gemini-record=rewrite "test_talk.py::test_ask"']
    )


def test_match_lets_a_prompt_stand_for_another(project: Project) -> None:
    """The marker's `match` decides, as that of GeminiSession.replay does; the nearest wins."""
    project.record()
    nearest = "@pytest.mark.gemini(match=lambda recorded, asked: asked == recorded.upper())"
    project.write(nearest + ASKS.replace("hello", "HELLO"), mark="match=None")

    project.run().assert_outcomes(passed=1)


def test_a_failure_shows_the_last_screen_and_keeps_its_recording(project: Project) -> None:
    """The report of a replayed test has the screen in a box and the path of a copy."""
    recording = project.record()
    project.write(FAILS)

    result = project.run()

    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(
        [
            "*- gemini screen -*",
            "╭*╮",
            "│ > hello*│",
            "│✦ A part and the whole.*│",
            "╰*╯",
            "recording of what was replayed: .pytest-gemini/test_talk/test_ask.cast",
        ]
    )
    kept = project.root / ".pytest-gemini" / "test_talk" / "test_ask.cast"
    assert kept.read_bytes() == recording.read_bytes()
    assert (project.root / ".pytest-gemini" / ".gitignore").read_text() == "*\n"


def test_a_report_shows_no_secret_and_steers_nobody(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What the artifact hides is hidden in the report too, and what the model said is only text."""
    monkeypatch.setenv("HARBOUR_TOKEN", "violet-harbour-quartz")
    says = f"{BY_FORM} violet-harbour-quartz A\u202eB"
    project.write(
        'def test_ask(gemini):\n    gemini.ask("hello")\n    assert 0\n'
        'def test_refused(gemini):\n    gemini.ask("!" + "violet" + "-harbour-quartz")\n',
        says=says,
    )

    result = project.run("--gemini-record=new", "-W", "error", "--tb=short")

    result.assert_outcomes(failed=2)
    said = result.stdout.str()
    assert f"│✦ {'█' * 40} {'█' * 21} A⟨U+202E⟩B" in said
    assert [one for one in (BY_FORM, "violet-harbour-quartz", "\u202e") if one in said] == []
    kept = project.root / ".pytest-gemini" / "test_talk" / "test_ask.cast"
    assert BY_FORM not in kept.read_text()


HELD = """
import os

def deploy(gemini, key):
    gemini.ask("deploy with " + key)

def test_ask(gemini):
    gemini.ask("deploy with " + os.environ["HARBOUR_TOKEN"])

def test_helped(gemini):
    deploy(gemini, os.environ["HARBOUR_TOKEN"])

def test_chained(gemini):
    try:
        deploy(gemini, os.environ["HARBOUR_TOKEN"])
    except Exception as error:
        raise ValueError(os.environ["HARBOUR_TOKEN"] + "\\x1b[2J") from error

def test_compared(gemini):
    key = os.environ["HARBOUR_TOKEN"]
    assert gemini.turns == key
"""


@pytest.mark.parametrize(
    "style", [(), ("-l",), ("--tb=long", "-l"), ("--tb=short", "-l"), ("--tb=native",), ("-vv",)]
)
def test_a_traceback_ends_in_the_users_lines_and_shows_no_secret(
    project: Project, monkeypatch: pytest.MonkeyPatch, style: tuple[str, ...]
) -> None:
    """Arguments and variables are printed with it: none of ours, and of the user's no secret."""
    monkeypatch.setenv("HARBOUR_TOKEN", "violet-harbour-quartz")
    project.write(ASKS, mark="story='one'")
    project.run("--gemini-record=new").assert_outcomes(passed=1)
    project.write(HELD, mark="story='one'")

    result = project.run(*style)

    result.assert_outcomes(failed=4)
    said = result.stdout.str()
    assert "ask('deploy with █████████████████████') was not recorded" in said
    assert [one for one in ("violet-harbour-quartz", "\x1b[2J") if one in said] == []
    if style != ("--tb=native",):
        assert "geminipty/session.py" not in said
        assert re.search("test_talk.py:11: (ReplayMismatch|in test_ask)", said)


def test_what_is_kept_is_its_owners_alone(project: Project) -> None:
    """Recordings and artifacts are 0600, the folders made for them 0700, whatever the umask."""
    project.record()
    project.write(FAILS)
    project.run().assert_outcomes(failed=1)
    project.run("--gemini-record=rewrite").assert_outcomes(failed=1)

    folders = [project.root / name for name in (".pytest-gemini", "recordings")]
    made = [path for folder in folders for path in (folder, *folder.rglob("*"))]
    modes = {path: stat.S_IMODE(path.stat().st_mode) for path in made}

    assert len([path for path in made if path.is_file()]) == 3
    assert {mode for path, mode in modes.items() if path.is_file()} == {0o600}
    assert {mode for path, mode in modes.items() if path.is_dir()} == {0o700}


@pytest.mark.parametrize(
    ("tests", "outcome"),
    [
        pytest.param(FAILS, {"failed": 1}, id="test"),
        pytest.param(
            "@pytest.fixture\ndef fails(gemini):\n    gemini.ask('hello')\n    yield\n"
            "    assert 0\ndef test_ask(fails):\n    pass\n",
            {"passed": 1, "errors": 1},
            id="fixture",
        ),
        pytest.param(
            "def test_ask(gemini, gemini_standin):\n    gemini_standin([Say('never asked for')])\n"
            "    gemini.ask('hello')\n",
            {"passed": 1, "errors": 1},
            id="script",
        ),
    ],
)
def test_a_failure_is_not_recorded(project: Project, tests: str, outcome: dict[str, int]) -> None:
    """The recording of a test that fails while it is made is an artifact and not the test's."""
    project.write(tests)

    result = project.run("--gemini-record=new")

    result.assert_outcomes(**outcome)
    result.stdout.fnmatch_lines(["recording of this run: .pytest-gemini/test_talk/test_ask.cast"])
    assert project.recordings == []
    assert project.artifacts == [".pytest-gemini/test_talk/test_ask.cast"]
    project.run("--gemini-artifacts=elsewhere").assert_outcomes(failed=1)


def test_rewrite_keeps_the_old_recording_of_a_test_that_fails(project: Project) -> None:
    """What was there stays, to the byte, and the new run is in the chosen folder."""
    recording = project.record()
    before = recording.read_bytes()
    project.write(FAILS)
    shutil.rmtree(project.root / ".pytest-gemini")

    project.run("--gemini-record=rewrite", "--gemini-artifacts=kept").assert_outcomes(failed=1)

    assert project.recordings == [recording]
    assert recording.read_bytes() == before
    new = project.root / "kept" / "test_talk" / "test_ask.cast"
    assert new.read_bytes() != before
    assert not (project.root / "kept" / ".gitignore").exists()
    assert not (project.root / ".pytest-gemini").exists()
    assert project.starts == 2


@pytest.mark.parametrize(
    ("last", "outcome", "kept"),
    [
        ("pytest.skip('enough')", {"skipped": 1}, []),
        ("pytest.xfail('as expected')", {"xfailed": 1}, ["test_ask.cast"]),
    ],
)
def test_a_test_that_is_left_halfway_has_no_recording(
    project: Project, last: str, outcome: dict[str, int], kept: list[str]
) -> None:
    """A skip within the test keeps nothing; a failure that was expected is what it should be."""
    project.write(f"{ASKS}    {last}\n")

    project.run("--gemini-record=new").assert_outcomes(**outcome)

    assert [path.name for path in project.recordings] == kept
    assert project.artifacts == []


def test_a_run_that_is_stopped_keeps_what_it_has_as_an_artifact(project: Project) -> None:
    """A recording whose test nobody saw end is not the test's."""
    project.write(f"{ASKS}    pytest.exit('enough', returncode=7)\n")

    result = project.run("--gemini-record=new")

    assert result.ret == 7
    assert project.recordings == []
    assert project.artifacts == [".pytest-gemini/test_talk/test_ask.cast"]


def test_a_recording_that_cannot_be_read_is_not_a_missing_one(project: Project) -> None:
    """A damaged file fails the test with its line and the command, also where new ones are made."""
    recording = project.record()
    recording.write_text(recording.read_text() + "[0.1\n")

    for mode in ("none", "new"):
        result = project.run(f"--gemini-record={mode}")

        result.assert_outcomes(failed=1)
        result.stdout.fnmatch_lines(
            [
                "RecordingInvalid: line *",
                'To record it again: pytest --gemini-record=rewrite "test_talk.py::test_ask"',
            ]
        )
    assert project.starts == 1


@pytest.mark.parametrize(
    ("mark", "told"),
    [
        ("aprovals='deny'", "UsageError: *\n  aprovals: no such option; did you mean approvals?"),
        ("timeout=-1", "UsageError: *\n  timeout: *greater than 0*"),
        ("'name'", "pytest.mark.gemini takes keywords only*"),
        ("story='../x'", "pytest.mark.gemini: story='../x' is no name for a file.*"),
        ("record='x.cast'", "pytest.mark.gemini: record is for the plugin to choose.*"),
    ],
)
def test_a_wrong_marker_fails_its_test_in_every_mode(
    project: Project, mark: str, told: str
) -> None:
    """The failure says what is wrong with the marker; nothing is started."""
    project.write(f"@pytest.mark.gemini({mark}){ASKS}def test_other():\n    pass\n")

    for mode in ("none", "rewrite"):
        result = project.run(f"--gemini-record={mode}")

        result.assert_outcomes(failed=1, passed=1)
        result.stdout.fnmatch_lines(told.split("\n"))
    assert project.starts == 0


def test_a_cli_that_does_not_start_fails_the_test(project: Project) -> None:
    """While recording, the error of the start is the failure, and no fixture is to blame."""
    project.write(ASKS)
    project.remove_cli()

    result = project.run("--gemini-record=new")

    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["CliExited: the CLI ended with status 2*", "*- gemini screen -*"])


@pytest.mark.parametrize("folder", ["", "chosen"])
def test_the_cli_works_in_the_folder_of_its_test(project: Project, folder: str) -> None:
    """Where nobody chose a cwd, the CLI that is recorded runs in tmp_path; a fixture can choose."""
    chooses = (
        "@pytest.fixture\ndef gemini_options(tmp_path):\n"
        "    (tmp_path / 'chosen').mkdir()\n"
        "    return {'cwd': tmp_path / 'chosen'}\n"
    )
    tests = (
        "def test_ask(gemini, tmp_path):\n"
        f"    folder = tmp_path / {folder!r}\n"
        "    assert (folder / 'here').read_text().strip() == str(folder)\n"
    )
    project.write(chooses * bool(folder) + tests, first="pwd > here")

    project.run("--gemini-record=new").assert_outcomes(passed=1)


ASYNC = """
import asyncio

async def talk(session):
    async with session:
        return await session.ask("hello")

def test_run(async_gemini):
    assert asyncio.run(talk(async_gemini)).text == "A part and the whole."

kept = []

def test_left_open(async_gemini):
    kept.append(async_gemini)

    async def main():
        await async_gemini.start()
        return await async_gemini.ask("hello")

    assert asyncio.run(main())
"""


def test_the_asynchronous_session_needs_no_other_plugin(project: Project) -> None:
    """async_gemini is recorded and replayed with asyncio.run, and closed if the test does not."""
    project.record(ASYNC)
    project.remove_cli()

    project.run().assert_outcomes(passed=2)

    assert project.starts == 2
    project.write("def test_run(gemini, async_gemini):\n    pass\n")
    result = project.run()
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["a test has one session: gemini or async_gemini, not both"])


def test_a_scripted_model_listens_only_while_it_is_recorded(project: Project) -> None:
    """gemini_standin leads the CLI to a StandIn; in a replay there is none, nor a script."""
    project.write(
        "@pytest.fixture\ndef gemini_options():\n    return {'env': {'MORE': 'x'}}\n"
        "def test_ask(gemini, gemini_standin, tmp_path):\n"
        "    if gemini_standin.api is None:\n"
        "        gemini_standin([Say('nobody asks')])\n"
        "    else:\n"
        "        led = (tmp_path / 'led').read_text().strip()\n"
        "        assert led == f'{gemini_standin.api.url} x'\n"
        "    gemini.ask('hello')\n",
        first="echo $GOOGLE_GEMINI_BASE_URL $MORE > led",
    )

    project.run("--gemini-record=new").assert_outcomes(passed=1)
    project.run().assert_outcomes(passed=1)

    assert len(project.recordings) == 1


def test_a_story_is_made_once_for_all_tests_that_name_it(project: Project) -> None:
    """Two tests may share a recording; parameters have one each."""
    story = "@pytest.mark.gemini(story='hello')"
    tests = story + ASKS + story + ASKS.replace("test_ask", "test_more")
    tests += (
        f"{story}\n@pytest.mark.parametrize('n', [1, 2])\n"
        + ASKS.replace("test_ask(gemini)", "test_each(gemini, n)").lstrip()
    )
    project.write(tests)

    project.run("--gemini-record=rewrite").assert_outcomes(passed=4)

    names = [path.name for path in project.recordings]
    assert names == ["hello+1.cast", "hello+2.cast", "hello.cast"]
    assert project.starts == 3


def test_another_folder_for_recordings_keeps_modules_apart(project: Project) -> None:
    """The ini option names a base; modules of one name in two folders do not share recordings."""
    (project.root / "pytest.ini").write_text(
        "[pytest]\ngemini_recordings = kept\naddopts = --import-mode=importlib\n"
    )
    for folder in ("one", "two"):
        (project.root / folder).mkdir()
        project.write(ASKS, f"{folder}/test_talk")

    project.run("--gemini-record=new").assert_outcomes(passed=2)

    found = sorted((project.root / "kept").rglob("*.cast"))
    assert [str(path.relative_to(project.root)) for path in found] == [
        "kept/one/test_talk/test_ask.cast",
        "kept/two/test_talk/test_ask.cast",
    ]
    project.run().assert_outcomes(passed=2)


UNUSED = ["*unused gemini recordings*", "recordings/test_talk/test_gone.cast"]


def test_a_recording_of_nobody_is_told(project: Project) -> None:
    """After a whole run it is listed, and fails it only if asked to; a skipped test has one."""
    recording = project.record(ASKS + ASKS.replace("test_ask", "test_skipped"))
    shutil.copy(recording, recording.with_name("test_gone.cast"))
    project.write(
        ASKS + "@pytest.mark.skip" + ASKS.replace("test_ask", "test_skipped") + "def test_z(): 0\n"
    )

    listed = project.run()
    failed = project.run("--gemini-unused=fail")

    listed.stdout.fnmatch_lines(UNUSED)
    assert listed.ret == pytest.ExitCode.OK
    assert failed.ret == pytest.ExitCode.TESTS_FAILED
    assert "test_skipped.cast" not in listed.stdout.str()
    for part in (["-k", "ask"], ["test_talk.py::test_ask", "test_talk.py::test_z"], ["--co"]):
        assert project.run("--gemini-unused=fail", *part).ret == pytest.ExitCode.OK
    (project.root / "test_broken.py").write_text("1 / 0\n")
    broken = project.run("--continue-on-collection-errors")
    broken.assert_outcomes(passed=2, skipped=1, errors=1)
    broken.stdout.no_fnmatch_line(UNUSED[0])


@pytest.mark.live
def test_workers_record_and_tell_what_they_used(project: Project) -> None:
    """With pytest-xdist each test has its recording, and what nobody used is told once, at last."""
    each = "@pytest.mark.parametrize('n', range(6))\n"
    project.write(each + "def test_ask(gemini, n):\n    assert gemini.ask(f'hello {n}')\n")

    project.run_apart("-n2", "--gemini-record=new").assert_outcomes(passed=6)
    recording = project.recordings[0]
    shutil.copy(recording, recording.with_name("test_gone.cast"))
    replayed = project.run_apart("-n2", "--gemini-unused=fail")

    assert project.starts == 6
    replayed.assert_outcomes(passed=6)
    replayed.stdout.fnmatch_lines(UNUSED)
    assert replayed.stdout.str().count(".cast") == 1
    assert replayed.ret == pytest.ExitCode.TESTS_FAILED


def test_a_run_without_our_tests_imports_nothing_of_ours(project: Project) -> None:
    """The plugin is there, and neither the session nor what it stands on was imported."""
    (project.root / "test_other.py").write_text(
        "import sys\n"
        "def test_other(request):\n"
        "    assert request.config.getoption('gemini_record') == 'none'\n"
        "    ours = {name for name in sys.modules if name.split('.')[0] == 'geminipty'}\n"
        "    assert {n for n in ours if 'pytest_plugin' not in n} == {'geminipty'}\n"
        "    assert not {'pexpect', 'pyte', 'pydantic', 'ptyprocess'} & set(sys.modules)\n"
    )

    project.run_apart().assert_outcomes(passed=1)


#: Ids that differ in what a file system may not care for.
IDS = st.text(alphabet=st.sampled_from("aAbB-_.+/ :ä"), max_size=8) | st.text(max_size=200)
STORIES = st.from_regex(r"[a-z_][a-z0-9_.-]{0,9}", fullmatch=True)


@given(st.tuples(STORIES, IDS), st.tuples(STORIES, IDS))
@example(("ask", "yes"), ("ask", "YES"))
@example(("ask", "a/b"), ("ask", "a b"))
@example(("ask", "x" * 300), ("ask", "x" * 301))
def test_two_tests_never_have_one_file(one: tuple[str, str], other: tuple[str, str]) -> None:
    """A name is safe, short, and another one for each test, also where case is not told apart."""
    names = [file_name(*one), file_name(*other)]

    assert all(re.fullmatch(r"[A-Za-z0-9_+-][A-Za-z0-9_.+-]{0,199}", name) for name in names)
    assert (names[0].lower() == names[1].lower()) == (one == other)
