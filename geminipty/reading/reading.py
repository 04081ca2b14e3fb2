"""What one Frame says: status, composer, dialog, blocks, and the evidence for the status.

Rule: UNKNOWN is an answer. A status needs a witness, and no branch guesses for want of one.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from typing import NamedTuple

from geminipty.model import Dialog, Status
from geminipty.terminal import Frame, Row

from .blocks import Block, BlockKind, Look, cut_blocks
from .composer import Composer
from .live import Live
from .rows import Ink, Kind, ink_of


class Witness(StrEnum):
    """Who speaks for a status."""

    GRID = "grid"
    TITLE = "title"
    CURSOR = "cursor"


class Evidence(NamedTuple):
    """One thing that was seen, and the status that it speaks for."""

    witness: Witness
    seen: str
    says: Status
    #: The row of the screen, if it is one.
    row: int | None = None

    def __str__(self) -> str:
        where = "" if self.row is None else f" in row {self.row}"
        return f"{self.witness}: {self.seen}{where} says {self.says}"


@dataclass(frozen=True)
class Reading:
    """What one picture of the CLI says."""

    frame: Frame = field(repr=False)
    status: Status
    evidence: tuple[Evidence, ...]
    live: Live = field(repr=False)
    dialog: Dialog | None = None

    @property
    def composer(self) -> Composer | None:
        """The input box, if it is drawn."""
        return self.live.composer

    @property
    def title(self) -> str:
        """The window title, without the blanks that the CLI fills it up with."""
        return self.frame.title.strip()

    @property
    def queued(self) -> tuple[str, ...]:
        """The prompts that wait in the CLI for their turn."""
        return self.live.queued

    @property
    def agree(self) -> bool:
        """Whether all witnesses speak for the status."""
        return all(one.says is self.status for one in self.evidence)

    @property
    def end(self) -> int:
        """The row of the screen where the transcript ends."""
        box = self.live.box
        return max(box[0], 0) if box is not None and self.dialog is not None else self.live.top

    @property
    def margin(self) -> int | None:
        """The column where the CLI wraps a reply, if this picture tells."""
        # As wide as its box, which up to 0.9 does not fill the screen.
        return None if self.live.composer is None else self.live.composer.width

    @property
    def accent(self) -> str | None:
        """The colour of the reply mark and of inline code, if a reply is on the screen."""
        for row, known in zip(self.live.rows, self.live.notes, strict=True):
            if known.kind is Kind.REPLY:
                return row.pen(0).fg
        return None

    @cached_property
    def transcript(self) -> Sequence[Row]:
        """All rows above the live region, those that scrolled off first."""
        return [*self.frame.scrolled, *self.live.rows[: self.end]]

    @cached_property
    def blocks(self) -> tuple[Block, ...]:
        """The transcript, cut into blocks."""
        return self.blocks_for(self.look)

    def blocks_for(self, look: Look) -> tuple[Block, ...]:
        """The same, with what other pictures told about the look of blocks."""
        above = BlockKind.REPLY if self.frame.alternate else None
        return tuple(cut_blocks(self.transcript, look, 0, above))

    @property
    def _ink(self) -> Ink:
        """What the CLI draws with: its own glyphs tell, a diff has colours in any case."""
        live = self.live
        found = None
        if live.composer is not None:
            row = live.rows[min(live.composer.top + 1, live.composer.bottom)]
            found = any(row.pen(column).fg != "default" for column in (1, 2))
        else:
            for row, known in zip(reversed(live.rows), reversed(live.notes), strict=True):
                if known.kind in (Kind.REPLY, Kind.PROMPT):
                    found = row.pen(known.column).fg != "default"
                    break
        if found:
            return Ink.COLOURS
        ink = ink_of(live.rows)
        return ink if found is None else min(ink, Ink.STYLES)

    @property
    def look(self) -> Look:
        """What the blocks of this screen look like, as far as it tells."""
        return Look(self.margin or 0, self._ink)
