"""`geminipty replay-cli` in a real pseudo-terminal, driven by programs of all kinds."""

import json
import os
import signal
import subprocess
import sys
import termios
from collections.abc import Iterator
from pathlib import Path

import pytest

from geminipty.errors import CliExited
from geminipty.launch.find import find
from geminipty.launch.strangers import Gate
from geminipty.options import Deadlines
from geminipty.transports.pty import Pty

from .conftest import RECORDINGS
from .faces import Place, Sync
from .leaks import nothing_left
from .test_cli import geminipty
from .test_pty import read_all, read_until

HELLO = RECORDINGS / "0.61.0" / "hello.cast"
COMMAND = Path(sys.executable).parent / "geminipty"
HEADER = '{"version":3,"term":{"cols":80,"rows":24}}\n'
#: Types the recorded keys when the screen asks for them, and prints what the model said.
NODE = r"""
const { spawn } = require("node:child_process");
const child = spawn("script", ["-qefc", process.argv[1], "/dev/null"]);
let seen = "";
const steps = [["Type your message", "say hello"], ["> say hello", "\r"]];
child.stdout.on("data", (data) => {
  seen += data;
  if (steps.length && seen.replace(/\x1b\[[0-9;]*[a-zA-Z]/g, "").includes(steps[0][0])) {
    child.stdin.write(steps.shift()[1]);
  }
});
child.on("exit", (status) => {
  console.log(JSON.stringify([status, /Hello! How can I help you today\?/.test(seen)]));
});
"""


@pytest.fixture(autouse=True)
def clean() -> Iterator[None]:
    """Every test here leaves nothing behind."""
    with nothing_left():
        yield


def run(*argv: object, path: str = os.defpath) -> Pty:
    """A program in a pseudo-terminal."""
    env = {"PATH": path, "LC_ALL": "C.UTF-8", "TERM": "xterm-256color"}
    return Pty(tuple(map(str, argv)), env=env, cwd=Path("/"), columns=100, lines=40)


def replay(*words: object) -> Pty:
    """The command in a pseudo-terminal."""
    return run(COMMAND, "replay-cli", *words)


def cast(folder: Path, *events: object, header: str = HEADER) -> Path:
    """A recording of these events."""
    path = folder / "made.cast"
    path.write_text(header + "".join(json.dumps(event) + "\n" for event in events))
    return path


def status_of(pty: Pty) -> int | None:
    """How the command ended."""
    read_all(pty)
    pty.close()
    return pty.status


def test_the_recorded_keys_bring_the_recorded_answer() -> None:
    """Typed as recorded, with arguments that a driver passes, it answers and ends with 0."""
    pty = replay("--speed=20", HELLO, "--model=gemini-2.5-pro", "--yolo")
    shown = read_until(pty, "Type your message")
    assert "How can I help" not in shown

    pty.send("\x1b[200~say hello\x1b[201~")
    read_until(pty, "say hello")
    pty.send("\x1b[?62;22c\r")

    rest = read_all(pty)
    assert "Hello! How can I help you today?" in rest
    assert pty.status == 0
    pty.close()


def test_another_key_is_told_on_the_terminal_with_status_3() -> None:
    """What was expected, what came and when; the modes that the recording set are undone."""
    pty = replay(HELLO, "--speed", "max")
    read_until(pty, "Type your message")

    pty.send("say hi")

    said = read_all(pty)
    assert "at 6.814 s of the recording 'say hello' was to be typed, and 'say h' was" in said
    assert "but then came 'i'" in said
    assert f"recording: {HELLO}" in said.replace("\r\n", "")
    assert "\x1b[?2004l" in said
    assert pty.status == 3
    pty.close()


@pytest.mark.parametrize(
    ("recorded", "status"),
    [("0", 0), ("41", 41), ("-15", -15), ("-9", -9), ("-2", -2), ("-19", 128 + 19), ("256", 0)],
)
def test_it_ends_as_the_recorded_cli_did(tmp_path: Path, recorded: str, status: int) -> None:
    """With its status, or by its signal; one that ends no process becomes a status."""
    path = cast(tmp_path, [0.1, "o", "bye"], [0.1, "x", recorded])

    assert status_of(replay(path)) == status


def test_output_is_neither_changed_nor_lost(tmp_path: Path) -> None:
    """Much more than a terminal holds waits for its reader; newlines stay as they are."""
    text = "".join(f"line {n} é日\n" for n in range(60_000))
    path = cast(tmp_path, *([0.0, "o", text[n : n + 9999]] for n in range(0, len(text), 9999)))
    pty = replay(path)

    shown = read_all(pty)

    assert shown.startswith(text)
    assert pty.status == 0
    pty.close()


@pytest.mark.parametrize("number", [signal.SIGHUP, signal.SIGTERM])
def test_the_signals_that_end_the_cli_end_it_too(number: int) -> None:
    """With status 0, as 0.61.0 does."""
    pty = replay(HELLO, "--speed=max")
    read_until(pty, "Type your message")

    pty.signal(number)

    assert status_of(pty) == 0


def test_the_end_of_its_input_ends_it(tmp_path: Path) -> None:
    """A pipe that is closed, and a terminal that is, end it while it waits for keys."""
    path = cast(tmp_path, [0.1, "o", "type!"], [0.2, "i", "x"], [0.3, "o", "never"])

    piped = subprocess.run(
        [COMMAND, "replay-cli", path], input=b"", capture_output=True, timeout=30
    )
    main, other = os.openpty()
    closed = subprocess.Popen(
        [COMMAND, "replay-cli", path], stdin=other, stdout=other, stderr=subprocess.PIPE
    )
    os.close(other)
    os.read(main, 100)
    os.close(main)

    assert (piped.returncode, piped.stderr) == (0, b"")
    assert b"never" not in piped.stdout
    assert closed.communicate(timeout=30)[1] == b""
    assert closed.returncode == 0


@pytest.mark.parametrize("typed", ["x", "y"])
def test_the_terminal_is_left_as_it_was(tmp_path: Path, typed: str) -> None:
    """Raw while it runs; afterwards its modes are the old ones, right key or wrong."""
    path = cast(tmp_path, [0.1, "o", "type!"], [0.2, "i", "x"])
    main, other = os.openpty()
    before = termios.tcgetattr(other)
    child = subprocess.Popen([COMMAND, "replay-cli", path], stdin=other, stdout=other, stderr=other)
    assert os.read(main, 100) == b"type!"
    assert termios.tcgetattr(other) != before

    os.write(main, typed.encode())

    assert child.wait(timeout=30) == (0 if typed == "x" else 3)
    assert termios.tcgetattr(other) == before
    os.close(main)
    os.close(other)


@pytest.mark.parametrize(
    ("header", "version"),
    [
        ('{"version":2,"width":80,"height":24,"title":"gemini-cli 0.61.0 hello"}\n', "0.61.0"),
        ('{"version":2,"width":80,"height":24,"title":"x","geminipty":{"cli":"1.2.3-nightly.4"}}\n',
         "1.2.3-nightly.4"),
        ('{"version":2,"width":80,"height":24,"title":"tour of 3.1.4"}\n', "unknown"),
        ('{"version":2,"width":80,"height":24,"geminipty":{"cli":"\\u001b]0;x\\u0007"}}\n',
         "unknown"),
        ('{"version":2,"width":80,"height":24,"geminipty":[1]}\n', "unknown"),
    ],
)  # fmt: skip
def test_version_is_the_recorded_clis(tmp_path: Path, header: str, version: str) -> None:
    """From our recorder's header, or from the title; else it is unknown."""
    path = cast(tmp_path, header=header)

    assert geminipty("replay-cli", path, "--debug", "--version") == (0, version + "\n", "")
    assert geminipty("replay-cli", path, "-v").stdout == version + "\n"


def test_an_installed_recording_is_found_and_runs(tmp_path: Path) -> None:
    """DIR/gemini is what a program finds as its CLI; a file that is there stays."""
    folder = tmp_path / "it's a folder"
    path = cast(tmp_path, [0.1, "o", "installed"], [0.1, "x", "5"])

    made = geminipty("replay-cli", path, "--speed=max", "--install", folder)

    script = folder / "gemini"
    named = {"GEMINI_CLI_PATH": str(script)}
    assert (made.returncode, made.stdout) == (0, f"{script}\n")
    pty = run("/bin/sh", "-c", 'gemini --install=x "a b"', path=f"{folder}:{os.defpath}")
    assert read_all(pty) == "installed"
    assert pty.status == 5
    pty.close()
    assert find(None, named, tmp_path, Gate(tmp_path)).path == script
    script.write_text("mine")
    again = geminipty("replay-cli", path, "--install", folder)
    assert again.returncode == 1
    assert "is there already" in again.stderr
    assert script.read_text() == "mine"


def test_nothing_is_installed_for_a_bad_recording(tmp_path: Path) -> None:
    """What could not be replayed is refused at once."""
    path = cast(tmp_path, "no event")

    result = geminipty("replay-cli", path, "--install", tmp_path / "bin")

    assert result.returncode == 1
    assert "line 2" in result.stderr
    assert not (tmp_path / "bin").exists()


@pytest.mark.parametrize("words", [["--speed", "0"], ["--speed=fast"], ["--speed"], ["--install"]])
def test_a_wrong_option_is_status_2_before_and_after_the_file(words: list[str]) -> None:
    """Our options are checked wherever they stand."""
    assert geminipty("replay-cli", HELLO, *words).returncode == 2
    assert geminipty("replay-cli", *words, HELLO).returncode == 2


def options(folder: Path, recording: Path, look: str) -> dict[str, object]:
    """Options of a session with a recording for its CLI."""
    command = (str(COMMAND), "replay-cli", "--speed=10", str(recording))
    deadlines = Deadlines(start=30.0, close=5.0)
    return Place(folder).options(look=look) | {
        "command": command,
        "size": (100, 40),
        "deadlines": deadlines,
    }


def test_a_session_of_ours_takes_it_for_the_cli(tmp_path: Path) -> None:
    """A recording made with the keys that a session types plays all of its turns."""
    face = Sync(**options(tmp_path, RECORDINGS / "0.61.0" / "raw.cast.gz", "lean"))
    face.start()

    replies = [face.ask(prompt).text for prompt in ("show me markdown", "now code")]

    assert replies[0].startswith("# Heading one\n\n## Heading two with some **bold** inside")
    assert replies[1].startswith("```\nunlabelled fence first")
    face.close()


def test_a_session_that_asks_something_else_sees_the_cli_end_with_status_3(tmp_path: Path) -> None:
    """It becomes ready; another prompt is a CliExited that shows what was expected."""
    face = Sync(**options(tmp_path, HELLO, "normal"))
    face.start()

    with pytest.raises(CliExited) as caught:
        face.ask("something else")

    assert caught.value.status == 3
    assert "'say hello' was to be typed" in str(caught.value)
    face.close()


@pytest.mark.live
def test_a_program_in_another_language_is_tested_with_it() -> None:
    """A Node program runs it in a terminal, types the recorded keys and reads the reply."""
    done = subprocess.run(
        ["node", "-e", NODE, f"'{COMMAND}' replay-cli --speed=20 '{HELLO}' --model x"],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=60,
    )

    assert done.stderr == b""
    assert json.loads(done.stdout) == [0, True]
