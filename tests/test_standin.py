"""The stand-in over real HTTP: every step, what is kept of a request, and a clean end."""

import gc
import io
import json
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from http.client import HTTPConnection, HTTPResponse, IncompleteRead, RemoteDisconnected
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from geminipty.errors import TimedOut, UsageError
from geminipty.model import Usage
from geminipty.standin import (
    Always,
    Call,
    Calls,
    Cut,
    Fail,
    Hang,
    Kind,
    Request,
    Say,
    Slow,
    StandIn,
    Step,
    Think,
    ToolResult,
)
from geminipty.standin.requests import received
from geminipty.standin.wire import MOST_STRANGERS, Incoming

STREAM = "/v1beta/models/gemini-x:streamGenerateContent?alt=sse"
WHOLE = "/v1beta/models/gemini-x:generateContent"


def user(*texts: str) -> dict[str, Any]:
    """A message of the user."""
    return {"role": "user", "parts": [{"text": text} for text in texts]}


def contents(*messages: dict[str, Any], **more: Any) -> dict[str, Any]:
    """The body of a request."""
    return {"contents": list(messages), **more}


HELLO = contents(user("hello"))


class Client:
    """One connection to a stand-in."""

    def __init__(self, api: StandIn) -> None:
        self.wire = HTTPConnection("127.0.0.1", int(api.url.rpartition(":")[2]), timeout=10)
        self.key = {"x-goog-api-key": api.key}

    def send(self, body: dict[str, Any] = HELLO, path: str = STREAM) -> None:
        """Send a request and do not wait for the answer."""
        self.wire.request("POST", path, json.dumps(body).encode(), self.key)

    def post(self, body: dict[str, Any] = HELLO, path: str = STREAM) -> HTTPResponse:
        """Send a request; the head of its answer is there."""
        self.send(body, path)
        return self.wire.getresponse()

    def ask(self, body: dict[str, Any] = HELLO) -> list[dict[str, Any]]:
        """Send a request of the conversation and return the events of its answer."""
        return list(events_of(self.post(body).read()))

    def side(self, **config: Any) -> str:
        """Send a side call and return the text of its answer."""
        answer = json.loads(self.post(contents(user("?"), **config), WHOLE).read())
        return text_of([answer])


def events_of(stream: bytes) -> Iterator[dict[str, Any]]:
    """The events of a stream, as a client takes it apart."""
    *events, rest = stream.split(b"\r\n\r\n")
    assert rest == b""
    for event in events:
        assert event.startswith(b"data: ")
        yield json.loads(event.removeprefix(b"data: "))


def parts_of(events: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The parts of all events, in order."""
    return [part for event in events for part in event["candidates"][0]["content"]["parts"]]


def text_of(events: list[dict[str, Any]]) -> str:
    """The text of an answer, without thoughts."""
    return "".join(p["text"] for p in parts_of(events) if "text" in p and "thought" not in p)


@pytest.fixture
def stack() -> Iterator[ExitStack]:
    """What is opened in a test and closed after it."""
    with ExitStack() as stack:
        yield stack


def scripted(stack: ExitStack, *steps: Step) -> tuple[StandIn, Client]:
    """A stand-in with a script, and a client of it."""
    api = stack.enter_context(StandIn(steps))
    client = Client(api)
    stack.callback(client.wire.close)
    return api, client


# ------------------------------------------------------------------------------- the steps


def test_text_comes_in_the_pieces_that_were_asked_for(stack: ExitStack) -> None:
    """Text is sent whole, cut by size, or in given pieces; the last event says why it stops."""
    _, client = scripted(
        stack, Say("Hello"), Say("Hello", chunks=2), Say("Hello", chunks=["", "H", "ello"])
    )

    answers = [client.ask() for _ in range(3)]

    pieces = [[part["text"] for part in parts_of(answer)] for answer in answers]
    assert pieces == [["Hello"], ["He", "ll", "o"], ["", "H", "ello"]]
    reasons = [[e["candidates"][0].get("finishReason") for e in answer] for answer in answers]
    assert reasons == [["STOP"], [None, None, "STOP"], [None, None, "STOP"]]


@pytest.fixture(scope="module")
def echo() -> list[Step]:
    """A list whose newest step is what the stand-in at `echo_client` answers."""
    return []


@pytest.fixture(scope="module")
def echo_client(echo: list[Step]) -> Iterator[Client]:
    """A client of a stand-in that answers what the test says last."""
    with StandIn(lambda _: echo[-1]) as api:
        client = Client(api)
        yield client
        client.wire.close()


@settings(max_examples=40)
@given(text=st.text(), size=st.integers(1, 9))
def test_any_text_in_any_pieces_is_the_same_text(
    echo: list[Step], echo_client: Client, text: str, size: int
) -> None:
    """What a client puts together is the text to the character, whatever is in it."""
    echo.append(Say(text, chunks=size))

    assert text_of(echo_client.ask()) == text


def test_an_answer_may_have_thoughts_text_and_tools(stack: ExitStack) -> None:
    """The parts come in their order; calls that stand together come in one event."""
    _, client = scripted(
        stack,
        [
            Think("Looking", "I look at it."),
            Say("So:", thought=Think("Deep")),
            Call("ls", path="."),
            Calls(Call("cat", path="é", deep={"n": [1, None]}), Call("pwd")),
        ],
    )

    answer = client.ask()

    assert parts_of(answer) == [
        {"text": "**Looking** I look at it.", "thought": True},
        {"text": "**Deep**", "thought": True},
        {"text": "So:"},
        {"functionCall": {"name": "ls", "args": {"path": "."}}},
        {"functionCall": {"name": "cat", "args": {"path": "é", "deep": {"n": [1, None]}}}},
        {"functionCall": {"name": "pwd", "args": {}}},
    ]
    assert len(answer) == 4


def test_tokens_are_counted_or_given(stack: ExitStack) -> None:
    """Tokens come from the lengths unless a usage is given; so does the reason to stop."""
    given_usage = Usage(input=7, output=6, cached=5, thoughts=4, tool=3, total=25)
    _, client = scripted(
        stack, Say("x" * 400), Say("cut of", usage=given_usage, finish="MAX_TOKENS")
    )

    counted, stated = client.ask()[-1], client.ask()[-1]

    usage = counted["usageMetadata"]
    assert usage["candidatesTokenCount"] == 100
    assert usage["promptTokenCount"] == len(json.dumps(HELLO)) // 4
    assert usage["totalTokenCount"] == usage["promptTokenCount"] + 100
    assert stated["usageMetadata"] == {
        "promptTokenCount": 7,
        "candidatesTokenCount": 6,
        "cachedContentTokenCount": 5,
        "thoughtsTokenCount": 4,
        "toolUsePromptTokenCount": 3,
        "totalTokenCount": 25,
    }
    assert stated["candidates"][0]["finishReason"] == "MAX_TOKENS"


def test_a_failure_has_the_body_that_google_sends(stack: ExitStack) -> None:
    """The status, its name and the message are there; a connection can go on after it."""
    _, client = scripted(stack, Fail(503), Fail(400, "Nö."), Fail(418), Say("well again"))

    answers = []
    for _ in range(3):
        response = client.post()
        error = json.loads(response.read())["error"]
        answers.append((response.status, error["code"], error["status"], error["message"]))

    assert answers == [
        (503, 503, "UNAVAILABLE", "The model is overloaded. Please try again later."),
        (400, 400, "INVALID_ARGUMENT", "Nö."),
        (418, 418, "INVALID_ARGUMENT", "Request contains an invalid argument."),
    ]
    assert text_of(client.ask()) == "well again"


def test_a_used_up_quota_says_which_one_and_for_how_long(stack: ExitStack) -> None:
    """A quota of a day or a minute is named as the CLI looks for it, with the time to wait."""
    _, client = scripted(stack, Fail(429, quota="day"), Fail(429, quota="minute", retry_after=1.5))

    day = json.loads(client.post().read())["error"]
    response = client.post()
    minute = json.loads(response.read())["error"]

    assert day["status"] == minute["status"] == "RESOURCE_EXHAUSTED"
    assert "PerDay" in day["details"][0]["violations"][0]["quotaId"]
    assert "PerMinute" in minute["details"][0]["violations"][0]["quotaId"]
    assert minute["details"][1]["retryDelay"] == "1.5s"
    assert response.headers["Retry-After"] == "2"


def test_a_slow_answer_begins_late(stack: ExitStack) -> None:
    """No byte comes before the time is over, and pauses stand between the pieces only."""
    api, client = scripted(stack, Slow(Say("abc", chunks=1, pause=0.02), 0.05))

    assert text_of(client.ask()) == "abc"

    request = api.wait_for(1, answered=True)
    assert request.began is not None
    assert request.ended is not None
    assert request.ended == api.last_byte
    assert request.began - request.came >= 0.05
    assert request.ended - request.began >= 0.04


@pytest.mark.parametrize("step", [Hang(), Hang("begun", chunks=2), Say("ab", chunks=1, pause=60)])
def test_an_answer_ends_when_its_client_goes(stack: ExitStack, step: Step) -> None:
    """A client that hangs up is noticed at once, in silence and in a pause, and is kept so."""
    api, client = scripted(stack, step)
    client.send()
    api.wait_for(1)

    client.wire.close()

    request = api.wait_for(1, answered=True, timeout=5)
    assert request.hung_up
    api.check()


def test_a_cut_drops_the_connection(stack: ExitStack) -> None:
    """What came before the cut is there, its end is not; without text there is not even a head."""
    _, client = scripted(stack, Cut("half of it", chunks=5), Cut(), Say("whole"))

    response = client.post()
    with pytest.raises(IncompleteRead) as cut:
        response.read()
    client.wire.close()
    with pytest.raises(RemoteDisconnected):
        client.post()

    assert [part["text"] for part in parts_of(list(events_of(cut.value.partial)))] == [
        "half ",
        "of it",
    ]
    assert text_of(client.ask()) == "whole"


def test_always_is_never_used_up(stack: ExitStack) -> None:
    """The last step can answer for ever, for an API that stays broken or a model that repeats."""
    api, client = scripted(stack, Say("one"), Always(Fail(500)))

    assert not api.finished
    client.ask()
    codes = [json.loads(client.post().read())["error"]["code"] for _ in range(3)]

    assert codes == [500] * 3
    assert api.finished
    api.check()


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: StandIn("Hello"),  # type: ignore[arg-type]
        lambda: StandIn(["Hello"]),  # type: ignore[list-item]
        lambda: StandIn([[]]),
        lambda: StandIn([[Say("x"), Fail(500)]]),  # type: ignore[list-item]
        lambda: StandIn(Say("x")),  # type: ignore[arg-type]
        lambda: StandIn([Always(Say("x")), Say("never")]),
        lambda: Say("x", chunks=0),
        lambda: Say("x", chunks="x"),
        lambda: Say("xy", chunks=["x"]),
        lambda: Say("x", pause=-1),
        lambda: Say("x", pause=float("nan")),
        lambda: Say("\ud800"),
        lambda: Call("t", value=object()),
        lambda: Call("t", value=float("inf")),
        lambda: Calls(),
        lambda: Fail(200),
        lambda: Fail(429, quota="year"),  # type: ignore[arg-type]
        lambda: Slow(Always(Say("x")), 1),  # type: ignore[arg-type]
        lambda: Always(Always(Say("x"))),  # type: ignore[arg-type]
    ],
)
def test_a_wrong_step_is_refused_where_it_is_made(wrong: Any) -> None:
    """A script that cannot be played is the caller's error, before any request."""
    with pytest.raises(UsageError):
        wrong()


def test_steps_are_plain_values() -> None:
    """Steps can be compared, hashed and printed; a list given to one can change without effect."""
    pieces = ["a", "b"]
    say = Say("ab", chunks=pieces)
    pieces.clear()

    assert say.pieces == ("a", "b")
    assert Call("t", a=1) == Call("t", a=1) != Call("t", a=2)
    assert len({say, Call("t", a=[1]), Calls(Call("t")), Always([say]), Slow(Fail(500), 1)}) == 5
    assert repr(Call("t", a="x")) == "Call('t', a='x')"


# ------------------------------------------------------------------------------ the script


def test_a_function_answers_by_what_was_asked(stack: ExitStack) -> None:
    """A function gets the request and returns a step; it has no end."""
    api = stack.enter_context(StandIn(lambda request: Say(request.prompt.upper())))
    client = Client(api)
    stack.callback(client.wire.close)

    assert text_of(client.ask(contents(user("one")))) == "ONE"
    assert text_of(client.ask(contents(user("two")))) == "TWO"
    assert api.finished
    api.check()


def test_a_function_that_raises_is_told_to_the_cli_and_to_the_caller(stack: ExitStack) -> None:
    """The CLI gets an error that it does not try again, and check() raises from the cause."""

    def broken(request: Request) -> Step:
        raise KeyError(request.prompt)

    api = stack.enter_context(StandIn(broken))
    client = Client(api)
    stack.callback(client.wire.close)

    response = client.post()
    message = json.loads(response.read())["error"]["message"]

    assert response.status == 400
    assert "KeyError('hello')" in message
    with pytest.raises(UsageError, match="KeyError") as caught:
        api.check()
    assert isinstance(caught.value.__cause__, KeyError)


def test_a_script_that_has_ended_says_so(stack: ExitStack) -> None:
    """The CLI gets a text at once that names the request, and check() raises."""
    api, client = scripted(stack, Say("one"))

    client.ask()
    api.check()
    answer = text_of(client.ask(contents(user("and now?"))))

    assert answer == (
        "The script of the stand-in has ended (steps: 1). This was request 2, 'and now?'."
    )
    assert [request.prompt for request in api.unexpected] == ["and now?"]
    with pytest.raises(UsageError, match="end of the script: 1; the first was request 2"):
        api.check()


def test_a_script_that_was_not_used_up_is_an_error_only_if_asked() -> None:
    """check() names the next step; leaving the block does not, so that it masks no error."""
    with StandIn([Say("one"), Fail(500)]) as api:
        assert not api.finished
        with pytest.raises(UsageError, match="only 0 of 2 steps"):
            api.check()

    with pytest.raises(ZeroDivisionError), StandIn([Say("unused")]):
        raise ZeroDivisionError


# ---------------------------------------------------------------------------- the requests


def test_side_calls_are_answered_and_take_no_step(stack: ExitStack) -> None:
    """Each kind is told from its schema, tools or method, and gets an answer that fits."""
    api, client = scripted(stack, Say("the only step"))

    def schema(**properties: Any) -> dict[str, Any]:
        return {"generationConfig": {"responseJsonSchema": {"properties": properties}}}

    text = {"type": "STRING"}
    router = json.loads(client.side(**schema(reasoning=text, model_choice=text)))
    speaker = json.loads(client.side(**schema(reasoning=text, next_speaker=text)))
    loop = json.loads(client.side(**schema(unproductive_state_confidence={"type": "number"})))
    fix = json.loads(client.side(**schema(corrected_string_escaping=text)))
    other = json.loads(
        client.side(
            generationConfig={
                "responseSchema": {
                    "type": "OBJECT",
                    "properties": {
                        "flag": {"type": "BOOLEAN"},
                        "list": {"type": "ARRAY"},
                        "one": {"type": "STRING", "enum": ["a", "b"]},
                    },
                }
            }
        )
    )
    web = client.side(tools=[{"googleSearch": {}}])
    compressed = client.side(systemInstruction=user("Write a <state_snapshot>."))
    old_compressed = client.side(tools=[{"functionDeclarations": [{"name": "ls"}]}])
    title = client.side()
    count = json.loads(client.post(HELLO, "/v1beta/models/m:countTokens").read())

    assert router["model_choice"] == "flash"
    assert speaker["next_speaker"] == "user"
    assert loop == {"unproductive_state_confidence": 0}
    assert fix == {"corrected_string_escaping": ""}
    assert other == {"flag": False, "list": [], "one": "a"}
    assert "<state_snapshot>" in compressed == old_compressed
    assert web
    assert title
    assert count == {"totalTokens": len(json.dumps(HELLO)) // 4}
    assert [request.kind for request in api.requests] == [
        Kind.ROUTER,
        Kind.NEXT_SPEAKER,
        Kind.LOOP_CHECK,
        Kind.EDIT_FIX,
        Kind.JSON,
        Kind.WEB,
        Kind.COMPRESS,
        Kind.COMPRESS,
        Kind.TEXT,
        Kind.COUNT,
    ]
    assert not api.finished


def test_what_nobody_answers_is_not_found(stack: ExitStack) -> None:
    """Other addresses and bodies that are no JSON object get Google's 404, and are kept."""
    api, client = scripted(stack)

    client.wire.request("GET", "/v1beta/models", headers=client.key)
    missing = client.wire.getresponse()
    error = json.loads(missing.read())["error"]
    for body in (b"no json", b"[]", b"[" * 100_000, b""):
        client.wire.request("POST", STREAM, body, client.key)
        assert client.wire.getresponse().read()

    assert (missing.status, error["status"]) == (404, "NOT_FOUND")
    assert [request.kind for request in api.requests] == [Kind.UNKNOWN] * 5
    assert api.requests[0].method == "GET"
    assert api.requests[1].body == b"no json"
    api.check()


def test_a_long_prompt_arrives_to_the_byte(stack: ExitStack) -> None:
    """A megabyte of many scripts is the same text, and its body the same bytes."""
    api, client = scripted(stack, Say("yes"))
    prompt = "é漢🙂\u2028\u200d\x00 \r\n\ttext" * 40_000
    body = contents(user(prompt))

    client.ask(body)

    assert api.requests[0].prompt == prompt
    assert api.requests[0].body == json.dumps(body).encode()
    assert api.requests[0].model == "gemini-x"


def test_a_chunked_request_is_read_whole(stack: ExitStack) -> None:
    """A body without a length is put together from its chunks, and the connection goes on."""
    api, client = scripted(stack, Say("one"), Say("two"))
    data = json.dumps(contents(user("in three parts"))).encode()

    client.wire.request("POST", STREAM, iter([data[:5], data[5:6], data[6:]]), client.key)
    first = client.wire.getresponse().read()

    assert text_of(list(events_of(first))) == "one"
    assert text_of(client.ask()) == "two"
    assert api.requests[0].prompt == "in three parts"


CHUNKED = {"Transfer-Encoding": "chunked"}


@pytest.mark.parametrize(
    ("status", "method", "headers", "body"),
    [
        (413, "POST", {"Content-Length": str(65 << 20)}, b""),
        (413, "POST", CHUNKED, b"fffffffff\r\n"),
        (400, "POST", {"Content-Length": "-1"}, b""),
        (400, "POST", {"Content-Length": "+5"}, b"12345"),
        (400, "POST", {"Content-Length": "1_0"}, b"1234567890"),
        (400, "POST", {"Content-Length": "many"}, b""),
        (400, "POST", {"Content-Length": "5", "content-length": "5"}, b"12345"),
        (400, "POST", {"Content-Length": "5", **CHUNKED}, b"0\r\n\r\n"),
        (400, "POST", {"Transfer-Encoding": "chunked", "transfer-encoding": "x"}, b"0\r\n\r\n"),
        (400, "POST", {"Transfer-Encoding": "xchunked"}, b"0\r\n\r\n"),
        (400, "POST", {"Transfer-Encoding": "gzip, chunked"}, b"0\r\n\r\n"),
        (400, "POST", {"Content-Encoding": "gzip", **CHUNKED}, b"0\r\n\r\n"),
        (400, "POST", CHUNKED, b"0x5\r\n12345\r\n0\r\n\r\n"),
        (400, "POST", CHUNKED, b"-5\r\n12345\r\n0\r\n\r\n"),
        (400, "POST", CHUNKED, b"1_0\r\n" + b"x" * 16 + b"\r\n0\r\n\r\n"),
        (400, "POST", CHUNKED, b"5\r\n12345XX0\r\n\r\n"),
        (400, "GET", {"Content-Length": "5"}, b"12345"),
        (400, "GET", CHUNKED, b"0\r\n\r\n"),
        (404, "GET", {"Content-Length": "0"}, b""),
        (404, "POST", CHUNKED, b"A;x=y\r\n1234567890\r\n0\r\nA: b\r\n\r\n"),
        (404, "POST", {"Transfer-Encoding": "Chunked"}, b"0\r\n\r\n"),
    ],
)
def test_a_request_whose_end_is_in_doubt_is_refused(
    stack: ExitStack, status: int, method: str, headers: dict[str, str], body: bytes
) -> None:
    """Its length is said once and plainly, within the limit; nothing is taken for a second one."""
    api, client = scripted(stack)
    client.wire.putrequest(method, "/nothing", skip_accept_encoding=True)
    for name, value in {**client.key, **headers}.items():
        client.wire.putheader(name, value)
    client.wire.endheaders(body)

    response = client.wire.getresponse()

    assert response.status == status
    assert response.will_close is (status != 404)
    assert response.read()
    assert len(api.requests) == (status == 404)


#: What 0.1.5 to 0.61.0 send after a prompt that names a file.
FILES = (
    "\n--- Content from referenced files ---",
    "\nContent from @a.txt:\n",
    "alpha",
    "\n--- End of content ---",
)


def test_the_prompt_after_a_denied_one_is_the_newest() -> None:
    """0.61.0 sends both in one message, as it did here, also with files and with a hook."""
    body = (Path(__file__).parent / "requests" / "0.61.0-denied.json").read_bytes()
    more = json.loads(body)
    parts = more["contents"][-1]["parts"]
    parts[2:] = [{"text": text} for text in (*FILES, "third", *FILES, "<hook_context>x")]

    requests = [
        received("POST", STREAM, one, came=0.0) for one in (body, json.dumps(more).encode())
    ]

    assert [request.prompt for request in requests] == ["second prompt", "third"]


def test_a_prompt_is_told_from_what_the_cli_adds(stack: ExitStack) -> None:
    """Context before the prompt and files after it are in `texts` only."""
    api, client = scripted(stack, *[Say("yes")] * 4)
    result = {"functionResponse": {"name": "ls", "response": {"output": "a.txt"}}}
    failed = {"functionResponse": {"name": "cat", "response": {"error": "no such file"}}}
    odd = {"functionResponse": {"name": "x", "response": {"value": 1}}}

    client.ask(contents(user("<session_context>\nToday."), user("<session_context>…", "first")))
    client.ask(contents(user("look at @a.txt", *FILES)))
    client.ask(
        contents(user("go"), {"role": "model", "parts": []}, {"parts": [result, failed, odd]})
    )
    client.ask(contents(tools=[{"functionDeclarations": [{"name": "ls"}, {"name": "cat"}]}]))

    first, files, results, empty = api.requests
    assert first.prompt == "first"
    assert (files.prompt, len(files.texts)) == ("look at @a.txt", 5)
    assert (results.prompt, results.texts) == ("go", ())
    assert results.tool_results == (
        ToolResult("ls", "a.txt", failed=False),
        ToolResult("cat", "no such file", failed=True),
        ToolResult("x", '{"value": 1}', failed=False),
    )
    assert (empty.prompt, empty.tools) == ("", ("ls", "cat"))


def test_waiting_for_a_request_has_a_deadline(stack: ExitStack) -> None:
    """A request that does not come is TimedOut, and one that cannot come any more is an error."""
    api, _ = scripted(stack, Say("never"))

    with pytest.raises(TimedOut, match="request 1 did not come within 1e-06 s"):
        api.wait_for(1, 1e-6)
    closer = threading.Timer(0.01, api.close)
    closer.start()
    with pytest.raises(UsageError, match="closed before request 1"):
        api.wait_for(1)
    closer.join()


# ------------------------------------------------------------------------------ strangers


def status_of(client: Client, **headers: str | None) -> tuple[int, str]:
    """What is answered to a request with other headers; None leaves one out."""
    given = {"Host": client.wire.host + f":{client.wire.port}", **client.key}
    given |= {name.replace("_", "-"): value for name, value in headers.items()}  # type: ignore[misc]
    body = json.dumps(HELLO).encode()
    client.wire.putrequest("POST", STREAM, skip_host=True)
    for name, value in {**given, "Content-Length": str(len(body))}.items():
        if value is not None:
            client.wire.putheader(name, value)
    client.wire.endheaders(body)
    response = client.wire.getresponse()
    data = response.read()
    return response.status, "" if response.status == 200 else json.loads(data)["error"]["status"]


def test_who_has_not_the_key_is_refused_and_takes_no_step(stack: ExitStack) -> None:
    """No key, another one, a part of it, or two: 401 in the API's form, and nothing is kept."""
    api, client = scripted(stack, Say("mine"))
    other = stack.enter_context(StandIn([]))

    answers = [
        status_of(client, x_goog_api_key=key)
        for key in (None, "", "stand-in", other.key, api.key[:-1], f"{api.key}0", "é\x80")
    ]

    assert answers == [(401, "UNAUTHENTICATED")] * 7
    assert api.requests == ()
    assert status_of(client) == (200, "")
    assert other.key != api.key
    assert len(set(api.key)) > 5
    api.check()


def test_pages_of_a_browser_are_refused_also_with_the_key(stack: ExitStack) -> None:
    """What a browser says of its page, and a name that was made to lead here, are enough: 403."""
    api, client = scripted(stack, Say("mine"))
    port = client.wire.port

    answers = [
        status_of(client, Origin="null"),
        status_of(client, Origin=api.url),
        status_of(client, Host=f"evil.example:{port}"),
        status_of(client, Host="127.0.0.1"),
        status_of(client, Host=f"127.0.0.1:{port + 1}"),
        status_of(client, Host=None),
    ]

    assert answers == [(403, "PERMISSION_DENIED")] * 6
    assert api.requests == ()
    assert status_of(client) == (200, "")


def client_of(api: StandIn) -> socket.socket:
    """A connection to a stand-in."""
    return socket.create_connection(("127.0.0.1", int(api.url.rpartition(":")[2])), timeout=10)


def test_the_body_of_a_stranger_is_not_kept(stack: ExitStack) -> None:
    """It is refused by its head, before its body is there, and holds no connection."""
    api, client = scripted(stack, Say("mine"))
    for headers in ({}, {**client.key, "Origin": "null"}):
        client.wire.putrequest("POST", STREAM)
        for name, value in {**headers, "Content-Length": str(60 << 20)}.items():
            client.wire.putheader(name, value)
        client.wire.endheaders()

        response = client.wire.getresponse()

        assert response.status in (401, 403)
        assert response.will_close
        response.read()
    answer = b""
    with client_of(api) as other, suppress(OSError):
        other.sendall(b"GET / HTTP/1.1\r\n" + (b"x: " + b"y" * 60_000 + b"\r\n") * 90 + b"\r\n")
        answer = other.recv(1)

    assert answer == b""
    assert api.requests == ()
    assert status_of(client) == (200, "")


def test_strangers_hold_few_connections_and_never_that_of_a_client(stack: ExitStack) -> None:
    """One more ends the oldest of them; who has shown the key is none of them."""
    threads = threading.active_count()
    api, client = scripted(stack, Hang("begun"), Say("mine"))
    known = client.post()

    strangers = [stack.enter_context(client_of(api)) for _ in range(3 * MOST_STRANGERS)]

    assert {one.recv(1) for one in strangers[: 2 * MOST_STRANGERS]} == {b""}
    assert known.read1(10).startswith(b"data: ")
    assert threading.active_count() < threads + 2 * MOST_STRANGERS  # some are about to end
    other = Client(api)
    stack.callback(other.wire.close)
    assert text_of(other.ask()) == "mine"


def test_what_a_connection_receives_has_a_limit() -> None:
    """As a whole, whatever pieces it comes in; and none when that is taken away."""
    with ExitStack() as stack:
        here, there = (stack.enter_context(one) for one in socket.socketpair())
        file = io.BufferedReader(incoming := Incoming(here, 0.1, 1000))
        there.sendall(b"x" * 30)
        assert file.read1(20) == b"x" * 20
        with pytest.raises(TimeoutError):
            file.read(100)
        with pytest.raises(TimeoutError):
            file.read(1)

        incoming.allow(10, 5)
        there.sendall(b"y" * 10)
        with pytest.raises(TimeoutError):
            file.read(10)

        incoming.allow(None, None)
        assert incoming.read(5) == b"y" * 5


# ------------------------------------------------------------------------------- the end


def test_close_ends_hanging_answers_at_once_and_leaves_nothing() -> None:
    """No thread and no open file stays, whatever was going on; closing twice is nothing."""
    gc.collect()
    threads, files = set(threading.enumerate()), len(list(Path("/dev/fd").iterdir()))
    api = StandIn([Hang(), Hang("begun"), Slow(Say("x"), 60), Say("ab", chunks=1, pause=60)])
    clients = [Client(api) for _ in range(5)]
    for number, client in enumerate(clients[:4], 1):
        client.send()
        api.wait_for(number)
    clients[4].wire.connect()  # and says nothing
    began = time.monotonic()

    api.close()
    api.close()

    assert time.monotonic() - began < 1
    assert set(threading.enumerate()) == threads
    for client in clients:
        client.wire.close()
    assert len(list(Path("/dev/fd").iterdir())) == files
    with pytest.raises(ConnectionError):
        socket.create_connection(("127.0.0.1", int(api.url.rpartition(":")[2])))


def test_forty_stand_ins_at_once_do_not_mix_their_answers(stack: ExitStack) -> None:
    """Each has its own port, script and requests."""
    apis = [stack.enter_context(StandIn([Say(f"I am {n}")])) for n in range(40)]
    answers: dict[int, str] = {}

    def ask(number: int) -> None:
        client = Client(apis[number])
        answers[number] = text_of(client.ask(contents(user(f"who is {number}?"))))
        client.wire.close()

    threads = [threading.Thread(target=ask, args=(number,)) for number in range(40)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert answers == {number: f"I am {number}" for number in range(40)}
    assert [api.requests[0].prompt for api in apis] == [f"who is {n}?" for n in range(40)]


def test_requests_at_the_same_time_take_a_step_each(stack: ExitStack) -> None:
    """However many ask at once, every step is used once, in the order of the requests."""
    api = stack.enter_context(StandIn([Say(str(number)) for number in range(1, 21)]))
    answers: dict[str, str] = {}

    def ask(name: str) -> None:
        client = Client(api)
        answers[name] = text_of(client.ask(contents(user(name))))
        client.wire.close()

    threads = [threading.Thread(target=ask, args=(f"client {n}",)) for n in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert {request.prompt: str(request.number) for request in api.requests} == answers
    api.check()


def test_the_options_lead_the_cli_here_and_not_through_a_proxy(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The environment has a key, the address, and loopback among what no proxy gets.

    The patch stands for the environment of the caller, which is all that is read of it.
    """
    monkeypatch.setenv("NO_PROXY", "example.com")

    with StandIn([]) as api:
        options = api.options

    assert set(options) == {"env"}
    assert options["env"]["GOOGLE_GEMINI_BASE_URL"] == api.url
    assert options["env"]["GEMINI_API_KEY"] == api.key
    assert options["env"]["NO_PROXY"] == options["env"]["no_proxy"]
    assert options["env"]["NO_PROXY"] == "example.com,127.0.0.1,localhost"
