"""The CLI's own chat files, so that a reply is the model's text to the character.

Rule: a chat file is a second witness. What it says is used whole or not at all, and nothing that
stands in one can make this package raise.
"""

from .agreement import agrees
from .files import parsed
from .log import ChatLog
from .replies import ExactReply, fits, merge

__all__ = ["ChatLog", "ExactReply", "agrees", "fits", "merge", "parsed"]
