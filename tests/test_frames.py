"""When a picture is finished, rule by rule."""

import copy
import pickle
from itertools import pairwise

import pytest
from hypothesis import given

from geminipty.terminal import QUIET, Cut, Frame, Terminal
from geminipty.terminal.frames import PATIENCE

from .conftest import RECORDINGS, examples
from .playing import outputs, play
from .streams import any_stream, cut, places

ERASE = "\x1b[2K\x1b[1A\x1b[2K\x1b[G"


def cuts(terminal: Terminal) -> list[tuple[Cut, list[str]]]:
    """The Frames that are finished: why, and their rows that are not blank."""
    return [(frame.cut, [line for line in frame.lines if line]) for frame in terminal.frames()]


@pytest.fixture
def terminal() -> Terminal:
    """A small terminal."""
    return Terminal(20, 5)


def test_a_synchronised_update_is_one_picture(terminal: Terminal) -> None:
    """Between the marks nothing is finished; the end mark finishes it at once."""
    terminal.receive(f"\x1b[?2026h{ERASE}one\r\n")
    terminal.receive(f"{ERASE}two\r\n")
    assert cuts(terminal) == []

    terminal.receive("\x1b[?2026l")

    assert cuts(terminal) == [(Cut.SYNC, ["two"])]


def test_an_update_that_never_ends_is_given_up_after_a_silence(terminal: Terminal) -> None:
    """A lost end mark costs a second, not the session."""
    terminal.receive("\x1b[?2026hone\r\n")
    terminal.tick(0.0)
    assert terminal.deadline == PATIENCE

    terminal.tick(PATIENCE)

    assert cuts(terminal) == [(Cut.QUIET, ["one"])]


def test_a_parked_cursor_finishes_a_picture(terminal: Terminal) -> None:
    """Cursor up, then to a column, after painting: the picture is whole at that moment."""
    terminal.receive("one\r\ntwo\r\n\x1b[1A")
    assert cuts(terminal) == []

    terminal.receive("\x1b[4G")

    frames = terminal.frames()
    assert [frame.cut for frame in frames] == [Cut.PARKED]
    assert frames[0].cursor == (3, 1)


@pytest.mark.parametrize("text", ["\x1b[1A\x1b[2K\x1b[4G", "\x1b[1A\x1b[G", "\x1b[1A!\x1b[4G"])
def test_other_movements_do_not_park(terminal: Terminal, text: str) -> None:
    """An erase or text in between, or no column, is not parking."""
    terminal.receive("one\r\n" + text)

    assert Cut.PARKED not in [frame.cut for frame in terminal.frames()]


def test_what_stood_before_an_erase_was_whole(terminal: Terminal) -> None:
    """The first erase after painting finishes what was painted; the rest of the run does not."""
    terminal.receive("one\r\n")

    terminal.receive(ERASE + ERASE)

    assert cuts(terminal) == [(Cut.ERASED, ["one"])]


def test_a_torn_screen_never_becomes_a_frame(terminal: Terminal) -> None:
    """After an erase no silence, however long, and no end makes a Frame of the blank screen."""
    terminal.receive("one\r\n" + ERASE)
    terminal.frames()
    terminal.tick(0.0)
    assert terminal.deadline is None

    terminal.tick(1000.0)
    terminal.end()

    assert cuts(terminal) == []


def test_a_clear_and_reprint_is_one_picture(terminal: Terminal) -> None:
    """The CLI's full reprint (2J, 3J, home) shows no Frame between the clear and the paint."""
    terminal.receive("one\r\n\x1b[1A\x1b[2G")
    terminal.receive("\x1b[2J\x1b[3J\x1b[H")
    terminal.tick(0.0)
    terminal.tick(0.34)  # 0.61.0 was seen to stay blank for so long
    terminal.receive("one\r\ntwo\r\n\x1b[1A\x1b[2G")

    assert cuts(terminal) == [(Cut.PARKED, ["one"]), (Cut.PARKED, ["one", "two"])]


def test_silence_finishes_a_picture_in_the_end(terminal: Terminal) -> None:
    """With no other sign, a picture is finished when its program has been silent for a while."""
    terminal.receive("one\r\n")
    terminal.tick(7.0)
    assert terminal.deadline == 7.0 + QUIET
    terminal.tick(7.0 + QUIET / 2)
    assert cuts(terminal) == []

    terminal.tick(7.0 + QUIET)

    assert cuts(terminal) == [(Cut.QUIET, ["one"])]
    assert terminal.deadline is None


@pytest.mark.parametrize("text", ["half a li", "\x1b[1mwhole\x1b", "x\x1b[38;5", "whole\x1b]0;ti"])
def test_text_that_stops_within_a_line_gets_more_time(terminal: Terminal, text: str) -> None:
    """Half a line or half a sequence is a read that was cut, unless the silence is long."""
    terminal.receive(text)
    terminal.tick(0.0)
    terminal.tick(QUIET)
    assert cuts(terminal) == []

    terminal.tick(PATIENCE)

    assert [cut for cut, _ in cuts(terminal)] == [Cut.QUIET]


def test_a_title_or_paste_mode_alone_makes_a_frame_of_a_whole_picture(terminal: Terminal) -> None:
    """What changes beside a finished picture is told at once, and once."""
    terminal.receive("one\r\n\x1b[1A\x1b[2G")
    terminal.receive("\x1b]0;Working\x07")
    terminal.receive("\x1b]0;Working\x07")
    terminal.receive("\x1b[?2004h")

    frames = terminal.frames()

    assert [frame.cut for frame in frames] == [Cut.PARKED, Cut.ASIDE, Cut.ASIDE]
    assert [frame.title for frame in frames] == ["", "Working", "Working"]
    assert [frame.bracketed_paste for frame in frames] == [False, False, True]


def test_a_title_does_not_cut_a_picture_that_is_being_painted(terminal: Terminal) -> None:
    """Between erase and repaint, or within a paint, a title waits for the picture."""
    terminal.receive(f"one\r\n{ERASE}\x1b]0;Working\x07two\r\n\x1b]0;Ready\x07\x1b[1A\x1b[2G")

    titles = [frame.title for frame in terminal.frames()]

    assert titles == ["", "Ready"]


def test_the_same_picture_is_not_given_twice(terminal: Terminal) -> None:
    """A repaint that changes nothing makes no Frame."""
    paint = "one\r\n\x1b[1A\x1b[2G"
    terminal.receive(paint)

    terminal.receive("\x1b[1B\x1b[2K\x1b[1A\x1b[2K\x1b[G" + paint)

    assert len(terminal.frames()) == 1


def test_the_end_of_the_program_finishes_the_last_picture(terminal: Terminal) -> None:
    """What was painted last becomes a Frame without waiting."""
    terminal.receive("bye")

    terminal.end()

    assert cuts(terminal) == [(Cut.ENDED, ["bye"])]


def test_a_resize_is_seen_in_the_next_frame(terminal: Terminal) -> None:
    """After a resize the picture is finished by silence, counted from the resize."""
    terminal.receive("one\r\n\x1b[1A\x1b[1G")
    terminal.tick(0.0)
    terminal.tick(5.0)
    terminal.resize(30, 6)
    assert terminal.deadline is None
    terminal.tick(6.0)
    assert terminal.deadline == 6.0 + QUIET
    terminal.tick(6.0 + QUIET)

    last = terminal.frames()[-1]

    assert (last.columns, len(last.rows)) == (30, 6)


@examples(1000)
@given(any_stream, places)
def test_an_owner_who_follows_the_deadline_never_spins_and_sees_all(
    stream: str, at: list[float]
) -> None:
    """Each deadline is met by one tick; after the last, the Frame is what the screen shows."""
    terminal = Terminal(20, 5)
    now, last = 0.0, None
    for chunk in cut(stream, at):
        terminal.receive(chunk)
        terminal.tick(now)
        while (deadline := terminal.deadline) is not None:
            assert deadline > now
            now = deadline
            terminal.receive("")  # a read that timed out
            terminal.tick(now)
        for last in terminal.frames():  # noqa: B007 - only the last counts
            pass

    picture = terminal.picture()

    assert terminal._cutter._torn or last is None or last.shows_the_same(picture)
    assert last is not None or terminal._cutter._torn or not stream


@pytest.mark.parametrize("text", ["one\r", "one\r\n\x1b[1m", "one\r\ntw", "\x1b[1mone\x1b[3"])
def test_looking_does_not_move_the_deadline(terminal: Terminal, text: str) -> None:
    """The deadline is the same whether or not somebody looked at text that was held back."""
    terminal.receive(text)
    terminal.tick(0.0)
    deadline = terminal.deadline

    terminal.picture()

    assert terminal.deadline == deadline


def test_text_held_back_after_an_erase_gets_its_frame(terminal: Terminal) -> None:
    """A prompt without a newline, painted over what was erased, is finished by silence."""
    terminal.receive(f"one\r\n{ERASE}Enter key: ")
    terminal.tick(0.0)
    assert terminal.deadline == PATIENCE

    terminal.tick(PATIENCE)

    assert cuts(terminal) == [(Cut.ERASED, ["one"]), (Cut.QUIET, ["Enter key:"])]


@pytest.mark.parametrize(
    ("before", "then"),
    [
        ("one\r\n\x1b[1A\x1b[2G", "\x1b[?2026h\x1b]0;Working\x07\x1b[?2026l"),
        ("one\r\n\x1b[1A\x1b[2G", "\r\n" * 10),
        ("one\r\n\x1b[1A\x1b[2G", "\x1b[1A\x1b[4G"),
        ("one\r\n\x1b[1A\x1b[2G", "\x1b[?25l"),
        ("one\r\n\x1b[1A\x1b[2G", "\x1b[3J\x1b]0;Working\x07"),
        ("$ ls", "\x08\x1b[K"),
        ("one\r\ntwo", "\r\n\x1b[J"),
    ],
)
def test_whatever_changes_is_seen_in_the_end(terminal: Terminal, before: str, then: str) -> None:
    """A change without text (title in an update, scroll, cursor, partial erase) makes a Frame."""
    terminal.receive(before)
    terminal.tick(0.0)
    terminal.tick(10.0)
    first = terminal.frames()[-1]

    terminal.receive(then)
    terminal.tick(10.0)
    terminal.tick(20.0)

    last = terminal.frames()[-1]
    assert not last.shows_the_same(first)
    assert last.shows_the_same(terminal.picture())


def test_rows_that_did_not_change_are_shared_between_frames() -> None:
    """While a spinner turns, two Frames in a row share all rows but one or two."""
    frames = play(*outputs(RECORDINGS / "0.61.0" / "hello.cast"))
    pairs = [(a, b) for a, b in pairwise(frames) if a.scrolled == b.scrolled]

    kept = [sum(x is y for x, y in zip(a.rows, b.rows, strict=True)) for a, b in pairs]

    assert sum(kept) / len(kept) > 36
    assert sum(count >= 38 for count in kept) > len(kept) / 2


def test_scrolled_off_lines_are_shared_and_stay_as_they_were() -> None:
    """A Frame keeps its own view of the lines above, whatever is written or wiped later."""
    terminal = Terminal(10, 2)
    terminal.receive("1\r\n2\r\n3\r\n\x1b[1A\x1b[1G")
    first = terminal.frames()[-1]
    terminal.receive("\x1b[1B4\r\n5\r\n\x1b[1A\x1b[1G")
    second = terminal.frames()[-1]
    terminal.receive("\x1b[3J6\r\n\x1b[1A\x1b[1G")
    third = terminal.frames()[-1]

    assert [row.text for row in first.scrolled] == ["1", "2"]
    assert [row.text for row in second.scrolled][:3] == ["1", "2", "3"]
    assert second.scrolled[0] is first.scrolled[0]
    assert len(third.scrolled) < 3
    assert [row.text for row in first.scrolled] == ["1", "2"]


def test_a_frame_can_be_pickled_and_copied() -> None:
    """A Frame travels with an error to another process, with no more than itself."""
    frame = play(*outputs(RECORDINGS / "0.61.0" / "hello.cast"))[-1]

    packed = pickle.dumps(frame)

    assert pickle.loads(packed) == frame
    assert copy.deepcopy(frame) == frame
    assert len(packed) < 40_000


def test_what_a_reader_made_of_a_row_stays_at_home() -> None:
    """Notes on rows do not travel with a Frame."""
    terminal = Terminal(40, 2)
    terminal.receive("a row that nobody else paints")
    frame = terminal.picture()
    frame.rows[0].note = lambda: "not to be pickled"

    assert pickle.loads(pickle.dumps(frame)) == frame


def test_a_frame_draws_itself_in_a_box() -> None:
    """The box is as wide as the screen, also around wide characters; it ends with the text."""
    terminal = Terminal(6, 40)
    terminal.receive("日本x\r\n\r\ny")

    assert terminal.picture().boxed() == "╭──────╮\n│日本x │\n│      │\n│y     │\n╰──────╯"


#: The rule that finishes nearly all pictures of a release, and the recording that proves it.
PROOFS = [
    ("0.1.5/hello.cast", Cut.ERASED, 0.5),
    ("0.6.1/hello.cast", Cut.SYNC, 0.8),
    ("0.15.4/hello.cast", Cut.SYNC, 0.8),
    ("0.24.5/hello.cast", Cut.ERASED, 0.5),
    ("0.30.1/hello.cast", Cut.PARKED, 0.6),
    ("0.61.0/hello.cast", Cut.PARKED, 0.8),
    ("0.61.0/hello.cast", Cut.ASIDE, 0.1),
    ("0.61.0/tool-approve.cast", Cut.QUIET, 0.02),
    ("0.24.5/hello.cast", Cut.QUIET, 0.02),
]


@pytest.mark.parametrize(("name", "cut", "share"), PROOFS)
def test_each_release_proves_its_rule(name: str, cut: Cut, share: float) -> None:
    """The rules are those of the table in terminal/frames, on the recordings that it names."""
    frames = play(*outputs(RECORDINGS / name))

    assert sum(frame.cut is cut for frame in frames) >= share * len(frames)


def is_whole(frame: Frame) -> bool:
    """Whether a Frame of 0.27 or later shows the whole live region: footer, or a dialog's end."""
    last = next((line for line in reversed(frame.lines) if line), "")
    return "sandbox" in last or last.lstrip().startswith("╰") or "esc" in last


@pytest.mark.parametrize("release", ["0.30.1", "0.34.0", "0.40.1", "0.61.0"])
@pytest.mark.parametrize("story", ["hello", "tool-approve"])
def test_no_frame_of_a_turn_is_torn(release: str, story: str) -> None:
    """From the first whole picture on, every Frame ends in the footer or in a dialog's edge."""
    frames = play(*outputs(RECORDINGS / release / f"{story}.cast"))
    first = next(i for i, frame in enumerate(frames) if is_whole(frame))

    torn = [frame for frame in frames[first:] if not is_whole(frame)]

    assert not torn, torn[0].boxed()


def test_reading_after_every_chunk_would_have_seen_torn_screens() -> None:
    """The rules are needed: reads of a long answer mostly end with a half-painted screen."""
    header, output = outputs(RECORDINGS / "0.61.0" / "long.cast.gz")
    terminal = Terminal(header.columns, header.lines)
    whole = []
    for _, text in output:
        terminal.receive(text)
        whole.append(is_whole(terminal.picture()))

    torn = whole[whole.index(True) :].count(False)

    assert torn >= 20
    assert all(is_whole(frame) for frame in play(header, output)[2:])
