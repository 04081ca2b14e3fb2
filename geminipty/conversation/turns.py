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
from geminipty.reading import Block, BlockKind, Failure, Layout, Transcript, failure_of

from .replies import GrowingReply

_OVER = frozenset({ToolOutcome.SUCCESS, ToolOutcome.ERROR, ToolOutcome.CANCELLED})


class OpenTurn:
    """A turn that has not ended."""

    def __init__(self, prompt: str, started: float) -> None:
        self.prompt = prompt
        self.started = started
        self.dialogs: list[Dialog] = []
        self.busy = False
        self._reply = GrowingReply()
        self._tools: list[ToolCall] = []
        self._finished: set[int] = set()
        self._failure: Failure | None = None
        self._longest = ""
        self._lost = False
        self._blocks: Sequence[Block] = ()

    def update(
        self, transcript: Transcript, layout: Layout, at: float, *, whole: bool
    ) -> Iterator[Event]:
        """Take over what stands below the prompt; `whole` says that the CLI is ready again."""
        self._blocks = blocks = self._own(transcript)
        replies = [block for block in blocks if block.kind is BlockKind.REPLY]
        self._reply.update(transcript.rows, replies, transcript.changed, layout)
        tools = [tool for block in blocks for tool in block.tools]
        yield from self._changes(tools, at)
        self._failure = failure_of(transcript.rows, blocks)
        if delta := self._reply.tell(whole=whole):
            yield ReplyGrew(at=at, delta=delta)

    def _own(self, transcript: Transcript) -> Sequence[Block]:
        """The blocks below this turn's prompt."""
        blocks = transcript.blocks
        for index in range(len(blocks) - 1, -1, -1):
            if blocks[index].kind is BlockKind.PROMPT:
                if blocks[index].prompt == self.prompt:
                    self._lost = False
                    return blocks[index + 1 :]
                return blocks[index + 1 :]
        # The prompt has left the screen, and an alternate screen keeps nothing above it.
        self._lost = True
        return blocks

    def _changes(self, tools: list[ToolCall], at: float) -> Iterator[Event]:
        for index, tool in enumerate(tools):
            if index >= len(self._tools):
                yield ToolCalled(at=at, tool=tool)
            if tool.outcome in _OVER and index not in self._finished:
                self._finished.add(index)
                yield ToolFinished(at=at, tool=tool)
        if len(tools) >= len(self._tools):
            self._tools = tools

    @property
    def answered(self) -> bool:
        """Whether the model or the CLI has said something below the prompt."""
        return bool(self._reply.blocks or self._tools or self._failure)

    def turn(self, outcome: TurnOutcome, finished: float | None) -> Turn:
        """The turn as it stands."""
        text = self._reply.text
        reply = Reply(
            text=text,
            source=ReplySource.SCREEN,
            screen_text=text,
            tools=tuple(self._tools),
            truncated=self._lost,
        )
        return Turn(
            prompt=self.prompt,
            reply=reply,
            started=self.started,
            finished=finished,
            outcome=outcome,
            dialogs=tuple(self.dialogs),
        )

    def finish(self, at: float) -> Iterator[Event]:
        """The CLI is ready again: the event that ends the turn."""
        failure = self._failure
        if failure is None:
            yield TurnFinished(at=at, turn=self.turn(TurnOutcome.FINISHED, at))
            return
        cancelled = failure.reason is FailureReason.CANCELLED
        outcome = TurnOutcome.CANCELLED if cancelled else TurnOutcome.FAILED
        yield TurnAborted(
            at=at, turn=self.turn(outcome, at), reason=failure.reason, message=failure.message
        )
