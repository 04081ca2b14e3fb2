"""Erasing, inserting, deleting and scrolling leave the picture that the standards say."""

from geminipty.terminal import Pen
from tests.standards import BLUE, PLAIN, Behaviour, Pieces, in_pieces, table

#: Three full rows, the cursor in the fourth column of the second.
FULL = "0123456789\r\nabcdefghij\r\nABCDEFGHIJ\x1b[2;4H"
#: Four rows of one letter, the cursor behind the last.
LETTERS = "a\r\nb\r\nc\r\nd"
#: Erased in blue by a pen that has more than a background.
IN_BLUE = "\x1b[1;3;4;7;9;31;44m"

# fmt: off
ERASES = [
    Behaviour("ED erases from the cursor on", "ECMA-48 8.3.39",
              FULL + "\x1b[J", ("0123456789", "abc"), (3, 1)),
    Behaviour("ED 0 erases from the cursor on", "ECMA-48 8.3.39",
              FULL + "\x1b[0J", ("0123456789", "abc"), (3, 1)),
    Behaviour("ED 0 at home erases all", "ECMA-48 8.3.39", FULL + "\x1b[H\x1b[J", (), (0, 0)),
    Behaviour("ED 1 erases up to the cursor", "ECMA-48 8.3.39",
              FULL + "\x1b[1J", ("", "    efghij", "ABCDEFGHIJ"), (3, 1)),
    Behaviour("ED 2 erases all and leaves the cursor", "ECMA-48 8.3.39",
              FULL + "\x1b[2J", (), (3, 1)),
    Behaviour("ED 2 keeps what has scrolled off", "xterm ED",
              LETTERS + "\x1b[2J", (), (1, 1), (10, 2), scrolled=("a", "b")),
    Behaviour("ED 3 erases what has scrolled off, and nothing else", "xterm ED 3",
              LETTERS + "\x1b[3J", ("c", "d"), (1, 1), (10, 2)),
    Behaviour("ED 2, ED 3 and CUP start afresh", "xterm ED 3",
              LETTERS + "\x1b[2J\x1b[3J\x1b[Hx", ("x",), (1, 0), (10, 2)),
    Behaviour("ED 3 lets lines scroll off anew", "xterm ED 3",
              LETTERS + "\x1b[3J\r\ne", ("d", "e"), (1, 1), (10, 2), scrolled=("c",)),
    Behaviour("ED 2 erases beyond the region", "DEC STD 070 ED",
              "\x1b[2;3r" + FULL + "\x1b[2J", (), (3, 1)),
    Behaviour("ED 4 is unknown", "ECMA-48 5.4.2",
              LETTERS + "\x1b[4J", ("a", "b", "c", "d"), (1, 3)),
    Behaviour("EL erases from the cursor on", "ECMA-48 8.3.41",
              FULL + "\x1b[K", ("0123456789", "abc", "ABCDEFGHIJ"), (3, 1)),
    Behaviour("EL 0 erases from the cursor on", "ECMA-48 8.3.41",
              FULL + "\x1b[0K", ("0123456789", "abc", "ABCDEFGHIJ"), (3, 1)),
    Behaviour("EL 1 erases up to the cursor", "ECMA-48 8.3.41",
              FULL + "\x1b[1K", ("0123456789", "    efghij", "ABCDEFGHIJ"), (3, 1)),
    Behaviour("EL 2 erases the line and leaves the cursor", "ECMA-48 8.3.41",
              FULL + "\x1b[2K", ("0123456789", "", "ABCDEFGHIJ"), (3, 1)),
    Behaviour("EL 3 is unknown", "ECMA-48 5.4.2", "abc\x1b[3K", ("abc",), (3, 0)),
    Behaviour("EL 2, CUU erases a picture upwards", "ECMA-48 8.3.41",
              LETTERS + "\x1b[2K\x1b[1A\x1b[2K\x1b[1A\x1b[2K\x1b[Gx", ("a", "x"), (1, 1)),
    Behaviour("ECH erases one", "ECMA-48 8.3.38", "abcd\r\x1b[X", (" bcd",), (0, 0)),
    Behaviour("ECH 0 counts as 1", "DEC STD 070 ECH", "abcd\r\x1b[0X", (" bcd",), (0, 0)),
    Behaviour("ECH 2 erases two and leaves the cursor", "ECMA-48 8.3.38",
              "abcd\r\x1b[C\x1b[2X", ("a  d",), (1, 0)),
    Behaviour("ECH stops at the end of the line", "DEC STD 070 ECH",
              FULL + "\x1b[999X", ("0123456789", "abc", "ABCDEFGHIJ"), (3, 1)),
]

COLOURED = [
    Behaviour("EL 0 erases in the background", "xterm bce", IN_BLUE + "abc\x1b[2D\x1b[K",
              ("a",), (1, 0), pens={(1, 0): BLUE, (9, 0): BLUE, (0, 1): PLAIN}),
    Behaviour("EL 1 erases in the background", "xterm bce", "abc\x1b[2D" + IN_BLUE + "\x1b[1K",
              ("  c",), (1, 0), pens={(0, 0): BLUE, (1, 0): BLUE, (2, 0): PLAIN}),
    Behaviour("EL 2 erases in the background", "xterm bce", "abc" + IN_BLUE + "\x1b[2K",
              (), (3, 0), pens={(0, 0): BLUE, (9, 0): BLUE, (0, 1): PLAIN}),
    Behaviour("ED 0 erases in the background", "xterm bce", FULL + IN_BLUE + "\x1b[J",
              ("0123456789", "abc"), (3, 1),
              pens={(9, 0): PLAIN, (2, 1): PLAIN, (3, 1): BLUE, (0, 2): BLUE, (9, 3): BLUE}),
    Behaviour("ED 1 erases in the background", "xterm bce", FULL + IN_BLUE + "\x1b[1J",
              ("", "    efghij", "ABCDEFGHIJ"), (3, 1),
              pens={(0, 0): BLUE, (9, 0): BLUE, (3, 1): BLUE, (4, 1): PLAIN, (0, 2): PLAIN}),
    Behaviour("ED 2 erases in the background", "xterm bce", FULL + IN_BLUE + "\x1b[2J",
              (), (3, 1), pens={(0, 0): BLUE, (9, 3): BLUE}),
    Behaviour("ECH erases in the background", "xterm bce", "abcd\r" + IN_BLUE + "\x1b[2X",
              ("  cd",), (0, 0), pens={(0, 0): BLUE, (1, 0): BLUE, (2, 0): PLAIN}),
    Behaviour("ICH inserts the background", "xterm bce", "abcd\r" + IN_BLUE + "\x1b[2@",
              ("  abcd",), (0, 0), pens={(0, 0): BLUE, (1, 0): BLUE, (2, 0): PLAIN}),
    Behaviour("DCH brings the background in", "xterm bce", "abcd\r" + IN_BLUE + "\x1b[2P",
              ("cd",), (0, 0), pens={(0, 0): PLAIN, (7, 0): PLAIN, (8, 0): BLUE, (9, 0): BLUE}),
    Behaviour("IL inserts the background", "xterm bce", LETTERS + "\x1b[2H" + IN_BLUE + "\x1b[L",
              ("a", "", "b", "c"), (0, 1), pens={(9, 0): PLAIN, (0, 1): BLUE, (9, 1): BLUE}),
    Behaviour("DL brings the background in", "xterm bce", LETTERS + "\x1b[2H" + IN_BLUE + "\x1b[M",
              ("a", "c", "d"), (0, 1), pens={(9, 2): PLAIN, (0, 3): BLUE, (9, 3): BLUE}),
    Behaviour("SU brings the background in", "xterm bce", LETTERS + IN_BLUE + "\x1b[S",
              ("b", "c", "d"), (1, 3), scrolled=("a",), pens={(9, 2): PLAIN, (9, 3): BLUE}),
    Behaviour("SD brings the background in", "xterm bce", LETTERS + IN_BLUE + "\x1b[T",
              ("", "a", "b", "c"), (1, 3), pens={(0, 0): BLUE, (9, 0): BLUE, (9, 1): PLAIN}),
    Behaviour("LF at the bottom brings the background in", "xterm bce", LETTERS + IN_BLUE + "\n",
              ("b", "c", "d"), (1, 3), scrolled=("a",), pens={(9, 2): PLAIN, (9, 3): BLUE}),
    Behaviour("RI at the top brings the background in", "xterm bce",
              LETTERS + "\x1b[H" + IN_BLUE + "\x1bM",
              ("", "a", "b", "c"), (0, 0), pens={(9, 0): BLUE, (9, 1): PLAIN}),
    Behaviour("an erase without a background takes colours away", "xterm bce",
              "\x1b[44mabc\x1b[0m\r\x1b[K", (), (0, 0), pens={(0, 0): PLAIN, (2, 0): PLAIN}),
    Behaviour("an erase without a background takes no other attribute on", "xterm bce",
              "abc\x1b[4;7;31m\r\x1b[K", (), (0, 0), pens={(0, 0): PLAIN, (9, 0): PLAIN}),
    Behaviour("a movement takes no colour along", "ECMA-48 8.3.20",
              "\x1b[44m\x1b[3Cx", ("   x",), (4, 0), pens={(0, 0): PLAIN, (3, 0): BLUE}),
    Behaviour("painted text keeps its whole style", "ECMA-48 8.3.117", "\x1b[1;31;44mx\x1b[0my",
              ("xy",), (2, 0), pens={(0, 0): Pen("red", "blue", bold=True), (1, 0): PLAIN}),
]

SHIFTS = [
    Behaviour("ICH inserts one blank", "ECMA-48 8.3.64", "abc\r\x1b[@", (" abc",), (0, 0)),
    Behaviour("ICH 0 counts as 1", "DEC STD 070 ICH", "abc\r\x1b[0@", (" abc",), (0, 0)),
    Behaviour("ICH 2 pushes two over the edge", "ECMA-48 8.3.64",
              FULL + "\x1b[2@", ("0123456789", "abc  defgh", "ABCDEFGHIJ"), (3, 1)),
    Behaviour("ICH stops at the end of the line", "DEC STD 070 ICH",
              FULL + "\x1b[999@", ("0123456789", "abc", "ABCDEFGHIJ"), (3, 1)),
    Behaviour("DCH deletes one", "ECMA-48 8.3.26", "abc\r\x1b[P", ("bc",), (0, 0)),
    Behaviour("DCH 0 counts as 1", "DEC STD 070 DCH", "abc\r\x1b[0P", ("bc",), (0, 0)),
    Behaviour("DCH 2 deletes two and leaves the next line", "ECMA-48 8.3.26",
              FULL + "\x1b[2P", ("0123456789", "abcfghij", "ABCDEFGHIJ"), (3, 1)),
    Behaviour("DCH stops at the end of the line", "DEC STD 070 DCH",
              FULL + "\x1b[999P", ("0123456789", "abc", "ABCDEFGHIJ"), (3, 1)),
    Behaviour("IL inserts one line and goes to its start", "ECMA-48 8.3.67",
              LETTERS + "\x1b[2;2H\x1b[L", ("a", "", "b", "c"), (0, 1)),
    Behaviour("IL 2 inserts two lines", "ECMA-48 8.3.67",
              LETTERS + "\x1b[2H\x1b[2L", ("a", "", "", "b"), (0, 1)),
    Behaviour("IL stops at the last row", "DEC STD 070 IL",
              LETTERS + "\x1b[2H\x1b[999L", ("a",), (0, 1)),
    Behaviour("IL in a region moves nothing below it", "DEC STD 070 IL",
              LETTERS + "\x1b[2;3r\x1b[2H\x1b[L", ("a", "", "b", "d"), (0, 1)),
    Behaviour("IL above a region does nothing", "DEC STD 070 IL",
              LETTERS + "\x1b[2;3r\x1b[1;2H\x1b[L", ("a", "b", "c", "d"), (1, 0)),
    Behaviour("IL below a region does nothing", "DEC STD 070 IL",
              LETTERS + "\x1b[2;3r\x1b[4;2H\x1b[L", ("a", "b", "c", "d"), (1, 3)),
    Behaviour("DL deletes one line and goes to the line's start", "ECMA-48 8.3.32",
              LETTERS + "\x1b[2;2H\x1b[M", ("a", "c", "d"), (0, 1)),
    Behaviour("DL 2 deletes two lines", "ECMA-48 8.3.32",
              LETTERS + "\x1b[2H\x1b[2M", ("a", "d"), (0, 1)),
    Behaviour("DL stops at the last row", "DEC STD 070 DL",
              LETTERS + "\x1b[2H\x1b[999M", ("a",), (0, 1)),
    Behaviour("DL in a region moves nothing below it", "DEC STD 070 DL",
              LETTERS + "\x1b[2;3r\x1b[2H\x1b[M", ("a", "c", "", "d"), (0, 1)),
    Behaviour("DL outside a region does nothing", "DEC STD 070 DL",
              LETTERS + "\x1b[2;3r\x1b[4;2H\x1b[M", ("a", "b", "c", "d"), (1, 3)),
]

SCROLLS = [
    Behaviour("LF at the bottom scrolls", "DEC STD 070 LF",
              LETTERS + "\n", ("b", "c", "d"), (1, 3), scrolled=("a",)),
    Behaviour("lines scroll off in order", "DEC STD 070 LF",
              LETTERS + "\r\ne\r\nf", ("e", "f"), (1, 1), (10, 2), scrolled=("a", "b", "c", "d")),
    Behaviour("LF at a region's bottom scrolls the region", "DEC STD 070 DECSTBM",
              LETTERS + "\x1b[2;3r\x1b[3H\n", ("a", "c", "", "d"), (0, 2)),
    Behaviour("LF in a region from the first row on keeps what scrolls off", "xterm saveLines",
              LETTERS + "\x1b[1;3r\x1b[3H\n", ("b", "c", "", "d"), (0, 2), scrolled=("a",)),
    Behaviour("LF below a region does not scroll", "DEC STD 070 DECSTBM",
              LETTERS + "\x1b[2;3r\x1b[4H\n", ("a", "b", "c", "d"), (0, 3)),
    Behaviour("LF enters a region from above", "DEC STD 070 DECSTBM",
              LETTERS + "\x1b[2;3r\x1b[H\n\n\n", ("a", "c", "", "d"), (0, 2)),
    Behaviour("IND moves down", "DEC STD 070 IND", "ab\x1bDc", ("ab", "  c"), (3, 1)),
    Behaviour("IND at the bottom scrolls", "DEC STD 070 IND",
              LETTERS + "\x1bD", ("b", "c", "d"), (1, 3), scrolled=("a",)),
    Behaviour("NEL goes to the next line's start", "ECMA-48 8.3.86",
              "ab\x1bEc", ("ab", "c"), (1, 1)),
    Behaviour("NEL at the bottom scrolls", "ECMA-48 8.3.86",
              LETTERS + "\x1bE", ("b", "c", "d"), (0, 3), scrolled=("a",)),
    Behaviour("RI moves up", "ECMA-48 8.3.104", "a\r\nb\x1bMc", ("ac", "b"), (2, 0)),
    Behaviour("RI at the top scrolls down", "DEC STD 070 RI",
              LETTERS + "\x1b[H\x1bM", ("", "a", "b", "c"), (0, 0)),
    Behaviour("RI at a region's top scrolls the region", "DEC STD 070 RI",
              LETTERS + "\x1b[2;3r\x1b[2H\x1bM", ("a", "", "b", "d"), (0, 1)),
    Behaviour("RI above a region does not scroll", "DEC STD 070 RI",
              LETTERS + "\x1b[2;3r\x1b[H\x1bM", ("a", "b", "c", "d"), (0, 0)),
    Behaviour("SU scrolls up by one and leaves the cursor", "ECMA-48 8.3.147",
              LETTERS + "\x1b[S", ("b", "c", "d"), (1, 3), scrolled=("a",)),
    Behaviour("SU 2 scrolls up by two", "ECMA-48 8.3.147",
              LETTERS + "\x1b[2S", ("c", "d"), (1, 3), scrolled=("a", "b")),
    Behaviour("SU scrolls at most the screen off", "xterm SU",
              LETTERS + "\x1b[999S", (), (1, 3), scrolled=("a", "b", "c", "d")),
    Behaviour("SU scrolls the region", "DEC STD 070 SU",
              LETTERS + "\x1b[2;3r\x1b[S", ("a", "c", "", "d"), (0, 0)),
    Behaviour("SD scrolls down by one and leaves the cursor", "ECMA-48 8.3.113",
              LETTERS + "\x1b[T", ("", "a", "b", "c"), (1, 3)),
    Behaviour("SD 2 scrolls down by two", "ECMA-48 8.3.113",
              LETTERS + "\x1b[2T", ("", "", "a", "b"), (1, 3)),
    Behaviour("SD scrolls at most the screen away", "xterm SD", LETTERS + "\x1b[999T", (), (1, 3)),
    Behaviour("SD scrolls the region", "DEC STD 070 SD",
              LETTERS + "\x1b[2;3r\x1b[T", ("a", "", "b", "d"), (0, 0)),
    Behaviour("DECALN fills the screen with E and goes home", "DEC STD 070 DECALN",
              "\x1b[2;2Hx\x1b#8", ("EEEEE", "EEEEE"), (0, 0), (5, 2)),
    Behaviour("DECALN ends the region", "DEC STD 070 DECALN",
              "\x1b[1;2r\x1b#8\x1b[9B", ("EEEEE", "EEEEE", "EEEEE"), (0, 2), (5, 3)),
]
# fmt: on


@in_pieces
@table(ERASES)
def test_an_erase_takes_away_what_the_standard_says(behaviour: Behaviour, pieces: Pieces) -> None:
    """An erase blanks its part of the screen, moves nothing and leaves the cursor alone."""
    assert behaviour.seen(pieces) == behaviour.expected()


@in_pieces
@table(COLOURED)
def test_blanks_take_the_background_and_nothing_else(behaviour: Behaviour, pieces: Pieces) -> None:
    """Cells that an erase, a shift or a scroll blanks have the pen's background, no more."""
    assert behaviour.seen(pieces) == behaviour.expected()


@in_pieces
@table(SHIFTS)
def test_insertions_and_deletions_stay_in_line_and_region(
    behaviour: Behaviour, pieces: Pieces
) -> None:
    """Characters are shifted within their line, lines within the region, and none comes back."""
    assert behaviour.seen(pieces) == behaviour.expected()


@in_pieces
@table(SCROLLS)
def test_scrolling_keeps_what_leaves_the_top_row(behaviour: Behaviour, pieces: Pieces) -> None:
    """The region alone scrolls, and what leaves the screen's top row is kept in order."""
    assert behaviour.seen(pieces) == behaviour.expected()
