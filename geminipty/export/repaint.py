"""A recording painted anew: the pictures that our terminal made of it, in sequences of our own.

Rule: what leaves here is text of cells, SGR, cursor movements and erasures; no sequence of the
recording itself gets to whoever plays it. Only rows that changed are written.
"""

from collections.abc import Iterable, Iterator
from heapq import merge
from typing import Final
from unicodedata import normalize

from geminipty.asciicast import Event
from geminipty.terminal import Frame, Pen, Row
from geminipty.visible import drawable

from .ansi import sgr

#: No wrapping at the right edge: a player may take a character for wider than we do.
_BEGIN: Final = "\x1b[?7l\x1b[?25l"
_PLAIN: Final = Pen()
#: Lines and blocks take one column everywhere, and stand in long runs.
_BOXES: Final = ("\u2500", "\u259f")


def events(
    frames: Iterable[tuple[float, Frame]], size: tuple[int, int], markers: Iterable[Event] = ()
) -> Iterator[Event]:
    """The events of the new recording, which begins with `size` columns and lines."""
    return merge(_painted(frames, size), markers, key=lambda event: event.time)


def _painted(frames: Iterable[tuple[float, Frame]], size: tuple[int, int]) -> Iterator[Event]:
    yield Event(0.0, "o", _BEGIN)
    shown: tuple[Row, ...] = (Row(""),) * size[1]
    cursor: str | None = None
    for time, frame in frames:
        now = (frame.columns, len(frame.rows))
        if now != size:
            size, cursor = now, None
            yield Event(time, "r", f"{size[0]}x{size[1]}")
            yield Event(time, "o", "\x1b[2J")
            shown = (Row(""),) * size[1]
        text = "".join(
            f"\x1b[{y}H\x1b[2K{painted(row, frame.columns)}"
            for y, (row, old) in enumerate(zip(frame.rows, shown, strict=True), 1)
            if row != old
        )
        at = f"\x1b[{frame.cursor[1] + 1};{frame.cursor[0] + 1}H\x1b[?25h"
        wanted = at if frame.cursor_shown else "\x1b[?25l"
        if text or wanted != cursor:
            yield Event(time, "o", text + wanted)
        shown, cursor = frame.rows, wanted


def painted(row: Row, columns: int) -> str:
    """A row as text for a terminal whose cursor stands at the beginning of an empty one.

    asciinema's terminal has room for one character a cell: of joined ones it gets the first.
    """
    cells = row.shown(columns)
    parts = []
    start = 0
    sure = True  #: a player counts the columns so far as we do
    for end, pen in (*row.spans, (len(cells), _PLAIN)):
        text = ""
        for x, cell in enumerate(cells[start:end], start):
            cell = " " if pen.hidden else cell
            if cell and not sure:
                text += f"\x1b[{x + 1}G"
                sure = True
            if cell and not cell.isascii():
                cell = drawable(normalize("NFC", cell))[:1]
                sure = _BOXES[0] <= cell <= _BOXES[1]
            text += cell
        codes = sgr(pen)
        parts.append(f"\x1b[{codes}m{text}\x1b[0m" if codes and text else text)
        start = end
    return "".join(parts)
