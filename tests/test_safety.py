"""A prompt is data: a table of what was tried against it, and the rule for any text."""

import re
import unicodedata
from dataclasses import replace
from pathlib import PurePath

import pytest
from hypothesis import given
from hypothesis import strategies as st

from geminipty.conversation import Submit, TurnErrand, safe_command, safe_prompt
from geminipty.errors import UnsafePrompt, UsageError
from geminipty.reading import read
from geminipty.terminal import paste

from . import painting
from .conftest import examples

#: What the CLI trims, or drops, before it looks at the first character.
BLANKS = {
    "nothing": "",
    "space": " ",
    "tab": "\t",
    "newline": "\n",
    "return": "\r",
    "both": "\r\n",
    "vertical tab": "\v",
    "form feed": "\f",
    "nul": "\0",
    "file separator": "\x1c",
    "next line": "\x85",
    "no-break space": "\xa0",
    "ogham space": "\u1680",
    "en quad": "\u2000",
    "hair space": "\u200a",
    "line separator": "\u2028",
    "paragraph separator": "\u2029",
    "narrow space": "\u202f",
    "mathematical space": "\u205f",
    "ideographic space": "\u3000",
    "zero width space": "\u200b",
    "zero width non-joiner": "\u200c",
    "zero width joiner": "\u200d",
    "left-to-right mark": "\u200e",
    "right-to-left override": "\u202e",
    "word joiner": "\u2060",
    "isolate": "\u2066",
    "byte order mark": "\ufeff",
    "soft hyphen": "\xad",
    "invisible times": "\u2062",
    "tag": "\U000e0041",
    "variation selector": "\ufe0f",
    "grapheme joiner": "\u034f",
    "hangul filler": "\u3164",
    "braille blank": "\u2800",
    "many": " \t\n \u3000\n",
}
COMMANDS = ("/quit", "!touch x", "/", "!")
#: What ends a paste, presses a key or answers a question, wherever it stands.
KEYS = {
    "end of paste": "\x1b[201~",
    "end of paste and Enter": "\x1b[201~\r!touch x\r",
    "end of paste, one character": "\x9b201~",
    "begin of paste": "\x1b[200~",
    "escape": "\x1b",
    "Ctrl+C": "\x03\x03",
    "Ctrl+D": "\x04",
    "Ctrl+Z": "\x1a",
    "Ctrl+U": "\x15",
    "Ctrl+R": "\x12",
    "Ctrl+X": "\x18",
    "backspaces": "\x08" * 9,
    "deletes": "\x7f" * 9,
    "nul": "\0",
    "bell": "\a",
    "shift out": "\x0e",
    "vertical tab": "\v",
    "form feed": "\f",
    "kitty Enter": "\x1b[13u",
    "up": "\x1b[A",
    "shift tab": "\x1b[Z",
    "device control": "\x90q\x9c",
    "a surrogate": "\ud800",
    "half a pair": "\udc00",
    "next line": "\x85",
}
#: What the CLI takes for a file to read.
FILES = (
    "@file",
    "@./file",
    "@/etc/passwd",
    "@~/x",
    "@../x",
    "look at @file",
    "(@file)",
    "a@b",
    "@@file",
    "@file @other",
    "@'a b'",
    '@"a b"',
    "x\n@file",
    "x\t@file",
    "x,@file",
    "@é",
    "@.",
    "@\\ x",
    "\\@file",
    "\\\\@file",
    "\\\\\\@file",
    "a\\@b",
    "\\\\\\\\@file",
    "@C:\\x",
    "@mcp:resource",
)


def pasted(prompt: str, *, files: bool = False) -> str:
    """What is between the brackets of the paste."""
    text = paste(safe_prompt(prompt, files=files))
    assert text.startswith("\x1b[200~")
    assert text.endswith("\x1b[201~")
    return text[6:-6]


def names_a_file(text: str) -> bool:
    """Whether the CLI reads a file: an @ before something, with no backslash that is its own.

    As its parser does: a backslash takes the character after it away.
    """
    at = 0
    while at < len(text):
        if text[at] == "\\":
            at += 2
        elif text[at] == "@" and text[at + 1 : at + 2].strip():
            return True
        else:
            at += 1
    return False


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("blank", BLANKS.values(), ids=BLANKS.keys())
def test_no_blank_hides_a_command(blank: str, command: str) -> None:
    """A command is refused, whatever invisible character stands before it."""
    with pytest.raises(UnsafePrompt):
        pasted(blank + command)


@pytest.mark.parametrize("where", ["{}", "before {}", "{} after", "first\n{}\nlast"])
@pytest.mark.parametrize("key", KEYS.values(), ids=KEYS.keys())
def test_no_key_is_pressed_by_a_prompt(key: str, where: str) -> None:
    """What a terminal takes for a key is refused, wherever it stands."""
    with pytest.raises(UsageError):
        pasted(where.format(key))


@pytest.mark.parametrize("prompt", FILES)
def test_no_file_is_read_that_nobody_named(prompt: str) -> None:
    """Every @ before something is escaped, unless the caller wants files."""
    assert not names_a_file(pasted(prompt))
    # A blank at the end, which is not sent, keeps Enter from taking a suggestion.
    assert pasted(prompt, files=True).rstrip(" ") == prompt


@pytest.mark.parametrize("prompt", ["a \\", "a \\\\", "a\\\n", "@\\", "a \\ "])
def test_a_backslash_at_the_end_does_not_eat_enter(prompt: str) -> None:
    """A backslash before Enter would be a new line: a blank stands between them."""
    assert not pasted(prompt).endswith("\\")


@pytest.mark.parametrize("prompt", ["", " ", "\n\n", "\t", "\u200d", "\xa0", " \u2060 "])
def test_an_empty_prompt_is_refused(prompt: str) -> None:
    """What the CLI would not send is a UsageError."""
    with pytest.raises(UsageError):
        pasted(prompt)


@pytest.mark.parametrize(
    "prompt",
    ["what is 1/2?", "wow!", "a\n/quit", "a\n!ls", "\\/x", "?", "#x", "-", "“/”", "é/", "1!"],
)
def test_what_only_looks_like_a_command_is_sent_as_it_is(prompt: str) -> None:
    """A slash or an exclamation mark counts at the beginning only."""
    assert pasted(prompt) == prompt


@pytest.mark.parametrize("value", [None, 7, b"text", ["a"]])
def test_a_prompt_is_text(value: object) -> None:
    """Anything else is a UsageError."""
    with pytest.raises(UsageError):
        safe_prompt(value)  # type: ignore[arg-type]


def test_an_attachment_is_one_path() -> None:
    """Blanks and signs in a path are escaped, so that it does not end early."""
    text = safe_prompt("see", attachments=[PurePath("a b/(c) & d's.txt")])

    assert text == r"see @a\ b/\(c\)\ \&\ d\'s.txt "


@pytest.mark.parametrize(
    "command", ["/stats\n!ls", "/stats\r/quit", "/stats\x1b[201~\r", "/stats\x03"]
)
def test_a_command_is_one_line_without_keys(command: str) -> None:
    """A command cannot bring a second one along."""
    with pytest.raises(UsageError):
        paste(safe_command(command, "/"))


NASTY = st.one_of(
    st.text("/!@\\ \t\na", max_size=12),
    st.text("/!@\\ \t\n\r\u2060\u3164\ufe0f~'\"(a", max_size=12),
    st.text("/!@\\ \x1b\x03\x9b\u200b[]201~", max_size=12),
    st.text(max_size=40),
)


@examples(2000)
@given(NASTY)
def test_any_text_is_refused_or_only_text(prompt: str) -> None:
    """Either a named error, or a paste that holds no key, begins no command and reads no file."""
    try:
        text = pasted(prompt)
    except UsageError:
        return

    assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]", text)
    unseen = ("Cc", "Cf", "Zs", "Zl", "Zp")
    visible = [c for c in text if unicodedata.category(c) not in unseen]
    assert visible
    assert visible[0] not in "/!"
    assert not names_a_file(text)
    assert not text.endswith("\\")


@examples(500)
@given(NASTY)
def test_a_prompt_is_not_changed_but_where_it_must_be(prompt: str) -> None:
    """Without an @, a prompt is pasted as it is: line ends apart, and a blank at its end."""
    prompt = prompt.replace("@", "a")
    try:
        text = pasted(prompt)
    except UsageError:
        return

    assert text.removesuffix(" ") == re.sub("\r\n?", "\n", prompt).removesuffix(" ")


UNBRACKETED = read(replace(painting.old(["x"], busy=False), bracketed_paste=False))


@examples(300)
@given(NASTY)
def test_a_cli_without_pastes_is_typed_only_text(prompt: str) -> None:
    """Where a picture shows no bracketed paste, what is typed has no key, or nothing is typed."""
    try:
        text = safe_prompt(prompt)
        errand = TurnErrand(Submit(text), policy="deny", seconds=5.0)
    except UsageError:
        return
    errand.begin(0.0)

    given_keys = errand.look(UNBRACKETED, 0.0, fresh=True, still=True)

    if errand.error is None:
        assert given_keys == re.sub("\r\n?", "\n", text)
        assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f]", given_keys)
    else:
        assert isinstance(errand.error, UnsafePrompt)
        assert "\t" in text
        assert (given_keys, errand.typed) == ("", False)
