"""Answers what the CLI asks beside the conversation, so that a script need not know of it.

Rule: a side answer changes nothing: the user speaks next, nothing loops, no edit is mended. An
empty text is how a side call says that it has nothing better (the CLI then keeps what it has).
"""

import json
from typing import Any, Final

from geminipty.standin.requests import Kind, Request

_COMPRESSED: Final = (
    "<state_snapshot>\n<overall_goal>To go on with the conversation.</overall_goal>\n"
    "</state_snapshot>"
)
_TEXTS: Final = {
    Kind.WEB: "The stand-in has no web.",
    Kind.COMPRESS: _COMPRESSED,
    Kind.TEXT: "A conversation with the stand-in",
}
#: What a key of a JSON answer must be for it to change nothing, where its type does not say so.
_VALUES: Final[dict[str, Any]] = {
    "reasoning": "The stand-in always answers this.",
    "next_speaker": "user",
    "model_choice": "flash",
    "complexity_score": 10,
    # An empty search would match a blank line of the file; this one matches nothing.
    "search": "the stand-in mends no edit",
}


def side_text(request: Request) -> str:
    """Return the text that answers a side call: JSON that fits its schema, where it has one."""
    if request.schema:
        return json.dumps(_fitting(request.schema))
    return _TEXTS[request.kind]


def _fitting(schema: dict[str, Any], key: str = "") -> object:
    """Return the least that fits a schema; types are written in either case by the releases."""
    if key in _VALUES:
        return _VALUES[key]
    if schema.get("enum"):
        return schema["enum"][0]
    match str(schema.get("type", "object")).lower():
        case "object":
            return {
                name: _fitting(inner, name) for name, inner in schema.get("properties", {}).items()
            }
        case "array":
            return []
        case "number" | "integer":
            return schema.get("minimum", 0)
        case "boolean":
            return False
        case _:
            return ""
