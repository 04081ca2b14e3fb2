"""The words of the domain, so that every floor and every caller means the same by them.

Rule: a word is plain data that cannot change: frozen, hashable, the same after a trip through
JSON, and it refuses fields that it does not know. What the words mean is told in
docs/glossary.md. All times are seconds on the clock of the run or the recording.
"""

from enum import StrEnum, unique
from typing import Annotated, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, NonNegativeInt, PositiveInt, model_validator

from geminipty.errors import FailureReason
from geminipty.visible import visible


class _Word(BaseModel):
    # JSON has no infinity and no NaN: they would come back as None.
    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)


@unique
class Status(StrEnum):
    """What the CLI is doing, as one frame shows it."""

    STARTING = "STARTING"  #: the CLI has not yet drawn a composer that accepts a prompt
    READY = "READY"  #: the composer waits for a prompt and nothing is running
    WORKING = "WORKING"  #: the model thinks or writes, or a tool runs
    ASKING = "ASKING"  #: a dialog is open; nothing goes on until it is answered
    QUEUED = "QUEUED"  #: a prompt was accepted but waits in the CLI for its turn
    CLOSED = "CLOSED"  #: the CLI has ended
    UNKNOWN = "UNKNOWN"  #: the frame fits nothing we know; this is an answer, not a guess


@unique
class DialogKind(StrEnum):
    """What a dialog is about."""

    TRUST = "trust"  #: may the CLI trust this folder
    AUTH = "auth"  #: how to sign in, or the key itself
    THEME = "theme"  #: which colours to use
    PRIVACY = "privacy"  #: the privacy notice, and whether data may be collected
    IDE_NUDGE = "ide-nudge"  #: whether to connect to the editor around the terminal
    SHELL = "shell"  #: may this shell command run
    EDIT = "edit"  #: may this change be written; the body shows the diff
    MCP_TOOL = "mcp-tool"  #: may this tool of an MCP server run
    INFO = "info"  #: may a web page be fetched, or another tool run that changes no file
    ASK_USER = "ask-user"  #: the model's own questions to the user
    PLAN_APPROVAL = "plan-approval"  #: is the plan good enough to start
    LOOP_DETECTED = "loop-detected"  #: the model repeats itself; go on watching for that or not
    QUOTA = "quota"  #: the model is used up or not available; wait, stop or switch
    OUTSIDE_WORKSPACE = "outside-workspace"  #: may a file outside the workspace be read
    UNKNOWN = "unknown"  #: surely a question, but none of these


class Choice(_Word):
    """One answer that a dialog offers."""

    number: PositiveInt  #: as drawn, or counted from the top where the CLI draws none
    label: str
    selected: bool = False  #: Enter would take this one


@unique
class ToolOutcome(StrEnum):
    """How far a tool call has come."""

    PENDING = "pending"  #: announced, or waiting for approval
    RUNNING = "running"  #: at work
    SUCCESS = "success"  #: ended; a shell command that exits with 1 counts as success too
    ERROR = "error"  #: the tool itself failed
    CANCELLED = "cancelled"  #: denied, or interrupted


class ToolCall(_Word):
    """One use of a tool by the model."""

    name: str
    summary: str  #: the argument line as the CLI draws it
    outcome: ToolOutcome
    output: str = ""  #: what the CLI shows of the result, which may be cut
    arguments: str | None = None  #: all arguments as JSON text; None if only the screen is known
    #: The tool's name as the model calls it; None if only the screen is known.
    function: str | None = None


class Dialog(_Word):
    """A question that stops the CLI until it is answered."""

    kind: DialogKind
    title: str
    body: str = ""  #: what the question is about, as drawn: a command, a diff, a URL
    choices: tuple[Choice, ...] = ()  #: from top to bottom; empty where text is asked for
    #: All of its box is on the picture, and the CLI hides none of it.
    complete: bool = True
    #: The call that it asks about, exact, from a witness beside the screen. None if there is no
    #: such witness, or if the dialog is about no call.
    call: ToolCall | None = None
    #: Why it may not be what it looks like: characters that are not drawn, or a picture that does
    #: not show the call. Empty if nothing is wrong.
    suspicious: str = ""


class Thought(_Word):
    """One thought that the model let be seen."""

    subject: str
    description: str


class Usage(_Word):
    """Tokens of one reply, as the API counts them."""

    input: NonNegativeInt
    output: NonNegativeInt
    cached: NonNegativeInt  #: part of `input` that the API had kept
    thoughts: NonNegativeInt
    tool: NonNegativeInt
    total: NonNegativeInt


@unique
class ReplySource(StrEnum):
    """Where the text of a reply was taken from."""

    SCREEN = "screen"  #: read off the screen; Markdown is rebuilt from what is drawn
    #: The CLI's own record; from 0.54 on it lacks some characters without width, which the screen
    #: may have.
    CHAT_FILE = "chat-file"
    WIRE = "wire"  #: what the API sent, to the character


class Reply(_Word):
    """The model's answer in a turn; `text` is empty if there was none."""

    #: As the model sent it. It may hold anything, also what steers a terminal: print `printable`.
    text: str
    source: ReplySource
    screen_text: str  #: the same reply as the screen shows it, whatever the source
    tools: tuple[ToolCall, ...] = ()
    thoughts: tuple[Thought, ...] = ()
    model: str | None = None  #: which model answered, if known
    usage: Usage | None = None  #: tokens, if known
    #: The CLI lost lines of this reply on the screen, or drew them twice. What was seen of it
    #: before is in the text.
    truncated: bool = False
    agreement: bool | None = None  #: does the screen say the same; None with one witness

    @property
    def printable(self) -> str:
        """The text made safe for a terminal: controls and what turns its direction are named."""
        return visible(self.text)


@unique
class TurnOutcome(StrEnum):
    """How a turn ended."""

    FINISHED = "finished"  #: the CLI is ready again and nothing went wrong
    FAILED = "failed"  #: an error took the place of the reply, or of its end
    CANCELLED = "cancelled"  #: somebody interrupted it, or denied what it needed
    OPEN = "open"  #: it has not ended, or not before the recording did


class Turn(_Word):
    """One prompt and all that follows until the CLI is ready again."""

    prompt: str
    reply: Reply
    started: float
    finished: float | None = None  #: None while the turn is open
    outcome: TurnOutcome = TurnOutcome.OPEN
    dialogs: tuple[Dialog, ...] = ()  #: in the order in which they were opened

    @model_validator(mode="after")
    def _end_fits_outcome(self) -> Self:
        if (self.finished is None) != (self.outcome is TurnOutcome.OPEN):
            raise ValueError("a turn has an end exactly when it is not open")
        if self.finished is not None and self.finished < self.started:
            raise ValueError("a turn cannot finish before it started")
        return self


class _Change(_Word):
    at: float  #: seconds


class StatusChanged(_Change):
    """The CLI does something else than before."""

    kind: Literal["status-changed"] = "status-changed"
    status: Status


class TurnStarted(_Change):
    """The CLI took the prompt."""

    kind: Literal["turn-started"] = "turn-started"
    prompt: str


class ReplyGrew(_Change):
    """More of the reply is known: a delta to print as it streams, whole lines at a time.

    Joined, the deltas of a turn are its text, unless the CLI drew lines otherwise that were told
    already (a table that grew): then they are the beginning of what it had drawn first.
    """

    kind: Literal["reply-grew"] = "reply-grew"
    delta: str


class ToolCalled(_Change):
    """The model uses a tool."""

    kind: Literal["tool-called"] = "tool-called"
    tool: ToolCall


class ToolFinished(_Change):
    """A tool ended; its outcome says how."""

    kind: Literal["tool-finished"] = "tool-finished"
    tool: ToolCall


class DialogOpened(_Change):
    """The CLI asks something."""

    kind: Literal["dialog-opened"] = "dialog-opened"
    dialog: Dialog


class DialogClosed(_Change):
    """A dialog is gone, answered or not."""

    kind: Literal["dialog-closed"] = "dialog-closed"
    dialog: Dialog


class TurnFinished(_Change):
    """The turn ended well."""

    kind: Literal["turn-finished"] = "turn-finished"
    turn: Turn


class TurnAborted(_Change):
    """The turn ended before its reply was whole; `turn` holds what there is of it.

    This is the event to the exception `errors.TurnFailed`, under a name of its own so that one
    program can import both.
    """

    kind: Literal["turn-aborted"] = "turn-aborted"
    turn: Turn
    reason: FailureReason
    message: str  #: what the CLI said about it


class Closed(_Change):
    """The CLI ended; no event follows, unless it is started again in the same terminal."""

    kind: Literal["closed"] = "closed"


#: A change worth telling a caller.
Event = Annotated[
    StatusChanged
    | TurnStarted
    | ReplyGrew
    | ToolCalled
    | ToolFinished
    | DialogOpened
    | DialogClosed
    | TurnFinished
    | TurnAborted
    | Closed,
    Field(discriminator="kind"),
]
