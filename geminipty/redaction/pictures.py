"""What a reader of the pictures could still read after the stream was searched.

A program may write the characters of a secret in any order and to any place: corrected, moved
together, repeated by the terminal. So the output is painted, and each picture is searched; what is
found is hidden in the events that wrote it.

Rule: nothing but characters that a picture shows as part of a secret is hidden, and every other
character stays where it was. To know who wrote what, the output is painted once more with each
character replaced by one that no other place of the output has.
"""

import re
from collections import deque
from collections.abc import Iterable, Iterator
from itertools import chain, pairwise
from typing import Final, NamedTuple

from geminipty import asciicast
from geminipty.terminal import Frame, Printed, Row, Terminal, Work, columns_of

from .known import HIDDEN
from .redactor import Carry, Redactor, merged
from .solid import Solid

#: So many characters are painted before the picture is looked at.
PIECE: Final = 1 << 14
#: As many characters are kept to be painted again when something is found.
WINDOW: Final = 1 << 16
#: What stands for a character of one column, or of two. The first are for private use; the others
#: are rare ideographs. None of them joins or changes its neighbours.
_NARROW: Final = (range(0xF0000, 0xFFFFE), range(0x100000, 0x10FFFE))
_WIDE: Final = (range(0x20000, 0x2A6E0),)
#: What else than letters and digits is marked: the rest may join its neighbours.
_PLAIN: Final = re.compile(r"[!-~\u2010-\u2027\u2500-\u25a9]")
#: Makes an emoji of the character before it, which must be that character then.
_SELECTOR: Final = "\ufe0f"
#: So many rows around what has changed are searched with it: a secret may be wrapped.
_CONTEXT: Final = 3


class Pictures:
    """Takes the events of a run in order, and tells which of their characters are to be hidden.

    With `marked` the writer of every character is known; else that of the last `WINDOW` and of all
    that come after the first that is found.
    """

    def __init__(
        self,
        redactor: Redactor,
        columns: int,
        lines: int,
        *,
        marked: bool = False,
        work: Work | None = None,
    ) -> None:
        self._search = _Search(redactor, columns)
        self._count = 0
        #: The places to be hidden of each event, by its number, until somebody takes them.
        self._places: dict[int, set[int]] = {}
        #: Something is shown, and it is not known who wrote it.
        self.left = False
        #: What the pictures are. While nothing is found it is painted as it is.
        self._ahead = Terminal(columns, lines, work=work)
        #: The picture before the `_recent` ones, to go on from in ink.
        self._behind = Terminal(columns, lines)
        self._recent: deque[_Written | tuple[int, int]] = deque()
        self._length = 0
        self._ink = _Ink(self._ahead.printed()) if marked else None

    def look(self, event: asciicast.Event) -> None:
        """Paint the next event and look at its pictures."""
        number, self._count = self._count, self._count + 1
        if event.code == "r":
            self._resize(*event.size)
        if event.code == "o" and isinstance(event.data, str):
            for start in range(0, len(event.data), PIECE):
                self._paint(_Written(number, start, event.data[start : start + PIECE]))

    def take(self, number: int) -> set[int]:
        """The places that are to be hidden of the event with this number, as far as is known."""
        return self._places.pop(number, set())

    def late(self) -> dict[int, set[int]]:
        """What is to be hidden beside what was taken, by the numbers of the events."""
        return self._places

    def _resize(self, columns: int, lines: int) -> None:
        self._search.columns = columns
        self._ahead.resize(columns, lines)
        if self._ink is None:
            self._recent.append((columns, lines))

    def _paint(self, written: "_Written") -> None:
        if self._ink is not None:
            self._paint_in(self._ink, written)
            return
        self._recent.append(written)
        self._length += len(written.text)
        self._ahead.receive(written.text)
        # All of them are looked at, because each is compared with the one before.
        if any(list(map(self._search.spans, _frames(self._ahead)))):
            self._paint_again()
        while self._length > WINDOW:
            self._forget(self._recent.popleft())

    def _forget(self, oldest: "_Written | tuple[int, int]") -> None:
        if isinstance(oldest, _Written):
            self._length -= len(oldest.text)
            self._behind.receive(oldest.text)
            _frames(self._behind)
        else:
            self._behind.resize(*oldest)

    def _paint_again(self) -> None:
        """Paint the recent pictures again, in ink, and go on so."""
        self._ahead, recent = self._behind, self._recent
        self._recent, self._length = deque(), 0
        self._ink = ink = _Ink(self._ahead.printed())
        self._search.begin(self._ahead.picture())
        for one in recent:
            if isinstance(one, _Written):
                self._paint_in(ink, one)
            else:
                self._ahead.resize(*one)

    def _paint_in(self, ink: "_Ink", written: "_Written") -> None:
        if ink.room < len(written.text):
            ink.reuse(self._ahead.screen.texts())
        self._ahead.receive(ink.mark(written))
        for frame in _frames(self._ahead):
            for start, end in self._search.spans(frame, ink):
                painted = self._search.painted[start:end]
                for number, at in ink.hide(painted):
                    self._places.setdefault(number, set()).add(at)
                self.left = self.left or not ink.knows(painted)


class _Written(NamedTuple):
    """A text, and the event and the place in it where it begins."""

    number: int
    start: int
    text: str


class _Search:
    """Searches each picture, as far as it has changed since the one before."""

    def __init__(self, redactor: Redactor, columns: int) -> None:
        self._redactor = redactor
        self.columns = columns
        #: The text that was searched, as it is painted.
        self.painted = ""
        self._above = 0
        self._rows: tuple[Row, ...] = ()
        self._pairs: set[tuple[int, int]] = set()
        #: A private key may go on where nothing tells that it does.
        self._in_key = False

    def begin(self, frame: Frame) -> None:
        """Search all that comes after a picture, whatever was searched before."""
        self._above = frame.scrolled.dropped + len(frame.scrolled)
        self._rows, self._pairs = (), set()

    def spans(self, frame: Frame, ink: "_Ink | None" = None) -> list[tuple[int, int]]:
        """Where in `painted` something is to be hidden."""
        total = frame.scrolled.dropped + len(frame.scrolled)
        new, self._above = total - self._above, total
        above = frame.scrolled[-new - _CONTEXT :] if new > 0 else []
        changed = self._changed(frame.rows)
        if not above and not changed:
            return []
        rows = [*above, *frame.rows]
        ranges = _around([*range(len(above)), *(len(above) + y for y in changed)], len(rows))
        # Nothing crosses an empty row.
        self.painted = "\n".join(_text(rows[start:end]) for start, end in ranges)
        if self._in_key:
            self.painted = _text(rows)
        elif not self._redactor.may_hold(_read(self.painted, ink)):
            return []
        solid = Solid(_read(self.painted, ink))
        solid.close()
        self._in_key = "PRIVATE" in solid.text
        return self._redactor.spans(solid, self._redactor.wraps(self.columns), Carry())

    def _changed(self, rows: tuple[Row, ...]) -> list[int]:
        """The rows that are new, or beside another one than before."""
        # Rows live on with the picture, so no other one has their ids.
        ids = [0, *map(id, rows), 0]
        pairs = list(pairwise(ids))
        known = self._pairs
        self._rows, self._pairs = rows, set(pairs)
        if self._pairs <= known:
            return []
        return [y for y in range(len(rows)) if pairs[y] not in known or pairs[y + 1] not in known]


class _Ink:
    """Characters each of which stands for one that was written at one place."""

    def __init__(self, printed: Printed) -> None:
        self._printed = printed
        self._reads: dict[int, str] = {}
        self._places: dict[str, tuple[int, int]] = {}
        self._hidden: set[str] = set()
        self._free = {1: _codes(_NARROW), 2: _codes(_WIDE)}

    @property
    def room(self) -> int:
        """For how many more characters there is surely one that stands for them."""
        return min(len(free) for free in self._free.values())

    def mark(self, written: _Written) -> str:
        """A text in ink."""
        number, start, text = written
        chars = list(text)
        for at in self._printed.where(text):
            char = text[at]
            free = self._free.get(columns_of(char))
            plain = char.isalnum() or (char != " " and _PLAIN.fullmatch(char))
            if not plain or not free or text[at + 1 : at + 2] == _SELECTOR:
                continue
            chars[at] = code = free.pop()
            self._reads[ord(code)] = char
            self._places[code] = (number, start + at)
        return "".join(chars)

    def read(self, painted: str) -> str:
        """What a picture says, character for character, also where it is hidden."""
        return painted.translate(self._reads)

    def hide(self, painted: str) -> Iterator[tuple[int, int]]:
        """The events, and the places in them, that wrote a text; each is told once."""
        for code in painted:
            if code in self._places and code not in self._hidden:
                self._hidden.add(code)
                yield self._places[code]

    def knows(self, painted: str) -> bool:
        """Whether it is known who wrote each character that tells something."""
        return all(code in self._places or code == HIDDEN or code.isspace() for code in painted)

    def reuse(self, texts: Iterable[str]) -> None:
        """Take back what stands on no screen any more."""
        used = set().union(*texts)
        self._places = {code: place for code, place in self._places.items() if code in used}
        self._reads = {ord(code): self._reads[ord(code)] for code in self._places}
        self._hidden &= used
        for columns, codes in ((1, _NARROW), (2, _WIDE)):
            self._free[columns] = [code for code in _codes(codes) if code not in self._places]


def _codes(ranges: Iterable[range]) -> list[str]:
    return [chr(code) for code in chain.from_iterable(ranges)]


def _around(places: Iterable[int], count: int) -> list[tuple[int, int]]:
    """The ranges of rows that are near to some, out of so many."""
    return merged((max(0, y - _CONTEXT), min(y + _CONTEXT + 1, count)) for y in places)


def _frames(terminal: Terminal) -> list[Frame]:
    """The pictures that were finished, and the one that stands there now."""
    return [*terminal.frames(), terminal.picture()]


def _read(painted: str, ink: _Ink | None) -> str:
    return ink.read(painted) if ink else painted


def _text(rows: Iterable[Row]) -> str:
    return "".join(row.text + "\n" * (not row.wrapped) for row in rows)
