"""What we type: keys by name, and text that cannot act as keys."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from geminipty.errors import UnsafePrompt
from geminipty.terminal.keys import Key, cleaned, paste, typed

BEGIN, END = "\x1b[200~", "\x1b[201~"


def test_a_paste_is_bracketed_and_its_line_ends_are_newlines() -> None:
    """The text arrives as one paste; CR and CR LF would press Enter."""
    assert paste("a\r\nb\rc\nd\te") == f"{BEGIN}a\nb\nc\nd\te{END}"


@pytest.mark.parametrize(
    "unsafe", ["\x1b", "\x03", "\x04", "\x00", "\x7f", "\x9b", "\x85", "\x1a", "\ud800", "\x0b"]
)
def test_a_paste_with_a_control_character_is_refused(unsafe: str) -> None:
    """Each kind of control character is refused, with its place, before anything is typed."""
    with pytest.raises(UnsafePrompt, match="line 2, column 3") as caught:
        paste(f"first\nab{unsafe}cd")

    assert "\x1b" not in str(caught.value)


@given(st.text() | st.text(st.sampled_from("\x1b[201~\r\n\x03!ab\x9b")))
def test_cleaned_text_can_always_be_pasted_and_never_ends_its_paste(text: str) -> None:
    """What is cleaned is accepted; between the brackets there is no control but newline and tab."""
    body = paste(cleaned(text)).removeprefix(BEGIN).removesuffix(END)

    assert body == cleaned(text)
    assert not any((c < " " and c not in "\n\t") or "\x7f" <= c <= "\x9f" for c in body)


@given(st.text(st.characters(exclude_categories=("Cc", "Cs")), max_size=50))
def test_printable_text_is_pasted_as_it_is(text: str) -> None:
    """No character of ordinary text is changed or lost."""
    assert paste(text) == BEGIN + text + END


def test_no_key_is_text() -> None:
    """Every key is a control character or an escape sequence."""
    assert all(key.value[0] < " " or key.value == "\x7f" for key in Key)


@given(st.text() | st.text(st.sampled_from("\x1b[201~\r\n\t\x03!ab\x9b")))
def test_what_is_typed_is_the_text_or_is_refused(text: str) -> None:
    """Typed key by key, no character is a key but the new line: no Enter, no completion."""
    try:
        keys = typed(text)
    except UnsafePrompt:
        assert "\t" in text or cleaned(text) != text.replace("\r\n", "\n").replace("\r", "\n")
        return

    assert keys == text.replace("\r\n", "\n").replace("\r", "\n")
    assert not any(c < " " and c != Key.NEWLINE for c in keys)


def test_a_tab_that_would_be_a_key_is_named_with_its_place() -> None:
    """To a CLI without pastes a tab takes what is suggested."""
    with pytest.raises(UnsafePrompt, match="the tab at line 2, column 2"):
        typed("a\r\nb\tc")
