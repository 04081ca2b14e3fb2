"""Where a text that was wrapped goes on: which new lines a secret may cross, and where none can.

Rule: every answer depends on the text to the left alone, so that cutting a stream where nothing
can cross gives the same result as not cutting it.
"""

import re
from bisect import bisect_right
from collections.abc import Callable
from typing import Final, NamedTuple

from .kinds import CONTEXT, PADDING, UNFINISHED
from .marks import marks
from .solid import HARD, START, Place, Solid, place_after

#: How far back a key that is shorter than its kind, or a word that announces a secret, can begin.
_BACK: Final = 200
#: A row that fills its box up to the right side, which may be still to come.
_BOX_ENDS: Final = re.compile(" {0,2}(?:[│┃║|]|$)")
_BETWEEN: Final = PADDING + "\n"


class View(NamedTuple):
    """A solid text with its wraps undone: piece by piece, where each stood."""

    text: str
    starts: list[int]
    origins: list[int]

    def parts(self, start: int, end: int) -> list[tuple[int, int]]:
        """The parts of the solid text that make up a part of this one."""
        parts = []
        piece = bisect_right(self.starts, start) - 1
        while start < end:
            stop = min(end, self.starts[piece + 1]) if piece + 1 < len(self.starts) else end
            shift = self.origins[piece] - self.starts[piece]
            parts.append((start + shift, stop + shift))
            start, piece = stop, piece + 1
        return parts

    def place(self, origin: int) -> int:
        """Where a place of the solid text is in this one."""
        piece = bisect_right(self.origins, origin) - 1
        return self.starts[piece] + origin - self.origins[piece]

    def bare(self) -> "View | None":
        """The same without what takes no column, if it holds any of that."""
        cuts = [*marks(self.text)]
        if not cuts:
            return None
        texts: list[str] = []
        starts, origins, length = [0], [0], 0
        for start, end in zip(
            [0, *(cut + 1 for cut in cuts)], [*cuts, len(self.text)], strict=True
        ):
            texts.append(self.text[start:end])
            for a, b in self.parts(start, end):
                starts.append(length)
                origins.append(a)
                length += b - a
        return View("".join(texts), starts, origins)

    def wrap_after(self, at: int) -> int:
        """The first place from `at` on where a row went over into the next."""
        piece = bisect_right(self.starts, at - 1)
        return self.starts[piece] if piece < len(self.starts) else len(self.text)


class Wraps:
    """The wrapping of one channel, on a screen of `columns`, or on none.

    With `rows_only`, a secret may hold blanks, so that only whole rows can be cut off.
    """

    __slots__ = ("_is_known", "_rows_only", "columns")

    def __init__(
        self,
        columns: int | None,
        is_known: Callable[[str], bool] = lambda _: False,
        *,
        rows_only: bool = False,
    ) -> None:
        self.columns = columns
        self._is_known = is_known
        self._rows_only = rows_only

    def crosses(self, row: str, place: Place, gap: str) -> bool:
        """Whether a row that begins at a place may go on in the next one, after the gap."""
        if row.endswith(HARD):
            return False
        column, boxed = place_after(row, place)
        if boxed and _BOX_ENDS.match(gap):
            return True
        if self.columns is not None:
            # Margins, boxes and old releases, which use nine tenths of the width, are beyond it.
            edge = self.columns - max(8, self.columns // 5)
            if (column - 1) % self.columns + 1 >= edge:
                return True
        key = row[-_BACK:]
        return self._is_known(key) or UNFINISHED.search(key) is not None

    def undone(self, text: str, place: Place) -> View | None:
        """The text, which begins at a place, with its wraps undone, if it has any."""
        rows = text.split("\n")
        pieces, starts, origins = [], [0], [0]
        at = begun = length = 0
        for number, row in enumerate(rows[:-1]):
            body = row.rstrip(PADDING)
            after = rows[number + 1].lstrip(PADDING)
            is_wrap = body and after and not after.startswith(HARD)
            if is_wrap and self.crosses(body, place, row[len(body) :]):
                end = at + len(body)
                pieces.append(text[begun:end])
                length += end - begun
                begun = at + len(row) + 1 + len(rows[number + 1]) - len(after)
                starts.append(length)
                origins.append(begun)
            at += len(row) + 1
            place = START
        if len(starts) == 1:
            return None
        pieces.append(text[begun:])
        return View("".join(pieces), starts, origins)

    def cut(self, solid: Solid, scanned: int) -> tuple[int, int]:
        """Where to cut so that no secret crosses, as late as possible; and for the next call.

        The second number is where the last word begins: nothing before it can ever be cut that
        was not cut now, so `scanned` saves looking again.
        """
        text = solid.text
        end = len(text.rstrip(_BETWEEN))
        if end == 0 or text[end - 1] == HARD:
            return len(text), 0
        gap = text[end:]
        ended = "\n" in gap if self._rows_only else gap
        if ended and not self._goes_on(solid, end, gap, is_last=True):
            return len(text), 0
        first = None
        while True:
            start = self._start(text, end)
            first = start if first is None else first
            if start <= scanned:
                return 0, first
            before = len(text[:start].rstrip(_BETWEEN))
            if before == 0 or not self._goes_on(solid, before, text[before:start]):
                return start, first - start
            end = before

    def _start(self, text: str, end: int) -> int:
        """Where the last word, or row, before `end` begins."""
        if self._rows_only:
            return max(text.rfind("\n", 0, end), text.rfind(HARD, 0, end)) + 1
        return end - len(text[:end].rsplit(None, 1)[-1])

    def _goes_on(self, solid: Solid, end: int, gap: str, *, is_last: bool = False) -> bool:
        """Whether what ends at `end` may belong to what follows the gap."""
        text = solid.text
        if text[end - 1] == HARD or gap.count("\n") > 1:
            return False
        if CONTEXT.search(text, max(0, end - _BACK), end):
            return True
        if "\n" not in gap and not is_last:
            return False
        row = text.rfind("\n", 0, end) + 1
        return self.crosses(text[row:end], START if row else solid.place, gap.partition("\n")[0])
