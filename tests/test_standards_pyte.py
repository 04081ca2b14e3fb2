"""The screen keeps pyte's contract, so that pyte's users and pyte's own Stream work with it."""

import pyte
import pytest
from pyte import modes as mo
from pyte.screens import Char

from geminipty.terminal import Screen, Terminal


def test_the_screen_is_a_pyte_screen() -> None:
    """Whoever asks for a pyte screen gets one."""
    screen = Terminal(10, 4).screen

    assert isinstance(screen, pyte.Screen)
    assert (screen.columns, screen.lines) == (10, 4)


def test_display_is_every_row_padded() -> None:
    """`display` has a string of the screen's width for each row, as pyte's has."""
    terminal = Terminal(5, 3)

    terminal.receive("ab\r\n日\r\n")

    assert terminal.screen.display == ["ab   ", "日   ", "     "]


def test_display_shows_what_has_no_line_end_yet() -> None:
    """Text that may still be going on is on the screen as soon as somebody looks."""
    terminal = Terminal(5, 1)

    terminal.receive("ab")

    assert terminal.screen.display == ["ab   "]


def test_buffer_holds_pytes_chars() -> None:
    """`buffer[y][x]` is a pyte Char for each cell, blank ones included."""
    terminal = Terminal(5, 2)

    terminal.receive("\x1b[1;3;4;5;7;9;31;44ma\x1b[0mb")
    buffer = terminal.screen.buffer

    assert buffer[0][0] == Char("a", "red", "blue", True, True, True, True, True, True)
    assert buffer[0][1] == Char("b")
    assert buffer[0][4] == buffer[1][0] == Char(" ")


def test_buffer_has_every_row_and_column() -> None:
    """Iterating over the buffer goes over the whole screen, row by row."""
    terminal = Terminal(3, 2)

    terminal.receive("ab\r\nc")
    buffer = terminal.screen.buffer

    assert [[buffer[y][x].data for x in buffer[y]] for y in buffer] == [
        ["a", "b", " "],
        ["c", " ", " "],
    ]
    assert (len(buffer), len(buffer[0])) == (2, 3)


def test_buffer_ends_at_the_edges() -> None:
    """A cell beyond the screen is no cell."""
    buffer = Terminal(3, 2).screen.buffer

    with pytest.raises(KeyError):
        buffer[2]
    with pytest.raises(KeyError):
        buffer[0][3]


def test_the_right_half_of_a_wide_character_is_empty() -> None:
    """The cell right of a wide character holds the empty string, as pyte's does."""
    terminal = Terminal(5, 1)

    terminal.receive("日x")

    assert [terminal.screen.buffer[0][x].data for x in range(4)] == ["日", "", "x", " "]


def test_the_cursor_has_a_place_a_style_and_a_face() -> None:
    """`cursor` has pyte's `x`, `y`, `attrs` and `hidden`."""
    terminal = Terminal(10, 4)

    terminal.receive("\x1b[?25l\x1b[31;1m\x1b[2;3H")
    cursor = terminal.screen.cursor

    assert isinstance(cursor, pyte.screens.Cursor)
    assert (cursor.x, cursor.y, cursor.hidden) == (2, 1, True)
    assert cursor.attrs == Char(" ", fg="red", bold=True)


def test_title_and_icon_name_are_set() -> None:
    """`title` and `icon_name` are what the program set last."""
    terminal = Terminal(10, 4)

    terminal.receive("\x1b]0;both\x07\x1b]2;title\x07")

    assert (terminal.screen.title, terminal.screen.icon_name) == ("title", "both")


def test_mode_holds_pytes_numbers() -> None:
    """`mode` holds the modes that are on, private ones shifted as in pyte."""
    terminal = Terminal(10, 4)

    terminal.receive("\x1b[4h\x1b[?6h\x1b[?7l\x1b[?2004h")

    assert terminal.screen.mode == {mo.IRM, mo.DECOM, mo.DECTCEM, 2004 << 5}


def test_margins_are_none_or_pytes() -> None:
    """`margins` is None for the whole screen, else the first and the last row."""
    terminal = Terminal(10, 4)

    assert terminal.screen.margins is None
    terminal.receive("\x1b[2;3r")
    assert terminal.screen.margins == (1, 2)


@pytest.mark.parametrize(
    "text",
    [
        "hello\r\nworld",
        "\x1b[31mred\x1b[0m plain \x1b[1;48;5;21mblue\x1b[0m",
        "0123456789abc",
        "a\r\nb\r\nc\r\nd\r\ne\x1b[2;2Hx",
        "abc\x1b[2Dx\x1b[K",
        "日本\tx\by",
        "\x1b]2;title\x07\x1b[4hab\rc\x1b[4l",
        "a\r\nb\r\nc\x1b[1;2r\x1b[1;1H\x1b[L\x1b[Mx\x1b[@\x1b[P\x1b[X",
        "\x1b7\x1b[3;3Ha\x1b8b\x1bDc\x1bMd",
        "\x1b#8\x1b[2J\x1b[1J\x1b[Hx\x1b[?25l",
        "\x1b[3g\x1b[5G\x1bH\r\tx\x1b[2dy",
    ],
)
def test_a_stock_stream_paints_what_our_parser_paints(text: str) -> None:
    """A stock pyte Stream, attached to our screen, gives the picture that our parser gives."""
    screen = Screen(10, 4)
    terminal = Terminal(10, 4)

    pyte.Stream(screen).feed(text)
    terminal.receive(text)

    ours = terminal.screen
    assert screen.display == ours.display
    assert (screen.cursor.x, screen.cursor.y) == (ours.cursor.x, ours.cursor.y)
    assert screen.cursor.attrs == ours.cursor.attrs
    assert [[*screen.buffer[y].values()] for y in range(4)] == [
        [*ours.buffer[y].values()] for y in range(4)
    ]
    assert screen.title == ours.title


@pytest.mark.parametrize(
    "text",
    [
        "hello\r\nworld",
        "\x1b[31mred\x1b[0m plain",
        "\x1b[1;4;38;5;196mstyled\x1b[22m too\x1b[0m",
        "a\r\nb\x1b[2J\x1b[Hc",
        "abcdef\r\x1b[3C\x1b[K",
        "0123456789abc",
    ],
)
def test_ordinary_text_looks_as_in_pyte(text: str) -> None:
    """Where pyte is right, our screen and pyte's show the same."""
    theirs, ours = pyte.Screen(10, 4), Screen(10, 4)

    pyte.Stream(theirs).feed(text)
    pyte.Stream(ours).feed(text)

    assert ours.display == theirs.display
    assert (ours.cursor.x, ours.cursor.y) == (theirs.cursor.x, theirs.cursor.y)
    assert [[ours.buffer[y][x] for x in range(10)] for y in range(4)] == [
        [theirs.buffer[y][x] for x in range(10)] for y in range(4)
    ]
