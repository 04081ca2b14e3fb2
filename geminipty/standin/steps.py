"""What a script is made of: each step is one answer of the scripted model, or its failure.

Rule: a step is plain data that cannot change, and a bad one is refused when it is made, not when
it is sent: an error in a server's thread would be seen by nobody.
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import KW_ONLY, dataclass
from math import isfinite
from typing import Literal, TypeAlias

from geminipty.errors import UsageError
from geminipty.model import Usage


@dataclass(frozen=True, slots=True)
class Think:
    """A thought that the model lets be seen; the CLI shows its subject while it works."""

    subject: str
    description: str = ""

    def __post_init__(self) -> None:
        _check_text(self.subject + self.description)

    @property
    def text(self) -> str:
        """The thought as the API writes it."""
        return f"**{self.subject}** {self.description}".rstrip()


@dataclass(frozen=True, slots=True)
class _Streamed:
    text: str = ""
    _: KW_ONLY
    chunks: int | Sequence[str] | None = None
    pause: float = 0.0

    def __post_init__(self) -> None:
        _check_text(self.text)
        _check_seconds(self.pause)
        if isinstance(self.chunks, int):
            if self.chunks < 1:
                raise UsageError(f"a piece has 1 character or more, but chunks is {self.chunks}.")
        elif self.chunks is not None:
            if isinstance(self.chunks, str) or "".join(self.chunks) != self.text:
                raise UsageError(
                    f"chunks must be the pieces of {self.text!r}, not {self.chunks!r}."
                )
            object.__setattr__(self, "chunks", tuple(self.chunks))  # a list could change later

    @property
    def pieces(self) -> tuple[str, ...]:
        """The text as it is sent, one piece in each event; none if there is no text."""
        if isinstance(self.chunks, int):
            size = self.chunks
            return tuple(self.text[i : i + size] for i in range(0, len(self.text), size))
        return tuple(self.chunks or filter(None, (self.text,)))


@dataclass(frozen=True, slots=True)
class Say(_Streamed):
    """Text, whole or in pieces.

    `chunks` is the size of a piece in characters, or the pieces themselves; `pause` are the
    seconds between two pieces. `thought` goes before the text. Without `usage` the tokens are
    counted from the lengths. `finish` says why the model stopped, in the API's words: MAX_TOKENS,
    SAFETY, RECITATION. An empty text is an empty answer, which the CLI takes for a fault.
    """

    text: str
    _: KW_ONLY
    thought: Think | None = None
    usage: Usage | None = None
    finish: str = "STOP"


@dataclass(frozen=True, slots=True, init=False, repr=False)
class Call:
    """The use of a tool; what it needs is given by keyword: `Call("read_file", path="a.txt")`."""

    name: str
    arguments: str  #: all of them as JSON text, as in `model.ToolCall`

    def __init__(self, name: str, /, **arguments: object) -> None:
        try:
            text = json.dumps(arguments, ensure_ascii=False, allow_nan=False)
        except (TypeError, ValueError) as error:
            raise UsageError(
                f"the arguments of {name} cannot be written as JSON: {error}. "
                "Use text, numbers, truth values, None, lists and dicts of these."
            ) from None
        _check_text(name + text)
        object.__setattr__(self, "name", name)
        object.__setattr__(self, "arguments", text)

    def __repr__(self) -> str:
        shown = [f"{name}={value!r}" for name, value in json.loads(self.arguments).items()]
        return f"Call({', '.join([repr(self.name), *shown])})"


@dataclass(frozen=True, slots=True, init=False)
class Calls:
    """Several tools in one answer."""

    calls: tuple[Call, ...]

    def __init__(self, *calls: Call) -> None:
        if not calls or not all(isinstance(call, Call) for call in calls):
            raise UsageError(f"Calls takes one Call or more, but was given {calls!r}.")
        object.__setattr__(self, "calls", calls)


@dataclass(frozen=True, slots=True)
class Fail:
    """An HTTP error with the body that Google sends.

    The CLI asks again after 429 and 5xx, and each time takes the next step of the script: write
    `Always(Fail(500))` for an API that stays broken. A `quota` tells which one is used up; the CLI
    waits for that of a minute, and newer releases open a dialog for that of a day. `retry_after`
    are the seconds that the API asks to wait. The CLI shows the `message`.
    """

    status: int
    message: str | None = None
    _: KW_ONLY
    quota: Literal["minute", "day"] | None = None
    retry_after: float | None = None

    def __post_init__(self) -> None:
        if not 400 <= self.status <= 599:
            raise UsageError(
                f"Fail takes an HTTP status of 400 to 599, but was given {self.status}."
            )
        if self.quota not in (None, "minute", "day"):
            raise UsageError(f"quota is 'minute', 'day' or None, but was given {self.quota!r}.")
        _check_text(self.message or "")
        _check_seconds(self.retry_after or 0.0)


@dataclass(frozen=True, slots=True)
class Hang(_Streamed):
    """The beginning of an answer, if any, and then silence until the client goes or we close."""


@dataclass(frozen=True, slots=True)
class Cut(_Streamed):
    """The beginning of an answer, and then the connection is dropped.

    Without text it is dropped before the first byte.
    """


#: What can stand beside others in one answer.
Part: TypeAlias = Think | Say | Call | Calls


@dataclass(frozen=True, slots=True)
class Slow:
    """A step whose first byte comes so many seconds late."""

    step: "Part | Sequence[Part] | Fail | Hang | Cut"
    seconds: float

    def __post_init__(self) -> None:
        _check_seconds(self.seconds)
        if isinstance(self.step, Slow | Always):
            raise UsageError(f"Slow takes a plain step, but was given {self.step!r}.")
        object.__setattr__(self, "step", checked(self.step))


@dataclass(frozen=True, slots=True)
class Always:
    """A step for this request and every one after it; only the last of a script can be one."""

    step: "Part | Sequence[Part] | Fail | Hang | Cut | Slow"

    def __post_init__(self) -> None:
        if isinstance(self.step, Always):
            raise UsageError("Always takes a plain step, but was given Always.")
        object.__setattr__(self, "step", checked(self.step))


#: One answer of the model: a part, several parts as a list, or a way to fail.
Step: TypeAlias = Part | Sequence[Part] | Fail | Hang | Cut | Slow | Always


def checked(step: Step) -> Step:
    """Return a step, a list of parts as a tuple; UsageError for what is not a step."""
    if isinstance(step, Think | Say | Call | Calls | Fail | Hang | Cut | Slow | Always):
        return step
    if isinstance(step, list | tuple):
        parts = tuple(step)
        if parts and all(isinstance(part, Think | Say | Call | Calls) for part in parts):
            return parts
    raise UsageError(
        f"a script holds steps, but was given {step!r}. A step is Say(…), Think(…), Call(…), "
        "Calls(…), a list of these, Fail(…), Hang(), Cut(), Slow(…) or Always(…)."
    )


def parts_of(step: Part | Sequence[Part]) -> Iterator[Think | Say | tuple[Call, ...]]:
    """Yield what one answer consists of, in order; neighbouring calls come together."""
    calls: tuple[Call, ...] = ()
    for part in (step,) if isinstance(step, Think | Say | Call | Calls) else step:
        if isinstance(part, Call | Calls):
            calls += (part,) if isinstance(part, Call) else part.calls
            continue
        if calls:
            yield calls
            calls = ()
        if isinstance(part, Say) and part.thought is not None:
            yield part.thought
        yield part
    if calls:
        yield calls


def _check_text(text: str) -> None:
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise UsageError(
            f"the text cannot be sent as UTF-8: {error.reason} at character {error.start}."
        ) from None


def _check_seconds(seconds: float) -> None:
    if not (isfinite(seconds) and seconds >= 0):
        raise UsageError(f"a time is 0 seconds or more, but was given {seconds}.")
