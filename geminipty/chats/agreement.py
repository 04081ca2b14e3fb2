"""Whether a reply on the screen and a Markdown text say the same, so that it is decided once.

Rule: what drawing changes does not count: marks of Markdown, comments, wrapping, the frames of
tables, characters that take no column. Words, digits, their order and all other signs do. The cost
is linear in the length of the texts.
"""

import re
from typing import Final

from .drops import drawn, without_comments

_FENCE: Final = re.compile(r"^ *(```|~~~).*$", re.MULTILINE)
_INLINE: Final = re.compile(r"\*\*\*|\*\*|\*|`|~~|</?u>|^#{1,4} ", re.MULTILINE)
# Neither half may hold an opening bracket: a text of nothing but brackets is looked at once.
_LINK: Final = re.compile(r"\[([^\[\]]*)\]\(([^()]*)\)")
_RULE: Final = re.compile(r"^\|[-:| ]+\|$", re.MULTILINE)
#: Signs that the CLI draws otherwise, or not at all, in places that depend on the release.
_SIGNS: Final = "*_`~#|+-=<>[]()\\\u2022"
_FRAMES: Final = range(0x2500, 0x2580)
MARKS: Final = dict.fromkeys([*map(ord, _SIGNS), *_FRAMES])


def rendered(text: str) -> str:
    """What is left of a Markdown text when it is drawn: words, in order."""
    text = _RULE.sub("", _FENCE.sub("", text))
    text = _LINK.sub(r"\1 (\2)", text)
    return " ".join(_INLINE.sub("", text).replace("|", " ").split())


def bare(text: str) -> str:
    """A text without blanks, without what may not be drawn, and without the signs of Markdown."""
    return "".join(rendered(drawn(without_comments(text))).translate(MARKS).split())


def agrees(screen: str, exact: str) -> bool:
    """Whether the two say the same beyond Markdown rendering and wrapping; never raises."""
    return screen == exact or bare(screen) == bare(exact)
