"""The recording format as data, so that no other module knows what a cast file looks like.

Reads asciicast v2 and v3, writes v3. Rule: a recording is untrusted input. Whatever breaks the
format or a limit is a RecordingInvalid, never a guess and never another exception; and a line
leaves `write` only if `read` gives back what it was made of.
"""

import re
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain, count
from reprlib import Repr
from typing import Annotated, Any, Final, Literal, NamedTuple

from pydantic import BaseModel, ConfigDict, Field, JsonValue, ValidationError
from pydantic_core import from_json, to_json

from geminipty.errors import RecordingInvalid
from geminipty.options import MAX_COLUMNS, MAX_LINES

_MAX_SECONDS: Final = 1e9  # 31 years, where a float still tells microseconds apart
_PIECE: Final = 1 << 16
_SIZE: Final = re.compile(r"([1-9][0-9]{0,8})x([1-9][0-9]{0,8})")
# JSON allows these inside text, but terminals obey them (DEL, C1) and str.splitlines cuts there.
_UNSAFE: Final = re.compile("[\x7f-\x9f\u2028\u2029]")
# Which field of Header is which key: at the top of both versions, of v2, and in the term of v3.
_SHARED: Final = ("timestamp", "idle_time_limit", "command", "title", "env", "tags")
_V2: Final = {"columns": "width", "lines": "height", "theme": "theme"}
_V3_TERM: Final = {"columns": "cols", "lines": "rows", "term_type": "type", "theme": "theme"}
_seen: Final = Repr()
_seen.maxstring, _seen.maxdict = 80, 8


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """The most that a recording may ask of its reader; raise one only for files you trust."""

    header_bytes: int = 1 << 16
    line_bytes: int = 1 << 20
    total_bytes: int = 64 << 20  #: after decompression
    ratio: int = 100  #: decompressed bytes for each compressed one
    events: int = 200_000  #: comments and blank lines count as well
    columns: int = MAX_COLUMNS
    lines: int = MAX_LINES
    work: int = 2_000_000_000  #: what painting and reading it may cost, in units of about 10 ns


DEFAULT_LIMITS: Final = Limits()


class Event(NamedTuple):
    """One moment of a recording, `time` seconds after its start.

    The codes o (output), i (input), m (marker), r (resize) and x (exit status) carry text; any
    other character may carry any JSON, and both are kept.
    """

    time: float
    code: str
    data: JsonValue

    @property
    def size(self) -> tuple[int, int]:
        """Columns and lines of a resize; ValueError if the data is no size."""
        columns, _, lines = str(self.data).partition("x")
        return int(columns), int(lines)


class Header(BaseModel):
    """What a recording says of itself; keys without a field survive in `extra`."""

    model_config = ConfigDict(frozen=True, strict=True, extra="forbid", allow_inf_nan=False)
    version: Literal[2, 3] = 3  #: as read; what is written is 3
    columns: int = Field(ge=1)
    lines: int = Field(ge=1)
    term_type: str | None = None
    theme: dict[str, str] = {}
    timestamp: Annotated[int, Field(ge=0, le=253_402_300_799)] | None = None  # year 9999
    idle_time_limit: Annotated[float, Field(ge=0)] | None = None
    command: str | None = None
    title: str | None = None
    env: dict[str, str] = {}
    tags: Annotated[tuple[str, ...], Field(strict=False)] = ()  # JSON has only lists
    extra: dict[str, JsonValue] = {}
    term_extra: dict[str, JsonValue] = {}  #: those inside the `term` of v3


class Recording(NamedTuple):
    """A recording being read: `events` can be read once, and may raise RecordingInvalid."""

    header: Header
    events: Iterator[Event]


def read(chunks: Iterable[bytes], *, limits: Limits = DEFAULT_LIMITS) -> Recording:
    """Read the header now and each event when it is asked for, gzip or not.

    Memory stays small however long the recording is, and how it is cut into chunks makes no
    difference. RecordingInvalid names the line, here or while the events are read.
    """
    entries = _entries(_lines(_plain(_pieces(chunks), limits), limits), limits)
    return Recording(next(entries), entries)


def loads(data: bytes | str, *, limits: Limits = DEFAULT_LIMITS) -> Recording:
    """Read a recording from memory, as `read` does; a lone surrogate is refused like bad UTF-8."""
    raw = data.encode(errors="surrogatepass") if isinstance(data, str) else data
    return read([raw], limits=limits)


def write(
    header: Header, events: Iterable[Event], *, limits: Limits = DEFAULT_LIMITS
) -> Iterator[str]:
    """Yield the lines of an asciicast v3 file, the header before any event is asked for.

    Times are rounded to microseconds. RecordingInvalid, without a line, for whatever `read` would
    refuse under the same limits or give back changed; the lines before it are valid.
    """
    return map(bytes.decode, _lines(_written(header, events, limits), limits))


def _pieces(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """Cut into equal pieces, so that no check can depend on how the chunks were cut."""
    rest = bytearray()
    for chunk in chunks:
        for start in range(0, len(chunk), _PIECE):
            rest += chunk[start : start + _PIECE]
            if len(rest) >= _PIECE:
                yield bytes(rest[:_PIECE])
                del rest[:_PIECE]
    yield bytes(rest)


def _plain(pieces: Iterator[bytes], limits: Limits) -> Iterator[bytes]:
    first = next(pieces)
    pieces = chain([first], pieces)
    if not first.startswith(b"\x1f\x8b"):
        yield from pieces
        return
    stream = zlib.decompressobj(wbits=31)
    packed = unpacked = 0
    for piece in pieces:
        packed += len(piece)
        _hold("total_bytes", packed, limits)  # empty blocks unpack to nothing, for ever
        while piece:
            try:
                plain = stream.decompress(piece, _PIECE)
            except zlib.error as error:
                raise _flaw("the gzip data is damaged", str(error), "Copy it again.") from None
            unpacked += len(plain)
            _hold("ratio", -(-unpacked // packed), limits)
            yield plain
            piece = stream.unconsumed_tail
        if after := stream.unused_data:
            raise _flaw("the gzip stream ends but data follows", after, "Pack it as one stream.")
    if not stream.eof:
        raise _flaw("the gzip data is cut off", f"{packed} bytes", "Copy it again, to its end.")


def _lines(pieces: Iterable[bytes], limits: Limits) -> Iterator[bytes]:
    """Yield each line with its newline, which only a last line may lack."""
    total, begun = 0, b""
    for piece in pieces:
        total += len(piece)
        _hold("total_bytes", total, limits)
        *whole, begun = (begun + piece).split(b"\n")
        for line in whole:
            if len(line) > limits.line_bytes:
                _hold("line_bytes", len(line), limits)
            yield line + b"\n"
        _hold("line_bytes", len(begun), limits)
    if begun:
        yield begun


def _entries(lines: Iterator[bytes], limits: Limits) -> Iterator[Any]:
    """Yield the Header, then every Event."""
    number, clock, lost = 1, 0.0, 0.0
    try:
        yield (header := _header(next(lines, b"").removeprefix(b"\xef\xbb\xbf"), limits))
        intervals = header.version == 3
        for number in count(2):
            if not (line := next(lines, b"")):
                return
            if number - 1 > limits.events:
                _hold("events", number - 1, limits)
            if line.isspace() or (intervals and line[:1] == b"#"):
                continue
            time, code, data = _event(line, 0.0 if intervals else clock, limits)
            if intervals:
                # Kahan's sum: a later interval settles what rounding took, but never goes back.
                step = time - lost
                time = clock + step if step > 0.0 else clock
                lost = (time - clock) - step
                if time > _MAX_SECONDS:
                    time = round(time, 6)  # the sum of what `write` made may be a little over
                    _check_time(time, clock)
            clock = time
            yield tuple.__new__(Event, (time, code, data))  # half the price of Event()
    except RecordingInvalid as invalid:
        invalid.line = number
        raise


def _event(line: bytes, earliest: float, limits: Limits) -> tuple[float, str, JsonValue]:
    fields = _json(line)
    if type(fields) is not list or len(fields) != 3:
        raise _flaw("an event must be a list of 3", fields, "Write [time, code, data].")
    time, code, data = fields
    if (
        code == "o"
        and type(data) is str
        and type(time) is float
        and earliest <= time <= _MAX_SECONDS
    ):
        return time, code, data  # nearly all are like this
    _check_time(time, earliest)
    if type(code) is not str or len(code) != 1 or not code.isprintable():
        raise _flaw("a code must be one printable character", code, "Move the rest to the data.")
    if type(data) is not str:
        if code in "oimrx":
            raise _flaw(f"the data of {code!r} must be text", data, "Write a JSON string.")
        _json(_dump(data))  # finds infinity, which the parser makes of 1e999
    elif code == "r":
        if not (found := _SIZE.fullmatch(data)):
            raise _flaw("a resize must be COLUMNSxLINES", data, 'Write for example "80x24".')
        _hold("columns", int(found[1]), limits)
        _hold("lines", int(found[2]), limits)
    elif code == "x" and not re.fullmatch("-?[0-9]{1,10}", data):
        raise _flaw("an exit status must be an integer", data, 'Write for example "0".')
    return float(time), code, data


def _header(line: bytes, limits: Limits) -> Header:
    if not line.strip():
        raise _flaw("the header is missing", line, "It must be the first line.")
    raw = _json(line)
    if type(raw) is not dict or raw.get("version") not in (2, 3):
        raise _flaw("only asciicast 2 and 3 are supported", raw, "Try: asciinema convert.")
    _hold("header_bytes", len(line), limits)
    version = raw.pop("version")
    term = raw.pop("term", None) if version == 3 else raw
    if type(term) is not dict or "term" in raw:
        raise _flaw("version 3 must have an object 'term', version 2 none", term, "Correct it.")
    names = _V3_TERM if version == 3 else _V2
    fields = {field: term.pop(name, None) for field, name in names.items()}
    fields |= {name: raw.pop(name, None) for name in _SHARED}
    fields |= {"version": version, "extra": raw, "term_extra": term if version == 3 else None}
    try:
        header = Header(**{field: value for field, value in fields.items() if value is not None})
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        key = names.get(str(first["loc"][0]), first["loc"][0])
        raise _flaw(f"header: {key}: {first['msg']}", first["input"], "Correct it.") from None
    _hold("columns", header.columns, limits)
    _hold("lines", header.lines, limits)
    return header


def _written(header: Header, events: Iterable[Event], limits: Limits) -> Iterator[bytes]:
    known = header.model_dump(exclude_defaults=True)
    term = {name: known[field] for field, name in _V3_TERM.items() if field in known}
    shared = {name: known[name] for name in _SHARED if name in known}
    line = _dump({"version": 3, "term": term | header.term_extra} | shared | header.extra)
    if _header(line, limits) != header.model_copy(update={"version": 3}):
        raise _flaw("the header would read back changed", header.extra, "Rename its extra keys.")
    yield line
    clock, before = 0.0, 0
    for number, (time, code, data) in enumerate(events, 1):
        _hold("events", number, limits)
        _check_time(time, clock)
        # The times are rounded, not the intervals, whose errors would add up.
        step = round(time * 1e6) - before
        line = b"[%d.%06d,%b" % (*divmod(step, 1_000_000), _dump((code, data))[1:])
        if _event(line, 0.0, limits)[1:] != (code, data):
            raise _flaw("the event would read back changed", data, "Use only JSON types.")
        clock, before = time, before + step
        yield line


def _json(line: bytes) -> Any:
    try:
        return from_json(line, allow_inf_nan=False, cache_strings="none")
    except ValueError as error:
        what = "this is not JSON" if line.endswith(b"\n") else "the recording was cut off here"
        why = str(error).partition(" at line ")[0]
        seen = line[:200].decode(errors="backslashreplace")
        raise _flaw(f"{what} ({why})", seen, "Each line must hold one JSON value.") from None


def _dump(value: object) -> bytes:
    try:
        text = to_json(value).decode()
    except ValueError as error:
        raise _flaw("this cannot be written as JSON", value, str(error)) from None
    return _UNSAFE.sub(lambda found: f"\\u{ord(found[0]):04x}", text).encode() + b"\n"


def _check_time(time: Any, earliest: float) -> None:
    if (type(time) is not float and type(time) is not int) or not earliest <= time <= _MAX_SECONDS:
        what = f"a time must be a number from {earliest} to {_MAX_SECONDS:g}"
        raise _flaw(what, time, "Times are seconds and never go back.")


def _hold(name: str, amount: int, limits: Limits) -> None:
    if amount > (most := getattr(limits, name)):
        raise _flaw(f"over the limit of {most} {name}", amount, f"Limits({name}=…) allows more.")


def _flaw(what: str, seen: object, do: str) -> RecordingInvalid:
    return RecordingInvalid(f"{what}; seen: {_seen.repr(seen)}. {do}")
