"""The list beside the player: turns and statuses with their times, as HTML.

Rule: all text comes from the recording, so all of it is escaped here, and nowhere later.
"""

from collections.abc import Iterable, Iterator

from geminipty.asciicast import Event as Moment
from geminipty.model import Dialog, Event, Turn
from geminipty.visible import markup, short

from .timeline import Timeline


def markers(timeline: Timeline) -> Iterator[Moment]:
    """The prompts, dialogs and statuses as markers of a recording."""
    for event in timeline.events:
        match event.kind:
            case "status-changed":
                yield Moment(event.at, "m", event.status.value.lower())
            case "turn-started":
                yield Moment(event.at, "m", f"> {short(event.prompt, 60)}")
            case "dialog-opened":
                yield Moment(event.at, "m", f"? {short(event.dialog.title, 60)}")


def listed(timeline: Timeline) -> str:
    """The list: an item for each turn, with its moments in it, and for each moment outside one."""
    turns = iter(timeline.turns)
    items: list[str] = []
    begun: list[str] = []
    turn: Turn | None = None
    number = 0
    for event in _in_turns(timeline.events):
        if event.kind == "turn-started" and (after := next(turns, None)) is not None:
            items += _closed(begun, turn)
            turn = after
            number += 1
            begun = [*_head(number, turn, event.at)]
        else:
            begun += _moment(event)
    return "".join((*items, *_closed(begun, turn)))


def clock(seconds: float) -> str:
    """A time for people: 1:02.5."""
    minutes, rest = divmod(int(seconds * 10), 600)
    return f"{minutes}:{rest / 10:04.1f}"


def _in_turns(events: list[Event]) -> Iterator[Event]:
    """The events, a status that comes with the start of a turn after that start."""
    held: Event | None = None
    for event in events:
        if held is not None and not (event.kind == "turn-started" and event.at == held.at):
            yield held
            held = None
        if event.kind == "status-changed":
            held = event
            continue
        yield event
        if held is not None:
            yield held
            held = None
    if held is not None:
        yield held


def _closed(begun: list[str], turn: Turn | None) -> Iterator[str]:
    if not begun:
        return
    if turn is None:
        yield f'<li class="before"><ol>{"".join(begun)}</ol></li>\n'
        return
    head, *moments = begun
    reply = turn.reply.text
    cut = '<p class="note">The CLI lost lines of this reply on the screen.</p>'
    yield (
        f'<li class="turn">{head}<ol>{"".join(moments)}</ol>'
        + (f'<pre class="reply">{markup(reply)}</pre>' if reply else "")
        + (cut if turn.reply.truncated else "")
        + "</li>\n"
    )


def _head(number: int, turn: Turn, at: float) -> Iterator[str]:
    outcome = turn.outcome.value
    yield (
        f"<h2>{_button(at, f'Turn {number}', 'prompt', turn.prompt)}</h2>"
        f'<p class="outcome {outcome}">{outcome}</p>'
    )


def _moment(event: Event) -> Iterable[str]:
    match event.kind:
        case "status-changed":
            yield _item(event.at, "status", event.status.value.lower(), "")
        case "tool-called" | "tool-finished":
            tool = event.tool
            yield _item(event.at, f"tool {tool.outcome.value}", tool.name, tool.summary)
        case "dialog-opened":
            yield _item(event.at, f"asks ({event.dialog.kind.value})", *_question(event.dialog))
        case "turn-finished":
            yield _item(event.at, "finished", "", "")
        case "turn-aborted":
            yield _item(event.at, f"ends ({event.reason.value})", "", event.message)
        case "closed":
            yield _item(event.at, "the CLI ended", "", "")


def _question(dialog: Dialog) -> tuple[str, str]:
    return dialog.title, " / ".join(choice.label for choice in dialog.choices)


def _item(at: float, what: str, name: str, rest: str) -> str:
    return f"<li>{_button(at, what, 'moment', name, rest)}</li>"


def _button(at: float, what: str, kind: str, name: str, rest: str = "") -> str:
    return (
        f'<button type="button" class="{kind}" data-time="{at:.6f}">'
        f"<time>{clock(at)}</time> <span><b>{markup(what)}</b>"
        + (f" {markup(name.strip())}" if name else "")
        + (f" <i>{markup(rest.strip())}</i>" if rest else "")
        + "</span></button>"
    )
