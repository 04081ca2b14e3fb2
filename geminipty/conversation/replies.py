"""The reply of a turn while it grows: its text so far, at the cost of the rows that changed.

Rule: a line is told when the next one has begun, because until then the CLI may still draw it
otherwise.
"""

from collections.abc import Sequence
from typing import Final

from geminipty.reading import (
    Block,
    Layout,
    Paragraph,
    is_table_top,
    paragraphs,
    separator,
    text_of,
)
from geminipty.terminal import Row

#: Between the blocks of one turn.
BETWEEN: Final = "\n\n"
#: Rows of a table that are drawn before its bottom edge.
_TABLE_ROWS: Final = 64
#: Two blocks that begin alike for so many characters are one answer, drawn twice.
_LONG: Final = 500


class ReplyBlock:
    """The text of one reply block."""

    def __init__(self, start: int, layout: Layout) -> None:
        self.start = start
        self.layout = layout
        self.parts: list[Paragraph] = []

    def update(self, rows: Sequence[Row], end: int, changed: int) -> int:
        """Take over the rows; those before `changed` are as they were. How many parts stayed."""
        parts = self.parts
        while parts and parts[-1].end >= changed:
            parts.pop()
        for at in range(len(parts) - 1, max(len(parts) - _TABLE_ROWS, 0) - 1, -1):
            if is_table_top(rows[parts[at].start]) and not parts[at].apart:
                del parts[at:]  # its bottom edge may be there now
                break
            if parts[at].gap:
                break
        kept = len(parts)
        parts += paragraphs(rows, parts[-1].end if parts else self.start, end, self.layout)
        return kept

    def piece(self, index: int) -> str:
        """A part with what separates it from the one before."""
        above = self.parts[index - 1] if index else None
        return separator(above, self.parts[index], self.layout) + self.parts[index].text

    @property
    def text(self) -> str:
        """All of it."""
        return text_of(self.parts, self.layout)


class GrowingReply:
    """All reply blocks of a turn, and how much of them was told."""

    def __init__(self) -> None:
        self.blocks: list[ReplyBlock] = []
        #: The pieces told, per block.
        self._told: list[list[str]] = []
        #: What was told is no longer on the screen as it was told.
        self.revised = False

    @property
    def texts(self) -> list[str]:
        """The text of each block so far."""
        return [text for block in self.blocks if (text := block.text)]

    @property
    def told(self) -> str:
        """What was told so far."""
        return BETWEEN.join(text for pieces in self._told if (text := "".join(pieces)))

    @property
    def is_torn(self) -> bool:
        """Whether words that were told are gone from the screen."""
        words = _words("".join(self.texts))
        pieces = (piece for told in self._told for piece in told)
        return self.revised and any(_words(piece) not in words for piece in pieces)

    def update(
        self, rows: Sequence[Row], blocks: Sequence[Block], changed: int, layout: Layout
    ) -> None:
        """Take over the turn's reply blocks; rows before `changed` are as they were."""
        same = True
        for index, block in enumerate(blocks):
            if index == len(self.blocks):
                self.blocks.append(ReplyBlock(block.start, layout))
            known = self.blocks[index]
            if known.start != block.start or known.layout != layout:
                known = self.blocks[index] = ReplyBlock(block.start, layout)
                changed = 0
            kept = known.update(rows, block.end, changed)
            # While something differs, all is compared: the CLI may mend what it tore.
            same = same and self._is_told(index, 0 if self.revised else kept)
        del self.blocks[len(blocks) :]
        self.revised = not same or any(self._told[len(blocks) :])

    def _is_told(self, index: int, kept: int) -> bool:
        """Whether the parts of a block, from `kept` on, are those that were told."""
        told = self._told[index] if index < len(self._told) else []
        known = self.blocks[index]
        return len(told) <= len(known.parts) and all(
            known.piece(at) == told[at] for at in range(kept, len(told))
        )

    def tell(self, *, whole: bool) -> str:
        """What is new and settled; all that is new if the reply is `whole`."""
        if self.revised:
            return ""
        fresh: list[str] = []
        started = any(self._told)
        for index, block in enumerate(self.blocks):
            if index == len(self._told):
                self._told.append([])
            told = self._told[index]
            settled = len(block.parts)
            if not whole and index == len(self.blocks) - 1:
                settled -= 1
                # Below a table that grows, its next row stands as text for a while.
                while settled > 0 and block.parts[settled - 1].apart:
                    settled -= 1
            for at in range(len(told), settled):
                piece = block.piece(at)
                fresh.append(BETWEEN + piece if started and not told else piece)
                told.append(piece)
                started = True
        return "".join(fresh)


def _words(text: str) -> str:
    """The letters and digits of a text: the same however it is wrapped or marked up."""
    return "".join(filter(str.isalnum, text))


def once(texts: list[str]) -> tuple[list[str], bool]:
    """The texts without those that are the beginning of another, and whether there were any.

    0.1 leaves what it had drawn of a long answer in the scrollback and draws it again.
    """
    bare = ["".join(text.split()) for text in texts]
    kept = []
    for at, text in enumerate(texts):
        again = any(
            len(bare[at]) >= _LONG
            and other.startswith(bare[at])
            and (len(other), -i) > (len(bare[at]), -at)
            for i, other in enumerate(bare)
            if i != at
        )
        if not again:
            kept.append(text)
    return kept, len(kept) < len(texts)
