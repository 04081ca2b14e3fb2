"""Text that would steer whoever prints it, and recordings and file names that are full of it."""

import json
import re
import unicodedata
from pathlib import Path

from geminipty.visible import BIDI

from .conftest import RECORDINGS

#: The clipboard, the screen, the title and a forged line; C1 has the same without an escape.
ATTACK = (
    "\x1b]52;c;cHduZWQ=\x07\x1b[2J\x1b]0;pwned\x1b\\\x9b31m\x9d0;pwned\x9c\x00\x08\x7f"
    "\u202egnp.exe\u2066\u061c\u200e\u200f\u2028\u2029\r\x85"
)
#: What of it our terminal keeps in its cells, where it is text.
PAINTED = "A\u202eB\u2066C\u061cD\u200eE\u200fF\u2069G"
#: A name that a file system takes.
NAME = "a\x1b[2J\x1b]52;c;cHduZWQ=\x07\u202e\x9b31m\ngeminipty: all is well\r\udcff"
_SGR = re.compile(r"\x1b\[[0-9;]*m")
#: Words of a prompt, a command, a choice and a reply.
_WORDS = re.compile(r"\b(use|there|finished|once|done|made)\b")


def unsafe(text: str, *, colours: bool = False) -> list[str]:
    """What in a text would do more than be read; new lines, and with `colours` SGR, are allowed."""
    plain = _SGR.sub("", text) if colours else text
    return sorted(
        {
            f"U+{ord(char):04X}"
            for char in plain
            if (unicodedata.category(char) in ("Cc", "Zl", "Zp", "Cs") and char != "\n")
            or char in BIDI
        }
    )


def cast(path: Path) -> Path:
    """A recording of the real CLI, all of whose words are hostile."""
    lines = (RECORDINGS / "0.61.0" / "tool-approve.cast").read_text("utf-8").splitlines()
    header = json.loads(lines[0])
    header |= {"title": ATTACK, "command": ATTACK, "idle_time_limit": 0.1}
    header["env"] = {"TERM": ATTACK, ATTACK: ATTACK}
    header["tags"] = [ATTACK]
    events = [json.loads(line) for line in lines[1:]]
    for event in events:
        if event[1] == "o":
            event[2] = _WORDS.sub(rf"\1{PAINTED}", event[2])
    first, last = events[0][0], events[-1][0]
    title = f"\x1b]0;{PAINTED}\x1b[31m\x07"
    events[:0] = [[first, "m", ATTACK], [first, "i", ATTACK], [first, "z", {ATTACK: ATTACK}]]
    events += [[last, "o", title], [last, "m", f"{ATTACK}\n{ATTACK}"], [last, "o", PAINTED]]
    rows = [json.dumps(row) for row in (header, *events)]
    path.write_text("\n".join(rows) + "\n", encoding="utf-8")
    return path
