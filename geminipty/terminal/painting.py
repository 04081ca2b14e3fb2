"""Whole painted lines, recognised: what makes the terminal fast.

Rule: a short cut only. Everything here gives the very picture that the parser and the screen
would give, character by character; what is not recognised is left to them.

The CLI paints by erasing its lines and writing them again, ten times a second, and all but one
or two are as they were. So a line's source text is remembered with the Row that it paints, and
a picture of known lines is put on the screen as a slice of a list.
"""

import re
from itertools import accumulate
from typing import Final

from pyte import charsets
from pyte.modes import IRM

from .cells import SIMPLE
from .frames import Cutter
from .params import parse_params
from .pens import DEFAULT, Pen, walk
from .performer import Performer
from .rows import BLANK, Line, Row, Span
from .screen import Screen
from .work import PLAIN

#: Characters of source text that are remembered; twice as many for a while.
MAX_REMEMBERED: Final = 1_000_000
#: Sequences of styles that are remembered.
MAX_STYLES: Final = 1024
#: Lines that are looked up before they are painted: a bound on work that may be in vain.
AT_ONCE: Final = 256
#: A longer line is not worth remembering, nor waiting for: the CLI's longest, with a style for
#: every letter of its banner, has 2,000 characters.
MAX_SOURCE: Final = 3000

_SGR = re.compile(r"\x1b\[([0-9:;]{0,256})m")
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]")
#: How the CLI takes its last picture away: down to its end, line by line up, to the left edge.
_ERASE_RUN = re.compile(r"(?:\x1b\[([0-9]{1,4})B)?((?:\x1b\[2K\x1b\[1A)*+)(\x1b\[2K\x1b\[G)?")
#: A control sequence before a line's text that is no part of it: any but SGR.
_PRELUDE = re.compile(r"\x1b\[([<-?]?)([0-9:;]{0,256}+)([ -/]{0,4}+)([@-ln-~])")
_PARK = re.compile(r"\x1b\[([0-9]{1,4})A\x1b\[([0-9]{1,4})G")
#: The beginning of a line that may go on in the next chunk.
_UNFINISHED = re.compile(
    r"(?:[^\x00-\x1f\x7f-\x9f]++|\x1b\[[0-9:;]{0,256}+m)*+(?:\r|\x1b(?:\[[0-9:;]{0,256})?)?"
)


class Painter:
    """Paints known lines on a screen."""

    def __init__(self, screen: Screen, cutter: Cutter, performer: Performer) -> None:
        self._screen = screen
        self._cutter = cutter
        self._performer = performer
        #: Where an erase run that has no end breaks off: looking again on the way there would
        #: cost the square of its length.
        self._no_run_before = 0
        self.forget()

    def forget(self) -> None:
        """Forget all lines: the screen's width has changed."""
        self._young: dict[str, Row] = {"": BLANK}
        self._old: dict[str, Row] = {}
        self._size = 0
        #: How many lines are looked up at once: few where they cannot be painted anyway.
        self._ahead = AT_ONCE
        self._pens: dict[tuple[str, ...], tuple[Pen, ...]] = {}

    def is_open(self) -> bool:
        """Whether a whole line written now would stand alone in its row, in plain style."""
        screen = self._screen
        return (
            screen.cursor.x == 0
            and screen.cursor.pen is DEFAULT
            and screen.margins is None
            and not screen.has_lead
            and IRM not in screen.mode
            and screen.charset == 0
            and screen.g0_charset is charsets.LAT1_MAP
        )

    def paint(self, lines: list[str], start: int) -> int:
        """Paint lines from index `start` on, each followed by CR LF: the index reached."""
        if not self.is_open():
            return start
        known = self._young.get
        rows: list[Row] = []
        for source in lines[start : start + self._ahead]:
            row = known(source) or self._recall(source)
            if row is None:
                break
            rows.append(row)
        put = self._put(rows) if rows else 0
        self._ahead = AT_ONCE if put == len(rows) else 1
        return start + put

    def _put(self, new: list[Row]) -> int:
        """Put rows on the screen from the cursor on, scrolling: how many could be put."""
        screen = self._screen
        grid = screen.grid
        rows, y = grid.settle(), screen.cursor.y
        beneath = rows[y : y + len(new)]
        if beneath != [BLANK] * len(beneath):
            for index, (old, row) in enumerate(zip(beneath, new, strict=False)):
                if old.width > row.reach or old.wrapped:
                    new = new[:index]
                    break
        if new:
            self._performer.forget()
            # Else all are empty, and nothing is painted.
            if new[-1].reach or any(row.reach for row in new):
                self._cutter.painted()
            rows[y : y + len(new)] = new
            excess = y + len(new) + 1 - screen.lines
            screen.work.done += PLAIN * len(new)
            if excess > 0:
                screen.work.done += screen.lines
                rows.append(BLANK)
                grid.keep(rows[:excess])
                del rows[:excess]
            screen.cursor.y = min(y + len(new), screen.lines - 1)
        return len(new)

    def _erase(self, text: str, start: int) -> int:
        """Do the erase run at `start` of `text`, if there is one: the index reached."""
        screen = self._screen
        run = _ERASE_RUN.match(text, start)
        if run is None or screen.margins is not None or screen.cursor.pen.bg != "default":
            return start
        down, up, left = run.groups()
        if not left:
            self._no_run_before = run.end()
            return start
        self._performer.forget()
        cursor = screen.cursor
        if down:
            cursor.x = min(cursor.x, screen.columns - 1)
            cursor.y = min(cursor.y + (int(down) or 1), screen.lines - 1)
        self._cutter.erasing()
        bottom = cursor.y
        top = max(bottom - len(up) // len("\x1b[2K\x1b[1A"), 0)
        screen.grid.fill(top, bottom + 1, BLANK)
        cursor.x, cursor.y = 0, top
        return run.end()

    def begin(self, text: str) -> int:
        """Do what stands before the text of a line: the index where that begins."""
        start = self._no_run_before = 0
        while text.startswith("\x1b[", start):
            end = self._erase(text, start) if start >= self._no_run_before else start
            if end == start:
                found = _PRELUDE.match(text, start)
                if found is None:
                    break
                private, params, intermediates, final = found.groups()
                self._performer.csi(private, parse_params(params), intermediates, final)
                end = found.end()
            start = end
        return start

    def park(self, text: str) -> bool:
        """Park the cursor, if that is all that `text` does."""
        screen = self._screen
        parks = _PARK.fullmatch(text)
        if parks is None or screen.margins is not None:
            return False
        self._performer.forget()
        screen.cursor.y = max(screen.cursor.y - (int(parks[1]) or 1), 0)
        screen.cursor.x = min(int(parks[2]) or 1, screen.columns) - 1
        self._cutter.parked()
        return True

    def _recall(self, source: str) -> Row | None:
        """The row that a line paints which is not among the young ones, if it is one row."""
        if len(source) > MAX_SOURCE:
            return None
        row = self._old.get(source) or self._learn(source)
        if row is not None:
            if self._size > MAX_REMEMBERED:
                self._old, self._young, self._size = self._young, {"": BLANK}, 0
            self._young[source] = row
            self._size += len(source)
        return row

    def _learn(self, source: str) -> Row | None:
        parts = _SGR.split(source)
        texts, styles = parts[::2], tuple(parts[1::2])
        text = "".join(texts)
        simple = SIMPLE.fullmatch(text) is not None
        if simple:
            if len(text) > self._screen.columns:
                return None
        elif _CONTROL.search(text):
            return None
        pens = self._pens.get(styles) or self._walk(styles)
        if pens[-1] is not DEFAULT:
            return None
        if not simple:
            return self._draw(texts, pens)
        spans: list[Span] = []
        reach, last = 0, None
        for end, pen in zip(accumulate(map(len, texts)), pens, strict=True):
            if end == reach:
                continue
            if pen is last:
                spans[-1] = (end, pen)
            else:
                spans.append((end, pen))
                last = pen
            reach = end
        if last is DEFAULT:
            spans.pop()
            text = text[: max(len(text.rstrip(" ")), spans[-1][0] if spans else 0)]
        return Row(text, tuple(spans), reach=reach)

    def _walk(self, styles: tuple[str, ...]) -> tuple[Pen, ...]:
        """The pens of a line's runs. Lines come in few styles, so they are remembered."""
        if len(self._pens) >= MAX_STYLES:
            self._pens.clear()
        self._pens[styles] = pens = walk(map(parse_params, styles))
        return pens

    def _draw(self, texts: list[str], pens: tuple[Pen, ...]) -> Row | None:
        """The row of a line with characters of other widths than one."""
        columns = self._screen.columns
        line = Line(BLANK, columns)
        x = 0
        for text, pen in zip(texts, pens, strict=True):
            x, taken = line.draw(x, text, pen, columns)
            if taken < len(text):
                return None
        return line.freeze(reach=x)


def is_unfinished(text: str) -> bool:
    """Whether `text` may be the beginning of a line that ends in the next chunk."""
    return len(text) <= MAX_SOURCE and _UNFINISHED.fullmatch(text) is not None


def stops_in_line(text: str) -> bool:
    """Whether the cursor would stand within a line, or a sequence, if `text` were painted."""
    shown = _SGR.sub("", text)
    return shown != "" and not shown.endswith("\r")
