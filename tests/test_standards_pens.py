"""SGR gives text the style that ECMA-48, ISO 8613-6 and xterm say, in every notation."""

import pytest
from pyte.graphics import FG_BG_256

from geminipty.terminal import Pen, Terminal
from tests.standards import Pieces, in_pieces

#: The eight colours in the order of SGR 30 to 37, by pyte's names.
NAMES = ("black", "red", "green", "brown", "blue", "magenta", "cyan", "white")
#: Everything that a pen can have.
ALL = "\x1b[1;2;3;4;5;7;8;9;31;44m"

# fmt: off
STYLES = [
    # (rule, source, sequences, style)
    ("1 is bold", "ECMA-48 8.3.117", "\x1b[1m", Pen(bold=True)),
    ("2 is faint", "ECMA-48 8.3.117", "\x1b[2m", Pen(dim=True)),
    ("3 is italicized", "ECMA-48 8.3.117", "\x1b[3m", Pen(italics=True)),
    ("4 is underlined", "ECMA-48 8.3.117", "\x1b[4m", Pen(underscore=True)),
    ("5 blinks slowly", "ECMA-48 8.3.117", "\x1b[5m", Pen(blink=True)),
    ("6 blinks rapidly", "ECMA-48 8.3.117", "\x1b[6m", Pen(blink=True)),
    ("7 is reversed", "ECMA-48 8.3.117", "\x1b[7m", Pen(reverse=True)),
    ("8 is concealed", "ECMA-48 8.3.117", "\x1b[8m", Pen(hidden=True)),
    ("9 is crossed out", "ECMA-48 8.3.117", "\x1b[9m", Pen(strikethrough=True)),
    ("21 is doubly underlined", "ECMA-48 8.3.117", "\x1b[21m", Pen(underscore=True)),
    ("1 and 2 stand together", "ECMA-48 8.3.117", "\x1b[1m\x1b[2m", Pen(bold=True, dim=True)),
    ("22 ends both", "ECMA-48 8.3.117", "\x1b[1;2;3;22m", Pen(italics=True)),
    ("23 ends 3", "ECMA-48 8.3.117", "\x1b[1;3;23m", Pen(bold=True)),
    ("24 ends 4", "ECMA-48 8.3.117", "\x1b[1;4;24m", Pen(bold=True)),
    ("24 ends 21", "ECMA-48 8.3.117", "\x1b[1;21;24m", Pen(bold=True)),
    ("25 ends 5", "ECMA-48 8.3.117", "\x1b[1;5;25m", Pen(bold=True)),
    ("25 ends 6", "ECMA-48 8.3.117", "\x1b[1;6;25m", Pen(bold=True)),
    ("27 ends 7", "ECMA-48 8.3.117", "\x1b[1;7;27m", Pen(bold=True)),
    ("28 ends 8", "ECMA-48 8.3.117", "\x1b[1;8;28m", Pen(bold=True)),
    ("29 ends 9", "ECMA-48 8.3.117", "\x1b[1;9;29m", Pen(bold=True)),
    ("0 ends all", "ECMA-48 8.3.117", ALL + "\x1b[0m", Pen()),
    ("no parameter is 0", "ECMA-48 8.3.117", ALL + "\x1b[m", Pen()),
    ("an empty parameter is 0", "ECMA-48 5.4.2", ALL + "\x1b[;3m", Pen(italics=True)),
    ("an empty last parameter is 0", "ECMA-48 5.4.2", "\x1b[1;m", Pen()),
    ("0 between others ends what came before", "ECMA-48 8.3.117", "\x1b[1;31;0;4m",
     Pen(underscore=True)),
    ("39 ends the colour", "ECMA-48 8.3.117", "\x1b[31;44;39m", Pen(bg="blue")),
    ("49 ends the background", "ECMA-48 8.3.117", "\x1b[31;44;49m", Pen(fg="red")),
    ("39 ends a colour of 38", "ECMA-48 8.3.117", "\x1b[38;5;9;1;39m", Pen(bold=True)),
    ("49 ends a background of 48", "ECMA-48 8.3.117", "\x1b[48;2;1;2;3;1;49m", Pen(bold=True)),
    ("the last colour counts", "ECMA-48 8.3.117", "\x1b[31;32m", Pen(fg="green")),
    ("styles add up over sequences", "ECMA-48 8.3.117", "\x1b[1m\x1b[31m\x1b[44m",
     Pen("red", "blue", bold=True)),
    ("unknown codes are skipped", "ECMA-48 8.3.117", "\x1b[99;1;73;110m", Pen(bold=True)),
    ("fonts are skipped", "ECMA-48 8.3.117", "\x1b[10;11;19;20;1;50m", Pen(bold=True)),
    ("overlines are skipped", "ECMA-48 8.3.117", "\x1b[53;1;55m", Pen(bold=True)),
    ("38;5 is a colour of 256", "xterm SGR", "\x1b[38;5;196m", Pen(fg="ff0000")),
    ("48;5 is a background of 256", "xterm SGR", "\x1b[48;5;21m", Pen(bg="0000ff")),
    ("38;5;0 is the first of 256", "xterm SGR", "\x1b[38;5;0m", Pen(fg=FG_BG_256[0])),
    ("38;5;255 is the last of 256", "xterm SGR", "\x1b[38;5;255m", Pen(fg="eeeeee")),
    ("38;5 without a number is 0", "ECMA-48 5.4.2", "\x1b[38;5;;1m",
     Pen(fg=FG_BG_256[0], bold=True)),
    ("38;2 is a colour of red, green, blue", "xterm SGR", "\x1b[38;2;1;2;3m", Pen(fg="010203")),
    ("48;2 is a background", "xterm SGR", "\x1b[48;2;255;128;0m", Pen(bg="ff8000")),
    ("38;2 without numbers is black", "ECMA-48 5.4.2", "\x1b[38;2;;;m", Pen(fg="000000")),
    ("38:5 is a colour of 256", "ISO 8613-6", "\x1b[38:5:196m", Pen(fg="ff0000")),
    ("48:5 is a background of 256", "ISO 8613-6", "\x1b[48:5:21m", Pen(bg="0000ff")),
    ("38:2 has a colour space that may be empty", "ISO 8613-6", "\x1b[38:2::1:2:3m",
     Pen(fg="010203")),
    ("38:2 has a colour space that may be given", "ISO 8613-6", "\x1b[38:2:1:1:2:3m",
     Pen(fg="010203")),
    ("38:2 may have a tolerance", "ISO 8613-6", "\x1b[38:2::1:2:3::0:1m", Pen(fg="010203")),
    ("38:2 may lack the colour space", "xterm SGR", "\x1b[38:2:1:2:3m", Pen(fg="010203")),
    ("48:2 is a background", "ISO 8613-6", "\x1b[48:2::255:128:0m", Pen(bg="ff8000")),
    ("38;5 stands between others", "xterm SGR", "\x1b[1;38;5;196;4m",
     Pen(fg="ff0000", bold=True, underscore=True)),
    ("38:2 stands between others", "ISO 8613-6", "\x1b[1;38:2::1:2:3;4m",
     Pen(fg="010203", bold=True, underscore=True)),
    ("38;2 and 48;2 stand in one sequence", "xterm SGR", "\x1b[38;2;1;2;3;48;2;4;5;6;1m",
     Pen("010203", "040506", bold=True)),
    ("4:0 ends the underline", "kitty underlines", "\x1b[1;4m\x1b[4:0m", Pen(bold=True)),
    ("4:1 is underlined", "kitty underlines", "\x1b[4:1m", Pen(underscore=True)),
    ("4:3 is curly, not italicized", "kitty underlines", "\x1b[4:3m", Pen(underscore=True)),
    ("4:5 is dashed, not blinking", "kitty underlines", "\x1b[4:5m", Pen(underscore=True)),
    ("24 ends 4:3", "kitty underlines", "\x1b[4:3;24m", Pen()),
    ("58;5 colours an underline and blinks nothing", "kitty underlines", "\x1b[58;5;7m", Pen()),
    ("58;2 colours an underline", "kitty underlines", "\x1b[58;2;1;3;9;4m", Pen(underscore=True)),
    ("58:2 colours an underline", "kitty underlines", "\x1b[58:2::1:3:9m", Pen()),
    ("58:5 colours an underline", "kitty underlines", "\x1b[58:5:1m", Pen()),
    ("59 ends it", "kitty underlines", "\x1b[58;5;7;1;59m", Pen(bold=True)),
    ("38 alone is nothing", "xterm SGR", "\x1b[38m", Pen()),
    ("38;5 alone is nothing", "xterm SGR", "\x1b[38;5m", Pen()),
    ("38;2 cut short is nothing", "xterm SGR", "\x1b[38;2;1;3m", Pen()),
    ("48 cut short is nothing", "xterm SGR", "\x1b[1;48;2;1m", Pen(bold=True)),
    ("38:5 cut short is nothing", "ISO 8613-6", "\x1b[38:5;1m", Pen(bold=True)),
    ("38:2 cut short is nothing", "ISO 8613-6", "\x1b[38:2:1:3;1m", Pen(bold=True)),
    ("38 cut short leaves the colour", "xterm SGR", "\x1b[31m\x1b[38;5m", Pen(fg="red")),
    ("a colour over 255 is nothing", "xterm SGR", "\x1b[38;5;256;1m", Pen(bold=True)),
    ("a red over 255 is nothing", "xterm SGR", "\x1b[38;2;256;4;9;1m", Pen(bold=True)),
    ("leading zeros change no number", "ECMA-48 5.4.2", "\x1b[0001;00031m", Pen("red", bold=True)),
    ("LF and CR keep the style", "ECMA-48 8.3.117", "\x1b[1m\n\r\x1b[A", Pen(bold=True)),
    ("an erase keeps the style", "ECMA-48 8.3.117", "\x1b[1;44m\x1b[2J", Pen(bg="blue", bold=True)),
    ("a title keeps the style", "ECMA-48 8.3.117", "\x1b[1m\x1b]0;\x1b\\", Pen(bold=True)),
    ("DECRC brings the style back", "DEC STD 070 DECSC", "\x1b[1;31m\x1b7\x1b[0;44m\x1b8",
     Pen("red", bold=True)),
    ("a marked SGR is another sequence", "xterm XTMODKEYS",
     "\x1b[>1m\x1b[?1m\x1b[<1m\x1b[=1m", Pen()),
    ("SGR with an intermediate is another sequence", "ECMA-48 5.4.1", "\x1b[1 m\x1b[1%m", Pen()),
]
STYLES += [
    row
    for first, prefix, source in ((30, "", "ECMA-48 8.3.117"), (90, "bright", "aixterm SGR"))
    for code, name in enumerate((prefix + name for name in NAMES), first)
    for row in (
        (f"{code} is {name}", source, f"\x1b[{code}m", Pen(fg=name)),
        (f"{code + 10} is {name} behind", source, f"\x1b[{code + 10}m", Pen(bg=name)),
    )
]
# fmt: on


@in_pieces
@pytest.mark.parametrize(
    ("sequences", "pen"), [row[2:] for row in STYLES], ids=[row[0] for row in STYLES]
)
def test_sgr_styles_the_text_that_follows(sequences: str, pen: Pen, pieces: Pieces) -> None:
    """Text has the style that the sequences before it add up to, and so has pyte's view of it."""
    terminal = Terminal(10, 4)

    for piece in pieces(sequences + "x"):
        terminal.receive(piece)

    frame = terminal.picture()
    assert frame.lines[0] == "x"
    assert frame.rows[0].pen(0) == pen
    assert terminal.screen.cursor.pen == pen
    char = terminal.screen.buffer[0][0]
    assert (char.fg, char.bg) == (pen.fg, pen.bg)
    assert (char.bold, char.italics, char.underscore) == (pen.bold, pen.italics, pen.underscore)
    assert (char.strikethrough, char.reverse) == (pen.strikethrough, pen.reverse)
