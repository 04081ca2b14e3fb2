"""The front door: the names that a user may rely on.

Rule: what is not listed here is private, and may change without notice.
"""

import typing

from geminipty.conversation import Conversation
from geminipty.errors import (
    CliError,
    DialogWaiting,
    GeminiPtyError,
    RecordingError,
    ScreenNotUnderstood,
    TimedOut,
    TurnFailed,
    UsageError,
)
from geminipty.model import Dialog, Event, Reply, Status, ToolCall, Turn, Usage
from geminipty.options import Options, Size
from geminipty.reading import Reading, read
from geminipty.terminal import Frame, Terminal

if typing.TYPE_CHECKING:
    from geminipty.aio import AsyncGeminiSession
    from geminipty.session import GeminiSession

__all__ = [
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
    "Usage",
    "UsageError",
    "read",
]

#: Who only reads recordings does not need pexpect and asyncio, which take longer to import than
#: all the rest.
_LAZY = {"AsyncGeminiSession": "aio", "GeminiSession": "session"}


def __getattr__(name: str) -> object:
    """The faces, imported when they are first used."""
    if name not in _LAZY:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f"{__name__}.{_LAZY[name]}"), name)


def __dir__() -> list[str]:
    """All names, those of the faces as well."""
    return sorted({*globals(), *_LAZY})
