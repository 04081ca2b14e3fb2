"""Puts back into a chat file's text what the CLI took out of it and the screen still shows.

Rule: nothing is put in but what the CLI is known to take out, between the same two signs; a screen
that does not show all signs of the text changes nothing. The cost is linear.
"""

from collections.abc import Iterator

from .agreement import MARKS
from .drops import comments, drawn, kept


def restored(text: str, screen: str) -> str:
    """The text with the joiners and comments that the screen has in it."""
    if kept(screen) == screen:
        return text
    here, there = list(_signs(text)), list(_signs(screen, comments(screen)))
    if _at(text, here) != _at(screen, there):
        return text
    parts = []
    for mine, other in zip(_gaps(text, here), _gaps(screen, there), strict=True):
        parts.append(other if mine != other and kept(other) == mine else mine)
    signs = [text[at] for at in here]
    return "".join(gap + sign for gap, sign in zip(parts, [*signs, ""], strict=True))


def _signs(text: str, hidden: list[tuple[int, int]] | None = None) -> Iterator[int]:
    """Where the signs stand that a screen and a chat file have alike."""
    spans = iter(hidden or ())
    start, end = next(spans, (len(text), len(text)))
    for at, sign in enumerate(text):
        if at >= end:
            start, end = next(spans, (len(text), len(text)))
        if start <= at < end or sign.isspace() or ord(sign) in MARKS:
            continue
        if sign < "\x7f" or drawn(sign):
            yield at


def _at(text: str, places: list[int]) -> str:
    return "".join(text[at] for at in places)


def _gaps(text: str, places: list[int]) -> Iterator[str]:
    """What stands before the first sign, between two, and behind the last."""
    begin = 0
    for at in places:
        yield text[begin:at]
        begin = at + 1
    yield text[begin:]
