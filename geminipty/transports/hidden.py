"""Texts of a recording in which something was hidden, compared with the whole ones.

Rule: what was hidden counts for any text that takes as many columns at most; all else is compared
to the character.
"""

import re

from geminipty.redaction import HIDDEN


def same(recorded: str, text: str) -> bool:
    """Whether `recorded` is `text`, or was before secrets in it were hidden."""
    if HIDDEN not in recorded:
        return recorded == text
    parts = re.split(f"({HIDDEN}+)", recorded)
    pattern = "".join(
        f".{{1,{len(part)}}}" if part.startswith(HIDDEN) else re.escape(part) for part in parts
    )
    return re.fullmatch(pattern, text, re.DOTALL) is not None
