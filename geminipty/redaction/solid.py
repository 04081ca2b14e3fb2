"""What a reader of a screen sees of raw terminal text, each character with where it stands.

Rule: a control that leaves the cursor where it is splits nothing. A new line is a line
feed; whatever
else moves the cursor is a hard break, which no secret crosses. The same text gives the same solid
text however it was cut.
"""

import re
from bisect import bisect_right
from functools import lru_cache
from typing import Final, NamedTuple

from geminipty.options import MAX_COLUMNS
from geminipty.terminal import columns_of

#: A hard break is two of these: whitespace to Python, and no printable character. Between them
#: is the column where the cursor stands now, as a lone surrogate, which no recording can hold.
HARD: Final = "\x1c"
_COLUMN: Final = 0xD800

_CSI: Final = r"(?:\x1b\[|\x9b)"
_BODY: Final = r"[^\x07\x18\x1a\x1b\x80-\x9f]*"
_COLOURS: Final = r"(?:\x1b\[[0-9:;]{0,40}[mK]){0,9}"  # may stand within a new line
_STRING: Final = r"(?:\x1b[\]PX^_]|[\x90\x98\x9d-\x9f])"
_TOKENS: Final = (
    # 1: nothing moves. Erasing, modes, reports, colours; ignored controls; characters of no width
    rf"((?:{_CSI}[0-?]*[ -/]*[JKXcghilmnpqtxy]"
    r"|[\x00-\x07\x0e-\x1a\x1c-\x1f\x7f\u200b-\u200f\u2060\ufeff])+)"
    rf"|(NEW_LINE|\x85|\x1bE|{_CSI}[0-9]*E)"  # 2
    rf"|(\t|{_CSI}[0-9]*C)"  # 3: a gap
    # 4, 5: a string, such as a title, and its body
    rf"|({_STRING}({_BODY})"
    r"(?:\x07|\x1b\\|\x9c|[\x18\x1a]|(?=[\x1b\x80-\x9f])|\Z))"
    # 6: anything else, a hard break; 7, 8: a column is named
    rf"|({_CSI}(?:([0-9]+)G|[0-9]*;([0-9]+)[Hf]|[0-?]*[ -/]*[@-~])"
    r"|\x1b[ -/]*[0-~]|[\r\x08\x0b\x0c\x1b\x80-\x9f])"
)
_TOKEN: Final = re.compile(_TOKENS.replace("NEW_LINE", rf"\r{{0,2}}\n|\r{_COLOURS}\n"))
#: What is typed: each Enter is a new line.
_KEY: Final = re.compile(_TOKENS.replace("NEW_LINE", r"[\r\n]"))
#: Group 1 is the beginning of a sequence at the end of a text; whole strings are stepped over.
_UNFINISHEDS: Final = (
    rf"{_STRING}{_BODY}(?:[\x07\x18\x1a\x9c]|\x1b\\|(?=[\x80-\x9f]|\x1b(?s:.)))"
    rf"|((?:\x1b(?:\[[0-?]*[ -/]*|[ -/]+)?|{_STRING}{_BODY}\x1b?|\x9b[0-?]*[ -/]*"
    r"NEW_LINE)\Z)"
)
_UNFINISHED: Final = re.compile(
    _UNFINISHEDS.replace("NEW_LINE", rf"|\r\r?{_COLOURS}(?:\x1b(?:\[[0-9:;]{{0,40}})?)?")
)
_UNFINISHED_KEY: Final = re.compile(_UNFINISHEDS.replace("NEW_LINE", ""))
_OPENER: Final = re.compile(r"\x1b[\]PX^_]|[\x80-\x9f]")
_LONGEST: Final = 9 * 43 + 50  # a return with its colours
_NO_TEXT: Final = re.compile(r"\x1b\[?|\r\r?")
_SIDE: Final = re.compile("[│┃║|]")


class Place(NamedTuple):
    """A place on a row."""

    column: int
    #: Whether a side of a box, and no other, is left of it; None if only blanks are.
    boxed: bool | None


START: Final = Place(0, None)

#: The short way is for text of whole control sequences and new lines; these need the long one.
_BROKEN: Final = re.compile(r"\x1b(?!\[[0-?]*[ -/]*[@-~])")
_RARE: Final = re.compile(
    r"[\x00-\x08\x0b\x0c\x0e-\x1a\x1c-\x1f\x7f-\x9f\u200b-\u200f\u2060\ufeff]"
)
_STILL: Final = re.compile(r"\x1b\[[0-?]*[ -/]*[JKXcghilmnpqtxy]")
_MOVE: Final = re.compile(
    r"\x1b\[(?:([0-9]*E)|([0-9]*C)|([0-9]+)G|[0-9]*;([0-9]+)[Hf]|[0-?]*[ -/]*[@-~])"
)


class Solid:
    """Raw text and its solid text; `place` is where the first of it stands on its row.

    With `keys` it is what was typed, where Enter ends everything but a pasted block.
    """

    __slots__ = ("_keys", "_pieces", "_runs", "bodies", "lexed", "place", "raw", "text")

    def __init__(self, raw: str = "", place: Place = START, *, keys: bool = False) -> None:
        self._keys = keys
        self.raw, self.place = "", place
        self.text = ""
        #: How much of the raw text is lexed; the rest is the beginning of a sequence.
        self.lexed = 0
        #: Where in the raw text the bodies of strings are.
        self.bodies: list[tuple[int, int]] = []
        #: Where each run of printable characters begins in the solid and the raw text, and its
        #: length; those of the last pieces are looked for only when somebody asks.
        self._runs: list[tuple[int, int, int]] = []
        self._pieces: list[tuple[int, int, int]] = []
        if raw:
            self.add(raw)

    def add(self, raw: str) -> None:
        """Take more text."""
        self.raw += raw
        end = self._end()
        short = None if self._keys else _short(self.raw[self.lexed : end])
        if short is None:
            self._map()
            self.text += self._lex(self.lexed, end, len(self.text), self.bodies)
        else:
            self._pieces.append((self.lexed, end, len(self.text)))
            self.text += short
        self.lexed = end

    def _end(self) -> int:
        """Where the beginning of a sequence at the end of the raw text starts."""
        raw, start = self.raw, self.lexed
        if not _OPENER.search(raw, start):  # without strings, only the last sequence can be open
            last = raw.rfind("\x1b", start)
            start = max(start, min(len(raw) - _LONGEST, last if last >= 0 else len(raw)))
        pattern = _UNFINISHED_KEY if self._keys else _UNFINISHED
        found = (match.start() for match in pattern.finditer(raw, start) if match[1])
        return next(found, len(raw))

    @property
    def rest(self) -> int:
        """How many characters at the end begin a sequence and can never become text."""
        return len(self.raw) - self.lexed if _NO_TEXT.fullmatch(self.raw, self.lexed) else 0

    def close(self) -> None:
        """Say that no more is coming: an unfinished string counts as one."""
        if (start := self.lexed) < len(self.raw):
            self.bodies.append((start + 1, len(self.raw)))
            self.lexed = len(self.raw)

    def _lex(self, start: int, end: int, length: int, bodies: list[tuple[int, int]]) -> str:
        """The solid text of a part of the raw text; its runs and bodies are noted."""
        pieces = []
        at = start
        for token in (_KEY if self._keys else _TOKEN).finditer(self.raw, start, end):
            if (stop := token.start()) > at:
                self._runs.append((length, at, stop - at))
                pieces.append(self.raw[at:stop])
                length += stop - at
            at = token.end()
            if token.lastindex == 4:
                bodies.append(token.span(5))
            elif piece := _replaced(token):
                # Two new lines: nothing is wrapped here.
                piece = "\n\n" if self._keys and piece == "\n" else piece
                pieces.append(piece)
                length += len(piece)
        if at < end:
            self._runs.append((length, at, end - at))
            pieces.append(self.raw[at:end])
        return "".join(pieces)

    def _map(self) -> list[tuple[int, int, int]]:
        """All runs."""
        for start, end, length in self._pieces:
            self._lex(start, end, length, [])
        self._pieces.clear()
        return self._runs

    def take(self, end: int) -> "Solid":
        """Cut off the text up to `end` and return it."""
        head = Solid(place=self.place, keys=self._keys)
        row = self.text.rfind("\n", 0, end) + 1
        self.place = place_after(self.text[row:end], START if row else self.place)
        if end >= len(self.text):
            head.text, self.text = self.text, ""
            head.raw, self.raw = self.raw[: self.lexed], self.raw[self.lexed :]
            head.lexed, self.lexed = self.lexed, 0
            head.bodies, self.bodies = self.bodies, []
            head._runs, self._runs = self._runs, []
            head._pieces, self._pieces = self._pieces, []
            return head
        runs = self._map()
        cut = bisect_right(runs, (end, -1, 0))
        # Between two runs, the controls belong to what is cut off.
        raw_end = runs[cut][1] if cut < len(runs) else self.lexed
        head._runs, kept = runs[:cut], runs[cut:]
        if cut and (over := runs[cut - 1][0] + runs[cut - 1][2] - end) > 0:
            at, raw_at, length = runs[cut - 1]
            raw_end = raw_at + length - over
            head._runs[-1] = at, raw_at, length - over
            kept.insert(0, (end, raw_end, over))
        self._runs = [(at - end, raw_at - raw_end, length) for at, raw_at, length in kept]
        head.text, self.text = self.text[:end], self.text[end:]
        head.raw, self.raw = self.raw[:raw_end], self.raw[raw_end:]
        head.lexed, self.lexed = raw_end, self.lexed - raw_end
        head.bodies = [body for body in self.bodies if body[0] < raw_end]
        self.bodies = [(a - raw_end, b - raw_end) for a, b in self.bodies if a >= raw_end]
        return head

    def spans(self, start: int, end: int) -> list[tuple[int, int]]:
        """Where in the raw text the printable characters of a part of the solid text stand."""
        runs = self._map()
        found = []
        for number in range(max(bisect_right(runs, (start, len(self.raw), 0)) - 1, 0), len(runs)):
            at, raw_at, length = runs[number]
            if at >= end:
                break
            a, b = max(start, at), min(end, at + length)
            if a < b:
                found.append((a - at + raw_at, b - at + raw_at))
        return found


def _short(raw: str) -> str | None:
    """The solid text without where its characters stand, or None if that takes the long way."""
    if _BROKEN.search(raw) or raw.count("\r") != raw.count("\r\n"):
        return None
    text = _STILL.sub("", raw).replace("\r\n", "\n")
    if _RARE.search(text):
        return None
    if "\x1b" in text:
        text = _MOVE.sub(_moved, text)
    return text.replace("\t", " ")


def _replaced(token: re.Match[str]) -> str:
    """What stands for a control in solid text."""
    kind = token.lastindex
    if kind == 6:
        return _hard(token[7] or token[8])
    return "\n" if kind == 2 else " " if kind == 3 else ""


def _moved(token: re.Match[str]) -> str:
    kind = token.lastindex
    return "\n" if kind == 1 else " " if kind == 2 else _hard(token[3] or token[4])


@lru_cache(maxsize=256)
def _hard(column: str | None) -> str:
    at = min(max(int(column[:9]), 1), MAX_COLUMNS) - 1 if column else 0
    return f"{HARD}{chr(_COLUMN + at)}{HARD}"


def place_after(row: str, place: Place) -> Place:
    """Where a row ends that begins at a place, if the screen had no right edge."""
    if hard := row.rfind(HARD) + 1:
        place = Place(ord(row[hard - 2]) - _COLUMN, None)
        row = row[hard:]
    column, boxed = place
    sides = len(_SIDE.findall(row))
    if boxed is None and (text := row.lstrip(" ")):
        boxed = sides == 1 and _SIDE.match(text) is not None
    elif boxed:
        boxed = not sides
    return Place(column + columns_of(row), boxed)
