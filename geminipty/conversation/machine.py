"""The phases of a turn as a table: phase and what was seen give the next phase.

Rule: this file knows nothing else. What is seen is worked out elsewhere, and so is what a change
of phase means; docs/reading.md prints this table.
"""

from enum import StrEnum
from typing import Final


class Phase(StrEnum):
    """How far the turn is."""

    WAITING = "waiting"  #: no prompt was given yet
    ENTERED = "entered"  #: Enter was typed, and nothing proves yet that the CLI took the prompt
    SUBMITTED = "submitted"  #: the prompt stands in the transcript
    WORKING = "working"  #: a busy sign was seen
    ASKING = "asking"  #: a dialog is open
    DONE = "done"  #: the CLI is ready again
    CLOSED = "closed"  #: the CLI has ended


class Sight(StrEnum):
    """What a Reading means for the turn."""

    PROMPT = "prompt"  #: a new prompt stands in the transcript
    ANSWER = "answer"  #: READY, and something follows a prompt that was seen being typed
    READY = "ready"
    WORKING = "working"
    ASKING = "asking"
    QUEUED = "queued"
    STARTING = "starting"
    UNKNOWN = "unknown"
    CLOSED = "closed"


_W, _E, _S, _B, _A, _D, _C = Phase

#: Per phase, the next one for each sight in the order of Sight. READY ends a turn only after a
#: busy sign or an answer: for a moment after Enter the CLI still looks ready.
_ROWS: Final[dict[Phase, tuple[Phase, ...]]] = {
    # sight:        PROMPT ANSWER READY WORKING ASKING QUEUED STARTING UNKNOWN CLOSED
    Phase.WAITING: (_S, _W, _W, _W, _W, _W, _W, _W, _C),
    Phase.ENTERED: (_S, _E, _E, _B, _A, _E, _E, _E, _C),
    Phase.SUBMITTED: (_S, _D, _S, _B, _A, _S, _S, _S, _C),
    Phase.WORKING: (_S, _D, _D, _B, _A, _B, _B, _B, _C),
    Phase.ASKING: (_S, _D, _D, _B, _A, _A, _A, _A, _C),
    Phase.DONE: (_S, _D, _D, _D, _D, _D, _D, _D, _C),
    Phase.CLOSED: (_C, _C, _C, _C, _C, _C, _C, _C, _C),
}

TABLE: Final[dict[tuple[Phase, Sight], Phase]] = {
    (phase, sight): after
    for phase, row in _ROWS.items()
    for sight, after in zip(Sight, row, strict=True)
}

#: Phases in which a turn is under way.
OPEN: Final = frozenset({Phase.SUBMITTED, Phase.WORKING, Phase.ASKING})
