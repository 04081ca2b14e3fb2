"""What a chat file says of one turn, and how it is joined with what the screen says.

Rule: the text is taken whole from one of the two witnesses. Tools, thoughts and tokens come from
the chat file; what only the screen knows stays.
"""

from collections.abc import Sequence
from typing import Final

from pydantic import BaseModel, ConfigDict

from geminipty.model import (
    ReplySource,
    Thought,
    ToolCall,
    ToolOutcome,
    Turn,
    TurnOutcome,
    Usage,
)

from .agreement import agrees, bare
from .records import Message, Role, squeezed

#: Between the messages of one turn, as between the blocks of one on the screen.
_BETWEEN: Final = "\n\n"


class ExactReply(BaseModel):
    """A reply as the CLI's chat file has it."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    text: str  #: what the model sent, to the character
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
        text=_BETWEEN.join(message.text for message in replies if message.text.strip()),
        tools=tuple(tool for message in replies for tool in message.tools),
        thoughts=tuple(thought for message in replies for thought in message.thoughts),
        model=models[-1] if models else None,
        usage=_sum([message.usage for message in replies if message.usage]),
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


def _sum(usages: Sequence[Usage]) -> Usage | None:
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
    screen, text = bare(screen_text), bare(exact.text)
    return screen == text or len(screen) < len(text)


def merge(turn: Turn, exact: ExactReply | None, *, raw: bool = False) -> Turn:
    """The turn with the chat file's text, its tools, thoughts, model and tokens.

    A turn that was cancelled or failed half-way keeps the screen's text, because no file has the
    part that was written last; so does a turn whose record is not complete. `raw` says that the
    screen shows replies as the model sent them: then they agree to the sign.
    """
    if exact is None:
        return turn
    reply = turn.reply
    known: dict[str, object] = {
        "tools": _all_tools(reply.tools, exact.tools),
        "thoughts": exact.thoughts,
        "model": exact.model,
        "usage": exact.usage,
    }
    if _has_text(turn, exact):
        known |= {"text": exact.text, "source": ReplySource.CHAT_FILE}
        same = _same(reply.screen_text, exact.text, raw=raw)
        # Of a screen that lost lines nobody expects that it agrees.
        known["agreement"] = same or (None if reply.truncated else False)
    return turn.model_copy(update={"reply": reply.model_copy(update=known)})


def _has_text(turn: Turn, exact: ExactReply) -> bool:
    """Whether the chat file has all the text of a turn."""
    if not exact.complete or (turn.reply.screen_text and not exact.text):
        return False
    if turn.outcome is TurnOutcome.FAILED:
        return fits(exact, turn.reply.screen_text)
    return turn.outcome is TurnOutcome.FINISHED


def _same(screen: str, exact: str, *, raw: bool) -> bool:
    return squeezed(screen) == squeezed(exact) if raw else agrees(screen, exact)


def _all_tools(screen: Sequence[ToolCall], exact: Sequence[ToolCall]) -> tuple[ToolCall, ...]:
    """The file's tools, and between them those that only the screen knows, by order and name."""
    result: list[ToolCall] = []
    at = 0
    for seen in screen:
        same = (i for i in range(at, len(exact)) if _is_same(seen, exact[i]))
        if (found := next(same, None)) is None:
            result.append(seen)
            continue
        result += exact[at:found]
        result.append(_joined(seen, exact[found]))
        at = found + 1
    return (*result, *exact[at:])


def _joined(seen: ToolCall, known: ToolCall) -> ToolCall:
    """A call that both know: the screen's argument line, unless it is the file's, cut short.

    Up to 0.30, and where the arguments were wrong, the file describes the tool, not the call.
    """
    cut = seen.summary.rstrip(" .…")
    summary = known.summary if known.summary.startswith(cut) else seen.summary
    return known.model_copy(update={"summary": summary, "output": known.output or seen.output})


def _is_same(seen: ToolCall, known: ToolCall) -> bool:
    return squeezed(seen.name) in (squeezed(known.name), known.function)
