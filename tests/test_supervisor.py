"""Nothing outlives us: whatever a program starts ends with it, and all of it ends with us."""

import contextlib
import itertools
import os
import py_compile
import resource
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from geminipty.errors import CliNotStarted
from geminipty.transports import supervised
from geminipty.transports.children import UNKNOWN_STATUS
from geminipty.transports.pty import Pty
from tests.leaks import named, nothing_left, parent, spare_descriptors, wait_for

ROOT = Path(__file__).parent.parent
HEIRS = ROOT / "tests" / "toys" / "heirs.sh"
TIMED = py_compile.PycInvalidationMode.TIMESTAMP
SECONDS = itertools.count(100_000)


@pytest.fixture
def tag() -> Iterator[str]:
    """A number of seconds that no other test sleeps; nobody sleeps so long at the end."""
    tag = f"{os.getpid()}{next(SECONDS)}"
    yield tag
    wait_for(lambda: named(tag) == set())


def sh(code: str, *words: str) -> Pty:
    """A shell in a terminal."""
    env = {"PATH": os.defpath}
    argv = ("/bin/sh", "-c", code, "sh", *words)
    return Pty(argv, env=env, cwd=Path("/"), columns=80, lines=24)


def heirs(tag: str) -> Pty:
    """A program that has left processes behind in every way."""
    pty = sh(f'. "{HEIRS}"', tag)
    read_until(pty, "up")
    assert len(named(tag)) >= 4
    return pty


def read_until(pty: Pty, text: str, seconds: float = 30.0) -> str:
    """What comes, until it holds a text."""
    until, read = pty.now() + seconds, ""
    while text not in read:
        assert pty.now() < until, f"{text!r} did not come: {read[-2000:]}"
        assert not pty.ended, f"it ended: {read[-2000:]}"
        pty.wait(until)
        read += pty.receive()
    return read


def read_to_end(pty: Pty, seconds: float = 30.0) -> None:
    """Wait for the end of what runs."""
    until = pty.now() + seconds
    while not pty.ended:
        assert pty.now() < until, "it did not end"
        pty.wait(until)
        pty.receive()


# When the program is closed


def test_close_ends_daemons_without_session_and_environment(tag: str) -> None:
    """When close() has returned, no process is left of what the program started in any way."""
    with nothing_left():
        pty = heirs(tag)

        pty.close()

        assert named(tag) == set()


def test_close_ends_what_a_dead_program_left(tag: str) -> None:
    """The program is gone, its daemon is not: close() finds it."""
    pty = sh(f"env -i setsid sleep {tag} & sleep 0.1; echo bye")
    read_to_end(pty)
    assert pty.status == 0
    wait_for(lambda: named(tag))

    pty.close()

    assert named(tag) == set()


def test_close_is_faster_than_what_multiplies(tag: str) -> None:
    """Processes that start others for as long as they live, up to a few hundred, are all ended."""
    bomb = f'f() {{ [ "$1" -gt 0 ] && {{ f $(($1 - 1)) & f $(($1 - 1)) & }}; sleep {tag}; }}; '
    pty = sh(bomb + "echo up; f 8")
    read_until(pty, "up")

    pty.close()

    assert named(tag) == set()


def test_a_signal_reaches_what_left_the_group(tag: str, tmp_path: Path) -> None:
    """What the CLI is told, its daemons are told too."""
    told = tmp_path / "told"
    daemon = f"trap \\': > {told}; exit\\' TERM; : > {tmp_path}/up; while :; do sleep 0.01; done"
    pty = sh(f"env -i setsid sh -c '{daemon}'& echo up; sleep {tag}".replace("\\'", '"'))
    wait_for(lambda: (tmp_path / "up").exists())

    pty.signal(signal.SIGTERM)

    wait_for(told.exists)
    pty.close()


def test_a_signal_reaches_what_has_only_just_started() -> None:
    """A program that was started leads its group already: no signal finds nobody."""
    for _ in range(100):
        pty = sh("exec sleep 30")

        pty.signal(signal.SIGTERM)

        read_to_end(pty, 10)
        assert pty.status == -signal.SIGTERM
        pty.close()


def test_orphans_are_waited_for_before_and_after_the_end_of_a_program(tag: str) -> None:
    """However many it leaves behind, no dead process stays with its keeper but itself."""
    orphan = f"(sleep 0.01; exec 2>/dev/null; (: {tag}) &) & "
    pty = sh(f"{orphan * 9} echo up; read line; {orphan * 9}")
    read_until(pty, "up")
    kept = Path(f"/proc/{parent(pty.pid)}/task/{parent(pty.pid)}/children")
    wait_for(lambda: kept.read_text().split() == [str(pty.pid)])

    pty.send("\n")
    read_to_end(pty)

    wait_for(lambda: kept.read_text().split() in ([], [str(pty.pid)]))
    pty.close()


def test_another_program_goes_on(tag: str) -> None:
    """One keeper ends what is its own, and nothing of another's."""
    one, other = heirs(tag), sh("echo up; read line; echo $line; exit 3")
    read_until(other, "up")

    one.close()

    other.send("still here\n")
    read_to_end(other)
    assert other.status == 3
    other.close()


def test_a_keeper_that_is_closed_twice_ends_nobody_else(tag: str) -> None:
    """Its socket's number may be that of another program's keeper by then."""
    terminals = [os.openpty() for _ in range(2)]
    words, env = ("/bin/sleep", tag), {"PATH": os.defpath}
    one = supervised.start(words, env, terminals[0][1])
    assert one
    number = one.channel
    one.close()
    other = supervised.start(words, env, terminals[1][1])
    assert other
    assert other.channel == number

    one.close()

    os.fstat(number)
    other.listen()
    assert not other.ended
    other.close()
    for handle in itertools.chain(*terminals):
        os.close(handle)


# When we are gone

#: Starts the toy, says who keeps it, and goes as its argument says.
OWNER = """
import os, signal, sys
from pathlib import Path
from tests.test_supervisor import heirs
from tests.leaks import parent
def go(how, tag):
    if how == "fork":
        del os.pidfd_open  # as on other systems
    pty = heirs(tag)
    if how != "fork":
        print(parent(parent(pty.pid)), flush=True)
    if how == "fork":
        reader, writer = os.pipe()
        if os.fork() == 0:
            os.write(writer, b"up")
            print(os.getpid(), flush=True)
            signal.pause()
        os.read(reader, 2)
        os.kill(os.getpid(), 9)
    if how.startswith("signal"):
        os.kill(os.getpid(), int(how[6:]))
    if how == "exit":
        os._exit(0)
    if how == "error":
        raise ZeroDivisionError
    if how == "exec":
        os.execv("/bin/true", ["true"])
go(*sys.argv[1:])
"""


def owner(how: str, tag: str) -> "subprocess.CompletedProcess[str]":
    """A Python that starts the toy and goes in some way."""
    return subprocess.run(
        [sys.executable, "-c", OWNER, how, tag],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


@pytest.mark.parametrize("how", ["signal9", "signal15", "exit", "error", "exec"])
def test_nothing_outlives_our_process(how: str, tag: str) -> None:
    """However Python ends, its programs, their daemons and the supervisor end with it."""
    gone = owner(how, tag)

    assert gone.stdout, gone.stderr
    keeper = int(gone.stdout)
    wait_for(lambda: named(tag) == set())
    wait_for(lambda: not Path(f"/proc/{keeper}").exists())


def test_a_fork_of_ours_does_not_keep_them_alive(tag: str) -> None:
    """A worker that was forked has no part in it: when we are killed, all ends but the worker."""
    code = [sys.executable, "-c", OWNER, "fork", tag]
    with subprocess.Popen(code, cwd=ROOT, stdout=subprocess.PIPE) as gone:
        assert gone.stdout
        fork = int(gone.stdout.readline())
        try:
            assert gone.wait(60) == -signal.SIGKILL
            wait_for(lambda: named(tag) == {fork})
        finally:
            os.kill(fork, signal.SIGKILL)


def test_a_fork_of_ours_starts_programs_of_its_own(tag: str) -> None:
    """It gets a supervisor of its own, and letting go of our program does not end ours."""
    pty = heirs(tag)

    pid = os.fork()
    if pid == 0:
        pty.close()
        ours = sh(f"echo up; sleep {tag}")
        read_until(ours, "up")
        os._exit(0)
    assert os.waitpid(pid, 0)[1] == 0

    assert pty.status is None
    assert Path(f"/proc/{pty.pid}").exists()
    pty.close()


# When one of them is killed


def test_a_supervisor_that_is_killed_takes_its_programs_along(tag: str) -> None:
    """Nothing runs that nobody watches: the program ends, and the next one has a new supervisor."""
    pty = heirs(tag)

    os.kill(parent(parent(pty.pid)), signal.SIGKILL)

    read_to_end(pty)
    assert pty.status == -signal.SIGKILL
    pty.close()
    wait_for(lambda: named(tag) == set())
    again = heirs(tag)
    assert parent(parent(again.pid)) != 0
    again.close()


def test_a_keeper_that_is_killed_leaves_nothing_to_nobody(tag: str) -> None:
    """The supervisor ends what it kept, and goes on with the others."""
    pty, other = heirs(tag), sh("echo up; read line; exit 3")
    read_until(other, "up")

    os.kill(parent(pty.pid), signal.SIGKILL)

    read_to_end(pty)
    assert pty.status == UNKNOWN_STATUS
    pty.close()
    wait_for(lambda: named(tag) == set())
    other.send("\n")
    read_to_end(other)
    assert other.status == 3
    other.close()


def test_a_supervisor_is_not_ended_by_what_ends_us(tag: str) -> None:
    """Ctrl+C, a closed terminal and the end of a service are our business; it waits for our end."""
    pty = heirs(tag)
    supervisor, keeper = parent(parent(pty.pid)), parent(pty.pid)

    for number in (signal.SIGINT, signal.SIGHUP, signal.SIGTERM, signal.SIGQUIT):
        os.kill(supervisor, number)
        os.kill(keeper, number)
    pty.signal(0)
    pty.send("anybody there\n")
    read_until(pty, "there")

    assert os.getsid(supervisor) not in (os.getsid(0), os.getsid(pty.pid))
    assert (parent(parent(pty.pid)), parent(pty.pid)) == (supervisor, keeper)
    pty.close()


# What it is


def test_one_supervisor_has_nothing_of_ours() -> None:
    """All programs share it; it is no child of ours, has no file of ours and no variable."""
    read, write = os.pipe()
    os.set_inheritable(write, True)
    try:
        ptys = [sh("echo up; read line") for _ in range(3)]
        (supervisor,) = {parent(parent(pty.pid)) for pty in ptys}
        files = [
            str(handle.readlink())
            for one in (supervisor, *(parent(pty.pid) for pty in ptys))
            for handle in Path(f"/proc/{one}/fd").iterdir()
        ]
        variables = Path(f"/proc/{supervisor}/environ").read_bytes()

        assert parent(supervisor) != os.getpid()
        assert str(Path(f"/proc/self/fd/{write}").readlink()) not in files
        assert not {"ptmx", "pts"} & {Path(one).name for one in files}
        assert {name.partition(b"=")[0] for name in variables.split(b"\0")} <= {
            b"",
            b"PWD",
            b"OLDPWD",
            b"SHLVL",
            b"_",
            b"LC_CTYPE",
            b"LD_LIBRARY_PATH",
        }
        for pty in ptys:
            pty.close()
    finally:
        os.close(read)
        os.close(write)


def test_what_watches_us_is_small() -> None:
    """One for all programs, below 15 MB; benchmarks/latency.py measures its time as well."""
    ptys = [sh("echo up; read line") for _ in range(3)]
    for pty in ptys:
        read_until(pty, "up")
    (supervisor,) = {parent(parent(pty.pid)) for pty in ptys}
    pages = int(Path(f"/proc/{supervisor}/statm").read_text().split()[1])

    assert pages * os.sysconf("SC_PAGE_SIZE") < 15e6
    for pty in ptys:
        pty.close()


def test_a_program_gets_our_umask_and_limits_of_now() -> None:
    """What we changed after the supervisor was started counts."""
    supervised.ready()
    umask, limits = os.umask(0o027), resource.getrlimit(resource.RLIMIT_CORE)
    resource.setrlimit(resource.RLIMIT_CORE, (0, limits[1]))
    try:
        pty = sh("echo $(umask) $(ulimit -Sc); read line")
        said = read_until(pty, "\n")
    finally:
        os.umask(umask)
        resource.setrlimit(resource.RLIMIT_CORE, limits)

    assert said.split() == ["0027", "0"]
    pty.close()


def installed(folder: Path) -> Path:
    """A copy of us that Python has compiled; the supervisor's source."""
    shutil.copytree(ROOT / "geminipty", folder / "geminipty")
    source = folder / "geminipty" / "transports" / "supervisor.py"
    py_compile.compile(str(source), doraise=True, invalidation_mode=TIMED)
    return source


def change(source: Path, first: str) -> None:
    """Let the supervisor do something first."""
    begin = "    prctl = _kernel()\n"
    before, found, after = source.read_text().partition(begin)
    assert found
    source.write_text(f"{before}{found}{first}{after}")


def test_a_supervisor_that_was_changed_runs_as_changed(tmp_path: Path) -> None:
    """An upgrade counts although Python, which writes no bytecode here, keeps the old one."""
    source, marker = installed(tmp_path), tmp_path / "changed"
    change(source, f"    open({str(marker)!r}, 'w').close()\n")
    env = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1", "PYTHONPATH": str(tmp_path)}
    code = "from geminipty.transports import supervised; print(supervised.ready())"

    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, env=env, capture_output=True, check=False
    )

    assert done.stdout == b"True\n", done.stderr
    wait_for(marker.exists)


def test_what_cannot_be_started_leaves_nothing() -> None:
    """Whichever descriptor is missing, the error has a name and nothing leaks."""
    with nothing_left():
        for spare in range(6):
            with spare_descriptors(spare), contextlib.suppress(CliNotStarted):
                sh("exit").close()


# Where there is none

#: Closes a program that has ended and left something in its group.
LEFT = """
import sys
from tests.test_supervisor import read_to_end, sh
from tests.leaks import named
from geminipty.transports import supervised
assert supervised.__file__.startswith(sys.argv[2])
pty = sh("trap '' HUP; sleep $1 & sleep 0.05", sys.argv[1])
read_to_end(pty)
assert supervised.ready()
pty.close()
"""


@pytest.mark.parametrize("missing", ["", "    del os.waitid\n"], ids=["", "and without waitid"])
def test_without_a_sub_reaper_the_group_of_a_dead_program_is_ended(
    missing: str, tag: str, tmp_path: Path
) -> None:
    """Its leader is gone; what it left in the group, deaf to SIGHUP, goes with close()."""
    change(installed(tmp_path), f"    prctl = None\n{missing}")
    env = {**os.environ, "PYTHONPATH": f"{tmp_path}:{ROOT}"}

    done = subprocess.run(
        [sys.executable, "-P", "-c", LEFT, tag, tmp_path],
        cwd=tmp_path,
        env=env,
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode == 0, done.stderr
    wait_for(lambda: named(tag) == set())


#: Says the status of a program and of its daemon where there can be no supervisor.
ALONE = """
import logging, os, sys
{how}
logging.basicConfig(stream=sys.stdout, format="%(message)s")
from pathlib import Path
from tests.leaks import named, parent, wait_for
from tests.test_supervisor import read_to_end, read_until
from geminipty.transports.pty import Pty
from geminipty.transports import supervised
code = "setsid sleep {tag} & echo up; read line; exit 3"
one = Pty(["/bin/sh", "-c", code], env={{"PATH": os.defpath, "MARK": "{tag}"}}, cwd=Path("/"),
          columns=80, lines=24, mark="{tag}")
read_until(one, "up")
assert parent(one.pid) == os.getpid()
one.send(chr(10))
read_to_end(one)
one.close()
wait_for(lambda: not named("{tag}"))
print(one.status, supervised.ready())
"""


@pytest.mark.parametrize(
    ("how", "says"),
    [
        ("sys.frozen = True", "this program holds its own Python"),
        ("sys.executable = ''", "there is no program at sys.executable"),
        ("sys.executable = '/bin/false'", "it did not start"),
    ],
)
def test_without_a_supervisor_programs_are_our_own(how: str, says: str, tag: str) -> None:
    """Where no Python can be run, a program is started and ended as well, and the log says so."""
    code = ALONE.format(how=how, tag=tag)

    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False
    )

    assert done.returncode == 0, done.stderr
    warned, result = done.stdout.splitlines()
    assert warned.startswith(f"no supervisor: {says}")
    assert result == "3 False"


@pytest.mark.parametrize(("failures", "there"), [(1, True), (2, False)])
def test_one_failure_does_not_mean_never(failures: int, there: bool, tmp_path: Path) -> None:
    """A supervisor that is killed before it says a word is started again, once."""
    python = tmp_path / "python"
    python.write_text(
        "#!/bin/sh\n"
        f'echo >> {tmp_path}/tries\n[ "$(wc -l < {tmp_path}/tries)" -le {failures} ] && exit 1\n'
        f'exec {sys.executable} "$@"\n'
    )
    python.chmod(0o755)
    code = "import sys; sys.executable = sys.argv[1]\n"
    code += "from geminipty.transports import supervised; print(supervised.ready())"

    done = subprocess.run(
        [sys.executable, "-c", code, python], cwd=ROOT, capture_output=True, text=True, check=False
    )

    assert done.stdout.split() == [str(there)], done.stderr


@pytest.mark.live
def test_the_terminal_works_the_same_without_a_supervisor() -> None:
    """Rules of test_pty hold there too."""
    frozen = "import sys, pytest; sys.frozen = True; sys.exit(pytest.main(sys.argv[1:]))"
    chosen = "close_ends or others or handle or closed_while or too_long"
    options = ["-q", "-p", "no:cacheprovider", "-o", "addopts=", "-W", "error", "-k", chosen]

    done = subprocess.run(
        [sys.executable, "-c", frozen, *options, "tests/test_pty.py"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode == 0, done.stdout
