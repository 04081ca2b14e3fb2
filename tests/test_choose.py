"""No other choice is entered than the one that was meant, however late and often keys are read."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from geminipty.conversation.choose import TABLE, TRIES, Choose, Press, Sight, Step
from geminipty.conversation.hands import LOST
from geminipty.model import Choice, Dialog, DialogKind, Status
from geminipty.reading import Reading, read
from geminipty.terminal import Key, Terminal

EMPTY = read(Terminal().picture())
CURSOR = (Key.UP, Key.DOWN)


def dialog(selected: int, count: int = 4) -> Dialog:
    """A dialog of so many choices, one of which is selected, counted from 0."""
    choices = tuple(
        Choice(number=at + 1, label=f"Choice {at}", selected=at == selected) for at in range(count)
    )
    return Dialog(kind=DialogKind.SHELL, title="Shell x", body="x", choices=choices)


def seen(one: Dialog | None, status: Status = Status.ASKING) -> Reading:
    """A picture with a dialog, or without."""
    return replace(EMPTY, status=status, dialog=one)


@dataclass
class Screen:
    """What a hand sees: a dialog whose selection the test moves."""

    hand: Choose
    count: int = 4
    at: int = 0
    now: float = 0.0

    def shows(self, at: int, now: float) -> str:
        """The selection stands there at that moment; what is typed."""
        self.at, self.now = at, now
        return self.hand.look(seen(dialog(at, self.count)), now, fresh=True)


def screen(number: int, stray: Key | None = None) -> Screen:
    """A choice that begins."""
    return Screen(Choose(dialog(0), number, stray=stray))


def test_the_selection_is_moved_key_by_key_and_entered() -> None:
    """Each key waits for the effect of the one before; the way goes by the order of the rows."""
    one = screen(3)

    assert one.shows(0, 0.0) == Key.DOWN
    assert one.shows(0, 0.1) == ""
    assert one.shows(1, 0.2) == Key.DOWN
    assert one.shows(2, 0.3) == Key.ENTER


def test_a_dialog_that_is_drawn_anew_gets_no_second_key() -> None:
    """Ten pictures with the old selection are ten times nothing: keys would pile up."""
    one = screen(4)

    typed = [one.shows(0, 0.05 * count) for count in range(10)]

    assert [key for key in typed if key] == [Key.DOWN]


def test_a_key_that_was_lost_is_pressed_again_and_then_all_keys_are_proven_read() -> None:
    """After two keys a move in the other direction tells that none is on its way any more."""
    one = screen(2)

    assert one.shows(0, 0.0) == Key.DOWN
    assert one.shows(0, LOST) == Key.DOWN
    assert one.shows(1, LOST + 0.1) == ""  # it stands there, but by which of the two?
    assert one.shows(1, 3.2 * LOST) == ""
    assert one.shows(1, 3.4 * LOST) == Key.UP
    assert one.shows(0, 3.5 * LOST) == Key.DOWN
    assert one.shows(1, 3.6 * LOST) == Key.ENTER


def test_a_key_that_was_only_late_is_found_out() -> None:
    """It comes when we have rested, and moves the selection otherwise than our last key does."""
    one = screen(2)
    for at, now in ((0, 0.0), (0, LOST), (1, LOST + 0.1)):
        one.shows(at, now)

    assert one.shows(1, 4 * LOST) == Key.UP
    assert one.shows(2, 4.1 * LOST) == ""  # the late one; ours is still on its way
    assert one.shows(1, 4.2 * LOST) == ""
    assert one.hand.step is Step.RESTING


def test_a_key_of_the_choice_before_is_waited_for_and_proven_read() -> None:
    """A stray key may come at any time before ours has moved the selection its own way."""
    one = screen(1, stray=Key.DOWN)

    assert one.shows(0, 0.0) == ""
    assert one.shows(1, 0.1) == ""  # there it is
    assert one.shows(1, LOST) == ""
    assert one.shows(1, 0.1 + LOST) == Key.UP
    assert one.shows(0, 0.2 + LOST) == Key.ENTER


def test_a_cli_that_reads_nothing_gets_a_few_keys() -> None:
    """For as long as it takes: no more than a few keys are waiting for it."""
    one = screen(3)

    typed = [one.shows(0, count * LOST / 2) for count in range(1000)]

    assert [key for key in typed if key] == [Key.DOWN] * TRIES


def test_a_dialog_with_one_choice_is_entered_whatever_was_pressed_before() -> None:
    """There is nothing that a stray key could move."""
    one = Screen(Choose(dialog(0, 1), 1, stray=Key.DOWN), count=1)

    typed = [one.shows(0, count * LOST) for count in range(4)]

    assert typed.count(Key.ENTER) == 1


@pytest.mark.parametrize("step", Step)
def test_a_dialog_that_is_gone_ends_it_and_one_that_is_not_known_does_not(step: Step) -> None:
    """Whatever was under way; a picture that nobody understands proves nothing."""
    hand = Choose(dialog(0), 3)
    hand.step = step

    assert hand.look(seen(None, Status.UNKNOWN), 0.0, fresh=True) == ""
    assert hand.step is step
    assert hand.look(seen(None, Status.WORKING), 0.0, fresh=True) == ""
    assert hand.done


def test_every_row_of_the_table_is_reached() -> None:
    """Rows that nothing leads to would only look like rules."""
    reached = set()

    def look(one: Screen, at: int, now: float) -> None:
        before = one.hand.step
        one.shows(at, now)
        reached.add((before, one.hand.step))

    for script in WAYS:
        one = screen(script[0], stray=script[1])
        for at, now in script[2]:
            look(one, at, now)

    wanted = {
        (step, row.step) for (step, sight), row in TABLE.items() if sight is not Sight.GONE
    } - {(Step.MOVING, Step.AIMING), (Step.PROVING, Step.AIMING)}  # left within one look
    assert wanted - reached == set()


#: A number, a stray key, and where the selection stands when.
WAYS: list[tuple[int, Key | None, list[tuple[int, float]]]] = [
    (3, None, [(0, 0), (1, 0.1), (2, 0.2), (2, 1.3), (3, 1.4)]),
    (1, None, [(0, 0)]),
    (3, None, [(0, 0), (2, 0.1)]),
    (3, None, [(0, 0), (0, 1), (0, 3), (1, 3.1), (2, 3.2), (2, 19), (2, 29), (2, 49), (1, 49.1)]),
    (3, None, [(0, 0), (0, 1), (3, 1.1), (3, 9), (0, 9.1)]),
]


# With a CLI that reads when it likes


@dataclass
class Cli:
    """A dialog at the other end of a wire: keys are read in order, late, and some not at all."""

    count: int
    #: Between these moments nothing is read.
    stalls: list[tuple[float, float]]
    #: Numbers of the keys that are lost.
    lost: set[int]
    #: How long a key takes where nothing stalls.
    lag: float
    at: int = 0
    entered: int | None = None
    _queue: list[tuple[float, str]] = field(default_factory=list)
    _typed: int = 0

    def type(self, key: str, now: float) -> None:
        """A key is pressed."""
        self._typed += 1
        if self._typed in self.lost and key != Key.ENTER:
            return
        ready = now + self.lag
        for begin, end in self.stalls:
            if begin <= ready < end:
                ready = end
        if self._queue:
            ready = max(ready, self._queue[-1][0])
        self._queue.append((ready, key))

    def run(self, now: float) -> None:
        """Read what is due."""
        while self._queue and self._queue[0][0] <= now and self.entered is None:
            _, key = self._queue.pop(0)
            if key == Key.ENTER:
                self.entered = self.at
            else:
                self.at = (self.at + (1 if key == Key.DOWN else -1)) % self.count


def moments(seconds: float) -> Iterator[float]:
    """When somebody looks: often, as the CLI draws its dialogs anew all the time."""
    for step in range(int(seconds * 20)):
        yield step / 20


stalls = st.lists(
    st.tuples(st.floats(0, 20), st.floats(0.2, 4)).map(lambda one: (one[0], one[0] + one[1])),
    max_size=3,
).map(sorted)


@settings(deadline=None, max_examples=300)
@given(
    count=st.integers(2, 6),
    number=st.integers(1, 6),
    stalls=stalls,
    lost=st.sets(st.integers(1, 8), max_size=2),
    lag=st.sampled_from([0.0, 0.02, 0.15, 0.4, 0.9]),
    stray=st.sampled_from([None, Key.DOWN, Key.UP]),
    unread=st.booleans(),
)
def test_what_is_entered_is_what_was_meant(
    count: int,
    number: int,
    stalls: list[tuple[float, float]],
    lost: set[int],
    lag: float,
    stray: Key | None,
    unread: bool,
) -> None:
    """Stalls of seconds, lost keys, a stray key: Enter is read on the right choice, or not at all.

    And unless more than one key is lost, it is read.
    """
    number = min(number, count)
    cli = Cli(count, stalls, lost, lag)
    if stray and unread:
        cli.type(stray, 0.0)
    hand = Choose(dialog(0, count), number, stray=stray)

    for now in moments(200):
        cli.run(now)
        if cli.entered is not None:
            break
        if key := hand.look(seen(dialog(cli.at, count)), now, fresh=True):
            cli.type(key, now)

    assert cli.entered == number - 1 or (cli.entered is None and len(lost) > 1)


def test_the_table_says_what_it_presses() -> None:
    """Enter is pressed in one place of the table, where no key is on its way."""
    assert [key for key, row in TABLE.items() if row.press is Press.ENTER] == [
        (Step.AIMING, Sight.THERE)
    ]
