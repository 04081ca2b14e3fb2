"""What geminipty adds to the real CLI: time, CPU and memory, against a scripted model.

    python -m benchmarks.latency GEMINI [--turns 50] [--sessions 8] [--asks 0] [--lines 1 100 5000]

GEMINI is the program to run. All figures of a run are taken on the same machine, one after the
other, while it does nothing else; compare those of one run only.
"""

import argparse
import asyncio
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from geminipty import AsyncGeminiSession, Conversation, GeminiSession, Options, Status
from geminipty.launch import prepare
from geminipty.standin import Request, Say, StandIn, Step
from geminipty.transports.pty import Pty

#: With a model named, the CLI does not ask another one which to use.
_MODEL = "gemini-2.5-flash"
_TICK = os.sysconf("SC_CLK_TCK")


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        description=(__doc__ or "").partition("\n")[0],
        formatter_class=argparse.ArgumentDefaultsHelpFormatter,
    )
    parser.add_argument("gemini", help="the CLI's program")
    parser.add_argument("--turns", type=int, default=50, help="turns of one session")
    parser.add_argument("--sessions", type=int, default=8, help="sessions at once")
    parser.add_argument("--asks", type=int, default=0, help="asks under load, counted at the API")
    parser.add_argument("--lines", type=int, nargs="*", default=[1, 100, 1000, 5000])
    chosen = parser.parse_args()
    watch_reads()
    with tempfile.TemporaryDirectory() as folder:
        common = {"command": chosen.gemini, "cwd": folder, "trust": True}
        supervisor()
        start(common)
        turns(common, chosen.turns)
        asyncio.run(together(common, chosen.sessions))
        long_answers(common, chosen.lines)
        if chosen.asks:
            asyncio.run(under_load(common, chosen.asks))
    return 0


#: When the last text was there to be read.
_READS: list[float] = [0.0]


def watch_reads() -> None:
    """Note the moment of every read that brings something, before it is looked at."""
    receive = Pty.receive

    def noted(self: Pty) -> str:
        now = time.monotonic()
        text = receive(self)
        if text:
            _READS[0] = now
        return text

    Pty.receive = noted  # type: ignore[method-assign]  # a stop-watch around the real one


#: Says how long the first program of a Python waits for the supervisor, what a program costs
#: then, and who watches it.
_SUPERVISED = """
import os, time
from pathlib import Path
from geminipty.transports import supervised
from geminipty.transports.pty import Pty
began = time.monotonic()
assert supervised.ready()
print(time.monotonic() - began)
def sleeper():
    return Pty(["/bin/sleep", "60"], env={}, cwd=Path("/"), columns=80, lines=24)
times, ptys = [], []
for _ in range(20):
    began = time.monotonic()
    ptys.append(sleeper())
    times.append(time.monotonic() - began)
print(sorted(times)[10])
def parent(pid):
    return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])
def memory(pid, kind):
    lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    return sum(int(line.split()[1]) * 1024 for line in lines if line.startswith(kind))
keepers = {parent(pty.pid) for pty in ptys}
(one,) = {parent(keeper) for keeper in keepers}
print(memory(one, "Rss:"))
print(sum(memory(keeper, "Private_") for keeper in keepers) / len(keepers))
for pty in ptys:
    pty.close()
"""


def supervisor() -> None:
    """What the process costs that ends all when Python is killed: one for all sessions."""
    runs = []
    for _ in range(15):
        words = [sys.executable, "-c", _SUPERVISED]
        said = subprocess.run(words, check=True, capture_output=True, text=True).stdout
        runs.append([float(word) for word in said.split()])
    ready, program, memory, keeper = zip(*runs, strict=True)
    print("supervisor, one for all sessions: median (worst)")
    print(f"  until it is there, milliseconds      {_ms(ready)}   once, while a start goes on")
    print(f"  a program under it, milliseconds     {_ms(program)}   /bin/sleep, executed")
    print(f"  its memory                           {statistics.median(memory) / 1e6:5.1f} MB")
    print(f"  its fork's own for each session      {statistics.median(keeper) / 1e6:5.1f} MB")


def start(common: dict[str, Any]) -> None:
    """From the start of the process to READY, and the same for a terminal that answers nothing."""
    print("start, seconds (three runs each)")
    for look in ("lean", "normal"):
        times = []
        for _ in range(3):
            with StandIn([]) as api:
                began = time.monotonic()
                session = GeminiSession(**common, **api.options, look=look)
                with session:
                    times.append(time.monotonic() - began)
        print(f"  {look:8} {_seconds(times)}")
    with StandIn([]) as api:
        print(f"  {'alone':8} {_seconds([_alone(common | api.options) for _ in range(3)])}")


def _alone(options: dict[str, Any]) -> float:
    """The CLI as it comes: two processes, and a terminal that is deaf to its queries."""
    with prepare(Options.of(**options, look="normal")) as launch:
        env = {k: v for k, v in launch.env.items() if k != "GEMINI_CLI_NO_RELAUNCH"}
        size = launch.size
        began = time.monotonic()
        pty = Pty(launch.argv, env=env, cwd=launch.cwd, columns=size.columns, lines=size.lines)
        try:
            seen = Conversation(size.columns, size.lines)
            while seen.status is not Status.READY:
                pty.wait(seen.deadline)
                seen.receive(pty.receive())
                seen.tick(pty.now())
            return time.monotonic() - began
        finally:
            pty.close()


def turns(common: dict[str, Any], count: int) -> None:
    """One session: what a turn costs beside the CLI, and whether that grows."""
    paint, ours, overhead, cpu = [], [], [], []
    with (
        StandIn(lambda _: Say("Hello! How can I help you today?")) as api,
        GeminiSession(**common, **api.options, model=_MODEL) as session,
    ):
        session.ask("warm up")
        before, cli = _cpu(), _cli_cpu(session)
        for number in range(count):
            used = _cpu()
            asked = time.monotonic()
            reply = session.ask(f"question {number}")
            done = time.monotonic()
            assert reply.source == "chat-file", reply
            last, request = api.last_byte or 0.0, api.requests[-1]
            paint.append(_READS[0] - last)
            ours.append(done - _READS[0])
            overhead.append(request.came - asked)
            cpu.append(_cpu() - used)
        share = (_cpu() - before) / max(_cli_cpu(session) - cli, 1e-9)
    print(f"{count} turns of one session, milliseconds: median (worst)")
    print(f"  prompt given to request at the API   {_ms(overhead)}")
    print(f"  API's last byte to the final paint   {_ms(paint)}   the CLI's own")
    print(f"  final paint to ask() returning       {_ms(ours)}")
    print(f"  our CPU a turn                       {_ms(cpu)}")
    early, late = statistics.median(cpu[1:6]), statistics.median(cpu[-5:])
    print(f"  the last turns against the first     {late / early:.2f} times")
    print(f"  our CPU against the CLI's            {share:.1%}")


async def together(common: dict[str, Any], count: int) -> None:
    """Many sessions on one loop."""
    before = _memory()
    async with _Crowd(common, count) as crowd:
        delays = []

        async def ask(index: int, number: int) -> None:
            session, api = crowd.sessions[index], crowd.apis[index]
            await session.ask(f"question {number}")
            delays.append(time.monotonic() - (api.last_byte or 0.0))

        for number in range(5):
            await asyncio.gather(*(ask(index, number) for index in range(count)))
        grown = (_memory() - before) / max(count - 1, 1)
    print(f"{count} sessions at once")
    print(f"  API's last byte to ask() returning   {_ms(delays)}")
    print(f"  memory a session                     {grown / 1e6:.1f} MB")


def long_answers(common: dict[str, Any], lengths: Iterable[int]) -> None:
    """Answers of many lines: none may be lost, in the reply or on the screen."""
    print("long answers: lines sent, in the reply, on the screen, seconds")
    for length in lengths:
        text = "\n".join(f"L{number:05} river meadow beta" for number in range(length))
        with (
            StandIn([Say(text, chunks=2000)]) as api,
            GeminiSession(**common, **api.options, model=_MODEL) as session,
        ):
            began = time.monotonic()
            reply = session.ask("tell me all", timeout=600)
            took = time.monotonic() - began
        whole = len(reply.text.splitlines()) if reply.text == text else -1
        shown = sum(line.startswith("L") for line in reply.screen_text.splitlines())
        print(f"  {length:6} {whole:6} {shown:6} {took:8.2f}")


async def under_load(common: dict[str, Any], asks: int, count: int = 4) -> None:
    """Asks from several sessions while every core is busy: each prompt arrives once."""
    burners = [
        await asyncio.create_subprocess_exec("sh", "-c", "while :; do :; done")
        for _ in range(os.cpu_count() or 1)
    ]
    try:
        async with _Crowd(common, count) as crowd:

            async def many(index: int) -> int:
                for number in range(asks // count):
                    await crowd.sessions[index].ask(f"question {number}", timeout=120)
                got = [one.prompt for one in crowd.apis[index].requests if one.kind == "main"]
                return sum(got.count(f"question {n}") != 1 for n in range(asks // count))

            wrong = await asyncio.gather(*map(many, range(count)))
        print(f"{asks} asks under load: {sum(wrong)} lost or doubled")
    finally:
        for burner in burners:
            burner.kill()
            await burner.wait()


class _Crowd:
    """Sessions, each with a stand-in of its own."""

    def __init__(self, common: dict[str, Any], count: int) -> None:
        self.apis = [StandIn(_answer) for _ in range(count)]
        self.sessions = [
            AsyncGeminiSession(**common, **api.options, model=_MODEL) for api in self.apis
        ]

    async def __aenter__(self) -> "_Crowd":
        for session in self.sessions:
            await session.start()
        return self

    async def __aexit__(self, *_: object) -> None:
        for session, api in zip(self.sessions, self.apis, strict=True):
            await session.close()
            api.close()


def _answer(request: Request) -> Step:
    return Say(f"You asked: {request.prompt}")


def _cpu() -> float:
    """Of this thread: the stand-in works in others."""
    return time.thread_time()


def _cli_cpu(session: GeminiSession) -> float:
    transport = session._run.transport  # noqa: SLF001 - a benchmark may look at the process
    assert isinstance(transport, Pty)
    stat = Path(f"/proc/{transport.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(stat[11]) + int(stat[12])) / _TICK


def _memory() -> float:
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return float(pages * os.sysconf("SC_PAGE_SIZE"))


def _seconds(times: Sequence[float]) -> str:
    return " ".join(f"{one:.2f}" for one in times)


def _ms(times: Sequence[float]) -> str:
    return f"{statistics.median(times) * 1e3:7.1f} ({max(times) * 1e3:.1f})"


if __name__ == "__main__":
    raise SystemExit(main())
