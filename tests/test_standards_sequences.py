"""Sequences are read to their end, and nothing of them is ever painted."""

from itertools import product

import pytest

from geminipty.terminal import Terminal
from tests.standards import PLAIN, Behaviour, Pieces, in_pieces, table

#: The CLI's first write: hidden text, four questions, and a wiped line.
FIRST_WRITE = "\x1b[8m\x1b[?u\x1b]11;?\x1b\\\x1b[>q\x1b[>4;?m\x1b[c\x1b[2K\r\x1b[0m"

# fmt: off
TITLES = [
    Behaviour("OSC 0 sets the title", "xterm OSC 0",
              "a\x1b]0;◇  Ready\x07b", ("ab",), (2, 0), title="◇  Ready"),
    Behaviour("OSC 2 sets the title", "xterm OSC 2", "a\x1b]2;t\x07b", ("ab",), (2, 0), title="t"),
    Behaviour("OSC 1 does not", "xterm OSC 1", "\x1b]2;t\x07a\x1b]1;i\x07b",
              ("ab",), (2, 0), title="t"),
    Behaviour("ST ends a title", "ECMA-48 8.3.143",
              "a\x1b]0;t\x1b\\b", ("ab",), (2, 0), title="t"),
    Behaviour("the last title counts", "xterm OSC 0",
              "\x1b]0;one\x07\x1b]2;two\x07", (), (0, 0), title="two"),
    Behaviour("a title may be empty", "xterm OSC 0", "\x1b]0;t\x07\x1b]0;\x07", (), (0, 0)),
    Behaviour("a title may hold semicolons", "xterm OSC 0",
              "\x1b]0;a;b;c\x07", (), (0, 0), title="a;b;c"),
    Behaviour("a title keeps the blanks around it", "xterm OSC 0",
              "\x1b]0; t  \x07", (), (0, 0), title=" t  "),
    Behaviour("CAN voids a title", "ECMA-48 8.3.6",
              "\x1b]0;one\x07a\x1b]0;two\x18b", ("ab",), (2, 0), title="one"),
    Behaviour("SUB voids a title", "DEC STD 070 SUB",
              "\x1b]0;one\x07a\x1b]0;two\x1ab", ("ab",), (2, 0), title="one"),
    Behaviour("ESC voids a title and begins anew", "DEC STD 070 ESC",
              "a\x1b]0;two\x1b[Cb", ("a b",), (3, 0)),
    Behaviour("a title within a title is the title", "DEC STD 070 ESC",
              "\x1b]0;one\x1b]0;two\x07a", ("a",), (1, 0), title="two"),
    Behaviour("a title without an end waits for it", "ECMA-48 8.3.89",
              "a\x1b]0;two\r\nlines", ("a",), (1, 0)),
]

STRINGS = [
    Behaviour("OSC 8 paints the text of a link", "OSC 8 in terminals",
              "\x1b]8;;https://a.b/\x1b\\link\x1b]8;;\x1b\\x", ("linkx",), (5, 0)),
    Behaviour("OSC 8 with an id, ended by BEL", "OSC 8 in terminals",
              "\x1b]8;id=1;https://a.b/\x07link\x1b]8;;\x07x", ("linkx",), (5, 0)),
    Behaviour("OSC 9 is swallowed", "iTerm2 OSC 9", "a\x1b]9;note\x07b", ("ab",), (2, 0)),
    Behaviour("OSC 9;4 is swallowed", "ConEmu OSC 9;4", "a\x1b]9;4;1;50\x07b", ("ab",), (2, 0)),
    Behaviour("OSC 777 is swallowed", "rxvt OSC 777", "a\x1b]777;notify;t;b\x07b", ("ab",), (2, 0)),
    Behaviour("OSC 52 is swallowed", "xterm OSC 52", "a\x1b]52;c;aGk=\x07b", ("ab",), (2, 0)),
    Behaviour("OSC 11 is swallowed", "xterm OSC 11", "a\x1b]11;?\x1b\\b", ("ab",), (2, 0)),
    Behaviour("OSC without a number is swallowed", "ECMA-48 8.3.89",
              "a\x1b]\x07b", ("ab",), (2, 0)),
    Behaviour("OSC with a word is swallowed", "ECMA-48 8.3.89", "a\x1b]Lx\x07b", ("ab",), (2, 0)),
    Behaviour("an OSC over the limit is swallowed", "ECMA-48 8.3.89",
              "a\x1b]0;" + "t" * 100_000 + "\x07b", ("ab",), (2, 0)),
    Behaviour("DCS is swallowed", "ECMA-48 8.3.27", "a\x1bPq#0;2;0;0;0\x1b\\b", ("ab",), (2, 0)),
    Behaviour("APC is swallowed", "ECMA-48 8.3.2", "a\x1b_Gi=1;AAAA\x1b\\b", ("ab",), (2, 0)),
    Behaviour("PM is swallowed", "ECMA-48 8.3.94", "a\x1b^private\x1b\\b", ("ab",), (2, 0)),
    Behaviour("SOS is swallowed", "ECMA-48 8.3.128", "a\x1bXstring\x1b\\b", ("ab",), (2, 0)),
    Behaviour("BEL is no end of a DCS", "ECMA-48 8.3.27", "a\x1bPx\x07y\x1b\\b", ("ab",), (2, 0)),
    Behaviour("BEL is no end of an APC", "ECMA-48 8.3.2", "a\x1b_x\x07y\x1b\\b", ("ab",), (2, 0)),
    Behaviour("line ends stay inside a DCS", "ECMA-48 8.3.27",
              "a\x1bPx\r\ny\r\n\x1b\\b", ("ab",), (2, 0)),
    Behaviour("CAN voids a DCS", "ECMA-48 8.3.6", "a\x1bPx\x18b", ("ab",), (2, 0)),
    Behaviour("SUB voids an APC", "DEC STD 070 SUB", "a\x1b_x\x1ab", ("ab",), (2, 0)),
    Behaviour("ESC voids a PM and begins anew", "DEC STD 070 ESC",
              "a\x1b^x\x1b[Cb", ("a b",), (3, 0)),
    Behaviour("a DCS that is wide as the screen moves nothing", "ECMA-48 8.3.27",
              "a\x1bP" + "x" * 100 + "\x1b\\b", ("ab",), (2, 0)),
    Behaviour("ST alone does nothing", "ECMA-48 8.3.143", "a\x1b\\b", ("ab",), (2, 0)),
    Behaviour("wide characters stay inside a string", "ECMA-48 8.3.128",
              "a\x1bX日本\x1b\\b", ("ab",), (2, 0)),
]

C1 = [
    Behaviour("C1 CSI", "ECMA-48 8.3.16", "a\x9b2Cb", ("a  b",), (4, 0)),
    Behaviour("C1 IND", "DEC STD 070 IND", "a\x84b", ("a", " b"), (2, 1)),
    Behaviour("C1 NEL", "ECMA-48 8.3.86", "a\x85b", ("a", "b"), (1, 1)),
    Behaviour("C1 HTS", "ECMA-48 8.3.62", "\x1b[4G\x88\r\tx", ("   x",), (4, 0)),
    Behaviour("C1 RI", "ECMA-48 8.3.104", "\r\na\x8db", (" b", "a"), (2, 0)),
    Behaviour("C1 OSC and ST", "ECMA-48 8.3.89", "a\x9d0;t\x9cb", ("ab",), (2, 0), title="t"),
    Behaviour("C1 DCS and ST", "ECMA-48 8.3.27", "a\x90q\x9cb", ("ab",), (2, 0)),
    Behaviour("C1 SOS and ST", "ECMA-48 8.3.128", "a\x98s\x9cb", ("ab",), (2, 0)),
    Behaviour("C1 PM and ST", "ECMA-48 8.3.94", "a\x9ep\x9cb", ("ab",), (2, 0)),
    Behaviour("C1 APC and ST", "ECMA-48 8.3.2", "a\x9fg\x9cb", ("ab",), (2, 0)),
    Behaviour("C1 ST alone", "ECMA-48 8.3.143", "a\x9cb", ("ab",), (2, 0)),
    Behaviour("C1 CSI ends a sequence that is under way", "ECMA-48 5.4", "a\x1b[9\x9b2Cb",
              ("a  b",), (4, 0)),
]

SEQUENCES = [
    Behaviour("the CLI's first write shows nothing", "Gemini CLI 0.61.0", "x\r" + FIRST_WRITE,
              (), (0, 0)),
    Behaviour("the CLI's first write leaves a plain pen", "Gemini CLI 0.61.0", FIRST_WRITE + "a",
              ("a",), (1, 0), pens={(0, 0): PLAIN}),
    Behaviour("CSI > 4 ; ? m is a question", "xterm modifyOtherKeys", "a\x1b[>4;?mb",
              ("ab",), (2, 0), pens={(1, 0): PLAIN}),
    Behaviour("CSI > 4 ; 2 m is no SGR", "xterm modifyOtherKeys", "a\x1b[>4;2mb",
              ("ab",), (2, 0), pens={(1, 0): PLAIN}),
    Behaviour("CSI ? 4 m is no SGR", "xterm XTQMODKEYS", "a\x1b[?4mb",
              ("ab",), (2, 0), pens={(1, 0): PLAIN}),
    Behaviour("CSI < u does not restore the cursor", "kitty keyboard",
              "a\x1b[<ub", ("ab",), (2, 0)),
    Behaviour("CSI > 1 u does not restore the cursor", "kitty keyboard",
              "a\x1b[>1ub", ("ab",), (2, 0)),
    Behaviour("CSI = 1 ; 1 u does not restore the cursor", "kitty keyboard",
              "a\x1b[=1;1ub", ("ab",), (2, 0)),
    Behaviour("CSI ? u does not restore the cursor", "kitty keyboard",
              "a\x1b[?ub", ("ab",), (2, 0)),
    Behaviour("CSI > q prints nothing", "xterm XTVERSION", "a\x1b[>qb", ("ab",), (2, 0)),
    Behaviour("CSI 2 SP q prints nothing", "xterm DECSCUSR", "a\x1b[2 qb", ("ab",), (2, 0)),
    Behaviour("CSI 22 ; 0 t prints nothing", "xterm XTWINOPS", "a\x1b[22;0tb", ("ab",), (2, 0)),
    Behaviour("CSI ? 2026 $ p prints nothing", "xterm DECRQM", "a\x1b[?2026$pb", ("ab",), (2, 0)),
    Behaviour("CSI > 4 A is no CUU", "ECMA-48 5.4.1", "\r\na\x1b[>4Ab", ("", "ab"), (2, 1)),
    Behaviour("CSI 4 $ A is no CUU", "ECMA-48 5.4.1", "\r\na\x1b[4$Ab", ("", "ab"), (2, 1)),
    Behaviour("CSI ? 5 C is no CUF", "ECMA-48 5.4.1", "a\x1b[?5Cb", ("ab",), (2, 0)),
    Behaviour("CSI ? 2 ; 3 H is no CUP", "ECMA-48 5.4.1", "a\x1b[?2;3Hb", ("ab",), (2, 0)),
    Behaviour("CSI ? 2 ; 3 r is no DECSTBM", "xterm XTRESTORE", "a\x1b[?2;3rb", ("ab",), (2, 0)),
    Behaviour("CSI ? 7 s is no SCOSC", "xterm XTSAVE",
              "\x1b[3;3H\x1b[s\x1b[H\x1b[?7s\x1b[u", (), (2, 2)),
    Behaviour("a marker after the first place voids a sequence", "DEC STD 070 CSI",
              "a\x1b[2>Cb", ("ab",), (2, 0)),
    Behaviour("a number after an intermediate voids a sequence", "DEC STD 070 CSI",
              "a\x1b[2 3Cb", ("ab",), (2, 0)),
    Behaviour("a thousand parameters leak nothing", "ECMA-48 5.4.2",
              "a\x1b[" + "1;" * 1000 + "zb", ("ab",), (2, 0)),
    Behaviour("a number of a thousand digits leaks nothing", "ECMA-48 5.4.2",
              "a\x1b[" + "9" * 1000 + "zb", ("ab",), (2, 0)),
    Behaviour("BS inside a CSI acts first", "DEC STD 070 controls",
              "ab\x1b[\b2Cx", ("ab x",), (4, 0)),
    Behaviour("LF inside a CSI acts first", "DEC STD 070 controls",
              "a\x1b[2\nCb", ("a", "   b"), (4, 1)),
    Behaviour("CR LF inside a CSI acts first", "DEC STD 070 controls",
              "ab\x1b[2\r\nCx", ("ab", "  x"), (3, 1)),
    Behaviour("NUL inside a CSI is ignored", "ECMA-48 8.3.88", "a\x1b[2\x00Cb", ("a  b",), (4, 0)),
    Behaviour("DEL inside a CSI is ignored", "DEC STD 070 DEL", "a\x1b[2\x7fCb", ("a  b",), (4, 0)),
    Behaviour("CAN ends a CSI", "ECMA-48 8.3.6", "a\x1b[2\x18Cb", ("aCb",), (3, 0)),
    Behaviour("SUB ends a CSI", "DEC STD 070 SUB", "a\x1b[2\x1aCb", ("aCb",), (3, 0)),
    Behaviour("ESC begins a CSI anew", "DEC STD 070 ESC", "a\x1b[9\x1b[Cb", ("a b",), (3, 0)),
    Behaviour("ESC ESC is one ESC", "DEC STD 070 ESC", "a\x1b\x1b[Cb", ("a b",), (3, 0)),
    Behaviour("CAN ends an escape", "ECMA-48 8.3.6", "a\x1b\x18[Cb", ("a[Cb",), (4, 0)),
    Behaviour("keypad modes print nothing", "xterm DECKPAM", "a\x1b=\x1b>b", ("ab",), (2, 0)),
    Behaviour("ESC % G prints nothing", "ISO 2022 DOCS", "a\x1b%Gb", ("ab",), (2, 0)),
    Behaviour("ESC SP F prints nothing", "xterm S7C1T", "a\x1b Fb", ("ab",), (2, 0)),
    Behaviour("ESC # 6 prints nothing", "DEC STD 070 DECDWL", "a\x1b#6b", ("ab",), (2, 0)),
    Behaviour("ESC * B and ESC + 0 print nothing", "xterm SCS", "a\x1b*B\x1b+0b", ("ab",), (2, 0)),
    Behaviour("an unfinished sequence prints nothing", "ECMA-48 5.4",
              "a\x1b[38;2;1", ("a",), (1, 0)),
]
# fmt: on


@in_pieces
@table(TITLES)
def test_a_title_is_set_by_a_whole_command(behaviour: Behaviour, pieces: Pieces) -> None:
    """Only OSC 0 and OSC 2 that came to their end change the title."""
    assert behaviour.seen(pieces) == behaviour.expected()


@in_pieces
@table(STRINGS)
def test_strings_are_swallowed_whole(behaviour: Behaviour, pieces: Pieces) -> None:
    """A string is swallowed up to its end, or to what cancels it, and moves nothing."""
    assert behaviour.seen(pieces) == behaviour.expected()


@in_pieces
@table(C1)
def test_c1_controls_are_their_escape_twins(behaviour: Behaviour, pieces: Pieces) -> None:
    """A control of one character from U+0080 on does what its escape sequence does."""
    assert behaviour.seen(pieces) == behaviour.expected()


@in_pieces
@table(SEQUENCES)
def test_sequences_of_others_do_nothing(behaviour: Behaviour, pieces: Pieces) -> None:
    """A sequence that is not known, or not whole, neither paints nor passes for one that is."""
    assert behaviour.seen(pieces) == behaviour.expected()


@in_pieces
@pytest.mark.parametrize("marker", ["", "<", "=", ">", "?"])
@pytest.mark.parametrize("intermediates", ["", *" !\"#$%&'()*+,-./", " !", "$$$$$$$$"])
def test_no_control_sequence_leaks_into_the_text(
    marker: str, intermediates: str, pieces: Pieces
) -> None:
    """No marker, intermediate or final character of any control sequence is ever painted."""
    for params, final in product(["", "2;3"], map(chr, range(0x40, 0x7F))):
        terminal = Terminal(10, 4)

        for piece in pieces(f"é\x1b[{marker}{params}{intermediates}{final}"):
            terminal.receive(piece)

        # REP may paint the character again.
        assert set("".join(terminal.picture().lines)) <= {"é", " "}, (params, final)


@in_pieces
def test_no_escape_sequence_leaks_into_the_text(pieces: Pieces) -> None:
    """No intermediate or final character of any escape sequence is ever painted."""
    strings_and_csi = "[]PX^_"
    finals = [chr(code) for code in range(0x30, 0x7F)]
    for intermediate, final in product(["", *" !\"#$%&'()*+,-./"], finals):
        if (not intermediate and final in strings_and_csi) or intermediate + final == "#8":
            continue
        terminal = Terminal(10, 4)

        for piece in pieces(f"é\x1b{intermediate}{final}"):
            terminal.receive(piece)

        assert set("".join(terminal.picture().lines)) <= {"é"}, (intermediate, final)


@in_pieces
@pytest.mark.parametrize("control", [*map(chr, range(0x07)), "\x07", *map(chr, range(0x10, 0x1B))])
def test_controls_without_a_meaning_are_ignored(control: str, pieces: Pieces) -> None:
    """NUL, BEL and the controls of transmission neither paint nor move."""
    terminal = Terminal(10, 4)

    for piece in pieces(f"a{control}b{control}"):
        terminal.receive(piece)

    assert terminal.picture().lines[0] == "ab"
    assert terminal.picture().cursor == (2, 0)


@in_pieces
@pytest.mark.parametrize("control", ["\x7f", "\x1c", "\x1d", "\x1e", "\x1f"])
def test_del_and_separators_are_ignored(control: str, pieces: Pieces) -> None:
    """DEL and the information separators neither paint nor move."""
    terminal = Terminal(10, 4)

    for piece in pieces(f"a{control}b{control}"):
        terminal.receive(piece)

    assert terminal.picture().lines[0] == "ab"
    assert terminal.picture().cursor == (2, 0)
