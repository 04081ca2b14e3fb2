"""The glass: text in, Frames out. A terminal with no I/O and no clock.

Rule: other floors use the names of this front only.
"""

from .cells import columns_of
from .frames import QUIET, Cut, Frame
from .grid import Scrolled
from .keys import Key, cleaned, paste, pasteable, typed
from .pens import Pen
from .printed import Printed
from .queries import Query
from .rows import Row
from .screen import Screen
from .terminal import Terminal
from .work import LINE, Work

__all__ = [
    "LINE",
    "QUIET",
    "Cut",
    "Frame",
    "Key",
    "Pen",
    "Printed",
    "Query",
    "Row",
    "Screen",
    "Scrolled",
    "Terminal",
    "Work",
    "cleaned",
    "columns_of",
    "paste",
    "pasteable",
    "typed",
]
