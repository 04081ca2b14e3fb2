"""Hostile output: no exception, no unbounded state, no byte sent that is not on the list."""

import random
import re
import tracemalloc
from collections.abc import Iterator

import pytest
from hypothesis import given

from geminipty.asciicast import Event, Header, Recording
from geminipty.errors import UsageError
from geminipty.export.moments import picture_at
from geminipty.terminal import Query, Terminal
from geminipty.terminal.cells import MAX_MARKS
from geminipty.terminal.grid import MAX_SCROLLED
from geminipty.terminal.painting import MAX_REMEMBERED
from geminipty.terminal.queries import ANSWERS, MAX_WAITING
from geminipty.terminal.screen import MAX_TITLE

from .conftest import examples
from .streams import any_stream

#: The quick tests take so many times less.
FEW = 10
#: Pieces that mean something to a terminal, for random streams; streams.py makes finer ones.
PIECES = [
    *["\x1b", "\x1b[", "\x1b]", "\x1bP", "\x1b_", "\x9b", "\x9d", "\x90", "\x07", "\x1b\\", "\x9c"],
    *["\x18", "\x1a", "\r", "\n", "\r\n", "\t", "\x08", "\x0e", "\x0f", "\x00", "\x7f", "\x85"],
    *[
        "?",
        ">",
        "<",
        "=",
        ";",
        ":",
        "0",
        "1",
        "7",
        "25",
        "1049",
        "2026",
        "65535",
        "9" * 30,
        "$",
        "!",
    ],
    *list("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz@`{|}~"),
    *[
        "日",
        "🎉",
        "\u200d",
        "\ufe0f",
        "e\u0301",
        "\u0300" * 20,
        "\u200b",
        "👩\u200d🚀",
        "🇩",
        "नि",
        "\ud800",
    ],
    *["\x1b[2K\x1b[1A" * 3 + "\x1b[2K\x1b[G", "\x1b[4A\x1b[4G", "\x1b[2J\x1b[3J\x1b[H", "\x1bc"],
    *[
        "\x1b[r",
        "\x1b[2;3r",
        "\x1b[?6h",
        "\x1b[4h",
        "\x1b[?7l",
        "\x1b(0",
        "\x1b#8",
        "\x1b7",
        "\x1b8",
    ],
    *["\x1b[?1049h", "\x1b[?1049l", "\x1b[?47h", "\x1b[38;2;1;2;3m", "\x1b[48;5;9m", "\x1b[m"],
]


def random_streams(count: int) -> Iterator[str]:
    """Random mixtures of the pieces and of noise, the same on every run."""
    chance = random.Random(2026)
    for _ in range(count):
        if chance.random() < 0.2:
            yield "".join(map(chr, chance.choices(range(0x180), k=chance.randrange(60))))
        else:
            yield "".join(chance.choices(PIECES, k=chance.randrange(1, 40)))


def check(terminal: Terminal) -> None:
    """What holds for a terminal whatever it was fed."""
    screen = terminal.screen
    frame = terminal.picture()
    assert len(frame.rows) == screen.lines
    assert 0 <= screen.cursor.x <= screen.columns
    assert 0 <= screen.cursor.y < screen.lines
    assert len(screen.title) <= MAX_TITLE
    for row in frame.rows:
        cells = row.cells
        assert "".join(cells) == row.text
        assert all(end <= row.width for end, _ in row.spans)
        assert not any(char < " " or "\x7f" <= char <= "\x9f" for char in row.text)
        for x, cell in enumerate(cells):
            assert len(cell) <= 2 * MAX_MARKS + 1
            assert cell or (x and cells[x - 1]), "half of a wide character stands alone"


@pytest.mark.parametrize("part", [FEW, pytest.param(1, marks=pytest.mark.live)], ids=["few", "all"])
def test_random_output_never_raises_and_never_breaks_the_screen(part: int) -> None:
    """20,000 random and grammar-made outputs, some with a resize between: all is in order."""
    chance = random.Random(7)
    for stream in random_streams(20_000 // part):
        terminal = Terminal(chance.choice((1, 2, 5, 20)), chance.choice((1, 2, 6)))
        half = chance.randrange(len(stream) + 1)
        terminal.receive(stream[:half])
        if chance.random() < 0.3:
            terminal.resize(chance.randrange(1, 25), chance.randrange(1, 9))
        terminal.receive(stream[half:])
        terminal.tick(0.0)
        terminal.tick(9.0)
        terminal.frames()
        check(terminal)


@examples(500)
@given(any_stream)
def test_only_answers_from_the_list_are_ever_sent(stream: str) -> None:
    """With everything answered, each byte sent belongs to a fixed answer or a cursor report."""
    terminal = Terminal(20, 5, answers=set(Query))
    terminal.receive(stream)

    sent = terminal.data_to_send()

    for answer in sorted(ANSWERS.values(), key=len, reverse=True):
        sent = sent.replace(answer, "")
    assert re.sub(r"\x1b\[[1-5];(?:20|1[0-9]|[1-9])R", "", sent) == ""


def test_nothing_is_answered_but_da1_unless_asked_for() -> None:
    """By default the CLI's start-up burst gets one answer, the one that it waits for."""
    burst = "\x1b[8m\x1b[?u\x1b]11;?\x1b\\\x1b[>q\x1b[>4;?m\x1b[c\x1b[2K\r\x1b[0m"
    terminal = Terminal()

    terminal.receive(burst)

    assert terminal.data_to_send() == "\x1b[?62;22c"
    assert terminal.data_to_send() == ""


def test_what_a_program_wrote_is_never_sent_back() -> None:
    """Title reports, settings reports, clipboard and answerback get no answer at all."""
    terminal = Terminal(answers=set(Query))

    terminal.receive("\x1b]0;evil\x07\x1b[21t\x1b[20t\x1bP$qm\x1b\\\x1bP+q544e\x1b\\\x05")
    terminal.receive("\x1b]52;c;?\x07\x1b]50;?\x07\x1b]4;1;?\x07\x1b[?1$p\x1b[x\x1bZ")

    assert terminal.data_to_send() == ""


def test_answers_that_nobody_takes_do_not_pile_up() -> None:
    """A program that asks for ever is heard a bounded number of times."""
    terminal = Terminal()

    terminal.receive("\x1b[c" * (3 * MAX_WAITING))

    assert terminal.data_to_send() == ANSWERS[Query.DA1] * MAX_WAITING


def test_marks_on_one_cell_are_capped() -> None:
    """A character with 20,000 marks keeps some and costs what it is long."""
    terminal = Terminal(20, 5)

    terminal.receive("e" + "\u0301" * 20_000 + "x")

    assert terminal.picture().lines[0] == "e" + "\u0301" * MAX_MARKS + "x"


def test_scrolled_off_lines_are_bounded() -> None:
    """A flood of lines keeps the newest, and counts those it gave up."""
    terminal = Terminal(20, 5)

    for start in range(0, 150_000, 1000):
        terminal.receive("".join(f"{n}\r\n" for n in range(start, start + 1000)))

    scrolled = terminal.picture().scrolled
    assert MAX_SCROLLED <= len(scrolled) <= 2 * MAX_SCROLLED
    assert scrolled.dropped + len(scrolled) == 150_000 - 4
    assert scrolled[-1].text == "149995"
    assert scrolled[0].text == str(scrolled.dropped)


def test_remembered_lines_are_bounded() -> None:
    """A flood of lines that never come back does not fill the memory."""
    terminal = Terminal(200, 5)

    for start in range(0, 40_000, 500):
        terminal.receive("".join(f"{n:0190}\r\n" for n in range(start, start + 500)))

    painter = terminal._painter
    remembered = sum(map(len, painter._young)) + sum(map(len, painter._old))
    assert remembered < 2.1 * MAX_REMEMBERED


def test_a_recording_of_many_pictures_does_not_keep_them_all() -> None:
    """Drawing one moment of a recording needs memory for one picture, not for thousands."""
    pictures = "".join(f"{n}\x1b[2K\r" for n in range(2000))
    recording = Recording(Header(columns=80, lines=5000), iter([Event(0.0, "o", pictures)]))
    tracemalloc.start()

    picture_at(recording)

    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 64 << 20  # each picture refers to 5,000 rows: all of them are 80 MB


@pytest.mark.parametrize("size", [(0, 24), (80, 0), (-1, 5), (1001, 24), (80, 5001)])
def test_an_impossible_size_is_refused(size: tuple[int, int]) -> None:
    """A terminal has at least one cell and at most 1,000 by 5,000, from the start and later."""
    terminal = Terminal()

    with pytest.raises(UsageError, match="1 to 1000 columns"):
        Terminal(*size)
    with pytest.raises(UsageError, match="1 to 5000 lines"):
        terminal.resize(*size)


#: Each would take minutes or gigabytes if its cost grew faster than its length.
FLOODS = {
    "one endless line": "x" * 1_000_000,
    "one endless line without wrap": "\x1b[?7l" + "x" * 1_000_000,
    "one endless wide line": "日" * 200_000,
    "an endless DCS": "\x1bP" + "q" * 3_000_000,
    "an endless OSC": "\x1b]0;" + "t" * 3_000_000,
    "an endless parameter": "\x1b[" + "1" * 1_000_000,
    "escapes": "\x1b" * 1_000_000,
    "escapes in lines": "\x1b\r\n" * 100_000,
    "unknown lines": "\x01\r\n" * 60_000,
    "empty lines": "\r\n" * 1_000_000,
    "sequences without a line": "\x1b[A" * 100_000,
    "erase runs": "\x1b[2K\x1b[1A\x1b[2K\x1b[G" * 100_000,
    "alignment patterns": "\x1b#8" * 20_000,
    "repetitions": "x\x1b[65535b" * 20_000,
    "scrolls": "\x1b[65535S" * 100_000,
    "insertions": "\x1b[65535@\x1b[65535L" * 50_000,
    "saved cursors": "\x1b7" * 100_000,
    "colours": "".join(f"\x1b[38;2;{n % 256};{n // 256};1mx" for n in range(30_000)),
    "titles": "\x1b]0;" + "x" * 200 + "\x07" + "\x1b]0;y\x07" * 100_000,
    "alternate screens": "\x1b[?1049h\x1b[?1049l" * 50_000,
    "short lines over long ones": "x" * 1920 + ("\x1b[H" + "x\r\n" * 23) * 1500,
    "orphaned marks": "\u200b" * 300_000,
    "marks on every cell": "e\u0301\u0302" * 200_000,
    "resets": "\x1bc" * 50_000,
}


@pytest.mark.parametrize("part", [FEW, pytest.param(1, marks=pytest.mark.live)], ids=["few", "all"])
@pytest.mark.parametrize("flood", FLOODS.values(), ids=FLOODS)
def test_a_flood_is_survived(flood: str, part: int) -> None:
    """Floods of every kind end well within the time limit of a test, and leave a sound screen."""
    terminal = Terminal(80, 24)

    terminal.receive(flood[: len(flood) // part])
    terminal.tick(0.0)

    check(terminal)
