"""Characters that stand for others, so that a picture tells more than what it shows.

A character that is hidden stands there as its veil, by which it can still be read; one that is
marked, as a code that no other place of the output has, by which its writer is known.

Rule: what stands for a character takes as many columns as it and joins what it joins, so a
picture in ink is the picture but for this.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import Final, NamedTuple

from geminipty.terminal import Printed, Work, columns_of

from .known import HIDDEN

#: What stands for characters of one column, and of two: those for private use, which nothing
#: joins, and rare ideographs.
_CODES: Final = {
    1: (range(0xF0000, 0xFFFFE), range(0x100000, 0x10F000)),
    2: (range(0x20000, 0x2A000),),
}
_VEILS: Final = {1: (range(0x10F000, 0x10FFFE),), 2: (range(0x2A000, 0x2A6E0),)}
_JOINER: Final = "\u200d"
#: Makes an emoji of two columns of some characters of one.
_SELECTOR: Final = "\ufe0f"
_SKINS: Final = range(0x1F3FB, 0x1F400)
_NO_WIDTH: Final = "\u200b"
#: So many characters are painted at least before marks are taken back once more: looking for
#: those that are left costs as much as the screen is large.
_BETWEEN: Final = 1 << 15
#: What marking a character costs, in the units of `Work`.
_MARKED: Final = 100


class Written(NamedTuple):
    """A part of an event's text, and where it begins in it; what is hidden is veiled."""

    number: int
    start: int
    text: str


class Ink:
    """Knows what each character stands for, and which of them are hidden by now."""

    def __init__(self, work: Work | None) -> None:
        self._work = work or Work()
        self._printed = Printed()
        self._reads: dict[int, str] = {}
        self._veils: dict[str, str] = {}
        self._veiled = {HIDDEN}
        self._veils_left = {columns: list(_codes(_VEILS[columns])) for columns in _VEILS}
        #: Of each code, the event and the places in it.
        self._places: dict[str, tuple[int, range]] = {}
        #: Those of them that are to be hidden.
        self._told: set[str] = set()
        #: Filled when they are needed.
        self._left: dict[int, list[str]] = {columns: [] for columns in _CODES}
        self._since = _BETWEEN

    def veil(self, text: str, spans: Sequence[tuple[int, int]]) -> str:
        """The text with veils where it is hidden, each character in its place."""
        pieces, at = [], 0
        for start, end in spans:
            pieces += [text[at:start], self._veil(text[start:end])]
            at = end
        return "".join((*pieces, text[at:]))

    def _veil(self, text: str) -> str:
        veil = "".join(map(self._veil_of, text))
        columns = columns_of(text)
        if columns_of(veil) != columns:
            veil = (HIDDEN * columns).ljust(len(text), _NO_WIDTH)[: len(text)]
        return veil

    def _veil_of(self, char: str) -> str:
        veil = self._veils.get(char)
        if veil is None:
            left = self._veils_left.get(columns_of(char))
            if left is None or char == HIDDEN:
                return char
            veil = self._veils[char] = left.pop() if len(left) > 1 else left[0]
            self._veiled.add(veil)
            self._reads[ord(veil)] = char
        return veil

    def begin(self, printed: Printed) -> None:
        """Mark from here on; `printed` tells which characters are."""
        self._printed = printed

    def mark(self, written: Written) -> str:
        """A text with a code for each character that it prints."""
        number, start, text = written
        self._since += len(text)
        self._work.done += _MARKED * len(text)
        self._work.check()
        chars = list(text)
        last = ""
        for at in self._printed.where(text):
            char = text[at]
            if _follows(text, at):
                if last and self._places[last][1].stop == start + at:
                    begin = self._places[last][1].start
                    self._places[last] = number, range(begin, start + at + 1)
                continue
            last = ""
            left = self._left.get(_columns(char, text[at + 1 : at + 2]))
            if left and char != " " and char not in self._veiled:
                chars[at] = last = left.pop()
                self._reads[ord(last)] = char
                self._places[last] = number, range(start + at, start + at + 1)
        return "".join(chars)

    def read(self, painted: str) -> str:
        """What a picture says, character for character, also where it is hidden."""
        return painted.translate(self._reads) if self._reads else painted

    def hide(self, painted: str) -> Iterator[tuple[int, range]]:
        """The events, and the places in them, that wrote what is still to be seen of a text."""
        for code in painted:
            if code in self._places and code not in self._told:
                self._told.add(code)
                yield self._places[code]

    def shown(self, painted: str) -> str:
        """What is to be seen of a text: neither hidden nor blank."""
        return "".join(
            char
            for at, char in enumerate(painted)
            if char not in self._veiled
            and char not in self._told
            and not char.isspace()
            and not _follows(painted, at)
        )

    def is_short(self, length: int) -> bool:
        """Whether there may be too few codes for a text, and it is time to look for more."""
        return self._since >= _BETWEEN and min(map(len, self._left.values())) < length

    def reuse(self, texts: Iterable[str]) -> None:
        """Take back the codes that are in none of these texts any more."""
        used = set().union(*texts)
        self._places = {code: place for code, place in self._places.items() if code in used}
        self._told &= used
        veils = {ord(veil): char for char, veil in self._veils.items()}
        self._reads = {ord(code): self._reads[ord(code)] for code in self._places} | veils
        for columns, ranges in _CODES.items():
            self._left[columns] = [code for code in _codes(ranges) if code not in self._places]
        self._since = 0


def _codes(ranges: Iterable[range]) -> Iterator[str]:
    return map(chr, chain.from_iterable(ranges))


def _follows(text: str, at: int) -> bool:
    """Whether a character may belong to the one before it."""
    char = text[at]
    return (
        ord(char) in _SKINS
        or (at > 0 and text[at - 1] == _JOINER)
        or (char >= "\u0300" and columns_of(char) == 0)
    )


def _columns(char: str, after: str) -> int:
    """The columns of what may stand for a character; 0 if nothing may, for what comes after."""
    columns = columns_of(char)
    if after == _SELECTOR:
        return columns_of(char + after)
    is_joined = after == _JOINER or (after and ord(after) in _SKINS)
    return 0 if columns == 1 and is_joined else columns
