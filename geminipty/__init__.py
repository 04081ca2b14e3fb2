"""The front door: the names that a user may rely on.

Rule: what is not listed here is private, and may change without notice.
"""

from geminipty.conversation import Conversation
from geminipty.errors import (
    CliError,
    DialogWaiting,
    GeminiPtyError,
    RecordingError,
    ScreenNotUnderstood,
    TimedOut,
    UsageError,
)
from geminipty.model import Dialog, Event, Reply, Status, ToolCall, Turn, Usage
from geminipty.options import Options, Size
from geminipty.reading import Reading, read
from geminipty.terminal import Frame, Terminal

__all__ = [
    "CliError",
    "Conversation",
    "Dialog",
    "DialogWaiting",
    "Event",
    "Frame",
    "GeminiPtyError",
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
    "Usage",
    "UsageError",
    "read",
]
