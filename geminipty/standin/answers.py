"""Turns a step into what goes over the wire: events of a stream, or the body of an error.

Rule: nothing here waits or sends; a pause is data beside the event that follows it.
"""

import json
from collections.abc import Iterator, Sequence
from typing import Any, Final, NamedTuple

from geminipty.model import Usage
from geminipty.standin.requests import Request
from geminipty.standin.steps import Call, Cut, Fail, Hang, Part, Say, Think, parts_of

_CHARACTERS_PER_TOKEN: Final = 4  # what Google tells people to reckon with
_STATUS: Final = {
    400: ("INVALID_ARGUMENT", "Request contains an invalid argument."),
    401: ("UNAUTHENTICATED", "Request had invalid authentication credentials."),
    403: ("PERMISSION_DENIED", "The caller does not have permission."),
    404: ("NOT_FOUND", "Requested entity was not found."),
    413: ("INVALID_ARGUMENT", "Request payload size exceeds the limit."),
    429: ("RESOURCE_EXHAUSTED", "Resource has been exhausted (e.g. check quota)."),
    499: ("CANCELLED", "The operation was cancelled."),
    500: ("INTERNAL", "An internal error has occurred."),
    501: ("UNIMPLEMENTED", "The operation is not implemented."),
    503: ("UNAVAILABLE", "The model is overloaded. Please try again later."),
    504: ("DEADLINE_EXCEEDED", "The request timed out. Please try again."),
}
_QUOTA: Final = "You exceeded your current quota, please check your plan and billing details."
_QUOTA_IDS: Final = {
    "minute": "GenerateRequestsPerMinutePerProjectPerModel-FreeTier",
    "day": "GenerateRequestsPerDayPerProjectPerModel-FreeTier",
}
_RPC: Final = "type.googleapis.com/google.rpc."


class Event(NamedTuple):
    """One event of a stream, and the seconds to wait before it is sent."""

    pause: float
    data: bytes


def tokens(text: str | bytes) -> int:
    """About how many tokens a text has; at least one."""
    return max(1, len(text) // _CHARACTERS_PER_TOKEN)


def events(step: Part | Sequence[Part], request: Request) -> Iterator[Event]:
    """Yield the answer as events; the last one has the reason to stop and the tokens."""
    parts = list(parts_of(step))
    messages = [message for part in parts for message in _messages(part)]
    says = [part for part in parts if isinstance(part, Say)]
    finish = next((say.finish for say in reversed(says) if say.finish != "STOP"), "STOP")
    given = next((say.usage for say in reversed(says) if say.usage is not None), None)
    for pause, content in messages[:-1]:
        yield Event(pause, _sse(_answer(content, request)))
    pause, content = messages[-1]
    last = _answer(content, request, finish) | {"usageMetadata": _usage(given, parts, request)}
    yield Event(pause, _sse(last))


def beginning(step: Hang | Cut, request: Request) -> Iterator[Event]:
    """Yield the events that come before the silence or the cut."""
    for number, piece in enumerate(step.pieces):
        yield Event(step.pause if number else 0.0, _sse(_answer([{"text": piece}], request)))


def whole(text: str, request: Request) -> dict[str, Any]:
    """Return a text as one answer that is not streamed."""
    usage = {"usageMetadata": _usage(None, [Say(text)], request)}
    return _answer([{"text": text}], request, "STOP") | usage


def stream_of(answer: dict[str, Any]) -> Iterator[Event]:
    """Yield a whole answer as a stream of one event."""
    yield Event(0.0, _sse(answer))


def error(fail: Fail) -> dict[str, Any]:
    """Return the body of an error, as Google's APIs write it."""
    family = 500 if fail.status >= 500 else 400
    status, message = _STATUS.get(fail.status, _STATUS[family])
    details: list[dict[str, Any]] = []
    if fail.quota:
        message = _QUOTA
        violation = {
            "quotaMetric": "generativelanguage.googleapis.com/generate_content_free_tier_requests",
            "quotaId": _QUOTA_IDS[fail.quota],
            "quotaValue": "10",
        }
        details.append({"@type": f"{_RPC}QuotaFailure", "violations": [violation]})
    if fail.retry_after is not None:
        details.append({"@type": f"{_RPC}RetryInfo", "retryDelay": f"{fail.retry_after:g}s"})
    body = {"code": fail.status, "message": fail.message or message, "status": status}
    return {"error": body | ({"details": details} if details else {})}


def _messages(part: Think | Say | tuple[Call, ...]) -> Iterator[tuple[float, list[dict[str, Any]]]]:
    """Yield the contents of each event of a part, with the pause before it."""
    if isinstance(part, Think):
        yield 0.0, [{"text": part.text, "thought": True}]
    elif isinstance(part, Say):
        for number, piece in enumerate(part.pieces or ("",)):
            yield part.pause if number else 0.0, [{"text": piece}]
    else:
        calls = ({"name": call.name, "args": json.loads(call.arguments)} for call in part)
        yield 0.0, [{"functionCall": call} for call in calls]


def _answer(
    content: list[dict[str, Any]], request: Request, finish: str | None = None
) -> dict[str, Any]:
    candidate: dict[str, Any] = {"content": {"role": "model", "parts": content}, "index": 0}
    if finish:
        candidate["finishReason"] = finish
    return {"candidates": [candidate], "modelVersion": request.model}


def _usage(
    given: Usage | None, parts: Sequence[Think | Say | tuple[Call, ...]], request: Request
) -> dict[str, int]:
    """Return the tokens under the API's names, counted from the lengths if none are given."""
    if given is None:
        thoughts = sum(tokens(part.text) for part in parts if isinstance(part, Think))
        texts = sum(tokens(part.text) for part in parts if isinstance(part, Say))
        calls = [call for part in parts if isinstance(part, tuple) for call in part]
        output = texts + sum(tokens(call.name + call.arguments) for call in calls)
        asked = tokens(request.body)
        given = Usage(
            input=asked,
            output=output,
            cached=0,
            thoughts=thoughts,
            tool=0,
            total=asked + output + thoughts,
        )
    return {
        "promptTokenCount": given.input,
        "candidatesTokenCount": given.output,
        "cachedContentTokenCount": given.cached,
        "thoughtsTokenCount": given.thoughts,
        "toolUsePromptTokenCount": given.tool,
        "totalTokenCount": given.total,
    }


def _sse(answer: dict[str, Any]) -> bytes:
    text = json.dumps(answer, ensure_ascii=False)
    # The CLI looks for the end of a line by JavaScript's rules, and so Google escapes these two.
    text = text.replace("\u2028", r"\u2028").replace("\u2029", r"\u2029")
    return b"data: %s\r\n\r\n" % text.encode()
