"""Private keys: blocks of many rows, followed word by word.

Rule: after the header, what is base 64 and at least 24 long is hidden, whatever stands before it on
its row: a number, a sign of a diff, a name of a file, a quote. So is a shorter first word of a row,
as long as no row was without. `-----`, a jump of the cursor and two rows without any end the block.
So a block may be cut anywhere between its words, and prose that only names a header loses one word.
"""

import re
from enum import Enum, auto
from typing import Final, NamedTuple

from .kinds import PAD, PADDING
from .solid import HARD

_BETWEEN: Final = rf"(?:(?:{PAD}|\n){{1,999}}|%20|\+)"
BEGIN: Final = re.compile(
    rf"-----?[ ]?BEGIN(?:{_BETWEEN}[A-Z0-9]{{1,9}}){{0,3}}?{_BETWEEN}PRIVATE{_BETWEEN}KEY"
    rf"(?:{_BETWEEN}BLOCK)?[ ]?-----?"
    r"|Private-Lines:[ ][0-9]{1,3}(?![0-9])"
)
_END: Final = re.compile(r"----|Private-MAC:")
_GAP: Final = re.compile(rf"(?:{PAD}|\n)*")
_WORD: Final = re.compile(rf"[^\s{re.escape(PADDING)}]+")
#: New lines as JSON, URLs and `cat -v` write them.
_NEW_LINE: Final = r"(?:\\+[rn]|%0[AaDd]|\^M?)"
_NEW_LINES: Final = re.compile(rf"{_NEW_LINE}*")
#: As JSON and URLs write it, too. What is hidden already may be a name before its "=".
_BASE64: Final = r"(?:[A-Za-z0-9+/%\\\u2588]|(?<!\u2588)=)"
_RUN: Final = re.compile(rf"{_BASE64}+")
_LONG: Final = re.compile(rf"{_BASE64}{{24,}}")
_SHORT: Final = re.compile(
    rf"(?:\S*[^A-Za-z0-9+/=%\\\u2588])?({_BASE64}+?)(?:{_NEW_LINE}|[\"'`,;+)])*"
)
#: What stands before a row, or between its parts, and is none of it.
_GUTTER: Final = re.compile(r"[0-9]{1,6}[:.)]?|[-+>#*/;:%\"'`,\\]{1,3}")
#: RFC 1421 and OpenPGP allow headers inside a block.
_INNER_HEADER: Final = re.compile(r"(?:Proc-Type|DEK-Info|Version|Comment|Hash):")
_FARTHEST: Final = 80  #: characters before what is hidden, on its row
_MISSES: Final = 2


class Row(Enum):
    """What of a row of a block has come."""

    NEW = auto()  #: nothing but a gutter
    SHORT = auto()  #: one word that may be the last of a key
    TAKEN = auto()  #: a part of a key, or a header inside the block
    OTHER = auto()  #: something else


class Block(NamedTuple):
    """How a text ends that ends within a block."""

    row: Row = Row.NEW
    misses: int = 0  #: rows, one after the other, that held nothing of a key
    skipped: int = 0  #: characters of the row since its beginning or the last that were hidden

    def end_row(self) -> "Block | None":
        """What it is in the next row."""
        if self.row is Row.OTHER:
            return Block(misses=self.misses + 1) if self.misses + 1 < _MISSES else None
        return Block(misses=self.misses if self.row is Row.NEW else 0)


class Followed(NamedTuple):
    """The parts of a text that belong to a block, how the text ends, and where the block does."""

    parts: list[tuple[int, int]]
    block: Block | None
    end: int


def begin(text: str, at: int) -> Followed:
    """Follow the block whose header ends at a place."""
    word = _WORD.match(text, at)
    if not word:
        return follow(text, at, Block(Row.SHORT))
    lines = _NEW_LINES.match(text, at)
    assert lines  # it matches the empty text too
    run = _RUN.match(text, lines.end())
    if run:
        rest = follow(text, run.end(), Block(Row.TAKEN))
        return rest._replace(parts=[run.span(), *rest.parts])
    return follow(text, lines.end(), Block(Row.SHORT if lines[0] else Row.OTHER))


def follow(text: str, at: int, block: Block | None) -> Followed:
    """Follow a block from a place on."""
    found: list[tuple[int, int]] = []
    while block:
        gap = _GAP.match(text, at)
        assert gap  # it matches the empty text too
        at = gap.end()
        for _ in range(min(gap[0].count("\n"), 2)):
            block = block and block.end_row()
        if at == len(text) or not block:
            break
        word = _WORD.match(text, at)
        if not word or text[at] == HARD:
            block = None
            break
        end = _END.search(text, at, word.end())
        parts, block = _look(text, at, end.start() if end else word.end(), block)
        found += parts
        at = end.start() if end else word.end()
        if end:
            block = None
    return Followed(found, block, at)


def _look(text: str, start: int, end: int, block: Block) -> tuple[list[tuple[int, int]], Block]:
    """The parts of a word that belong to a block, and how the text ends after it."""
    found = []
    at, skipped = start, block.skipped
    for run in _LONG.finditer(text, start, end):
        if skipped + run.start() - at > _FARTHEST:
            break
        found.append(run.span())
        at, skipped = run.end(), 0
    skipped += end - at
    if found:
        return found, Block(Row.TAKEN, 0, skipped)
    block = block._replace(skipped=skipped)
    if block.row is Row.TAKEN or _GUTTER.fullmatch(text, start, end):
        return [], block
    if block.row is Row.NEW and _INNER_HEADER.match(text, start, end):
        return [], block._replace(row=Row.TAKEN)
    if block.row is Row.NEW and not block.misses and (short := _SHORT.fullmatch(text, start, end)):
        return [short.span(1)], Block(Row.SHORT)
    return [], block._replace(row=Row.OTHER)
