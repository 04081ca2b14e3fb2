"""Python is killed at any moment of its life: no process and no file of its sessions is left."""

import os
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from random import Random

import pytest

from tests.faces import TOY
from tests.leaks import carriers, named, wait_for

ROOT = Path(__file__).parent.parent
PROMPTS = ("one", "two")
#: Sessions in private homes, one after the other.
VICTIM = f"""
import sys
from geminipty import GeminiSession
for prompt in {PROMPTS}:
    with GeminiSession(command=sys.argv[1], cwd=sys.argv[2], size=(80, 40)) as session:
        print(session.ask(prompt).text, flush=True)
"""
#: The CLI, with a tool that goes on making daemons without session, terminal and environment.
PROGRAM = """#!/bin/sh
while :; do
    env -i setsid sleep {tag} </dev/null >/dev/null 2>&1 &
    sleep 0.05
done &
exec {python} -S -E {toy}
"""


class Life:
    """A Python with sessions, and whatever comes of it."""

    def __init__(self, folder: Path, number: int) -> None:
        self._folder = folder / str(number)
        self._temporary = self._folder / "temporary"
        self._temporary.mkdir(parents=True)
        #: A number of seconds that nobody else sleeps.
        self._tag = f"{os.getpid()}{number + 200_000}"
        program = self._folder / "gemini"
        text = PROGRAM.format(tag=self._tag, python=sys.executable, toy=TOY)
        program.write_text(text)
        program.chmod(0o755)

    def live(self, number: int, replies: int, seconds: float) -> float:
        """Begin, and be sent a signal some seconds after so many replies; how long it took."""
        # The supervisor has this variable too, and no other.
        libraries = f"{self._folder}:{os.environ.get('LD_LIBRARY_PATH', '')}"
        env = {
            **os.environ,
            "HOME": str(self._folder),
            "TMPDIR": str(self._temporary),
            "LD_LIBRARY_PATH": libraries,
        }
        words = [sys.executable, "-c", VICTIM, str(self._folder / "gemini"), str(self._folder)]
        began = time.monotonic()
        with subprocess.Popen(words, cwd=ROOT, env=env, stdout=subprocess.PIPE) as one:
            assert one.stdout
            for _ in range(replies):
                assert one.stdout.readline()
            with suppress(subprocess.TimeoutExpired):
                one.wait(seconds)
            one.send_signal(number)
        return time.monotonic() - began

    @property
    def left(self) -> list[object]:
        """What there is of it: its supervisor, CLIs and their tools, daemons, files."""
        files = [path.name for path in self._temporary.iterdir()]
        return [*carriers(str(self._folder)), *named(self._tag), *files]


@pytest.mark.timeout(900)
@pytest.mark.parametrize("kills", [8, pytest.param(200, marks=pytest.mark.live)])
def test_nothing_is_left_whenever_python_is_killed(kills: int, tmp_path: Path) -> None:
    """From its first moment until after its end, by SIGKILL or SIGTERM: no process, no file."""
    random = Random(kills)
    whole = Life(tmp_path, kills)
    seconds = whole.live(signal.SIGTERM, len(PROMPTS), 60.0)
    wait_for(lambda: whole.left == [], 30.0)
    plans = [
        (
            random.choice((signal.SIGKILL, signal.SIGTERM)),
            random.randint(0, len(PROMPTS)),
            random.uniform(0, seconds / len(PROMPTS)),
        )
        for _ in range(kills)
    ]

    def kill(number: int) -> Life:
        life = Life(tmp_path, number)
        life.live(*plans[number])
        wait_for(lambda: life.left == [], 30.0)
        return life

    with ThreadPoolExecutor(2) as pool:
        lives = list(pool.map(kill, range(kills)))

    assert [life.left for life in lives if life.left] == []
