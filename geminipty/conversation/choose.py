"""A choice of a dialog: the selection is moved to it, seen there, and entered, once.

Rule: the next cursor key waits for the effect of the one before, because keys that a slow CLI has
not read yet would move the selection after it was seen in its place. If a key shows nothing for
long it may be lost, and another one is pressed; then a key in the other direction must move the
selection that way before Enter is pressed: keys are read in order, so none is on its way any more.

Enter is pressed once. A dialog stays for a while after it, may be drawn anew, and another Enter
could reach the dialog behind it; where that may be about an equal call, a cursor key tells whether
it is there.
"""

from enum import Enum
from typing import Final, NamedTuple

from geminipty.model import Dialog, Status
from geminipty.reading import Reading
from geminipty.terminal import Key

from .calls import alike, asks_the_same
from .hands import LOST

#: How many keys are pressed one after the other that show no effect.
TRIES: Final = 5
#: How much longer keys are waited for where both cursor keys do the same, which proves nothing.
OF_TWO: Final = 15.0


class Step(Enum):
    """How far the choice is."""

    AIMING = "no key is on its way"
    MOVING = "a cursor key is on its way"
    DOUBTING = "it showed nothing, so another one was pressed"
    RESTING = "keys may be on their way"
    PROVING = "a cursor key in the other direction is on its way"
    ENTERED = "Enter was pressed, and the dialog stays"
    PROBING = "a cursor key is on its way, to see whether what stays is another dialog"
    DONE = "the dialog is gone, or another one that looks alike is there"


class Sight(Enum):
    """What a picture says to that."""

    GONE = "the dialog is not there"
    UNSURE = "nothing is known of it"
    THERE = "the choice is selected"
    ELSEWHERE = "another one is selected"
    PROVEN = "the selection has moved by one, in the direction of the last key"
    MOVED = "it has moved otherwise"
    STILL = "it has not moved"
    DUE = "it has not moved, and the time has come"


class Press(Enum):
    """What is pressed."""

    NOTHING = "nothing"
    TOWARDS = "up or down, towards the choice"
    AGAIN = "the cursor key that was pressed last"
    BACK = "the other cursor key"
    ANY = "a cursor key"
    ENTER = "Enter"


class Wait(Enum):
    """Until when a picture is waited for."""

    ON = "as before"
    LOST = "until what was pressed is lost: twice as long for each key that showed nothing"
    REST = "until nothing more is to come: twice as long as the CLI was slow"
    EVER = "for ever"


class Row(NamedTuple):
    """What comes next."""

    step: Step
    press: Press = Press.NOTHING
    wait: Wait = Wait.ON


_S, _I = Step, Sight
#: In all other cases nothing changes and nothing is pressed.
TABLE: Final = {
    **{(step, Sight.GONE): Row(Step.DONE) for step in Step},
    (_S.AIMING, _I.THERE): Row(_S.ENTERED, Press.ENTER, Wait.LOST),
    (_S.AIMING, _I.ELSEWHERE): Row(_S.MOVING, Press.TOWARDS, Wait.LOST),
    (_S.MOVING, _I.PROVEN): Row(_S.AIMING),
    (_S.MOVING, _I.MOVED): Row(_S.RESTING, wait=Wait.REST),
    (_S.MOVING, _I.DUE): Row(_S.DOUBTING, Press.AGAIN, Wait.LOST),
    (_S.DOUBTING, _I.PROVEN): Row(_S.RESTING, wait=Wait.REST),
    (_S.DOUBTING, _I.MOVED): Row(_S.RESTING, wait=Wait.REST),
    (_S.DOUBTING, _I.DUE): Row(_S.DOUBTING, Press.AGAIN, Wait.LOST),
    (_S.RESTING, _I.PROVEN): Row(_S.RESTING, wait=Wait.REST),
    (_S.RESTING, _I.MOVED): Row(_S.RESTING, wait=Wait.REST),
    (_S.RESTING, _I.DUE): Row(_S.PROVING, Press.BACK, Wait.LOST),
    (_S.PROVING, _I.PROVEN): Row(_S.AIMING),
    (_S.PROVING, _I.MOVED): Row(_S.RESTING, wait=Wait.REST),
    (_S.PROVING, _I.DUE): Row(_S.RESTING, wait=Wait.REST),
    (_S.ENTERED, _I.DUE): Row(_S.PROBING, Press.ANY, Wait.EVER),
    (_S.PROBING, _I.PROVEN): Row(_S.DONE),
    (_S.PROBING, _I.MOVED): Row(_S.DONE),
}
_ENTERED: Final = frozenset({Step.ENTERED, Step.PROBING})
#: Steps in which no cursor key is on its way.
_QUIET: Final = frozenset({Step.AIMING, Step.ENTERED, Step.DONE})
_OTHER: Final = {Key.DOWN: Key.UP, Key.UP: Key.DOWN}


class Choose:
    """The choice with a number, for one dialog.

    `stray` is a cursor key of the choice before that may not have been read yet.
    """

    phase = "answering a dialog"

    def __init__(self, dialog: Dialog, number: int, *, stray: Key | None = None) -> None:
        self.asked = dialog
        self.number = number
        self.step = Step.RESTING if stray and len(dialog.choices) > 1 else Step.AIMING
        self.due: float | None = None
        #: No dialog that looks like this one can follow: after Enter it need only go.
        self.last = False
        #: What stands there is another dialog, which looks like this one.
        self.replaced = False
        #: A cursor key that may still be on its way when all is done.
        self.stray: Key | None = None
        self._key = stray or Key.DOWN
        #: The row that was selected when a key was pressed, or when it last moved.
        self._at: int | None = None
        #: How many keys have shown nothing, and since when.
        self._tried = 0
        self._since = 0.0

    @property
    def done(self) -> bool:
        """Whether nothing is left to do."""
        return self.step is Step.DONE

    def look(self, reading: Reading, now: float, *, fresh: bool) -> str:
        """What to type now."""
        del fresh
        dialog = reading.dialog
        same = asks_the_same if self.step in _ENTERED else alike
        if dialog is None or not same(dialog, self.asked):
            if reading.status is not Status.UNKNOWN:
                self.stray = None if self.step in _QUIET else self._key
                self.step = Step.DONE
            return ""
        at = next((y for y, choice in enumerate(dialog.choices) if choice.selected), None)
        numbers = [choice.number for choice in dialog.choices]
        if at is None or (self.step not in _ENTERED and self.number not in numbers):
            return ""
        key = self._act(self._sight(numbers, at, now), numbers, at, now)
        if self.step is Step.AIMING and not key:
            key = self._act(self._sight(numbers, at, now), numbers, at, now)
        return key

    def _sight(self, numbers: list[int], at: int, now: float) -> Sight:
        """What the selection says to that."""
        if self.step is Step.AIMING:
            return Sight.THERE if numbers[at] == self.number else Sight.ELSEWHERE
        if self._at is None:
            self._at, self._since, self.due = at, now, now + self._rest(numbers, now)
        if at != self._at and self.step is not Step.ENTERED:  # then it may be drawn anew
            moved = (at - self._at) % len(numbers)
            return Sight.PROVEN if moved == self._step_of(self._key, numbers) else Sight.MOVED
        if self.due is None or now < self.due or self._tried >= TRIES:
            return Sight.STILL
        if self.step is Step.ENTERED and self.last:
            return Sight.STILL
        return Sight.DUE if len(numbers) > 1 else Sight.STILL

    def _act(self, sight: Sight, numbers: list[int], at: int, now: float) -> str:
        row = TABLE.get((self.step, sight))
        if row is None:
            return ""
        self.step = row.step
        self.replaced = row.step is Step.DONE
        if row.wait is Wait.EVER:
            self.due = None
        elif row.wait is Wait.LOST:
            self.due = now + LOST * 2**self._tried
        elif row.wait is Wait.REST:
            self.due = now + self._rest(numbers, now)
        if sight in (Sight.PROVEN, Sight.MOVED):
            self._tried = 0
        if row.press is not Press.NOTHING and row.press is not Press.AGAIN:
            self._since = now
        self._at = at
        match row.press:
            case Press.NOTHING:
                return ""
            case Press.ENTER:
                return Key.ENTER
            case Press.TOWARDS:
                self._key = Key.DOWN if numbers.index(self.number) > at else Key.UP
            case Press.BACK:
                self._key = _OTHER[self._key]
            case Press.ANY:
                self._key = Key.DOWN if at + 1 < len(numbers) else Key.UP
        self._tried += 1
        return self._key

    def _rest(self, numbers: list[int], now: float) -> float:
        """How long nothing may move before no key is taken to be on its way."""
        rest = max(LOST, 2 * (now - self._since)) if self._at is not None else LOST
        return rest + (OF_TWO if len(numbers) == 2 else 0.0)

    @staticmethod
    def _step_of(key: Key, numbers: list[int]) -> int:
        """By how many rows a key moves the selection, which goes round at both ends."""
        return (1 if key is Key.DOWN else -1) % len(numbers)
