"""The CLI's own chat files, so that a reply is the model's text.

Rule: a chat file is a second witness. What it says is used whole or not at all, and nothing that
stands in one can make this package raise.
"""

from .agreement import agrees
from .drops import kept
from .files import parsed
from .log import ChatLog
from .records import Message, Role, squeezed
from .replies import BETWEEN, ExactReply, exact_reply, fits, summed
from .restore import restored

__all__ = [
    "BETWEEN",
    "ChatLog",
    "ExactReply",
    "Message",
    "Role",
    "agrees",
    "exact_reply",
    "fits",
    "kept",
    "parsed",
    "restored",
    "squeezed",
    "summed",
]
