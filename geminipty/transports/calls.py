"""The calls that a recording holds, and how an error shows them.

Rule: a recording is untrusted input; a call that is none is a RecordingInvalid.
"""

from collections.abc import Iterable
from typing import Any, Final, NamedTuple

from pydantic_core import from_json

from geminipty.asciicast import Event
from geminipty.errors import RecordingInvalid

from .codes import EXACT, MORE, SAID, VERB

#: Characters of a text that an error shows.
SHOWN: Final = 300


class Call(NamedTuple):
    """A recorded call: when, which verb, and what it was given."""

    at: float
    verb: str
    given: dict[str, Any]

    def __str__(self) -> str:
        value = next(iter(self.given.values()), None)
        return f"{self.verb}({'' if value is None else repr(value)[:SHOWN]})"


def whole(events: Iterable[Event]) -> Iterable[Event]:
    """The events, with JSON that came in pieces put together."""
    pieces = {VERB: "", EXACT: "", SAID: ""}
    for one in events:
        event = one._replace(time=round(one.time, 6))  # as the recorder had it, before any sum
        if event.code not in pieces:
            yield event
            continue
        text = str(event.data)
        if text.startswith(MORE):
            pieces[event.code] += text[len(MORE) :]
            continue
        yield event._replace(data=pieces[event.code] + text)
        pieces[event.code] = ""


def json_of(event: Event) -> Any:
    """The data of an event that carries JSON; raises RecordingInvalid."""
    try:
        return from_json(str(event.data))
    except ValueError:
        raise RecordingInvalid(
            f"the event {event.code!r} at {event.time:.2f} s holds no JSON. Record it again."
        ) from None


def call_of(event: Event) -> Call:
    """The call that an event tells of; raises RecordingInvalid."""
    data = json_of(event)
    if not isinstance(data, dict) or not isinstance(data.get("verb"), str):
        raise RecordingInvalid(f"the call at {event.time:.2f} s is none. Record it again.")
    return Call(event.time, data.pop("verb"), data)


def verb_of(event: Event) -> str | None:
    """The verb of an event that tells of a call."""
    return call_of(event).verb if event.code == VERB else None


def told(event: Event | None) -> str | None:
    """An event as an error names it."""
    if event is None:
        return None
    return str(call_of(event)) if event.code == VERB else str(event.data)


def shown(text: str | None) -> str:
    """A text as an error shows it."""
    if text is None:
        return "nothing"
    return repr(text) if len(text) <= SHOWN else f"{text[:SHOWN]!r}…"
