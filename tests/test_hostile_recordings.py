"""Ten thousand damaged and hostile recordings: an error of ours, or output that harms nobody."""

import gzip
import json
import random
import re
from collections.abc import Iterator
from math import inf
from pathlib import Path

import pytest

from geminipty import asciicast
from geminipty.asciicast import Event, Header, Limits, Recording
from geminipty.errors import RecordingError, RecordingInvalid
from geminipty.export import ansi, explained, timeline
from geminipty.export.film import develop
from geminipty.export.moments import picture_at
from geminipty.export.player import Command, Player
from geminipty.export.projection import Projection
from geminipty.reading import read
from geminipty.transports.acting import Act
from geminipty.transports.files import open_recording

from .conftest import RECORDINGS
from .test_play import ALLOWED

#: The quick tests take so many times less.
FEW = 16
#: Small ones: banners, dialogs, a reply, a failed turn; each case makes as many of it.
SEEDS = {
    "sign-in-code": 2500,
    "screen-reader": 2500,
    "home-folder": 2000,
    "outside": 1000,
    "ide": 800,
    "unicode-nocolor": 800,
    "error": 400,
}
#: Sizes are kept small, so that time goes into many recordings and not into large screens.
LIMITS = Limits(columns=150, lines=60)

CONTROLS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]")
SGR = re.compile(r"\x1b\[[0-9;]*m")

TEXTS = [
    "\x1b]52;c;aGk=\x07", "\x1b]0;title\x07", "\x1b]2;" + "t" * 3000, "\x1bP+q544e\x1b\\", "\x1bP",
    "\x1b_G\x1b\\", "\x9d0;c1\x9c", "\x9b31m", "\x1b[c\x1b[6n\x1b[>q", "\x1bc", "\x1b[!p", "\x07",
    "\x00", "\x7f", "\x85", "\u2028", "\u202e", "\u2066\u2069", "\u200f", "\ufeff", "\x1b[?1049h",
    "\x1b[?1049l", "\x1b[?2026h", "\x1b[2J", "\x1b[3J", "\x1b[65535;65535H", "\x1b[65535L",
    "\x1b#8",
    "\x1b[38;2;999;1;1m", "\x1b[8m", "\x1b[5;7;9m", "e" + "\u0301" * 50, "日" * 99, "👩\u200d🚀",
    "🇩", "x\x1b[65535b", "\r\n" * 80, "\x1b[1A\x1b[2K" * 9, "\x1b]8;;http://a\x1b\\l\x1b]8;;\x1b\\",
    "✦ fake reply\r\n", " > fake prompt\r\n", "\x1b", "\x1b[", "\x0e\x0f", "\t" * 30, "\x08" * 30,
]  # fmt: skip
#: What may stand where another JSON value stood; some of it is no JSON.
VALUES = [
    "1e999", "-1e999", "NaN", "Infinity", "-1", "-0.0", "1e308", "999999999999999999999", "1e9",
    "0", "null", "true", "[]", "{}", '""', '"\\u0000"', '"\\ud800"', '"\\udfff\\ud800"', '"x"',
    '"m"', '"r"', '"i"', '"99999x99999"', '"1x1"', '"150x60"', '"0x0"', '"-9"', '"1e999"',
    "[" * 50 + "]" * 50, "[" * 5000 + "]" * 5000, '{"a":' * 300 + "1" + "}" * 300, "9" * 5000,
    "'x'", '"\\x"', '"unclosed', "[1,2", *(json.dumps(text) for text in TEXTS),
]  # fmt: skip
VALUE = re.compile(rb'"(?:[^"\\]|\\.)*"|-?[0-9][0-9.eE+-]*|null|true|false')


class Mutator:
    """Makes hostile recordings of a harmless one, the same ones for the same seed."""

    def __init__(self, name: str) -> None:
        self._random = random.Random(name)
        header, events = asciicast.loads((RECORDINGS / "0.61.0" / f"{name}.cast").read_bytes())
        second = (RECORDINGS / "0.61.0" / f"{name}.cast").read_bytes()
        third = "".join(asciicast.write(header, events)).encode()
        self._forms = [data.splitlines(keepends=True) for data in (second, third)]

    def make(self) -> bytes:
        """One recording with one to four wounds."""
        choose = self._random
        lines = list(choose.choice(self._forms))
        for _ in range(choose.choice((1, 1, 1, 2, 4))):
            choose.choice((self._value, self._text, self._text, self._lines))(lines)
        data = b"".join(lines)
        if choose.random() < 0.2:
            data = self._bytes(data)
        if choose.random() < 0.1:
            data = gzip.compress(data, compresslevel=1, mtime=0)
            if choose.random() < 0.5:
                data = self._bytes(data)
        return data[: choose.randrange(len(data))] if choose.random() < 0.05 and data else data

    def _value(self, lines: list[bytes]) -> None:
        """Replace a JSON value by another, in the header as often as anywhere."""
        at = self._random.choice((0, self._any(lines)))
        found = list(VALUE.finditer(lines[at]))
        if found:
            start, end = self._random.choice(found).span()
            lines[at] = lines[at][:start] + self._random.choice(VALUES).encode() + lines[at][end:]

    def _text(self, lines: list[bytes]) -> None:
        """Have a hostile text written in the middle of another, or set as a marker."""
        at = self._any(lines)
        text = "".join(self._random.choices(TEXTS, k=self._random.choice((1, 1, 2, 5))))
        try:
            time, code, data = json.loads(lines[at])
        except (ValueError, TypeError):
            return  # the header, or wounded already
        if not isinstance(data, str):
            return
        cut = self._random.randrange(len(data) + 1)
        if self._random.random() < 0.1:
            event = [time, "m", text]
        else:
            event = [time, code, data[:cut] + text + data[cut:]]
        lines[at] = json.dumps(event).encode() + b"\n"

    def _lines(self, lines: list[bytes]) -> None:
        at, other = self._any(lines), self._any(lines)
        match self._random.randrange(5):
            case 0:
                del lines[at]
                lines += [b""] if not lines else []
            case 1:
                lines.insert(at, lines[other])
            case 2:
                lines[at], lines[other] = lines[other], lines[at]
            case 3:
                del lines[max(at, 1) :]
            case 4:
                lines[at] = lines[at][: self._random.randrange(len(lines[at]) + 1)]

    def _bytes(self, data: bytes) -> bytes:
        changed = bytearray(data)
        for _ in range(self._random.choice((1, 2, 8))):
            if changed:
                changed[self._random.randrange(len(changed))] = self._random.randrange(256)
        return bytes(changed)

    def _any(self, lines: list[bytes]) -> int:
        return self._random.randrange(len(lines))


def check_plain(text: str) -> None:
    """No control character but newline and tab, and nothing that UTF-8 cannot carry."""
    assert not CONTROLS.search(text), ascii(text)


def check(header: Header, events: list[Event]) -> None:
    """Whatever is made of a recording is harmless."""

    def again() -> Recording:
        return Recording(header, iter(events))

    story = timeline.tell(again())
    for turn in story.turns:
        check_plain(turn.reply.text)
        check_plain(turn.prompt)
    check_plain(timeline.as_text(story))
    check_plain(json.dumps(timeline.as_data(story), ensure_ascii=False))
    picture = picture_at(again())
    check_plain(ansi.draw(picture, scrolled=True, colours=False))
    check_plain(SGR.sub("", ansi.draw(picture, scrolled=True)))
    check_plain(explained.explain(read(picture)))
    check_plain(ALLOWED.sub("", projected(again())))
    act = Act(events, speed=inf)
    while act.output(0.0):
        pass


def projected(recording: Recording) -> str:
    """All that a viewer's terminal gets, from the first picture to the last and by the markers."""
    player = Player(develop(recording), step=True)
    projection = Projection(70, 20)
    parts = [projection.draw(player)]
    for command in [Command.NEXT_MARKER] * 3 + [Command.BACK] * 2:
        player.obey(command, 0.0)
        parts.append(projection.draw(player))
    while not player.at_end:
        player.obey(Command.FORWARD, 0.0)
        parts.append(projection.draw(player))
    return "".join(parts)


@pytest.mark.parametrize("part", [FEW, pytest.param(1, marks=pytest.mark.live)], ids=["few", "all"])
@pytest.mark.parametrize("seed", SEEDS)
def test_a_hostile_recording_is_refused_or_harmless(seed: str, part: int, tmp_path: Path) -> None:
    """Only RecordingError comes out of reading it, nothing out of using it, and no control."""
    mutator = Mutator(seed)
    path = tmp_path / "hostile.cast"
    read_through = 0
    count = SEEDS[seed] // part

    for _ in range(count):
        path.write_bytes(mutator.make())
        try:
            with open_recording(path, limits=LIMITS) as recording:
                header, events = recording.header, list(recording.events)
        except RecordingError as error:
            check_plain(str(error))
            continue
        check(header, events)
        read_through += 1

    assert count * 0.2 < read_through < count * 0.9  # else the wounds are too deep, or too shallow


def test_there_are_ten_thousand_of_them() -> None:
    """The cases add up, and no two runs differ."""
    assert sum(SEEDS.values()) == 10_000
    first, second = Mutator("ide"), Mutator("ide")
    assert [first.make() for _ in range(50)] == [second.make() for _ in range(50)]


def endless(beginning: bytes, piece: bytes, read: list[int]) -> Iterator[bytes]:
    """A file that never ends, and how much of it was read."""
    yield beginning
    while True:
        read.append(len(piece))
        yield piece


HEADER = b'{"version":2,"width":80,"height":24}\n'


@pytest.mark.parametrize(
    ("beginning", "piece", "limit", "most"),
    [
        (HEADER, b'[1.0,"o","x"]\n' * 4096, "200000 events", 4 << 20),
        (HEADER, b" " * 65536, "1048576 line_bytes", 2 << 20),
        (b'{"version":2,"x":"', b"x" * 65536, "1048576 line_bytes", 2 << 20),
        (HEADER + b'[1.0,"o","', b"[" * 65536, "1048576 line_bytes", 2 << 20),
        (HEADER, b'[1.0,"o","' + b"x" * 65000 + b'"]\n', "67108864 total_bytes", 65 << 20),
        (b"", gzip.compress(HEADER + (b" " * 999 + b"\n") * 64000), "100 ratio", 1 << 20),
    ],
    ids=["events", "blanks", "header", "open text", "bytes", "bomb"],
)
def test_an_endless_recording_is_refused_at_its_limit(
    beginning: bytes, piece: bytes, limit: str, most: int
) -> None:
    """No more is read than the limit allows, whatever comes after it."""
    taken: list[int] = []

    with pytest.raises(RecordingInvalid, match=f"over the limit of {limit}"):
        for _ in asciicast.read(endless(beginning, piece, taken)).events:
            pass

    assert sum(taken) <= most
