"""Characters that take no column: combining marks, selectors, tags, what directs or joins text.

Rule: between the letters of a secret they change nothing for who reads it, so text is searched
without them as well. The soft hyphen is one of them, though terminals give it a column.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from geminipty.terminal import columns_of

_SOFT_HYPHEN: Final = "\xad"
#: All but the blocks of Unicode that are common on screens and have no such character.
_MAYBE: Final = re.compile(
    r"[^\x00-\xac\xae-\u02ff\u2000-\u200a\u2010-\u2027\u2030-\u205f\u20a0-\u20cf\u2100-\u2cee"
    r"\u3000-\u3029\u3030-\u3098\u309b-\ua66e\uac00-\ufaff\U0001f000-\U0001faff"
    r"\U00020000-\U0003ffff\U000f0000-\U0010ffff]"
)


def marks(text: str) -> Iterator[int]:
    """Where they stand in a text."""
    return (found.start() for found in _MAYBE.finditer(text) if _is_mark(found[0]))


def unmarked(text: str) -> str:
    """The text without them."""
    return _MAYBE.sub(lambda found: "" if _is_mark(found[0]) else found[0], text)


def is_wide(char: str) -> bool:
    """Whether a character takes columns."""
    return not _MAYBE.match(char) or columns_of(char) > 0


@lru_cache(maxsize=4096)
def _is_mark(char: str) -> bool:
    return char == _SOFT_HYPHEN or columns_of(char) == 0
