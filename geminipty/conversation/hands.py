"""What our hands do: paste a prompt and press Enter, choose an answer, press a key.

Rule: each step waits for the picture that proves the step before it, and a key is pressed again
only if a picture proves that it was not taken. A prompt is never sent twice.
"""

import re
from typing import Final, Protocol

from geminipty.model import Dialog, DialogKind, Status
from geminipty.reading import Composer, Mode, Reading, is_stand_in, stand_ins
from geminipty.terminal import Key, paste, typed

from .calls import alike, asks_the_same
from .prompts import squeezed

#: The CLI takes an Enter for a newline until about 60 ms after it has drawn what was pasted.
BEFORE_ENTER: Final = 0.06
#: The same after an Enter that was not taken; 0.6 and 0.8 ignore it for 0.5 s after a paste.
BEFORE_AGAIN: Final = 0.2
#: Silence after Enter before a cursor key is pressed, to see whether the text is still there.
BEFORE_PROBE: Final = 0.4
#: A paste is taken whole or not at all: what stands still for so long is all of it.
STANDS: Final = 0.3
#: The list of suggestions below a command comes after the command.
SUGGESTED: Final = 0.3
#: A paste that shows nothing for so long was lost: 0.34 draws its composer before it listens.
LOST: Final = 1.0
#: How often Escape is pressed: in shell mode the first one only leaves the mode.
STOPS: Final = 4
#: Characters a second that the slowest CLI reads.
_PACE: Final = 50_000
#: A CLI that has been ready for so long after Enter has not taken it.
STOPPED: Final = 0.5
#: A dialog about quota that is there for so long after Escape is not ended by it.
STAYS: Final = 2.0
#: Characters of a prompt's end that must be seen in the composer.
_END: Final = 24
#: A picture that is attached is drawn in a form of its own, longer than `@` and its name.
_PICTURE: Final = re.compile(r"@\S*\.(?:png|jpe?g|gif|webp|svg|bmp)\b", re.IGNORECASE)
_NAMED: Final = len("[Image]") - len("@")
_WAITING: Final = "waiting for the composer"
_CHATTING: Final = frozenset({Mode.CHAT, Mode.YOLO})


class Hand(Protocol):
    """Something that is done by keys, step by step."""

    #: What is being waited for, in words for an error.
    phase: str
    #: When `look` is to be called even without a new picture.
    due: float | None

    @property
    def done(self) -> bool:
        """Whether it is done, and a picture has proved it."""

    def look(self, reading: Reading, now: float, *, fresh: bool) -> str:
        """What to type now; `fresh` says that the picture is a new one.

        Raises UnsafePrompt, with nothing typed, for what this CLI would take for keys.
        """


class Submit:
    """A text, pasted into the empty composer and entered."""

    def __init__(self, text: str, *, mode: frozenset[Mode] = _CHATTING, command: bool = False):
        self._text = text
        self._pasted = paste(text)
        self._end = squeezed(text)[-_END:]
        #: How much of it the composer shows, blanks left out.
        self._longest = len(squeezed(text)) + _NAMED * len(_PICTURE.findall(text))
        self._mode = mode
        self._wait = SUGGESTED if command else BEFORE_ENTER
        self._cleared: Reading | None = None
        #: How many keys have shown nothing there.
        self._stood = 0
        self._shown: Composer | None = None
        self._image: tuple[object, ...] = ()
        self._probed = False
        self._pastes = 0
        self.phase = _WAITING
        self.done = False
        self.due: float | None = None
        #: Enter was pressed, and may have been taken.
        self.entered = False
        #: Enter was pressed at least once.
        self.pressed = False

    @property
    def typed(self) -> bool:
        """Whether the text was given to the terminal."""
        return self.phase != _WAITING

    def look(self, reading: Reading, now: float, *, fresh: bool) -> str:
        """What to type now."""
        composer = reading.composer
        if self.entered:
            return self._after_enter(reading, composer, now, fresh=fresh)
        if composer is None or reading.status is not Status.READY:
            self.due = None  # the picture that is ready again says when
            return ""
        if not self.typed:
            return self._into(composer, reading, now)
        return self._after_paste(composer, reading, now, fresh=fresh)

    def _into(self, composer: Composer, reading: Reading, now: float) -> str:
        if composer.mode not in self._mode:
            return ""
        if not composer.placeholder:
            return self._clear(composer, reading, now)
        # 0.1 does not know pastes. What cannot be typed is refused before anything has been.
        given = self._pasted if reading.frame.bracketed_paste else typed(self._text)
        self.phase = "waiting for the prompt to be shown"
        self._pastes += 1
        self._probed = False
        self.due = now + LOST + len(self._text) / _PACE
        return given

    def _clear(self, composer: Composer, reading: Reading, now: float) -> str:
        """Take out what an earlier turn, or somebody, left there: line by line, from the end.

        The cursor may stand before it: where a paste seemed lost, ours has moved it.
        """
        if reading is not self._cleared:
            self._stood = 0
        elif self.due is not None and now < self.due:
            return ""  # the key before has not shown its effect
        else:
            self._stood += 1
        self._cleared, self.due = reading, now + LOST
        empty = not composer.text.rpartition("\n")[2].strip()
        return (Key.BACKSPACE if empty else Key.CTRL_U, Key.CTRL_E, Key.DOWN)[self._stood % 3]

    def _after_paste(self, composer: Composer, reading: Reading, now: float, *, fresh: bool) -> str:
        passed = self.due is not None and now >= self.due
        if composer.mode not in self._mode:
            return ""
        if composer.placeholder:
            self._shown = None
            if self.due is None:  # it was not ready meanwhile
                self.due = now + LOST
            return self._into(composer, reading, now) if passed else ""
        if fresh or self._shown is None:
            if self._is_doubled(composer):
                # The paste that seemed lost came late.
                self.phase, self._shown = _WAITING, None
                return self._into(composer, reading, now)
            image, before = _image(composer, reading), self._image
            self._shown, self._image = composer, image
            seen = is_stand_in(composer.text) or squeezed(composer.text).endswith(self._end)
            self.due = now + (self._wait if seen else STANDS)
            if self._probed and image != before:
                self._pastes, self._probed = 1, False  # all that was typed has been read
            return ""
        if not passed:
            return ""
        if self._pastes > 1:
            # Another paste may be on its way: the cursor moves when it has come.
            probe, self._probed, self.due = not self._probed, True, None
            return Key.LEFT if probe else ""
        return self._enter(now)

    def _is_doubled(self, composer: Composer) -> bool:
        if is_stand_in(composer.text):
            return stand_ins(composer.text) > 1 and not stand_ins(self._text)
        return len(squeezed(composer.text)) > self._longest

    def _enter(self, now: float) -> str:
        self.phase = "waiting for the prompt to be taken"
        self.entered = self.pressed = True
        self._probed = False
        self.due = now + BEFORE_PROBE
        return Key.ENTER

    def _after_enter(
        self, reading: Reading, composer: Composer | None, now: float, *, fresh: bool
    ) -> str:
        """See whether Enter was taken: the text has left the composer, or the CLI does more."""
        shown = self._shown
        assert shown is not None
        if composer is None and reading.status is Status.UNKNOWN:
            return ""  # it proves nothing
        there = composer is not None and squeezed(composer.text) == squeezed(shown.text)
        if not there or reading.status in (Status.WORKING, Status.ASKING, Status.CLOSED):
            self.done, self.due = True, None
            return ""
        assert composer is not None
        image = _image(composer, reading)
        if fresh and (composer.text != shown.text or (self._probed and image != self._image)):
            # A new line in the composer, or a cursor that moved: the Enter before it is lost.
            self._shown, self._image = composer, image
            self.entered = False
            self.due = now + BEFORE_AGAIN
            self.phase = "waiting for the prompt to be shown"
            self._wait = BEFORE_AGAIN
            return ""
        if not self._probed and self.due is not None and now >= self.due:
            self._probed, self.due = True, None
            return Key.LEFT
        return ""


def _image(composer: Composer, reading: Reading) -> tuple[object, ...]:
    """How the composer is drawn, with its cursor, wherever it stands."""
    x, y = reading.frame.cursor
    return (reading.frame.rows[composer.top : composer.bottom + 1], x, y - composer.top)


class Press:
    """A key that ends a dialog.

    Escape does not end the one about quota: it stops the turn, and the question stays.
    """

    def __init__(self, key: Key, dialog: Dialog) -> None:
        self._key = key
        self._dialog = dialog
        self._pressed = False
        self.phase = "waiting for the CLI to stop"
        #: The dialog is still there, and will be.
        self.stays = False
        self.done = False
        self.due: float | None = None

    def look(self, reading: Reading, now: float, *, fresh: bool) -> str:
        """What to type now."""
        del fresh
        same = asks_the_same if self._pressed else alike
        if reading.dialog is None or not same(reading.dialog, self._dialog):
            self.done = reading.status is not Status.UNKNOWN
            return ""
        if self._pressed:
            self.stays = self.done = self.due is not None and now >= self.due
            return ""
        self._pressed = True
        if self._dialog.kind is DialogKind.QUOTA:
            self.due = now + STAYS
        return self._key


class Stop:
    """Escape, for whatever runs: a dialog, and the work behind it; again if it goes on.

    Never in a CLI that is ready: a second Escape there opens the list of old prompts.
    """

    def __init__(self) -> None:
        self._left = STOPS
        self._over = self._asking = False
        self.phase = "waiting for the CLI to stop"
        self.done = False
        self.due: float | None = None

    def look(self, reading: Reading, now: float, *, fresh: bool) -> str:
        """Press it where something runs; be done when the CLI has been ready for a while."""
        over = reading.status in (Status.READY, Status.CLOSED)
        if over != self._over:
            self._over, self.due = over, None
        if over:
            if fresh or self.due is None:
                self.due = now + STOPPED
            self.done = now >= self.due
            return ""
        asking = reading.dialog is not None
        waits = self.due is not None and now < self.due and asking == self._asking
        if waits or not self._left:
            return ""
        self._left, self._asking, self.due = self._left - 1, asking, now + LOST
        if not self._left:
            self.due = None
        return Key.ESCAPE


class Write:
    """A text for a dialog that asks for one: pasted, seen, and entered."""

    def __init__(self, dialog: Dialog, text: str) -> None:
        self._dialog = dialog
        self._pasted = paste(text)
        self._seen = squeezed(text)[-_END:]
        self._step = 0
        self.phase = "answering a dialog"
        self.done = False
        self.due: float | None = None

    def look(self, reading: Reading, now: float, *, fresh: bool) -> str:
        """What to type now."""
        if reading.dialog is None or not alike(reading.dialog, self._dialog):
            self.done = reading.status is not Status.UNKNOWN
            return ""
        if self._step == 0:
            self._step = 1
            return self._pasted
        if self._step == 1 and fresh:
            rows = reading.frame.rows
            if any(self._seen in squeezed(row.text) for row in rows):
                self.due = now + BEFORE_ENTER
        if self._step == 1 and self.due is not None and now >= self.due:
            self._step, self.due = 2, None
            return Key.ENTER
        return ""
