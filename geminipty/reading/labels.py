"""Says of each row of a picture what it was taken for, so that people can check the reading.

Rule: the labels repeat what the Reading says; nothing is decided here.
"""

from typing import Final

from geminipty.model import Choice

from . import marks
from .reading import Reading
from .rows import Kind

_BULLETS: Final = frozenset(marks.SELECTED.forms + marks.UNSELECTED.forms)


def labels(reading: Reading) -> list[str]:
    """What each row of the screen was taken for; blank rows of no part have an empty label."""
    live = reading.live
    names = [""] * len(live.rows)
    above = len(reading.frame.scrolled)
    for block in reading.blocks:
        for y in range(max(block.start - above, 0), max(block.end - above, 0)):
            names[y] = block.kind.value
    for y in range(reading.end, len(live.rows)):
        if live.notes[y].kind is not Kind.BLANK:
            names[y] = "screen"
    _live(reading, names)
    return names


def _live(reading: Reading, names: list[str]) -> None:
    live = reading.live
    composer = live.composer
    if composer is not None:
        for y in range(live.top, composer.top):
            if live.notes[y].kind is not Kind.BLANK:
                names[y] = "mode" if live.status is not None and y > live.status else "hint"
        for y in range(composer.top, composer.bottom + 1):
            names[y] = "composer"
        for y in range(composer.bottom + 1, len(names)):
            names[y] = names[y] and "footer"
        if live.status is not None:
            names[live.status] = "status"
        if live.queued:
            for y in range(live.top, composer.top):
                if live.rows[y].text.strip() in live.queued:
                    names[y] = "queued"
    if live.box is not None and reading.dialog is not None:
        choices = list(reading.dialog.choices)
        for y in range(live.box[1], max(live.box[0], 0) - 1, -1):
            # From the bottom, each choice once: the body may say the same.
            names[y] = "dialog"
            if choices and _shows(live.rows[y].text, choices[-1]):
                names[y] = "choice"
                choices.pop()
    if live.spinner is not None:
        names[live.spinner] = "spinner"


def _shows(text: str, choice: Choice) -> bool:
    """Whether a row is the one of a choice."""
    marked = f" {choice.number}. " in text or not _BULLETS.isdisjoint(text)
    return marked and choice.label[:20] in text
