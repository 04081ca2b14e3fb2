"""What the CLI leaves out of a reply, on the screen and in its chat file.

Rule: every character here was seen to be left out, or never; docs/replies.md has the table by
release. The cost is linear in the length of a text.
"""

import re
from typing import Final
from unicodedata import category

#: Left out of the chat file from 0.54 on.
_UNKEPT: Final = re.compile("[\u200b-\u200f\ufeff]")
#: Left out of the screen by one release or another, beside what a terminal takes for a command.
_UNDRAWN: Final = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u061c\u115f\u1160\u180e\u200b-\u200f\u202a-\u202e"
    "\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb\U00013430-\U00013438\U0001bca0-\U0001bca3"
    "\U0001d173-\U0001d17a]"
)
_COMMANDS: Final = re.compile(
    "(?:\x1b\\[|\x9b)[0-?]*[ -/]*[@-~]|\x1b\\][^\x07\x1b]{0,10000}(?:\x07|\x1b\\\\)"
)
#: A mark at the beginning of a row has no cell to stand in.
_LONE: Final = re.compile(r"(^|\s)([^\w\s]+)")
#: How often comments are taken out of what the last time has made a comment of.
_ROUNDS: Final = 4


def kept(text: str) -> str:
    """What the chat file of a new release keeps of a text, apart from blanks at its ends."""
    text = _UNKEPT.sub("", text)
    for _ in range(_ROUNDS):
        text, before = without_comments(text), text
        if text == before:
            break
    return text


def drawn(text: str) -> str:
    """What every release draws of a text, apart from blanks."""
    return _LONE.sub(_without_marks, _UNDRAWN.sub("", _COMMANDS.sub("", text)))


def _without_marks(found: re.Match[str]) -> str:
    """What stands behind a blank, without marks that have no letter to stand on."""
    text = found[2]
    marks = 0
    while marks < len(text) and category(text[marks]) in ("Mn", "Me"):
        marks += 1
    return found[1] + text[marks:]


def without_comments(text: str) -> str:
    """A text without its HTML comments."""
    parts = []
    at = 0
    for start, end in comments(text):
        parts.append(text[at:start])
        at = end
    return "".join((*parts, text[at:]))


def comments(text: str) -> list[tuple[int, int]]:
    """Where the HTML comments of a text begin and end."""
    found = []
    end = 0
    while (start := text.find("<!--", end)) >= 0 and (close := text.find("-->", start + 4)) >= 0:
        end = close + 3
        found.append((start, end))
    return found
