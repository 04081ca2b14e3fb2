"""A recording as a story: what the CLI did when, and the turns with their replies.

Rule: a recording takes the path of a live session: the same Conversation, fed with the same text
at the same times.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from geminipty.asciicast import DEFAULT_LIMITS, Limits, Recording
from geminipty.conversation import Conversation
from geminipty.model import Event, Turn
from geminipty.reading import Reading
from geminipty.terminal import Work
from geminipty.visible import line, short, visible

#: Output is handed over in pieces, so that one huge event of a recording costs no more memory.
_PIECE = 1 << 16


class Timeline(NamedTuple):
    """All that happened in a recording."""

    events: list[Event]
    turns: list[Turn]
    #: The last picture that counted, or None if there was none.
    final: Reading | None


def play(recording: Recording, conversation: Conversation) -> Iterator[Event]:
    """Play a recording into a conversation and tell what happens; consumes its events."""
    exited = False
    for event in recording.events:
        yield from _wait(conversation, event.time)
        if event.code == "o":
            text = str(event.data)
            for start in range(0, len(text), _PIECE):
                conversation.receive(text[start : start + _PIECE])
                conversation.tick(event.time)
        elif event.code == "r":
            conversation.resize(*event.size)
        exited = exited or event.code == "x"
        yield from conversation.events()
    while not exited and (due := conversation.deadline) is not None:
        yield from _wait(conversation, due)
    conversation.end(exited=exited)
    yield from conversation.events()


def _wait(conversation: Conversation, until: float) -> Iterator[Event]:
    """Let the time pass, with a tick at each deadline on the way."""
    while (due := conversation.deadline) is not None and due <= until:
        conversation.tick(due)
        yield from conversation.events()


def tell(
    recording: Recording,
    watch: Callable[[Event], None] | None = None,
    *,
    limits: Limits = DEFAULT_LIMITS,
) -> Timeline:
    """Read a whole recording; `watch` is called for each event as it happens.

    Raises RecordingInvalid if that costs more than `limits.work`.
    """
    conversation = Conversation(
        recording.header.columns, recording.header.lines, work=Work(limits.work)
    )
    events = []
    for event in play(recording, conversation):
        events.append(event)
        if watch is not None:
            watch(event)
    return Timeline(events, conversation.turns, conversation.reading)


def as_data(timeline: Timeline) -> dict[str, object]:
    """The timeline for machines, as docs/reading.md describes it."""
    statuses = [
        [round(event.at, 6), event.status.value]
        for event in timeline.events
        if event.kind == "status-changed"
    ]
    return {
        "statuses": statuses,
        "turns": [_turn(turn) for turn in timeline.turns],
        "final": _final(timeline.final),
    }


def _turn(turn: Turn) -> dict[str, object]:
    return {
        "prompt": turn.prompt,
        "text": turn.reply.text,
        "started": round(turn.started, 6),
        "finished": None if turn.finished is None else round(turn.finished, 6),
        "outcome": turn.outcome.value,
        "truncated": turn.reply.truncated,
        "tools": [
            {"name": tool.name, "summary": tool.summary, "outcome": tool.outcome.value}
            for tool in turn.reply.tools
        ],
        "dialogs": [dialog.model_dump(mode="json") for dialog in turn.dialogs],
    }


def _final(reading: Reading | None) -> dict[str, object]:
    if reading is None:
        return {"status": "UNKNOWN", "title": "", "composer": None, "dialog": None, "evidence": []}
    composer = reading.composer
    return {
        "status": reading.status.value,
        "title": reading.title,
        "composer": composer
        and {
            "text": composer.text,
            "mode": composer.mode.value,
            "placeholder": composer.placeholder,
        },
        "dialog": reading.dialog and reading.dialog.model_dump(mode="json"),
        "evidence": [str(one) for one in reading.evidence],
    }


def as_text(timeline: Timeline) -> str:
    """The timeline for people."""
    lines = [row for event in timeline.events for row in _told(event)]
    for number, turn in enumerate(timeline.turns, 1):
        lines += ["", *_turn_lines(number, turn)]
    return "\n".join(lines) + "\n"


def _told(event: Event) -> Iterable[str]:
    at = f"{event.at:9.3f}"
    match event.kind:
        case "status-changed":
            yield f"{at}  {event.status.value}"
        case "turn-started":
            yield f"{at}    prompt: {short(event.prompt)}"
        case "tool-called" | "tool-finished":
            tool = event.tool
            yield f"{at}    tool {tool.outcome.value}: {short(f'{tool.name} {tool.summary}')}"
        case "dialog-opened":
            dialog = event.dialog
            choices = " / ".join(
                f"[{line(choice.label)}]" if choice.selected else line(choice.label)
                for choice in dialog.choices
            )
            yield f"{at}    asks ({dialog.kind.value}): {short(dialog.title)}"
            if choices:
                yield f"{'':9}      {choices}"
        case "turn-finished":
            yield f"{at}    finished: {len(event.turn.reply.text)} characters"
        case "turn-aborted":
            outcome = f"{event.turn.outcome.value} ({event.reason.value})"
            yield f"{at}    {outcome}: {short(event.message)}"
        case "closed":
            yield f"{at}    the CLI ended"


def _turn_lines(number: int, turn: Turn) -> Iterable[str]:
    flags = ", truncated" if turn.reply.truncated else ""
    yield f"turn {number} ({turn.outcome.value}{flags}): {short(turn.prompt)}"
    for row in visible(turn.reply.text).split("\n"):
        yield f"  {row}".rstrip()
