"""A stream of events is redacted the same however it is cut, in order, soon, and at linear cost."""

import json
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from geminipty.asciicast import Event
from geminipty.redaction import HIDDEN, Redactor, Stream
from geminipty.redaction.solid import HARD, Solid
from geminipty.redaction.stream import MAX_HELD, MAX_HELD_TEXT
from geminipty.terminal import Terminal, columns_of

from .conftest import examples
from .playing import load
from .secrets import COLUMNS, KEYS, SECRETS, left, output, redacted

KNOWN = "Kx8jQ2mN7pL0wZ4rT6yB1v"
VALUES = (KNOWN, "/home/marlene", "marlene", "s3cr3t!")

texts = st.one_of(
    st.sampled_from([secret.text for secret in SECRETS.values()]),
    st.sampled_from([secret.text for secret in KEYS.values()]),
    st.sampled_from(
        [KNOWN, *VALUES, KNOWN[:12], KNOWN[9:], "see", "password", "Bearer", "│", "token"]
    ),
    st.sampled_from(["\r\n", "\n", "\r", " ", "  ", " │\r\n│ ", "\t", "\r\x1b[m\n", ": ", "="]),
    st.sampled_from(
        ["\x1b[31m", "\x1b[K", "\x1b[2K", "\x1b[1A", "\x1b[G", "\x1b[9G", "\x1b[3;35H"]
    ),
    st.sampled_from(
        ["\x1b]0;a", "\x07", "\x1b\\", "\x1b", "\x9b", "\u200b", "\x08", "密", "x" * 31]
    ),
    st.text(st.characters(exclude_categories=["Cs"]), max_size=5),
)
streams = st.lists(texts, max_size=14).map("".join)
# Cutting secrets within themselves is what wraps and redraws do.
torn = st.builds(
    lambda text, at, by: text[: at % (len(text) + 1)] + by + text[at % (len(text) + 1) :],
    streams,
    st.integers(0, 500),
    texts,
)


def channel(text: str, cuts: list[int], code: str = "o") -> str:
    """What is left of a text that comes in pieces."""
    ends = sorted({cut % (len(text) + 1) for cut in cuts} | {0, len(text)})
    events = [
        Event(number, code, text[start:end]) for number, (start, end) in enumerate(pairwise(ends))
    ]
    out = redacted(events, redactor=Redactor(VALUES))
    for event, done in zip(events, out, strict=True):
        assert event[:2] == done[:2]
        assert columns_of(str(event.data)) == columns_of(str(done.data)) or "\x1b" in text
    return "".join(str(event.data) for event in out)


@given(torn, st.lists(st.integers(0, 4000), max_size=30))
@examples(2500)
@example("password: \x1b[1A\r\nAIzaSyD4x9", [9, 10, 11])
def test_the_cuts_into_events_make_no_difference(text: str, cuts: list[int]) -> None:
    """Any cutting gives the text that one event gives, as output and as input."""
    assert channel(text, cuts) == channel(text, [])
    assert channel(text, cuts, "i") == channel(text, [], "i")


@given(torn)
@examples(300)
def test_one_character_at_a_time_makes_no_difference(text: str) -> None:
    """Not even events of a single character, up to the bound, change the result."""
    text = text[:MAX_HELD]

    assert channel(text, list(range(len(text)))) == channel(text, [])


@given(torn, st.lists(st.integers(0, 4000), max_size=8))
@examples(1000)
def test_the_short_way_to_solid_text_gives_what_the_long_way_gives(
    text: str, cuts: list[int]
) -> None:
    """The solid text is the same however it is fed, and its characters stand where it says."""
    whole, cut = Solid(text), Solid()
    ends = sorted({at % (len(text) + 1) for at in cuts} | {0, len(text)})
    for start, end in pairwise(ends):
        cut.add(text[start:end])

    assert cut.text == whole.text
    for at, char in enumerate(whole.text):
        spans = whole.spans(at, at + 1)
        assert [text[slice(*span)] for span in spans] in ([char], [])
        assert spans or char in f"\n {HARD}" or "\ud800" <= char <= "\udfff"


TORN_HEADER = 'FIREBASE_PRIVATE_KEY="-----BEGIN PRIVATE KEY----'


@given(torn)
@example(SECRETS["google-api-key"].text + TORN_HEADER + TORN_HEADER + "-x")
@examples(500)
def test_redacting_twice_changes_nothing_more(text: str) -> None:
    """What was redacted is clean, so a check of it passes."""
    once = Redactor(VALUES).text(text)

    assert Redactor(VALUES).text(once) == once


@given(streams)
@examples(500)
def test_only_printable_characters_are_hidden(text: str) -> None:
    """Every control of the text is still there, in order."""
    controls = [char for char in text if not char.isprintable() and char != "\xa0"]

    out = channel(text, [])

    kept = iter(out)
    assert all(char in kept for char in controls if char < "\xa0")


def test_the_bundled_recordings_hold_no_secret(recording: Path) -> None:
    """Nothing is hidden in any recording: they hold none, and nothing is taken for one."""
    header, events = load(recording)

    assert redacted(events, columns=header.columns) == events


@pytest.mark.parametrize(
    "text",
    [
        "hello world ",
        "hello\r\n",
        "hello\x1b[4A\x1b[4G",
        "\x1b[31m",
        "$ \r\n",
        "done.\r\n\r\n",
        f"{'▀' * COLUMNS}\r\n workspace\r\n",
        "\x1b]0;title\x07",
    ],
)
def test_what_cannot_be_the_beginning_of_a_secret_is_written_at_once(text: str) -> None:
    """A blank, the end of a row and a jump of the cursor end a word."""
    stream = Stream(Redactor(), COLUMNS)

    assert [event.data for event in stream.push(Event(0, "o", text))] == [text]
    assert stream.flush() == []


def test_events_wait_for_the_end_of_a_word_and_keep_their_order() -> None:
    """Events of every code wait behind one that waits, and leave in the order they came."""
    stream = Stream(Redactor(), COLUMNS)
    events = [
        Event(0.0, "o", "see AIza"),
        Event(0.1, "i", "y\r"),
        Event(0.2, "m", "asked"),
        Event(0.3, "r", "100x30"),
        Event(0.4, "o", "SyD4x9Qm7Zk2"),
        Event(0.5, "x", "0"),
    ]

    for event in events:
        assert stream.push(event) == []
    released = stream.push(Event(0.6, "o", " ok\r\n"))

    assert [event[:2] for event in released] == [event[:2] for event in events] + [(0.6, "o")]
    assert [released[0].data, released[4].data] == [f"see {HIDDEN * 4}", HIDDEN * 12]
    assert [event.data for event in released[1:4]] == ["y\r", "asked", "100x30"]


def test_no_more_than_a_bounded_number_of_events_waits() -> None:
    """A word that never ends is written after 256 events, or 64 kB; the rest of it stays hidden."""
    for size, most, count in ((3, MAX_HELD, 2 * MAX_HELD), (MAX_HELD_TEXT // 8, 10, 30)):
        stream = Stream(Redactor(), COLUMNS)
        out = stream.push(Event(0, "o", "key AIzaSy"))
        held = waited = 1
        for number in range(count):
            done = stream.push(Event(number, "o", f"{number:x}Gk".zfill(size)))
            held += 1 - len(done)
            waited = max(waited, held)
            out += done

        assert waited <= most
        assert len(out) > most
        shown = "".join(str(event.data) for event in out + stream.flush())
        assert set(shown.removeprefix("key ")) == {HIDDEN}


def test_a_resize_moves_the_edge() -> None:
    """After a resize, a row is wrapped where the new screen ends."""
    _, secret = SECRETS["gitlab-token"]
    row = f"{secret[:10]:>70}\r\n  {secret[10:]} ok\r\n"
    events = [*output(row), Event(1, "r", "72x24"), Event(2, "o", row)]

    before, _, after = redacted(events, columns=200)

    assert secret[10:] in str(before.data)
    assert HIDDEN * 16 in str(after.data)


def test_json_in_a_string_stays_json() -> None:
    """An event of our own is still JSON, and byte for byte the same if it was clean."""
    clean = '{"a": 1.50, "b": ["x"]}'
    dirty = json.dumps({"said": f'"{SECRETS["github-token"].text}"', "n": 1})

    first, second = redacted([Event(0, "s", clean), Event(1, "s", dirty)])

    assert first.data == clean
    assert json.loads(str(second.data)) == {"said": f'"{HIDDEN * 42}"', "n": 1}


def test_the_picture_is_the_same_but_for_what_is_hidden() -> None:
    """Every cell of the screen keeps its place."""
    text, _ = SECRETS["google-api-key"]
    drawn = f"\x1b[H│ 密码 {text[:28]} │\r\n│ {text[28:]:<33} │ ◇\r\n\x1b[2Aend"

    before, after = Terminal(COLUMNS, 4), Terminal(COLUMNS, 4)
    before.receive(drawn)
    after.receive("".join(str(event.data) for event in redacted(output(drawn))))

    for old, new in zip(before.picture().rows, after.picture().rows, strict=True):
        assert len(old.cells) == len(new.cells)
        assert all(new in (old, HIDDEN) for old, new in zip(old.cells, new.cells, strict=True))


def test_a_secret_in_megabytes_is_found() -> None:
    """However much surrounds it, in however many events."""
    _, secret = SECRETS["slack-token"]
    noise = f"\x1b[32m{'lorem ipsum ' * 300}\x1b[0m\r\n"

    out = redacted(output(*[noise] * 100, f"{noise}{secret[:9]}", f"{secret[9:]}{noise}", noise))

    assert left(out[-4:], secret) == []
