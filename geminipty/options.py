"""What a caller may choose, checked before anything starts.

Rule: a wrong value is refused here with the name of the option, what was seen and what is
allowed. Nothing is looked up: whether a file or a program exists is for those who use it.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from difflib import get_close_matches
from enum import StrEnum, unique
from pathlib import PurePath
from typing import Annotated, Any, Final, Literal, Self, TypedDict
from uuid import UUID

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    ValidationError,
    field_validator,
    model_validator,
)

from geminipty import checks
from geminipty.errors import UsageError
from geminipty.visible import line

#: More columns than any terminal has; a bound on what one line may cost.
MAX_COLUMNS = 1000
#: A tall screen keeps the CLI from reprinting its transcript, so this is generous.
MAX_LINES = 5000
#: On smaller screens the CLI's input box and dialogs cannot be read: 0.24.5 asks for 42 columns,
#: 0.61.0 for 40; on so few, the dialogs of both are whole from 12 lines on.
MIN_COLUMNS = 42
MIN_LINES = 12
#: Options whose values may be keys: no message shows them.
_SECRET: Final = frozenset({"env", "mcp_servers", "redact", "settings"})

# Strict: True is not 1 second, and "no" is not a way to say that a folder is not trusted.
Seconds = Annotated[float, Field(strict=True, gt=0, allow_inf_nan=False)]
Argument = Annotated[str, AfterValidator(checks.argument)]
Place = Annotated[PurePath, BeforeValidator(checks.path)]
Listed = Annotated[Argument, AfterValidator(checks.listed)]
ListedPlace = Annotated[Place, AfterValidator(checks.listed_path)]
JsonObject = Annotated[dict[str, Any], BeforeValidator(checks.json_object)]


class _Chosen(BaseModel):
    # Inputs are hidden because a traceback is no place for the keys that `env` may hold.
    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)


class Size(_Chosen):
    """The size of a screen in cells; a pair (columns, lines) is understood as well."""

    columns: int = Field(strict=True, ge=1, le=MAX_COLUMNS)
    lines: int = Field(strict=True, ge=1, le=MAX_LINES)

    @model_validator(mode="before")
    @classmethod
    def _from_pair(cls, value: Any) -> Any:
        if isinstance(value, cls | dict):
            return value
        if isinstance(value, tuple | list) and len(value) == 2:
            return {"columns": value[0], "lines": value[1]}
        raise ValueError("must be a Size or a pair: (columns, lines)")

    def __str__(self) -> str:
        return f"{self.columns}x{self.lines}"


class Deadlines(_Chosen):
    """How long to wait, in seconds, before an error is raised instead."""

    start: Seconds = 60.0  #: from the start of the CLI until it is ready
    close: Seconds = 10.0  #: for the CLI to leave by itself before it is made to


@unique
class ApprovalMode(StrEnum):
    """The CLI's own `--approval-mode`: which tools it runs without a dialog."""

    DEFAULT = "default"  #: only what it takes for harmless
    AUTO_EDIT = "auto_edit"  #: changes to files as well
    YOLO = "yolo"  #: everything
    PLAN = "plan"  #: nothing that changes anything


class Options(_Chosen):
    """Everything that can be chosen for one session.

    `Options(...)` raises pydantic's ValidationError, `Options.of(...)` a UsageError.
    """

    #: The program and its first arguments; one string is one program, never split at spaces.
    #: None: the CLI is searched for.
    command: tuple[Argument, ...] | None = None
    #: The folder in which the CLI works. None: the current one.
    cwd: Place | None = None
    #: Variables laid over the caller's environment.
    env: Annotated[dict[str, str], BeforeValidator(checks.variables)] = Field(
        default_factory=dict, repr=False
    )
    #: At least 42 columns and 12 lines. None: what suits the look.
    size: Size | None = None
    deadlines: Deadlines = Deadlines()
    #: How long a turn may take, in seconds, from its prompt to its end. None: no limit.
    timeout: Seconds | None = 600.0
    #: The model's name, as the CLI takes it. None: the CLI chooses.
    model: Annotated[Argument, AfterValidator(checks.model_name)] | None = None
    #: None: as the user's settings say.
    approval_mode: ApprovalMode | None = None
    #: Whether tools run in a sandbox, or the program that makes it. None: as the settings say.
    sandbox: Annotated[bool | str | None, BeforeValidator(checks.sandbox)] = None
    #: Folders beside `cwd` in which the CLI may work.
    include_directories: tuple[ListedPlace, ...] = ()
    #: The extensions to use; () is none of them. None: all that are installed.
    extensions: tuple[Listed, ...] | None = None
    #: Files or folders with rules of the CLI's policy engine.
    policies: tuple[ListedPlace, ...] = ()
    #: Tools that run without a dialog.
    allowed_tools: tuple[Listed, ...] = ()
    #: MCP servers by name, as the CLI's settings describe them.
    mcp_servers: Annotated[dict[str, Any], BeforeValidator(checks.servers)] = Field(
        default_factory=dict, repr=False
    )
    #: Takes the place of the CLI's own system prompt.
    system_prompt: str | None = Field(default=None, min_length=1, repr=False)
    #: A prompt that the CLI runs as soon as it has started.
    initial_prompt: Argument | None = None
    #: A chat to go on with: "latest", its number or its id.
    resume: Annotated[str | None, BeforeValidator(checks.resumed)] = None
    #: The id of the new chat, a UUID. None: the CLI chooses.
    session_id: Annotated[str | None, BeforeValidator(checks.session)] = None
    debug: bool = Field(default=False, strict=True)
    #: Further flags for the CLI, each as --name or --name=value.
    extra_args: tuple[Annotated[Argument, AfterValidator(checks.extra)], ...] = ()
    #: Settings of the CLI for the private home; they win over the user's and over ours.
    settings: JsonObject = Field(default_factory=dict, repr=False)
    #: Who answers dialogs: "ask" hands them to the caller; a plain function is given each dialog.
    #: What the CLI runs without asking opens none: `ls`, `pwd`, `git status`, `echo` since 0.61.
    approvals: Literal["ask", "allow", "deny"] | Callable[..., Any] = "ask"
    #: True: the caller trusts the folder and all that is in it.
    trust: bool = Field(default=False, strict=True)
    #: Where to write a recording. None: nowhere.
    record: Annotated[Place, AfterValidator(checks.cast)] | None = None
    #: True: a recording that is there already is replaced.
    overwrite: bool = Field(default=False, strict=True)
    #: What must not be in a recording, beside what is always hidden: texts, or a function that is
    #: given a text and returns the parts of it to hide.
    redact: tuple[str, ...] | Callable[..., Any] = Field(default=(), repr=False)
    #: "private": a home for this session alone, removed at its end; "user": the user's own.
    home: Literal["private", "user"] = "private"
    #: "lean": what is fastest and safest to read; "normal": what a person would see.
    look: Literal["lean", "normal"] = "lean"

    @field_validator("command", mode="before")
    @classmethod
    def _one_program(cls, value: Any) -> Any:
        if value is None:
            return None
        words = value if isinstance(value, tuple | list) else (value,)
        if not words:
            raise ValueError("must name a program, or be None to have the CLI found")
        return tuple(str(word) if isinstance(word, PurePath) else word for word in words)

    @field_validator("size")
    @classmethod
    def _readable(cls, value: Size | None) -> Size | None:
        # Not a rule of Size: a recording, or the terminal of a person, may be smaller.
        if value is not None and (value.columns < MIN_COLUMNS or value.lines < MIN_LINES):
            raise ValueError(
                f"must be at least {MIN_COLUMNS} columns and {MIN_LINES} lines: on less, the "
                "CLI's input box and dialogs cannot be read"
            )
        return value

    @field_validator("approval_mode", mode="before")
    @classmethod
    def _known_mode(cls, value: Any) -> Any:
        if isinstance(value, str) and value.replace("-", "_") in ("suggest", "full_auto"):
            instead = "default" if value == "suggest" else "yolo"
            raise ValueError(f"the CLI has no such mode; the nearest is '{instead}'")
        return value

    @field_validator(
        "include_directories", "policies", "allowed_tools", "extra_args", mode="before"
    )
    @classmethod
    def _several(cls, value: Any) -> Any:
        return checks.several(value)

    @field_validator("approvals", mode="before")
    @classmethod
    def _policy(cls, value: Any) -> Any:
        # Left to the union, a wrong value gives one complaint for each of its branches.
        return checks.policy(value)

    @field_validator("redact", mode="before")
    @classmethod
    def _hidden(cls, value: Any) -> Any:
        if isinstance(value, str):
            raise ValueError("must be a list of texts, also for one, or a function")
        return value if callable(value) else tuple(value)

    @model_validator(mode="after")
    def _one_chat(self) -> Self:
        if self.resume is not None and self.session_id is not None:
            raise ValueError("resume and session_id: a chat is new or resumed, choose one")
        if self.home == "user":
            for name in ("mcp_servers", "settings"):
                if getattr(self, name):
                    raise ValueError(
                        f"{name}: needs home='private'; put them in the user's settings"
                    )
        return self

    @classmethod
    def of(cls, **chosen: Any) -> Self:
        """Return the options chosen; raises UsageError that names every wrong one."""
        try:
            return cls.model_validate(chosen)
        except ValidationError as error:
            raise UsageError(_explain(error, tuple(cls.model_fields))) from None


class OptionNames(TypedDict, total=False):
    """The same for those who give options by keyword, as a type checker sees them."""

    cwd: str | PurePath | None
    env: Mapping[str, str] | None
    size: Size | tuple[int, int] | None
    deadlines: Deadlines
    timeout: float | None
    model: str | None
    approval_mode: ApprovalMode | Literal["default", "auto_edit", "yolo", "plan"] | None
    sandbox: bool | str | None
    include_directories: Sequence[str | PurePath]
    extensions: Sequence[str] | None
    policies: Sequence[str | PurePath]
    allowed_tools: Sequence[str]
    mcp_servers: Mapping[str, Any]
    system_prompt: str | None
    initial_prompt: str | None
    resume: str | int | UUID | None
    session_id: str | UUID | None
    debug: bool
    extra_args: Sequence[str]
    settings: Mapping[str, Any]
    approvals: Literal["ask", "allow", "deny"] | Callable[..., Any]
    trust: bool
    record: str | PurePath | None
    overwrite: bool
    redact: Sequence[str] | Callable[[str], Iterable[str]]
    home: Literal["private", "user"]
    look: Literal["lean", "normal"]


#: What names a program: itself, or with its first arguments.
Command = str | PurePath | Sequence[str | PurePath] | None


def _explain(error: ValidationError, known: tuple[str, ...]) -> str:
    """Say of each wrong option what is allowed and what was seen, one line each."""
    lines = ["these options cannot be used:"]
    for problem in error.errors(include_url=False):
        top, *below = (str(step) for step in problem["loc"]) if problem["loc"] else ("",)
        name = line(".".join([top, *below]))
        if problem["type"] == "extra_forbidden" and not below:
            close = get_close_matches(name, known, n=1)
            hint = f"did you mean {close[0]}?" if close else f"there are {', '.join(known)}"
            lines.append(f"  {name}: no such option; {hint}")
            continue
        allowed = problem["msg"].removeprefix("Value error, ")
        if not name:  # about two options, which it names itself
            lines.append(f"  {allowed}")
            continue
        seen = "" if top in _SECRET else f" (seen: {problem['input']!r:.80})"
        lines.append(f"  {name}: {allowed}{seen}")
    return "\n".join(lines)
