"""The mind: what a session is doing, worked out from its pictures. No I/O, no clock.

Rule: other floors use the names of this front only.
"""

from .core import Conversation
from .machine import OPEN, TABLE, Phase, Sight

__all__ = ["OPEN", "TABLE", "Conversation", "Phase", "Sight"]
