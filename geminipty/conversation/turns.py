"""One turn under way: what follows its prompt in the transcript, and the events that this makes.

Rule: a reply counts only what came after this turn's prompt.
"""

from collections.abc import Iterator, Sequence

from geminipty.errors import FailureReason
from geminipty.model import (
    Dialog,
    Event,
    Reply,
    ReplyGrew,
    ReplySource,
    ToolCall,
    ToolCalled,
    ToolFinished,
    ToolOutcome,
    Turn,
    TurnAborted,
    TurnFinished,
    TurnOutcome,
)
from geminipty.reading import (
    Block,
    BlockKind,
    Failure,
    Layout,
    Reading,
    Transcript,
    failure_of,
)

from .prompts import is_same
from .replies import BETWEEN, GrowingReply, once

_ANSWERABLE = frozenset({ToolOutcome.SUCCESS, ToolOutcome.ERROR})
_OVER = _ANSWERABLE | {ToolOutcome.CANCELLED}


class OpenTurn:
    """A turn that has not ended."""

    def __init__(self, prompt: str, started: float, *, typed: bool) -> None:
        self.prompt = prompt
        self.started = started
        #: The prompt was seen in the composer before.
        self.typed = typed
        self.dialogs: list[Dialog] = []
        self._reply = GrowingReply()
        self._tools: list[ToolCall] = []
        self._finished: set[int] = set()
        self._failure: Failure | None = None
        self._lost = False
        #: What stood between the prompt before and this one, as it was drawn.
        self._above: list[str] | None = None
        #: How many prompts stood there with it, at most.
        self._prompts = 0

    def update(
        self, transcript: Transcript, layout: Layout, at: float, *, whole: bool, skip: int = 0
    ) -> Iterator[Event]:
        """Take over what stands below the prompt.

        `whole` says that what stands there will not grow, because the CLI is ready or asks;
        `skip` that newer prompts stand below it.
        """
        blocks = self._own(transcript, skip)
        replies = [block for block in blocks if block.kind is BlockKind.REPLY]
        self._reply.update(transcript.rows, replies, transcript.changed, layout)
        tools = [tool for block in blocks for tool in block.tools]
        yield from self._changes(tools, at)
        if whole:
            self._failure = failure_of(transcript.rows, blocks)
        settled = whole or bool(blocks and blocks[-1].kind is BlockKind.TOOL)
        if delta := self._reply.tell(whole=settled):
            yield ReplyGrew(at=at, delta=delta)

    def _own(self, transcript: Transcript, skip: int) -> Sequence[Block]:
        """The blocks below this turn's prompt and above the next."""
        blocks = transcript.blocks
        end = len(blocks)
        for index in range(len(blocks) - 1, -1, -1):
            if blocks[index].kind is not BlockKind.PROMPT:
                continue
            if skip:
                skip -= 1
                end = index
                continue
            below = blocks[index + 1 : end]
            if not is_same(blocks[index].prompt, self.prompt):
                self._lost = True
                return self._not_above(transcript, below)
            if len(blocks[index].prompt) > len(self.prompt):
                self.prompt = blocks[index].prompt
            if self._above is None:
                self._above = _between(transcript, index)
            self._prompts = max(self._prompts, len(transcript.prompts))
            # With fewer prompts this may be the one before, if that says the same.
            gone = len(transcript.prompts) < self._prompts
            own = self._not_above(transcript, below) if gone else below
            self._lost = len(own) < len(below)
            return own
        # The prompt has left the screen, and an alternate screen keeps nothing above it.
        self._lost = True
        return blocks[:end]

    def _not_above(self, transcript: Transcript, blocks: Sequence[Block]) -> Sequence[Block]:
        """The blocks without those of the turn before, from which a prompt parts them no more.

        0.61.0 draws over a prompt when a dialog that is higher than the screen closes.
        """
        above = list(self._above or ())
        start = 0
        for block in blocks:
            drawn = _drawn(transcript, block)
            if drawn not in above:
                break
            above = above[above.index(drawn) + 1 :]
            start += 1
        return blocks[start:]

    def _changes(self, tools: list[ToolCall], at: float) -> Iterator[Event]:
        for index, tool in enumerate(tools):
            if index >= len(self._tools):
                yield ToolCalled(at=at, tool=tool)
            if tool.outcome in _OVER and index not in self._finished:
                self._finished.add(index)
                yield ToolFinished(at=at, tool=tool)
        if len(tools) >= len(self._tools):
            self._tools = tools

    def awaits_answer(self, reading: Reading) -> bool:
        """Whether a picture shows that tools ended, and nothing that the model said since."""
        ended = replies = 0
        for block in reversed(reading.blocks):
            if block.kind is BlockKind.PROMPT:
                break
            # Where tools are denied, the turn is over.
            ended += sum(tool.outcome in _ANSWERABLE for tool in block.tools)
            replies += block.kind is BlockKind.REPLY
        return ended > len(self._finished) and replies <= len(self._reply.blocks)

    @property
    def answered(self) -> bool:
        """Whether the model or the CLI has said something below the prompt."""
        return bool(self._reply.blocks or self._tools or self._failure)

    @property
    def text(self) -> str:
        """The reply as the screen shows it, without what it shows twice."""
        texts, _ = once(self._reply.texts)
        return BETWEEN.join(texts)

    def turn(self, outcome: TurnOutcome, finished: float | None) -> Turn:
        """The turn as it stands."""
        texts, repeated = once(self._reply.texts)
        text = BETWEEN.join(texts)
        lost = self._lost
        told = self._reply.told
        if not self._reply.revised and len(told) > len(text) and told.startswith(text):
            text, lost = told, True  # lines that were there are gone
        reply = Reply(
            text=text,
            source=ReplySource.SCREEN,
            screen_text=text,
            tools=tuple(self._tools),
            truncated=lost or repeated or self._reply.is_torn,
        )
        return Turn(
            prompt=self.prompt,
            reply=reply,
            started=self.started,
            finished=finished,
            outcome=outcome,
            dialogs=tuple(self.dialogs),
        )

    def leave(self, why: str = "the CLI ended") -> None:
        """The CLI ended, or was interrupted, before the turn told its end."""
        self._failure = self._failure or Failure(FailureReason.CANCELLED, why)

    def finish(self, at: float) -> TurnFinished | TurnAborted:
        """The CLI is ready again: the event that ends the turn."""
        failure = self._failure
        if failure is None:
            return TurnFinished(at=at, turn=self.turn(TurnOutcome.FINISHED, at))
        cancelled = failure.reason is FailureReason.CANCELLED
        outcome = TurnOutcome.CANCELLED if cancelled else TurnOutcome.FAILED
        turn = self.turn(outcome, at)
        return TurnAborted(at=at, turn=turn, reason=failure.reason, message=failure.message)


def _between(transcript: Transcript, index: int) -> list[str]:
    """What is drawn between the prompt at an index of the blocks and the prompt before it."""
    drawn: list[str] = []
    for block in reversed(transcript.blocks[:index]):
        if block.kind is BlockKind.PROMPT:
            break
        drawn.append(_drawn(transcript, block))
    return drawn[::-1]


def _drawn(transcript: Transcript, block: Block) -> str:
    return "\n".join(row.text for row in transcript.rows[block.start : block.end])
