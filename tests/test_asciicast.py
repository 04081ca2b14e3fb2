"""The recording format: what is read, what is refused and where, what is written."""

import gzip
import json
import tracemalloc
import zlib
from collections.abc import Iterable, Iterator
from itertools import chain, repeat
from unicodedata import category

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from pydantic import JsonValue

from geminipty.asciicast import Event, Header, Limits, Recording, loads, read, write
from geminipty.errors import RecordingInvalid

V2 = b'{"version": 2, "width": 80, "height": 24}\n'
V3 = b'{"version":3,"term":{"cols":80,"rows":24}}\n'
SMALL = Header(columns=80, lines=24)
MIB = 1 << 20
PIECE = 1 << 16  # what is read at a time, so how far a limit may be overrun
EMPTY_BLOCK = b"\x00\x00\x00\xff\xff"  # of a gzip stream

V2_SAMPLE = (
    '{"version": 2, "width": 100, "height": 40, "timestamp": 1794981986, "title": "hello ◇",'
    ' "env": {"TERM": "xterm-256color"}, "theme": {"fg": "#ffffff"}, "duration": 4.5}\n'
    '[1.25, "o", "\\u001b[2K◇ Ready\\r\\n"]\n'
    "\n"
    '[1.25, "i", "hi\\r"]\n'
    '[2.000001, "r", "120x50"]\n'
    '[3, "m", "asked"]\n'
    '[4.5, "z", {"a": [1, null]}]\n'
).encode()

V3_SAMPLE = (
    b'{"version":3,"term":{"cols":80,"rows":24,"type":"xterm","theme":{"bg":"#000000"},'
    b'"version":"9.1","x-font":null},"idle_time_limit":2,"command":"gemini","tags":["a","b"],'
    b'"x-geminipty":{"cli":"0.61.0"}}\n'
    b"# a comment is not an event\n"
    b'[0.5,"o","one"]\n'
    b"\r\n"
    b'[0.25,"o","two"]\n'
    b'[0,"s","{\\"state\\":\\"busy\\"}"]\n'
    b'[1e0,"x","-9"]'
)


def everything(recording: Recording) -> tuple[Header, list[Event]]:
    """Return the header and all events."""
    return recording.header, list(recording.events)


def micro(events: Iterable[Event]) -> list[tuple[int, str, JsonValue]]:
    """Return the events with their times in microseconds."""
    return [(round(event.time * 1e6), event.code, event.data) for event in events]


def refusal(chunks: Iterable[bytes]) -> RecordingInvalid:
    """Return the error that reading to the end raises."""
    with pytest.raises(RecordingInvalid) as caught:
        everything(read(chunks))
    return caught.value


def attempt(recording: bytes) -> tuple[Header, list[Event]] | RecordingInvalid:
    """Return what was read, or why it was not; any other error is a failure."""
    try:
        return everything(loads(recording))
    except RecordingInvalid as error:
        return error


# Reading


def test_a_v2_recording_has_absolute_times() -> None:
    """The times of version 2 are taken as they are, its header keys under our names."""
    header, events = everything(loads(V2_SAMPLE))

    assert header == Header(
        version=2,
        columns=100,
        lines=40,
        timestamp=1794981986,
        title="hello ◇",
        env={"TERM": "xterm-256color"},
        theme={"fg": "#ffffff"},
        extra={"duration": 4.5},
    )
    assert events == [
        Event(1.25, "o", "\x1b[2K◇ Ready\r\n"),
        Event(1.25, "i", "hi\r"),
        Event(2.000001, "r", "120x50"),
        Event(3.0, "m", "asked"),
        Event(4.5, "z", {"a": [1, None]}),
    ]


def test_a_v3_recording_has_intervals() -> None:
    """The intervals of version 3 are summed; comments, blank lines and a last newline are free."""
    header, events = everything(loads(V3_SAMPLE))

    assert header == Header(
        version=3,
        columns=80,
        lines=24,
        term_type="xterm",
        theme={"bg": "#000000"},
        idle_time_limit=2.0,
        command="gemini",
        tags=("a", "b"),
        extra={"x-geminipty": {"cli": "0.61.0"}},
        term_extra={"version": "9.1", "x-font": None},
    )
    assert events == [
        Event(0.5, "o", "one"),
        Event(0.75, "o", "two"),
        Event(0.75, "s", '{"state":"busy"}'),
        Event(1.75, "x", "-9"),
    ]


def test_null_is_an_absent_header_key() -> None:
    """A known header key that is null is read as if it were not there."""
    recording = loads('{"version":2,"width":80,"height":24,"title":null,"env":null,"tags":null}\n')

    assert recording.header == Header(version=2, columns=80, lines=24)


def test_a_byte_order_mark_is_tolerated() -> None:
    """A BOM before the header changes nothing."""
    assert everything(loads(b"\xef\xbb\xbf" + V3_SAMPLE)) == everything(loads(V3_SAMPLE))


def test_text_is_read_like_its_bytes() -> None:
    """Text and its UTF-8 are the same recording."""
    assert everything(loads(V2_SAMPLE.decode())) == everything(loads(V2_SAMPLE))


def test_gzip_is_read_like_what_it_holds() -> None:
    """A recording may be compressed; nobody has to say so."""
    assert everything(loads(gzip.compress(V2_SAMPLE))) == everything(loads(V2_SAMPLE))


def test_a_long_recording_does_not_drift() -> None:
    """200,000 intervals of 0.1 s, the most that fit, end at 20,000 s."""
    recording = read(chain([V3], repeat(b'[0.1,"o",""]\n', 200_000)))

    *_, last = recording.events

    assert abs(last.time - 20_000) < 1e-9


@given(st.lists(st.floats(0, 1e4) | st.sampled_from([0.0, 5e-324, 0.1, 2.0**-53, 1 / 3])))
@example([0.1, 1 / 3, 5e-324])  # Kahan's sum as in the books goes back here
def test_summed_times_never_go_back(intervals: list[float]) -> None:
    """However the intervals round, no event is before the one it follows."""
    recording = read([V3, *(b'[%r,"o",""]\n' % interval for interval in intervals)])

    times = [event.time for event in recording.events]

    assert times == sorted(times)
    assert not times or abs(times[-1] - sum(map(float, intervals))) <= 1e-9 * (1 + times[-1])


def test_the_header_is_read_before_the_events() -> None:
    """The start is enough for the header; a flaw further on appears when it is reached."""
    recording = loads(V3 + b'[0,"o","fine"]\n' + b"[]\n")

    assert recording.header == SMALL
    assert next(recording.events) == Event(0.0, "o", "fine")
    with pytest.raises(RecordingInvalid, match=r"^line 3: "):
        next(recording.events)


def test_a_resize_tells_its_size() -> None:
    """The size of a resize is columns, lines; an event that is none has no size."""
    assert Event(0.0, "r", "120x50").size == (120, 50)
    with pytest.raises(ValueError, match="invalid literal"):
        _ = Event(0.0, "o", "hello").size


@given(st.sampled_from([V2_SAMPLE, V3_SAMPLE, gzip.compress(V2_SAMPLE)]), st.data())
def test_any_chunking_gives_the_same_events(cast: bytes, data: st.DataObject) -> None:
    """How the bytes are cut into chunks makes no difference."""
    cuts = sorted(data.draw(st.lists(st.integers(0, len(cast)))))

    chunks = [cast[a:b] for a, b in zip([0, *cuts], [*cuts, len(cast)], strict=True)]

    assert everything(read(chunks)) == everything(loads(cast))


def test_chunks_of_one_byte_give_the_same_events() -> None:
    """Even when the pieces inside are filled byte by byte over their borders."""
    recording = V3 + b'[0.001,"o","%s"]\n' % (b"x" * 50) * 3_000

    chunks = (recording[i : i + 1] for i in range(len(recording)))

    assert everything(read(chunks)) == everything(loads(recording))


# Refusing

V3_TERM = b'{"version":3,"term":{"cols":80,"rows":24%b}%b}\n'

BAD: dict[str, tuple[bytes, int, str]] = {
    "empty": (b"", 1, "the header is missing"),
    "only a BOM": (b"\xef\xbb\xbf", 1, "the header is missing"),
    "blank first line": (b"\n" + V3, 1, "the header is missing"),
    "event first": (b'[0,"o","x"]\n', 1, "only asciicast 2 and 3 are supported"),
    "not JSON at all": (b"hello\n", 1, "this is not JSON (expected value)"),
    "header cut off": (V3[:20], 1, "the recording was cut off here"),
    "version 1": (
        b'{"version":1,"width":80,"height":24,"stdout":[[0,"x"]]}\n',
        1,
        "only asciicast 2 and 3 are supported; seen: {'height': 24, 'stdout': [[0, 'x']], "
        "'version': 1, 'width': 80}. Try: asciinema convert.",
    ),
    "version 4": (b'{"version":4}\n', 1, "only asciicast 2 and 3 are supported"),
    "version as text": (b'{"version":"3"}\n', 1, "only asciicast 2 and 3 are supported"),
    "version as list": (b'{"version":[3]}\n', 1, "only asciicast 2 and 3 are supported"),
    "no version": (b"{}\n", 1, "only asciicast 2 and 3 are supported"),
    "v2 without height": (b'{"version":2,"width":80}\n', 1, "header: height: Field required"),
    "v2 with height 0": (
        b'{"version":2,"width":80,"height":0}\n',
        1,
        "header: height: Input should be greater than or equal to 1; seen: 0",
    ),
    "v2 with a term": (b'{"version":2,"width":1,"height":1,"term":{}}\n', 1, "version 2 none"),
    "v3 without term": (b'{"version":3}\n', 1, "version 3 must have an object 'term'"),
    "v3 with a term of text": (b'{"version":3,"term":"x"}\n', 1, "seen: 'x'"),
    "v3 without cols": (b'{"version":3,"term":{"rows":24}}\n', 1, "header: cols: Field required"),
    "v3 with true cols": (
        b'{"version":3,"term":{"cols":true,"rows":24}}\n',
        1,
        "header: cols: Input should be a valid integer; seen: True",
    ),
    "too many columns": (
        b'{"version":3,"term":{"cols":1001,"rows":24}}\n',
        1,
        "over the limit of 1000 columns; seen: 1001. Limits(columns=…) allows more.",
    ),
    "too many lines": (
        b'{"version":2,"width":80,"height":5001}\n',
        1,
        "over the limit of 5000 lines; seen: 5001",
    ),
    "title is a number": (V3_TERM % (b"", b',"title":1'), 1, "header: title: Input should be a"),
    "env value is a number": (V3_TERM % (b"", b',"env":{"A":1}'), 1, "header: env: Input should"),
    "tags is text": (V3_TERM % (b"", b',"tags":"ab"'), 1, "header: tags: Input should be a valid"),
    "theme is a list": (V3_TERM % (b',"theme":[]', b""), 1, "header: theme: Input should be a"),
    "timestamp in the year 10000": (
        V3_TERM % (b"", b',"timestamp":253402300800'),
        1,
        "header: timestamp: Input should be less than",
    ),
    "timestamp is a fraction": (V3_TERM % (b"", b',"timestamp":1.5'), 1, "header: timestamp: "),
    "negative idle time": (V3_TERM % (b"", b',"idle_time_limit":-1'), 1, "idle_time_limit: "),
    "infinity in an extra key": (V3_TERM % (b"", b',"x":[1e999]'), 1, "finite number; seen: inf"),
    "event not JSON": (V3 + b"# fine\n\noops\n", 4, "this is not JSON (expected value); seen: 'oo"),
    "comment in v2": (V2 + b"# no\n", 2, "this is not JSON"),
    "two values in a line": (V3 + b'[0,"o",""][0,"o",""]\n', 2, "trailing characters"),
    "last line cut off": (
        V3 + b'[0,"o","x"]\n[0.5,"o","\xe2\x97',
        3,
        "the recording was cut off here",
    ),
    "raw control byte": (V3 + b'[0,"o","\x1b[2J"]\n', 2, r"""seen: '[0,"o","\x1b[2J"]\n'"""),
    "invalid UTF-8": (V3 + b'[0,"o","\xff"]\n', 2, "invalid unicode code point"),
    "lone surrogate, raw": (V3 + b'[0,"o","\xed\xa0\x80"]\n', 2, "invalid unicode code point"),
    "lone surrogate, escaped": (V3 + b'[0,"o","\\ud800"]\n', 2, "hex escape"),
    "deep nesting": (V3 + b'[0,"z",%b%b]\n' % (b"[" * 5000, b"]" * 5000), 2, "recursion limit"),
    "huge integer": (V3 + b'[0,"z",1%b]\n' % (b"0" * 5000), 2, "number out of range"),
    "event is an object": (V3 + b"{}\n", 2, "an event must be a list of 3; seen: {}"),
    "event of 2": (V3 + b'[0,"o"]\n', 2, "an event must be a list of 3; seen: [0, 'o']"),
    "event of 4": (V3 + b'[0,"o","",1]\n', 2, "an event must be a list of 3"),
    "time is text": (V3 + b'["0","o",""]\n', 2, "a time must be a number from 0.0 to 1e+09; seen"),
    "time is true": (V3 + b'[true,"o",""]\n', 2, "a time must be a number"),
    "time is NaN": (V3 + b'[NaN,"o",""]\n', 2, "this is not JSON"),
    "time is Infinity": (V3 + b'[Infinity,"o",""]\n', 2, "this is not JSON"),
    "time overflows": (V3 + b'[1e999,"o",""]\n', 2, "a time must be a number"),
    "time is a huge integer": (V3 + b'[1%b,"o",""]\n' % (b"0" * 400), 2, "a time must be a"),
    "negative interval": (V3 + b'[-1e-20,"o",""]\n', 2, "a time must be a number from 0.0"),
    "time over 31 years": (V2 + b'[1000000000.1,"o",""]\n', 2, "a time must be a number"),
    "sum over 31 years": (V3 + b'[6e8,"o",""]\n[6e8,"o",""]\n', 3, "seen: 1200000000.0"),
    "time goes back": (
        V2 + b'[2.5,"o",""]\n[2.25,"o",""]\n',
        3,
        "from 2.5 to 1e+09; seen: 2.25. Times are seconds and never go back.",
    ),
    "empty code": (V3 + b'[0,"",""]\n', 2, "a code must be one printable character; seen: ''"),
    "long code": (V3 + b'[0,"out",""]\n', 2, "a code must be one printable character; seen: 'out'"),
    "control code": (V3 + b'[0,"\\u001b",""]\n', 2, r"one printable character; seen: '\x1b'"),
    "code is a list": (V3 + b'[0,["o"],""]\n', 2, "a code must be one printable character"),
    "output is no text": (V3 + b'[0,"o",null]\n', 2, "the data of 'o' must be text; seen: None"),
    "exit status is a number": (V3 + b'[0,"x",0]\n', 2, "the data of 'x' must be text; seen: 0"),
    "exit status is a word": (V3 + b'[0,"x","ok"]\n', 2, "an exit status must be an integer"),
    "exit status with a tail": (V3 + b'[0,"x","1 "]\n', 2, "an exit status must be an integer"),
    "resize without a size": (V3 + b'[0,"r","80"]\n', 2, "a resize must be COLUMNSxLINES"),
    "resize with a newline": (V3 + b'[0,"r","80x24\\n"]\n', 2, "a resize must be COLUMNSxLINES"),
    "resize in other digits": (V3 + '[0,"r","８x２"]\n'.encode(), 2, "a resize must be"),
    "resize to 0": (V3 + b'[0,"r","0x24"]\n', 2, "a resize must be COLUMNSxLINES"),
    "resize too wide": (V3 + b'[0,"r","1001x24"]\n', 2, "over the limit of 1000 columns"),
    "resize too high": (V3 + b'[0,"r","80x5001"]\n', 2, "over the limit of 5000 lines"),
    "infinity in data": (V3 + b'[0,"z",{"a":[-1e999]}]\n', 2, "this is not JSON"),
    "gzip cut off": (gzip.compress(V3)[:-1], 2, "the gzip data is cut off"),
    "gzip damaged": (gzip.compress(V3)[:-8] + bytes(8), 1, "the gzip data is damaged"),
    "gzip of two members": (
        gzip.compress(V3) + gzip.compress(b'[0,"o",""]\n'),
        2,
        "the gzip stream ends but data follows",
    ),
}


@pytest.mark.parametrize(("cast", "line", "message"), BAD.values(), ids=BAD.keys())
def test_a_bad_recording_is_refused_at_its_line(cast: bytes, line: int, message: str) -> None:
    """The error names the line and says what happened, what was seen and what to do."""
    error = refusal([cast])

    assert error.line == line
    assert message in str(error)
    assert "; seen: " in str(error)
    assert str(error).endswith(".")


@pytest.mark.parametrize("cast", [case[0] for case in BAD.values()], ids=BAD.keys())
def test_an_error_is_short_and_harmless_to_print(cast: bytes) -> None:
    """No control byte and no flood of the recording's text reaches the terminal of the reader."""
    message = str(refusal([cast]))

    assert message.isprintable()
    assert len(message) < 300


def test_a_lone_surrogate_in_text_is_refused() -> None:
    """Text that cannot be UTF-8 is refused at its line, as bytes are."""
    with pytest.raises(RecordingInvalid, match=r"^line 2: this is not JSON"):
        list(loads(V3.decode() + '[0,"o","\ud800"]\n').events)


def mutated(data: st.DataObject, recording: bytes) -> bytes:
    """Return the recording after some small accidents."""
    for _ in range(data.draw(st.integers(1, 4))):
        start, end = sorted(data.draw(st.tuples(*[st.integers(0, len(recording))] * 2)))
        patch = data.draw(
            st.binary(max_size=4)
            | st.sampled_from([b"\n", b'"', b"[", b"{}", b"1e999", b"-", b"null", b"\\ud800", b"#"])
            | st.just(recording[start:end] * 2)
        )
        recording = recording[:start] + patch + recording[min(end, start + 8) :]
    return recording


@given(st.sampled_from([V2_SAMPLE, V3_SAMPLE, gzip.compress(V3_SAMPLE)]), st.data())
def test_whatever_is_read_is_refused_or_can_be_written(sample: bytes, data: st.DataObject) -> None:
    """From damaged bytes come events that survive writing, or RecordingInvalid; nothing else."""
    outcome = attempt(mutated(data, sample))

    if isinstance(outcome, RecordingInvalid):
        assert outcome.line is not None
    else:
        again, events_again = everything(loads("".join(write(*outcome))))
        assert again == outcome[0].model_copy(update={"version": 3})
        assert micro(events_again) == micro(outcome[1])


@given(st.binary(), st.sampled_from([b"", V2, V3, b"\x1f\x8b"]))
def test_random_bytes_raise_nothing_but_recording_invalid(noise: bytes, start: bytes) -> None:
    """Any bytes are a recording or a RecordingInvalid."""
    outcome = attempt(start + noise)

    assert not isinstance(outcome, RecordingInvalid) or outcome.line is not None


# Limits


class Source:
    """Endless chunks that are made only when asked for, and how many bytes were taken."""

    def __init__(self, start: bytes, more: bytes) -> None:
        self.taken = 0
        self._chunks = chain([start], repeat(more))

    def __iter__(self) -> Iterator[bytes]:
        for chunk in self._chunks:
            self.taken += len(chunk)
            yield chunk


def bomb() -> bytes:
    """Return a gzip stream of less than 1 MB that unpacks to 32 MB of comments."""
    packer = zlib.compressobj(9, wbits=31)
    comments = (b"#" * 1023 + b"\n") * 1024
    return b"".join(map(packer.compress, [V3, *[comments] * 32])) + packer.flush()


EVENT = b'[0,"o",""]\n'
TAGS = V3_TERM % (b"", b',"tags":[%b1]' % (b"1," * 500_000))
OVER_LIMIT: dict[str, tuple[str, int, bytes, bytes, int]] = {
    "a line of 300 MB": ("line_bytes", 2, V3, b"x" * 100_000, 2 * MIB),
    "a header of 300 MB": ("line_bytes", 1, b"{", b" " * 100_000, 2 * MIB),
    "a header of 1 MB": ("header_bytes", 1, TAGS, b"\n", 2 * MIB),
    "300 MB of comments": ("total_bytes", 69, V3, b"#" * 999_999 + b"\n", 65 * MIB),
    "a gzip bomb": ("ratio", 6401, bomb(), b"", 2 * MIB),
    "empty gzip blocks": (
        "total_bytes",
        1,
        gzip.compress(b"")[:10],
        EMPTY_BLOCK * 20_000,
        65 * MIB,
    ),
}


@pytest.mark.parametrize(
    ("limit", "line", "start", "more", "most"), OVER_LIMIT.values(), ids=OVER_LIMIT.keys()
)
def test_a_recording_over_a_limit_is_refused_early(
    limit: str, line: int, start: bytes, more: bytes, most: int
) -> None:
    """Reading stops at the limit, in little memory, and the error says which limit it was."""
    source = Source(start, more)

    tracemalloc.start()
    try:
        error = refusal(source)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()

    assert f"Limits({limit}=…) allows more." in str(error)
    assert error.line == line
    assert source.taken < most
    assert peak < 20 * MIB


@pytest.mark.parametrize("line", [EVENT, b"# comment\n", b"\n"])
def test_line_200_001_after_the_header_is_refused(line: bytes) -> None:
    """So many events are refused, and so are as many lines that say nothing."""
    source = Source(V3, line * 1000)

    error = refusal(source)

    assert "over the limit of 200000 events; seen: 200001. Limits(events=…)" in str(error)
    assert error.line == 200_002
    assert source.taken < 201_000 * len(line) + 2 * PIECE


AT_LIMIT: dict[str, tuple[Limits, bytes, bytes]] = {
    "header_bytes": (Limits(header_bytes=len(V3)), V3, V3_TERM % (b"", b" ")),
    "line_bytes": (Limits(line_bytes=len(V3) - 1), V3, V3_TERM % (b"", b" ")),
    "total_bytes": (Limits(total_bytes=len(V3 + EVENT)), V3 + EVENT, V3 + EVENT + b"\n"),
    "ratio": (Limits(ratio=2), gzip.compress(V3 + EVENT), gzip.compress(V3 + EVENT * 99)),
    "events": (Limits(events=3), V3 + EVENT + b"#\n" + EVENT, V3 + EVENT * 4),
    "columns": (Limits(columns=80), V3 + b'[0,"r","80x1"]\n', V3 + b'[0,"r","81x1"]\n'),
    "lines": (Limits(lines=24), V3 + b'[0,"r","1x24"]\n', V3 + b'[0,"r","1x25"]\n'),
}


@pytest.mark.parametrize(("limits", "fits", "over"), AT_LIMIT.values(), ids=AT_LIMIT.keys())
def test_a_limit_is_the_most_that_is_allowed(limits: Limits, fits: bytes, over: bytes) -> None:
    """What reaches a limit is read; what exceeds it is not."""
    everything(loads(fits, limits=limits))

    with pytest.raises(RecordingInvalid, match="over the limit"):
        everything(loads(over, limits=limits))


def test_a_ratio_is_not_rounded_down() -> None:
    """One byte more than the ratio allows is too much."""
    plain = V3 + EVENT * 99
    packed = gzip.compress(plain)
    below, rest = divmod(len(plain), len(packed))

    assert rest > 0
    everything(loads(packed, limits=Limits(ratio=below + 1)))
    with pytest.raises(RecordingInvalid, match="over the limit"):
        everything(loads(packed, limits=Limits(ratio=below)))


# Writing


def test_a_recording_is_written_as_v3() -> None:
    """Header and events become one compact JSON line each, with intervals in microseconds."""
    header = Header(
        version=2,
        columns=80,
        lines=24,
        term_type="xterm",
        theme={"fg": "#ffffff"},
        timestamp=0,
        title="◇",
        tags=("a",),
        extra={"x-geminipty": {"cli": "0.61.0"}},
        term_extra={"version": "9"},
    )
    events = [Event(0.5, "o", "◇\x1b[m"), Event(0.500001, "m", ""), Event(61, "z", [1, None])]

    assert list(write(header, events)) == [
        '{"version":3,"term":{"cols":80,"rows":24,"type":"xterm","theme":{"fg":"#ffffff"},'
        '"version":"9"},"timestamp":0,"title":"◇","tags":["a"],"x-geminipty":{"cli":"0.61.0"}}\n',
        '[0.500000,"o","◇\\u001b[m"]\n',
        '[0.000001,"m",""]\n',
        '[60.499999,"z",[1,null]]\n',
    ]


def test_the_header_is_written_before_an_event_is_asked_for() -> None:
    """A recorder can write its header at once, and each event when it happens."""
    happened: list[str] = []

    def events() -> Iterator[Event]:
        for data in "ab":
            happened.append(data)
            yield Event(0.0, "o", data)

    lines = write(SMALL, events())

    assert (next(lines), happened) == (V3.decode(), [])
    assert (next(lines), happened) == ('[0.000000,"o","a"]\n', ["a"])


def test_written_intervals_do_not_drift() -> None:
    """Rounding one time does not move the times after it."""
    times = [n / 3 for n in range(30_000)]

    *_, last = loads("".join(write(SMALL, [Event(time, "o", "") for time in times]))).events

    assert abs(last.time - times[-1]) <= 1e-6


def test_a_written_line_has_no_control_character_but_its_newline() -> None:
    """Whoever prints or splits the file sees one harmless line for each event."""
    text = "".join(map(chr, range(0x100))) + "\u2028\u2029◇"

    _, line = write(SMALL, [Event(0.0, "o", text)])

    assert not [char for char in line[:-1] if category(char) == "Cc"]
    assert line.splitlines() == [line[:-1]]
    assert json.loads(line)[2] == text


NO_JSON: JsonValue = [float("nan")]
UNWRITABLE: dict[str, tuple[Header, list[Event], str]] = {
    "back in time": (SMALL, [Event(2.0, "o", ""), Event(1.0, "o", "")], "from 2.0 to 1e+09"),
    "before the start": (SMALL, [Event(-1e-9, "o", "")], "a time must be a number from 0.0"),
    "time is NaN": (SMALL, [Event(float("nan"), "o", "")], "1e+09; seen: nan"),
    "time is infinite": (SMALL, [Event(float("inf"), "o", "")], "a time must be a number"),
    "code too long": (SMALL, [Event(0.0, "out", "")], "a code must be one printable character"),
    "output is no text": (SMALL, [Event(0.0, "o", 1)], "the data of 'o' must be text"),
    "resize is no size": (SMALL, [Event(0.0, "r", "wide")], "a resize must be COLUMNSxLINES"),
    "status is no number": (SMALL, [Event(0.0, "x", "")], "an exit status must be an integer"),
    "lone surrogate": (SMALL, [Event(0.0, "o", "\ud800")], "this cannot be written as JSON"),
    "NaN in data": (SMALL, [Event(0.0, "z", NO_JSON)], "this is not JSON"),
    "line too long": (SMALL, [Event(0.0, "o", "x" * MIB)], "over the limit of 1048576 line_bytes"),
    "too wide": (Header(columns=1001, lines=1), [], "over the limit of 1000 columns"),
    "surrogate title": (Header(columns=1, lines=1, extra={"x": "\udfff"}), [], "cannot be written"),
    "extra key is a field": (
        Header(columns=1, lines=1, extra={"title": "x"}),
        [],
        "the header would read back changed; seen: {'title': 'x'}. Rename its extra keys.",
    ),
}


@pytest.mark.parametrize(
    ("header", "events", "message"), UNWRITABLE.values(), ids=UNWRITABLE.keys()
)
def test_what_could_not_be_read_is_not_written(
    header: Header, events: list[Event], message: str
) -> None:
    """The message is the one that reading would give, but without a line."""
    with pytest.raises(RecordingInvalid) as caught:
        list(write(header, events))

    assert message in str(caught.value)
    assert caught.value.line is None


def test_more_events_than_can_be_read_are_not_written() -> None:
    """The limits hold for writing too; what was written before is a whole recording."""
    lines = write(SMALL, repeat(Event(0.0, "o", "")), limits=Limits(events=2))

    written = [next(lines) for _ in range(3)]

    with pytest.raises(RecordingInvalid, match="over the limit of 2 events"):
        next(lines)
    assert len(list(loads("".join(written)).events)) == 2


texts = st.text(st.characters(codec="utf-8"), max_size=20)
json_values: st.SearchStrategy[JsonValue] = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=5,
)
moments = st.tuples(st.sampled_from("oim"), texts) | st.one_of(
    st.tuples(st.just("r"), st.builds("{}x{}".format, st.integers(1, 1000), st.integers(1, 5000))),
    st.tuples(st.just("x"), st.integers(-(10**9), 10**9).map(str)),
    st.tuples(st.sampled_from('sz#"\\ é◇'), json_values),
)
recordings = st.lists(st.tuples(st.floats(0, 1e9), moments)).map(
    lambda timed: [Event(time, *moment) for time, moment in sorted(timed, key=lambda t: t[0])]
)
others = st.dictionaries(texts.map("x-{}".format), json_values, max_size=3)
headers = st.builds(
    Header,
    version=st.sampled_from([2, 3]),
    columns=st.integers(1, 1000),
    lines=st.integers(1, 5000),
    term_type=st.none() | texts,
    theme=st.dictionaries(texts, texts, max_size=2),
    timestamp=st.none() | st.integers(0, 253_402_300_799),
    idle_time_limit=st.none() | st.floats(0, 1e9),
    command=st.none() | texts,
    title=st.none() | texts,
    env=st.dictionaries(texts, texts, max_size=2),
    tags=st.lists(texts, max_size=2).map(tuple),
    extra=others,
    term_extra=others,
)


LAST_MOMENT = Event(1e9, "m", "the sum of the intervals before it is a little more than 1e9")


@given(headers, recordings)
def test_what_is_written_reads_back_the_same(header: Header, events: list[Event]) -> None:
    """Header, unknown keys, codes and data survive; times do so to the microsecond."""
    again, events_again = everything(loads("".join(write(header, events))))

    assert again == header.model_copy(update={"version": 3})
    assert micro(events_again) == micro(events)


@given(recordings)
@example([Event(1.3963881880044937, "m", ""), Event(536870913.5859375, "m", ""), LAST_MOMENT])
def test_a_v2_recording_survives_becoming_v3(events: list[Event]) -> None:
    """Reading v2, writing v3 and reading that gives the events of v2."""
    lines = [json.dumps(event) + "\n" for event in events]
    header, read_as_v2 = everything(loads(V2.decode() + "".join(lines)))

    read_as_v3 = loads("".join(write(header, read_as_v2))).events

    assert read_as_v2 == events
    assert micro(read_as_v3) == micro(events)


@pytest.mark.parametrize("sample", [V2_SAMPLE, V3_SAMPLE])
def test_writing_again_changes_nothing(sample: bytes) -> None:
    """A file that we wrote is written the same when it was read."""
    once = "".join(write(*loads(sample)))

    assert "".join(write(*loads(once))) == once
