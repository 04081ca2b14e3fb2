"""Text made fit to be looked at: one table of what is not drawn, and what spelling needs of it."""

import sys
import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from geminipty.visible import BIDI, hidden, line, plain, visible

from .attacks import ATTACK, NAME, unsafe

#: What is spelt with characters that are not drawn.
SPELT = {
    "family": "👨‍👩‍👧‍👦",
    "skin and hair": "👩🏽‍🦰",
    "eye in a bubble": "👁️‍🗨️",
    "nod": "🙂‍↔️",
    "keycap": "1️⃣ #️⃣",
    "letters as pictures": "ℹ️ ‼️ ⁉️ ↔️ ▪️ ◼️ ⤴️ 〰️ 〽️ ㊗️",
    "as text": "☺︎",
    "flag eng": "🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f",
    "flag sct": "🏴\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f",
    "flag wls": "🏴\U000e0067\U000e0062\U000e0077\U000e006c\U000e0073\U000e007f",
    "Persian": "می‌خواهم",
    "Hindi": "क्‍ष र्‍य",
}
#: Characters that are not drawn, in places where no spelling needs them.
UNDRAWN = {
    "joiner behind ASCII": "ls\u200d",
    "two joiners": "می‌‌خواهم",
    "joiner at an end": "\u200cx",
    "variant of a letter": "a\ufe0f",
    "keycap of nothing": "\ufe0f\u20e3",
    "variant behind a keycap's letter": "1\ufe0f2",
    "space without width": "a\u200bb",
    "soft hyphen": "a\xadb",
    "filler": "\u3164\u115f\uffa0",
    "Braille without dots": "a\u2800b",
    "tags": "a\U000e0072\U000e006d",
    "tags behind a flag": "🏴\U000e0072\U000e006d\U000e007f",
    "another flag": "🏴\U000e0075\U000e0073\U000e0063\U000e0061\U000e007f",
    "a flag that goes on": "🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e0067",
    "hieroglyphs": "a\U00013430b",
    "shorthand": "a\U0001bca0b",
    "byte order": "\ufeffls",
    "direction": BIDI,
    "controls": "\x00\x1b\x7f\x85\x9b",
}
ANY = st.text(st.characters() | st.sampled_from("".join(UNDRAWN.values()) + "👩1ای\t\n\r"))


def test_the_marks_of_direction_are_those_of_unicode() -> None:
    """Every character that embeds, overrides or isolates, and the three marks without a form."""
    forms = {"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"}
    every = map(chr, range(sys.maxunicode + 1))

    assert sorted(BIDI) == sorted(
        {char for char in every if unicodedata.bidirectional(char) in forms}
        | {"\N{LEFT-TO-RIGHT MARK}", "\N{RIGHT-TO-LEFT MARK}", "\N{ARABIC LETTER MARK}"}
    )


@pytest.mark.parametrize("text", SPELT.values(), ids=SPELT)
def test_what_spelling_needs_stays(text: str) -> None:
    """Joined letters, pictures and flags are read as they are, in a name and in a command."""
    assert list(hidden(text)) == []
    assert line(text) == visible(text) == text


@pytest.mark.parametrize("text", UNDRAWN.values(), ids=UNDRAWN)
def test_what_nobody_sees_is_named(text: str) -> None:
    """The same characters are found in a command and named in a line."""
    found = list(hidden(text))

    assert found
    assert all(f"⟨{one}⟩" in line(text) for one in found)
    assert line(text).count("⟨") == len(found)


def test_what_is_a_format_is_not_drawn() -> None:
    """Whatever Unicode counts as one, alone between letters."""
    formats = [
        char for char in map(chr, range(sys.maxunicode + 1)) if unicodedata.category(char) == "Cf"
    ]

    assert [char for char in formats if list(hidden(f"a{char}b")) != [f"U+{ord(char):04X}"]] == []


@given(ANY)
@example(ATTACK)
@example(NAME)
def test_a_line_is_one_line_that_shows_all_of_it(text: str) -> None:
    """Nothing in it is hidden, ends it or steers; named once is enough."""
    shown = line(text)

    assert list(hidden(shown)) == []
    assert unsafe(shown) == []
    assert not set("\t\n\r") & set(shown)
    assert line(shown) == shown
    assert unsafe(visible(text).replace("\t", "")) == unsafe(plain(text).replace("\t", "")) == []


def test_the_two_ends_of_a_line_differ() -> None:
    """CR LF ends a line of a command and hides nothing; a name shows both, and a lone CR."""
    assert list(hidden("a\r\nb")) == []
    assert list(hidden("a\rb")) == ["U+000D"]
    assert line("a\r\nb\t") == "a⟨U+000D⟩⟨U+000A⟩b⟨U+0009⟩"
