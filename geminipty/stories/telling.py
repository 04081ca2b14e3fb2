"""One story told with one release: a home like anybody's, the CLI, the scripted model, a recorder.

Rule: what is drawn names no machine. The CLI works in `~/project` of a home that was made for this
telling; a recording that names a folder of this machine all the same is no recording.
"""

import gzip
import os
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import takewhile
from pathlib import Path
from typing import Any, Final

from geminipty.asciicast import Event, Header, write
from geminipty.errors import GeminiPtyError, RecordingError
from geminipty.launch import prepare
from geminipty.options import Options
from geminipty.session import GeminiSession
from geminipty.standin import StandIn
from geminipty.transports.files import open_recording

from .index import Entry, entry_of
from .story import Story, differences, perform
from .told import settings_of

#: Variables that would lead the CLI elsewhere.
_ELSEWHERE: Final = ("GEMINI_", "GOOGLE_", "CLOUD_SHELL")
#: How long a turn may take, in seconds.
TIMEOUT: Final = 60.0


@dataclass(frozen=True)
class Telling:
    """A recording that went as its story says, ready to be written, and the truth about it."""

    data: bytes
    entry: Entry


def tell(
    story: Story,
    release: str,
    program: Path,
    *,
    cast: str,
    started: Callable[[GeminiSession], object] = lambda _: None,
) -> Telling:
    """Tell a story with a release and return its recording; nothing is left of the telling.

    `cast` is the recording's name in the index; `started` is given the session before it starts,
    so that another thread can close it. Raises GeminiPtyError, with the screen, if anything went
    otherwise than the story says.
    """
    with _folder() as folder, StandIn(story.script) as api:
        chosen: dict[str, Any] = {"look": story.look, "size": story.size, "trust": True}
        env = {**_nowhere(), **api.options["env"], "TMPDIR": str(folder)}
        (folder / "nobody").mkdir()
        furnished = Options.of(
            command=program,
            cwd=folder,
            env={**env, "HOME": str(folder / "nobody")},
            settings=settings_of(release),
            **chosen,
        )
        with prepare(furnished) as launch:
            # The private home of a session lies apart from the folder that the CLI works in, which
            # is then drawn in full. So it is made the user's own, with the folder in it.
            home = launch.chats.parent
            (home / "project").mkdir()
            session = GeminiSession(
                program,
                cwd=home / "project",
                home="user",
                env={**env, "HOME": str(home)},
                timeout=TIMEOUT,
                record=folder / "story.cast",
                redact=(str(folder), str(program.parent)),
                **chosen,
            )
            started(session)
            begun: list[float] = []
            with session:
                printed = perform(story, session, lambda: begun.append(time.monotonic())).printed
                wrong = differences(story, session.turns, printed)
                screen = session.screen
            if wrong:
                told = "\n  ".join(["it did not go as told:", *wrong])
                raise GeminiPtyError(f"{told}\n{screen}")
            api.check()
        places = (str(folder), str(program.parent))
        header, events = _neutral(folder / "story.cast", home, places)
        entry = entry_of(story, release, cast, header, events, api.requests, begun)
        text = "".join(write(header, events))
        return Telling(gzip.compress(text.encode(), mtime=0), entry)


def _neutral(path: Path, home: Path, places: tuple[str, ...]) -> tuple[Header, list[Event]]:
    """A recording as if made in anybody's home; RecordingError if it names a place all the same."""
    with open_recording(path) as opened:
        header = opened.header.model_copy(update={"command": "gemini"})
        events = [
            event._replace(data=elsewhere(event.data, str(home), places[0]))
            if isinstance(event.data, str)
            else event
            for event in opened.events
        ]
    output = "".join(str(event.data) for event in events if event.code == "o")
    for text in (str(header), output, *(str(event.data) for event in events)):
        if any(place in text for place in places):
            raise RecordingError(
                "the recording names a folder of this machine, so it is not kept. Tell it again."
            )
    return header, events


def elsewhere(text: str, path: str, root: str) -> str:
    """The text with another path of the same length for `path`, also where its end was cut off.

    Some releases draw the whole path of their folder, as far as there is room; what `root`, its
    beginning, is found in was drawn so.
    """
    other = ("/home/user" + "/folder" * len(path))[: len(path)]
    parts, at = [], 0
    while (found := text.find(root, at)) >= 0:
        same = takewhile(lambda pair: pair[0] == pair[1], zip(text[found:], path, strict=False))
        length = sum(1 for _ in same)
        parts += [text[at:found], other[:length]]
        at = found + length
    return "".join(parts) + text[at:]


def _nowhere() -> dict[str, str]:
    return {name: "" for name in os.environ if name.startswith(_ELSEWHERE)}


@contextmanager
def _folder() -> Iterator[Path]:
    folder = Path(tempfile.mkdtemp(prefix="geminipty-story-")).resolve()
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
