"""A prompt is data: what must be so before it is typed.

Rule: nothing in a prompt can run a command, end the CLI or read a file unless the caller asked for
that; and what the CLI would lose on the way is refused, not lost.
"""

import re
import unicodedata
from collections.abc import Iterable
from pathlib import PurePath
from typing import Final

from geminipty.errors import UnsafePrompt, UsageError
from geminipty.terminal import pasteable

from .attachments import DROPPED, sayable

#: What begins a command of the CLI, or one for the shell.
_COMMANDS: Final = ("/", "!")
#: What the CLI, or its trimming, drops before it looks at the first character.
_UNSEEN: Final = frozenset({"Cc", "Cf", "Zs", "Zl", "Zp"})
#: Letters and marks that show nothing: the CLI keeps them, but nobody sees what they hide.
_BLANK: Final = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]"
)
#: The CLI takes what follows for a path, unless a backslash stands before it.
_FILE: Final = re.compile(r"(\\*)@(?=\S)")

#: What begins a command for the shell where a prompt is meant; `! true` is one of the shell.
_SHELL: Final = re.compile(r"!(?!\s)")


def safe_prompt(prompt: str, *, files: bool = False, attachments: Iterable[PurePath] = ()) -> str:
    """A prompt as it is to be pasted; raises UnsafePrompt or UsageError.

    With `files`, the CLI reads what `@path` names; `attachments` are read in any case.
    """
    if not isinstance(prompt, str):
        raise UsageError(f"a prompt is text, not {type(prompt).__name__}")
    _refuse_dropped(prompt)
    text = prompt
    seen = "".join(
        c for c in text if unicodedata.category(c) not in _UNSEEN and not _BLANK.match(c)
    )
    if not seen:
        pasteable(text)  # keys are no prompt either, and are told as what they are
        raise UsageError("the prompt is empty; the CLI sends nothing to the model then")
    if seen.startswith(_COMMANDS):
        raise UnsafePrompt(
            f"a prompt that begins with {seen[0]!r} is a command to the CLI: {seen[:40]!r}. Use "
            "command() or shell() if you mean one; if not, put a word before it."
        )
    if not files:
        text = _FILE.sub(_kept_from_reading, text)
    text = "".join([text, *(f" @{sayable(path)}" for path in attachments)])
    # A backslash before Enter is a new line to the CLI, and behind an @ the Enter takes what the
    # CLI suggests in its place; blanks at the end prevent both and are not sent.
    return f"{text} " if text.endswith("\\") or "@" in text.rpartition("\n")[2] else text


def safe_initial_prompt(prompt: str) -> str:
    """A prompt as it is given to the CLI at its start, which treats it as one that was typed."""
    try:
        return pasteable(safe_prompt(prompt))
    except UnsafePrompt as error:
        raise UnsafePrompt(f"initial_prompt: {error.message}") from error


def safe_command(command: str, mark: str) -> str:
    """A command for the CLI (`/stats`) or the shell, as it is to be pasted."""
    text = command.strip()
    if "\n" in text or "\r" in text:
        raise UnsafePrompt(f"a command is one line: {text[:40]!r}")
    if mark and not text.startswith(mark):
        raise UsageError(f"a command to the CLI begins with {mark!r}: {text[:40]!r}")
    if not text.removeprefix(mark):
        raise UsageError("the command is empty")
    if not mark and _SHELL.match(text):
        raise UsageError(
            f"shell() types the '!' itself: give the command without it, not {text[:40]!r}"
        )
    _refuse_dropped(text)
    return text


def _refuse_dropped(text: str) -> None:
    if dropped := DROPPED.search(text):
        line = text.count("\n", 0, dropped.start()) + 1
        raise UnsafePrompt(
            f"the CLI drops the invisible character U+{ord(dropped.group()):04X} from what it is "
            f"given; it stands in line {line}. Take it out of the prompt."
        )


def _kept_from_reading(at: re.Match[str]) -> str:
    """An @ with an odd number of backslashes before it: an even one may count as none."""
    return at[0] if len(at[1]) % 2 else f"{at[1]}\\@"
