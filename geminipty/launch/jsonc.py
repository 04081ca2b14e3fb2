"""Reads the user's settings as the CLI reads them: JSON in which people have left comments.

Rule: nothing inside a string is touched, and an error keeps the line and column of the file.
"""

import json
import re
from typing import Any, Final

#: A string, or a comment, or a comma that only blanks and comments part from a closing bracket.
_TOKEN: Final = re.compile(
    r'"(?:[^"\\]|\\.)*"?'
    r"|//[^\n]*|/\*.*?(?:\*/|\Z)"
    r"|,(?=(?>\s|//[^\n]*|/\*.*?\*/)*+[}\]])",
    re.DOTALL,
)


def parse(text: str) -> Any:
    """Return what JSON with comments and trailing commas says; raises ValueError with the place."""
    return json.loads(_TOKEN.sub(_blank, text.removeprefix("\ufeff")))


def _blank(token: re.Match[str]) -> str:
    """Keep a string; turn the rest into blanks of the same shape, so that places stay right."""
    found = token[0]
    return found if found.startswith('"') else re.sub(r"[^\n]", " ", found)
