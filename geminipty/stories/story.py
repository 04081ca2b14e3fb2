"""A story: what the user does, what the model answers, and so what must be read.

Rule: a story is data. Who tells it live and who replays it do the same with the session, and the
truth about its turns follows from its script and from nothing that was seen.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from geminipty.chats.agreement import rendered
from geminipty.errors import DialogWaiting, TurnFailed
from geminipty.launch.releases import Release
from geminipty.model import Event, ReplySource, ToolCall, ToolOutcome, Turn, TurnOutcome
from geminipty.session import GeminiSession
from geminipty.standin import Call, Calls, Cut, Fail, Hang, Part, Say, Slow, Step

#: What the model may answer in a story.
Plain: TypeAlias = Part | Sequence[Part] | Fail | Hang | Cut
#: Seconds before each answer begins: a model that answers at once is answered before it is drawn.
THINKS: Final = 0.4


@dataclass(frozen=True)
class Ask:
    """A prompt, the model's answers, and what the user does until the turn has ended."""

    prompt: str
    #: One step for each request.
    script: tuple[Plain, ...]
    #: What the user says to the dialogs, in their order: True allows, False denies.
    answers: tuple[bool, ...] = ()
    #: The user stops the turn as soon as there is something of a reply.
    interrupted: bool = False

    @property
    def replies(self) -> tuple[str, ...]:
        """The texts that the model sends, exactly."""
        return tuple(part.text for part in self._parts if isinstance(part, Say | Hang | Cut))

    @property
    def text(self) -> str:
        """The whole reply."""
        return "\n\n".join(self.replies)

    @property
    def tools(self) -> tuple[Call, ...]:
        """The tools that the model uses."""
        groups = (
            part.calls if isinstance(part, Calls) else (part,)
            for part in self._parts
            if isinstance(part, Call | Calls)
        )
        return tuple(call for group in groups for call in group)

    @property
    def outcome(self) -> TurnOutcome:
        """How the turn ends."""
        if self.interrupted or False in self.answers:
            return TurnOutcome.CANCELLED
        failed = any(isinstance(part, Fail) for part in self._parts[-1:])
        return TurnOutcome.FAILED if failed else TurnOutcome.FINISHED

    @property
    def _parts(self) -> tuple[Part | Fail | Hang | Cut, ...]:
        return tuple(part for step in self.script for part in _parts_of(step))


@dataclass(frozen=True)
class Command:
    """A command to the CLI itself, which prints at least `shows`."""

    text: str
    shows: str


@dataclass(frozen=True)
class Shell:
    """A command in the CLI's shell mode, which prints at least `shows`."""

    text: str
    shows: str


def _parts_of(step: Plain) -> Iterator[Part | Fail | Hang | Cut]:
    if isinstance(step, Sequence):
        yield from step
    else:
        yield step


Act: TypeAlias = Ask | Command | Shell


@dataclass(frozen=True)
class Story:
    """What happens in one run of the CLI, the same for every release."""

    name: str
    #: One sentence.
    what: str
    acts: tuple[Act, ...]
    look: Literal["lean", "normal"] = "normal"
    #: None: what suits the look.
    size: tuple[int, int] | None = (100, 30)
    #: The first release that can tell it, and what the ones before lack.
    since: Release = (0, 0, 0)
    lacks: str = ""

    @property
    def asks(self) -> tuple[Ask, ...]:
        """The prompts, each of which is a turn."""
        return tuple(act for act in self.acts if isinstance(act, Ask))

    @property
    def script(self) -> tuple[Step, ...]:
        """What the model answers, from the first request to the last."""
        return tuple(Slow(step, THINKS) for ask in self.asks for step in ask.script)


@dataclass(frozen=True)
class Performed:
    """What a session gave while a story was told: events of its streams, texts of its commands."""

    events: tuple[Event, ...]
    printed: tuple[str, ...]


def perform(
    story: Story, session: GeminiSession, before: Callable[[], object] = lambda: None
) -> Performed:
    """Do with a started session what the story's user does; `before` is called before each act.

    A turn that fails or is cancelled is part of many a story and raises nothing; any other error
    of the session does.
    """
    events: list[Event] = []
    printed: list[str] = []
    for act in story.acts:
        before()
        if isinstance(act, Ask):
            _ask(act, session, events)
        elif isinstance(act, Command):
            printed.append(session.command(act.text))
        else:
            printed.append(session.shell(act.text))
    return Performed(tuple(events), tuple(printed))


def _ask(ask: Ask, session: GeminiSession, events: list[Event]) -> None:
    try:
        for event in session.stream(ask.prompt):
            events.append(event)
            if ask.interrupted and event.kind == "reply-grew":
                break
    except DialogWaiting:
        if not ask.answers:
            raise
        _answer(session, ask.answers)
    except TurnFailed:
        return
    if ask.interrupted:
        session.interrupt()


def _answer(session: GeminiSession, answers: tuple[bool, ...]) -> None:
    """Answer the open dialog and those that follow; one too many raises DialogWaiting."""
    *earlier, last = answers
    try:
        for answer in earlier:
            with suppress(DialogWaiting):
                session.answer(answer)
        session.answer(last)
    except TurnFailed:
        return


def differences(story: Story, turns: tuple[Turn, ...], printed: tuple[str, ...]) -> list[str]:
    """What went otherwise than the story says, in words; nothing if all went as told."""
    asks = story.asks
    found = []
    if len(turns) != len(asks):
        found.append(f"{len(turns)} turns instead of {len(asks)}")
    for ask, turn in zip(asks, turns, strict=False):
        found += [f"prompt {ask.prompt!r}: {what}" for what in _turn_differs(ask, turn)]
    commands = [act for act in story.acts if not isinstance(act, Ask)]
    for command, text in zip(commands, printed, strict=True):
        if command.shows not in text:
            found.append(f"{command.text!r} did not show {command.shows!r} but {text!r:.200}")
    return found


def _turn_differs(ask: Ask, turn: Turn) -> list[str]:
    found = []
    if turn.prompt != ask.prompt:
        found.append(f"the prompt became {turn.prompt!r}")
    if turn.outcome is not ask.outcome:
        found.append(f"it is {turn.outcome.value} instead of {ask.outcome.value}")
    if not _is_reply(ask, turn):
        found.append(f"the reply {turn.reply.text!r:.200} is not {ask.text!r:.200}")
    tools = _tools(turn)
    if [(tool.function or call.name) for tool, call in zip(tools, ask.tools, strict=False)] != [
        call.name for call in ask.tools
    ] or len(tools) != len(ask.tools):
        found.append(f"the tools are {[tool.name for tool in tools]}, not {list(ask.tools)}")
    outcomes = [tool.outcome for tool in tools]
    expected = [ToolOutcome.SUCCESS if yes else ToolOutcome.CANCELLED for yes in ask.answers]
    if outcomes != expected:
        found.append(f"the tools are {[one.value for one in outcomes]}")
    if len(turn.dialogs) != len(ask.answers):
        found.append(f"{len(turn.dialogs)} dialogs instead of {len(ask.answers)}")
    return found


def _tools(turn: Turn) -> list[ToolCall]:
    """The tools of a turn, each once: 0.1 draws one twice at the moment when it is denied."""
    tools = turn.reply.tools
    return [tool for at, tool in enumerate(tools) if tool.function or tool not in tools[:at]]


def _is_reply(ask: Ask, turn: Turn) -> bool:
    """Whether the reply is what was sent: from a chat file exactly, from the screen as drawn."""
    reply = turn.reply
    if ask.interrupted:
        return bool(reply.text) and ask.text.startswith(reply.text)
    if reply.source is ReplySource.CHAT_FILE:
        return reply.text == ask.text
    return rendered(reply.text) == rendered(ask.text)
