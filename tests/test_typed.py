"""Keys compared with a recording, and its pacing: pure, with times of our own."""

import re
from math import inf
from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from geminipty.asciicast import Event
from geminipty.errors import ReplayMismatch
from geminipty.transports.acting import SETTLED, Act
from geminipty.transports.typed import MAX_HELD, Typing, keys, same_keys

REPORTS = [
    "\x1b[200~", "\x1b[201~", "\x1b[I", "\x1b[O", "\x1b[?62;22c", "\x1b[>0;276;0c", "\x1b[?1u",
    "\x1b[12;40R", "\x1b[0n", "\x1b[?2026;2$y", "\x1b[8;24;80t", "\x1b]11;rgb:0/0/0\x1b\\",
    "\x1b]10;rgb:f/f/f\x07", "\x1bP>|xterm(388)\x1b\\",
]  # fmt: skip


@pytest.mark.parametrize("report", REPORTS)
def test_what_a_terminal_sends_by_itself_is_no_key(report: str) -> None:
    """Paste marks and reports are dropped on both sides, wherever they stand."""
    assert keys(f"a{report}b") == "ab"
    assert same_keys(f"{report}hello\r", "hello\r")
    assert same_keys("hello\r", f"hel{report}lo\r{report}")


@pytest.mark.parametrize("key", ["\x1b", "\x1b[A", "\x1bOR", "\x1b[Z", "\x1b[109;3u", "\x1bm", "█"])
def test_keys_that_begin_as_reports_do_are_keys(key: str) -> None:
    """Escape, arrows, function keys and Alt are compared."""
    assert same_keys(key, key)
    assert not same_keys(key, "x" + key)
    assert not same_keys("", key)


@pytest.mark.parametrize(
    ("recorded", "typed", "same"),
    [
        ("say hello", "say hello", True),
        ("say hello", "say hell", False),
        ("say hello", "say hello!", False),
        ("key ████\r", "key a\r", True),
        ("key ████\r", "key abcd\r", True),
        ("key ████\r", "key 日本\r", True),
        ("key ████\r", "key \r", False),
        ("key ████\r", "key abcde\r", False),
        ("██a██", "aaa", True),
        ("██a██", "xayy", True),
        ("██a██", "xxbyy", False),
        ("██", "\x1b[A", False),
    ],
)
def test_hidden_text_stands_for_one_to_its_width_of_characters(
    recorded: str, typed: str, same: bool
) -> None:
    """All else is compared character by character, and no key hides."""
    assert same_keys(recorded, typed) is same


def fits(recorded: str, typed: str) -> bool:
    """The same in as few words as there are: each run is one to its width of characters."""
    pieces = re.split("(█+)", recorded)
    form = (
        f"[^\x00-\x08\x0b-\x1f\x7f-\x9f]{{1,{len(p)}}}" if "█" in p else re.escape(p)
        for p in pieces
    )
    return re.fullmatch("".join(form), typed) is not None


@given(st.text("ab█\r", max_size=9), st.text("ab█\r\n", max_size=9))
def test_hidden_text_is_compared_as_a_pattern_would(recorded: str, typed: str) -> None:
    """Wherever runs stand, what fits and what does not is the same."""
    assert same_keys(recorded, typed) is fits(recorded, typed)


@pytest.mark.parametrize("recorded", ["█" * 1_000_000, "██a" * 300_000, "█" * 40_000 + "b"])
def test_a_long_run_costs_each_key_the_same(recorded: str) -> None:
    """Recordings come from strangers: the work is that of the keys, not of what they may mean."""
    begun = process_time()
    for _ in range(5):
        assert not same_keys(recorded, "a" * 200 + "\x03")

    assert process_time() - begun < 10


def test_a_long_paste_costs_each_key_the_same() -> None:
    """What was typed so far is put together only when somebody asks."""
    typing = Typing(["a" * 1_000_000])
    begun = process_time()

    typing.type("a" * 999_999)

    assert process_time() - begun < 10
    assert len(typing.so_far) == 999_999


WORDS = st.lists(st.sampled_from(["a", "b", "█", "███", "\r", "\x1b", "[A", *REPORTS]), max_size=8)


@given(WORDS.map("".join), WORDS.map("".join), st.data())
def test_the_cutting_of_what_is_typed_makes_no_difference(
    recorded: str, typed: str, data: st.DataObject
) -> None:
    """Typed whole or in any chunks, it fits or it does not."""
    typing = Typing([recorded])
    rest = typed
    while rest:
        size = data.draw(st.integers(1, len(rest)))
        typing.type(rest[:size])
        rest = rest[size:]
    typing.settle()

    assert typing.is_complete is same_keys(recorded, typed)


def test_an_unfinished_report_is_not_held_for_ever() -> None:
    """What is too long for a report counts as keys, and the memory stays small."""
    typing = Typing(["hello"])

    typing.type("\x1b]52;c;" + "A" * (2 * MAX_HELD))

    assert not typing.is_open
    assert typing.came is not None


STORY = [
    Event(1.0, "o", "hello"),
    Event(1.5, "m", "a marker"),
    Event(1.6, "v", '{"verb": "ask"}'),
    Event(9.0, "i", "\x1b[200~ask\x1b[201~"),
    Event(9.5, "o", "ask"),
    Event(10.0, "i", "\r"),
    Event(12.0, "o", "answer"),
    Event(12.5, "t", None),
    Event(13.0, "x", "7"),
]


def test_output_comes_when_it_was_recorded() -> None:
    """Nothing before its time, and the deadline says when; then input is waited for."""
    act = Act(STORY, speed=2.0)

    assert act.output(100.0) == ""
    assert act.deadline == 100.5
    assert act.output(100.5) == "hello"
    assert act.output(100.5) == ""
    assert act.deadline is None


def test_the_recording_goes_on_from_the_moment_of_typing() -> None:
    """The recorded user's pauses are not played, the CLI's are; then comes the exit status."""
    act = Act(STORY)
    act.output(0.0)
    act.output(1.0)
    act.output(1.0)

    act.type("ask", 50.0)

    assert act.output(50.0) == ""
    assert act.deadline == 50.5
    assert act.output(50.5) == "ask"
    act.type("\r", 51.0)
    assert act.output(51.0) == ""
    assert act.deadline == 53.0
    assert act.output(53.0) == "answer"
    assert not act.ended
    assert act.output(54.0) == ""
    assert act.ended
    assert act.status == 7


def test_what_is_typed_ahead_is_kept() -> None:
    """Typed before the first output, in one go, it is there when its time has come."""
    act = Act(STORY, speed=inf)

    act.type("ask\r", 0.0)

    assert [act.output(0.0) for _ in range(4)] == ["hello", "ask", "answer", ""]
    assert act.ended


@pytest.mark.parametrize(
    ("typed", "expected", "came", "words"),
    [
        (["b"], "ask", "b", "at 9.000 s of the recording 'ask' was to be typed, but then came 'b'"),
        (["as", "x"], "ask", "asx", "'as' was, but then came 'x'"),
        (["ask", "k"], "\r", "k", "at 10.000 s of the recording '\\r' was to be typed"),
        (["ask\r", "/quit"], None, "/quit", "nothing more was to be typed"),
    ],
)
def test_something_else_is_told_with_what_and_when(
    typed: list[str], expected: str | None, came: str, words: str
) -> None:
    """The error names what was expected, at which time, and what came."""
    act = Act(STORY)
    act.output(0.0)
    for text in typed[:-1]:
        act.type(text, 0.0)

    with pytest.raises(ReplayMismatch) as caught:
        act.type(typed[-1], 0.0)

    assert words in str(caught.value)
    assert (caught.value.expected, caught.value.typed) == (expected, came)


def test_an_escape_alone_counts_after_a_moment() -> None:
    """Expected, it counts at once; unexpected, as soon as no report can be meant."""
    expected = Act([Event(1.0, "i", "\x1b"), Event(2.0, "o", "cancelled")], speed=inf)
    expected.type("\x1b", 5.0)
    assert expected.output(5.0) == "cancelled"
    other = Act([Event(1.0, "i", "x")])
    other.output(0.0)
    other.type("\x1b", 5.0)

    assert other.deadline == 5.0 + SETTLED

    with pytest.raises(ReplayMismatch):
        other.output(5.0 + SETTLED)
