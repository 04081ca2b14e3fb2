"""The cursor goes where the standards say: movements, regions, tab stops, saved positions."""

from tests.standards import Behaviour, Pieces, in_pieces, table

# fmt: off
MOVES = [
    Behaviour("CUU moves up by one", "ECMA-48 8.3.22", "\x1b[3;5H\x1b[A", (), (4, 1)),
    Behaviour("CUU 0 counts as 1", "DEC STD 070 CUU", "\x1b[3;5H\x1b[0A", (), (4, 1)),
    Behaviour("CUU 2 moves up by two", "ECMA-48 8.3.22", "\x1b[3;5H\x1b[2A", (), (4, 0)),
    Behaviour("CUU stops at the top", "DEC STD 070 CUU", "\x1b[3;5H\x1b[99999A", (), (4, 0)),
    Behaviour("CUU keeps text", "ECMA-48 8.3.22", "a\r\nb\x1b[Ac", ("ac", "b"), (2, 0)),
    Behaviour("CUU in a region stops at its top", "DEC STD 070 CUU",
              "\x1b[2;3r\x1b[3;5H\x1b[9A", (), (4, 1)),
    Behaviour("CUU above a region goes to the top row", "DEC STD 070 CUU",
              "\x1b[3;4r\x1b[2;5H\x1b[9A", (), (4, 0)),
    Behaviour("CUU below a region stops at its top", "xterm CUU",
              "\x1b[2;3r\x1b[4;5H\x1b[9A", (), (4, 1)),
    Behaviour("CUD moves down by one", "ECMA-48 8.3.19", "\x1b[2;5H\x1b[B", (), (4, 2)),
    Behaviour("CUD 0 counts as 1", "DEC STD 070 CUD", "\x1b[2;5H\x1b[0B", (), (4, 2)),
    Behaviour("CUD 2 moves down by two", "ECMA-48 8.3.19", "\x1b[2;5H\x1b[2B", (), (4, 3)),
    Behaviour("CUD stops at the bottom and scrolls nothing", "DEC STD 070 CUD",
              "a\x1b[99999Bb", ("a", "", "", " b"), (2, 3)),
    Behaviour("CUD in a region stops at its bottom", "DEC STD 070 CUD",
              "\x1b[2;3r\x1b[2;5H\x1b[9B", (), (4, 2)),
    Behaviour("CUD above a region stops at its bottom", "xterm CUD",
              "\x1b[2;3r\x1b[1;5H\x1b[9B", (), (4, 2)),
    Behaviour("CUD below a region goes to the last row", "DEC STD 070 CUD",
              "\x1b[2;3r\x1b[5;1H\x1b[9B", (), (0, 5), size=(10, 6)),
    Behaviour("CUF moves right by one", "ECMA-48 8.3.20", "a\x1b[Cb", ("a b",), (3, 0)),
    Behaviour("CUF 0 counts as 1", "DEC STD 070 CUF", "a\x1b[0Cb", ("a b",), (3, 0)),
    Behaviour("CUF 3 moves right by three", "ECMA-48 8.3.20", "a\x1b[3Cb", ("a   b",), (5, 0)),
    Behaviour("CUF stops at the last column", "DEC STD 070 CUF",
              "\x1b[99999Cx", ("         x",), (10, 0)),
    Behaviour("CUF erases nothing", "ECMA-48 8.3.20", "abcd\r\x1b[2Cx", ("abxd",), (3, 0)),
    Behaviour("CUB moves left by one", "ECMA-48 8.3.18", "abc\x1b[Dx", ("abx",), (3, 0)),
    Behaviour("CUB 0 counts as 1", "DEC STD 070 CUB", "abc\x1b[0Dx", ("abx",), (3, 0)),
    Behaviour("CUB 2 moves left by two", "ECMA-48 8.3.18", "abc\x1b[2Dx", ("axc",), (2, 0)),
    Behaviour("CUB stops at the first column", "DEC STD 070 CUB",
              "a\r\nbc\x1b[99999Dx", ("a", "xc"), (1, 1)),
    Behaviour("CNL goes to the next line's start", "ECMA-48 8.3.12", "abc\x1b[E", ("abc",), (0, 1)),
    Behaviour("CNL 0 counts as 1", "DEC STD 070 CNL", "abc\x1b[0E", ("abc",), (0, 1)),
    Behaviour("CNL 2 goes two lines down", "ECMA-48 8.3.12", "abc\x1b[2E", ("abc",), (0, 2)),
    Behaviour("CNL stops at the bottom", "DEC STD 070 CNL", "abc\x1b[99E", ("abc",), (0, 3)),
    Behaviour("CNL in a region stops at its bottom", "xterm CNL",
              "\x1b[1;2r\x1b[1;5H\x1b[9E", (), (0, 1)),
    Behaviour("CPL goes to the line above's start", "ECMA-48 8.3.13",
              "\x1b[3;5H\x1b[F", (), (0, 1)),
    Behaviour("CPL 2 goes two lines up", "ECMA-48 8.3.13", "\x1b[4;5H\x1b[2F", (), (0, 1)),
    Behaviour("CPL stops at the top", "DEC STD 070 CPL", "\x1b[3;5H\x1b[99F", (), (0, 0)),
    Behaviour("CPL in a region stops at its top", "xterm CPL",
              "\x1b[2;4r\x1b[4;5H\x1b[9F", (), (0, 1)),
    Behaviour("CHA goes to column 1", "ECMA-48 8.3.9", "abc\x1b[Gx", ("xbc",), (1, 0)),
    Behaviour("CHA 0 counts as 1", "DEC STD 070 CHA", "abc\x1b[0Gx", ("xbc",), (1, 0)),
    Behaviour("CHA 5 goes to column 5", "ECMA-48 8.3.9", "abc\x1b[5Gx", ("abc x",), (5, 0)),
    Behaviour("CHA stops at the last column", "DEC STD 070 CHA", "abc\x1b[99G", ("abc",), (9, 0)),
    Behaviour("CUP goes home", "ECMA-48 8.3.21", "a\r\nbc\x1b[Hx", ("x", "bc"), (1, 0)),
    Behaviour("CUP 3;5 goes to row 3 column 5", "ECMA-48 8.3.21", "\x1b[3;5H", (), (4, 2)),
    Behaviour("CUP without a column goes to column 1", "ECMA-48 8.3.21",
              "abc\x1b[3H", ("abc",), (0, 2)),
    Behaviour("CUP without a row goes to row 1", "ECMA-48 8.3.21", "\r\n\x1b[;5H", (), (4, 0)),
    Behaviour("CUP 0;0 counts as 1;1", "DEC STD 070 CUP", "\r\nab\x1b[0;0H", ("", "ab"), (0, 0)),
    Behaviour("CUP stops at the last cell", "DEC STD 070 CUP", "\x1b[999;999H", (), (9, 3)),
    Behaviour("CUP takes the first two of many", "ECMA-48 5.4.2", "\x1b[2;3;4;5H", (), (2, 1)),
    Behaviour("CUP with a number over 2**32 stops at the edge", "DEC STD 070 CUP",
              "\x1b[4294967298;18446744073709551619H", (), (9, 3)),
    Behaviour("leading zeros change no number", "ECMA-48 5.4.2", "\x1b[0002;00003H", (), (2, 1)),
    Behaviour("CUP leaves the region", "DEC STD 070 CUP", "\x1b[2;3r\x1b[4;2H", (), (1, 3)),
    Behaviour("HVP 3;5 goes to row 3 column 5", "ECMA-48 8.3.63", "\x1b[3;5f", (), (4, 2)),
    Behaviour("HVP goes home", "ECMA-48 8.3.63", "\r\nab\x1b[f", ("", "ab"), (0, 0)),
    Behaviour("HVP stops at the last cell", "DEC STD 070 HVP", "\x1b[999;999f", (), (9, 3)),
    Behaviour("VPA keeps the column", "ECMA-48 8.3.158", "\x1b[2;5H\x1b[4d", (), (4, 3)),
    Behaviour("VPA goes to row 1", "ECMA-48 8.3.158", "\x1b[2;5H\x1b[d", (), (4, 0)),
    Behaviour("VPA stops at the bottom", "xterm VPA", "\x1b[2;5H\x1b[99d", (), (4, 3)),
    Behaviour("VPR moves down", "ECMA-48 8.3.160", "\x1b[1;5H\x1b[2e", (), (4, 2)),
    Behaviour("VPR moves down by one", "ECMA-48 8.3.160", "\x1b[1;5H\x1b[e", (), (4, 1)),
    Behaviour("VPR stops at the bottom", "xterm VPR", "\x1b[1;5H\x1b[99e", (), (4, 3)),
    Behaviour("VPB moves up", "ECMA-48 8.3.159", "\x1b[4;5H\x1b[2k", (), (4, 1)),
    Behaviour("HPA goes to a column", "ECMA-48 8.3.57", "abc\x1b[5`x", ("abc x",), (5, 0)),
    Behaviour("HPA goes to column 1", "ECMA-48 8.3.57", "abc\x1b[`", ("abc",), (0, 0)),
    Behaviour("HPA stops at the last column", "xterm HPA", "abc\x1b[99`", ("abc",), (9, 0)),
    Behaviour("HPR moves right", "ECMA-48 8.3.59", "abc\x1b[2ax", ("abc  x",), (6, 0)),
    Behaviour("HPR stops at the last column", "xterm HPR", "abc\x1b[99a", ("abc",), (9, 0)),
    Behaviour("HPB moves left", "ECMA-48 8.3.58", "abc\x1b[2jx", ("axc",), (2, 0)),
    Behaviour("CR goes to column 1", "ECMA-48 8.3.15", "abc\rx", ("xbc",), (1, 0)),
    Behaviour("LF keeps the column", "ECMA-48 8.3.74", "abc\nx", ("abc", "   x"), (4, 1)),
    Behaviour("VT moves down like LF", "DEC STD 070 VT", "abc\vx", ("abc", "   x"), (4, 1)),
    Behaviour("FF moves down like LF", "DEC STD 070 FF", "abc\fx", ("abc", "   x"), (4, 1)),
    Behaviour("LNM adds CR to LF", "DEC STD 070 LNM", "\x1b[20habc\nx", ("abc", "x"), (1, 1)),
    Behaviour("LNM off leaves LF alone", "DEC STD 070 LNM",
              "\x1b[20h\x1b[20labc\nx", ("abc", "   x"), (4, 1)),
    Behaviour("BS moves left", "ECMA-48 8.3.5", "abc\b\bx", ("axc",), (2, 0)),
    Behaviour("BS stops at column 1", "DEC STD 070 BS", "a\r\nb\b\b\bx", ("a", "x"), (1, 1)),
]

ORIGIN = [
    Behaviour("DECOM on goes to the region's first cell", "DEC STD 070 DECOM",
              "\x1b[2;3r\x1b[4;4H\x1b[?6h", (), (0, 1)),
    Behaviour("DECOM counts CUP's rows from the region", "DEC STD 070 DECOM",
              "\x1b[2;3r\x1b[?6h\x1b[2;4H", (), (3, 2)),
    Behaviour("DECOM holds CUP in the region", "DEC STD 070 DECOM",
              "\x1b[2;3r\x1b[?6h\x1b[99;99H", (), (9, 2)),
    Behaviour("DECOM counts HVP's rows from the region", "DEC STD 070 DECOM",
              "\x1b[2;3r\x1b[?6h\x1b[2;4f", (), (3, 2)),
    Behaviour("DECOM counts VPA's rows from the region", "DEC STD 070 DECOM",
              "\x1b[2;3r\x1b[?6h\x1b[1;4H\x1b[2d", (), (3, 2)),
    Behaviour("DECOM holds VPA in the region", "DEC STD 070 DECOM",
              "\x1b[2;3r\x1b[?6h\x1b[99d", (), (0, 2)),
    Behaviour("DECOM off goes home", "DEC STD 070 DECOM",
              "\x1b[2;3r\x1b[?6h\x1b[2;4H\x1b[?6l", (), (0, 0)),
    Behaviour("DECOM off frees CUP", "DEC STD 070 DECOM",
              "\x1b[2;3r\x1b[?6h\x1b[?6l\x1b[4;4H", (), (3, 3)),
    Behaviour("DECSTBM goes home", "DEC STD 070 DECSTBM", "\x1b[4;4H\x1b[2;3r", (), (0, 0)),
    Behaviour("DECSTBM under DECOM goes to the region", "DEC STD 070 DECSTBM",
              "\x1b[?6h\x1b[4;4H\x1b[2;3r", (), (0, 1)),
    Behaviour("DECSTBM of one row is ignored", "DEC STD 070 DECSTBM",
              "\x1b[4;4H\x1b[3;3r\x1b[9A", (), (3, 0)),
    Behaviour("DECSTBM upside down is ignored", "DEC STD 070 DECSTBM",
              "\x1b[4;4H\x1b[3;2r\x1b[9A", (), (3, 0)),
    Behaviour("DECSTBM 0;0 is the whole screen", "xterm DECSTBM",
              "\x1b[2;3r\x1b[0;0r\x1b[9B", (), (0, 3)),
    Behaviour("DECSTBM alone is the whole screen", "DEC STD 070 DECSTBM",
              "\x1b[2;3r\x1b[r\x1b[9B", (), (0, 3)),
    Behaviour("DECSTBM stops at the last row", "xterm DECSTBM",
              "\x1b[2;99r\x1b[3;1H\x1b[9A", (), (0, 1)),
]

TABS = [
    Behaviour("HT goes to column 9", "ECMA-48 8.3.60", "a\tx", ("a       x",), (9, 0)),
    Behaviour("HT from a stop goes to the next", "ECMA-48 8.3.60", "\t\t", (), (16, 0), (40, 2)),
    Behaviour("HT stops at the last column", "DEC STD 070 HT", "\t\t\t", (), (9, 0)),
    Behaviour("HT erases nothing", "DEC STD 070 HT",
              "abcdefghij\r\tX", ("abcdefghXj",), (9, 0)),
    Behaviour("CHT goes to the next stop", "ECMA-48 8.3.10", "a\x1b[I", ("a",), (8, 0), (40, 2)),
    Behaviour("CHT 2 goes two stops on", "ECMA-48 8.3.10", "a\x1b[2I", ("a",), (16, 0), (40, 2)),
    Behaviour("CHT stops at the last column", "xterm CHT", "\x1b[99I", (), (39, 0), (40, 2)),
    Behaviour("CBT goes to the stop before", "ECMA-48 8.3.7",
              "\x1b[20G\x1b[Z", (), (16, 0), (40, 2)),
    Behaviour("CBT from a stop goes one back", "ECMA-48 8.3.7", "\t\t\x1b[Z", (), (8, 0), (40, 2)),
    Behaviour("CBT 2 goes two stops back", "ECMA-48 8.3.7",
              "\x1b[20G\x1b[2Z", (), (8, 0), (40, 2)),
    Behaviour("CBT stops at column 1", "xterm CBT", "\x1b[20G\x1b[99Z", (), (0, 0), (40, 2)),
    Behaviour("HTS sets a stop", "ECMA-48 8.3.62", "\x1b[4G\x1bH\r\tx", ("   x",), (4, 0)),
    Behaviour("HTS is for every row", "ECMA-48 8.3.62",
              "\x1b[4G\x1bH\x1b[3;1H\tx", ("", "", "   x"), (4, 2)),
    Behaviour("TBC clears the stop at the cursor", "ECMA-48 8.3.154",
              "\t\x1b[g\r\t", (), (16, 0), (40, 2)),
    Behaviour("TBC 0 clears the stop at the cursor", "ECMA-48 8.3.154",
              "\t\x1b[0g\r\t", (), (16, 0), (40, 2)),
    Behaviour("TBC off a stop clears none", "ECMA-48 8.3.154",
              "\x1b[4G\x1b[g\r\t", (), (8, 0), (40, 2)),
    Behaviour("TBC 3 clears all stops", "ECMA-48 8.3.154", "\x1b[3g\t", (), (39, 0), (40, 2)),
    Behaviour("HTS sets a stop after TBC 3", "ECMA-48 8.3.62",
              "\x1b[3g\x1b[6G\x1bH\r\tx", ("     x",), (6, 0)),
    Behaviour("RIS sets the stops anew", "ECMA-48 8.3.105", "\x1b[3g\x1bc\t", (), (8, 0), (40, 2)),
]

SAVED = [
    Behaviour("DECRC goes where DECSC was", "DEC STD 070 DECSC",
              "\x1b[2;3H\x1b7\x1b[4;4H\x1b8x", ("", "  x"), (3, 1)),
    Behaviour("DECRC may be repeated", "DEC STD 070 DECRC",
              "\x1b[2;3H\x1b7\x1b[H\x1b8\x1b[H\x1b8x", ("", "  x"), (3, 1)),
    Behaviour("DECRC with nothing saved goes home", "DEC STD 070 DECRC",
              "\x1b[2;3H\x1b8x", ("x",), (1, 0)),
    Behaviour("the last DECSC counts", "DEC STD 070 DECSC",
              "\x1b7\x1b[2;3H\x1b7\x1b[H\x1b8x", ("", "  x"), (3, 1)),
    Behaviour("DECRC brings a wrap that was due back", "DEC STD 070 DECSC",
              "0123456789\x1b7\r\x1b8x", ("0123456789", "x"), (1, 1)),
    Behaviour("DECRC brings the origin mode back", "DEC STD 070 DECSC",
              "\x1b[2;3r\x1b[?6h\x1b7\x1b[?6l\x1b8\x1b[Hx", ("", "x"), (1, 1)),
    Behaviour("DECRC brings the line drawing set back", "DEC STD 070 DECSC",
              "\x1b(0\x1b7\x1b(B\x1b8q", ("─",), (1, 0)),
    Behaviour("SCORC goes where SCOSC was", "xterm SCOSC",
              "\x1b[2;3H\x1b[s\x1b[4;4H\x1b[ux", ("", "  x"), (3, 1)),
    Behaviour("?1048 saves and restores the cursor", "xterm DECSET 1048",
              "\x1b[2;3H\x1b[?1048h\x1b[H\x1b[?1048lx", ("", "  x"), (3, 1)),
]
# fmt: on


@in_pieces
@table(MOVES)
def test_the_cursor_ends_where_the_standard_says(behaviour: Behaviour, pieces: Pieces) -> None:
    """A movement takes the cursor as far as it says, and no further than the edge it meets."""
    assert behaviour.seen(pieces) == behaviour.expected()


@in_pieces
@table(ORIGIN)
def test_regions_and_the_origin_mode_bound_the_cursor(behaviour: Behaviour, pieces: Pieces) -> None:
    """Rows are counted from the region's top while the origin mode is on, and only then."""
    assert behaviour.seen(pieces) == behaviour.expected()


@in_pieces
@table(TABS)
def test_tabs_go_from_stop_to_stop(behaviour: Behaviour, pieces: Pieces) -> None:
    """A tab goes to the next stop that is set, and to the edge when there is none."""
    assert behaviour.seen(pieces) == behaviour.expected()


@in_pieces
@table(SAVED)
def test_a_saved_cursor_comes_back(behaviour: Behaviour, pieces: Pieces) -> None:
    """What was saved with the cursor is as it was after it is restored."""
    assert behaviour.seen(pieces) == behaviour.expected()
