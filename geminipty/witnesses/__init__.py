"""The witnesses beside the screen, so that a reply and a call are known to the sign.

Rule: a witness says what it saw and nothing else, and whatever stands in its file, it never raises.
"""

from .join import LiveWitnesses, Witnesses, merge
from .wirelog import WireCall, WireLog

__all__ = ["LiveWitnesses", "WireCall", "WireLog", "Witnesses", "merge"]
