"""Secrets that are known by their value: given by the caller, or found before by their form.

Rule: of a value of 11 characters or more, any part of 11 is hidden, wherever and however it is laid
out; a shorter one only as a whole, and a word or a path only where it stands as one. Upper and
lower case are the same.
"""

import json
import re
from base64 import b64encode
from collections.abc import Iterable, Iterator
from typing import Final

from .kinds import PAD, lowered
from .marks import unmarked

#: One for each column that is hidden.
HIDDEN: Final = "\u2588"
#: The length of the pieces that are looked up. Any part of 11 holds one that starts at a multiple
#: of 6, so looking at every sixth character finds all.
_GRAM: Final = 6
PART: Final = 2 * _GRAM - 1
#: The fewest characters of what is found by its form that make it a known value.
LEARN: Final = 16
_MAX_GRAMS: Final = 500_000
_MAX_VALUE: Final = 1 << 16
_SAMPLES: Final = re.compile(rf"[\s\S]{{{_GRAM}}}")
_PATH: Final = re.compile(r"/[A-Za-z]+(?:/[\w.@+ -]+)*/?")
#: The fewest bytes that are looked for in base 64.
_SHORTEST_DATA: Final = 6
_URL_SAFE: Final = re.compile(r"[^\w.~-]", re.ASCII)


class Known:
    """The values known so far."""

    def __init__(self, values: Iterable[str]) -> None:
        lines = [line.strip() for value in values for line in value.splitlines()]
        lines += [unmarked(line) for line in lines]
        # The frame of a private key is no secret.
        given = [line for line in dict.fromkeys(lines) if line and not line.startswith("-----")]
        self._grams: set[str] = set()
        whole = []
        for value in given:
            for form in _forms(value[:_MAX_VALUE]):
                if _PATH.fullmatch(form) or len(form) < PART or len(set(form)) < 5:
                    whole.append(form)
                else:
                    self._grams.update(_grams(lowered(form)))
        #: Those given, not those learnt: where a stream may be cut must not depend on the latter.
        self._given = frozenset(self._grams)
        whole.sort(key=len, reverse=True)
        patterns = "|".join(map(_as_whole, whole))
        self._whole = re.compile(f"(?i:{patterns})") if whole else None
        self.has_blanks = any(" " in value for value in given)

    def ends_known(self, text: str) -> bool:
        """Whether a text ends in a part of a value that was given."""
        return lowered(text[-_GRAM:]) in self._given

    def may_hold(self, flat: str, text: str) -> bool:
        """Whether anything could be found in a text, wraps undone or not; cheap."""
        return bool(
            (self._grams and not self._grams.isdisjoint(_SAMPLES.findall(lowered(flat))))
            or (self._whole and (self._whole.search(text) or self._whole.search(flat)))
        )

    def find_whole(self, text: str) -> Iterator[tuple[int, int]]:
        """Where short values, words and paths stand."""
        if self._whole:
            for found in self._whole.finditer(text):
                yield found.span()

    def find(self, text: str, learnt: dict[str, int] | None) -> Iterator[tuple[int, int]]:
        """Where parts of long values stand; those `learnt` count from their place on.

        With None, only the values that were given count.
        """
        grams = self._given if learnt is None else self._grams
        learnt = learnt or {}
        text = lowered(text)
        if not grams and not learnt:
            return

        def is_known(at: int) -> bool:
            gram = text[at : at + _GRAM]
            return gram in grams or (gram in learnt and learnt[gram] <= at)

        at, last = 0, len(text) - _GRAM
        done = -1
        while at <= last:
            if not is_known(at):
                at += _GRAM
                continue
            start = stop = at
            while start > done + 1 and is_known(start - 1):
                start -= 1
            while stop < last and is_known(stop + 1):
                stop += 1
            if stop + _GRAM - start >= PART:
                yield start, stop + _GRAM
            done = stop
            at += _GRAM * ((stop - at) // _GRAM + 1)

    def note(self, value: str, at: int, learnt: dict[str, int]) -> None:
        """Add to `learnt` a value that was found at a place."""
        if len(value) >= LEARN and len(set(value)) >= 5:
            for gram in _grams(lowered(value[:_MAX_VALUE])):
                learnt[gram] = min(at, learnt.get(gram, at))

    def learn(self, learnt: Iterable[str]) -> None:
        """Know from now on what was learnt, as far as there is room."""
        if len(self._grams) < _MAX_GRAMS:
            self._grams.update(learnt)


def _forms(value: str) -> set[str]:
    """The value, and as JSON, URLs, base 64 and hexadecimal digits write it."""
    if _PATH.fullmatch(value):
        return {value, json.dumps(value)[1:-1]}
    data = value.encode(errors="replace")
    quoted = {_URL_SAFE.sub(lambda found: _quoted(found[0]), value)}
    quoted |= {quoted.replace("%20", "+") for quoted in quoted}
    in_json = {json.dumps(value, ensure_ascii=plain)[1:-1] for plain in (True, False)}
    in_json |= {form.replace("/", "\\/") for form in in_json}
    forms = {value, *quoted, *in_json}
    if len(data) >= _SHORTEST_DATA:
        forms |= {form for at in range(3) for form in _base64(data, at)}
        forms.add(data.hex())
    return forms


def _quoted(text: str) -> str:
    return "".join(f"%{byte:02X}" for byte in text.encode(errors="replace"))


def _base64(data: bytes, before: int) -> set[str]:
    """What of the data stands the same in any base 64 that has `before` more bytes to its left."""
    text = b64encode(bytes(before) + data).decode().rstrip("=")
    whole = text[(before * 8 + 5) // 6 : (before + len(data)) * 8 // 6]
    return {whole, whole.replace("+", "-").replace("/", "_")}


def _grams(value: str) -> Iterator[str]:
    return (value[at : at + _GRAM] for at in range(len(value) - _GRAM + 1))


def _as_whole(value: str) -> str:
    pattern = rf"{PAD}{{1,4}}".join(map(re.escape, value.split()))
    if _PATH.fullmatch(value):
        return rf"(?<![\w.~-]){pattern.rstrip('/')}(?![\w-])"
    if value.isalpha():
        return rf"(?<![A-Za-z0-9]){pattern}(?![A-Za-z0-9])"
    return pattern
