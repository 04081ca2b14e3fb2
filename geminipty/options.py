"""What a caller may choose, checked before anything starts.

Rule: a wrong value is refused here with the name of the option, what was seen and what is
allowed. Nothing is looked up: whether a file or a program exists is for those who use it.
"""

from collections.abc import Callable, Mapping
from difflib import get_close_matches
from enum import StrEnum, unique
from pathlib import PurePath
from typing import Annotated, Any, Literal, Self

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

from geminipty.errors import UsageError

#: More columns than any terminal has; a bound on what one line may cost.
MAX_COLUMNS = 1000
#: A tall screen keeps the CLI from reprinting its transcript, so this is generous.
MAX_LINES = 5000


def _argument(text: str) -> str:
    """Refuse what cannot be handed to a program: nothing at all, or a NUL."""
    if not text:
        raise ValueError("must not be empty")
    if "\0" in text:
        raise ValueError("must not contain a NUL character")
    return text


def _path(value: Any) -> PurePath:
    if not isinstance(value, str | PurePath):
        raise ValueError("must be a path, as text or from pathlib")
    # PurePath("") is the current folder, which nobody means by an empty text.
    _argument(str(value))
    return PurePath(value)


def _variables(value: Any) -> dict[str, str]:
    # Done by hand so that no message can hold a value, or a name that is "KEY=value".
    if value is None:
        return {}
    if not isinstance(value, Mapping):
        raise ValueError("must map names of variables to their values")
    for name, text in value.items():
        if not isinstance(name, str) or not name or "=" in name or "\0" in name:
            raise ValueError("the name of a variable must be text without '=' and NUL")
        if not isinstance(text, str) or "\0" in text:
            raise ValueError(f"the value of {name} must be text without NUL")
    return dict(value)


def _model_name(name: str) -> str:
    if name.startswith("-") or any(c.isspace() for c in name):
        raise ValueError("a model's name has no spaces and does not start with '-'")
    return name


# Strict: True is not 1 second, and "no" is not a way to say that a folder is not trusted.
Seconds = Annotated[float, Field(strict=True, gt=0, allow_inf_nan=False)]
Argument = Annotated[str, AfterValidator(_argument)]
Place = Annotated[PurePath, BeforeValidator(_path)]


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
    turn: Seconds | None = 600.0  #: from a prompt until its turn has ended; None: no limit
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
    env: Annotated[dict[str, str], BeforeValidator(_variables)] = Field(
        default_factory=dict, repr=False
    )
    #: None: what suits the look.
    size: Size | None = None
    deadlines: Deadlines = Deadlines()
    #: The model's name, as the CLI takes it. None: the CLI chooses.
    model: Annotated[Argument, AfterValidator(_model_name)] | None = None
    #: None: as the user's settings say.
    approval_mode: ApprovalMode | None = None
    #: Who answers dialogs: "ask" hands them to the caller; a function is given each dialog.
    approvals: Literal["ask", "allow", "deny"] | Callable[..., Any] = "ask"
    #: True: the caller trusts the folder and all that is in it.
    trust: bool = Field(default=False, strict=True)
    #: Where to write a recording. None: nowhere.
    record: Place | None = None
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

    @field_validator("approvals", mode="before")
    @classmethod
    def _policy(cls, value: Any) -> Any:
        # Left to the union, a wrong value gives one complaint for each of its branches.
        if value not in ("ask", "allow", "deny") and not callable(value):
            raise ValueError("must be 'ask', 'allow', 'deny' or a function")
        return value

    @classmethod
    def of(cls, **chosen: Any) -> Self:
        """Return the options chosen; raises UsageError that names every wrong one."""
        try:
            return cls.model_validate(chosen)
        except ValidationError as error:
            raise UsageError(_explain(error, tuple(cls.model_fields))) from error


def _explain(error: ValidationError, known: tuple[str, ...]) -> str:
    """Say of each wrong option what is allowed and what was seen, one line each."""
    lines = ["these options cannot be used:"]
    for problem in error.errors(include_url=False):
        top, *below = (str(step) for step in problem["loc"])
        name = ".".join([top, *below])
        if problem["type"] == "extra_forbidden" and not below:
            close = get_close_matches(name, known, n=1)
            hint = f"did you mean {close[0]}?" if close else f"there are {', '.join(known)}"
            lines.append(f"  {name}: no such option; {hint}")
            continue
        allowed = problem["msg"].removeprefix("Value error, ")
        # Never show what stands in env: it may be a key.
        seen = "" if top == "env" else f" (seen: {problem['input']!r:.80})"
        lines.append(f"  {name}: {allowed}{seen}")
    return "\n".join(lines)
