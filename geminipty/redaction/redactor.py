"""Finds all that is to be hidden in a text, and hides it.

Rule: only printable characters are replaced, each by as many `HIDDEN` as it has columns.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from pydantic import JsonValue

from geminipty.terminal import columns_of

from .blocks import Block
from .kinds import PADDING, may_hold
from .known import HIDDEN, Known
from .marks import unmarked
from .search import Search
from .solid import Solid
from .values import is_secret_name, is_trivial
from .wraps import Wraps

_Spans = list[tuple[int, int]]


@dataclass(slots=True)
class Carry:
    """What a text says about the text that follows it."""

    block: Block | None = None
    is_hidden: bool = False  #: a word was cut in the middle, and what came of it was hidden


class Redactor:
    """Hides secrets: the `values` given, what `find` returns of a text, and what has their form.

    What it found by its form is known from then on, so it hides later parts of it as well.
    """

    def __init__(
        self,
        values: Iterable[str] = (),
        *,
        find: Callable[[str], Iterable[str]] | None = None,
    ) -> None:
        self._known = Known(values)
        self._find = find

    def text(self, text: str) -> str:
        """The text with every secret hidden, and all else as it was."""
        solid = Solid(text)
        solid.close()
        return hide(text, self.spans(solid, self.wraps(None), Carry()), 0, len(text))

    def data(self, value: JsonValue) -> JsonValue:
        """The value with every secret hidden in all of its strings, its keys too."""
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, list):
            return [self.data(inner) for inner in value]
        if not isinstance(value, dict):
            return value
        hidden: dict[str, JsonValue] = {}
        for key, inner in value.items():
            name = self.text(key)
            while name in hidden:
                name += HIDDEN  # two keys may become the same
            hidden[name] = self.named(key, inner)
        return hidden

    def named(self, name: str, value: JsonValue) -> JsonValue:
        """The value of a variable or key; if its name says that it is secret, all texts in it."""
        if not is_secret_name(name):
            return self.data(value)
        if not isinstance(value, str):
            return self._covered(value)
        return self.text(value) if is_trivial(value) else _cover(value)

    def _covered(self, value: JsonValue) -> JsonValue:
        """The value with all its texts hidden; numbers and the like tell nothing by themselves."""
        if isinstance(value, str):
            return _cover(value)
        if isinstance(value, list):
            return [self._covered(inner) for inner in value]
        if isinstance(value, dict):
            return {self.text(key): self._covered(inner) for key, inner in value.items()}
        return value

    def wraps(self, columns: int | None) -> Wraps:
        """How text of this redactor's secrets may be cut and wrapped."""
        rows_only = self._find is not None or self._known.has_blanks
        return Wraps(columns, self._known.ends_known, rows_only=rows_only)

    def spans(self, solid: Solid, wraps: Wraps, carry: Carry, *, learn: bool = True) -> _Spans:
        """Where in the raw text something is to be hidden, in order; `carry` is brought forward."""
        parts: _Spans = []
        looked_for = carry.is_hidden or carry.block is not None
        if looked_for or self.may_hold(solid.text):
            search = Search(self._known, solid, wraps, learn=learn)
            if carry.is_hidden:
                search.word()
            if self._find:
                search.by_caller(self._find)
            # How far a block goes must not depend on what stood before it.
            search.all(with_learnt=False)
            carry.block = search.blocks(carry.block)
            search.all()
            search.learn()
            parts = search.parts
            if solid.text:
                carry.is_hidden = any(end == len(solid.text) for _, end in parts)
        spans = [span for part in parts for span in solid.spans(*part)]
        for start, end in solid.bodies:
            body = Solid(solid.raw[start:end])
            body.close()
            # What else is known by now depends on where the text around it was cut.
            inner = self.spans(body, self.wraps(None), Carry(), learn=False)
            spans += [(start + a, start + b) for a, b in inner]
        return merged(spans)

    def may_hold(self, text: str) -> bool:
        """Whether anything can be found in a solid text; nearly all text ends here."""
        if self._find:
            return True
        # Whatever may be wrapped is; more than that costs only time.
        flat = "".join([row.strip(PADDING) for row in text.split("\n")])
        if may_hold(flat) or self._known.may_hold(flat, text):
            return True
        bare = unmarked(flat)
        return bare != flat and (may_hold(bare) or self._known.may_hold(bare, unmarked(text)))


def _cover(value: str) -> str:
    return HIDDEN * columns_of(value.replace("\n", ""))


def hide(raw: str, spans: Sequence[tuple[int, int]], start: int, end: int) -> str:
    """A part of the raw text, with what the spans cover hidden."""
    pieces = []
    at = start
    for a, b in spans:
        a, b = max(a, start), min(b, end)
        if a < b:
            pieces += [raw[at:a], HIDDEN * columns_of(raw[a:b])]
            at = b
    pieces.append(raw[at:end])
    return "".join(pieces)


def merged(spans: Iterable[tuple[int, int]]) -> _Spans:
    """The spans in order, those that touch as one."""
    found: _Spans = []
    for start, end in sorted(spans):
        if found and start <= found[-1][1]:
            found[-1] = found[-1][0], max(end, found[-1][1])
        else:
            found.append((start, end))
    return found
