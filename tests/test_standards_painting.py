"""Text lands in the cells that the standards say: wrapped, inserted, repeated, wide."""

import pytest

from geminipty.terminal import Terminal
from tests.standards import BLUE, PLAIN, Behaviour, Pieces, in_pieces, table

DIGITS = "0123456789"

# fmt: off
WRAPS = [
    Behaviour("a full row does not wrap yet", "DEC STD 070 DECAWM", DIGITS, (DIGITS,), (10, 0)),
    Behaviour("the next character wraps", "DEC STD 070 DECAWM",
              DIGITS + "a", (DIGITS, "a"), (1, 1)),
    Behaviour("a long text wraps over rows", "DEC STD 070 DECAWM",
              DIGITS * 2 + "ab", (DIGITS, DIGITS, "ab"), (2, 2)),
    Behaviour("a full row and CR LF leave no blank row", "DEC STD 070 DECAWM",
              DIGITS + "\r\na", (DIGITS, "a"), (1, 1)),
    Behaviour("a wrap at the bottom scrolls", "DEC STD 070 DECAWM",
              "a\r\n" + DIGITS + "b", (DIGITS, "b"), (1, 1), (10, 2), scrolled=("a",)),
    Behaviour("a wrap at a region's bottom scrolls the region", "DEC STD 070 DECAWM",
              "a\r\nb\r\nc\r\nd\x1b[2;3r\x1b[3H" + DIGITS + "x", ("a", DIGITS, "x", "d"), (1, 2)),
    Behaviour("a wrap below a region stays in the last row", "xterm DECAWM",
              "\x1b[1;2r\x1b[4H" + DIGITS + "ab", ("", "", "", "ab23456789"), (2, 3)),
    Behaviour("CR forgets the wrap", "DEC STD 070 DECAWM",
              DIGITS + "\rx", ("x123456789",), (1, 0)),
    Behaviour("BS forgets the wrap and moves", "DEC STD 070 DECAWM",
              DIGITS + "\bx", ("01234567x9",), (9, 0)),
    Behaviour("CUB forgets the wrap and moves", "DEC STD 070 DECAWM",
              DIGITS + "\x1b[Dx", ("01234567x9",), (9, 0)),
    Behaviour("CUB 2 counts from the last column", "DEC STD 070 DECAWM",
              DIGITS + "\x1b[2Dx", ("0123456x89",), (8, 0)),
    Behaviour("CUF forgets the wrap", "DEC STD 070 DECAWM",
              DIGITS + "\x1b[Cx", ("012345678x",), (10, 0)),
    Behaviour("LF forgets the wrap", "DEC STD 070 DECAWM",
              DIGITS + "\nx", (DIGITS, "         x"), (10, 1)),
    Behaviour("IND forgets the wrap", "DEC STD 070 DECAWM",
              DIGITS + "\x1bDx", (DIGITS, "         x"), (10, 1)),
    Behaviour("RI forgets the wrap", "DEC STD 070 DECAWM",
              "\n" + DIGITS + "\x1bMx", ("         x", DIGITS), (10, 0)),
    Behaviour("NEL forgets the wrap", "DEC STD 070 DECAWM",
              DIGITS + "\x1bEx", (DIGITS, "x"), (1, 1)),
    Behaviour("CUD forgets the wrap", "DEC STD 070 DECAWM",
              DIGITS + "\x1b[Bx", (DIGITS, "         x"), (10, 1)),
    Behaviour("CUU forgets the wrap", "DEC STD 070 DECAWM",
              "\n" + DIGITS + "\x1b[Ax", ("         x", DIGITS), (10, 0)),
    Behaviour("CUP to the last column forgets the wrap", "DEC STD 070 DECAWM",
              DIGITS + "\x1b[1;10Hx", ("012345678x",), (10, 0)),
    Behaviour("CHA to the last column forgets the wrap", "DEC STD 070 DECAWM",
              DIGITS + "\x1b[10Gx", ("012345678x",), (10, 0)),
    Behaviour("VPA forgets the wrap", "DEC STD 070 DECAWM",
              DIGITS + "\x1b[2dx", (DIGITS, "         x"), (10, 1)),
    Behaviour("SGR leaves the wrap due", "DEC STD 070 DECAWM",
              DIGITS + "\x1b[44mx", (DIGITS, "x"), (1, 1), pens={(9, 0): PLAIN, (0, 1): BLUE}),
    Behaviour("a title leaves the wrap due", "DEC STD 070 DECAWM",
              DIGITS + "\x1b]0;t\x07x", (DIGITS, "x"), (1, 1), title="t"),
    Behaviour("EL 0 with a wrap due erases nothing", "tmux, alacritty",
              DIGITS + "\x1b[K", (DIGITS,), (10, 0)),
    Behaviour("EL 0 leaves the wrap due", "tmux, alacritty",
              DIGITS + "\x1b[Kx", (DIGITS, "x"), (1, 1)),
    Behaviour("EL 1 with a wrap due erases the row", "ECMA-48 8.3.41",
              DIGITS + "\x1b[1K", (), None),
    Behaviour("EL 2 with a wrap due erases the row", "ECMA-48 8.3.41",
              DIGITS + "\x1b[2K", (), None),
    Behaviour("ED 0 with a wrap due erases the rows below", "tmux, alacritty",
              "\r\nb\x1b[H" + DIGITS + "\x1b[J", (DIGITS,), (10, 0)),
    Behaviour("ECH with a wrap due erases the last column", "xterm ECH",
              DIGITS + "\x1b[X", ("012345678",), None),
    Behaviour("DECAWM off overwrites the last column", "DEC STD 070 DECAWM",
              "\x1b[?7l" + DIGITS + "abc", ("012345678c",), None),
    Behaviour("DECAWM off scrolls nothing", "DEC STD 070 DECAWM",
              "a\r\n\x1b[?7l" + DIGITS * 3, ("a", "0123456789"), None, (10, 2)),
    Behaviour("DECAWM on wraps again", "DEC STD 070 DECAWM",
              "\x1b[?7l\x1b[?7h" + DIGITS + "a", (DIGITS, "a"), (1, 1)),
    Behaviour("one column is enough to wrap", "DEC STD 070 DECAWM", "abc",
              ("b", "c"), (1, 1), (1, 2), scrolled=("a",)),
]

INSERTS = [
    Behaviour("IRM pushes text to the right", "ECMA-48 7.2.10",
              "abc\r\x1b[4hxy", ("xyabc",), (2, 0)),
    Behaviour("IRM pushes over the edge", "ECMA-48 7.2.10",
              DIGITS + "\r\x1b[4hx", ("x012345678",), (1, 0)),
    Behaviour("IRM leaves the rows below alone", "ECMA-48 7.2.10",
              "a\r\nb\x1b[H\x1b[4h" + DIGITS, (DIGITS, "b"), (10, 0)),
    Behaviour("IRM wraps", "DEC STD 070 IRM", "\x1b[4h" + DIGITS + "a", (DIGITS, "a"), (1, 1)),
    Behaviour("IRM off replaces again", "ECMA-48 7.2.10",
              "abc\r\x1b[4hx\x1b[4ly", ("xybc",), (2, 0)),
    Behaviour("IRM makes room for two columns", "ECMA-48 7.2.10",
              "abc\r\x1b[4h日", ("日abc",), (2, 0)),
    Behaviour("IRM makes room for an emoji of three characters once", "Unicode UTS #51",
              "abc\r\x1b[4h👨\u200d👩x", ("👨\u200d👩xabc",), (3, 0)),
    Behaviour("IRM makes no room for a skin tone", "Unicode UTS #51",
              "abc\r\x1b[4h👍🏽x", ("👍🏽xabc",), (3, 0)),
    Behaviour("IRM makes no room for a mark", "Unicode D56",
              "abc\r\x1b[4he\u0301x", ("e\u0301xabc",), (2, 0)),
    Behaviour("IRM makes room for an emoji that VS16 widens", "Unicode UTS #51",
              "abc\r\x1b[4h⚠\ufe0fx", ("⚠\ufe0fxabc",), (3, 0)),
    Behaviour("REP repeats once", "ECMA-48 8.3.103", "ab\x1b[b", ("abb",), (3, 0)),
    Behaviour("REP 3 repeats three times", "ECMA-48 8.3.103", "ab\x1b[3bc", ("abbbbc",), (6, 0)),
    Behaviour("REP wraps", "ECMA-48 8.3.103", "abcdefg\x1b[5b", ("abcdefgggg", "gg"), (2, 1)),
    Behaviour("REP repeats in the pen of now", "xterm REP", "a\x1b[44m\x1b[b",
              ("aa",), (2, 0), pens={(0, 0): PLAIN, (1, 0): BLUE}),
    Behaviour("REP repeats a wide character", "ECMA-48 8.3.103", "日\x1b[2b", ("日日日",), (6, 0)),
    Behaviour("REP with nothing before it does nothing", "ECMA-48 8.3.103", "\x1b[3b", (), (0, 0)),
    Behaviour("line drawing is G0", "DEC STD 070 SCS",
              "\x1b(0lqk\x1b(Blqk", ("┌─┐lqk",), (6, 0)),
    Behaviour("SO and SI switch to G1 and back", "ECMA-48 8.3.119",
              "\x1b)0q\x0eq\x0fq", ("q─q",), (3, 0)),
    Behaviour("an unknown set changes nothing", "xterm SCS", "\x1b(~q", ("q",), (1, 0)),
]

WIDE = [
    Behaviour("a wide character takes two columns", "Unicode UAX #11", "日本", ("日本",), (4, 0)),
    Behaviour("a wide character that does not fit wraps whole", "xterm wide characters",
              "012345678日", ("012345678", "日"), (2, 1)),
    Behaviour("a wide character fits the last two columns", "xterm wide characters",
              "01234567日", ("01234567日",), (10, 0)),
    Behaviour("a wide character that wraps does not blank what stood", "xterm wide characters",
              DIGITS + "\x1b[10G日", (DIGITS, "日"), (2, 1)),
    Behaviour("overwriting the left half blanks the right", "xterm wide characters",
              "日本\rx", ("x 本",), (1, 0)),
    Behaviour("overwriting the right half blanks the left", "xterm wide characters",
              "日本\r\x1b[Cx", (" x本",), (2, 0)),
    Behaviour("overwriting by a wide one blanks both its neighbours", "xterm wide characters",
              "日本語\r\x1b[C字", (" 字 語",), (3, 0)),
    Behaviour("the blank half keeps no other text", "xterm wide characters",
              "a日b\x1b[3Gx", ("a xb",), (3, 0)),
    Behaviour("EL 0 from a right half blanks the left", "xterm wide characters",
              "a日本\x1b[3G\x1b[K", ("a",), (2, 0)),
    Behaviour("EL 1 up to a left half blanks the right", "xterm wide characters",
              "日本a\x1b[3G\x1b[1K", ("    a",), (2, 0)),
    Behaviour("ECH of a left half blanks the right", "xterm wide characters",
              "日本\r\x1b[X", ("  本",), (0, 0)),
    Behaviour("ECH of a right half blanks the left", "xterm wide characters",
              "日本\x1b[2G\x1b[X", ("  本",), (1, 0)),
    Behaviour("ECH over the half of a second blanks it", "xterm wide characters",
              "日本a\r\x1b[3X", ("    a",), (0, 0)),
    Behaviour("ICH within a wide character blanks both halves", "xterm wide characters",
              "日a\x1b[2G\x1b[@", ("   a",), (1, 0)),
    Behaviour("ICH pushes half over the edge", "xterm wide characters",
              "01234567日\r\x1b[@", (" 01234567",), (0, 0)),
    Behaviour("DCH of a left half blanks the right", "xterm wide characters",
              "日ab\r\x1b[P", (" ab",), (0, 0)),
    Behaviour("DCH of a right half blanks the left", "xterm wide characters",
              "日ab\x1b[2G\x1b[P", (" ab",), (1, 0)),
    Behaviour("DCH up to a half blanks what stays of it", "xterm wide characters",
              "a日b\r\x1b[2P", (" b",), (0, 0)),
    Behaviour("IRM within a wide character blanks both halves", "xterm wide characters",
              "日a\x1b[2G\x1b[4hx", (" x a",), (2, 0)),
    Behaviour("ED 0 from a right half blanks the left", "xterm wide characters",
              "a日本\x1b[3G\x1b[J", ("a",), (2, 0)),
    Behaviour("a tab onto a right half cuts nothing", "DEC STD 070 HT",
              "1234567日\r\t", ("1234567日",), (8, 0)),
    Behaviour("a mark joins the character before it", "Unicode D56",
              "e\u0301x", ("e\u0301x",), (2, 0)),
    Behaviour("a mark joins across SGR", "Unicode D56", "e\x1b[1m\u0301x", ("e\u0301x",), (2, 0)),
    Behaviour("a mark joins in the last column", "Unicode D56",
              "012345678e\u0301", ("012345678e\u0301",), (10, 0)),
    Behaviour("a mark goes with the character that is overwritten", "Unicode D56",
              "e\u0301\rx", ("x",), (1, 0)),
    Behaviour("an emoji of five characters takes two columns", "Unicode UTS #51",
              "👨\u200d👩\u200d👧x", ("👨\u200d👩\u200d👧x",), (3, 0)),
    Behaviour("a flag takes two columns", "Unicode UTS #51", "🇩🇪x", ("🇩🇪x",), (3, 0)),
    Behaviour("VS16 makes an emoji of two columns", "Unicode UTS #51", "⚠\ufe0fx",
              ("⚠\ufe0fx",), (3, 0)),
    Behaviour("a skin tone joins its emoji", "Unicode UTS #51", "👍🏽x", ("👍🏽x",), (3, 0)),
]

#: What the terminal has painted before it may paint by a short cut, which must not show.
AGAIN = [
    Behaviour("a line scrolls off as often as it is painted", "DEC STD 070 LF",
              "xy\r\n" * 6, ("xy", "xy", "xy"), (0, 3), scrolled=("xy", "xy", "xy")),
    Behaviour("a line replaces its own columns only", "ECMA-48 7.2.10",
              "abcdef\r\nxy\r\n\x1b[Hxy\r\n", ("xycdef", "xy"), (0, 1)),
    Behaviour("an empty line replaces nothing", "ECMA-48 8.3.74",
              "ab\r\n\r\n\x1b[H\r\n\r\n", ("ab",), (0, 2)),
    Behaviour("a line is inserted", "ECMA-48 7.2.10",
              "z\r\nxy\r\n\x1b[4h\x1b[Hxy\r\n", ("xyz", "xy"), (0, 1)),
    Behaviour("a line takes the pen's style", "ECMA-48 8.3.117", "xy\r\n\x1b[44mxy\r\nxy\r\n",
              ("xy", "xy", "xy"), (0, 3), pens={(1, 0): PLAIN, (1, 1): BLUE, (1, 2): BLUE}),
    Behaviour("a line is translated", "DEC STD 070 SCS",
              "qq\r\n\x1b(0qq\r\n\x1b(Bqq\r\n", ("qq", "──", "qq"), (0, 3)),
    Behaviour("a line begins at the cursor", "ECMA-48 8.3.20",
              "xy\r\n\x1b[3Cxy\r\nxy\r\n", ("xy", "   xy", "xy"), (0, 3)),
    Behaviour("a line scrolls the region", "DEC STD 070 DECSTBM",
              "xy\r\n\x1b[2;3r\x1b[2H" + "xy\r\n" * 4, ("xy", "xy"), (0, 2)),
    Behaviour("a line below the region does not scroll", "DEC STD 070 DECSTBM",
              "xy\r\n\x1b[1;2r\x1b[4H" + "xy\r\n" * 3, ("xy", "", "", "xy"), (0, 3)),
    Behaviour("a full line leaves no blank row", "DEC STD 070 DECAWM",
              (DIGITS + "\r\n") * 2, (DIGITS, DIGITS), (0, 2)),
    Behaviour("a line of two rows stays one of two", "DEC STD 070 DECAWM",
              (DIGITS + "a\r\n") * 2, ("a", DIGITS, "a"), (0, 3), scrolled=(DIGITS,)),
    Behaviour("a line of two rows overwrites the last column", "DEC STD 070 DECAWM",
              "\x1b[?7l" + (DIGITS + "a\r\n") * 2, ("012345678a", "012345678a"), (0, 2)),
    Behaviour("a line inside a string is swallowed", "ECMA-48 8.3.27",
              "xy\r\n\x1bPxy\r\nxy\r\n\x1b\\xy\r\n", ("xy", "xy"), (0, 2)),
    Behaviour("a picture is erased and painted again", "ECMA-48 8.3.41",
              "xy\r\nab\r\n" + "\x1b[2K\x1b[1A\x1b[2K\x1b[1A\x1b[2K\x1b[Gxy\r\ncd\r\n" * 3,
              ("xy", "cd"), (0, 2)),
    Behaviour("a picture is erased up to the top row", "ECMA-48 8.3.22",
              "xy\r\n" + "\x1b[2K\x1b[1A" * 9 + "\x1b[2K\x1b[Gab", ("ab",), (2, 0)),
    Behaviour("a picture is erased up to the region's top", "DEC STD 070 CUU",
              "xy\r\nxy\r\nxy\x1b[2;4r\x1b[3H" + "\x1b[2K\x1b[1A" * 9 + "\x1b[2K\x1b[Gab",
              ("xy", "ab"), (2, 1)),
    Behaviour("a picture is erased in the background", "xterm bce",
              "xy\r\nxy\x1b[44m\x1b[2K\x1b[1A\x1b[2K\x1b[G", (), (0, 0),
              pens={(9, 0): BLUE, (9, 1): BLUE, (9, 2): PLAIN}),
    Behaviour("the cursor is parked", "ECMA-48 8.3.9",
              "xy\r\nxy\r\n\x1b[1A\x1b[2Gz", ("xy", "xz"), (2, 1)),
    Behaviour("the cursor is parked in the region", "DEC STD 070 CUU",
              "xy\x1b[2;3r\x1b[3H\x1b[9A\x1b[2Gz", ("xy", " z"), (2, 1)),
]
# fmt: on


@in_pieces
@table(WRAPS)
def test_a_wrap_waits_for_the_next_character(behaviour: Behaviour, pieces: Pieces) -> None:
    """The last column may be filled without wrapping, and every movement forgets the wrap."""
    assert behaviour.seen(pieces) == behaviour.expected()


@in_pieces
@table(INSERTS)
def test_characters_are_inserted_repeated_and_translated(
    behaviour: Behaviour, pieces: Pieces
) -> None:
    """Insert mode, repeats and character sets paint what their standard says."""
    assert behaviour.seen(pieces) == behaviour.expected()


@in_pieces
@table(WIDE)
def test_no_half_of_a_wide_character_is_left(behaviour: Behaviour, pieces: Pieces) -> None:
    """Whatever cuts a wide character in two blanks both halves, and shifts nothing else."""
    assert behaviour.seen(pieces) == behaviour.expected()


@in_pieces
@table(AGAIN)
def test_a_line_painted_again_is_painted_the_same_way(behaviour: Behaviour, pieces: Pieces) -> None:
    """A line, an erase or a movement that the terminal knows does what it did the first time."""
    assert behaviour.seen(pieces) == behaviour.expected()


@in_pieces
@pytest.mark.parametrize(
    ("text", "wrapped"),
    [
        (DIGITS, [False, False, False, False]),
        (DIGITS + "a", [True, False, False, False]),
        (DIGITS + "\r\na", [False, False, False, False]),
        (DIGITS * 2 + "a", [True, True, False, False]),
        ("012345678日", [True, False, False, False]),
        (DIGITS + "a\x1b[H\x1b[2K", [False, False, False, False]),
        (DIGITS + "a\x1b[1;3H\x1b[K", [False, False, False, False]),
        (DIGITS + "a\x1b[2J", [False, False, False, False]),
        ("\x1b[?7l" + DIGITS + "a", [False, False, False, False]),
    ],
)
def test_a_row_knows_that_its_text_went_on(text: str, wrapped: list[bool], pieces: Pieces) -> None:
    """A row whose text wrapped into the next by itself says so, until it is erased."""
    terminal = Terminal(10, 4)

    for piece in pieces(text):
        terminal.receive(piece)

    assert [row.wrapped for row in terminal.picture().rows] == wrapped
