"""A recording being written.

Rule: the file is whole after every event, whatever happens next, and holds no secret that stood in
the output. A recording that cannot go on never ends the run that it is of. What only a later
picture shows to be part of a secret is hidden when the file is closed: whoever kills the process
before leaves it there.
"""

import os
import threading
from collections import deque
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from pydantic import JsonValue

from geminipty.asciicast import Event, Header, Limits, write
from geminipty.errors import RecordingError, RecordingInvalid
from geminipty.logs import log_of
from geminipty.redaction import Cleaner, Redactor, redact_header

from .files import open_recording, save_recording
from .private import Draft


class CastFile:
    """An asciicast v3 file, written event by event; it owns the `draft`.

    A disk that takes no more, and the limits that readers have, end the recording; that is logged
    as an error, and what was written stays readable.
    """

    def __init__(
        self,
        draft: Draft,
        name: str,
        header: Header,
        redactor: Redactor,
        *,
        limits: Limits | None = None,
    ) -> None:
        self._draft = draft
        self._file: int | None = draft.file
        self._name = name
        self._redactor = redactor
        self._log = log_of(redactor.text)
        self._cleaner = Cleaner(redactor, header.columns, header.lines)
        self._queue: deque[Event] = deque()
        # One thread may end a session while another writes down what it sees.
        self._using = threading.RLock()
        self._limits = limits or Limits()
        self._lines = write(redact_header(header, redactor), self._queued(), limits=self._limits)
        self._put()

    def add(self, event: Event) -> None:
        """Write an event, as soon as it is known what in it must be hidden."""
        with self._using:
            if self._file is not None:
                self._write(self._cleaner.push(event))

    def hide(self, data: JsonValue) -> JsonValue:
        """The data without its secrets."""
        return self._redactor.data(data)

    def keep(self) -> None:
        """The recording is worth keeping: it stays, and may take the place of another one."""
        with self._using:
            if self._file is None:
                return
            try:
                self._draft.keep()
            except OSError as error:
                why = error.strerror or str(error)
                place = self._draft.place
                self._log.error("the recording %s is %s instead: %s", self._name, place, why)

    def close(self) -> None:
        """Write what was held back, and end the file; may be repeated."""
        with self._using:
            if self._file is not None:
                self._write(self._cleaner.flush())
                self._end()

    def _write(self, events: list[Event]) -> None:
        for event in events:
            if self._file is not None:
                self._queue.append(event)
                self._put()

    def _queued(self) -> Iterator[Event]:
        while True:
            yield self._queue.popleft()

    def _put(self) -> None:
        """Write the next line, all of it or nothing."""
        assert self._file is not None
        try:
            line = next(self._lines).encode()
        except RecordingInvalid as error:
            self._give_up(error.message)
            return
        begin = os.lseek(self._file, 0, os.SEEK_CUR)
        try:
            while line:
                line = line[os.write(self._file, line) :]
        except OSError as error:
            with suppress(OSError):  # what takes no bytes may be no file
                os.ftruncate(self._file, begin)
            self._give_up(error.strerror or str(error))

    def _give_up(self, why: str) -> None:
        self._log.error("the recording %s goes no further: %s", self._name, why)
        self._end()

    def _end(self) -> None:
        self._file = None
        self._draft.close()
        place = self._draft.place
        if self._cleaner.is_late and place.exists():
            try:
                self._hide_late(place)
            except (OSError, RecordingError) as error:
                self._log.error("the recording %s may show parts of secrets: %s", place, error)
        if self._cleaner.left:
            self._log.warning(
                "the recording %s may show parts of a secret that was written piece by piece, long "
                "apart: look at it before you share it",
                place,
            )

    def _hide_late(self, place: Path) -> None:
        with open_recording(place, limits=self._limits) as recording:
            header, events = recording.header, list(recording.events)
        lines = write(header, self._cleaner.late(events), limits=self._limits)
        save_recording(place, "".join(lines).encode(), overwrite=True)
