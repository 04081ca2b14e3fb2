"""A command to the CLI itself, or one for its shell mode.

Rule: the end of a command cannot be seen. It is taken for done when the composer is empty, and
nothing has moved for a while: a short one if the command has printed something, else a long one.
"""

from typing import Final

from geminipty.model import Event, Status, TurnAborted, TurnFinished
from geminipty.reading import Block, BlockKind, Mode, Reading

from .approvals import Policy
from .errands import TurnErrand
from .hands import Hand, Stop, Submit
from .modes import Toggle

SETTLED: Final = 0.3
SILENT: Final = 1.5


class CommandErrand(TurnErrand):
    """A command to the CLI itself, or one for the shell: done when all stands still again."""

    def __init__(self, text: str, *, shell: bool, policy: Policy, seconds: float | None) -> None:
        mode = frozenset({Mode.SHELL}) if shell else frozenset({Mode.CHAT, Mode.YOLO})
        submit = Submit(text, mode=mode, command=True)
        super().__init__(Toggle(shell=True) if shell else submit, policy=policy, seconds=seconds)
        self._submit = submit
        self._shell = shell
        self._taken = False
        self._settles: float | None = None
        #: How many prompts and commands stood in the transcript before.
        self._before: int | None = None
        self._wait = SILENT

    @property
    def due(self) -> float | None:
        """When to look again, even if nothing came."""
        dues = (super().due, self._settles if self._hand is None else None)
        return min((due for due in dues if due is not None), default=None)

    def handed(self, hand: Hand, reading: Reading, now: float) -> None:
        """Go on with the next of: into shell mode, the command, out of shell mode."""
        if isinstance(hand, Toggle):
            if self._taken:
                self.over = True
            else:
                self._hand = self._submit
        elif hand is self._submit:
            self._taken = True
            self._settles = now + SILENT
        elif isinstance(hand, Stop):
            self.fail(self.timeout(None, reading))
        else:
            self._hand, self._later = self._later, None

    def hear(self, event: Event) -> None:
        """A turn that the command began must end first; the end of the CLI ends all."""
        if isinstance(event, TurnFinished | TurnAborted):
            self.event = event
        elif event.kind == "closed":
            self.over = True

    def see(self, reading: Reading, now: float, *, fresh: bool) -> None:
        """Be done when the CLI is ready and nothing has moved for a while."""
        super().see(reading, now, fresh=fresh)
        if self._before is None:
            self._before = len(_prompts(reading))
        if not self._taken or self.over or self._hand is not None:
            return
        composer = reading.composer
        ready = reading.status is Status.READY and composer is not None and not composer.text
        if fresh:
            self._wait = SETTLED if self._has_printed(reading) else SILENT
        if fresh or not ready:
            self._settles = now + self._wait
        elif self._settles is not None and now >= self._settles:
            self._settles = None
            if self._shell:
                self._hand = Toggle(shell=False)
            else:
                self.over = True

    def _has_printed(self, reading: Reading) -> bool:
        """Whether the command stands in the transcript, with something below it."""
        prompts = _prompts(reading)
        if len(prompts) <= (self._before or 0):
            return False
        below = reading.transcript[prompts[-1].end :]
        return any(row.text.strip() for row in below)


def _prompts(reading: Reading) -> list[Block]:
    return [block for block in reading.blocks if block.kind is BlockKind.PROMPT]
