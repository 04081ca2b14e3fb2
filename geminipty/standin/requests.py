"""What the CLI asked, and what kind of question it was.

Rule: a kind is told from the structure of a request (its method, its schema, its tools), never
from its words, which change with every release and may come from the user; compression alone has
no structure of its own, and is told by the tag that its instructions ask for.
"""

import json
import re
from dataclasses import dataclass, replace
from enum import StrEnum, unique
from functools import cached_property
from typing import Any, Final

_PATH: Final = re.compile(r"/[^/?]+/models/(?P<model>[^/?:]+):(?P<verb>\w+)(?:\?.*)?")
#: The keys that a side call wants in its JSON, of all releases from 0.1.1 to 0.61.0.
_SCHEMAS: Final = {
    "model_choice": "router",
    "complexity_score": "router",
    "next_speaker": "next-speaker",
    "unproductive_state_confidence": "loop-check",
    "confidence": "loop-check",  # up to 0.11.3
    "corrected_target_snippet": "edit-fix",
    "corrected_new_string": "edit-fix",
    "corrected_new_string_escaping": "edit-fix",
    "corrected_string_escaping": "edit-fix",
    "noChangesRequired": "edit-fix",
}

#: What the CLI puts around a prompt, in parts of their own: before the first one (0.34 and newer),
#: after one that names files, and after one for which a hook has something to say.
_CONTEXT: Final = "<session_context>"
_FILES: Final = "--- Content from referenced "
_FILES_END: Final = "--- End of content ---"
_HOOK: Final = "<hook_context>"


@unique
class Kind(StrEnum):
    """What a request is for."""

    MAIN = "main"  #: the conversation, also that of a sub-agent: it takes a step of the script
    ROUTER = "router"  #: which model is to answer
    NEXT_SPEAKER = "next-speaker"  #: whether the model or the user goes on
    LOOP_CHECK = "loop-check"  #: whether the model repeats itself
    EDIT_FIX = "edit-fix"  #: how to mend an edit that does not fit its file
    JSON = "json"  #: another question with a schema for its answer
    WEB = "web"  #: a web search, or a page to be fetched by the API
    COMPRESS = "compress"  #: a long chat made short
    TEXT = "text"  #: a title, a summary of a chat or of a tool's output, a completion
    COUNT = "count"  #: how many tokens a chat has
    UNKNOWN = "unknown"  #: nothing that we answer


@dataclass(frozen=True, slots=True)
class ToolResult:
    """What a tool of the CLI gave back to the model."""

    name: str
    output: str  #: its text; JSON where the result has another shape
    failed: bool


@dataclass(frozen=True, kw_only=True)
class Request:
    """One request of the CLI; times are seconds of `time.monotonic`."""

    number: int = 0  #: counted from 1 in the order of arrival, whatever the kind
    came: float  #: when it had arrived with its last byte
    began: float | None = None  #: when we sent the first byte of our answer
    ended: float | None = None  #: when we sent the last one, or gave up
    hung_up: bool = False  #: the client went before our answer was whole
    method: str
    path: str
    kind: Kind
    body: bytes  #: as it came

    @cached_property
    def json(self) -> dict[str, Any]:
        """The body, or an empty dict if it is no JSON object."""
        try:
            body = json.loads(self.body)
        except (ValueError, RecursionError):
            return {}
        return body if isinstance(body, dict) else {}

    @property
    def model(self) -> str:
        """The model that was asked; empty if the path names none."""
        match = _PATH.fullmatch(self.path)
        return match["model"] if match else ""

    @property
    def streamed(self) -> bool:
        """Whether the answer is to come as a stream of events."""
        match = _PATH.fullmatch(self.path)
        return match is not None and match["verb"] == "streamGenerateContent"

    @property
    def schema(self) -> dict[str, Any]:
        """The JSON schema that the answer must fit; empty if any text will do."""
        config = _dict(self.json.get("generationConfig"))
        return _dict(config.get("responseJsonSchema")) or _dict(config.get("responseSchema"))

    @property
    def tools(self) -> tuple[str, ...]:
        """The names of the tools that the model may call."""
        declared = [
            _dict(item)
            for tool in _list(self.json.get("tools"))
            for item in _list(_dict(tool).get("functionDeclarations"))
        ]
        return tuple(str(item["name"]) for item in declared if "name" in item)

    @property
    def texts(self) -> tuple[str, ...]:
        """The text parts of the user's newest message; none if it only brings tool results."""
        return _texts(self._messages[-1]) if self._messages else ()

    @property
    def prompt(self) -> str:
        """The prompt that the conversation is at, to the character.

        It stays the same while tool results go back and forth. What the CLI adds to a message (its
        context before the prompt, the files that it names after it, what hooks say) is left out
        here and kept in `texts`.
        """
        texts = next(filter(None, map(_texts, reversed(self._messages))), ())
        return _newest(texts)

    @property
    def tool_results(self) -> tuple[ToolResult, ...]:
        """What the tools gave back in the newest message."""
        parts = _list(self._messages[-1].get("parts")) if self._messages else []
        results = [_dict(_dict(part).get("functionResponse")) for part in parts]
        return tuple(_result(result) for result in results if result)

    @property
    def _messages(self) -> list[dict[str, Any]]:
        """The messages that are not the model's; very old requests may name no role."""
        messages = map(_dict, _list(self.json.get("contents")))
        return [message for message in messages if message.get("role") != "model"]


def received(method: str, path: str, body: bytes, *, came: float) -> Request:
    """Return what came as a Request of the right kind, without a number."""
    draft = Request(came=came, method=method, path=path, kind=Kind.UNKNOWN, body=body)
    return replace(draft, kind=_kind(draft))


def _kind(request: Request) -> Kind:
    match = _PATH.fullmatch(request.path)
    verb = match["verb"] if match and request.method == "POST" and request.json else ""
    if verb == "countTokens":
        return Kind.COUNT
    if verb not in ("streamGenerateContent", "generateContent"):
        return Kind.UNKNOWN
    if request.schema:
        keys = _dict(request.schema.get("properties"))
        return Kind(next((_SCHEMAS[key] for key in keys if key in _SCHEMAS), "json"))
    # Every release streams the conversation, and nothing beside it.
    if verb == "streamGenerateContent":
        return Kind.MAIN
    if any(
        key != "functionDeclarations" for tool in request.json.get("tools") or () for key in tool
    ):
        return Kind.WEB
    # Before 0.1.9 the chat itself was asked for its summary, so the tools are declared there.
    if request.tools or "<state_snapshot>" in json.dumps(request.json.get("systemInstruction")):
        return Kind.COMPRESS
    return Kind.TEXT


def _result(result: dict[str, Any]) -> ToolResult:
    response = _dict(result.get("response"))
    key = "error" if "error" in response else "output"
    value = response.get(key, response)
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return ToolResult(str(result.get("name", "")), text, failed=key == "error")


def _newest(texts: tuple[str, ...]) -> str:
    """The last prompt of a message, which from 0.61 on may hold several.

    A prompt whose turn came to nothing, because its tool was denied, stands before the next one.
    """
    said = list(texts)
    if said[1:] and said[0].startswith(_CONTEXT):
        del said[0]
    while said[1:] and said[-1].startswith(_HOOK):
        del said[-1]
    if said[1:] and said[-1].strip() == _FILES_END:
        begins = [at for at, text in enumerate(said) if text.strip().startswith(_FILES)]
        del said[begins[-1] if begins else len(said) :]
    return said[-1] if said else ""


def _texts(message: dict[str, Any]) -> tuple[str, ...]:
    texts = (_dict(part).get("text") for part in _list(message.get("parts")))
    return tuple(text for text in texts if isinstance(text, str))


def _dict(value: object) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _list(value: object) -> list[Any]:
    return value if isinstance(value, list) else []
