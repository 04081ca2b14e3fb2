"""Text made fit to be looked at: what would steer the reader's program, or hide, is named.

Rule: nothing that leaves here moves a cursor, turns the direction of text, or breaks XML; newlines
and tabs stay. All that geminipty prints or puts into an error passes here.
"""

import json
import re
import unicodedata
from collections.abc import Iterator
from html import escape
from typing import Final

#: Characters that turn the direction of text. They take no column.
BIDI: Final = "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
#: C0, DEL and C1, line and paragraph separator, half characters, and those that XML forbids.
_CONTROLS: Final = "\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\ufffe\uffff"
#: Letters that nobody sees: a text of tags can say anything to a program. Three flags are made of
#: them: those of England, Scotland and Wales.
_TAGS: Final = "\U000e0000-\U000e007f"
_FLAG: Final = (
    "\U0001f3f4\U000e0067\U000e0062"
    "(?:\U000e0065\U000e006e\U000e0067|\U000e0073\U000e0063\U000e0074"
    "|\U000e0077\U000e006c\U000e0073)\U000e007f"
)
#: What would do something to the reader's program, or says something that nobody sees.
_STEERS: Final = f"{BIDI}{_CONTROLS}{_TAGS}"
#: What is not drawn: all that, what has no width, and a letter of Braille without dots; and what
#: Unicode counts as a format, though some of it has a form in some fonts.
_INVISIBLE: Final = (
    f"{_STEERS}\xad\u034f\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u115f\u1160\u17b4\u17b5"
    "\u180b-\u180f\u200b-\u200d\u2060-\u206f\u2800\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb"
    "\U000110bd\U000110cd\U00013430-\U0001343f\U0001bca0-\U0001bca3\U0001d173-\U0001d17a"
    "\U000e0080-\U000e0fff"
)
_UNSAFE: Final = re.compile(f"[{_STEERS}]")
_NAMED: Final = re.compile(f"({_FLAG})|[{_STEERS}]")
_HIDDEN: Final = re.compile(f"({_FLAG})|[{_INVISIBLE}]")
_IN_LINE: Final = re.compile(f"({_FLAG})|[{_INVISIBLE}\t\n]")
#: The variants of a picture: as text, and in colours.
_VARIANTS: Final = "\ufe0e\ufe0f"
#: What keeps letters apart, or joins them or pictures.
_LINKS: Final = "\u200c\u200d"
_KEYCAP: Final = "\u20e3"
_KEYS: Final = frozenset("#*0123456789")
_SKIN: Final = range(0x1F3FB, 0x1F400)
#: Pictures that Unicode counts as letters, arrows or marks.
_PICTURES: Final = "\u203c\u2049\u2139\u2194\u25fb\u25fc\u25fd\u25fe\u2934\u2935\u3030\u303d"
_OWN: Final = re.compile(r"(\x1b\[[0-9;]*m)")


def _name(found: re.Match[str]) -> str:
    return found[1] or f"⟨{_code(found)}⟩"


def _code(found: re.Match[str]) -> str:
    return f"U+{ord(found[0]):04X}"


def visible(text: str) -> str:
    """The text with each unsafe character named, as in ⟨U+202E⟩."""
    return _NAMED.sub(_name, text)


def line(text: object) -> str:
    """A name, title or command in one line: also newlines, tabs and what is not drawn are named."""
    return _IN_LINE.sub(lambda one: one[0] if _is_spelling(one) else _name(one), str(text))


def coloured(text: str) -> str:
    """The same as `visible` for text in colours of ours: SGR sequences stay."""
    parts = _OWN.split(text)
    return "".join(part if at % 2 else visible(part) for at, part in enumerate(parts))


def hidden(text: str) -> Iterator[str]:
    """The characters of a text that a reader of its picture would not see, each named.

    Not among them: blanks, tabs and line ends, and what belongs to the spelling of a word or a
    picture: a joiner between two letters of a script that is not Latin, or between two emoji, and
    the variant of an emoji.
    """
    for found in _HIDDEN.finditer(text):
        is_line_end = found[0] == "\r" and text.startswith("\n", found.end())
        if not is_line_end and not _is_spelling(found):
            yield _code(found)


def _is_spelling(found: re.Match[str]) -> bool:
    """Whether what is not drawn belongs to how a word or a picture is spelt."""
    if found[1]:
        return True
    before = found.string[found.start() - 1 : found.start()]
    after = found.string[found.end() : found.end() + 1]
    if found[0] in _VARIANTS:
        return _is_picture(before) or (after == _KEYCAP and before in _KEYS)
    return found[0] in _LINKS and _joins(before, after)


def _joins(before: str, after: str) -> bool:
    if not before or not after:
        return False
    letters = _is_letter(before) and _is_letter(after)
    return letters or ((_is_picture(before) or before in _VARIANTS) and _is_picture(after))


def _is_letter(char: str) -> bool:
    """Whether it is a letter or a mark of a script whose words are spelt with joiners."""
    return char >= "\u0600" and unicodedata.category(char)[0] in "LM"


def _is_picture(char: str) -> bool:
    """Whether it may be a part of an emoji."""
    if not char:
        return False
    return unicodedata.category(char) == "So" or ord(char) in _SKIN or char in _PICTURES


def markup(text: str) -> str:
    """The text for HTML and XML, in an element or a quoted attribute."""
    return escape(visible(text))


def drawable(cell: str) -> str:
    """A cell's characters for a picture, where a name would take columns that it has not."""
    return plain(cell).replace("\t", "").replace("\n", "") or ("\ufffd" if cell else "")


def plain(row: str) -> str:
    """A row of a picture without what has no column of its own and is unsafe."""
    return _UNSAFE.sub("", row)


def short(text: str, width: int = 100) -> str:
    """The text in one line of at most `width` characters."""
    text = line(" ".join(text.split()))
    return text if len(text) <= width else text[: width - 1] + "…"


def as_json(value: object) -> str:
    """The value as JSON in one line: exact for who parses it, harmless for who looks at it."""
    return escaped(json.dumps(value, ensure_ascii=False))


def escaped(text: str) -> str:
    """JSON text with each unsafe character escaped: the same value."""
    return _UNSAFE.sub(lambda found: json.dumps(found[0])[1:-1].replace("\x7f", r"\u007f"), text)
