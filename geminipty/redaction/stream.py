"""The events of a run on their way into a recording.

Rule: the order, times and codes of the events and the width of their text never change; no text
moves from one event to another. An event waits only while the end of its channel may be the
beginning of a secret, and never for more than a bounded number of others.
"""

from collections import deque
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from pydantic_core import from_json, to_json

from geminipty import asciicast
from geminipty.terminal import columns_of

from .redactor import Carry, Redactor, hide
from .solid import Solid

MAX_HELD: Final = 256  #: events
MAX_HELD_TEXT: Final = 1 << 16  #: characters after the first of them


class Searched(NamedTuple):
    """An event, and where its text is to be hidden; what is no text is hidden already."""

    event: asciicast.Event
    spans: Sequence[tuple[int, int]] = ()

    def hidden(self) -> asciicast.Event:
        """The event as it may be written."""
        if not self.spans:
            return self.event
        text = str(self.event.data)
        return self.event._replace(data=hide(text, self.spans, 0, len(text)))

    def longer(self) -> list[tuple[int, int]]:
        """Where the spans end that hiding makes longer, and by how much."""
        text = str(self.event.data)
        grown = ((end, columns_of(text[start:end]) - (end - start)) for start, end in self.spans)
        return [(end, by) for end, by in grown if by]


class _Waiting:
    """An event, and what of its text is decided."""

    __slots__ = ("channel", "event", "spans", "undecided")

    def __init__(self, event: asciicast.Event, channel: "_Channel | None") -> None:
        self.event = event
        self.channel = channel
        self.spans: list[tuple[int, int]] = []
        self.undecided = len(str(event.data)) if channel else 0  # characters


class _Channel:
    """One direction of a run: text whose cuts into events mean nothing."""

    def __init__(self, redactor: Redactor, columns: int | None) -> None:
        self._redactor = redactor
        self.wraps = redactor.wraps(columns)
        self._solid = Solid(keys=columns is None)
        #: How many characters at its beginning are decided already.
        self._early = 0
        self._carry = Carry()
        self._scanned = 0
        self._events: deque[_Waiting] = deque()

    def push(self, waiting: _Waiting, text: str) -> None:
        """Take an event, and decide on all that can be decided now."""
        self._events.append(waiting)
        self._solid.add(text)
        end, self._scanned = self.wraps.cut(self._solid, self._scanned)
        if self._decide(end):
            self._carry.is_hidden = False  # no word was cut
        if not self._solid.text and (rest := self._solid.rest) > self._early:
            self._write(self._solid.raw, [], self._early)
            self._early = rest

    def force(self) -> None:
        """Decide on everything."""
        self._solid.close()
        self._decide(len(self._solid.text))
        self._scanned = 0

    def _decide(self, end: int) -> bool:
        head = self._solid.take(end)
        if not head.raw:
            return False
        spans = self._redactor.spans(head, self.wraps, self._carry)
        self._write(head.raw, spans, self._early)
        self._early = max(0, self._early - len(head.raw))
        return bool(head.text)

    def _write(self, raw: str, spans: list[tuple[int, int]], at: int) -> None:
        while self._events and at < len(raw):
            first = self._events[0]
            end = min(at + first.undecided, len(raw))
            shift = len(str(first.event.data)) - first.undecided - at
            near = ((max(a, at), min(b, end)) for a, b in spans)
            first.spans += [(a + shift, b + shift) for a, b in near if a < b]
            first.undecided -= end - at
            at = end
            if not first.undecided:
                self._events.popleft()


class Stream:
    """Takes the events of one run on a screen of `columns`, and gives them back without secrets."""

    def __init__(self, redactor: Redactor, columns: int) -> None:
        self._redactor = redactor
        self._output = _Channel(redactor, columns)
        self._input = _Channel(redactor, None)
        self._queue: deque[_Waiting] = deque()
        self._held = 0

    def push(self, event: asciicast.Event) -> list[asciicast.Event]:
        """Take the next event; return those that may be written now, in order."""
        return [searched.hidden() for searched in self.search(event)]

    def flush(self) -> list[asciicast.Event]:
        """The rest of the events, at the end."""
        return [searched.hidden() for searched in self.search_rest()]

    def search(self, event: asciicast.Event) -> list[Searched]:
        """The same as `push`, with what is to be hidden."""
        channel = {"o": self._output, "i": self._input}.get(event.code)
        if channel and isinstance(event.data, str):
            waiting = _Waiting(event, channel)
            self._queue.append(waiting)
            self._held += len(event.data)
            channel.push(waiting, event.data)
        else:
            if event.code == "r":
                self._output.wraps.columns = event.size[0]
            self._queue.append(_Waiting(self._other(event), None))
        released = list(self._ready())
        while self._is_too_long():
            stuck = self._queue[0].channel
            assert stuck  # only those of a channel wait
            stuck.force()
            released += self._ready()
        return released

    def search_rest(self) -> list[Searched]:
        """The same as `flush`, with what is to be hidden."""
        self._output.force()
        self._input.force()
        return list(self._ready())

    def _is_too_long(self) -> bool:
        if len(self._queue) > MAX_HELD:
            return True
        return (
            bool(self._queue) and self._held - len(str(self._queue[0].event.data)) > MAX_HELD_TEXT
        )

    def _ready(self) -> Iterator[Searched]:
        while self._queue and not self._queue[0].undecided:
            waiting = self._queue.popleft()
            if waiting.channel:
                self._held -= len(str(waiting.event.data))
            yield Searched(waiting.event, waiting.spans)

    def _other(self, event: asciicast.Event) -> asciicast.Event:
        if event.code in "rx":
            return event
        if isinstance(event.data, str) and event.code != "m":
            return event._replace(data=self._json(event.data))
        return event._replace(data=self._redactor.data(event.data))

    def _json(self, text: str) -> str:
        """JSON inside a string stays JSON; anything else is text."""
        try:
            value = from_json(text, allow_inf_nan=False)
        except ValueError:
            return self._redactor.text(text)
        hidden = self._redactor.data(value)
        return text if hidden == value else to_json(hidden).decode()
