"""Finds all that is to be hidden in a text, and hides it.

Rule: only printable characters are replaced, each by as many `HIDDEN` as it has columns.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from pydantic import JsonValue

from geminipty.terminal import columns_of

from .blocks import HEADER, Block, follow
from .kinds import KINDS, PADDING, Kind, may_hold
from .known import HIDDEN, Known
from .solid import HARD, Solid
from .values import is_secret_name, is_trivial
from .wraps import View, Wraps

_Spans = list[tuple[int, int]]
_WORD: Final = re.compile(rf"[^\s{re.escape(PADDING)}]+")
_LINE: Final = re.compile(rf"[^\n{HARD}\ud800-\udfff]+")


@dataclass(slots=True)
class Carry:
    """What a text says about the text that follows it."""

    block: Block = Block.OUTSIDE
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
            hidden[name] = self.named(key, inner) if isinstance(inner, str) else self.data(inner)
        return hidden

    def named(self, name: str, value: str) -> str:
        """The value of a variable or key, hidden as a whole if its name says that it is secret."""
        if is_secret_name(name) and not is_trivial(value):
            return HIDDEN * columns_of(value.replace("\n", ""))
        return self.text(value)

    def wraps(self, columns: int | None) -> Wraps:
        """How text of this redactor's secrets may be cut and wrapped."""
        rows_only = self._find is not None or self._known.has_blanks
        return Wraps(columns, self._known.ends_known, rows_only=rows_only)

    def spans(self, solid: Solid, wraps: Wraps, carry: Carry) -> _Spans:
        """Where in the raw text something is to be hidden, in order; `carry` is brought forward."""
        parts = self._parts(solid, wraps, carry) if self._may_hold(solid, carry) else []
        spans = [span for part in parts for span in solid.spans(*part)]
        for start, end in solid.bodies:
            body = Solid(solid.raw[start:end])
            body.close()
            inner = self.spans(body, self.wraps(None), Carry())
            spans += [(start + a, start + b) for a, b in inner]
        return _merged(spans)

    def _may_hold(self, solid: Solid, carry: Carry) -> bool:
        """Whether anything can be found; nearly all text ends here."""
        if carry.is_hidden or carry.block is not Block.OUTSIDE or self._find:
            return True
        # Whatever may be wrapped is; more than that costs only time.
        flat = "".join([row.strip(PADDING) for row in solid.text.split("\n")])
        return may_hold(flat) or self._known.may_hold(flat, solid.text)

    def _parts(self, solid: Solid, wraps: Wraps, carry: Carry) -> _Spans:
        text = solid.text
        plain = View(text, [0], [0])
        undone = wraps.undone(solid)
        views = [plain, undone] if undone else [plain]
        joined = undone or plain
        learnt: dict[str, int] = {}
        parts: _Spans = []

        def take(view: View, start: int, end: int, *, learn: bool) -> None:
            parts.extend(view.parts(start, end))
            if learn:
                at = joined.place(view.parts(start, end)[0][0])
                self._known.note(view.text[start:end], at, learnt)

        if carry.is_hidden and (word := _WORD.match(text)):
            parts.append(word.span())
        for kind in KINDS:
            for view in views:
                for start, end in _matches(kind, view):
                    take(view, start, end, learn=kind.learn)
        for start, end in self._blocks(views, carry):
            take(plain, start, end, learn=True)
        for view in views:
            parts += [
                part for span in self._known.find_whole(view.text) for part in view.parts(*span)
            ]
            for start, end in self._by_caller(view.text):
                take(view, start, end, learn=True)
        for start, end in self._known.find(joined.text, learnt):
            parts.extend(joined.parts(start, end))
        self._known.learn(learnt)
        if text:
            carry.is_hidden = any(end == len(text) for _, end in parts)
        return parts

    @staticmethod
    def _blocks(views: list[View], carry: Carry) -> Iterator[tuple[int, int]]:
        text = views[0].text
        starts = {
            view.parts(found.start(), found.end())[-1][1]
            for view in views
            for found in HEADER.finditer(view.text)
        }
        if carry.block is not Block.OUTSIDE:
            found, carry.block = follow(text, 0, carry.block)
            yield from found
        for start in sorted(starts):
            is_glued = _WORD.match(text, start) is not None
            found, carry.block = follow(text, start, Block.NEW_ROW if is_glued else Block.ROW)
            yield from found

    def _by_caller(self, text: str) -> Iterator[tuple[int, int]]:
        if not self._find:
            return
        for line in _LINE.finditer(text):
            for part in set(self._find(line[0])):
                at = line[0].find(part) if part else -1
                while at >= 0:
                    yield line.start() + at, line.start() + at + len(part)
                    at = line[0].find(part, at + len(part))


def hide(raw: str, spans: _Spans, start: int, end: int) -> str:
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


def _matches(kind: Kind, view: View) -> Iterator[tuple[int, int]]:
    for found in kind.pattern.finditer(view.text):
        start, end = found.span(found.lastindex or 0)
        if kind.length and end - start > kind.length:
            # A whole one that ended its row is not wrapped: the next row is something else.
            end = min(end, view.wrap_after(start + kind.length))
        yield start, end


def _merged(spans: _Spans) -> _Spans:
    merged: _Spans = []
    for start, end in sorted(spans):
        if merged and start <= merged[-1][1]:
            merged[-1] = merged[-1][0], max(end, merged[-1][1])
        else:
            merged.append((start, end))
    return merged
