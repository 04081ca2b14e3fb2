"""Joins what the wire log, the chat file and the screen say of a turn.

Rule: a text is taken whole from one witness, the surest that fits the others; what it is known to
leave out is taken from the next, and nothing is made up. The wire log knows every sign, but not
which answers the CLI has kept, nor which were a sub-agent's: the chat file tells that, else the
screen does.
"""

from collections import Counter, deque
from collections.abc import Sequence
from typing import Final, Protocol

from geminipty.chats import (
    BETWEEN,
    ChatLog,
    ExactReply,
    Message,
    Role,
    agrees,
    exact_reply,
    fits,
    kept,
    restored,
    squeezed,
    summed,
)
from geminipty.model import Reply, ReplySource, ToolCall, Turn, TurnOutcome

from .wirelog import Exchange, WireCall, WireLog

#: Answers that the CLI throws away, to ask again, if nothing but their end is wrong.
_FAULTY: Final = frozenset({None, "MALFORMED_FUNCTION_CALL", "UNEXPECTED_TOOL_CALL"})


class Witnesses(Protocol):
    """Where exact replies come from."""

    def mark(self) -> None:
        """A prompt is about to be sent."""

    def reply(self, prompt: str, screen: str) -> ExactReply | None:
        """What is known of the turn begun with this prompt, of which the screen shows this."""

    def settled(self, prompt: str, screen: str) -> bool:
        """Whether more of the turn cannot be known by waiting."""


class LiveWitnesses:
    """The files that a CLI writes while it runs."""

    def __init__(self, chats: ChatLog, wire: WireLog | None) -> None:
        self._chats = chats
        self._wire = wire
        #: What was joined last, and of what: it is asked for more than once.
        self._joined: tuple[object, ExactReply | None] = (None, None)

    def mark(self) -> None:
        """A prompt is about to be sent: what is known now is old."""
        self._chats.mark()
        if self._wire is not None:
            self._wire.mark()

    def reply(self, prompt: str, screen: str) -> ExactReply | None:
        """What is known of the turn begun with this prompt."""
        messages = self._chats.turn(prompt) or ()
        exchanges: Sequence[Exchange] = ()
        if self._wire is not None:
            self._wire.refresh()
            exchanges = self._wire.exchanges if self._wire.whole else ()
        of = (tuple(messages), tuple(one.number for one in exchanges), screen)
        if self._joined[0] != of:
            self._joined = (of, join(messages, exchanges, screen))
        return self._joined[1]

    def settled(self, prompt: str, screen: str) -> bool:
        """Whether the chat file has all that the screen shows, or there is none."""
        if not self._chats.exists:
            return True
        return self._chats.reply(prompt) is not None and fits(self.reply(prompt, screen), screen)


def join(
    messages: Sequence[Message], exchanges: Sequence[Exchange], screen: str
) -> ExactReply | None:
    """The reply of a turn: what the API sent, if chat file or screen say which of it counts."""
    chat = exact_reply(messages) if messages else None
    if chat is not None and not chat.complete:
        chat = None
    told = None if chat is None else _told(messages, chat.tools, exchanges)
    alone = _unfaulty(exchanges)
    for answers in filter(None, (told, alone)):
        text = _texts(answers)
        numbers = {one.number for one in answers}
        # The screen has the text of answers that were thrown away, too.
        drawn = _texts([one for one in exchanges if one.number in numbers or _is_faulty(one)])
        if agrees(screen, text):
            return _exact(answers, chat, text)
        if drawn != text and agrees(screen, drawn):
            return _exact(answers, chat, text, drawn)
    return _exact(told, chat, _texts(told)) if told else chat


def merge(turn: Turn, exact: ExactReply | None) -> Turn:
    """The turn with the witness's text, its tools, thoughts, model and tokens.

    A turn that was cancelled or failed half-way keeps the screen's text, because no file has the
    part that came last; so does a turn whose record is not complete.
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
        known |= {"text": _text(reply, exact), "source": exact.source}
        same = agrees(reply.screen_text, exact.drawn or exact.text)
        # Of a screen that lost lines nobody expects that it agrees.
        known["agreement"] = same or (None if reply.truncated else False)
    return turn.model_copy(update={"reply": reply.model_copy(update=known)})


# Which answers count


def _told(
    messages: Sequence[Message], tools: Sequence[ToolCall], exchanges: Sequence[Exchange]
) -> list[Exchange] | None:
    """The answers that the chat file tells of; None if it has a text that no answer had.

    A sub-agent may say and call the same as the model. The tokens tell the two apart, where the
    file has those of each answer.
    """
    replies = [message for message in messages if message.role is Role.REPLY]
    tokens = {message.usage for message in replies}
    found = _found(replies, tools, [one for one in exchanges if one.usage in tokens])
    if found is None or len(found) != len(replies):
        found = _found(replies, tools, exchanges)
    return None if found is None else _unfaulty(found)


def _found(
    replies: Sequence[Message], tools: Sequence[ToolCall], exchanges: Sequence[Exchange]
) -> list[Exchange] | None:
    """The answers with these texts and calls, in order; None if there is not one for each text."""
    texts = deque(text for message in replies if (text := _skeleton(message.text)))
    calls = Counter((tool.function, tool.arguments) for tool in tools)
    found = []
    for exchange in exchanges:
        wanted = Counter((call.name, call.arguments) for call in exchange.calls)
        text = _skeleton(exchange.text)
        if text and texts and text == texts[0]:
            texts.popleft()
        elif text or not wanted or any(calls[call] < count for call, count in wanted.items()):
            continue  # thrown away, or a sub-agent's
        calls.subtract(wanted)
        found.append(exchange)
    return None if texts else found


def _skeleton(text: str) -> str:
    """What a chat file of any release has of a text, without its blanks."""
    return squeezed(kept(text))


def _unfaulty(exchanges: Sequence[Exchange]) -> list[Exchange]:
    """The answers without those that the CLI threw away: it asked again, so another one follows.

    Up to 0.53 the chat file has the text of these too.
    """
    last = exchanges[-1:]
    return [one for one in exchanges if one in last or not _is_faulty(one)]


def _is_faulty(exchange: Exchange) -> bool:
    if exchange.calls:
        return False
    return exchange.finish in _FAULTY or not _skeleton(exchange.text)


# What they say


def _exact(
    answers: Sequence[Exchange], chat: ExactReply | None, text: str, drawn: str | None = None
) -> ExactReply:
    """The reply that these answers make, with what only the chat file knows."""
    return ExactReply(
        text=text,
        source=ReplySource.WIRE,
        drawn=drawn,
        tools=_as_sent(chat.tools, answers) if chat else (),
        thoughts=tuple(thought for one in answers for thought in one.thoughts),
        model=chat.model if chat else None,
        usage=summed([one.usage for one in answers if one.usage]),
        complete=True,
    )


def _texts(answers: Sequence[Exchange]) -> str:
    return BETWEEN.join(one.text for one in answers if one.text.strip())


def _as_sent(tools: Sequence[ToolCall], answers: Sequence[Exchange]) -> tuple[ToolCall, ...]:
    """The chat file's tools with the arguments that the API sent."""
    sent: dict[str, deque[WireCall]] = {}
    for call in (call for one in answers for call in one.calls):
        sent.setdefault(call.name, deque()).append(call)
    known = Counter(tool.function for tool in tools)
    result = []
    for tool in tools:
        calls = sent.get(tool.function or "", deque())
        if len(calls) == known[tool.function]:
            known[tool.function] -= 1
            tool = tool.model_copy(update={"arguments": calls.popleft().arguments})
        result.append(tool)
    return tuple(result)


def _has_text(turn: Turn, exact: ExactReply) -> bool:
    """Whether a witness has all the text of a turn."""
    if not exact.complete or (turn.reply.screen_text and not exact.text):
        return False
    if turn.outcome is TurnOutcome.FAILED:
        return fits(exact, turn.reply.screen_text)
    return turn.outcome is TurnOutcome.FINISHED


def _text(reply: Reply, exact: ExactReply) -> str:
    if exact.source is ReplySource.WIRE or reply.truncated:
        return exact.text
    return restored(exact.text, reply.screen_text)


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
