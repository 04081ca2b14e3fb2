"""`geminipty play` in a real pseudo-terminal: keys, signals, sizes, and what is left behind."""

import json
import os
import re
import signal
import subprocess
import sys
import termios
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from geminipty.terminal import Terminal
from geminipty.transports.pty import Pty

from .conftest import RECORDINGS
from .leaks import nothing_left, wait_for
from .test_cli import geminipty
from .test_pty import read_all, read_until

HELLO = RECORDINGS / "0.61.0" / "hello.cast"
COMMAND = Path(sys.executable).parent / "geminipty"
RESTORED = "\x1b[?7h\x1b[?25h\x1b[?1049l"
#: All that may reach the viewer's terminal: colours, places, and the modes that are undone.
ALLOWED = re.compile(
    r"\x1b\[[0-9;]*m|\x1b\[[0-9]+;[0-9]+H|\x1b\[2[JK]|\x1b\[\?(?:1049|25|7|2026)[hl]"
)


@pytest.fixture(autouse=True)
def clean() -> Iterator[None]:
    """Every test here leaves nothing behind."""
    with nothing_left():
        yield


def play(*words: object, size: tuple[int, int] = (110, 45)) -> Pty:
    """The command in a pseudo-terminal."""
    env = {"PATH": os.defpath, "LC_ALL": "C.UTF-8", "TERM": "xterm-256color"}
    argv = (str(COMMAND), "play", *map(str, words))
    return Pty(argv, env=env, cwd=Path("/"), columns=size[0], lines=size[1])


def cast(folder: Path, *events: object) -> Path:
    """A recording of these events, of 40 by 6."""
    path = folder / "made.cast"
    header = '{"version":2,"width":40,"height":6}\n'
    path.write_text(header + "".join(json.dumps(event) + "\n" for event in events))
    return path


@contextmanager
def playing(folder: Path, *words: str) -> Iterator[tuple[int, int, subprocess.Popen[bytes]]]:
    """A player on a terminal that we hold both ends of."""
    path = cast(folder, [1.0, "o", "first\r\n"], [60.0, "o", "second\r\n"])
    main, other = os.openpty()
    child = subprocess.Popen(
        [COMMAND, "play", path, "--idle=off", *words],
        stdin=other,
        stdout=other,
        stderr=other,
        process_group=0,  # as a shell does it; a group that nobody looks after is never stopped
    )
    try:
        yield main, other, child
    finally:
        child.kill()
        child.wait()
        os.close(main)
        os.close(other)


def read_to(main: int, text: bytes) -> bytes:
    """What the terminal got, up to a text."""
    seen = b""
    while text not in seen:
        seen += os.read(main, 4096)
    return seen


def test_a_recording_is_played_to_its_end_and_left_with_q() -> None:
    """The last picture stands as recorded until the viewer leaves; then the screen is as it was."""
    pty = play(HELLO, "--speed=50")
    terminal = Terminal(110, 45)
    terminal.receive(read_until(pty, " end |"))
    picture = terminal.picture()
    assert picture.alternate
    rows = geminipty("show", HELLO, "--plain").stdout.splitlines()
    assert picture.lines[: len(rows)] == rows

    pty.send("q")

    assert read_all(pty).endswith(RESTORED)
    assert pty.status == 0
    pty.close()


def test_keys_step_pause_and_jump(tmp_path: Path) -> None:
    """In step mode only keys move it; a key may come in two parts."""
    path = cast(
        tmp_path,
        *([n, "o", f"\x1b[H\x1b[2Kpicture {n}\r\n"] for n in range(1, 7)),
        [8, "m", "the last"],
    )
    pty = play(path, "--step", "--at", "2.5")
    read_until(pty, "picture 2")

    for keys, expected in [
        (".", "picture 3"),
        ("\x1b[C", "picture 4"),
        ("\x1b[D", "picture 3"),
        (" ", "picture 4"),
        ("]", "picture 6"),
        ("\x1bOD", "picture 5"),
        ("\x1b[5~.", "picture 6"),
    ]:
        pty.send(keys)
        read_until(pty, expected)
    pty.send("\x1b")
    pty.send("[D")

    read_until(pty, "picture 5")
    pty.send("\x03")
    assert read_all(pty).endswith(RESTORED)
    assert pty.status == 130
    pty.close()


def test_it_starts_at_a_marker() -> None:
    """--marker takes a name; the picture of that moment is the first that is shown."""
    pty = play(HELLO, "--marker=typed", "--step")

    shown = read_until(pty, "[typed]")

    assert "say hello" in shown
    pty.send("q")
    read_all(pty)
    pty.close()


@pytest.mark.parametrize(
    ("number", "status"), [(signal.SIGTERM, -15), (signal.SIGHUP, -1), (signal.SIGINT, 130)]
)
def test_a_signal_leaves_the_terminal_as_it_was(tmp_path: Path, number: int, status: int) -> None:
    """The modes are the old ones and the screen is left before it dies."""
    with playing(tmp_path) as (main, other, child):
        before = termios.tcgetattr(other)
        read_to(main, b"first")
        assert termios.tcgetattr(other)[3] != before[3]

        child.send_signal(number)

        assert read_to(main, RESTORED.encode()).endswith(RESTORED.encode())
        assert child.wait(timeout=20) == status
        assert termios.tcgetattr(other) == before


def state_of(pid: int) -> str:
    """The state of a process, as the kernel names it."""
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]


def test_it_stops_and_goes_on_like_any_program(tmp_path: Path) -> None:
    """Stopped, it gives the terminal back; continued, it takes it and paints everything anew."""
    with playing(tmp_path) as (main, other, child):
        before = termios.tcgetattr(other)
        read_to(main, b"first")

        child.send_signal(signal.SIGTSTP)

        read_to(main, RESTORED.encode())
        wait_for(lambda: state_of(child.pid) == "T")
        assert termios.tcgetattr(other) == before
        child.send_signal(signal.SIGCONT)
        assert b"\x1b[?1049h" in read_to(main, b"first")
        os.write(main, b"q")
        read_to(main, RESTORED.encode())
        assert child.wait(timeout=20) == 0
        assert termios.tcgetattr(other) == before


def test_a_new_size_is_painted_at_once() -> None:
    """A smaller terminal gets the bottom left, with a word about it."""
    pty = play(HELLO, "--at=100")
    assert "bottom left" not in read_until(pty, "q quit")

    pty.resize(50, 10)

    terminal = Terminal(50, 10)
    terminal.receive(read_until(pty, "bottom l"))
    pty.send("q")
    terminal.receive(read_all(pty).partition("\x1b[?1049l")[0])
    rows = terminal.picture().lines
    assert " workspace (/directory)" in rows
    assert all(len(row) <= 50 for row in rows)
    pty.close()


def test_a_hostile_recording_cannot_touch_the_terminal(tmp_path: Path) -> None:
    """Only our own sequences arrive: no title, clipboard, bell, query or reset, in any place."""
    payload = (
        "\x1b]52;c;aGk=\x07\x1b]0;pwned\x07\x1b[c\x1b[6n\x07\x1bc\x1bP+q\x1b\\\x9b5n\x1b[?1049h"
        "\x1b[?2004h\x1b[?1000h\x1b[>1u\u202eshown\x1b[31m!\r\n"
    )
    path = cast(tmp_path, [0.1, "o", payload], [0.2, "m", "\x1b]0;named\x07\x9b5n\nmark\u202e"])
    pty = play(path)

    shown = read_until(pty, "mark") + read_until(pty, "\x1b[?2026l")
    pty.send("q")
    shown += read_all(pty)

    assert "[?]0;named??5n?mark?]" in shown
    assert "shown\x1b[31m!" in shown.replace("\x1b[0m", "")
    rest = ALLOWED.sub("", shown)
    assert [char for char in rest if not char.isprintable()] == []
    pty.close()


def test_without_a_keyboard_it_ends_by_itself(tmp_path: Path) -> None:
    """With nobody to press a key it plays to the end and leaves."""
    path = cast(tmp_path, [0.1, "o", "first\r\n"], [0.3, "o", "second\r\n"])
    main, other = os.openpty()

    done = subprocess.run(
        [COMMAND, "play", path],
        stdin=subprocess.DEVNULL,
        stdout=other,
        stderr=subprocess.PIPE,
        timeout=30,
        start_new_session=True,
    )

    os.close(other)
    assert (done.returncode, done.stderr) == (0, b"")
    shown = read_to(main, RESTORED.encode())
    assert b"first" in shown
    os.close(main)


def test_without_a_terminal_the_last_picture_is_printed() -> None:
    """The same as show --plain; --all prints each finished picture with its time."""
    assert geminipty("play", HELLO) == geminipty("show", HELLO, "--plain")

    everything = geminipty("play", HELLO, "--all").stdout
    later = geminipty("play", HELLO, "--all", "--marker", "busy-streaming").stdout

    times = [float(at) for at in re.findall(r"^picture of ([0-9.]+) s \(\w+\)$", everything, re.M)]
    assert times == sorted(times)
    assert len(times) > 10
    assert everything.endswith(later)
    assert later.count("picture of") < len(times)
    assert "\x1b" not in everything


@pytest.mark.parametrize(
    ("words", "status", "message"),
    [
        (["--speed", "0"], 2, "0.001 to 1000"),
        (["--idle", "0"], 2, "`off` keeps all pauses"),
        (["--idle", "soon"], 2, "number of seconds"),
        (["--at", "1", "--marker", "1"], 2, "not allowed with"),
        (["--all", "--marker", "none such"], 1, "2. 'idle'"),
    ],
)
def test_a_wrong_call_is_explained(words: list[str], status: int, message: str) -> None:
    """What is wrong is named, with what would do."""
    result = geminipty("play", HELLO, *words)

    assert (result.returncode, result.stdout) == (status, "")
    assert message in result.stderr


@pytest.mark.parametrize("command", ["play", "replay-cli"])
def test_the_commands_teach_and_fail_in_one_message(command: str, tmp_path: Path) -> None:
    """--help has examples; a missing file is one message and status 1."""
    assert "examples:" in geminipty(command, "--help").stdout
    result = geminipty(command, tmp_path / "none.cast")
    assert result.returncode == 1
    assert "there is no such recording" in result.stderr
