"""The style of a cell, and how SGR changes it.

Rule: a Pen never changes. What a pen becomes after some SGR parameters is remembered, so a program
that paints in a few styles walks a small graph instead of having its colours parsed.
"""

from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import chain
from typing import Any, Final, NamedTuple

from pyte import graphics

from .params import Param, Params

#: Steps from pen to pen that are remembered; then the graph is forgotten. A program can name
#: 2**24 colours, and none of them may cost memory for ever.
MAX_EDGES: Final = 8192


class Pen(NamedTuple):
    """How a cell is drawn; colours are pyte's names or six hexadecimal digits."""

    fg: str = "default"
    bg: str = "default"
    bold: bool = False
    dim: bool = False
    italics: bool = False
    underscore: bool = False
    strikethrough: bool = False
    reverse: bool = False
    blink: bool = False
    hidden: bool = False

    def after(self, params: Params) -> "Pen":
        """The pen that SGR `params` make of this one."""
        return _GRAPH.edges.get((self, params)) or _GRAPH.connect(self, params)

    @property
    def eraser(self) -> "Pen":
        """The pen of cells that are erased with this one: only the background stays."""
        return DEFAULT if self.bg == "default" else _eraser(self.bg)

    @property
    def flags(self) -> tuple[bool, ...]:
        """All but the colours, in the order of the fields."""
        return self[2:]


class _Graph:
    """The steps that were taken from pen to pen; equal pens are one object."""

    def __init__(self) -> None:
        #: How often all was forgotten. Within one era, equal pens are the same.
        self.era = -1
        self.edges: dict[tuple[Pen, Params], Pen] = {}
        self._forget()

    def connect(self, pen: Pen, params: Params) -> Pen:
        if len(self.edges) >= MAX_EDGES:
            self._forget()
        changed = pen._replace(**_changes(params))
        self.edges[pen, params] = changed = self._pens.setdefault(changed, changed)
        return changed

    def _forget(self) -> None:
        self.edges.clear()
        self._pens = {DEFAULT: DEFAULT}
        self.era += 1


def walk(steps: Iterable[Params]) -> tuple[Pen, ...]:
    """The plain pen and what it becomes step by step; equal pens are one object."""
    era = _GRAPH.era
    pen = DEFAULT
    pens = [pen]
    for params in steps:
        pen = pen.after(params)
        pens.append(pen)
    if _GRAPH.era != era:
        seen: dict[Pen, Pen] = {DEFAULT: DEFAULT}
        pens = [seen.setdefault(pen, pen) for pen in pens]
    return tuple(pens)


def _changes(params: Params) -> dict[str, Any]:
    """The attributes that SGR `params` set, the last word on each winning."""
    match params:
        case (38 | 48 as ground, 2, int(red), int(green), int(blue)) if max(red, green, blue) < 256:
            # What the CLI writes most, and in a new colour for every turn of its spinner.
            return {_COLOUR_KEYS[ground]: f"{red:02x}{green:02x}{blue:02x}"}
    changes: dict[str, Any] = {}
    rest = iter(params or (0,))
    for param in rest:
        code, group = (param[0], param[1:]) if isinstance(param, tuple) else (param, None)
        if code in _COLOUR_KEYS:
            colour = _colour(group, rest)
            if colour is not None and _COLOUR_KEYS[code]:
                changes[_COLOUR_KEYS[code]] = colour
        elif code == 4 and group is not None:
            changes["underscore"] = group != (0,)
        elif group is None:
            changes.update(_SIMPLE.get(code, {}))
    return changes


def _colour(group: tuple[int, ...] | None, rest: Iterator[Param]) -> str | None:
    """A colour after 38 or 48, in colon notation (`group`) or as the parameters that follow."""
    if group is None:
        kind = next(rest, None)
        count = {5: 1, 2: 3}.get(kind, 0) if isinstance(kind, int) else 0
        values = [value for _, value in zip(range(count), rest, strict=False)]
    else:
        kind, values = (group[0] if group else None), list(group[1:])
        if kind == 2 and len(values) > 3:
            values = values[1:4]  # 38:2:<colour space>:r:g:b; the space says nothing to us
    match kind, values:
        case 5, [int(index)] if index < 256:
            return graphics.FG_BG_256[index]
        case 2, [int(red), int(green), int(blue)] if max(red, green, blue) < 256:
            return f"{red:02x}{green:02x}{blue:02x}"
    return None


def _simple() -> dict[int, dict[str, Any]]:
    """What each parameter that stands alone sets: pyte's tables, and what they lack."""
    table: dict[int, dict[str, Any]] = {
        code: {name[1:]: name[0] == "+"} for code, name in graphics.TEXT.items()
    }
    for code, name in chain(graphics.FG_ANSI.items(), graphics.FG_AIXTERM.items()):
        table[code] = {"fg": name}
        table[code + 10] = {"bg": name}  # pyte's own table of bright backgrounds has a misprint
    table[0] = {name: getattr(DEFAULT, name) for name in Pen._fields}
    table[2] = {"dim": True}
    table[6] = {"blink": True}
    table[8] = {"hidden": True}
    table[21] = {"underscore": True}  # ECMA-48: doubly underlined
    table[22] = {"bold": False, "dim": False}
    table[28] = {"hidden": False}
    return table


@lru_cache(maxsize=256)
def _eraser(bg: str) -> Pen:
    return Pen(bg=bg)


DEFAULT: Final = Pen()
#: 58 is the colour of the underline: read, so that its numbers are not taken for other codes.
_COLOUR_KEYS: Final = {38: "fg", 48: "bg", 58: ""}
_SIMPLE: Final = _simple()
_GRAPH: Final = _Graph()
