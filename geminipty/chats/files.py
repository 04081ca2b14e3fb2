"""Chat files on disk: what they say since a moment, at the cost of what was written since.

Rule: the append log is the truth. Since 0.39 a file is lines of JSON to which the CLI only adds;
its checkpoints (`$set` with `messages`) forget failed turns, tools and tokens, so they are passed
over. Up to 0.38 a file is one object, written anew each time: one that cannot be parsed is not
yet written, and what was known stays.
"""

import json
import re
import stat
from collections.abc import Iterator
from datetime import datetime
from itertools import islice
from pathlib import Path
from typing import Final, NamedTuple, NoReturn

from .records import Message, message

#: A line or a whole object that is longer is not read; the largest real lines hold one tool's
#: output. As much is taken from a file at a time.
LINE_BYTES: Final = 32 << 20
WHOLE_BYTES: Final = 64 << 20
#: Nor is one of more parts, for which Python takes up to 100 bytes each: texts, and the signs that
#: stand before each value.
_PARTS: Final = 2 << 20
_SIGNS: Final = (b",", b"[", b"{")
_PART: Final = re.compile(rb'"(?:[^"\\]++|\\.)*+"?|[,\[{]', re.DOTALL)
_READ: Final = 1 << 20
_HEAD: Final = 1 << 16


class Stamp(NamedTuple):
    """Which file it is and how far it was written: equal stamps, equal content."""

    mtime_ns: int
    size: int
    inode: int


def stamp_of(path: Path) -> Stamp | None:
    """The stamp of a regular file; None if there is none."""
    try:
        found = path.stat()
    except (OSError, ValueError):
        return None
    if not stat.S_ISREG(found.st_mode):
        return None
    return Stamp(found.st_mtime_ns, found.st_size, found.st_ino)


def chat_files(folder: Path) -> Iterator[Path]:
    """The chat files below a `.gemini` folder. Those of subagents lie deeper."""
    for project in _entries(folder / "tmp"):
        for path in _entries(project / "chats"):
            if path.name.startswith("session-") and path.suffix in (".json", ".jsonl"):
                yield path


def _entries(folder: Path) -> list[Path]:
    try:
        return sorted(folder.iterdir())
    except OSError:
        return []


def parsed(text: bytes) -> object:
    """The JSON of a line or a file; None for what is none, or too much of it."""
    if _is_too_much(text):
        return None
    try:
        return json.loads(text, parse_constant=_refuse)
    except (ValueError, RecursionError):
        return None


def _is_too_much(text: bytes) -> bool:
    # Signs within texts count for nothing, but few files have so many of them at all.
    if sum(map(text.count, _SIGNS)) <= _PARTS // 4:
        return False
    return any(islice(_PART.finditer(text), _PARTS, None))


def _refuse(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")


class ChatFile:
    """One chat file: its messages since the last mark.

    `before` is how it stood when somebody began to look; what it held then is old.
    """

    def __init__(self, path: Path, before: Stamp | None = None) -> None:
        self.path = path
        self.before = before
        self.session: str | None = None
        self.project: str | None = None
        self.subagent = False
        self.messages: list[Message] = []
        #: So that a test can tell the cost.
        self.bytes_read = 0
        self._stamp = before
        self._offset = before.size if before else 0
        self._rest = b""
        self._index: dict[str, int] = {}
        self._old: set[str] = set()
        if before and path.suffix == ".jsonl":
            self._begin_within()

    def mark(self) -> None:
        """What is known now is old."""
        self._old.update(self._index)
        self._index.clear()
        self.messages.clear()

    def update(self, stamp: Stamp) -> None:
        """Take over what was written since; nothing is read if the stamp is the same."""
        if stamp == self._stamp:
            return
        is_whole = self.path.suffix == ".json"
        try:
            done = self._read_whole(stamp) if is_whole else self._read_lines(stamp)
        except OSError:
            return  # it is gone, or may not be read: look again next time
        if done:
            self._stamp = stamp

    def _begin_within(self) -> None:
        """The first line tells whose file it is; a line half written before belongs to now."""
        try:
            with self.path.open("rb") as file:
                head, newline, _ = file.read(_HEAD).partition(b"\n")
                self._about(parsed(head) if newline else None)
                back = min(self._offset, _HEAD)
                file.seek(self._offset - back)
                self._rest = file.read(back).rpartition(b"\n")[2]
        except OSError:
            pass

    def _read_lines(self, stamp: Stamp) -> bool:
        if stamp.size < self._offset or (self._stamp and stamp.inode != self._stamp.inode):
            self._offset, self._rest = 0, b""  # another file took its place
        with self.path.open("rb") as file:
            file.seek(self._offset)
            while chunk := file.read(_READ):
                self._offset += len(chunk)
                self.bytes_read += len(chunk)
                *lines, rest = chunk.split(b"\n")
                if lines:
                    lines[0] = self._rest + lines[0]
                    self._rest = rest
                    for line in lines:
                        self._take_line(line)
                elif len(self._rest) <= LINE_BYTES:
                    self._rest += rest
        return True

    def _take_line(self, line: bytes) -> None:
        record = parsed(line) if len(line) <= LINE_BYTES else None
        if not isinstance(record, dict):
            return
        if isinstance(name := record.get("$rewindTo"), str):
            self._rewind(name)
        elif found := message(record):
            self._take(found)
        else:
            self._about(record.get("$set", record))

    def _read_whole(self, stamp: Stamp) -> bool:
        if stamp.size > WHOLE_BYTES:
            return True
        with self.path.open("rb") as file:
            data = file.read(WHOLE_BYTES + 1)
        self.bytes_read += len(data)
        if _is_too_much(data):
            return True
        record = parsed(data)
        if not isinstance(record, dict):
            return False  # 0.34 empties the file before it writes
        self._about(record)
        records = record.get("messages")
        fresh = [r for r in records if self._is_fresh(r)] if isinstance(records, list) else []
        self.messages.clear()
        self._index.clear()
        for found in filter(None, map(message, fresh)):
            self._take(found)
        return True

    def _is_fresh(self, record: object) -> bool:
        if not isinstance(record, dict):
            return False
        name = record.get("id")
        if not isinstance(name, str) or name in self._old:
            return False
        try:
            at = datetime.fromisoformat(str(record.get("timestamp"))).timestamp()
        except (ValueError, OverflowError, OSError):
            return True
        return self.before is None or at > self.before.mtime_ns / 1e9

    def _about(self, record: object) -> None:
        if not isinstance(record, dict):
            return
        session, project = record.get("sessionId"), record.get("projectHash")
        self.session = session if isinstance(session, str) else self.session
        self.project = project if isinstance(project, str) else self.project
        self.subagent = record.get("kind", "subagent" if self.subagent else "") == "subagent"

    def _take(self, found: Message) -> None:
        if found.id in self._old:
            return
        at = self._index.setdefault(found.id, len(self.messages))
        self.messages[at : at + 1] = [found]

    def _rewind(self, name: str) -> None:
        """The user went back to before a message: it and all after it never happened."""
        if (at := self._index.get(name)) is None:
            return
        for gone in self.messages[at:]:
            del self._index[gone.id]
        del self.messages[at:]
