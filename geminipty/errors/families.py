"""The errors that are not about one turn, and the base of them all.

Rule: a class says what happened, its family who must act.
"""

# ruff: noqa: N818 - a name says what happened (SessionClosed); "Error" is kept for the families.

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Protocol, TypedDict, Unpack

from geminipty.visible import line, visible

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import PurePath


class Picture(Protocol):
    """What an error needs of a Frame, which lives on a higher floor."""

    def boxed(self) -> str:
        """Return the screen as text with a box drawn around it."""


class Context(TypedDict, total=False):
    """The keywords that every error takes."""

    frame: Picture | None
    recording: str | PurePath | None
    turn: Any  #: the model.Turn that was under way
    dialog: Any  #: the model.Dialog that is open


#: A message is told first; the others are more than a line.
_NOT_IN_REPR = ("message", "frame", "turn", "dialog")


class GeminiPtyError(Exception):
    """Base of every error: a message; screen, recording, turn and open dialog where known.

    `str()` gives the message, then the screen in a box, then the recording's path, as text that is
    safe to print; `message` is the first of these alone, as it is. Errors of a session hide its
    secrets in all of these. Errors can be copied and pickled if their frame can.
    """

    code: ClassVar[str] = "geminipty-error"
    #: Data, and how they read in `repr()` without secrets; set by `hide`.
    _told: dict[str, tuple[object, str]] | None = None
    #: The same for the path of the recording in `str()`.
    _told_path: tuple[object, str] | None = None

    def __init__(
        self,
        message: str,
        *,
        frame: Picture | None = None,
        recording: str | PurePath | None = None,
        turn: Any = None,
        dialog: Any = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.frame = frame
        self.recording = recording
        self.turn = turn
        self.dialog = dialog

    def __str__(self) -> str:
        parts = [self.message]
        if self.frame is not None:
            parts.append(self.frame.boxed())
        if self.recording is not None:
            known, told = self._told_path or (None, "")
            path = told if known is self.recording else self.recording  # it may be set later
            parts.append(f"recording: {line(path)}")
        return visible("\n".join(parts))

    def __repr__(self) -> str:
        """Show what was set, but not the frame: it is a whole screen."""
        shown = [repr(self.message)]
        for name, value in vars(self).items():
            if value is None or name.startswith("_") or name in _NOT_IN_REPR:
                continue
            known, told = (self._told or {}).get(name, (None, ""))
            shown.append(f"{name}={told if known is value else repr(value)}")
        return visible(f"{type(self).__name__}({', '.join(shown)})")

    def add_note(self, note: str) -> None:
        """As of every exception; it is printed with the text, and as harmless as that."""
        super().add_note(visible(note))

    def hide(self, text: Callable[[str], str], picture: Callable[[Any], Any]) -> None:
        """Take from the message, the frame, `str()` and `repr()` what the two take away.

        The session that raises it does so, once; other attributes are data and stay as they are.
        """
        if self._told is not None:
            return
        self._told = {
            name: (value, text(repr(value)))
            for name, value in vars(self).items()
            if name not in _NOT_IN_REPR
        }
        self._told_path = (self.recording, text(str(self.recording)))
        self.message = text(self.message)
        self.args = (self.message,)
        if self.frame is not None:
            self.frame = picture(self.frame)
        if notes := getattr(self, "__notes__", None):
            notes[:] = map(text, notes)

    def __reduce__(self) -> tuple[Any, ...]:
        # By default an exception is rebuilt by calling its class with `args`, which knows no
        # keywords: CliExited("…") without its status would raise TypeError in the reader.
        return _blank, (type(self),), {"args": self.args, **vars(self)}


def _blank(cls: type[GeminiPtyError]) -> GeminiPtyError:
    return cls.__new__(cls)


class UsageError(GeminiPtyError):
    """The call cannot be carried out as it was made; nothing was sent to the CLI."""

    code = "usage-error"


class SessionClosed(UsageError):
    """The session was used after its end."""

    code = "session-closed"


class TurnInProgress(UsageError):
    """A prompt was given while the turn before it had not ended."""

    code = "turn-in-progress"


class NoSuchChoice(UsageError):
    """A dialog was answered with a choice that it does not offer, or no dialog is open.

    `choices` are the labels on offer, from top to bottom.
    """

    code = "no-such-choice"

    def __init__(self, message: str, *, choices: tuple[str, ...], **rest: Unpack[Context]) -> None:
        super().__init__(message, **rest)
        self.choices = choices


class UnsafePrompt(UsageError):
    """The prompt would be more than text to the CLI: a command, a shell line, control keys."""

    code = "unsafe-prompt"


class CliError(GeminiPtyError):
    """The CLI cannot do what was asked until it, or its set-up, changes."""

    code = "cli-error"


class CliNotFound(CliError):
    """No Gemini CLI was found; `looked` are the places tried, in order."""

    code = "cli-not-found"

    def __init__(self, message: str, *, looked: tuple[str, ...], **rest: Unpack[Context]) -> None:
        super().__init__(message, **rest)
        self.looked = looked


class CliNotStarted(CliError):
    """The CLI was found but could not be started, or its private home could not be made."""

    code = "cli-not-started"


class CliExited(CliError):
    """The CLI ended by itself; `status` is its exit status, or minus the signal that ended it.

    `turn` is the model.Turn that was under way, with what there is of its reply; None if none was.
    """

    code = "cli-exited"

    def __init__(self, message: str, *, status: int, **rest: Unpack[Context]) -> None:
        super().__init__(message, **rest)
        self.status = status


class NotSignedIn(CliError):
    """The CLI asks for an account or a key, or no longer accepts the one it has."""

    code = "not-signed-in"


class FolderNotTrusted(CliError):
    """The CLI asks whether to trust its folder, and the caller has not said so.

    `choices` are the labels on offer, from top to bottom.
    """

    code = "folder-not-trusted"

    def __init__(self, message: str, *, choices: tuple[str, ...], **rest: Unpack[Context]) -> None:
        super().__init__(message, **rest)
        self.choices = choices


class TimedOut(GeminiPtyError, TimeoutError):
    """A deadline passed: `seconds` is how long was allowed, `phase` what was waited for."""

    code = "timed-out"

    def __init__(
        self, message: str, *, seconds: float, phase: str, **rest: Unpack[Context]
    ) -> None:
        super().__init__(message, **rest)
        self.seconds = seconds
        self.phase = phase


class StartTimeout(TimedOut):
    """The CLI started but was not ready for a prompt in time."""

    code = "start-timeout"


class TurnTimeout(TimedOut):
    """The turn had not ended in time; `turn` is the model.Turn as far as it came, or None."""

    code = "turn-timeout"


class DialogWaiting(GeminiPtyError):
    """The CLI asks a question that nobody said how to answer; `answer()` goes on with the turn.

    `dialog` is all that is known of it, the exact call too where there is a witness; `title` is
    the question, `choices` are the labels on offer, from top to bottom.
    """

    code = "dialog-waiting"

    def __init__(
        self, message: str, *, title: str, choices: tuple[str, ...], **rest: Unpack[Context]
    ) -> None:
        super().__init__(message, **rest)
        self.title = title
        self.choices = choices


class UnsafeApproval(DialogWaiting):
    """The same, but the answer was to be yes, and the dialog may not be what it looks like.

    `dialog.suspicious` says why; if it is empty, not all of the dialog is on the screen, and no
    witness knows the call. Nothing was answered.
    """

    code = "unsafe-approval"


class ScreenNotUnderstood(GeminiPtyError):
    """The CLI draws something that geminipty cannot read."""

    code = "screen-not-understood"


class RecordingError(GeminiPtyError):
    """A recording cannot be used; `recording` says which."""

    code = "recording-error"


class RecordingMissing(RecordingError):
    """There is no recording where one is expected."""

    code = "recording-missing"


class RecordingInvalid(RecordingError):
    """A recording breaks its format or a limit; `line` counts from 1, None if no one line does."""

    code = "recording-invalid"

    def __init__(self, message: str, *, line: int | None = None, **rest: Unpack[Context]) -> None:
        super().__init__(message, **rest)
        self.line = line

    def __str__(self) -> str:
        said = super().__str__()
        return visible(said if self.line is None else f"line {self.line}: {said}")


class ReplayMismatch(RecordingError):
    """A replay was typed something else than its recording holds.

    `expected` is the recorded text, `typed` what came instead; None where there was nothing.
    """

    code = "replay-mismatch"

    def __init__(
        self, message: str, *, expected: str | None, typed: str | None, **rest: Unpack[Context]
    ) -> None:
        super().__init__(message, **rest)
        self.expected = expected
        self.typed = typed
