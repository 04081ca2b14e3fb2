"""Where a run takes place: a live CLI, recorded or not, or a recording.

Rule: a stage is set up whole or not at all, and whoever set it up takes it down with `close`.
"""

import time
from dataclasses import dataclass
from pathlib import Path, PurePath
from typing import Any, Protocol, TypeVar

from geminipty.asciicast import DEFAULT_LIMITS, Event, Header
from geminipty.chats import ChatLog
from geminipty.errors import RecordingInvalid, UsageError
from geminipty.launch import Launch, prepare
from geminipty.options import Options, Size
from geminipty.transports.castfile import CastFile
from geminipty.transports.codes import HEADER, VERB
from geminipty.transports.files import begin_recording, open_recording
from geminipty.transports.pty import Pty
from geminipty.transports.recorder import Recorder
from geminipty.transports.replay import Match, Replay
from geminipty.transports.transport import Transport
from geminipty.witnesses import LiveWitnesses, WireLog, Witnesses

from .hiding import Hiding
from .tapes import News, NoNews, Overheard, Recorded, Replayed, Tape, Untold

_T = TypeVar("_T", bound="Launch | CastFile | Transport")
#: What a replay must do as the recorded session did, because it decides what is typed.
_KEPT = ("look", "trust", "initial_prompt")


class Stage(Protocol):
    """All that a run needs of the world around it."""

    @property
    def options(self) -> Options:
        """What the run is to do; a recording knows some of it better."""

    @property
    def hiding(self) -> Hiding:
        """What must not be told of the run."""

    def open(self) -> "Scene":
        """Set it up; raises if that cannot be, and `close` follows in any case."""

    def close(self) -> None:
        """Take it down at once; may be repeated, and never raises."""


@dataclass(frozen=True)
class Scene:
    """A stage that is set up."""

    transport: Transport
    tape: Tape
    witnesses: Witnesses
    news: News
    size: Size
    #: Where the CLI works; None where there is none.
    cwd: Path | None
    #: What it may cost to paint; None where the CLI is ours.
    work: int | None = None
    #: Whether the CLI asks about a file outside of its workspace; else it leaves it out.
    asks_outside: bool = True


class Live:
    """A CLI that is started, and recorded if that is wanted."""

    def __init__(self, options: Options) -> None:
        self.options = options
        self.hiding = Hiding(options)
        self._parts: list[Launch | CastFile | Transport] = []

    def open(self) -> Scene:
        """Start the CLI."""
        launch = self._part(prepare(self.options))
        chats = ChatLog(launch.chats, cwd=launch.cwd, session_id=launch.session_id)
        log = None if launch.wire is None else WireLog(launch.wire)
        news = NoNews() if log is None else Overheard(log, breaks_off=launch.breaks_off)
        witnesses = LiveWitnesses(chats, log)
        witnesses.mark()
        size = launch.size
        file = None
        if self.options.record is not None:
            file = self._part(_file(self.options.record, self.options, launch, self.hiding))
        wire: Transport = self._part(
            Pty(
                launch.argv,
                env=launch.env,
                cwd=launch.cwd,
                columns=size.columns,
                lines=size.lines,
                mark=launch.marks,
            )
        )
        if file is None:
            tape: Tape = Untold()
        else:
            wire = self._part(recorder := Recorder(wire, file))
            tape = Recorded(recorder)
        asks = launch.asks_outside
        return Scene(wire, tape, witnesses, news, size, launch.cwd, asks_outside=asks)

    def close(self) -> None:
        """End the CLI and remove what was made for it."""
        for part in reversed(self._parts):
            part.close()

    def _part(self, part: _T) -> _T:
        self._parts.append(part)
        return part


def _file(place: str | PurePath, options: Options, launch: Launch, hiding: Hiding) -> CastFile:
    kept: dict[str, Any] = {name: getattr(options, name) for name in _KEPT}
    header = Header(
        columns=launch.size.columns,
        lines=launch.size.lines,
        term_type=launch.env.get("TERM"),
        timestamp=int(time.time()),
        command=" ".join(
            word if not word.startswith("/") else Path(word).name for word in launch.told
        ),
        title=f"gemini-cli {launch.cli.version or 'of unknown version'}",
        env={name: launch.env[name] for name in ("TERM", "COLORTERM") if name in launch.env},
        extra={HEADER: {"recording": 1, "cli": launch.cli.version, **kept}},
    )
    file = begin_recording(Path(place), overwrite=options.overwrite)
    return CastFile(file, str(place), header, hiding.redactor)


class Played:
    """A recording; raises a RecordingError if it cannot be used."""

    def __init__(
        self,
        options: Options,
        path: Path,
        *,
        speed: float | None = None,
        match: Match | None = None,
        remake: str = "",
    ) -> None:
        if options.record is not None:
            raise UsageError("record: a replay is recorded already; leave it out")
        self.hiding = Hiding(options)
        with self.hiding.errors():
            kept, events = self._read(path)
        same = {name: kept[name] for name in _KEPT if name in kept}
        known = Options.of(**same)
        self.options = options.model_copy(update={name: getattr(known, name) for name in same})
        remake = remake or f"the same calls to GeminiSession(record={str(path)!r}, overwrite=True)"
        self._replay = Replay(events, path=path, speed=speed, match=match, remake=remake)

    def _read(self, path: Path) -> tuple[dict[str, Any], list[Event]]:
        with open_recording(path) as recording:
            self._header, events = recording.header, list(recording.events)
        kept = self._header.extra.get(HEADER)
        calls = any(event.code == VERB for event in events)
        if not isinstance(kept, dict) or kept.get("recording") != 1 or not calls:
            raise RecordingInvalid(
                "this recording holds no calls to replay: it was made by hand or by another "
                "program, not by GeminiSession(record=…). `geminipty read` tells what happens in "
                "it, and `geminipty replay-cli` plays the CLI.",
                recording=path,
            )
        return kept, events

    def open(self) -> Scene:
        """Begin at its beginning."""
        tape = Replayed(self._replay)
        size = Size(columns=self._header.columns, lines=self._header.lines)
        return Scene(self._replay, tape, tape, tape, size, None, DEFAULT_LIMITS.work)

    def close(self) -> None:
        """Leave it."""
        self._replay.close()
