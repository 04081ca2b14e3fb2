"""`geminipty record`, in a terminal and with prompts: the toy stands for the CLI."""

import argparse
import ast
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pexpect
import pytest

from geminipty.cli import main, parsed, parser
from geminipty.cli.recording import chosen
from geminipty.cli.words import ARGUMENTS, SAID
from geminipty.errors import RecordingInvalid
from geminipty.export.timeline import tell
from geminipty.options import Options
from geminipty.session import GeminiSession
from geminipty.transports.files import open_recording
from tests.faces import TOY, Place
from tests.leaks import nothing_left
from tests.playing import load

if TYPE_CHECKING:
    from collections.abc import Iterator

#: The person's terminal is pexpect's, which forks; these tests have no threads of their own.
pytestmark = pytest.mark.filterwarnings("ignore:.*forkpty:DeprecationWarning")

ROOT = Path(__file__).parent.parent
#: What only who writes Python can do.
PYTHON = re.compile(r"\w+=(?:True|['\"])|\w\(…?\)|error\.|`\w+_\w+`|\bcwd\b")
REPLY = "A part and the whole."


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Place:
    """The toy as a program of one word, and a home for it."""
    place = Place(tmp_path)
    for name, folder in (("HOME", place.home), ("TMPDIR", place.temporary)):
        monkeypatch.setenv(name, str(folder))
    monkeypatch.setenv("TOY_LOG", str(tmp_path / "toy.log"))
    monkeypatch.chdir(place.project)
    program = tmp_path / "gemini"
    words = shlex.join([sys.executable, "-S", "-E", str(TOY), "dialogs=1"])
    program.write_text(f"#!/bin/sh\nexec {words}\n")
    program.chmod(0o755)
    return place


@pytest.fixture
def by_hand(place: Place, tmp_path: Path) -> "Iterator[pexpect.spawn[str]]":
    """A person at a terminal who records."""
    assert place.project.is_dir()
    arguments = ["-m", "geminipty", "record", "story.cast", "--command", str(tmp_path / "gemini")]
    with nothing_left():
        child = pexpect.spawn(
            sys.executable, arguments, dimensions=(40, 80), encoding="utf-8", timeout=20
        )
        yield child
        child.close(force=True)


def test_a_person_records_in_their_own_terminal(
    place: Place, by_hand: "pexpect.spawn[str]"
) -> None:
    """Keys go in, the screen comes out, a new size arrives, and the terminal is as before."""
    by_hand.expect("Type your message")
    for key in "hello":
        by_hand.send(key)
    by_hand.expect("hello")
    by_hand.send("\r")
    by_hand.expect("Allow once")
    by_hand.send("\r")
    by_hand.expect("and the whole.*Ready")
    by_hand.setwinsize(30, 100)
    by_hand.expect("▄{100}")
    by_hand.send("\x04")
    by_hand.expect("again to exit")
    by_hand.send("\x04")
    by_hand.expect("recorded: story.cast")
    by_hand.expect(pexpect.EOF)
    by_hand.wait()

    assert by_hand.exitstatus == 0
    assert place.prompts == ["hello"]
    path = place.project / "story.cast"
    header, events = load(path)
    assert (header.columns, header.lines) == (80, 40)
    assert [event.data for event in events if event.code in "rx"] == ["100x30", "0"]
    with open_recording(path) as recording:
        assert [turn.reply.text for turn in tell(recording).turns] == [REPLY]
    with pytest.raises(RecordingInvalid, match="made by hand"):
        GeminiSession.replay(path)
    assert list(place.temporary.iterdir()) == []


def test_prompts_are_asked_and_their_replies_printed(
    place: Place, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """What was recorded so can be replayed."""
    command = ["record", "story.cast", "--command", str(tmp_path / "gemini")]

    status = main([*command, "--approvals", "allow", "--ask", "one", "--ask", "two"])

    assert status == 0
    assert capsys.readouterr().out == f"{REPLY}\n{REPLY}\n"
    assert place.prompts == ["one", "two"]
    with GeminiSession.replay("story.cast", approvals="allow") as session:
        assert session.ask("one").text == REPLY


def test_what_goes_wrong_is_said_and_the_recording_is_kept(
    place: Place, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """An open dialog is an error with status 1; a recording that is there is not written over."""
    command = ["record", "story.cast", "--command", str(tmp_path / "gemini"), "--ask", "one"]

    assert main(command) == 1
    first = capsys.readouterr().err
    assert main(command) == 1
    second = capsys.readouterr().err

    assert "nobody said how to answer" in first
    assert "Give --approvals allow or --approvals deny" in first
    assert "story.cast" in first
    assert "there is a recording already" in second
    assert "replace it: --force" in second
    assert not PYTHON.search(first + second)
    assert place.prompts == ["one"]
    assert load(place.project / "story.cast")[1]


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["--ask", "/help"], "give it by hand: without --ask"),
        (["--ask", "fine", "--ask", "not\x03fine"], "takes for a key"),
        (["--ask", "one", "--", "--list-sessions"], "FLAGS.0: --list-sessions cannot be used"),
        (["--ask", "one", "--", "one"], "FLAGS.0: must be flags"),
        (["--ask", "one", "--", "--skip-trust"], "use --trust"),
        (["--ask", "one", "--model", "x y"], "--model: a model's name has no spaces"),
        (["--ask", "one", "--", "--sandbox=none"], "sandbox: must be True, False"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_what_is_refused_leaves_nothing(
    place: Place,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    words: list[str],
    says: str,
) -> None:
    """A prompt or a flag that cannot be given is told before the CLI starts: no half of a file."""
    status = main(["record", "story.cast", "--command", str(tmp_path / "gemini"), *words])

    assert status == 1
    said = capsys.readouterr().err
    assert says in said
    assert not PYTHON.search(said)
    assert place.log == []
    assert list(place.project.iterdir()) == []


def test_a_start_that_fails_leaves_no_recording(
    place: Place, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The question about trust is told with the flag that answers it; the next try is free."""
    program = tmp_path / "gemini"
    program.write_text(program.read_text().replace("dialogs=1", "trust"))
    command = ["record", "story.cast", "--command", str(program), "--ask", "one"]

    assert main(command) == 1

    said = capsys.readouterr().err
    assert "Give --trust if you know what is in the folder" in said
    assert not PYTHON.search(said)
    assert list(place.project.iterdir()) == []
    assert main([*command, "--trust"]) == 0
    assert load(place.project / "story.cast")[1]


def test_a_run_by_hand_that_never_began_leaves_no_recording(
    place: Place, tmp_path: Path, by_hand: "pexpect.spawn[str]"
) -> None:
    """A person who typed nothing to a CLI that ended at once has nothing to look at."""
    by_hand.close(force=True)
    program = tmp_path / "gemini"
    program.write_text("#!/bin/sh\nexit 3\n")
    arguments = ["-m", "geminipty", "record", "other.cast", "--command", str(program)]

    child = pexpect.spawn(sys.executable, arguments, encoding="utf-8", timeout=20)
    child.expect("nothing recorded")
    child.expect(pexpect.EOF)
    child.wait()

    assert child.exitstatus == 3
    assert not (place.project / "other.cast").exists()


@pytest.mark.parametrize(
    ("flags", "options"),
    [
        (["--sandbox", "-d", "--yolo"], {"sandbox": True, "debug": True, "approval_mode": "yolo"}),
        (["--sandbox=docker", "--resume", "--policy=a,b"], {"sandbox": "docker",
         "resume": "latest", "policies": ["a", "b"]}),
        (["--checkpointing", "-m=x", "--sandbox=false"], {"extra_args": ["--checkpointing"],
         "model": "x", "sandbox": False}),
        (["--", "--extensions=", "-e=a"], {"extra_args": ["--"], "extensions": ["a"]}),
    ],
)  # fmt: skip
def test_a_flag_with_an_option_chooses_the_option(
    flags: list[str], options: dict[str, object]
) -> None:
    """What the CLI's own flags would do is done; all others are handed on."""
    given = parsed(["record", "x.cast", "--ask", "one", "--", *flags])

    assert chosen(given).items() >= options.items()


def commands() -> dict[str, argparse.ArgumentParser]:
    """The parser of each command."""
    (action,) = (one for one in parser()._actions if isinstance(one.choices, dict))
    assert isinstance(action.choices, dict)
    return action.choices


EXAMPLES = [
    example.strip()
    for command in commands().values()
    for example in (command.epilog or "").splitlines()[1:]
    if example.strip()
]


@pytest.mark.parametrize("example", EXAMPLES)
def test_every_example_of_a_help_can_be_given(example: str) -> None:
    """It is parsed as it stands, and its bundled recordings are there."""
    command = re.split(r" {2,}| +[|(]", example)[0]
    program, *words = shlex.split(command)

    given = parsed(words)

    assert program == "geminipty"
    for word in words:
        assert not word.startswith("recordings/") or (ROOT / word).exists()
    if words[0] == "record":
        Options.of(**chosen(given))


def test_every_command_has_examples() -> None:
    """So that the test above has something to look at."""
    assert len(commands()) > 8
    assert all((one.epilog or "").count("  geminipty ") for one in commands().values())


@pytest.mark.parametrize("python", SAID)
def test_what_the_command_line_says_otherwise_is_said_somewhere(python: str) -> None:
    """Each phrase of the table stands in a text of the package, word for word."""
    assert any(python in text for text in TEXTS)


def test_arguments_stand_for_options_that_are_there() -> None:
    """Each name of the table is an option, and its argument is one of `record`."""
    arguments = commands()["record"].format_help()

    assert set(ARGUMENTS) <= set(Options.model_fields)
    assert all(one in arguments for one in ARGUMENTS.values())


def texts() -> list[str]:
    """All texts of the package but those of the command line, as Python reads them."""
    files = [path for path in (ROOT / "geminipty").rglob("*.py") if path.parent.name != "cli"]
    nodes = (node for path in files for node in ast.walk(ast.parse(path.read_text("utf-8"))))
    return [
        one.value for one in nodes if isinstance(one, ast.Constant) and isinstance(one.value, str)
    ]


TEXTS = texts()


def test_without_a_terminal_prompts_are_needed(place: Place, tmp_path: Path) -> None:
    """The error says so; nothing is started or written."""
    command = [sys.executable, "-m", "geminipty", "record", "story.cast"]

    done = subprocess.run(
        [*command, "--command", str(tmp_path / "gemini")],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode == 1
    assert "give prompts with --ask" in done.stderr
    assert list(place.project.iterdir()) == []
    assert place.log == []
