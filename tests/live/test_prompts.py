r"""Prompts arrive at the model byte for byte, whatever they are made of and however long they are.

What the CLI itself changes: blanks at both ends are cut, and an `@` that is text arrives as `\@`.
"""

import pytest

from geminipty.errors import UsageError
from geminipty.session import GeminiSession
from geminipty.standin import Say

from .models import Model

pytestmark = pytest.mark.live

LINE = "The quick brown fox jumps over the lazy dog, and the dog does not mind at all.\n"


def in_lines(size: int) -> str:
    """A text of so many bytes, in numbered lines."""
    lines = (f"{number:07} {LINE}" for number in range(size // len(LINE) + 1))
    return "".join(lines)[: size - 1] + "."


PROMPTS = {
    "one byte": "x",
    "two lines": "first\nsecond",
    "blank lines": "a\n\n\nb",
    "indented": "def f():\n    return 1\n\tif x:\n\t\ty",
    "tabs": "a\tb\t\tc",
    "inner blanks": "a  b   c",
    "latin": "Zażółć gęślą jaźń; ça va, niño? ÅÄÖ ß ﬁ",
    "greek, cyrillic": "Ελληνικά και русский, українська",
    "hebrew, arabic": "שלום עולם وَالسَّلَام عليكم",
    "hindi, thai, tamil": "क्षत्रिय हिन्दी ภาษาไทย தமிழ்",
    "georgian, armenian, amharic": "ქართული հայերեն አማርኛ",
    "cjk": "漢字かな交じり文、한국어 그리고 中文。",
    "wide at the edge": "漢" * 120,
    "combining": "e\u0301 a\u0308\u0323 Z\u0351\u036b\u0343",
    "emoji": "👩‍👩‍👧‍👦 ⚠️ 🇩🇪🇯🇵 👍🏽 1️⃣ ☀︎",
    "astral": "𝔘𝔫𝔦𝔠𝔬𝔡𝔢 𓀀 𐍈",
    "dead keys of a Mac": "aµΩƒ∫∂¸z",
    "what a paste looks like": "[Pasted Text: 9 lines]",
    "what the composer looks like": "> Type your message or @path/to/file".replace("@", ""),
    "quotes": "'single' \"double\" `back` $HOME ${x} $(y) %s {}",
    "markdown": "# a\n- b\n```sh\nls\n```\n> c",
    "json": '{"a": [1, 2, {"b": null}], "c": "\\n\\u0041"}',
    "a backslash at the end": "a path: C:\\",
    "two backslashes at the end": "a\\\\",
    "question marks": "? or not",
    "a slash within": "either/or\n/help is a command",
    "exclamation": "wow!\n!ls",
    "500 characters": "abcd " * 99 + "abcde",
    "501 characters": "abcd " * 99 + "abcdef",
    "5 lines": "\n".join("12345"),
    "6 lines": "\n".join("123456"),
    **{f"{size} bytes": in_lines(size) for size in (4_095, 4_096, 4_097, 18_432, 18_433)},
    "100 kB": in_lines(100_000),
}


@pytest.mark.parametrize("prompt", PROMPTS.values(), ids=PROMPTS)
def test_a_prompt_arrives_byte_for_byte(asking: GeminiSession, model: Model, prompt: str) -> None:
    """The model gets what the caller gave, once, and answers it."""
    model.will(Say("Got it."))

    reply = asking.ask(prompt)

    assert [request.prompt for request in model.asked] == [prompt]
    assert (reply.text, asking.turns[-1].prompt) == ("Got it.", prompt)


def test_a_prompt_of_a_megabyte_arrives(asking: GeminiSession, model: Model) -> None:
    """1 MB in lines is taken by the CLI, which needs its time to draw it, and arrives whole."""
    prompt = in_lines(1_000_000)
    model.will(Say("Got it all."))

    reply = asking.ask(prompt, timeout=110)

    assert [request.prompt for request in model.asked] == [prompt]
    assert reply.text == "Got it all."


@pytest.mark.parametrize(
    ("prompt", "arrives"),
    [
        ("  outer blanks \n\n", "outer blanks"),
        ("a\r\nb\rc", "a\nb\nc"),
        ("mail a@b.c and @c", "mail a\\@b.c and \\@c"),
        ("look at @", "look at @"),
    ],
    ids=["blanks", "line ends", "at", "at the end"],
)
def test_what_the_cli_changes_is_known(
    asking: GeminiSession, model: Model, prompt: str, arrives: str
) -> None:
    """Outer blanks are cut, line ends are newlines, and `@` that is text has a backslash."""
    model.will(Say("Got it."))

    asking.ask(prompt)

    assert [request.prompt for request in model.asked] == [arrives]


@pytest.mark.parametrize("prompt", ["", "   ", "\n\n", "\u2003\t"], ids=ascii)
def test_a_prompt_of_nothing_is_refused(asking: GeminiSession, model: Model, prompt: str) -> None:
    """The CLI would send nothing: UsageError, before anything is typed."""
    model.will()

    with pytest.raises(UsageError):
        asking.ask(prompt)

    assert model.requests == ()
