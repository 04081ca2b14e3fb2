"""Resets, alternate screens and sizes change what the standards say and lose no text."""

import pytest

from geminipty.terminal import Terminal
from tests.standards import PLAIN, Behaviour, Pieces, in_pieces, table

LETTERS = "a\r\nb\r\nc\r\nd"
#: No standard says what a new size does to text. Others wrap it anew; the CLI, which erases by
#: counting the rows that it painted, needs them to stay.
OURS = "Grid.resize"

# fmt: off
RESETS = [
    Behaviour("RIS erases and goes home", "ECMA-48 8.3.105", "ab\x1bcx", ("x",), (1, 0)),
    Behaviour("RIS forgets what has scrolled off", "xterm RIS",
              LETTERS + "\x1bc", (), (0, 0), (10, 2)),
    Behaviour("RIS ends style, region, insert and origin mode", "ECMA-48 8.3.105",
              "\x1b[1;44m\x1b[2;3r\x1b[4h\x1b[?6h\x1bcab\rx\x1b[9B", ("xb",), (1, 3),
              pens={(0, 0): PLAIN, (9, 3): PLAIN}),
    Behaviour("RIS ends line drawing", "ECMA-48 8.3.105", "\x1b(0\x1bcq", ("q",), (1, 0)),
    Behaviour("RIS wraps again", "ECMA-48 8.3.105",
              "\x1b[?7l\x1bc0123456789a", ("0123456789", "a"), (1, 1)),
    Behaviour("RIS leaves the alternate screen", "xterm RIS",
              "a\x1b[?1049hb\x1bcx", ("x",), (1, 0)),
    Behaviour("RIS forgets the saved cursor", "xterm RIS",
              "\x1b[3;3H\x1b7\x1bc\x1b[2;2H\x1b8", (), (0, 0)),
    Behaviour("DECSTR keeps text and cursor", "DEC STD 070 DECSTR",
              LETTERS + "\x1b[2;2H\x1b[!p", ("a", "b", "c", "d"), (1, 1)),
    Behaviour("DECSTR ends the style", "DEC STD 070 DECSTR",
              "\x1b[1;44m\x1b[!px", ("x",), (1, 0), pens={(0, 0): PLAIN}),
    Behaviour("DECSTR ends the insert mode", "DEC STD 070 DECSTR",
              "ab\r\x1b[4h\x1b[!px", ("xb",), (1, 0)),
    Behaviour("DECSTR ends the region", "DEC STD 070 DECSTR",
              "\x1b[2;3r\x1b[!p\x1b[9B", (), (0, 3)),
    Behaviour("DECSTR ends the origin mode", "DEC STD 070 DECSTR",
              "\x1b[2;3r\x1b[?6h\x1b[!p\x1b[1;1H", (), (0, 0)),
    Behaviour("DECSTR ends line drawing", "DEC STD 070 DECSTR", "\x1b(0\x1b[!pq", ("q",), (1, 0)),
    Behaviour("DECSTR wraps", "xterm DECSTR",
              "\x1b[?7l\x1b[!p0123456789a", ("0123456789", "a"), (1, 1)),
    Behaviour("DECSTR forgets the saved cursor", "DEC STD 070 DECSTR",
              "\x1b[3;3H\x1b7\x1b[!p\x1b[2;2H\x1b8", (), (0, 0)),
    Behaviour("DECSTR keeps what has scrolled off", "DEC STD 070 DECSTR",
              LETTERS + "\x1b[!p", ("c", "d"), (1, 1), (10, 2), scrolled=("a", "b")),
]

ALTERNATE = [
    Behaviour("?1049h shows a blank screen, the cursor stays", "xterm DECSET 1049",
              "main\x1b[?1049halt", ("    alt",), (7, 0), alternate=True),
    Behaviour("?1049l brings text and cursor back", "xterm DECSET 1049",
              "main\x1b[?1049h\x1b[3;3Halt\x1b[?1049lx", ("mainx",), (5, 0)),
    Behaviour("?1049h shows a blank screen each time", "xterm DECSET 1049",
              "\x1b[?1049hold\x1b[?1049l\x1b[?1049h", (), (0, 0), alternate=True),
    Behaviour("?1049h twice and ?1049l once is back", "xterm DECSET 1049",
              "main\x1b[?1049h\x1b[?1049h\x1b[?1049l", ("main",), (4, 0)),
    Behaviour("?1049l brings the style back", "xterm DECSET 1049",
              "\x1b[?1049h\x1b[44m\x1b[?1049lx", ("x",), (1, 0), pens={(0, 0): PLAIN}),
    Behaviour("what scrolls off the alternate screen is lost", "xterm DECSET 1049",
              "\x1b[?1049h" + LETTERS, ("c", "d"), (1, 1), (10, 2), alternate=True),
    Behaviour("the alternate screen keeps what has scrolled off the main one", "xterm DECSET 1049",
              LETTERS + "\x1b[?1049h" + LETTERS + "\x1b[?1049l",
              ("c", "d"), (1, 1), (10, 2), scrolled=("a", "b")),
    Behaviour("an erase of the alternate screen leaves the main one", "xterm DECSET 1049",
              "main\x1b[?1049h\x1b[2J\x1b[3J\x1b[?1049l", ("main",), (4, 0)),
    Behaviour("?47h shows the other screen, the cursor stays", "xterm DECSET 47",
              "main\x1b[?47halt", ("    alt",), (7, 0), alternate=True),
    Behaviour("?47l leaves the cursor where it is", "xterm DECSET 47",
              "main\x1b[?47h\x1b[3;3H\x1b[?47l", ("main",), (2, 2)),
    Behaviour("?47h shows what stood there", "xterm DECSET 47",
              "\x1b[?47hold\x1b[?47l\x1b[?47h", ("old",), (3, 0), alternate=True),
    Behaviour("?1047l erases the alternate screen", "xterm DECSET 1047",
              "\x1b[?1047hold\x1b[?1047l\x1b[?47h", (), (3, 0), alternate=True),
    Behaviour("?1047l brings the text back", "xterm DECSET 1047",
              "main\x1b[?1047halt\x1b[?1047l", ("main",), (7, 0)),
    Behaviour("each screen has a saved cursor of its own", "xterm DECSC",
              "\x1b[3;3H\x1b7\x1b[?47h\x1b[2;2H\x1b7\x1b[?47l\x1b8", (), (2, 2)),
    Behaviour("unknown modes do nothing", "ECMA-48 8.3.125",
              "a\x1b[99h\x1b[?9999h\x1b[99l\x1b[?9999lb", ("ab",), (2, 0)),
    Behaviour("the modes that the CLI sets print nothing", "xterm DECSET",
              "a\x1b[?1006l\x1b[?1002l\x1b[?1004h\x1b[?2004h\x1b[?2026h\x1b[?2026l\x1b[?25lb",
              ("ab",), (2, 0)),
    Behaviour("several modes in one sequence", "ECMA-48 8.3.125",
              "\x1b[2;3r\x1b[?7;6hx", ("", "x"), (1, 1)),
]

SIZES = [
    Behaviour("fewer lines: blank rows below the cursor go first", "tmux, avt",
              "a\r\nb", ("a", "b"), (1, 1), resized=((10, 2),)),
    Behaviour("fewer lines: then rows scroll off", "tmux, avt",
              LETTERS, ("c", "d"), (1, 1), resized=((10, 2),), scrolled=("a", "b")),
    Behaviour("fewer lines: both", "tmux, avt",
              "a\r\nb\r\nc", ("b", "c"), (1, 1), resized=((10, 2),), scrolled=("a",)),
    Behaviour("fewer lines: text below the cursor is not lost", OURS,
              LETTERS + "\x1b[3;1H", ("b", "c", "d"), (0, 1),
              resized=((10, 3),), scrolled=("a",)),
    Behaviour("more lines come at the bottom", "tmux, avt",
              "a\r\nb", ("a", "b"), (1, 1), (10, 2), resized=((10, 4),)),
    Behaviour("fewer columns hide what is beyond the edge", OURS,
              "0123456789\r\na", ("01234", "a"), (1, 1), resized=((5, 4),)),
    Behaviour("more columns show it again", OURS,
              "0123456789\r\na", ("0123456789", "a"), (1, 1), resized=((5, 4), (10, 4))),
    Behaviour("half a wide character at the edge is not shown", OURS,
              "0123日\r\n", ("0123",), (0, 1), resized=((5, 4),)),
    Behaviour("a wide character at the edge comes back whole", OURS,
              "0123日\r\n", ("0123日",), (0, 1), resized=((5, 4), (10, 4))),
    Behaviour("the cursor stays on the screen", OURS,
              "012345678", ("01234",), (4, 0), resized=((5, 4),)),
    Behaviour("a narrower screen wraps at its edge", "tmux, avt",
              "", ("01234", "5"), (1, 1), resized=((5, 4),), then="012345"),
    Behaviour("a line that fitted wraps on a narrower screen", "tmux, avt",
              "01234567\r\n\x1b[H\x1b[J", ("01234", "567"), (0, 2),
              resized=((5, 4),), then="01234567\r\n"),
    Behaviour("a wider screen wraps at its edge", "tmux, avt",
              "", ("0123456789", "a"), (1, 1), (5, 4), resized=((10, 4),), then="0123456789a"),
    Behaviour("a new size ends the region", "tmux, avt",
              "\x1b[1;2r", (), (0, 5), resized=((10, 6),), then="\x1b[9B"),
    Behaviour("a wider screen has more tab stops", "tmux, avt",
              "", (), (24, 0), resized=((40, 4),), then="\t\t\t"),
    Behaviour("the same size changes nothing", "tmux, avt",
              LETTERS, ("a", "b", "c", "d"), (1, 3), resized=((10, 4),)),
    Behaviour("the main screen is resized behind the alternate one", "xterm DECSET 1049",
              "a\r\nb\x1b[?1049h", ("a", "b"), (1, 1),
              resized=((10, 6),), then="\x1b[?1049l"),
    Behaviour("behind the alternate screen too, blank rows below the cursor go first", "tmux, avt",
              "a\r\nb\x1b[?1049h", ("a", "b"), (1, 1),
              resized=((10, 2),), then="\x1b[?1049l"),
    Behaviour("behind the alternate screen too, rows scroll off", "tmux, avt",
              LETTERS + "\x1b[?1049h", ("c", "d"), (1, 1),
              resized=((10, 2),), then="\x1b[?1049l", scrolled=("a", "b")),
    Behaviour("a saved cursor beyond the edge is brought in", "tmux, avt",
              "\x1b[4;10H\x1b7\x1b[H", ("", "    x"), (5, 1), resized=((5, 2),), then="\x1b8x"),
]
# fmt: on


@in_pieces
@table(RESETS)
def test_a_reset_ends_modes_and_a_soft_one_keeps_text(behaviour: Behaviour, pieces: Pieces) -> None:
    """RIS starts afresh; DECSTR ends modes, margins and style and leaves the picture."""
    assert behaviour.seen(pieces) == behaviour.expected()


@in_pieces
@table(ALTERNATE)
def test_the_alternate_screen_leaves_the_main_one_whole(
    behaviour: Behaviour, pieces: Pieces
) -> None:
    """What is done to the alternate screen is gone with it, and the main one is as it was."""
    assert behaviour.seen(pieces) == behaviour.expected()


@in_pieces
@table(SIZES)
def test_a_new_size_loses_no_text(behaviour: Behaviour, pieces: Pieces) -> None:
    """A screen that is made smaller scrolls or hides text; made larger, it shows it again."""
    assert behaviour.seen(pieces) == behaviour.expected()


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ("\x1b[2K", ["", "abcdefghij"]),
        ("\x1b[3G\x1b[K", ["01", "abcdefghij"]),
        ("\x1b[3G\x1b[1K", ["   3456789", "abcdefghij"]),
        ("\x1b[J", ["", ""]),
        ("\x1b[2J", ["", ""]),
        ("\x1b[2;1H\x1b[1J", ["", " bcdefghij"]),
        ("xyz", ["xyz3456789", "abcdefghij"]),
    ],
)
def test_text_beyond_the_edge_is_erased_with_its_row(text: str, rows: list[str]) -> None:
    """An erase to the end of the row takes what is beyond the edge with it; nothing else does."""
    terminal = Terminal(10, 2)
    terminal.receive("0123456789\r\nabcdefghij\x1b[H")

    terminal.resize(5, 2)
    terminal.receive(text)
    terminal.resize(10, 2)

    assert terminal.picture().lines == rows


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("", True),
        ("\x1b[?25l", False),
        ("\x1b[?25l\x1b[?25h", True),
        ("\x1b[?25l\x1b[!p", True),
        ("\x1b[?25l\x1bc", True),
        ("\x1b[25l", True),
    ],
)
def test_dectcem_hides_the_cursor(text: str, shown: bool) -> None:
    """The cursor is hidden by ?25l alone, and shown by ?25h and every reset."""
    terminal = Terminal(10, 4)

    terminal.receive(text)

    assert terminal.picture().cursor_shown is shown
    assert terminal.screen.cursor.hidden is not shown


@pytest.mark.parametrize(
    ("text", "on"),
    [
        ("", False),
        ("\x1b[?2004h", True),
        ("\x1b[?2004h\x1b[?2004l", False),
        ("\x1b[?1004;2004h", True),
        ("\x1b[2004h", False),
        ("\x1b[?2004h\x1bc", False),
    ],
)
def test_a_program_says_that_it_takes_pasted_text(text: str, on: bool) -> None:
    """Bracketed paste is on from ?2004h until ?2004l or a full reset."""
    terminal = Terminal(10, 4)

    terminal.receive(text)

    assert terminal.picture().bracketed_paste is on
