"""The wire log is read as it grows, whatever it holds."""

import json
import os
import resource
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from geminipty.model import Thought, Usage
from geminipty.witnesses import WireCall, WireLog, wirelog

from .conftest import examples


def answer(*events: list[dict[str, Any]], **more: Any) -> str:
    """A line of the log: one answer of the conversation, its parts by event."""
    response = [{"candidates": [{"content": {"role": "model", "parts": e}}]} for e in events]
    return json.dumps({"method": "generateContentStream", "response": response} | more) + "\n"


def nested(depth: int) -> str:
    """A line with a call whose arguments are nested so deep."""
    return answer([call("f", x=0)]).replace('"x": 0', f'"x": {"[" * depth}{"]" * depth}')


def say(text: str) -> str:
    """An answer with a text."""
    return answer([{"text": text}])


def call(name: str, **arguments: Any) -> dict[str, Any]:
    """A part that calls a function."""
    return {"functionCall": {"name": name, "args": arguments}}


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """An empty log."""
    path = tmp_path / "wire.jsonl"
    path.touch()
    return path


def texts(log: WireLog) -> list[str]:
    """What the model said since the mark."""
    log.refresh()
    return [exchange.text for exchange in log.exchanges]


def test_an_answer_is_put_together_from_its_events(file: Path) -> None:
    """Text, thoughts, calls, tokens and the reason for the end, each from where it stands."""
    tokens = {"promptTokenCount": 7, "candidatesTokenCount": 3, "totalTokenCount": 10}
    line = {
        "method": "generateContentStream",
        "response": [
            {"candidates": [{"content": {"parts": [{"text": "**Why** so", "thought": True}]}}]},
            {"candidates": [{"content": {"parts": [{"text": " a\u200d"}]}}]},
            {
                "candidates": [
                    {"content": {"parts": [{"text": "b \n"}, call("ls", path="x\u202e")]}}
                ]
            },
            {"candidates": [{"finishReason": "STOP"}], "usageMetadata": tokens},
        ],
    }
    log = WireLog(file)

    file.write_text(json.dumps(line) + "\n", encoding="utf-8")
    log.refresh()

    (exchange,) = log.exchanges
    assert exchange.text == " a\u200db \n"
    assert exchange.thoughts == (Thought(subject="Why", description="so"),)
    assert exchange.calls == (WireCall("ls", '{"path": "x\u202e"}'),)
    assert exchange.usage == Usage(input=7, output=3, cached=0, thoughts=0, tool=0, total=10)
    assert exchange.finish == "STOP"
    assert log.exists
    assert log.whole


def test_of_an_answer_counts_what_the_cli_takes_of_it(file: Path) -> None:
    """The first candidate, the newest tokens and end that were told; a count is no truth value."""
    other = {"content": {"parts": [{"text": "other"}]}, "finishReason": "SAFETY"}
    events: list[dict[str, Any]] = [
        {"candidates": [{"content": {"parts": [{"text": "one"}]}}, other]},
        {"usageMetadata": {"promptTokenCount": 1}},
        {
            "candidates": [{"finishReason": "MAX_TOKENS"}],
            "usageMetadata": {
                "promptTokenCount": 2,
                "candidatesTokenCount": True,
                "totalTokenCount": -3,
            },
        },
        {"candidates": [{"content": {"parts": [{"text": " two"}]}}]},
    ]
    log = WireLog(file)

    file.write_text(json.dumps({"method": "generateContentStream", "response": events}) + "\n")

    assert texts(log) == ["one two"]
    assert log.exchanges[0].finish == "MAX_TOKENS"
    usage = log.exchanges[0].usage
    assert usage is not None
    assert (
        usage.model_dump_json()
        == Usage(input=2, output=0, cached=0, thoughts=0, tool=0, total=0).model_dump_json()
    )


def test_a_pair_of_halves_may_come_in_two_events(file: Path) -> None:
    """Put together they are a character; a half that stays alone is replaced."""
    log = WireLog(file)

    file.write_text(answer([{"text": "a\ud83d"}], [{"text": "\ude00b"}], [{"text": "\ude00"}]))

    assert texts(log) == ["a\U0001f600b\ufffd"]


def test_a_thought_is_cut_as_the_cli_cuts_it(file: Path) -> None:
    """Its subject is what stands first between asterisks; half a character is replaced."""
    parts = [
        {"text": "so **One\nthing** and **more**", "thought": True},
        {"text": "**\ud800** \ud83d\ude00", "thought": True},
        {"text": "** ** \n", "thought": True},
    ]
    log = WireLog(file)

    file.write_text(answer(parts))

    assert texts(log) == [""]
    assert log.exchanges[0].thoughts == (
        Thought(subject="One\nthing", description="so  and **more**"),
        Thought(subject="\ufffd", description="\U0001f600"),
    )


def test_calls_keep_the_order_and_the_spelling_of_the_api(file: Path) -> None:
    """Names, keys, numbers and half characters are what was sent, in each answer."""
    wild = '{"z": 1, "a": {"y": [1.5, null, true]}, "half": "\\ud800", "pair": "\U0001f600"}'
    parts = [call("first"), {"functionCall": {"name": "second", "args": json.loads(wild)}}]
    log = WireLog(file)

    file.write_text(say("no call") + answer(parts) + answer([call("third")]), encoding="utf-8")
    log.refresh()

    assert [exchange.calls for exchange in log.exchanges] == [
        (),
        (WireCall("first", "{}"), WireCall("second", wild)),
        (WireCall("third", "{}"),),
    ]


def test_side_calls_are_passed_over(file: Path) -> None:
    """What is not streamed is not the conversation, also if it has text or calls."""
    parts = {"candidates": [{"content": {"parts": [{"text": "title"}, call("no")]}}]}
    lines = [
        {"method": "generateContent", "response": parts},
        {"method": "countTokens", "response": {"totalTokens": 1}},
        {"method": "embedContent", "response": {}},
    ]
    log = WireLog(file)

    file.write_text("".join(json.dumps(line) + "\n" for line in lines) + say("main"))

    assert texts(log) == ["main"]
    assert log.exchanges[0].calls == ()


def test_what_was_known_at_the_mark_is_old(file: Path) -> None:
    """A line that was half written at the mark belongs to what follows."""
    log = WireLog(file)
    with file.open("a") as out:
        out.write(say("old") + say("new")[:20])
        out.flush()
        log.mark()
        out.write(say("new")[20:])

    assert texts(log) == ["new"]
    assert log.exchanges[0].number == 2


@given(st.lists(st.integers(1, 400)))
@settings(max_examples=50)
def test_the_pieces_in_which_it_grows_make_no_difference(
    tmp_path_factory: pytest.TempPathFactory, sizes: list[int]
) -> None:
    """However the CLI's writes are cut, the same answers come out, each once."""
    file = tmp_path_factory.mktemp("log") / "wire.jsonl"
    whole = (say("é\u200d") + "garbage\n\n" + answer([call("f", a=1)]) + say("end")).encode()
    log = WireLog(file)
    at = 0
    with file.open("ab", buffering=0) as out:
        for size in [*sizes, len(whole)]:
            out.write(whole[at : at + size])
            at += size
            log.refresh()

    assert texts(log) == ["é\u200d", "", "end"]
    assert [(found.number, len(found.calls)) for found in log.exchanges] == [(1, 0), (4, 1), (5, 0)]


def test_a_log_that_is_not_there_says_nothing(tmp_path: Path) -> None:
    """No file, a folder, a link and a pipe are no log; an empty one was not written to."""
    real = tmp_path / "real"
    real.write_text(say("real"))
    (tmp_path / "link").symlink_to(real)
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "empty").touch()

    for name in ("none", "link", "pipe", "empty", "."):
        log = WireLog(tmp_path / name)
        log.mark()
        assert texts(log) == []
        assert not log.exists


def renamed(log: WireLog, text: str) -> None:
    """Put another file in the log's place."""
    other = log.path.with_name("other")
    other.write_text(text)
    other.replace(log.path)


def removed(log: WireLog, text: str) -> None:
    """Remove the log; what is written next may get the number of the old file."""
    log.path.unlink()
    log.refresh()
    log.path.write_text(text)


def emptied(log: WireLog, text: str) -> None:
    """Empty the log and write on."""
    log.path.write_text(text)


@pytest.mark.parametrize(
    ("change", "after"),
    [(renamed, "longer than all before"), (removed, "longer than all before"), (emptied, "s")],
    ids=["renamed", "removed", "emptied"],
)
def test_a_log_that_a_tool_replaced_is_read_from_its_start(
    file: Path, change: Callable[[WireLog, str], None], after: str
) -> None:
    """What the CLI writes afterwards is taken; that nothing is missing is said of no such turn."""
    log = WireLog(file)
    file.write_text(say("before") + say("half")[:9])
    log.refresh()
    assert log.whole

    change(log, say(after))

    assert texts(log) == ["before", after]
    assert not log.whole
    log.mark()
    assert log.whole
    with file.open("a") as out:
        out.write(say("on"))
    assert texts(log) == ["on"]


def linked(path: Path) -> None:
    """A link to another log."""
    path.with_name("other").write_text(say("other"))
    path.symlink_to(path.with_name("other"))


@pytest.mark.parametrize("put", [linked, os.mkfifo, Path.mkdir], ids=["link", "pipe", "folder"])
def test_what_a_tool_puts_in_the_place_of_a_log_is_none(
    file: Path, put: Callable[[Path], None]
) -> None:
    """What was read stays, and that nothing is missing is not said any more."""
    log = WireLog(file)
    file.write_text(say("before"))
    log.refresh()
    file.unlink()

    put(file)

    assert texts(log) == ["before"]
    assert not log.whole


def aside(file: Path, size: int) -> None:
    """A line of the log that is not of the conversation, of so many bytes."""
    begins, ends = '{"method": "countTokens", "pad": "', '"}\n'
    with file.open("a") as out:
        out.write(begins + "x" * (size - len(begins) - len(ends)) + ends)


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Limits of a megabyte: with the real ones each test would fill a disk with hundreds."""
    monkeypatch.setattr(wirelog, "READ_BYTES", 1 << 20)
    monkeypatch.setattr(wirelog, "LINE_BYTES", 64 << 10)
    monkeypatch.setattr(wirelog, "KEPT_BYTES", 256 << 10)


def test_a_line_that_is_too_long_is_told_of_where_that_is_seen(file: Path) -> None:
    """Before it ends, too; a turn that begins within it lacks it, and what is short is read."""
    log = WireLog(file)
    long = say("x" * wirelog.LINE_BYTES)
    with file.open("a") as out:
        out.write(say("short") + long[:-1])
        out.flush()
        assert texts(log) == ["short"]
        assert not log.whole
        log.mark()
        assert not log.whole
        out.write("\n" + say("next"))
        out.flush()
        assert texts(log) == ["next"]
        assert not log.whole
    log.mark()
    assert log.whole


@pytest.mark.usefixtures("small")
def test_of_a_turn_only_so_much_is_kept(file: Path) -> None:
    """Answers beyond the limit are told of, not kept; the next turn has a limit of its own."""
    long = "x" * (wirelog.LINE_BYTES - 1000)
    fit, left_out = divmod(wirelog.KEPT_BYTES, len(say(long)))
    assert left_out
    log = WireLog(file)
    with file.open("a") as out:
        for _ in range(fit):
            out.write(say(long))
    log.refresh()
    assert log.whole

    with file.open("a") as out:
        out.write(say(long) + say("after"))
    log.refresh()

    assert [len(exchange.text) for exchange in log.exchanges] == [len(long)] * fit
    assert not log.whole
    log.mark()
    with file.open("a") as out:
        out.write(say(long))
    assert texts(log) == [long]
    assert log.whole


@pytest.mark.usefixtures("small")
def test_of_a_turn_only_so_much_is_read(file: Path) -> None:
    """What follows is told of and, from the next mark on, passed by, also within a line."""
    log = WireLog(file)
    with file.open("a") as out:
        out.write(say("begins"))
        out.truncate(1 << 40)
    assert texts(log) == ["begins"]
    assert not log.whole

    log.mark()
    assert not log.whole  # how the line in which it began goes on nobody knows
    with file.open("a") as out:
        out.write("\n")
    log.mark()

    assert log.whole
    for _ in range(wirelog.READ_BYTES // (60 << 10)):
        aside(file, 60 << 10)
    log.refresh()
    assert log.whole
    aside(file, 60 << 10)
    log.refresh()
    assert not log.whole
    log.mark()
    with file.open("a") as out:
        out.write(say("on"))
    assert texts(log) == ["on"]
    assert log.whole


@pytest.mark.usefixtures("small")
def test_a_log_that_a_tool_replaced_has_the_limits_of_any(file: Path) -> None:
    """They are counted from its start, and a long line of the old one is no part of it."""
    log = WireLog(file)
    aside(file, 60 << 10)
    aside(file, 60 << 10)
    log.mark()
    os.truncate(file, file.stat().st_size + wirelog.LINE_BYTES + 1)
    log.refresh()
    other = file.with_name("other")
    other.write_text(say("first"))
    for _ in range(wirelog.READ_BYTES // (60 << 10) + 1):
        aside(other, 60 << 10)
    with other.open("a") as out:
        out.write(say("too late"))

    other.replace(file)

    assert texts(log) == ["first"]


@pytest.mark.usefixtures("small")
def test_a_session_may_be_as_long_as_it_likes(file: Path) -> None:
    """The limit is counted from the mark: after many turns an answer is read as in the first."""
    log = WireLog(file)
    size = wirelog.LINE_BYTES - 1
    turns = wirelog.READ_BYTES // (2 * size) + 2
    for number in range(turns):
        aside(file, size)
        aside(file, size)
        with file.open("a") as out:
            out.write(say(str(number)))
        assert texts(log) == [str(number)]
        assert log.whole
        log.mark()

    assert file.stat().st_size > wirelog.READ_BYTES


def test_a_line_that_grows_costs_what_was_written(file: Path) -> None:
    """Pieces of a line are put together once: with 15 MB in 15,000 pieces it takes no 20 s."""
    log = WireLog(file)
    begun = time.process_time()
    with file.open("ab", buffering=0) as out:
        begin, end = say("here").encode().split(b"here")
        out.write(begin)
        for _ in range(15_000):
            out.write(b"x" * 1_024)
            log.refresh()
        out.write(end)

    (text,) = texts(log)

    assert len(text) == 15_000 * 1_024
    assert time.process_time() - begun < 5


KEYS = ("candidates", "content", "parts", "text", "thought", "functionCall", "name", "args")
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(KEYS),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)


@given(st.lists(st.binary(max_size=40) | JSON.map(lambda value: json.dumps(value).encode())))
@examples(150)
def test_nothing_that_a_log_holds_raises(
    tmp_path_factory: pytest.TempPathFactory, lines: list[bytes]
) -> None:
    """Any bytes and any JSON are read, and what comes out can be written as UTF-8."""
    file = tmp_path_factory.mktemp("log") / "wire.jsonl"
    prefix = b'{"method": "generateContentStream", "response": '
    file.write_bytes(b"\n".join([*lines, *(prefix + line + b"}" for line in lines), b""]))
    log = WireLog(file)

    log.refresh()

    said = [*texts(log), *(text for one in log.exchanges for call in one.calls for text in call)]
    assert "".join(said).encode() is not None


@pytest.mark.parametrize(("release", "asked"), [("0.12.0", 7), ("0.61.0", 8)])
def test_a_real_log_has_every_answer_of_the_conversation(release: str, asked: int) -> None:
    """Files that the CLI wrote against a scripted model: all is there, routing is passed over."""
    log = WireLog(Path(__file__).parent / "wire" / f"{release}.jsonl")
    family = "\U0001f468\u200d\U0001f469\u200d\U0001f467"

    said = texts(log)

    first = f"Hello {family} world, می\u200cخواهم and more text here \ufeffend \n"
    after = ["malf", "after malformed"] if release == "0.61.0" else ["malf"]
    assert said == [first, "I do it.", "  Done.  ", "", "after empty", *after, "it is cut"]
    assert len(said) == asked
    assert log.exchanges[0].thoughts == (Thought(subject="Pondering", description="a thing"),)
    assert log.exchanges[-1].finish == "MAX_TOKENS"
    calls = [call for exchange in log.exchanges for call in exchange.calls]
    assert calls == [WireCall("run_shell_command", '{"command": "echo hi\u200b"}')]
    assert all(exchange.usage for exchange in log.exchanges)


def test_a_log_that_cannot_be_read_now_is_not_whole(file: Path) -> None:
    """Too many files may be open just when a call is written: it is known the next time."""
    log = WireLog(file)
    file.write_text(answer([call("f")]))
    limits = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (0, limits[1]))
    try:
        log.refresh()
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, limits)

    assert log.exists
    assert not log.whole

    log.refresh()
    assert log.whole
    assert [call.name for one in log.exchanges for call in one.calls] == ["f"]


@pytest.mark.parametrize(
    "line",
    [
        nested(3000),
        nested(1500),
        nested(300),  # Python reads it here, and perhaps not where its stack is nearly full
        answer([call("")]),
        answer([call("f")]).replace('"f"', "null"),
        answer([call("f")]).replace("{}", "[1]"),
        answer([call("f", x=0)]).replace('"x": 0', '"x": 1e999'),
        answer([{"functionCall": "f"}]),
        answer([{"functionCall": None}, call("f", x=0)]).replace("0", "9" * 5000),
        answer(response={"candidates": []}),
        "garbage\n",
        "[]\n",
        '{"response": []}\n',
    ],
)
def test_what_is_not_understood_is_lost_and_never_not_there(file: Path, line: str) -> None:
    """A call that nobody could read may be the one that runs; a mark begins anew."""
    log = WireLog(file)
    file.write_text(line)
    log.refresh()

    assert log.exists
    assert not log.whole

    with file.open("a") as out:
        out.write("\n \n" + answer([call("next", x=json.loads("[" * 90 + "]" * 90))]))
    log.refresh()
    assert [call.name for one in log.exchanges for call in one.calls] == ["next"]
    assert not log.whole
    log.mark()
    assert log.whole
