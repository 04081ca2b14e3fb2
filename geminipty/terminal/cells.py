"""How characters share the cells of a row: widths, and what joins the character before it.

Rule: no character is dropped but the marks above the cap. Columns are counted as the CLI counts
them (by what a reader sees: an emoji made of five characters takes two columns), because a row
that comes out wider here than the CLI thinks would wrap and tear its picture.
"""

import re
from functools import lru_cache
from typing import Final

from wcwidth import wcswidth, wcwidth

#: Marks that one cell keeps beside its character. The longest emoji in use (two people, kiss,
#: skin tones) has nine; an unlimited cell would let 20,000 marks cost quadratic time.
MAX_MARKS: Final = 15

_ZWJ: Final = "\u200d"
_VS16: Final = "\ufe0f"
_MODIFIERS: Final = ("\U0001f3fb", "\U0001f3ff")
_FLAG_LETTERS: Final = ("\U0001f1e6", "\U0001f1ff")

#: Text in which every character takes one cell and joins nothing: what nearly all output is made
#: of. A test compares each of these with the width table.
SIMPLE: Final = re.compile(
    "["
    " -~"  # ASCII
    "\u00a1-\u00a8\u00aa-\u00ac\u00af-\u02ff"  # Latin, but soft hyphen and the emoji (c) and (r)
    "\u0391-\u03a1\u03a3-\u0482\u048a-\u052f"  # Greek, Cyrillic
    "\u2010-\u2027\u2030-\u203b\u203d-\u2048\u204a-\u205e"  # punctuation
    "\u20a0-\u20bf\u2190-\u2193\u21d0-\u21ff\u2200-\u22ff"  # currencies, arrows, mathematics
    "\u2500-\u25a9\u25ac-\u25b5\u25b7-\u25bf\u25c1-\u25fa"  # boxes, blocks, shapes
    "\u2713\u2715\u2717\u2726\u2800-\u28ff"  # ticks and crosses, braille
    "]*"
)


@lru_cache(maxsize=4096)
def width(char: str) -> int:
    """The columns of one printable character: 0, 1 or 2."""
    if char < "\u0300" or _FLAG_LETTERS[0] <= char <= _FLAG_LETTERS[1]:
        return 1  # also the soft hyphen; a pair of flag letters is one flag of two columns
    return max(wcwidth(char), 0)


def joins(cell: str, char: str) -> bool:
    """Whether `char` becomes part of the `cell` on its left instead of taking a column."""
    if width(char) == 0:
        return True
    if _MODIFIERS[0] <= char <= _MODIFIERS[1]:
        return _is_emoji(cell[:1])
    return cell[-1:] == _ZWJ and _is_emoji(cell[:1]) and _is_emoji(char)


def widens(cell: str, char: str) -> bool:
    """Whether `char`, joining `cell`, makes an emoji of two columns out of one of one."""
    return char == _VS16 and len(cell) == 1 and width(cell) == 1 and _may_be_emoji(cell)


def _is_emoji(char: str) -> bool:
    """Wide, or a symbol with an emoji form; digits and CJK text do not follow a joiner."""
    return char > "\u00a8" and (width(char) == 2 or _may_be_emoji(char))


@lru_cache(maxsize=4096)
def _may_be_emoji(char: str) -> bool:
    """Whether the selector of the emoji form changes it: a table of wcwidth's knows."""
    return width(char) == 1 and wcswidth(char + _VS16) == 2


def columns_of(text: str) -> int:
    """The columns that printable text takes when it stands alone."""
    if SIMPLE.fullmatch(text):
        return len(text)
    total, cell = 0, ""
    for char in text:
        if cell and joins(cell, char):
            total += widens(cell, char)
            cell = cell[0] + char
        else:
            total += width(char)
            cell = char
    return total
