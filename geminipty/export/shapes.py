"""Lines and blocks as shapes, because a font's glyphs leave gaps between rows and columns.

Rule: a shape fills its cell to the edges, so that neighbours touch; a character that is not known
here is None, and the font draws it.
"""

import unicodedata
from functools import lru_cache
from typing import Final, NamedTuple

#: The size of a cell in units of a picture. Whole numbers, so that edges are sharp.
WIDTH: Final = 9
HEIGHT: Final = 20

#: The middle, where a line of an odd width has sharp edges too.
_X: Final = 4.5
_Y: Final = 10.5
_LIGHT: Final = 1
_HEAVY: Final = 3
_WEIGHTS: Final = {"LIGHT": _LIGHT, "HEAVY": _HEAVY}
#: Rectangles in eighths of a cell: left, top, right, bottom.
_UPPER_LEFT: Final = (0, 0, 4, 4)
_UPPER_RIGHT: Final = (4, 0, 8, 4)
_LOWER_LEFT: Final = (0, 4, 4, 8)
_LOWER_RIGHT: Final = (4, 4, 8, 8)
_WHOLE: Final = (0, 0, 8, 8)
_Rectangle = tuple[int, int, int, int]
#: By code point, U+2580 to U+259F: here they are shapes, whatever a program means by them.
_BLOCKS: Final[dict[str, tuple[_Rectangle, ...]]] = {
    "\u2580": ((0, 0, 8, 4),),
    "\u2588": (_WHOLE,),
    "\u2590": ((4, 0, 8, 8),),
    "\u2594": ((0, 0, 8, 1),),
    "\u2595": ((7, 0, 8, 8),),
    "\u2596": (_LOWER_LEFT,),
    "\u2597": (_LOWER_RIGHT,),
    "\u2598": (_UPPER_LEFT,),
    "\u2599": (_UPPER_LEFT, _LOWER_LEFT, _LOWER_RIGHT),
    "\u259a": (_UPPER_LEFT, _LOWER_RIGHT),
    "\u259b": (_UPPER_LEFT, _UPPER_RIGHT, _LOWER_LEFT),
    "\u259c": (_UPPER_LEFT, _UPPER_RIGHT, _LOWER_RIGHT),
    "\u259d": (_UPPER_RIGHT,),
    "\u259e": (_UPPER_RIGHT, _LOWER_LEFT),
    "\u259f": (_UPPER_RIGHT, _LOWER_LEFT, _LOWER_RIGHT),
    "\u2591": (_WHOLE,),
    "\u2592": (_WHOLE,),
    "\u2593": (_WHOLE,),
    **{chr(0x2580 + part): ((0, 8 - part, 8, 8),) for part in range(1, 8)},
    **{chr(0x2590 - part): ((0, 0, part, 8),) for part in range(1, 8)},
}
_SHADES: Final = {"\u2591": 0.25, "\u2592": 0.5, "\u2593": 0.75}
_WHOLES: Final = {"HORIZONTAL": ("LEFT", "RIGHT"), "VERTICAL": ("UP", "DOWN")}
_ARMS: Final[dict[str, tuple[str, ...]]] = {
    "LEFT": ("LEFT",),
    "RIGHT": ("RIGHT",),
    "UP": ("UP",),
    "DOWN": ("DOWN",),
    **_WHOLES,
}
#: Each goes a little over the middle, so that corners are closed.
_LINES: Final = {
    "HORIZONTAL": f"m0 {_Y}h{WIDTH}",
    "VERTICAL": f"m{_X} 0v{HEIGHT}",
    "LEFT": f"m0 {_Y}h{_X + 0.5}",
    "RIGHT": f"m{WIDTH} {_Y}h{-_X - 0.5}",
    "UP": f"m{_X} 0v{_Y + 0.5}",
    "DOWN": f"m{_X} {HEIGHT}v{_Y - 0.5 - HEIGHT}",
}


class Shape(NamedTuple):
    """What is drawn in a cell: rectangles, or lines with their widths."""

    blocks: tuple[_Rectangle, ...] = ()
    opacity: float = 1.0
    #: Width, and a path from the cell's upper left corner on.
    lines: tuple[tuple[int, str], ...] = ()

    def filled(self, count: int, left: int, top: int) -> str:
        """The path of `count` such cells in a row, to be filled; empty if there is none."""
        parts = []
        for block in self.blocks:
            x, y, right, bottom = (
                eighths * size / 8 for eighths, size in zip(block, (WIDTH, HEIGHT) * 2, strict=True)
            )
            whole = block[0] == 0 and block[2] == 8  # drawn as one: no seam can show
            wide = count * WIDTH if whole else right - x
            parts += [
                f"M{left + n * WIDTH + x:g} {top + y:g}h{wide:g}v{bottom - y:g}h{-wide:g}z"
                for n in range(1 if whole else count)
            ]
        return "".join(parts)

    def stroked(self, count: int, left: int, top: int) -> dict[int, str]:
        """The paths of `count` such cells in a row, by the width of the line."""
        paths: dict[int, str] = {}
        for width, path in self.lines:
            starts = (f"M{left + n * WIDTH} {top}{path}" for n in range(count))
            paths[width] = paths.get(width, "") + "".join(starts)
        return paths


@lru_cache(maxsize=1024)
def shape(char: str) -> Shape | None:
    """How a character is drawn, or None if it is the font's."""
    if (blocks := _BLOCKS.get(char)) is not None:
        return Shape(blocks, _SHADES.get(char, 1.0))
    name = unicodedata.name(char, "") if len(char) == 1 else ""
    _, found, rest = name.partition("BOX DRAWINGS ")
    if not found or any(word in rest for word in ("DOUBLE", "DASH", "DIAGONAL")):
        return None
    arms = _arms(rest.split())
    if "ARC" in rest:
        return Shape(lines=((_LIGHT, _arc(arms)),))
    for whole, (one, other) in _WHOLES.items():
        if arms.get(one) == arms.get(other) is not None:  # as one, or an overlap would show
            arms[whole] = arms.pop(one)
            del arms[other]
    return Shape(lines=tuple((width, _LINES[arm]) for arm, width in arms.items()))


def _arms(words: list[str]) -> dict[str, int]:
    """Which lines leave the middle, and how thick: read off the character's own name.

    A weight stands before all arms ("LIGHT DOWN AND RIGHT") or after each ("DOWN HEAVY AND …").
    """
    weight = _WEIGHTS.get(words[0], _LIGHT)
    arms: dict[str, int] = {}
    begun: list[str] = []
    for word in words:
        begun += _ARMS.get(word, ())
        if word in _WEIGHTS and begun:
            arms |= dict.fromkeys(begun, _WEIGHTS[word])
            begun = []
    return arms | dict.fromkeys(begun, weight)


def _arc(arms: dict[str, int]) -> str:
    up, right = "UP" in arms, "RIGHT" in arms
    down, turn = (_Y - _X, _X) if up else (HEIGHT - _Y - _X, -_X)
    start = f"m{_X} {0 if up else HEIGHT}v{down if up else -down:g}"
    return f"{start}q0 {turn} {_X if right else -_X} {turn}"
