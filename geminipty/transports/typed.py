"""What was typed, compared with what a recording holds.

Rule: keys are compared, not bytes. What a terminal sends of its own accord (answers to queries,
focus, the marks around a paste) is no key: it is dropped on both sides, so that a recording of one
terminal fits another.
"""

import re
from bisect import bisect_right
from collections.abc import Iterable
from itertools import accumulate, pairwise
from typing import Final

from geminipty.redaction import HIDDEN

#: An unfinished sequence is held back up to this length; nobody's answers are longer.
MAX_HELD: Final = 4096

_REPORT: Final = re.compile(
    r"\x1b\[20[01]~"  # the marks around a paste
    r"|\x1b\[[IO]"  # focus
    r"|\x1b\[[?>=][0-9;]*c"  # DA1, DA2, DA3
    r"|\x1b\[\?[0-9;]*u"  # the keyboard protocol of kitty
    r"|\x1b\[\??[0-9;]+[Rnt]"  # cursor, state, size
    r"|\x1b\[\??[0-9;]*\$y"  # DECRPM
    r"|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)"  # OSC: colours, clipboard
    r"|\x1b[P_][^\x1b]*\x1b\\"  # DCS, APC
)
#: What may still become a report.
_BEGUN: Final = re.compile(r"\x1b(?:\[[?>=]?[0-9;]*\$?|\][^\x07\x1b]*\x1b?|[P_][^\x1b]*\x1b?)?\Z")
_RUN: Final = re.compile(f"{HIDDEN}+")
_CONTROL: Final = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f]")


def keys(text: str) -> str:
    """The keys in `text`: all of it but the paste marks and what terminals report by themselves."""
    return _REPORT.sub("", text)


def same_keys(recorded: str, typed: str) -> bool:
    """Whether `typed` is what was recorded; hidden text matches 1 to its width of characters."""
    if HIDDEN not in recorded:
        return keys(recorded) == keys(typed)
    typing = Typing([recorded])
    typing.type(typed)
    typing.settle()
    return typing.is_complete


class Typing:
    """The inputs of a recording, compared with what is typed as it comes, in any chunks.

    All that was typed is compared at once, also what was typed ahead. `reached` counts the inputs
    that were typed; `came` is None, or the keys at which the two parted.
    """

    def __init__(self, inputs: Iterable[str]) -> None:
        self.inputs = [keys(text) for text in inputs]
        self._ends = list(accumulate(map(len, self.inputs)))
        self._text = "".join(self.inputs)
        #: Where runs of hidden characters begin and end, each within one input.
        self._runs: tuple[list[int], list[int]] = ([], [])
        for begin, end in pairwise((0, *self._ends)):
            for run in _RUN.finditer(self._text, begin, end):
                self._runs[0].append(run.start())
                self._runs[1].append(run.end())
        self._held = ""
        #: The places in the text where the typing may stand, in stretches: the last place of
        #: each, with its first. Hidden text makes several of one.
        self._places = {0: 0}
        self.came: str | None = None
        self._so_far: list[str] = []

    @property
    def so_far(self) -> str:
        """What was rightly typed of the input under way."""
        return "".join(self._so_far)

    @property
    def reached(self) -> int:
        """The number of inputs that were typed whole, from the first."""
        return bisect_right(self._ends, max(self._after(self._held) or self._places))

    @property
    def is_complete(self) -> bool:
        """Whether all was typed, and nothing else."""
        return self.came is None and not self._held and len(self._text) in self._places

    @property
    def is_open(self) -> bool:
        """Whether what was typed last may be half a sequence; `settle` says that no more comes."""
        return bool(self._held)

    @property
    def current(self) -> int:
        """The index of the input under way; the number of inputs if all were typed."""
        return bisect_right(self._ends, max(self._places))

    def type(self, text: str) -> None:
        """Take what was typed; what may be the beginning of a report waits for its rest."""
        text = self._held + text
        begun = _BEGUN.search(text)
        self._held = begun[0] if begun and len(begun[0]) <= MAX_HELD else ""
        self._take(keys(text[: len(text) - len(self._held)]))

    def settle(self) -> None:
        """Say that for now no more is typed: an ESC that came last is the key."""
        held, self._held = self._held, ""
        self._take(held)

    def _take(self, text: str) -> None:
        if self.came is not None:
            self.came += text
            return
        for index, char in enumerate(text):
            places = self._step(self._places, char)
            if not places:
                self.came = text[index:]
                return
            before = self.current
            self._places = places
            if self.current == before:
                self._so_far.append(char)
            else:
                self._so_far.clear()

    def _after(self, text: str) -> dict[int, int]:
        places = self._places
        for char in text:
            places = self._step(places, char)
        return places

    def _step(self, places: dict[int, int], char: str) -> dict[int, int]:
        text = self._text
        hides = char in "\n\t" or not _CONTROL.match(char)
        after: dict[int, int] = {}
        for last, first in places.items():
            if hides and first < last:  # all but the last stand before a hidden character
                after[last] = min(first + 1, after.get(last, last))
            if last < len(text) and (text[last] == char or (text[last] == HIDDEN and hides)):
                end = self._end(last + 1)
                after[end] = min(last + 1, after.get(end, end))
        return after

    def _end(self, place: int) -> int:
        """The last place where one may stand too, because the rest of a run was not needed."""
        begins, ends = self._runs
        run = bisect_right(ends, place)
        return ends[run] if run < len(begins) and begins[run] < place else place
