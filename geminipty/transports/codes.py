"""The events of a recording that only geminipty knows; players pass over them.

Rule: a code is one letter and its data a text, because other readers keep no more.
"""

from typing import Final

#: A look at the CLI that found nothing new; with BEHIND, that the one before was cut short.
MOMENT: Final = "t"
BEHIND: Final = "behind"
#: A call of the session's owner, as JSON: its name and what it was given.
VERB: Final = "v"
#: What the CLI's chat file said of the turn that ended, as JSON.
EXACT: Final = "e"
#: What the wire log said at that moment, as JSON: that there is one (null), a call of the model, or
#: whether it has all of them.
SAID: Final = "w"
#: JSON that is too long for one event comes in pieces; all but the last begin so.
MORE: Final = "+"
#: What the header holds for a replay, under one key.
HEADER: Final = "geminipty"
