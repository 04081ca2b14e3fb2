"""What is known of an event only when it is written already: hidden at last, or said."""

import logging
import random
import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from string import ascii_letters, digits

import pytest
from hypothesis import given
from hypothesis import strategies as st

from geminipty.asciicast import Event, Header
from geminipty.redaction import HIDDEN, Cleaner, Redactor, clean
from geminipty.redaction.pictures import WINDOW
from geminipty.terminal import Row, Terminal, columns_of
from geminipty.transports.castfile import CastFile
from geminipty.transports.files import begin_recording

from .conftest import examples
from .playing import load
from .secrets import SECRETS, left, output

SMALL = Header(columns=40, lines=24)
#: Of many rows, whose last ones do not tell what they are.
LONG = "eyJhbGciOiJIUzI1NiJ9." + ".".join(
    "".join(random.Random(size).choices(ascii_letters + digits, k=size)) for size in (200, 43)
)
VALUE = "Tr0ub4dor&lantern"


def placed(text: str, columns: int = SMALL.columns) -> list[str]:
    """The text row by row, each with the jump of the cursor to its beginning."""
    rows = (text[at : at + columns] for at in range(0, len(text), columns))
    return [f"\x1b[{y};1H{row}" for y, row in enumerate(rows, 2)]


def alternately(text: str) -> list[str]:
    """Every second character, then the others, as two texts."""
    jumps = [f"\x1b[5;{column}H{char}" for column, char in enumerate(text, 1)]
    return ["".join(jumps[::2]), "".join(jumps[1::2])]


def noise(count: int) -> Iterator[str]:
    """Far from the others, so much text that is none of a secret."""
    for _ in range(-(-count // 2000)):
        yield "\x1b[12;1H" + "nothing of any kind " * 15 + "\x1b[K" * 567


def rows(events: list[Event], header: Header = SMALL) -> tuple[Row, ...]:
    """The rows that a screen shows at the end."""
    terminal = Terminal(header.columns, header.lines)
    for event in events:
        terminal.receive(str(event.data))
    return terminal.picture().rows


@pytest.mark.parametrize("order", [1, -1], ids=["down", "up"])
def test_a_secret_of_many_rows_is_hidden_whenever_its_rows_come(order: int) -> None:
    """However many rows it has, one an event: it goes on as far as no row is empty."""
    events = output(*placed(LONG)[::order])

    done, stays = clean(events, Redactor(), SMALL.columns, SMALL.lines)

    assert left(done, LONG, SMALL) == []
    assert stays == []


@given(
    st.sampled_from([LONG, *(secret.text for secret in SECRETS.values())]),
    st.integers(12, SMALL.columns),
    st.randoms(use_true_random=False),
    st.lists(st.integers(0, 4000), max_size=12),
)
@examples(200)
def test_the_cuts_into_events_make_no_difference_to_a_picture(
    secret: str, columns: int, order: random.Random, cuts: list[int]
) -> None:
    """The rows of a text, placed in any order and cut anywhere, come out as those of one event.

    What was cleaned is clean.
    """
    jumps = placed(f"see {secret} and more".replace("\r\n", ""), columns)
    order.shuffle(jumps)
    text = "".join(jumps)
    ends = sorted({cut % (len(text) + 1) for cut in cuts} | {0, len(text)})

    whole = clean(output(text), Redactor(), SMALL.columns, SMALL.lines)
    cut = clean(
        output(*(text[start:end] for start, end in pairwise(ends))),
        Redactor(),
        SMALL.columns,
        SMALL.lines,
    )

    assert "".join(str(event.data) for event in cut.events) == str(whole.events[0].data)
    assert clean(cut.events, Redactor(), SMALL.columns, SMALL.lines) == cut


def test_what_stands_in_other_ranges_is_no_part_of_a_secret() -> None:
    """Rows that changed far from each other are searched apart, however the first of them ends."""
    edge = f"{'the token is AIzaSyD4x9Qm7':>40}"
    texts = [
        f"\x1b[7;1H{edge}x\x1b[8;1H\x1b[K\x1b[16;1HZk2Rw8 is a number",
        "\x1b[3;1Hon\x1b[20;1Hon",
    ]

    done, _ = clean(output(*texts), Redactor(), SMALL.columns, SMALL.lines)

    assert rows(done)[6].text == f"{edge[:-13]}{HIDDEN * 13}"
    assert rows(done)[15].text == "Zk2Rw8 is a number"


def test_what_the_stream_has_hidden_is_not_found_again() -> None:
    """Text in order costs no marks, and nobody is told that it stays."""
    cleaner = Cleaner(Redactor([VALUE, "£§±µ¶¿¡¢¥€©®"]), SMALL.columns, SMALL.lines, marked=True)

    done = cleaner.all(output(f"a {VALUE} b £§±µ¶¿¡¢¥€©®\r\n"))

    assert str(done[0].data) == f"a {HIDDEN * 17} b {HIDDEN * 12}\r\n"
    assert not cleaner.is_late
    assert cleaner.left == []


def test_half_of_a_secret_that_the_stream_hid_tells_the_other_half() -> None:
    """What is hidden can be read still by whoever searches the pictures."""
    _, secret = SECRETS["google-api-key"]
    events = output(f"\x1b[5;1H{secret[:20]}", f"\x1b[5;21H{secret[20:]}")

    done, _ = clean(events, Redactor(), SMALL.columns, SMALL.lines)

    assert rows(done)[4].text == HIDDEN * 39


@pytest.mark.parametrize(
    ("start", "end"),
    [
        ("pass£word§", "geheim·24"),
        ("£§±µ¶¿", "¡¢¥€©®"),
        ("pässwörd-", "geheim-24"),
        ("密码是秘", "密的东西"),
        ("🔑key🔒lock", "🔓open"),
        ("a♥️b♥️c", "♥️d♥️e"),
        ("e\u0301clair-noe\u0308", "l-24e\u0301"),
        ("👍🏽work🏳️", "four☎️"),
    ],
)
def test_every_character_can_be_followed(start: str, end: str) -> None:
    """Signs, wide characters, emoji and marks are hidden in any order, in as many columns."""
    events = output(f"\x1b[5;{columns_of(start) + 1}H{end}", "\x1b[9;1Hother", f"\x1b[5;1H{start}")
    before = rows(events)[4]
    assert before.text == start + end

    done, stays = clean(events, Redactor([start + end]), SMALL.columns, SMALL.lines)

    assert rows(done)[4].text == HIDDEN * len(before.cells)
    assert stays == []


def test_what_scrolled_off_within_one_event_is_hidden() -> None:
    """Lines that no picture showed are there to be scrolled back to, whatever was shown before."""
    first, second = alternately(VALUE)
    for before in ("", "\x1b[?1049h\x1b[2J", "line\r\n" * 60, "line\r\n" * 60 + "\x1b[3J"):
        text = f"\x1b[?1049l{first}{second}\x1b[24;1H" + "\r\n" * 30

        done, stays = clean(output(before, text), Redactor([VALUE]), SMALL.columns, SMALL.lines)

        assert re.findall(r"H(.)", str(done[1].data))[: len(VALUE)] == [HIDDEN] * len(VALUE)
        assert stays == []


def test_wide_characters_are_hidden_late_in_their_places() -> None:
    """What hides them is longer: later places of the same event are counted from there."""
    value = "密码东西-Tr0ub4dor"
    cleaner = Cleaner(Redactor(["秘密秘密", value]), SMALL.columns, SMALL.lines)
    events = output("\x1b[3;1H秘密秘密 and \x1b[5;1H密码东西 on", "\x1b[5;9H-Tr0ub4dor")

    done = cleaner.all(events)

    assert cleaner.is_late
    assert [event.data for event in cleaner.late(done)] == [
        f"\x1b[3;1H{HIDDEN * 8} and \x1b[5;1H{HIDDEN * 8} on",
        f"\x1b[5;9H{HIDDEN * 10}",
    ]


def test_marks_are_left_where_nothing_is_found_and_taken_up_again() -> None:
    """One secret does not make the rest of a session dear, and the next one is found as well."""
    other = "correct-horse-battery"
    texts = [*alternately(VALUE), *noise(3 * WINDOW), *alternately(other)]
    cleaner = Cleaner(Redactor([VALUE, other]), SMALL.columns, SMALL.lines)

    done = list(cleaner.late(cleaner.all(output(*texts))))

    assert cleaner.left == []
    assert left(done, VALUE, SMALL) == []
    assert left(done, other, SMALL) == []
    assert [str(event.data) for event in done[2:-2]] == texts[2:-2]


def test_a_recording_holds_no_part_of_a_secret_when_it_is_closed(tmp_path: Path) -> None:
    """Parts that were written far apart are hidden in the file at its end."""
    path = tmp_path / "story.cast"
    first, second = alternately(VALUE)
    file = CastFile(begin_recording(path), "story", SMALL, Redactor([VALUE]))
    for event in output(first, *noise(WINDOW // 2), second):
        file.add(event)
    file.keep()
    assert "T" in path.read_text(encoding="utf-8")
    file.close()

    header, events = load(path)

    assert left(events, VALUE, header) == []
    assert set(rows(events)[4].text) == {HIDDEN}
    assert events[0].data == re.sub("H.", f"H{HIDDEN}", first)


def test_a_recording_says_what_was_written_too_long_ago_to_hide(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """The log names the file."""
    path = tmp_path / "story.cast"
    first, second = alternately(VALUE)
    file = CastFile(begin_recording(path), "story", SMALL, Redactor([VALUE]))

    with caplog.at_level(logging.WARNING):
        for event in output(first, *noise(2 * WINDOW), second):
            file.add(event)
        file.close()

    assert f"{path} may show parts of a secret" in caplog.text


def test_a_recording_that_was_written_long_ago_is_cleaned_as_a_whole() -> None:
    """Whoever has all events hides also what was written any time before."""
    first, second = alternately(VALUE)
    events = output(first, *noise(2 * WINDOW), second)

    done, stays = clean(events, Redactor([VALUE]), SMALL.columns, SMALL.lines)

    assert set(rows(done)[4].text) == {HIDDEN}
    assert stays == []
