"""A scripted Gemini API on loopback, so that the real CLI runs offline and with no account.

Rule: the script answers the conversation and nothing else; what the CLI asks of the model beside
it (which model to use, who speaks next, a summary) is answered here and takes no step.
docs/standin.md tells how to use it.
"""

from geminipty.standin.requests import Kind, Request, ToolResult
from geminipty.standin.standin import Script, StandIn
from geminipty.standin.steps import (
    Always,
    Call,
    Calls,
    Cut,
    Fail,
    Hang,
    Part,
    Say,
    Slow,
    Step,
    Think,
)

__all__ = [
    "Always",
    "Call",
    "Calls",
    "Cut",
    "Fail",
    "Hang",
    "Kind",
    "Part",
    "Request",
    "Say",
    "Script",
    "Slow",
    "StandIn",
    "Step",
    "Think",
    "ToolResult",
]
