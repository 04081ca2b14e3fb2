"""The wire log is read as it grows, whatever it holds."""

import json
import os
import resource
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
    assert exchange.calls == (WireCall("ls", '{"path": "x\u202e"}', 1),)
    assert exchange.usage == Usage(input=7, output=3, cached=0, thoughts=0, tool=0, total=10)
    assert exchange.finish == "STOP"
    assert log.exists
    assert log.whole


def test_calls_keep_the_order_and_the_spelling_of_the_api(file: Path) -> None:
    """Names, keys, numbers and half characters are what was sent; the line tells the answer."""
    wild = '{"z": 1, "a": {"y": [1.5, null, true]}, "half": "\\ud800", "pair": "\U0001f600"}'
    parts = [call("first"), {"functionCall": {"name": "second", "args": json.loads(wild)}}]
    log = WireLog(file)

    file.write_text(say("no call") + answer(parts) + answer([call("third")]), encoding="utf-8")
    log.refresh()

    assert list(log.calls) == [
        WireCall("first", "{}", 2),
        WireCall("second", wild, 2),
        WireCall("third", "{}", 3),
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
    assert list(log.calls) == []


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
    assert [found.exchange for found in log.calls] == [4]


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
    assert [one.name for one in log.calls] == ["f"]


def test_another_file_in_its_place_is_read_from_its_start(file: Path) -> None:
    """A tool that removes the log takes nothing from what the CLI writes afterwards."""
    log = WireLog(file)
    file.write_text(say("before") + say("half")[:9])
    log.refresh()
    file.unlink()
    file.write_text(say("after"))

    assert texts(log) == ["before", "after"]


def test_a_log_has_a_limit_in_each_direction(file: Path, tmp_path: Path) -> None:
    """A line, a turn and a file that are too long are told of, and what is short is still read."""
    log = WireLog(file)
    with file.open("a") as out:
        out.write(say("x" * wirelog.LINE_BYTES) + say("short"))
    log.refresh()
    assert log.exists
    assert not log.whole
    assert texts(log) == ["short"]
    log.mark()
    assert log.whole

    huge = tmp_path / "huge"
    with huge.open("w") as out:
        out.write(say("begins"))
        out.truncate(1 << 40)
    endless = WireLog(huge)
    assert texts(endless) == ["begins"]
    assert not endless.whole


def nested(depth: int) -> str:
    """A line with a call whose arguments are nested so deep."""
    return answer([call("f", x=0)]).replace('"x": 0', f'"x": {"[" * depth}{"]" * depth}')


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
    assert [found.name for found in log.calls] == ["next"]
    assert not log.whole
    log.mark()
    assert log.whole


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

    assert "".join(texts(log) + [f"{c.name}{c.arguments}" for c in log.calls]).encode() is not None


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
    (found,) = log.calls
    assert found[:2] == ("run_shell_command", '{"command": "echo hi\u200b"}')
    assert all(exchange.usage for exchange in log.exchanges)
