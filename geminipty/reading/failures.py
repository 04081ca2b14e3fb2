"""Reads from a turn's blocks whether it failed, and why.

Rule: only the CLI's own notices and errors count; what a reply says about errors does not.
"""

from collections.abc import Sequence
from typing import Final, NamedTuple

from geminipty.errors import FailureReason
from geminipty.model import DialogKind, ToolOutcome
from geminipty.terminal import Row

from . import marks
from .blocks import Block, BlockKind

_MARKS: Final = " " + "".join(marks.NOTICE.forms + marks.ERROR.forms + marks.WARNING.forms)


class Failure(NamedTuple):
    """Why a turn has no whole reply, in the CLI's words."""

    reason: FailureReason
    message: str


def failure_of(rows: Sequence[Row], blocks: Sequence[Block]) -> Failure | None:
    """What went wrong in a turn, if anything did; the last word of the CLI counts."""
    denied = _cancelled(blocks[-1]) if blocks else None
    for block in reversed(blocks):
        if block.kind is BlockKind.REPLY:
            break  # the model answered after all
        if block.kind not in (BlockKind.NOTICE, BlockKind.ERROR):
            continue
        message = " ".join(row.text.strip(" ") for row in rows[block.start : block.end])
        body = message.lstrip(_MARKS)
        if block.kind is BlockKind.NOTICE:
            if body.startswith(marks.CANCELLED.forms):
                return Failure(FailureReason.CANCELLED, body)
            if body.startswith(marks.QUESTIONS[DialogKind.LOOP_DETECTED].forms):
                return Failure(FailureReason.LOOP, body)
            if body.startswith(marks.FAILED.forms):
                error = failure_of(rows, [one for one in blocks if one.kind is BlockKind.ERROR])
                return error or Failure(FailureReason.MODEL_ERROR, body)
            continue
        if any(form in body for form in marks.OVERFLOW.forms):
            return Failure(FailureReason.CONTEXT_OVERFLOW, body)
        if any(form in body for form in marks.QUOTA_ERROR.forms):
            return Failure(FailureReason.QUOTA, body)
        if any(form in body for form in marks.REFUSED.forms):
            return Failure(FailureReason.SIGN_IN, body)
        return Failure(FailureReason.MODEL_ERROR, body)
    return denied


def _cancelled(block: Block) -> Failure | None:
    """Releases up to 0.8 say nothing below a tool that was denied; the model is not asked again."""
    if {tool.outcome for tool in block.tools} != {ToolOutcome.CANCELLED}:
        return None
    names = ", ".join(f"{tool.name} {tool.summary}".strip() for tool in block.tools)
    return Failure(FailureReason.CANCELLED, f"denied or interrupted: {names}")
