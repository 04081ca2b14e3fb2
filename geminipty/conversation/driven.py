"""A conversation that is led: errands in, keys out.

Rule: a key is typed only by what the newest picture says. While a picture is unfinished, doubted,
or more text waits to be read, nothing is typed.
"""

from typing import TYPE_CHECKING

from geminipty.model import Event, Turn, TurnOutcome
from geminipty.terminal import QUIET, Frame, Key, Work

from .core import Conversation
from .errands import Errand, TurnErrand
from .machine import OPEN, Phase

if TYPE_CHECKING:
    from geminipty.reading import Reading


class DrivenConversation(Conversation):
    """A Conversation that carries out one errand at a time."""

    def __init__(
        self,
        columns: int = 80,
        lines: int = 24,
        *,
        quiet: float = QUIET,
        work: Work | None = None,
    ) -> None:
        super().__init__(columns, lines, quiet=quiet, work=work)
        self._errand: Errand | None = None
        self._outbox: list[str] = []
        self._looked: Reading | None = None
        #: More text waits to be received: what is seen is not the newest picture.
        self.behind = False

    def begin(self, errand: Errand, now: float) -> None:
        """Carry out an errand; `tick` follows, and again whenever `deadline` has come."""
        self._errand = errand
        self._looked = None
        errand.calls = self.calls
        errand.begin(now)

    def drop(self) -> None:
        """Forget the errand: nobody waits for it, and nothing more is typed for it."""
        self._errand = None

    def tick(self, now: float) -> None:
        """Say what time it is: after each `receive`, and when `deadline` has come."""
        super().tick(now)
        errand = self._errand
        if errand is None:
            return
        if not errand.over:
            fresh = self.reading is not self._looked
            if self.is_still:
                self._looked = self.reading
            text = errand.look(self.reading, now, fresh=fresh, still=self.is_still)
            if text == Key.ENTER and isinstance(errand, TurnErrand) and errand.entered:
                self.entered()
            self._outbox.append(text)
            if errand.replaced:
                errand.replaced = False
                self.replace_dialog()
        if errand.over:
            self._errand = None

    @property
    def is_still(self) -> bool:
        """Whether the Reading is of the newest picture, and no other is on its way."""
        return not self.behind and self._terminal.is_whole and self._doubts.due is None

    @property
    def deadline(self) -> float | None:
        """When `tick` is to be called next, or None if that can wait for text."""
        errand = self._errand
        # What an errand waits for by the clock, it can act on only while all is still.
        acts = None if errand is None else errand.due if self.is_still else errand.expires
        due = (super().deadline, acts)
        return min((moment for moment in due if moment is not None), default=None)

    def data_to_send(self) -> str:
        """What is to be written to the CLI: answers to its queries, and keys."""
        typed, self._outbox = "".join(self._outbox), []
        return super().data_to_send() + typed

    @property
    def turn_is_open(self) -> bool:
        """Whether a turn is under way."""
        return self._turn is not None or self.phase in OPEN

    def give_up(self) -> None:
        """Say that the turn under way is over: the CLI is ready, and tells nothing of its end."""
        self.phase = Phase.DONE
        if self._turn is not None:
            self._turn.leave("interrupted")
            self._finish()

    @property
    def partial(self) -> Turn | None:
        """The turn that is under way, as far as it came."""
        return self._turn.turn(TurnOutcome.OPEN, None) if self._turn else None

    @property
    def frame(self) -> Frame:
        """The screen as it stands, for an error to show."""
        return self._terminal.picture()

    @property
    def printed(self) -> str:
        """What stands below the last prompt or command, as text."""
        return self._transcript.below_prompt()

    @property
    def shell_output(self) -> str:
        """What the last tool shows, which is the shell's; all that was printed if there is none."""
        tools = [tool for block in self._transcript.blocks[-1:] for tool in block.tools]
        return tools[-1].output if tools else self.printed

    def _tell(self, event: Event) -> None:
        super()._tell(event)
        if self._errand is not None:
            self._errand.hear(event)
