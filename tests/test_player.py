"""What a player shows when: pure, with times of our own."""

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from geminipty.asciicast import Event, Header, Recording
from geminipty.errors import UsageError
from geminipty.export.film import Film, develop
from geminipty.export.player import Command, Player
from geminipty.export.projection import Projection
from geminipty.terminal import Terminal

from .conftest import RECORDINGS
from .playing import load

#: Each is one picture, finished by the silence of 0.1 s after it.
TIMES = (1.0, 2.0, 5.0, 20.0)


def film(*markers: tuple[float, str], columns: int = 40, lines: int = 5) -> Film:
    """Four pictures, at TIMES and 0.1 s."""
    events = [Event(at, "o", f"\x1b[H\x1b[2Kpicture {at:g}\r\n") for at in TIMES]
    events += [Event(at, "m", name) for at, name in markers]
    return develop(Recording(Header(columns=columns, lines=lines), iter(sorted(events))))


def shown(player: Player) -> str:
    """The first row of the picture."""
    return player.picture.frame.lines[0]


def test_pictures_come_at_their_times_and_pauses_are_cut() -> None:
    """The first at once, then each after the recorded time, but never after more than `idle`."""
    player = Player(film(), idle=4.0)
    player.play(100.0)

    dues = []
    while (due := player.deadline) is not None:
        dues.append(round(due, 6))
        player.tick(due)

    assert dues == [101.0, 104.0, 108.0]
    assert shown(player) == "picture 20"
    assert player.at_end


def test_speed_divides_every_wait_and_no_limit_keeps_the_pauses() -> None:
    """Twice as fast is half the time."""
    player = Player(film(), speed=2.0, idle=None)
    player.play(0.0)

    assert player.deadline == pytest.approx(0.5)
    player.tick(2.0)

    assert shown(player) == "picture 5"
    assert player.deadline == pytest.approx(2.0 + 7.5)


def test_a_late_tick_catches_up() -> None:
    """Whoever was asleep sees the picture of now, and the next one comes in time."""
    player = Player(film(), idle=None)
    player.play(0.0)

    player.tick(10.0)

    assert shown(player) == "picture 5"
    assert player.deadline == pytest.approx(19.0)


def test_a_pause_stops_the_time_and_goes_on_with_what_was_left() -> None:
    """Stopped in the middle of a wait, the other half is waited for afterwards."""
    player = Player(film(), idle=None)
    player.play(0.0)

    player.obey(Command.PAUSE, 0.4)

    assert player.deadline is None
    player.tick(50.0)
    assert shown(player) == "picture 1"
    player.obey(Command.PAUSE, 100.0)
    assert player.deadline == pytest.approx(100.6)


def test_steps_go_forward_and_back_and_stop_at_both_ends() -> None:
    """Each step is one finished picture, and time no longer moves it."""
    player = Player(film())
    player.play(0.0)
    seen = []

    for command in [Command.FORWARD] * 4 + [Command.BACK] * 5:
        player.obey(command, 0.0)
        seen.append(player.index)

    assert seen == [1, 2, 3, 3, 2, 1, 0, 0, 0]
    assert player.deadline is None


def test_step_mode_waits_for_a_key_at_each_picture() -> None:
    """Time brings nothing; the key that pauses otherwise goes on."""
    player = Player(film(), step=True)
    player.play(0.0)
    assert player.deadline is None

    player.obey(Command.PAUSE, 1.0)

    assert shown(player) == "picture 2"
    assert player.deadline is None


def test_at_the_end_the_pause_key_plays_again() -> None:
    """It starts from the first picture."""
    player = Player(film(), at=30.0)
    player.play(0.0)
    assert player.at_end

    player.obey(Command.PAUSE, 1.0)
    player.obey(Command.PAUSE, 2.0)

    assert shown(player) == "picture 1"
    assert player.playing


def test_markers_are_jumped_to_in_both_directions() -> None:
    """The picture that stood then is shown; the first and the last are not passed."""
    player = Player(film((1.5, "one"), (3.0, "two"), (6.0, "three")))
    seen = []

    keys = [Command.NEXT_MARKER] * 4 + [Command.PREVIOUS_MARKER] * 3
    for command in keys:
        player.obey(command, 0.0)
        seen.append((player.marker.name if player.marker else "", shown(player)))

    forward = [("one", "picture 1"), ("two", "picture 2"), ("three", "picture 5")]
    assert seen == [*forward, forward[2], forward[1], forward[0], forward[0]]


def test_while_it_plays_the_marker_that_just_went_by_is_passed_over() -> None:
    """So pressing the key twice goes back two markers; after a while it goes back to the last."""
    player = Player(film((1.5, "one"), (1.9, "two")), idle=None, at=1.95)
    player.play(0.0)
    player.tick(0.2)
    assert player.position == pytest.approx(2.1)

    player.obey(Command.PREVIOUS_MARKER, 0.2)

    assert player.marker is not None
    assert player.marker.name == "one"
    player.obey(Command.FORWARD, 0.3)
    player.obey(Command.PREVIOUS_MARKER, 0.3)
    assert player.marker.name == "two"


def test_prompts_and_statuses_stand_for_markers_where_there_are_none() -> None:
    """A recording without markers can be jumped through by what the CLI did."""
    header, events = load(RECORDINGS / "0.61.0" / "hello.cast")
    bare = (event for event in events if event.code != "m")

    names = [marker.name for marker in develop(Recording(header, bare)).markers]

    assert names == ["STARTING", "READY", "WORKING", "say hello", "READY"]


def test_a_marker_is_found_by_number_name_or_beginning() -> None:
    """A whole name goes before a beginning; what is not there is told with what is."""
    marked = film((1.0, "done twice"), (2.0, "done"), (3.0, "\x1b]0;x\x07"))

    assert marked.marker("1").at == 1.0
    assert marked.marker("done").at == 2.0
    assert marked.marker("done t").at == 1.0
    with pytest.raises(UsageError) as caught:
        marked.marker("4")
    assert "2. 'done'" in str(caught.value)
    assert "\x1b" not in str(caught.value)


COMMANDS = st.lists(st.tuples(st.sampled_from(list(Command)), st.floats(0, 5)), max_size=30)


@given(COMMANDS, st.booleans(), st.floats(0.01, 100))
def test_whatever_is_pressed_the_player_stands_at_a_picture(
    pressed: list[tuple[Command, float]], step: bool, speed: float
) -> None:
    """The picture is the one that stood at the position, and a deadline is never in the past."""
    player = Player(_FILM, step=step, speed=speed)
    now = 0.0
    player.play(now)

    for command, wait in pressed:
        now += wait
        player.obey(command, now)
        player.tick(now)

        assert player.picture.at <= player.position
        assert player.deadline is None or player.deadline > now
        assert player.playing or player.deadline is None


_FILM = film((0.5, "zero"), (1.5, "one"), (3.0, "two"), (30.0, "late"))


def test_a_recording_of_endless_pictures_is_thinned_out() -> None:
    """The film stays within its memory, keeps the first and the last, and says so."""

    def events() -> Iterator[Event]:
        for n in range(3000):
            yield Event(n, "o", f"\x1b[H\x1b[2K{n}\r\n")

    thin = develop(Recording(Header(columns=80, lines=100), events()), weight=1 << 20)

    assert thin.thinned == 4
    assert thin.pictures[0].frame.lines[0] == "0"
    assert thin.pictures[-1].frame.lines[0] == "2999"
    assert 500 < len(thin.pictures) < 1000  # each refers to 100 rows, of which one is its own


def test_a_recording_that_erases_all_still_has_a_picture() -> None:
    """A screen that was erased and not painted again is what there is to show."""
    torn = [Event(1.0, "o", "\x1b[2J")]

    pictures = develop(Recording(Header(columns=20, lines=3), iter(torn))).pictures

    assert [picture.frame.lines for picture in pictures] == [["", "", ""]]


def view(player: Player, columns: int, lines: int) -> list[str]:
    """What a terminal of this size shows."""
    terminal = Terminal(columns, lines)
    terminal.receive(Projection(columns, lines).draw(player))
    return terminal.picture().lines


def test_the_projection_paints_the_picture_and_a_status_line() -> None:
    """Rows as recorded, time, speed, marker and keys at the bottom."""
    rows = view(Player(film((1.0, "begin"))), 120, 8)

    assert rows[0] == "picture 1"
    assert rows[1:7] == [""] * 6
    assert rows[7].startswith(" paused | 1.1 of 20.1 s | speed 1 | [begin] | space pause")
    assert "bottom left" not in rows[7]


def test_a_smaller_terminal_shows_the_bottom_left_and_says_so() -> None:
    """The last rows that hold something, cut on the right."""
    text = "".join(f"row {n} {'x' * 60}\r\n" for n in range(12))
    recording = Recording(Header(columns=80, lines=20), iter([Event(0.0, "o", text)]))

    rows = view(Player(develop(recording)), 40, 5)

    assert rows[:4] == [f"row {n} {'x' * 60}"[:40] for n in (9, 10, 11)] + [""]
    assert rows[4].endswith("| bottom l")
    assert len(rows[4]) == 40


def test_only_what_changed_is_painted_again() -> None:
    """A picture that stands costs a few bytes; the next one costs its changed rows."""
    player = Player(film())
    projection = Projection(80, 10)
    projection.draw(player)

    same = projection.draw(player)
    player.obey(Command.FORWARD, 0.0)
    other = projection.draw(player)

    assert "picture" not in same
    assert len(same) < 40
    assert "picture 2" in other
    assert other.count("\x1b[2K") == 2


@pytest.mark.parametrize("size", [(1, 1), (1, 2), (2, 1), (3, 3), (500, 200)])
def test_any_size_of_terminal_can_be_projected_on(size: tuple[int, int]) -> None:
    """No size is too small or too large."""
    rows = view(Player(film((1.0, "日本語のしるし"))), *size)

    assert len(rows) == size[1]
