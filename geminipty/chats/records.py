"""One message of a chat file, in the few words that a reply needs, whichever release wrote it.

Rule: unknown keys are allowed, a record of an unknown shape is no message, a part of a message
that cannot be understood is left out. The shapes: `tests/chats/`, real files of many releases.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum, unique
from typing import Any, Final

from geminipty.model import Thought, ToolCall, ToolOutcome, Usage

#: What the CLI adds to a prompt that names files, after the prompt itself.
_REFERENCED: Final = "---Contentfromreferencedfiles---"
#: What the CLI itself says in the user's name: the folder at the start, and a push to go on.
_CONTEXT: Final = "<session_context>"
_PUSHES: Final = frozenset({"Please continue.", "System: Please continue."})
_HINTS: Final = (
    "[System: You previously ",
    "[System: You successfully executed a tool but returned an empty response.",
    "System: Potential loop detected.",
)
_OUTCOMES: Final = {
    "success": ToolOutcome.SUCCESS,
    "error": ToolOutcome.ERROR,
    "cancelled": ToolOutcome.CANCELLED,
    "executing": ToolOutcome.RUNNING,
}


@unique
class Role(StrEnum):
    """Who speaks in a message."""

    PROMPT = "prompt"  #: the user
    RESULT = "result"  #: a tool, or the CLI in the user's name
    REPLY = "reply"  #: the model
    NOTICE = "notice"  #: the CLI: an error, a cancelled turn


@dataclass(frozen=True, slots=True)
class Message:
    """A message; the same `id` again is the same message, further on."""

    id: str
    role: Role
    text: str
    #: For prompts: the text as the screen shows it, where that differs.
    shown: str | None = None
    tools: tuple[ToolCall, ...] = ()
    thoughts: tuple[Thought, ...] = ()
    model: str | None = None
    usage: Usage | None = None

    def asks(self, prompt: str) -> bool:
        """Whether this is that prompt, apart from blanks and from what the CLI put around it.

        Prompts that waited are sent as one, with a blank line between them.
        """
        wanted = squeezed(prompt)
        if not wanted or self.role not in (Role.PROMPT, Role.RESULT):
            return False
        for text in filter(None, (self.shown, self.text)):
            found = squeezed(text)
            if found == wanted or found.startswith(wanted + _REFERENCED):
                return True
            if wanted in found and wanted in map(squeezed, text.split("\n\n")):
                return True
        return False


def squeezed(text: str) -> str:
    """A text without its blanks."""
    return "".join(text.split())


def message(record: object) -> Message | None:
    """The message that a record holds; None if it holds none."""
    if not isinstance(record, dict) or not isinstance(name := record.get("id"), str):
        return None
    content = record.get("content")
    text = _text(content)
    match record.get("type"):
        case "user":
            shown = _text(record.get("displayContent")) or None
            role = Role.PROMPT if _is_prompt(content, text) else Role.RESULT
            return Message(name, role, text, shown)
        case "gemini":
            return Message(
                name,
                Role.REPLY,
                text,
                tools=tuple(_tools(record.get("toolCalls"))),
                thoughts=tuple(_thoughts(record.get("thoughts"))),
                model=_string(record.get("model")) or None,
                usage=_usage(record.get("tokens")),
            )
        case "info" | "error" | "warning":
            return Message(name, Role.NOTICE, text)
    return None


def _is_prompt(content: object, text: str) -> bool:
    if isinstance(content, list):
        parts = [part for part in content if isinstance(part, dict)]
        if any("functionResponse" in part for part in parts):
            return False
    return bool(text) and not text.startswith((_CONTEXT, *_HINTS)) and text not in _PUSHES


def _string(value: object) -> str:
    """A string that can be written as UTF-8, or nothing: JSON may hold halves of characters."""
    if not isinstance(value, str):
        return ""
    try:
        value.encode()
    except UnicodeEncodeError:
        return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return value


def _text(content: object) -> str:
    """The text of a content: a string, a part, or a list of them. Thoughts are no text."""
    if isinstance(content, str):
        return _string(content)
    parts = content if isinstance(content, list) else [content]
    return "".join(
        _string(part if isinstance(part, str) else part.get("text"))
        for part in parts
        if isinstance(part, str) or (isinstance(part, dict) and part.get("thought") is not True)
    )


def _dicts(value: object) -> Iterator[dict[str, Any]]:
    if isinstance(value, list):
        yield from (item for item in value if isinstance(item, dict))


def _thoughts(value: object) -> Iterator[Thought]:
    for item in _dicts(value):
        subject, description = _string(item.get("subject")), _string(item.get("description"))
        if subject or description:
            yield Thought(subject=subject, description=description)


def _usage(value: object) -> Usage | None:
    if not isinstance(value, dict):
        return None
    counts = {}
    for key in Usage.model_fields:
        count = value.get(key, 0)
        counts[key] = count if type(count) is int and count >= 0 else 0
    return Usage(**counts)


def _tools(value: object) -> Iterator[ToolCall]:
    for item in _dicts(value):
        function = _string(item.get("name"))
        status = item.get("status")
        outcome = _OUTCOMES.get(status) if isinstance(status, str) else None
        yield ToolCall(
            name=_string(item.get("displayName")) or function,
            summary=_string(item.get("description")),
            outcome=outcome or ToolOutcome.PENDING,
            output=_shown(item.get("resultDisplay")) or _answered(item.get("result")),
            arguments=_json(item.get("args")),
            function=function or None,
        )


def _json(value: object) -> str | None:
    if not isinstance(value, dict):
        return None
    try:
        return _string(json.dumps(value, ensure_ascii=False, allow_nan=False))
    except (ValueError, RecursionError):
        return None


def _shown(display: object) -> str:
    """What the CLI shows of a tool's result: text, rows of a terminal, or a change to a file."""
    if isinstance(display, dict):
        texts = (_string(display.get(key)) for key in ("fileDiff", "summary"))
        return next(filter(None, texts), "")
    if isinstance(display, list):
        rows = ["".join(_string(run.get("text")) for run in _dicts(row)) for row in display]
    else:
        rows = _string(display).split("\n")
    # The rows of a terminal are filled with blanks; 0.15 joins such rows to one text.
    return "\n".join(row.rstrip() for row in rows).rstrip("\n")


def _answered(result: object) -> str:
    """What the model was told of a tool's result."""
    texts = []
    for part in _dicts(result):
        answer = part.get("functionResponse")
        response = answer.get("response") if isinstance(answer, dict) else None
        if isinstance(response, dict):
            texts.append(_string(response.get("output")) or _string(response.get("error")))
    return "\n".join(filter(None, texts))
