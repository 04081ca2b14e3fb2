"""The eyes: a Frame in, a Reading out. Pure, with no I/O and no clock.

Rule: other floors use the names of this front only.
"""

from geminipty.terminal import Frame

from .blocks import Block, BlockKind
from .composer import Composer, Mode
from .failures import Failure, failure_of
from .labels import labels
from .lines import is_table_top
from .live import Live, look
from .prompts import SHELL_KEY, is_chore, is_command, is_stand_in, stand_ins
from .questions import allowing_choice, asks_again, denies, denying_choice, unasked_choice
from .reading import Evidence, Reading, Witness
from .status import decide
from .text import Layout, Paragraph, paragraphs, separator, text_of
from .transcript import Transcript

__all__ = [
    "SHELL_KEY",
    "Block",
    "BlockKind",
    "Composer",
    "Evidence",
    "Failure",
    "Layout",
    "Live",
    "Mode",
    "Paragraph",
    "Reading",
    "Transcript",
    "Witness",
    "allowing_choice",
    "asks_again",
    "denies",
    "denying_choice",
    "failure_of",
    "is_chore",
    "is_command",
    "is_stand_in",
    "is_table_top",
    "labels",
    "paragraphs",
    "read",
    "separator",
    "stand_ins",
    "text_of",
    "unasked_choice",
]


def read(frame: Frame) -> Reading:
    """What a picture says; never raises, whatever is on it."""
    live = look(frame)
    status, evidence, dialog = decide(frame, live)
    return Reading(frame, status, evidence, live, dialog)
