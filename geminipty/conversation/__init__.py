"""The mind: what a session is doing, worked out from its pictures. No I/O, no clock.

Rule: other floors use the names of this front only.
"""

from .approvals import Anyway, Policy, answered, waiting
from .attachments import check_left_out, refused
from .calls import LOOPS
from .commands import CommandErrand
from .core import Conversation
from .driven import DrivenConversation
from .errands import Errand, TurnErrand
from .hands import Hand, Stop, Submit
from .machine import OPEN, TABLE, Phase, Sight
from .safety import safe_command, safe_initial_prompt, safe_prompt
from .starting import SIGN_IN, Start

__all__ = [
    "LOOPS",
    "OPEN",
    "SIGN_IN",
    "TABLE",
    "Anyway",
    "CommandErrand",
    "Conversation",
    "DrivenConversation",
    "Errand",
    "Hand",
    "Phase",
    "Policy",
    "Sight",
    "Start",
    "Stop",
    "Submit",
    "TurnErrand",
    "answered",
    "check_left_out",
    "refused",
    "safe_command",
    "safe_initial_prompt",
    "safe_prompt",
    "waiting",
]
