"""Stories: what a user does with the CLI and what a scripted model answers, told for any release.

Rule: a recording of ours is made from its story and can be made again; nobody edits one by hand.
docs/stories.md tells how to add a story and how to add a release.
"""

from .checking import Checked, check, stale
from .index import Entry, read_index
from .making import Job, Made, Maker, place_of
from .story import Ask, Command, Shell, Story, differences, perform
from .told import RELEASES, STORIES

__all__ = [
    "RELEASES",
    "STORIES",
    "Ask",
    "Checked",
    "Command",
    "Entry",
    "Job",
    "Made",
    "Maker",
    "Shell",
    "Story",
    "check",
    "differences",
    "perform",
    "place_of",
    "read_index",
    "stale",
]
