"""Private keys: blocks of many rows, followed row by row.

Rule: after the header, the first word of each row is hidden while it is base 64, and so are long
words after it; anything else and a jump of the cursor end the block. So a block may be cut anywhere
between its words, and prose that only names a header loses one word.
"""

import re
from enum import Enum
from typing import Final

from .kinds import PAD

_BETWEEN: Final = rf"(?:{PAD}|\n)"
HEADER: Final = re.compile(
    rf"-----BEGIN(?:{_BETWEEN}{{1,999}}[A-Z0-9]{{1,9}}){{0,3}}?{_BETWEEN}{{1,999}}"
    rf"PRIVATE{_BETWEEN}{{1,999}}KEY(?:{_BETWEEN}{{1,999}}BLOCK)?-----"
)
_GAP: Final = re.compile(rf"{_BETWEEN}*")
_BASE64: Final = re.compile(r"[A-Za-z0-9+/=\\\u2588]+")
# A key on one row, its new lines become blanks.
_LONG: Final = re.compile(r"[A-Za-z0-9+/=\u2588]{24}")
# RFC 1421 and OpenPGP allow headers inside a block.
_INNER_HEADER: Final = re.compile(r"(?:Proc-Type|DEK-Info|Version|Comment|Hash):[^\n\x1c]*")


class Block(Enum):
    """Where in a block a text ends."""

    OUTSIDE = 0
    ROW = 1  #: within a row: another word would end the block
    NEW_ROW = 2  #: the next word belongs to it


def follow(text: str, at: int, block: Block) -> tuple[list[tuple[int, int]], Block]:
    """The parts of the text from `at` on that belong to a block, and where the text ends."""
    found: list[tuple[int, int]] = []
    while block is not Block.OUTSIDE:
        gap = _GAP.match(text, at)
        assert gap  # it matches the empty text too
        at = gap.end()
        if "\n" in gap[0]:
            block = Block.NEW_ROW
        if at == len(text):
            return found, block
        if block is Block.ROW and not _LONG.match(text, at):
            return found, Block.OUTSIDE
        if inner := _INNER_HEADER.match(text, at):
            at, block = inner.end(), Block.ROW
        elif word := _BASE64.match(text, at):
            found.append(word.span())
            at, block = word.end(), Block.ROW
        else:
            return found, Block.OUTSIDE
    return found, block
