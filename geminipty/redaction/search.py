"""One text searched for all that is to be hidden in it.

Rule: it is searched as it stands and with its wraps undone, and again without what was found, until
nothing more is found: so a secret that touches another one is found as well, and what is redacted
is clean.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Final

from .blocks import BEGIN, Block, begin, follow
from .kinds import PADDING, Kind, hinted
from .known import HIDDEN, Known
from .marks import is_wide
from .solid import HARD, Solid
from .wraps import View, Wraps

_WORD: Final = re.compile(rf"[^\s{re.escape(PADDING)}]+")
_LINE: Final = re.compile(rf"[^\n{HARD}\ud800-\udfff]+")
_ROUNDS: Final = 4


class Search:
    """The search of one text; `parts` are the parts of its solid text found so far."""

    def __init__(self, known: Known, solid: Solid, wraps: Wraps, *, learn: bool) -> None:
        self._known = known
        self._solid = solid
        self._wraps = wraps
        self._learnt: dict[str, int] | None = {} if learn else None
        self.parts: list[tuple[int, int]] = []
        self._look(solid.text)
        #: Where the headers of private keys end; what else is found may cover them.
        self._begun = sorted(
            {
                view.parts(*found.span())[-1][1]
                for view in (*self._views, *self._bare)
                for found in BEGIN.finditer(view.text)
            }
        )

    def _look(self, text: str) -> None:
        self._plain = View(text, [0], [0])
        self._undone = self._wraps.undone(text, self._solid.place)
        self._views = [self._plain, self._undone] if self._undone else [self._plain]
        self._bare = [bare for view in self._views if (bare := view.bare())]

    def _take(self, view: View, start: int, end: int, *, learn: bool = True) -> None:
        parts = [self._with_marks(*part) for part in view.parts(start, end)]
        self.parts += parts
        if learn and self._learnt is not None:
            at = (self._undone or self._plain).place(parts[0][0])
            self._known.note(view.text[start:end], at, self._learnt)

    def _with_marks(self, start: int, end: int) -> tuple[int, int]:
        """The part with what stands upon its last character."""
        text = self._plain.text
        while self._bare and end < len(text) and not is_wide(text[end]):
            end += 1
        return start, end

    def word(self) -> None:
        """Take the first word."""
        if word := _WORD.match(self._solid.text):
            self.parts.append(word.span())

    def blocks(self, block: Block | None) -> Block | None:
        """Take the private keys; the first may have begun before. Returns how the text ends."""
        view = self._bare[0] if self._bare else self._plain
        found, block, end = follow(view.text, 0, block)
        for begun in self._begun:
            start = view.place(begun - 1) + 1
            if start >= end:  # else it was followed already
                more, block, end = begin(view.text, start)
                found += more
        before = len(self.parts)
        for part in found:
            self._take(view, *part)
        self._look(_masked(self._plain.text, self.parts[before:]))
        return block

    def by_caller(self, find: Callable[[str], Iterable[str]]) -> None:
        """Take what the caller's function returns of each line."""
        for view in self._views:
            for line in _LINE.finditer(view.text):
                for part in {*find(line[0])}:
                    at = line[0].find(part) if part else -1
                    while at >= 0:
                        start = line.start() + at
                        self._take(view, start, start + len(part))
                        at = line[0].find(part, at + len(part))

    def all(self, *, with_learnt: bool = True) -> None:
        """Take what has the form of a secret, and what is known: given, or learnt as well."""
        learnt = self._learnt if with_learnt else None
        for _ in range(_ROUNDS):
            before = len(self.parts)
            for view in (*self._views, *self._bare):
                for kind in hinted(view.text):
                    for start, end in _matches(kind, view):
                        self._take(view, start, end, learn=kind.learn)
                for start, end in self._known.find_whole(view.text):
                    self._take(view, start, end, learn=False)
            for joined in (self._undone or self._plain, *self._bare[-1:]):
                for start, end in self._known.find(joined.text, learnt):
                    self._take(joined, start, end, learn=False)
            if len(self.parts) == before:
                break
            self._look(_masked(self._plain.text, self.parts[before:]))

    def learn(self) -> None:
        """Let what was found be known from now on."""
        if self._learnt:
            self._known.learn(self._learnt)


def _masked(text: str, parts: Iterable[tuple[int, int]]) -> str:
    chars = list(text)
    for start, end in parts:
        chars[start:end] = HIDDEN * (end - start)
    return "".join(chars)


def _matches(kind: Kind, view: View) -> Iterator[tuple[int, int]]:
    for found in kind.matches(view.text):
        if kind.accepts and not kind.accepts(found):
            continue
        start, end = found.span(found.lastindex or 0)
        if kind.length and end - start > kind.length:
            # A whole one that ended its row is not wrapped: the next row is something else.
            end = min(end, view.wrap_after(start + kind.length))
        yield start, end
