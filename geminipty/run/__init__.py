"""One run of the CLI, without the waiting: what both faces share.

Rule: other floors use the names of this front only.
"""

from .hiding import Hiding
from .run import Run
from .stages import Live, Played
from .wire import USE_DEFAULT, OnTimeout, Steps, Timeout, UseDefault

__all__ = [
    "USE_DEFAULT",
    "Hiding",
    "Live",
    "OnTimeout",
    "Played",
    "Run",
    "Steps",
    "Timeout",
    "UseDefault",
]
