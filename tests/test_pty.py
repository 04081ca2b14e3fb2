"""The pseudo-terminal, with small children of ours: what they get, what we read, what is left."""

import json
import os
import signal
import sys
import threading
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from geminipty.errors import CliNotStarted
from geminipty.transports import supervised
from geminipty.transports.children import UNKNOWN_STATUS
from geminipty.transports.pty import Pty
from tests.leaks import carriers, nothing_left, spare_descriptors, wait_for

PYTHON = (sys.executable, "-S", "-E", "-c")
RAW = "import os,sys,tty,termios; tty.setraw(0, termios.TCSANOW); os.write(1, b'raw\\n')\n"


@pytest.fixture(autouse=True)
def clean() -> Iterator[None]:
    """Every test here leaves nothing behind."""
    with nothing_left():
        yield


def spawn(
    code: str,
    *words: str,
    env: Mapping[str, str] | None = None,
    cwd: Path = Path("/"),
    mark: str = "",
    size: tuple[int, int] = (80, 24),
) -> Pty:
    """A child that runs some Python; it carries the mark."""
    known = {"PATH": os.defpath, "LC_ALL": "C.UTF-8", "MARK": mark, **(env or {})}
    argv = (*PYTHON, code, *words)
    return Pty(argv, env=known, cwd=cwd, columns=size[0], lines=size[1], mark=mark)


def read_until(pty: Pty, text: str, seconds: float = 20.0) -> str:
    """What comes, until it holds a text."""
    until, read = pty.now() + seconds, ""
    while text not in read:
        assert not pty.ended, f"the child ended: {read[-2000:]}"
        assert pty.now() < until, f"{text!r} did not come: {read[-2000:]}"
        pty.wait(until)
        read += pty.receive()
    return read


def read_all(pty: Pty, seconds: float = 20.0) -> str:
    """What comes until the child has ended."""
    until, texts = pty.now() + seconds, []
    while not pty.ended:
        assert pty.now() < until, "the child did not end"
        pty.wait(until)
        texts.append(pty.receive())
    return "".join(texts)


def told(
    code: str, *words: str, env: Mapping[str, str] | None = None, cwd: Path = Path("/")
) -> object:
    """What a child prints as JSON."""
    pty = spawn("import json,os,sys\n" + code, *words, env=env, cwd=cwd)
    text = read_all(pty)
    pty.close()
    return json.loads(text)


# What the child gets


def test_the_child_has_its_size_before_it_runs() -> None:
    """The terminal has its size when the child looks for the first time."""
    pty = spawn("import os; print(tuple(os.get_terminal_size(0)))", size=(123, 45))

    assert read_all(pty).strip() == "(123, 45)"
    pty.close()


def test_a_resize_is_a_signal_and_a_size() -> None:
    """The child is told by SIGWINCH, and finds the new size."""
    pty = spawn(
        "import os,signal\n"
        "def new(*_): os.write(1, b'%d by %d' % tuple(os.get_terminal_size(0)))\n"
        "signal.signal(signal.SIGWINCH, new)\n"
        "os.write(1, b'listening')\n"
        "while True: signal.pause()"
    )
    read_until(pty, "listening")

    pty.resize(99, 33)

    read_until(pty, "99 by 33")
    pty.close()


def test_the_child_leads_a_session_with_the_terminal_as_its_own() -> None:
    """It leads its session and group, in the foreground of a terminal that /dev/tty opens."""
    seen = told(
        "tty = os.open('/dev/tty', os.O_RDWR)\n"
        "own = os.getpid() == os.getsid(0) == os.getpgrp() == os.tcgetpgrp(tty)\n"
        "print(json.dumps([own, os.ttyname(0) == os.ttyname(1) == os.ttyname(2)]))"
    )

    assert seen == [True, True]


@pytest.mark.parametrize(
    "name", ["plain", "with spaces", "it's", 'a "quote"', "$(touch x)", "-n", "new\nline", "čaj 茶"]
)
def test_any_folder_can_be_the_childs(tmp_path: Path, name: str) -> None:
    """No character of a folder's name means anything on the way."""
    folder = tmp_path / name
    folder.mkdir()

    assert told("print(json.dumps(os.getcwd()))", cwd=folder) == str(folder)


def test_arguments_arrive_as_they_are() -> None:
    """No shell looks at an argument."""
    words = [
        "",
        " ",
        "a b",
        "new\nline",
        "'",
        '"',
        "$HOME",
        "`id`",
        "*",
        "\\",
        "--",
        "-c",
        "čaj 茶",
    ]

    assert told("print(json.dumps(sys.argv[1:]))", *words) == words


def test_the_environment_is_the_one_given() -> None:
    """Values arrive unchanged, and nothing of ours is added but where the child is."""
    env = {"EMPTY": "", "LINES_OF": "a\nb", "TEA": "茶", "QUOTED": "$HOME '`\"", "PS1": "x"}

    seen = told("print(json.dumps(dict(os.environ)))", env=env)

    assert isinstance(seen, dict)
    assert {name: seen.get(name) for name in env} == env
    known = {*env, "PATH", "LC_ALL", "MARK", "PWD", "OLDPWD", "SHLVL", "_"}
    assert {name: value for name, value in seen.items() if name not in known} == {}


def test_signals_mean_to_the_child_what_they_always_mean() -> None:
    """What Python ignores or we have blocked is neither ignored nor blocked in the child."""
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGUSR1})
    try:
        seen = told(
            "status = open('/proc/self/status').read().split('\\n')\n"
            "print(json.dumps([line for line in status if line.startswith('SigBlk')]))"
        )
    finally:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGUSR1})

    assert seen == ["SigBlk:\t0000000000000000"]


# What we read


def test_a_character_may_be_cut_anywhere() -> None:
    """A character whose bytes come one by one arrives whole."""
    text = "aé茶🫖e\u0301"
    code = RAW + (
        "for byte in " + repr(text.encode()) + ":\n"
        "    os.write(1, bytes([byte]))\n"
        "    os.read(0, 1)\n"
        "os.write(1, b'end')\n"
        "os.read(0, 1)"
    )
    pty = spawn(code)
    read = read_until(pty, "raw\n")
    until = pty.now() + 20

    while "end" not in read and pty.now() < until:
        pty.send("x")
        pty.wait(until)
        read += pty.receive()

    assert read == f"raw\n{text}end"
    pty.close()


def test_what_is_no_utf8_is_replaced() -> None:
    """Bytes that are no text become U+FFFD, also where the output ends within a character."""
    pty = spawn(RAW + r"os.write(1, b'\xff\xc3(\xed\xa0\x80 good \xf0\x9f')")

    read = read_all(pty)

    assert read.startswith("raw\n\ufffd\ufffd(")
    assert " good \ufffd" in read
    pty.close()


@pytest.mark.parametrize("status", [0, 1, 41, 255])
def test_the_status_is_the_childs(status: int) -> None:
    """What the child exits with is known when it has ended."""
    pty = spawn(f"print('last words'); raise SystemExit({status})")

    assert "last words" in read_all(pty)
    assert pty.status == status
    pty.close()


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGSEGV, signal.SIGHUP])
def test_the_status_of_a_killed_child_is_minus_the_signal(number: int) -> None:
    """A signal that ended the child is told from an exit status."""
    pty = spawn(f"import os; os.kill(os.getpid(), {int(number)}); input()")

    read_all(pty)

    assert pty.status == -number
    pty.close()


def test_a_program_that_is_not_there_ends_with_127(tmp_path: Path) -> None:
    """What cannot be executed tells so on its terminal."""
    program = str(tmp_path / "missing")
    pty = Pty([program], env={}, cwd=tmp_path, columns=80, lines=24)

    assert program in read_all(pty)
    assert pty.status == 127
    pty.close()


@pytest.mark.parametrize(
    ("words", "env", "says"),
    [
        ((), {"BIG": "x" * 200_000}, "the variable BIG, has 200005:"),
        (("x" * 200_000,), {"SMALL": "x"}, "an argument, has 200001:"),
    ],
    ids=["variable", "argument"],
)
def test_what_is_too_long_for_the_system_is_said(
    words: tuple[str, ...], env: dict[str, str], says: str
) -> None:
    """Where the kernel refuses to execute, the error says so, and which word is the longest."""
    with pytest.raises(CliNotStarted, match=f"too long.*{says} the system allows less"):
        Pty(["/bin/true", *words], env=env, cwd=Path("/"), columns=80, lines=24)


def test_a_word_with_a_nul_starts_nothing() -> None:
    """No program can be given one: an error of the caller's, not a status."""
    with pytest.raises(CliNotStarted, match="Invalid argument"):
        Pty(["/bin/true", "a\0b"], env={}, cwd=Path("/"), columns=80, lines=24)


def test_who_keeps_the_terminal_open_does_not_delay_the_end(tmp_path: Path) -> None:
    """A child has ended although a process that it left holds its terminal."""
    code = (
        "import os,signal\n"
        "signal.signal(signal.SIGHUP, signal.SIG_IGN)\n"
        "if os.fork() == 0: signal.pause()\n"
        "print('gone')"
    )
    pty = spawn(code, mark=str(tmp_path))

    assert "gone" in read_all(pty)
    assert pty.status == 0
    pty.close()
    wait_for(lambda: carriers(str(tmp_path)) == set())


def test_a_child_that_others_wait_for_has_ended_too() -> None:
    """Where SIGCHLD is ignored, only a supervisor knows the status; the end is seen anyhow."""
    before = signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    try:
        pty = spawn("print('gone')")

        assert "gone" in read_all(pty)
        assert pty.status == (0 if supervised.ready() else UNKNOWN_STATUS)
        pty.close()
    finally:
        signal.signal(signal.SIGCHLD, before)


# What we write

BIG = "0123456789abcde\n" * 65_536
#: Says how much it has read, and whether that is what was sent.
READER = (
    "want = b'0123456789abcde\\n' * 65536\n"
    "got = b''\n"
    "while len(got) < len(want): got += os.read(0, 1 << 16)\n"
    "os.write(1, b'whole' if got == want else b'torn')\n"
)


def test_a_child_that_does_not_read_blocks_nobody() -> None:
    """Writing a megabyte returns at once, and all of it arrives when the child begins to read."""
    wait = (
        "import signal\n"
        "signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGUSR1})\n"
        "os.write(1, b'deaf')\n"
        "signal.sigwait({signal.SIGUSR1})\n"
    )
    pty = spawn(RAW + wait + READER)
    read_until(pty, "deaf")
    before = pty.now()

    pty.send(BIG)

    assert pty.now() - before < 1
    assert pty.unsent
    assert pty.receive() == ""
    pty.signal(signal.SIGUSR1)
    assert "whole" in read_until(pty, "o")
    assert not pty.unsent
    pty.close()


def test_a_child_that_echoes_does_not_lock_up_with_us() -> None:
    """While both sides write a megabyte, both are read."""
    echo = (
        "got = 0\n"
        "while got < 1 << 20:\n"
        "    data = os.read(0, 1 << 16)\n"
        "    got += len(data)\n"
        "    while data: data = data[os.write(1, data):]\n"
    )
    pty = spawn(RAW + echo)
    read_until(pty, "raw\n")

    pty.send(BIG)

    assert read_all(pty) == BIG
    pty.close()


def test_a_million_characters_arrive_whole() -> None:
    """However many turns of reading it takes, nothing is lost and nothing comes twice."""
    pty = spawn(RAW + "os.write(1, b'x' * 1_000_000 + b'!'); os.read(0, 1)")
    until, read = pty.now() + 20, ""

    while "!" not in read:
        assert pty.now() < until
        pty.wait(until)
        read += pty.receive()

    assert len(read) == len("raw\n") + 1_000_001
    assert not pty.behind
    pty.close()


def test_more_than_one_turn_of_reading_is_told() -> None:
    """`behind` says that more has come than was taken, and ceases when it is taken."""
    pty = spawn(RAW + "while os.write(1, b'x' * 100_000): pass")
    until = pty.now() + 20

    while not pty.behind:  # a busy machine may keep the child from getting ahead
        assert pty.now() < until
        pty.wait(until)
        pty.receive()
    pty.signal(signal.SIGKILL)
    while not pty.ended:
        pty.wait(until)
        pty.receive()

    assert not pty.behind
    pty.close()


def test_what_is_sent_to_a_child_that_has_ended_is_dropped() -> None:
    """Nothing raises, and nothing waits to be sent."""
    pty = spawn("pass")
    read_all(pty)

    pty.send(BIG)
    pty.resize(10, 10)
    pty.signal(signal.SIGTERM)

    assert not pty.unsent
    assert pty.receive() == ""
    pty.close()


# The end

STUBBORN = "import os,signal\nfor n in (1, 2, 15): signal.signal(n, signal.SIG_IGN)\n"


@pytest.mark.parametrize(
    "code",
    [
        STUBBORN + "print('up')\nwhile True: signal.pause()",
        "import os,signal\nprint('up', flush=True)\nos.kill(os.getpid(), signal.SIGSTOP)",
        STUBBORN + "import sys\nprint('up')\nwhile True: sys.stdout.write('x' * 4096)",
    ],
    ids=["deaf to signals", "stopped", "blocked in writing"],
)
def test_close_ends_what_does_not_want_to_end(code: str) -> None:
    """A child that ignores signals, is stopped or cannot write any more is gone within a second."""
    pty = spawn(code)
    read_until(pty, "up")
    before = pty.now()

    pty.close()

    assert pty.now() - before < 1
    assert pty.status == -signal.SIGKILL
    assert not Path(f"/proc/{pty.pid}").exists()


def test_close_ends_what_left_the_group(tmp_path: Path) -> None:
    """A daemon that the child started, in a session of its own, is found by its mark."""
    code = STUBBORN + (
        "if os.fork() == 0:\n"
        "    os.setsid()\n"
        "    if os.fork() == 0:\n"
        "        print('daemon')\n"
        "        while True: signal.pause()\n"
        "    os._exit(0)\n"
        "os.wait()\n"
        "while True: signal.pause()"
    )
    pty = spawn(code, mark=str(tmp_path))
    read_until(pty, "daemon")
    assert len(carriers(str(tmp_path))) == 2

    pty.close()

    wait_for(lambda: carriers(str(tmp_path)) == set())


def test_close_touches_nobody_else(tmp_path: Path) -> None:
    """A child of another run goes on."""
    one = spawn("print('up'); input()", mark=f"{tmp_path}/one")
    other = spawn("print('up'); input()", mark=f"{tmp_path}/other")
    read_until(other, "up")

    one.close()

    other.send("\n")
    read_all(other)
    assert other.status == 0
    other.close()


def test_close_may_be_repeated_and_ends_all_verbs() -> None:
    """After close nothing raises and nothing happens."""
    pty = spawn("input()")

    pty.close()
    pty.close()

    pty.send("x")
    pty.resize(10, 10)
    pty.signal(signal.SIGTERM)
    assert pty.receive() == ""
    assert pty.handles == ()
    assert pty.ended


def test_a_terminal_may_be_closed_while_another_thread_reads() -> None:
    """A reader in another thread sees the end, and never a closed or a foreign descriptor."""
    for _ in range(20):
        pty = spawn("while True: print('x' * 1000)")
        failed: list[BaseException] = []

        def reader(pty: Pty = pty, failed: list[BaseException] = failed) -> None:
            try:
                read_all(pty)
            except BaseException as error:  # noqa: BLE001 - whatever it is, the test must know
                failed.append(error)

        thread = threading.Thread(target=reader)
        thread.start()
        pty.close()
        thread.join(10)

        assert failed == []


def test_terminals_work_in_many_threads_at_once() -> None:
    """Children started in threads at the same time each get their own words."""
    said: dict[int, str] = {}

    def talk(number: int) -> None:
        for _ in range(5):
            pty = spawn(f"print('i am {number}'); print(input())")
            read_until(pty, f"i am {number}")
            pty.send(f"hello {number}\n")
            said[number] = read_all(pty)
            pty.close()

    threads = [threading.Thread(target=talk, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)

    assert all(f"hello {number}" in said[number] for number in range(8))


def test_a_thousand_terminals_leave_nothing() -> None:
    """A thousand children are started, read to their end and closed; `clean` looks for leaks."""
    for _ in range(1000):
        pty = Pty(["/bin/echo", "hi"], env={}, cwd=Path("/"), columns=80, lines=24)
        assert read_all(pty) == "hi\r\n"
        assert pty.status == 0
        pty.close()


@pytest.mark.parametrize("spare", [0, 1])
def test_no_terminal_left_is_a_named_error(spare: int) -> None:
    """Where no descriptor is left for a terminal, CliNotStarted says so and nothing leaks."""
    with spare_descriptors(spare), pytest.raises(CliNotStarted, match="could not be started"):
        Pty(["/bin/true"], env={}, cwd=Path("/"), columns=80, lines=24)


def test_without_a_handle_for_its_end_the_end_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where there are no descriptors for processes, as on macOS, the end is looked for.

    They are taken away, because the system of this test has them. A supervisor tells of the end.
    """
    monkeypatch.delattr(os, "pidfd_open")
    read, stuck = spawn("print('hi')"), spawn("input()")

    assert len(read.handles) == (2 if supervised.ready() else 1)
    assert "hi" in read_all(read)
    read.close()
    stuck.close()

    assert stuck.status == -signal.SIGKILL
