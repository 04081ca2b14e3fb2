"""The front door: the names that a user may rely on.

Rule: what is not listed here is private, and may change without notice.
"""

import typing

if typing.TYPE_CHECKING:
    from geminipty.aio import AsyncGeminiSession
    from geminipty.conversation import Anyway, Conversation
    from geminipty.errors import (
        CliError,
        DialogWaiting,
        GeminiPtyError,
        RecordingError,
        ScreenNotUnderstood,
        TimedOut,
        TurnFailed,
        UnsafeApproval,
        UsageError,
    )
    from geminipty.model import Dialog, Event, Reply, Status, ToolCall, Turn, Usage
    from geminipty.options import Options, Size
    from geminipty.reading import Reading, read
    from geminipty.session import GeminiSession
    from geminipty.terminal import Frame, Terminal

__all__ = [
    "Anyway",
    "AsyncGeminiSession",
    "CliError",
    "Conversation",
    "Dialog",
    "DialogWaiting",
    "Event",
    "Frame",
    "GeminiPtyError",
    "GeminiSession",
    "Options",
    "Reading",
    "RecordingError",
    "Reply",
    "ScreenNotUnderstood",
    "Size",
    "Status",
    "Terminal",
    "TimedOut",
    "ToolCall",
    "Turn",
    "TurnFailed",
    "UnsafeApproval",
    "Usage",
    "UsageError",
    "read",
]

#: Where each name lives; it is imported when it is first used. The pytest plugin is a part of this
#: package and is loaded with every run of pytest, most of which have no use for the rest.
_HOMES = {
    "aio": ("AsyncGeminiSession",),
    "conversation": ("Anyway", "Conversation"),
    "errors": (
        "CliError",
        "DialogWaiting",
        "GeminiPtyError",
        "RecordingError",
        "ScreenNotUnderstood",
        "TimedOut",
        "TurnFailed",
        "UnsafeApproval",
        "UsageError",
    ),
    "model": ("Dialog", "Event", "Reply", "Status", "ToolCall", "Turn", "Usage"),
    "options": ("Options", "Size"),
    "reading": ("Reading", "read"),
    "session": ("GeminiSession",),
    "terminal": ("Frame", "Terminal"),
}
_LAZY = {name: home for home, names in _HOMES.items() for name in names}


def __getattr__(name: str) -> object:
    """A public name, imported when it is first used."""
    if name not in _LAZY:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    value = getattr(import_module(f"{__name__}.{_LAZY[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """All names, also those that nobody has used yet."""
    return sorted({*globals(), *_LAZY})
