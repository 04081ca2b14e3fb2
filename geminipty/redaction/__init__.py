"""Secrets hidden in recordings, while they are written and afterwards, by the same code.

Rule: no I/O. What is hidden keeps its width, so that the picture stays true; nothing else changes.
"""

from .cleaning import Cleaner, clean
from .covering import cover
from .headers import redact_header
from .known import HIDDEN
from .redactor import Redactor
from .stream import Stream
from .values import known_values

__all__ = [
    "HIDDEN",
    "Cleaner",
    "Redactor",
    "Stream",
    "clean",
    "cover",
    "known_values",
    "redact_header",
]
