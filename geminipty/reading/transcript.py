"""The transcript of a session, kept up to date from picture to picture.

Rule: the same blocks as those of the last Reading alone, at the cost of the rows that changed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .blocks import Block, BlockKind, Look, cut_blocks, reply_end
from .rows import EDGES, Kind, note

if TYPE_CHECKING:
    from geminipty.terminal import Row, Scrolled

    from .reading import Reading


class Transcript:
    """Rows and blocks of all that stands above the live region."""

    def __init__(self) -> None:
        self.rows: list[Row] = []
        self.blocks: list[Block] = []
        #: The texts of the prompt blocks, in order.
        self.prompts: list[str] = []
        #: Grows with every change of these.
        self.edition = 0
        #: Where these stand among the blocks.
        self._prompts_at: list[int] = []
        #: The first row that the last update changed.
        self.changed = 0
        #: How many rows the last update read anew.
        self.reread = 0
        self._scrolled: Scrolled | None = None

    def update(self, reading: Reading, look: Look | None = None) -> bool:
        """Take over what a picture shows, and say whether that changed anything.

        `look` is what earlier pictures told about blocks.
        """
        scrolled = reading.frame.scrolled
        earlier = self._scrolled
        kept = len(earlier) if earlier is not None and scrolled.continues(earlier) else 0
        tail = [*scrolled[kept:], *reading.live.rows[: reading.end]]
        while tail and note(tail[-1]).kind is Kind.BLANK:
            tail.pop()
        old = self.rows
        at = kept
        for row in tail:
            if at >= len(old) or (old[at] is not row and old[at] != row):
                break
            at += 1
        self.changed = at
        self._scrolled = scrolled
        self.reread = kept + len(tail) - at
        if at == len(old) == kept + len(tail):
            return False
        old[at:] = tail[at - kept :]
        self._cut(at, look or reading.look, BlockKind.REPLY if reading.frame.alternate else None)
        return True

    def below_prompt(self) -> str:
        """What stands below the last prompt or command, as it is drawn."""
        start = self.blocks[self._prompts_at[-1]].end if self._prompts_at else 0
        return "\n".join(row.text.rstrip() for row in self.rows[start:]).strip("\n")

    def _cut(self, changed: int, look: Look, above: BlockKind | None) -> None:
        """Cut the blocks anew that the rows from `changed` on belong to or may prolong."""
        blocks = self.blocks
        while blocks and blocks[-1].start >= changed:
            blocks.pop()
        last = blocks.pop() if blocks else None
        while blocks and blocks[-1].end - blocks[-1].start == 1 and self._is_edge(blocks[-1]):
            last = blocks.pop()  # an edge that waited for its prompt
        before = blocks[-1].kind if blocks else above
        start = 0 if last is None else last.start
        kept = len(blocks)
        if last is not None and last.kind is BlockKind.REPLY and last.start + 1 < changed:
            # What is known to be of the reply need not be looked at again.
            known = max(min(last.end, changed) - 1, last.start + 1)
            start = reply_end(self.rows, known, look)
            blocks.append(last._replace(end=start))
            before = BlockKind.REPLY
        blocks += cut_blocks(self.rows, look, start, before)
        self._note_prompts(kept)

    def _is_edge(self, block: Block) -> bool:
        return block.kind is BlockKind.NOTICE and note(self.rows[block.start]).kind in EDGES

    def _note_prompts(self, kept: int) -> None:
        """List the prompts anew from the block with the index `kept` on."""
        at = self._prompts_at
        while at and at[-1] >= kept:
            at.pop()
        fresh = [
            index
            for index in range(kept, len(self.blocks))
            if self.blocks[index].kind is BlockKind.PROMPT
        ]
        texts = [self.blocks[index].prompt for index in fresh]
        if texts != self.prompts[len(at) :]:
            self.prompts[len(at) :] = texts
            self.edition += 1
        at += fresh
