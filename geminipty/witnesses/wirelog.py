"""The wire log: what the API answered, as the CLI wrote it down before it acted on it.

Rule: only whole lines count, in the order of the file, and nothing that stands in one can raise
or take memory without bound. An answer that cannot be kept or understood is lost, and that is
told: it may hold the call that runs. The log holds no requests, so an answer is known by its
method: every release streams the conversation, that of a sub-agent too, and nothing beside it.
Titles, summaries, routing, checks and token counts are asked for at once and are passed over.
"""

import errno
import os
import re
import stat
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from json import dumps
from pathlib import Path
from typing import Any, Final, NamedTuple

from geminipty.chats import parsed
from geminipty.model import Thought, Usage

#: A longer line is passed over. An answer of 65,536 tokens in events of one token each has 10 MB.
LINE_BYTES: Final = 16 << 20
#: As much is kept of one turn, and read in it; what comes after it is not.
KEPT_BYTES: Final = 64 << 20
READ_BYTES: Final = 256 << 20
#: Arguments that are nested deeper are not kept. Python can read more of them or less, by how deep
#: its own calls are nested at that moment; the CLI reads some thousands.
_DEEPEST: Final = 100
_CHUNK: Final = 1 << 20
#: The parts of a thought, as the CLI cuts it.
_SUBJECT: Final = re.compile(r"\*\*(.*?)\*\*", re.DOTALL)
_HALVES: Final = re.compile("[\ud800-\udfff]")
_TOKENS: Final = {
    "input": "promptTokenCount",
    "output": "candidatesTokenCount",
    "cached": "cachedContentTokenCount",
    "thoughts": "thoughtsTokenCount",
    "tool": "toolUsePromptTokenCount",
    "total": "totalTokenCount",
}


class WireCall(NamedTuple):
    """A function call that the API sent."""

    name: str  #: as the model calls it
    arguments: str  #: JSON text with all of them, exact, keys in the order sent


@dataclass(frozen=True, slots=True)
class Exchange:
    """One answer of the API in the conversation, whole."""

    number: int  #: its place among the lines that were read, counted from 1
    text: str  #: what the model said, without its thoughts
    thoughts: tuple[Thought, ...] = ()
    calls: tuple[WireCall, ...] = ()
    usage: Usage | None = None
    finish: str | None = None  #: why the model stopped, in the API's words


class WireLog:
    """The file of the CLI's flag `--record-responses`, read as it grows.

    The CLI writes an answer when it has come whole: before the screen turns ready, and before a
    dialog about one of its calls is drawn. An answer that was broken off is not there.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        #: Answers of the conversation since the mark, in order.
        self.exchanges: list[Exchange] = []
        self._inode: int | None = None
        #: How far it was read, and where the turn begins.
        self._offset = self._start = 0
        #: The beginning of a line, or that its rest is passed over.
        self._line = bytearray()
        self._skips = False
        self._lines = 0
        self._kept = 0
        self._lost = False
        self._exists = False
        #: It could not be read, for example because too many files are open; it is tried again.
        self._blind = False

    def mark(self) -> None:
        """A prompt is about to be sent: what is known now is old, and so is what was not read."""
        self._look(marks=True)
        self.exchanges.clear()
        self._start, self._kept = self._offset, 0
        self._lost = self._skips  # a line that has not ended belongs to what follows

    @property
    def exists(self) -> bool:
        """Whether the CLI has written to it, or may have: it knows the flag."""
        return self._exists or self._blind

    @property
    def whole(self) -> bool:
        """Every answer since the mark is in `exchanges`, with all of its calls."""
        return not self._lost and not self._blind

    def refresh(self) -> None:
        """Take over what was written since; costs one look at the file if nothing was."""
        self._look(marks=False)

    def _look(self, *, marks: bool) -> None:
        try:
            # Neither a link nor a pipe that somebody put in its place.
            file = os.open(self.path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
        except OSError as error:
            self._blind = error.errno not in (errno.ENOENT, errno.ELOOP)
            if not self._blind:
                self._begin(None)
            return
        try:
            size = self._read(file)
            if marks and self._offset < size:
                self._leap(file, size)
        except OSError:
            self._blind = True
        else:
            self._blind = False
        finally:
            os.close(file)

    def _begin(self, inode: int | None) -> None:
        """Another file is there, or none: what else stood in the last one nobody knows."""
        self._lost |= self._inode is not None
        self._inode, self._offset, self._start, self._skips = inode, 0, 0, False
        self._line.clear()

    def _read(self, file: int) -> int:
        """Read up to the end or the limit; returns the size."""
        found = os.fstat(file)
        if not stat.S_ISREG(found.st_mode):
            self._begin(None)
            return 0
        if found.st_ino != self._inode or found.st_size < self._offset:
            self._begin(found.st_ino)
        end = min(found.st_size, self._start + READ_BYTES)
        while chunk := os.pread(file, min(_CHUNK, end - self._offset), self._offset):
            self._offset += len(chunk)
            self._cut(chunk)
        self._lost |= self._offset < found.st_size
        return found.st_size

    def _leap(self, file: int, size: int) -> None:
        """Go on at the end of the file, which may be within a line."""
        self._skips = os.pread(file, 1, size - 1) != b"\n"
        self._line.clear()
        self._offset = size

    def _cut(self, chunk: bytes) -> None:
        """Take the lines that end in a chunk, and keep the beginning of the next."""
        *ends, rest = chunk.split(b"\n")
        for end in ends:
            self._hold(end)
            self._end_line()
        self._hold(rest)

    def _hold(self, more: bytes) -> None:
        if self._skips or len(self._line) + len(more) > LINE_BYTES:
            self._skips = self._lost = True  # now: who waits for its end trusts half a turn
            self._line.clear()
        else:
            self._line += more

    def _end_line(self) -> None:
        self._lines += 1
        if self._skips:
            self._exists = True
        else:
            self._take(bytes(self._line))
        self._skips = False
        self._line.clear()

    def _take(self, line: bytes) -> None:
        if not line.strip():
            return
        self._exists = True
        record = parsed(line)
        method = record.get("method") if isinstance(record, dict) else None
        if isinstance(record, dict) and method == "generateContentStream":
            self._kept += len(line)
            found = _exchange(self._lines, record.get("response"))
            if found is not None and self._kept <= KEPT_BYTES:
                self.exchanges.append(found)
                return
        elif isinstance(method, str):
            return
        self._lost = True


def _exchange(number: int, response: object) -> Exchange | None:
    """The answer that a line holds; None if it, or a call in it, cannot be understood."""
    if not isinstance(response, list):
        return None
    texts: list[str] = []
    thoughts: list[Thought] = []
    calls: list[WireCall] = []
    usage, finish = None, None
    for event in _dicts(response):
        usage = _usage(event.get("usageMetadata")) or usage
        for candidate in list(_dicts(event.get("candidates")))[:1]:  # the CLI looks at no other
            finish = _string(candidate.get("finishReason")) or finish
            content = candidate.get("content")
            for part in _dicts(content.get("parts") if isinstance(content, dict) else None):
                text = _string(part.get("text"))
                if part.get("thought") is True:
                    thoughts += _thought(text)
                else:
                    texts.append(text)
                if (sent := part.get("functionCall")) is not None:
                    if (call := _call(sent)) is None:
                        return None
                    calls.append(call)
    # A pair of halves may come in two events.
    text = _whole("".join(texts))
    return Exchange(number, text, tuple(thoughts), tuple(calls), usage, finish)


def _dicts(value: object) -> Iterator[dict[str, Any]]:
    if isinstance(value, list):
        yield from (item for item in value if isinstance(item, dict))


def _string(value: object) -> str:
    return value if isinstance(value, str) else ""


def _whole(text: str) -> str:
    """A text that can be written as UTF-8: half a character is replaced."""
    if not _HALVES.search(text):
        return text
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _thought(text: str) -> Iterator[Thought]:
    """A thought as the CLI cuts it: its subject stands between two pairs of asterisks."""
    text = _whole(text)
    found = _SUBJECT.search(text)
    subject = found[1].strip() if found else ""
    description = _SUBJECT.sub("", text, count=1).strip()
    if subject or description:
        yield Thought(subject=subject, description=description)


def _call(value: object) -> WireCall | None:
    if not isinstance(value, dict):
        return None
    name, arguments = _string(value.get("name")), value.get("args")
    if arguments is None:
        arguments = {}
    if not name or not isinstance(arguments, dict) or _is_deep(arguments):
        return None
    try:
        text = dumps(arguments, ensure_ascii=False, allow_nan=False)
    except ValueError:  # a number beyond all that Python has
        return None
    # Half a character stays what it is: as the escape that JSON has for it.
    text = _HALVES.sub(lambda half: f"\\u{ord(half[0]):04x}", text)
    return WireCall(_whole(name), text)


def _is_deep(value: object) -> bool:
    level = [value]
    for _ in range(_DEEPEST):
        level = [inner for one in level for inner in _inner(one)]
        if not level:
            return False
    return True


def _inner(value: object) -> Iterable[object]:
    if isinstance(value, dict):
        return value.values()
    return value if isinstance(value, list) else ()


def _usage(value: object) -> Usage | None:
    if not isinstance(value, dict):
        return None
    counts = {}
    for name, key in _TOKENS.items():
        count = value.get(key, 0)
        counts[name] = count if type(count) is int and count >= 0 else 0
    return Usage(**counts)
