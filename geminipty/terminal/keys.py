"""What we type, by name, and a prompt made safe to paste.

Rule: text from outside reaches a terminal only through `paste`, which lets nothing through that
a terminal would take for a key: no control character can end the paste and press Enter.
"""

import re
from enum import StrEnum
from typing import Final

from geminipty.errors import UnsafePrompt

_BEGIN: Final = "\x1b[200~"
_END: Final = "\x1b[201~"
#: All controls but newline and tab (C0, DEL, C1), and surrogates, which UTF-8 cannot carry.
_UNSAFE: Final = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]")
_NEWLINES: Final = re.compile("\r\n?")


class Key(StrEnum):
    """A key, as the bytes that the CLI reads for it."""

    ENTER = "\r"
    NEWLINE = "\n"  # Ctrl+J: a new line in the input box
    TAB = "\t"
    SHIFT_TAB = "\x1b[Z"
    ESCAPE = "\x1b"
    BACKSPACE = "\x7f"
    UP = "\x1b[A"
    DOWN = "\x1b[B"
    RIGHT = "\x1b[C"
    LEFT = "\x1b[D"
    CTRL_C = "\x03"
    CTRL_D = "\x04"
    CTRL_E = "\x05"  # to the end of the line
    CTRL_L = "\x0c"
    CTRL_O = "\x0f"
    CTRL_U = "\x15"
    CTRL_Y = "\x19"
    # In the form of the kitty keyboard: 0.61.0 swallows a plain ESC m before the first prompt.
    ALT_M = "\x1b[109;3u"


def paste(text: str) -> str:
    """`text` as a bracketed paste, line ends as newlines.

    Raises UnsafePrompt, naming the place, if it holds a control character other than newline and
    tab; :func:`cleaned` takes those out.
    """
    return f"{_BEGIN}{pasteable(text)}{_END}"


def pasteable(text: str) -> str:
    """What stands between the brackets of a paste; raises as `paste` does."""
    text = _NEWLINES.sub("\n", text)
    if unsafe := _UNSAFE.search(text):
        raise UnsafePrompt(
            f"the text holds a character that a terminal takes for a key: "
            f"{unsafe.group()!a} at {_place(text, unsafe.start())}. "
            f"Take it out, or let geminipty.terminal.cleaned() do it."
        )
    return text


def typed(text: str) -> str:
    """`text` as single keys, for a CLI that knows no paste; a new line is Ctrl+J.

    Raises as `paste` does, and for a tab, which takes what the CLI suggests.
    """
    text = pasteable(text)
    if Key.TAB in text:
        raise UnsafePrompt(
            f"the CLI takes no pastes, and typed to it the tab at "
            f"{_place(text, text.index(Key.TAB))} would be a key. Put blanks in its place, or "
            "use a newer release of the CLI."
        )
    return text


def _place(text: str, at: int) -> str:
    return (
        f"line {text.count(Key.NEWLINE, 0, at) + 1}, column {at - text.rfind(Key.NEWLINE, 0, at)}"
    )


def cleaned(text: str) -> str:
    """`text` without the characters that `paste` refuses."""
    return _UNSAFE.sub("", _NEWLINES.sub("\n", text))
