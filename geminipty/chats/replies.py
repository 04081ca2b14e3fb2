"""What a witness beside the screen says of one turn.

Rule: a reply says who its witness is, and is complete only if no tool of it waits for an answer.
"""

from collections.abc import Sequence
from typing import Final

from pydantic import BaseModel, ConfigDict

from geminipty.model import ReplySource, Thought, ToolCall, ToolOutcome, Usage

from .agreement import bare
from .records import Message, Role

#: Between the messages of one turn, as between the blocks of one on the screen.
BETWEEN: Final = "\n\n"


class ExactReply(BaseModel):
    """A reply as the CLI's chat file or its wire log has it."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    text: str  #: what the model sent; to the character if the wire log is the source
    source: ReplySource = ReplySource.CHAT_FILE
    #: What the screen shows of it, where that is more: answers that the CLI threw away.
    drawn: str | None = None
    tools: tuple[ToolCall, ...] = ()
    thoughts: tuple[Thought, ...] = ()
    model: str | None = None
    usage: Usage | None = None
    #: The model has spoken, and no tool of it waits for an answer.
    complete: bool = False


def exact_reply(messages: Sequence[Message]) -> ExactReply:
    """The reply that the messages after a prompt make."""
    replies = [message for message in messages if message.role is Role.REPLY]
    models = [message.model for message in replies if message.model]
    return ExactReply(
        text=BETWEEN.join(message.text for message in replies if message.text.strip()),
        tools=tuple(tool for message in replies for tool in message.tools),
        thoughts=tuple(thought for message in replies for thought in message.thoughts),
        model=models[-1] if models else None,
        usage=summed([message.usage for message in replies if message.usage]),
        complete=bool(replies) and not _awaits_answer(messages),
    )


def _awaits_answer(messages: Sequence[Message]) -> bool:
    """Whether tools ended last: the model answers them, unless one was denied or an error came."""
    for message in reversed(messages):
        if message.role is Role.REPLY:
            outcomes = {tool.outcome for tool in message.tools}
            return bool(outcomes) and ToolOutcome.CANCELLED not in outcomes
        if message.role is Role.NOTICE:
            return False
    return False


def summed(usages: Sequence[Usage]) -> Usage | None:
    """The tokens of several answers; None if none has any."""
    if not usages:
        return None
    return Usage(**{key: sum(getattr(u, key) for u in usages) for key in Usage.model_fields})


def fits(exact: ExactReply | None, screen_text: str) -> bool:
    """Whether the record is complete and has at least the text that the screen shows.

    At the moment when the CLI turns ready this is so (58 of 58 turns measured); if not, look
    again within a quarter of a second.
    """
    if exact is None or not exact.complete:
        return False
    screen, text = bare(screen_text), bare(exact.drawn or exact.text)
    return screen == text or len(screen) < len(text)
