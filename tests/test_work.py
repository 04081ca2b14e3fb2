"""What a stranger's recording may cost: counted work, with a limit, for every reader."""

import json
import sys
from collections.abc import Iterator
from itertools import cycle, islice
from pathlib import Path
from types import FrameType

import pytest

from geminipty import GeminiSession
from geminipty.asciicast import DEFAULT_LIMITS, Event, Header, Limits, Recording
from geminipty.conversation import Conversation
from geminipty.errors import RecordingInvalid
from geminipty.export import explained, moments, timeline
from geminipty.redaction import Cleaner, Redactor, clean
from geminipty.terminal import Terminal, Work, painting

from .conftest import ALL_RECORDINGS, RECORDINGS
from .playing import load
from .test_cli import geminipty

#: Each costs the terminal, or whoever reads its pictures, more than its length: what is repeated,
#: and what stands before it. The name is the family.
FLOODS = {
    "IL": "\x1b[5000L",
    "DL": "\x1b[5000M",
    "SU": "\x1b[5000S",
    "SU 1": "\x1b[S",
    "SD": "\x1b[5000T",
    "IND": "\n",
    "RI": "\x1bM",
    "ED": "\x1b[J",
    "ED 1": "\x1b[1J",
    "ED 2": "x\x1b[2J",
    "ED 2, coloured": "\x1b[41m\x1b[2J",
    "ED 3": "x\r\n\x1b[3J",
    "EL": "x\x1b[K",
    "EL 1": "\x1b[1K",
    "ICH": "\x1b[H\x1b[999@",
    "DCH": "\x1b[H\x1b[P",
    "ECH": "\x1b[999X",
    "REP": "x\x1b[9999b",
    "REP, wide": "日\x1b[9999b",
    "insert mode": "\x1b[4h\x1b[Hx",
    "wide": "日本",
    "marks": "e\u0301",
    "emoji": "\u2764\ufe0f",
    "tabs": "\t",
    "back tabs": "\x1b[999C\x1b[Z",
    "tab stops": "\x1b[CX\x1bH\t",
    "titles": "\x1b]0;a\x07\x1b]0;b\x07",
    "links": "\x1b]8;;x\x07",
    "paste mode": "\x1b[?2004h\x1b[?2004l",
    "updates": "x\x1b[?2026h\x1b[?2026l",
    "parked": "x\x1b[1A\x1b[4G",
    "alternate": "\x1b[?1049h\x1b[?1049l",
    "alternate, painted": "\x1b[?1049hx\x1b[?1049l",
    "column mode": "\x1b[?3h",
    "DECSTR": "\x1b[!p",
    "RIS": "\x1bc",
    "DECALN": "\x1b#8",
    "thawed": "\x1b[Hx\x1b[S",
    "erase runs": "a\r\n" * 20 + "\x1b[2K\x1b[1A" * 20 + "\x1b[2K\x1b[G",
    "open erase runs": "\x1b[2K\x1b[1A",
    "queries": "\x1b[c",
}
BEFORE = {"tabs": "".join(f"\x1b[{column}G\x1bH" for column in range(1, 1001))}
SIZES = [
    (80, 24),
    pytest.param((200, 1000), marks=pytest.mark.live),
    pytest.param((1000, 5000), marks=pytest.mark.live),
    pytest.param((20, 5000), marks=pytest.mark.live),
    pytest.param((1000, 2), marks=pytest.mark.live),
]
#: Text of one event of a flood, about, and how many there are: as good as no end.
LENGTH = 1 << 15
EVENTS = 1000
#: What touches every row of the screen: its price grows with their number.
BY_ROWS = ("IL", "DL", "SU 1", "SD", "RI", "ED", "ED 2, coloured", "RIS", "DECALN", "updates")


def flood(name: str) -> Iterator[Event]:
    """A recording that does one thing for ever."""
    yield Event(0.0, "o", BEFORE.get(name, ""))
    text = FLOODS[name] * -(-LENGTH // len(FLOODS[name]))
    for _ in range(EVENTS):
        yield Event(0.0, "o", text)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("name", FLOODS)
def test_a_flood_is_refused_at_a_bounded_cost(name: str, size: tuple[int, int]) -> None:
    """Whatever a recording repeats without end, reading it stops, soon, and says why."""
    header, events = Header(columns=size[0], lines=size[1]), flood(name)

    with pytest.raises(RecordingInvalid, match=r"limit of 1000000 work.*Limits\(work=…\)"):
        timeline.tell(Recording(header, events), limits=Limits(work=1_000_000))

    read = EVENTS - sum(1 for _ in events)
    assert read <= 1_000_000 // LENGTH  # a character costs a unit at the least


@pytest.mark.parametrize("name", BY_ROWS)
def test_what_touches_every_row_costs_a_unit_for_each(name: str) -> None:
    """A large screen makes an action dear, and the count knows it."""
    terminal = Terminal(10, 5000, work=(work := Work()))
    terminal.receive(FLOODS[name])
    before = work.done

    terminal.receive(FLOODS[name] * 4)

    assert work.done - before >= 4 * 5000


@pytest.mark.parametrize("length", [1 << 11, 1 << 14])
def test_an_erase_run_without_an_end_is_looked_at_once(length: int) -> None:
    """Text that begins as the CLI's erasing does and goes on without end costs its length."""
    terminal = Terminal()
    looks = 0

    def count(frame: FrameType, event: str, function: object) -> None:  # noqa: ARG001
        nonlocal looks
        looks += getattr(function, "__self__", None) is painting._ERASE_RUN

    sys.setprofile(count)
    try:
        terminal.receive("\x1b[2K\x1b[1A" * (length // 8))
    finally:
        sys.setprofile(None)

    assert looks == 2  # the call and its return


def test_two_transcripts_that_take_turns_are_refused() -> None:
    """Each look at the other one reads all of it anew, at the cost of all its lines."""
    header, events = load(RECORDINGS / "0.61.0" / "hello.cast")
    text = "".join(str(event.data) for event in events if event.code == "o")
    ready = text[: text.rindex("\x1b]0;◇  Ready")] + "\x1b]0;◇  Ready\x07"
    before = "line\r\n" * 60_000 + ready + "\x1b[?47h" + ready
    turns = "\x1b[?47l\x1b[?2026l\x1b[?47h\x1b[?2026l" * 10
    given = (Event(float(at), "o", turns if at else before) for at in range(20))

    with pytest.raises(RecordingInvalid, match="limit of 30000000 work"):
        timeline.tell(Recording(header, given), limits=Limits(work=30_000_000))

    assert 20 - sum(1 for _ in given) <= 3  # a turn costs 50 units for each of 50,000 lines


def test_resizes_without_end_are_refused() -> None:
    """A recording whose terminal grows and shrinks for ever is refused like any flood."""
    sizes = islice(cycle(("1000x5000", "1x1")), EVENTS)
    events = (Event(float(number), "r", size) for number, size in enumerate(sizes))
    header = Header(columns=80, lines=24)

    with pytest.raises(RecordingInvalid, match="limit of 1000000 work"):
        timeline.tell(Recording(header, events), limits=Limits(work=1_000_000))

    assert EVENTS - sum(1 for _ in events) <= 2 * 1_000_000 // 5000


def drawn(number: int) -> str:
    """A secret of its own for each number, placed by the cursor in two passes."""
    jumps = [f"\x1b[5;{column}H{char}" for column, char in enumerate(f"AKIA{number:016}", 1)]
    return "".join((*jumps[::2], *jumps[1::2]))


@pytest.mark.parametrize("name", ["nothing", "one secret", "secrets", "old secrets"])
def test_redaction_has_the_limit(name: str) -> None:
    """Whatever was found, and whenever, the events of a stranger are cleaned at a bounded cost."""
    text = "\x1b[2J\x1b[H" + "words and words\r\n" * 20
    events = [Event(0.0, "o", "" if name == "nothing" else drawn(0))]
    events += [Event(1.0, "o", text)] * 400
    if name == "secrets":
        events = [Event(1.0, "o", drawn(number)) for number in range(400)]
    if name == "old secrets":  # this makes it begin anew
        events[:1] = [events[0]._replace(data=drawn(0)[:110])]
        events += [Event(2.0, "o", "\x1b[2J" + drawn(0)[110:])]
    work = Work(1_000_000)

    with pytest.raises(RecordingInvalid, match="limit of 1000000 work"):
        clean(events, Redactor(), 80, 24, work=work)

    assert work.done < 1_200_000


def test_ink_is_counted() -> None:
    """To paint so that each character tells who wrote it costs many times as much."""
    events = [Event(0.0, "o", "words and words\r\n" * 1000)]

    def done(*, marked: bool) -> int:
        work = Work()
        Cleaner(Redactor(), 80, 24, marked=marked, work=work).all(events)
        return work.done

    assert done(marked=True) > 10 * done(marked=False)


@pytest.mark.parametrize("name", ["IL", "titles"])
def test_every_painter_of_recordings_has_the_limit(name: str) -> None:
    """A moment, the finished pictures and the story are refused alike."""
    header, limits = Header(columns=80, lines=24), Limits(work=1_000_000)

    def again() -> Recording:
        return Recording(header, flood(name))

    with pytest.raises(RecordingInvalid, match="limit of 1000000 work"):
        moments.picture_at(again(), limits=limits)
    with pytest.raises(RecordingInvalid, match="limit of 1000000 work"):
        for _ in explained.frames(again(), limits=limits):
            pass
    with pytest.raises(RecordingInvalid, match="limit of 1000000 work"):
        timeline.tell(again(), limits=limits)


#: Dear by the count and cheap by the clock, so that the limits can be tested as they are.
DEAR = "\x1b[?1049h\x1b[?1049l" * 15_000


@pytest.fixture
def dear(tmp_path: Path) -> Path:
    """A small recording that asks for more than the limit."""
    path = tmp_path / "dear.cast"
    lines = [{"version": 2, "width": 1000, "height": 5000}, [0.0, "o", DEAR]]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


@pytest.mark.parametrize(
    "command",
    [
        ["show"],
        pytest.param(["read"], marks=pytest.mark.live),
        pytest.param(["explain"], marks=pytest.mark.live),
        pytest.param(["play", "--speed", "9"], marks=pytest.mark.live),
        pytest.param(["export", "--text", "-"], marks=pytest.mark.live),
        ["export", "--html", "OUT"],
    ],
)
def test_commands_refuse_a_recording_that_costs_too_much(
    command: list[str], dear: Path, tmp_path: Path
) -> None:
    """The command line says what is wrong and leaves nothing behind."""
    words = [str(tmp_path / "out") if word == "OUT" else word for word in command]

    result = geminipty(words[0], dear, *words[1:])

    assert result.returncode != 0
    assert f"over the limit of {DEFAULT_LIMITS.work} work" in result.stderr
    assert not (tmp_path / "out").exists()


def test_a_replay_refuses_a_recording_that_costs_too_much(tmp_path: Path) -> None:
    """A session that is replayed in CI ends with the error, whoever made its recording."""
    header, events = load(RECORDINGS / "0.61.0" / "ask.cast.gz")
    path = tmp_path / "dear.cast"
    first = next(number for number, event in enumerate(events) if event.code == "o")
    events[first] = events[first]._replace(data=DEAR + str(events[first].data))
    head = {"version": 2, "width": 1000, "height": 5000, **header.extra}
    lines = [head, *(list(event) for event in events)]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))

    with pytest.raises(RecordingInvalid, match="limit of"), GeminiSession.replay(path):
        pass


def test_recordings_of_the_cli_are_far_below_the_limit() -> None:
    """The dearest of the largest bundled recordings needs a hundredth of the limit at most."""
    dearest = 0
    for path in sorted(ALL_RECORDINGS, key=lambda path: -path.stat().st_size)[:25]:
        header, events = load(path)
        work = Work()
        conversation = Conversation(header.columns, header.lines, work=work)
        for _ in timeline.play(Recording(header, iter(events)), conversation):
            pass
        dearest = max(dearest, work.done)

    assert 0 < dearest * 100 < DEFAULT_LIMITS.work


def test_without_a_limit_nothing_is_refused() -> None:
    """A CLI of our own may paint for ever: its work is counted and never refused."""
    terminal = Terminal(work=(work := Work()))

    for event in islice(flood("IL"), 4):
        terminal.receive(str(event.data))

    assert work.done > 500_000
