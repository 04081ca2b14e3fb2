"""The text of a reply is rebuilt from its rows: wraps undone, Markdown where drawn."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from geminipty.reading import Layout, paragraphs, text_of
from geminipty.terminal import Row, Terminal

from .conftest import examples

GREY, ACCENT, LINK = "\x1b[38;5;245m", "\x1b[38;5;183m", "\x1b[38;5;111m"
PLAIN = "\x1b[39m"
#: 256-colour 183, as the terminal names it.
MAUVE = "d7afff"


def rows(*lines: str, columns: int = 40) -> list[Row]:
    """Rows as they are painted; each line is one."""
    terminal = Terminal(columns, len(lines) + 1)
    terminal.receive("\r\n".join(lines))
    return list(terminal.picture().rows[: len(lines)])


def text(*lines: str, columns: int = 40, raw: bool = False) -> str:
    """The text of a reply drawn in these lines."""
    layout = Layout(columns, raw, MAUVE)
    painted = rows(*lines, columns=columns)
    return text_of(paragraphs(painted, 0, len(painted), layout), layout)


def wrapped(reply: str, columns: int) -> list[str]:
    """The rows into which the CLI wraps a plain text."""
    lines: list[str] = []
    for line in reply.split("\n"):
        row = ""
        for word in line.split(" "):
            joined = f"{row} {word}" if row else word
            if len(joined) + 2 > columns and row:
                lines.append(row)
                row = word
            else:
                row = joined
            while len(row) + 2 > columns:
                lines.append(row[: columns - 2])
                row = row[columns - 2 :]
        lines.append(row)
    return [("✦ " if y == 0 else "  ") + line if line else "" for y, line in enumerate(lines)]


WORDS = st.lists(st.text("abcdefg.,", min_size=1, max_size=9), min_size=1, max_size=30)


@examples(200)
@given(st.lists(WORDS.map(" ".join), min_size=1, max_size=5))
def test_paragraphs_of_prose_are_given_back(lines: list[str]) -> None:
    """Any paragraphs of words, wrapped as the CLI wraps them, come back to the character."""
    reply = "\n\n".join(lines)

    assert text(*wrapped(reply, 40)) == reply


def test_a_line_that_ends_near_the_edge_is_told_by_the_lines_above() -> None:
    """If the lines above surely end early and begin alike, one that fills its row ends too."""
    reply = "A1 one two.\nA2 three.\nA3 four five six seven eight nine ten.\nA4 eleven.\nA5 end."

    assert text(*wrapped(reply, 42), columns=42) == reply


def test_a_word_longer_than_the_screen_is_joined_again() -> None:
    """A word that was cut at the edge has no blank in it; one that moved has."""
    word = "x" * 90

    assert text(*wrapped(f"see {word} there", 40)) == f"see {word} there"


def test_chinese_is_joined_without_blanks() -> None:
    """Text without blanks is cut between any two characters."""
    reply = "中文也没有空格所以很长的句子会在任意两个字之间换行并且不会出错"

    assert text("✦ " + reply[:19], "  " + reply[19:]) == reply


def test_a_painted_blank_at_the_end_of_a_row_is_not_doubled() -> None:
    """Up to 0.16 a wrapped row keeps its blank, or the next one begins with it."""
    kept = text(
        f"✦ {GREY}" + "one two three four five six seven eight {PLAIN}"[:38] + PLAIN, "  nine"
    )
    full = text("✦ " + "a" * 38, "   next")

    assert kept.count("  ") == 0
    assert full == "a" * 38 + " next"


def test_a_wrap_by_the_terminal_is_undone() -> None:
    """Where the CLI counts too few columns the terminal wraps; the rest begins at the left."""
    painted = rows("✦ " + "word " * 12, "", columns=40)

    assert painted[0].wrapped
    layout = Layout(40)
    parts = paragraphs(painted, 0, 2, layout)
    assert text_of(parts, layout).rstrip() == "word " * 11 + "word"


@pytest.mark.parametrize(
    ("drawn", "expected"),
    [
        (f"a {ACCENT}code{PLAIN} b", "a `code` b"),
        ("a \x1b[1mbold one\x1b[22m b", "a **bold one** b"),
        ("a \x1b[3mslanted\x1b[23m b", "a *slanted* b"),
        ("a \x1b[9mgone\x1b[29m b", "a ~~gone~~ b"),
        ("a \x1b[1;3mboth\x1b[0m b", "a ***both*** b"),
        (f"\x1b[1m{LINK}A heading\x1b[0m", "## A heading"),
        (f"see {LINK}https://x.y{PLAIN} now", "see https://x.y now"),
        ("2 * 3 ** 4 _x_", "2 * 3 ** 4 _x_"),
    ],
)
def test_styles_become_markdown(drawn: str, expected: str) -> None:
    """Bold, italics, inline code and headings are written where the pens show them."""
    assert text(f"{ACCENT}✦ {PLAIN}{drawn}") == expected


def test_bold_over_a_wrap_stays_one() -> None:
    """A style that goes on in the next row is opened and closed once."""
    assert text("✦ " + "x" * 30 + " \x1b[1mbold", "  words here\x1b[22m end", columns=38) == (
        "x" * 30 + " **bold words here** end"
    )


def test_code_is_fenced_without_its_numbers() -> None:
    """Line numbers go, indentation and blank lines stay, wrapped lines are joined."""
    drawn = [
        "✦ Here:",
        "",
        f"   {GREY} 1 {PLAIN}def f():",
        f"   {GREY} 2 {PLAIN}    return (1,",
        f"   {GREY} 3 {PLAIN}",
        f"   {GREY} 4 {PLAIN}        2)",
        *(f"   {GREY}{n:>2} {PLAIN}x" for n in range(5, 11)),
        "",
        "  Done.",
    ]

    assert text(*drawn) == (
        "Here:\n\n```\ndef f():\n    return (1,\n\n        2)\n" + "x\n" * 6 + "```\n\nDone."
    )


def test_a_fence_in_code_makes_a_longer_fence() -> None:
    """Code that holds a fence is still one block of Markdown."""
    assert text(f"✦  {GREY}1 {PLAIN}```", f"   {GREY}2 {PLAIN}x") == "````\n```\nx\n````"


def test_a_list_keeps_its_markers_and_its_depth() -> None:
    """Items are lines, wrapped items are one line, nested ones stay nested."""
    drawn = [
        "✦ Do:",
        "   - first item that is longer than",
        "     the row",
        "   - second",
        "     - deep",
    ]

    expected = "Do:\n- first item that is longer than the row\n- second\n  - deep"
    assert text(*drawn, columns=37) == expected
    assert text("✦  1. one", "   2. two") == "1. one\n2. two"


def test_a_table_becomes_markdown() -> None:
    """Cells are found by the joints of the top edge; wrapped cells are joined."""
    drawn = [
        "✦ Look:",
        "  ┌──────┬─────────┐",
        "  │ Name │ Note    │",
        "  ├──────┼─────────┤",
        "  │ pear │ green   │",
        "  │      │ and big │",
        "  │ fig  │         │",
        "  └──────┴─────────┘",
        "  Done.",
    ]

    assert text(*drawn) == (
        "Look:\n\n| Name | Note |\n| --- | --- |\n| pear | green and big |\n| fig |  |\n\nDone."
    )


@pytest.mark.parametrize("broken", ["  │ pear │", "  pear", ""])
def test_a_drawing_that_is_no_table_is_left_as_it_is(broken: str) -> None:
    """Lines that only look like a table are given back to the character."""
    drawn = ["✦ ┌──────┬─────────┐", broken, "  └──────┴─────────┘"]

    assert text(*drawn) == "\n".join(line[2:] for line in drawn).replace("\n\n", "\n\n")


def test_raw_mode_is_verbatim() -> None:
    """In raw mode nothing is Markdown to us: three columns go, all else stays."""
    drawn = ["✦  # Title", "", "", "   * item `x`", "       deep", "   | a | b |"]

    assert text(*drawn, raw=True) == "# Title\n\n\n* item `x`\n    deep\n| a | b |"


def test_blank_rows_in_a_row_are_one_blank_line() -> None:
    """The CLI draws one to three rows between paragraphs, depending on its release."""
    assert text("✦ a", "", "", "", "  b", "", "  c") == "a\n\nb\n\nc"
