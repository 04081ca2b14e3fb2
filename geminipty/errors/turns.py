"""The errors for turns that ended without a whole reply.

Rule: each reason has a class of its own, and each class one reason.
"""

# ruff: noqa: N818 - a name says what happened (TurnFailed); "Error" is kept for the families.

from __future__ import annotations

from enum import StrEnum, unique
from typing import TYPE_CHECKING

from .families import CliError

if TYPE_CHECKING:
    from typing import Unpack

    from .families import Context


@unique
class FailureReason(StrEnum):
    """Why a turn failed; BY_REASON has the error that is raised for each."""

    QUOTA = "quota"  #: the account or the model has no requests left for now
    MODEL_ERROR = "model-error"  #: the API or the model answered with an error
    CANCELLED = "cancelled"  #: somebody interrupted the turn
    CONTEXT_OVERFLOW = "context-overflow"  #: the chat no longer fits the model
    SIGN_IN = "sign-in"  #: the key or the account is not accepted
    LOOP = "loop"  #: the model repeated itself, and the CLI stopped it


class TurnFailed(CliError):
    """The turn ended without a whole reply; the session can go on.

    `turn` is the model.Turn with what there is of the reply. What is raised is one of the classes
    below, by `reason`.
    """

    code = "turn-failed"

    def __init__(self, message: str, *, reason: FailureReason, **rest: Unpack[Context]) -> None:
        super().__init__(message, **rest)
        self.reason = reason


class ApiFailed(TurnFailed):
    """The API or the model answered with an error."""

    code = "api-failed"


class QuotaExceeded(TurnFailed):
    """The account or the model has no requests left for now."""

    code = "quota-exceeded"


class SignInExpired(TurnFailed):
    """The API no longer accepts the key or the account."""

    code = "sign-in-expired"


class ContextOverflow(TurnFailed):
    """The chat no longer fits the model."""

    code = "context-overflow"


class LoopDetected(TurnFailed):
    """The model repeated itself, and the CLI stopped it."""

    code = "loop-detected"


class TurnCancelled(TurnFailed):
    """Somebody interrupted the turn, or denied what it needed."""

    code = "turn-cancelled"


#: The error for each reason.
BY_REASON: dict[FailureReason, type[TurnFailed]] = {
    FailureReason.QUOTA: QuotaExceeded,
    FailureReason.MODEL_ERROR: ApiFailed,
    FailureReason.CANCELLED: TurnCancelled,
    FailureReason.CONTEXT_OVERFLOW: ContextOverflow,
    FailureReason.SIGN_IN: SignInExpired,
    FailureReason.LOOP: LoopDetected,
}
