"""The command line, run as a user runs it."""

import gzip
import json
import os
import re
import subprocess
import sys
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path
from typing import NamedTuple

import pytest

from geminipty.cli import main
from geminipty.transports.pty import Pty

from .conftest import RECORDINGS
from .test_pty import read_all

ROOT = Path(__file__).parent.parent
HELLO = RECORDINGS / "0.61.0" / "hello.cast"
LONG = RECORDINGS / "0.61.0" / "long.cast.gz"
SGR = re.compile(r"\x1b\[[0-9;]*m")


class Result(NamedTuple):
    """What a run of the command left."""

    returncode: int
    stdout: str
    stderr: str


def geminipty(*arguments: object) -> Result:
    """Run the command in this process."""
    stdout, stderr = StringIO(), StringIO()
    with redirect_stdout(stdout), redirect_stderr(stderr):
        try:
            status = main([str(argument) for argument in arguments])
        except SystemExit as left:  # argparse leaves so
            status = int(left.code or 0)
    return Result(status, stdout.getvalue(), stderr.getvalue())


def test_the_installed_command_runs() -> None:
    """`geminipty` is on the path of its environment and needs no help from the environment."""
    command = Path(sys.executable).parent / "geminipty"

    shown = subprocess.run(
        [command, "show", HELLO, "--plain"],
        capture_output=True,
        env={"PYTHONUTF8": "1"},
        timeout=30,
    )

    assert shown.stderr == b""
    assert shown.stdout.decode() == geminipty("show", HELLO, "--plain").stdout


def test_show_draws_the_final_screen_in_colour() -> None:
    """The reply, the input box and their colours are there; nothing but SGR controls the screen."""
    result = geminipty("show", HELLO, "--colours")

    assert result.returncode == 0
    assert result.stderr == ""
    plain = SGR.sub("", result.stdout)
    assert "✦ Hello! How can I help you today?" in plain
    assert " >   Type your message or @path/to/file" in plain
    assert plain != result.stdout
    assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f]", plain)


def test_plain_shows_the_same_without_colours() -> None:
    """--plain, and a pipe, give the same rows with no escape sequence."""
    coloured = geminipty("show", HELLO, "--colours").stdout

    plain = geminipty("show", HELLO, "--plain").stdout

    assert "\x1b" not in plain
    assert plain == geminipty("show", HELLO).stdout
    rows = [row.rstrip() for row in SGR.sub("", coloured).splitlines()]
    assert rows == plain.splitlines()


@pytest.mark.parametrize(
    ("words", "environment", "coloured"),
    [
        ([], {}, True),
        (["--plain"], {}, False),
        ([], {"NO_COLOR": "1"}, False),
        (["--colours"], {"NO_COLOR": "1"}, True),
    ],
)
def test_a_terminal_gets_colours(
    words: list[str], environment: dict[str, str], coloured: bool
) -> None:
    """Unless NO_COLOR is set or --plain is given; --colours is stronger than NO_COLOR."""
    env = {"PATH": os.defpath, "LC_ALL": "C.UTF-8", "PYTHONPATH": str(ROOT), **environment}
    argv = (sys.executable, "-m", "geminipty", "show", str(HELLO), *words)
    terminal = Pty(argv, env=env, cwd=Path("/"), columns=110, lines=45)
    try:
        shown = read_all(terminal)
    finally:
        terminal.close()

    assert "How can I help you today?" in shown
    assert bool(SGR.search(shown)) is coloured


def test_at_shows_a_moment() -> None:
    """Before the prompt was typed the box is empty; then it holds the prompt; at 0 is nothing."""
    assert "Type your message" in geminipty("show", HELLO, "--plain", "--at", 6.8).stdout
    assert " > say hello" in geminipty("show", HELLO, "--plain", "--at", 7.0).stdout
    assert geminipty("show", HELLO, "--plain", "--at", 0).stdout == ""


def test_scrollback_shows_all_lines_of_a_long_answer() -> None:
    """The lines above the screen come first; all 200 lines of the answer are there once."""
    screen = geminipty("show", LONG, "--plain").stdout

    everything = geminipty("show", LONG, "--plain", "--scrollback").stdout

    assert everything.endswith(screen)
    numbers = [int(n) for n in re.findall(r"^(?:✦|  *) ?L([0-9]{3}) ", everything, re.MULTILINE)]
    assert numbers == list(range(1, 201))


def test_json_is_for_machines() -> None:
    """One object with rows, cursor and title; scrolled-off lines only when asked for."""
    data = json.loads(geminipty("show", LONG, "--json").stdout)
    more = json.loads(geminipty("show", LONG, "--json", "--scrollback").stdout)

    assert (data["columns"], data["lines"]) == (100, 40)
    assert len(data["rows"]) == 40
    assert data["title"].startswith("◇  Ready")
    assert "scrolled" not in data
    assert more["rows"] == data["rows"]
    assert len(more["scrolled"]) > 100


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "line 1: the header is missing"),
        (b"hello\n", "line 1: this is not JSON"),
        (HELLO.read_bytes()[:5000], "the recording was cut off here"),
        (gzip.compress(HELLO.read_bytes())[:900], "the gzip data is cut off"),
        (b'{"version": 2, "width": 9999, "height": 24}\n', "over the limit of 1000 columns"),
        (b'{"version": 2, "width": 80, "height": 24}\n[1, "o", 5]\n', "line 2: the data of 'o'"),
    ],
)
def test_a_bad_recording_is_one_message_and_status_1(
    content: bytes, message: str, tmp_path: Path
) -> None:
    """What is wrong, where, and in which file; no traceback, and nothing on standard output."""
    path = tmp_path / "bad.cast"
    path.write_bytes(content)

    result = geminipty("show", path)

    assert (result.returncode, result.stdout) == (1, "")
    assert message in result.stderr
    assert str(path) in result.stderr
    assert "Traceback" not in result.stderr


def test_a_missing_file_and_a_folder_are_said_to_be_so(tmp_path: Path) -> None:
    """A path that is no recording gets its own message."""
    assert "no such recording" in geminipty("show", tmp_path / "none.cast").stderr
    folder = geminipty("show", tmp_path)
    assert folder.returncode == 1
    assert "Is a directory" in folder.stderr


@pytest.mark.parametrize(
    "arguments", [[], ["show"], ["draw"], ["show", "x", "--at", "soon"], ["show", "x", "--at=-1"]]
)
def test_a_wrong_call_is_status_2_with_the_usage(arguments: list[str]) -> None:
    """The usage is shown, and what is wrong is named."""
    result = geminipty(*arguments)

    assert result.returncode == 2
    assert "usage: geminipty" in result.stderr
    assert "_seconds" not in result.stderr


def test_help_teaches() -> None:
    """--help of the command names its options and gives examples."""
    text = geminipty("show", "--help").stdout

    for word in ("--at", "--plain", "--scrollback", "--json", "examples:", "asciicast v2 or v3"):
        assert word in text


def test_a_closed_pipe_is_no_error() -> None:
    """`geminipty show … | head -1` ends without a complaint."""
    code = "from geminipty.cli import main; exit(main())"
    show = subprocess.Popen(
        [sys.executable, "-W", "error", "-c", code, "show", LONG, "--scrollback"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert show.stdout
    assert show.stderr
    show.stdout.close()

    errors = show.stderr.read()

    assert show.wait(timeout=30) == 0
    assert errors == b""
    show.stderr.close()


def test_a_hostile_recording_cannot_reach_the_users_terminal(tmp_path: Path) -> None:
    """Titles, clipboard writes, queries and cursor movements of a recording stay inside."""
    path = tmp_path / "hostile.cast"
    payload = "\x1b]52;c;aGk=\x07\x1b]0;pwned\x07\x1b[c\x1b[2J\x1bP+q\x1b\\\x9b5nshown\x1b[31m!"
    path.write_text(
        '{"version": 2, "width": 80, "height": 24}\n' + json.dumps([0.1, "o", payload]) + "\n"
    )

    assert geminipty("show", path, "--colours").stdout == "shown\x1b[31m!\x1b[0m\n"


@pytest.mark.parametrize(
    ("environment", "output", "status", "error"),
    [
        ({"PYTHONIOENCODING": "ascii"}, os.devnull, 0, b""),
        ({}, "/dev/full", 1, b"geminipty: the output cannot be written: No space left on device"),
    ],
)
def test_output_that_cannot_be_written_is_no_traceback(
    environment: dict[str, str], output: str, status: int, error: bytes
) -> None:
    """A terminal without UTF-8 shows what it can; a full disk is one message."""
    command = Path(sys.executable).parent / "geminipty"

    with Path(output).open("wb") as file:
        shown = subprocess.run(
            [command, "show", LONG, "--scrollback"],
            stdout=file,
            stderr=subprocess.PIPE,
            env=environment,
            timeout=30,
        )

    assert (shown.returncode, shown.stderr.strip()) == (status, error)


def test_coloured_and_plain_show_the_same_cells(tmp_path: Path) -> None:
    """Half a wide character at the edge, a coloured blank row, a line that was longer once."""
    path = tmp_path / "edges.cast"
    path.write_text(
        '{"version": 2, "width": 20, "height": 2}\n'
        + json.dumps([0.1, "o", "a long line of it\r\nabcd日x\r\n\x1b[41m     \x1b[0m"])
        + '\n[0.2, "r", "5x2"]\n'
    )

    plain = geminipty("show", path, "--plain", "--scrollback").stdout
    coloured = geminipty("show", path, "--colours", "--scrollback").stdout

    assert plain == "a long line of it\nabcd\n\n"
    assert coloured == "a long line of it\nabcd\n\x1b[41m     \x1b[0m\n"


TOOL = RECORDINGS / "0.61.0" / "tool-approve.cast"


def test_read_tells_the_story_of_a_recording() -> None:
    """`read` prints what happened when, and the turns with their replies."""
    result = geminipty("read", TOOL)

    assert result.returncode == 0
    lines = result.stdout.split("\n")
    assert lines[0].split() == ["4.740", "STARTING"]
    assert any(
        line.endswith("asks (shell): Shell echo hi there && touch made-by-tool.txt")
        for line in lines
    )
    assert "turn 1 (finished): please use the shell tool" in lines
    assert "  Tool finished. All done after the tool." in lines


def test_read_gives_machines_the_documented_shape() -> None:
    """`read --json` is one object with the keys that docs/reading.md names."""
    data = json.loads(geminipty("read", TOOL, "--json").stdout)

    assert list(data) == ["statuses", "turns", "final"]
    assert [status for _, status in data["statuses"]] == [
        "STARTING", "READY", "WORKING", "ASKING", "WORKING", "READY",
    ]  # fmt: skip
    (turn,) = data["turns"]
    assert turn["text"] == "I will run a command.\n\nTool finished. All done after the tool."
    assert turn["tools"] == [
        {
            "name": "Shell",
            "summary": "echo hi there && touch made-by-tool.txt",
            "outcome": "success",
        }
    ]
    assert [dialog["kind"] for dialog in turn["dialogs"]] == ["shell"]
    assert turn["started"] < turn["finished"]
    assert (turn["outcome"], turn["truncated"]) == ("finished", False)
    assert data["final"]["status"] == "READY"
    assert data["final"]["composer"] == {"text": "", "mode": "chat", "placeholder": True}
    page = (RECORDINGS.parent / "docs" / "reading.md").read_text(encoding="utf-8")
    assert all(f"`{key}`" in page for key in (*data, *turn, *data["final"]))


def test_read_takes_recordings_of_other_programs(tmp_path: Path) -> None:
    """A recording that has nothing of the CLI is read too: unknown, no turns, no error."""
    path = tmp_path / "other.cast"
    path.write_text(
        '{"version":3,"term":{"cols":80,"rows":24}}\n[0.5,"o","$ ls\\r\\n"]\n[9,"o","x"]\n'
    )

    data = json.loads(geminipty("read", path, "--json").stdout)

    assert data["turns"] == []
    assert [status for _, status in data["statuses"]] == ["UNKNOWN"]
    assert data["final"]["status"] == "UNKNOWN"


def test_an_empty_recording_is_read_too(tmp_path: Path) -> None:
    """A recording without output is a CLI that has drawn nothing yet."""
    path = tmp_path / "empty.cast"
    path.write_text('{"version":2,"width":80,"height":24}\n')

    data = json.loads(geminipty("read", path, "--json").stdout)
    assert data["statuses"] == [[0.0, "STARTING"]]
    assert data["turns"] == []
    result = geminipty("explain", path)
    assert "an empty screen says STARTING" in result.stdout
    late = geminipty("explain", HELLO, "--at", 0)
    assert late.returncode == 1
    assert "no picture was finished by then" in late.stderr


def test_an_exit_in_a_recording_closes_it(tmp_path: Path) -> None:
    """The exit event of asciicast v3 ends the story with CLOSED."""
    path = tmp_path / "exit.cast"
    path.write_text(
        '{"version":3,"term":{"cols":80,"rows":24}}\n[0.5,"o","hello\\r\\n"]\n[1,"x","0"]\n'
    )

    data = json.loads(geminipty("read", path, "--json").stdout)

    assert data["statuses"][-1][1] == "CLOSED"


def test_explain_labels_the_rows_and_says_why() -> None:
    """`explain` draws the picture with labels, the status and the evidence."""
    result = geminipty("explain", TOOL, "--at", 9)

    assert result.returncode == 0
    assert re.search(r"^ *choice │.*● 1\. Allow once", result.stdout, re.MULTILINE)
    assert re.search(r"^ *prompt │ > please use the shell tool", result.stdout, re.MULTILINE)
    assert "status ASKING\n  grid: a shell dialog" in result.stdout
    assert "  * 1. Allow once\n    2. Allow for this session" in result.stdout


def test_explain_says_what_is_missing_where_nothing_is_known(tmp_path: Path) -> None:
    """For UNKNOWN it tells what was looked for, the last row, and what to do."""
    path = tmp_path / "other.cast"
    path.write_text('{"version":2,"width":40,"height":5}\n[0.5,"o","$ top\\r\\n"]\n')

    result = geminipty("explain", path)

    assert "status UNKNOWN" in result.stdout
    assert "no composer, no dialog, no spinner" in result.stdout
    assert "row 0: '$ top'" in result.stdout
    assert "please report it" in result.stdout


@pytest.mark.parametrize("command", ["read", "explain", "show"])
def test_every_command_teaches_and_fails_in_one_message(command: str, tmp_path: Path) -> None:
    """--help has examples; a missing file is one message and status 1."""
    assert "examples:" in geminipty(command, "--help").stdout
    result = geminipty(command, tmp_path / "none.cast")
    assert result.returncode == 1
    assert result.stdout == ""
    assert "there is no such recording" in result.stderr
