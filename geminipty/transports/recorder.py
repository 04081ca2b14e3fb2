"""A transport whose run is written down as it goes, so that a replay can live through it again.

Rule: the session lives by the recording's clock. What it saw and typed, and when it looked without
seeing anything, has the very time in the file that the session was told.
"""

from typing import Final

from pydantic import JsonValue
from pydantic_core import to_json

from geminipty.asciicast import Event

from .castfile import CastFile
from .codes import BEHIND, EXACT, MOMENT, MORE, SAID, VERB
from .transport import Transport

#: Characters of one event at most: as JSON each may take six bytes, and a line has a limit.
_PIECE: Final = 100_000


class Recorder:
    """A Transport that hands everything on and writes it to a recording."""

    def __init__(self, wire: Transport, file: CastFile) -> None:
        self._wire = wire
        self._file = file
        self._began = wire.now()
        self._now = 0.0
        self._ended = False

    @property
    def handles(self) -> tuple[int, ...]:
        """As the wire's."""
        return self._wire.handles

    @property
    def unsent(self) -> bool:
        """As the wire's."""
        return self._wire.unsent

    @property
    def behind(self) -> bool:
        """As the wire's."""
        return self._wire.behind

    @property
    def ended(self) -> bool:
        """As the wire's."""
        return self._wire.ended

    @property
    def status(self) -> int | None:
        """As the wire's."""
        return self._wire.status

    def now(self) -> float:
        """Seconds since the start, at the last look."""
        return self._now

    def pause(self, until: float | None) -> float | None:
        """As the wire's."""
        return self._wire.pause(None if until is None else until + self._began)

    def wait(self, until: float | None) -> None:
        """As the wire's."""
        self._wire.wait(None if until is None else until + self._began)

    def receive(self) -> str:
        """What the CLI has written since the last call, without waiting."""
        text = self._wire.receive()
        # As a recording tells times, so that live and replayed events are the same.
        self._now = max(self._now, round(self._wire.now() - self._began, 6))
        self._add("o", text) if text else self._add(MOMENT, "")
        if self._wire.behind:
            self._add(MOMENT, BEHIND)
        if self._wire.ended:
            self._exit()
        return text

    def send(self, text: str) -> None:
        """Type `text`."""
        if text:
            self._add("i", text)
        self._wire.send(text)

    def resize(self, columns: int, lines: int) -> None:
        """Tell the CLI that its terminal has another size."""
        self._add("r", f"{columns}x{lines}")
        self._wire.resize(columns, lines)

    def signal(self, number: int) -> None:
        """Send a signal; it is not written down, what comes of it is."""
        self._wire.signal(number)

    def close(self) -> None:
        """End what still runs and the recording."""
        self._wire.close()
        self._exit()
        self._file.close()

    # What is not on the wire

    def keep(self) -> None:
        """The recording is worth keeping: it stays, and may take the place of another one."""
        self._file.keep()

    def mark(self, text: str) -> None:
        """Write a marker, which players show as a chapter."""
        self._add("m", text)

    def call(self, verb: str, given: dict[str, JsonValue]) -> None:
        """Write that the session's owner called a verb."""
        self._add_json(VERB, {"verb": verb, **given})

    def said(self, data: JsonValue) -> None:
        """Write what the wire log says, at the moment when it was looked at."""
        self._add_json(SAID, data)

    def exact(self, data: JsonValue) -> None:
        """Write what is known of the turn that ended beside what the wire showed."""
        self._add_json(EXACT, data)

    def _add_json(self, code: str, data: JsonValue) -> None:
        text = to_json(self._file.hide(data)).decode()  # before it is cut
        while len(text) > _PIECE:
            self._add(code, MORE + text[: _PIECE - 1])
            text = text[_PIECE - 1 :]
        self._add(code, text)

    def _exit(self) -> None:
        if self._wire.status is not None and not self._ended:
            self._ended = True
            self._add("x", str(self._wire.status))

    def _add(self, code: str, text: str) -> None:
        pieces = (text[i : i + _PIECE] for i in range(0, len(text), _PIECE)) if text else ("",)
        for piece in pieces:
            self._file.add(Event(self._now, code, piece))
