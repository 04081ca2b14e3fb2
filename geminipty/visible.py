"""Text made fit to be looked at: what would steer the reader's program, or hide, is named.

Rule: nothing that leaves here moves a cursor, turns the direction of text, or breaks XML; newlines
and tabs stay. All that geminipty prints or puts into an error passes here.
"""

import re
from html import escape
from typing import Final

#: Characters that turn the direction of the text after them. They take no column.
_BIDI: Final = "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"
#: C0, DEL and C1, line and paragraph separator, half characters, and two that XML forbids.
_CONTROLS: Final = "\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\ufffe\uffff"
_UNSAFE: Final = re.compile(f"[{_BIDI}{_CONTROLS}]")


def visible(text: str) -> str:
    """The text with each unsafe character named, as in ⟨U+202E⟩."""
    return _UNSAFE.sub(lambda found: f"⟨U+{ord(found[0]):04X}⟩", text)


def markup(text: str) -> str:
    """The text for HTML and XML, in an element or a quoted attribute."""
    return escape(visible(text))


def drawable(cell: str) -> str:
    """A cell's characters for a picture, where a name would take columns that it has not."""
    return _UNSAFE.sub("", cell).replace("\t", "").replace("\n", "") or ("\ufffd" if cell else "")


def short(text: str, width: int = 100) -> str:
    """The text in one line of at most `width` characters."""
    text = visible(" ".join(text.split()))
    return text if len(text) <= width else text[: width - 1] + "…"
