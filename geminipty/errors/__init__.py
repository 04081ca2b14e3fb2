"""Every exception that geminipty raises, so that a caller can tell who must act.

Rule: data travels as attributes, never only inside the text; nobody has to parse a message.

    GeminiPtyError                 all of them; .code .message .frame .recording .turn .dialog
    ├── UsageError                 you must change the call
    │   ├── SessionClosed
    │   ├── TurnInProgress
    │   ├── NoSuchChoice           .choices
    │   └── UnsafePrompt
    ├── CliError                   the CLI or its set-up must change
    │   ├── CliNotFound            .looked
    │   ├── CliNotStarted
    │   ├── CliExited              .status
    │   ├── NotSignedIn
    │   ├── FolderNotTrusted       .choices
    │   └── TurnFailed             .reason
    │       ├── ApiFailed
    │       ├── QuotaExceeded
    │       ├── SignInExpired
    │       ├── ContextOverflow
    │       ├── LoopDetected
    │       └── TurnCancelled
    ├── TimedOut                   wait longer, or find out why; also a builtin TimeoutError
    │   ├── StartTimeout           .seconds .phase
    │   └── TurnTimeout            .seconds .phase
    ├── DialogWaiting              somebody must answer; .dialog .title .choices
    │   └── UnsafeApproval         the answer was yes, and the dialog may not be what it looks like
    ├── ScreenNotUnderstood        geminipty must change: please report it
    └── RecordingError             the recording must change
        ├── RecordingMissing
        ├── RecordingInvalid       .line
        └── ReplayMismatch         .expected .typed

The page docs/errors.md has one section for each code.
"""

from .families import (
    CliError,
    CliExited,
    CliNotFound,
    CliNotStarted,
    Context,
    DialogWaiting,
    FolderNotTrusted,
    GeminiPtyError,
    NoSuchChoice,
    NotSignedIn,
    Picture,
    RecordingError,
    RecordingInvalid,
    RecordingMissing,
    ReplayMismatch,
    ScreenNotUnderstood,
    SessionClosed,
    StartTimeout,
    TimedOut,
    TurnInProgress,
    TurnTimeout,
    UnsafeApproval,
    UnsafePrompt,
    UsageError,
)
from .turns import (
    BY_REASON,
    ApiFailed,
    ContextOverflow,
    FailureReason,
    LoopDetected,
    QuotaExceeded,
    SignInExpired,
    TurnCancelled,
    TurnFailed,
)

__all__ = [
    "BY_REASON",
    "ApiFailed",
    "CliError",
    "CliExited",
    "CliNotFound",
    "CliNotStarted",
    "Context",
    "ContextOverflow",
    "DialogWaiting",
    "FailureReason",
    "FolderNotTrusted",
    "GeminiPtyError",
    "LoopDetected",
    "NoSuchChoice",
    "NotSignedIn",
    "Picture",
    "QuotaExceeded",
    "RecordingError",
    "RecordingInvalid",
    "RecordingMissing",
    "ReplayMismatch",
    "ScreenNotUnderstood",
    "SessionClosed",
    "SignInExpired",
    "StartTimeout",
    "TimedOut",
    "TurnCancelled",
    "TurnFailed",
    "TurnInProgress",
    "TurnTimeout",
    "UnsafeApproval",
    "UnsafePrompt",
    "UsageError",
]
