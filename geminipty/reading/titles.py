"""Reads the window title, in which the CLI states its status from 0.25 on.

Rule: the title is a witness, never the judge. It says "ready" during start-up and most dialogs.
"""

from typing import Final

from geminipty.model import Status

from . import marks

_GAP: Final = "  "


def status_of(title: str) -> Status | None:
    """What the title says, or None if it says nothing about the status."""
    if title[1:3] != _GAP:
        return None
    return marks.TITLE_GLYPHS.get(title[0])


def is_static(title: str) -> bool:
    """Whether the title is the CLI's, but says nothing about its status."""
    return title.strip().startswith(marks.STATIC_TITLE.forms)
