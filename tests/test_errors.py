"""Errors say who must act, carry their data as attributes, and are all documented."""

import copy
import inspect
import pickle
import re
import traceback
from pathlib import Path, PurePath

import pytest

from geminipty import errors
from geminipty.errors import (
    BY_REASON,
    ApiFailed,
    CliError,
    CliExited,
    CliNotFound,
    CliNotStarted,
    ContextOverflow,
    DialogWaiting,
    FailureReason,
    FolderNotTrusted,
    GeminiPtyError,
    LoopDetected,
    NoSuchChoice,
    NotSignedIn,
    QuotaExceeded,
    RecordingError,
    RecordingInvalid,
    RecordingMissing,
    ReplayMismatch,
    ScreenNotUnderstood,
    SessionClosed,
    SignInExpired,
    StartTimeout,
    TimedOut,
    TurnCancelled,
    TurnFailed,
    TurnInProgress,
    TurnTimeout,
    UnsafeApproval,
    UnsafePrompt,
    UsageError,
)
from geminipty.model import Reply, ReplySource, Turn

from .attacks import ATTACK, NAME, unsafe

PAGE = Path(__file__).parent.parent / "docs" / "errors.md"


class Screenshot:
    """The least that an error asks of a frame."""

    def boxed(self) -> str:
        """Return a screen of one word."""
        return "┌──┐\n│hi│\n└──┘"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Screenshot)

    __hash__ = None  # type: ignore[assignment]  # equality is all that is needed here


class Attack:
    """A frame that would steer whoever prints it."""

    def boxed(self) -> str:
        """Return a hostile screen."""
        return ATTACK


FRAME = Screenshot()
CAST = PurePath("run.cast")
SAID = Reply(text="so far", source=ReplySource.SCREEN, screen_text="so far")
TURN = Turn(prompt="hi", reply=SAID, started=1.0)

#: One of each class, with all the data it can hold, in the order of the tree.
ONE_OF_EACH: list[GeminiPtyError] = [
    GeminiPtyError("m", frame=FRAME, recording=CAST),
    UsageError("m", frame=FRAME, recording=CAST),
    SessionClosed("m", frame=FRAME, recording=CAST),
    TurnInProgress("m", frame=FRAME, recording=CAST),
    NoSuchChoice("m", choices=("Yes", "No"), frame=FRAME, recording=CAST),
    UnsafePrompt("m", frame=FRAME, recording=CAST),
    CliError("m", frame=FRAME, recording=CAST),
    CliNotFound("m", looked=("bin", "lib"), frame=FRAME, recording=CAST),
    CliNotStarted("m", frame=FRAME, recording=CAST),
    CliExited("m", status=-9, turn=TURN, frame=FRAME, recording=CAST),
    NotSignedIn("m", frame=FRAME, recording=CAST),
    FolderNotTrusted("m", choices=("Trust",), frame=FRAME, recording=CAST),
    TurnFailed("m", reason=FailureReason.QUOTA, turn=TURN, frame=FRAME, recording=CAST),
    ApiFailed("m", reason=FailureReason.MODEL_ERROR, turn=TURN, frame=FRAME, recording=CAST),
    QuotaExceeded("m", reason=FailureReason.QUOTA, turn=TURN, frame=FRAME, recording=CAST),
    SignInExpired("m", reason=FailureReason.SIGN_IN, turn=TURN, frame=FRAME, recording=CAST),
    ContextOverflow(
        "m", reason=FailureReason.CONTEXT_OVERFLOW, turn=TURN, frame=FRAME, recording=CAST
    ),
    LoopDetected("m", reason=FailureReason.LOOP, turn=TURN, frame=FRAME, recording=CAST),
    TurnCancelled("m", reason=FailureReason.CANCELLED, turn=TURN, frame=FRAME, recording=CAST),
    TimedOut("m", seconds=1.5, phase="typing", frame=FRAME, recording=CAST),
    StartTimeout("m", seconds=60, phase="waiting", frame=FRAME, recording=CAST),
    TurnTimeout("m", seconds=120, phase="working", turn=TURN, frame=FRAME, recording=CAST),
    DialogWaiting("m", title="Apply?", choices=("Yes", "No"), frame=FRAME, recording=CAST),
    UnsafeApproval("m", title="Apply?", choices=("Yes",), frame=FRAME, recording=CAST),
    ScreenNotUnderstood("m", frame=FRAME, recording=CAST),
    RecordingError("m", frame=FRAME, recording=CAST),
    RecordingMissing("m", frame=FRAME, recording=CAST),
    RecordingInvalid("m", line=7, frame=FRAME, recording=CAST),
    ReplayMismatch("m", expected="a", typed="b", frame=FRAME, recording=CAST),
]
EACH = pytest.mark.parametrize("error", ONE_OF_EACH, ids=lambda error: error.code)


def tree(cls: type[GeminiPtyError], depth: int = 0) -> list[tuple[int, str]]:
    """Return the class and its descendants in errors.py with their depths, top to bottom."""
    below = [sub for sub in cls.__subclasses__() if sub.__module__.startswith(errors.__name__)]
    return [(depth, cls.__name__)] + [row for sub in below for row in tree(sub, depth + 1)]


def test_docstring_draws_the_tree() -> None:
    """The tree in the module's docstring is the tree of the classes, in the same order."""
    drawn = re.findall(r"^    ([│├└─ ]*)([A-Z]\w+)", errors.__doc__ or "", re.MULTILINE)

    assert [(len(branch) // 4, name) for branch, name in drawn] == tree(GeminiPtyError)


def test_table_of_this_file_has_one_of_each_class() -> None:
    """No class of errors.py escapes the tests of this file."""
    assert [type(error).__name__ for error in ONE_OF_EACH] == [n for _, n in tree(GeminiPtyError)]


def test_module_raises_nothing_outside_the_tree() -> None:
    """Every exception of errors.py is a GeminiPtyError."""
    found = [c for _, c in inspect.getmembers(errors, inspect.isclass) if issubclass(c, Exception)]

    assert all(issubclass(c, GeminiPtyError) for c in found)


@EACH
def test_code_is_the_class_name_in_kebab_case(error: GeminiPtyError) -> None:
    """A code is the name of its class in kebab-case, so no two classes share one."""
    name = type(error).__name__.replace("GeminiPty", "Geminipty")

    assert error.code == re.sub(r"(?<!^)(?=[A-Z])", "-", name).lower()


def test_page_has_one_section_for_each_code_in_order() -> None:
    """docs/errors.md and errors.py have the same codes in the same order."""
    sections = re.findall(r"^## `(.+)`$", PAGE.read_text(encoding="utf-8"), re.MULTILINE)

    assert sections == [error.code for error in ONE_OF_EACH]


@EACH
def test_section_names_its_class_and_every_attribute(error: GeminiPtyError) -> None:
    """A section of docs/errors.md names its class and the data that only this class brings."""
    text = PAGE.read_text(encoding="utf-8")
    section = text.partition(f"## `{error.code}`\n")[2].partition("\n## ")[0]

    assert f"`{type(error).__name__}`" in section
    own = inspect.signature(type(error)).parameters.keys() if is_own_init(error) else set()
    for name in own - {"message", "frame", "recording", "turn", "dialog", "rest"}:
        assert f"`{name}`" in section


def is_own_init(error: GeminiPtyError) -> bool:
    """Tell whether the class itself says how it is made."""
    return "__init__" in vars(type(error))


@pytest.mark.parametrize("reason", FailureReason)
def test_page_explains_every_reason(reason: FailureReason) -> None:
    """Each reason why a turn can fail has its line in docs/errors.md."""
    assert f"\n- `{reason}`: " in PAGE.read_text(encoding="utf-8")


def attacked(error: GeminiPtyError) -> GeminiPtyError:
    """The same error, all of whose texts are hostile."""
    error = copy.copy(error)
    for name, value in vars(error).items():
        if isinstance(value, str | tuple):
            setattr(error, name, ATTACK if isinstance(value, str) else (ATTACK,))
    error.args, error.frame, error.recording = (ATTACK,), Attack(), NAME
    error.add_note(ATTACK)
    return error


@EACH
def test_no_text_of_an_error_steers_the_reader(error: GeminiPtyError) -> None:
    """Neither str() nor repr(), nor a traceback: alone, as a cause, with notes, in a group."""
    hostile = attacked(error)
    after = ValueError("later")
    after.__cause__ = hostile
    shown = [str(hostile), repr(hostile), *hostile.__notes__]  # repr() escapes by itself

    tracebacks = [
        "".join(traceback.format_exception(one))
        for one in (hostile, after, ExceptionGroup("some", [hostile, after]))
    ]

    assert [unsafe(text) for text in (*shown, *tracebacks)] == [[]] * (len(shown) + 3)
    assert ["\\u202e" in text or "⟨U+202E⟩" in text for text in shown] == [True] * len(shown)
    assert all(text.count("⟨U+009D⟩") >= 3 for text in tracebacks)  # message, frame, note


@EACH
@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_pickle_keeps_everything(error: GeminiPtyError, protocol: int) -> None:
    """An error that went through pickle has the same class, text and data, notes included."""
    error = copy.copy(error)
    error.add_note("seen in a worker")

    again = pickle.loads(pickle.dumps(error, protocol))

    assert type(again) is type(error)
    assert (again.args, vars(again), str(again)) == (error.args, vars(error), str(error))
    assert again.__notes__ == ["seen in a worker"]


@EACH
def test_copies_keep_everything_and_are_independent(error: GeminiPtyError) -> None:
    """A copy equals its original in all data; what is set on the one is not set on the other."""
    for again in (copy.copy(error), copy.deepcopy(error)):
        assert type(again) is type(error)
        assert (again.args, vars(again), repr(again)) == (error.args, vars(error), repr(error))

        again.recording = "other.cast"
        assert error.recording == CAST


@EACH
def test_frame_and_recording_are_optional_everywhere(error: GeminiPtyError) -> None:
    """Every class can be made without a frame and a recording, which are then None."""
    common = {"message", "frame", "recording"}
    own = {k: v for k, v in vars(error).items() if k not in common}

    bare = type(error)("m", **own)

    assert (bare.frame, bare.recording) == (None, None)
    assert str(bare).endswith("m")


def test_text_is_message_then_screen_then_recording() -> None:
    """str() shows the message, the screen in its box and where the recording is."""
    error = UsageError("no such key", frame=FRAME, recording="run.cast")

    assert str(error) == "no such key\n┌──┐\n│hi│\n└──┘\nrecording: run.cast"
    assert error.message == "no such key"


def test_repr_shows_the_data_but_not_the_screen() -> None:
    """repr() is one line with all that was set, except the frame."""
    error = CliExited("gone", status=3, frame=FRAME, recording="run.cast")

    assert repr(error) == "CliExited('gone', recording='run.cast', status=3)"
    assert repr(SessionClosed("it's over")) == 'SessionClosed("it\'s over")'


@pytest.mark.parametrize(
    ("line", "text"),
    [(None, "no header"), (1, "line 1: no header"), (70_000, "line 70000: no header")],
)
def test_invalid_recording_names_its_line(line: int | None, text: str) -> None:
    """RecordingInvalid says "line N" if there is one line to blame, and keeps N as a number."""
    error = RecordingInvalid("no header", line=line)

    assert str(error) == text
    assert error.line == line


@pytest.mark.parametrize("cls", [TimedOut, StartTimeout, TurnTimeout])
def test_timeouts_are_builtin_timeouts(cls: type[TimedOut]) -> None:
    """Code that catches the builtin TimeoutError catches ours, with all its data."""
    with pytest.raises(TimeoutError, match="too slow") as caught:
        raise cls("too slow", seconds=2.5, phase="working")

    assert isinstance(caught.value, cls)
    assert (caught.value.seconds, caught.value.phase) == (2.5, "working")


def test_every_reason_has_an_error_of_its_own() -> None:
    """BY_REASON has one class for each reason, all of them kinds of TurnFailed."""
    assert set(BY_REASON) == set(FailureReason)
    assert set(BY_REASON.values()) == set(TurnFailed.__subclasses__())
