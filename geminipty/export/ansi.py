"""A picture as text for a terminal, with colours or without.

Rule: the only control characters that leave here are newlines and SGR sequences of our own making.
"""

from typing import Final

from pyte import graphics

from geminipty.terminal import Frame, Pen, Row
from geminipty.visible import plain

_FOREGROUND: Final = {
    name: str(code) for code, name in (graphics.FG_ANSI | graphics.FG_AIXTERM).items()
}
#: The same names; pyte's own table of bright backgrounds has a misprint.
_BACKGROUND: Final = {name: str(int(code) + 10) for name, code in _FOREGROUND.items()}
#: SGR codes in the order of Pen.flags.
_FLAGS: Final = ("1", "2", "3", "4", "9", "7", "5", "8")


def draw(frame: Frame, *, scrolled: bool = False, colours: bool = True) -> str:
    """The picture's rows, without the blank ones at the end; `scrolled` adds the lines above."""
    above = [(row, row.width) for row in frame.scrolled] if scrolled else []
    rows = above + [(row, frame.columns) for row in frame.rows]
    while rows and not rows[-1][0].text:
        rows.pop()
    return "".join(f"{draw_row(row, columns, colours=colours)}\n" for row, columns in rows)


def draw_row(row: Row, columns: int, *, colours: bool = True) -> str:
    """What `columns` columns show of a row, without plain blanks at the end."""
    return _coloured(row, columns) if colours else plain(row.clipped(columns))


def _coloured(row: Row, columns: int) -> str:
    cells = row.shown(columns)
    parts = []
    start = 0
    for end, pen in row.spans:
        if text := plain("".join(cells[start:end])):
            codes = sgr(pen)
            parts.append(f"\x1b[{codes}m{text}\x1b[0m" if codes else text)
        start = end
    parts.append(plain("".join(cells[start:])).rstrip(" "))
    return "".join(parts)


def sgr(pen: Pen) -> str:
    """The parameters of the sequence that makes this pen out of a plain one."""
    codes = [code for code, on in zip(_FLAGS, pen.flags, strict=True) if on]
    if pen.fg != "default":
        codes.append(_FOREGROUND.get(pen.fg) or f"38;2;{_rgb(pen.fg)}")
    if pen.bg != "default":
        codes.append(_BACKGROUND.get(pen.bg) or f"48;2;{_rgb(pen.bg)}")
    return ";".join(codes)


def _rgb(colour: str) -> str:
    return ";".join(str(int(colour[i : i + 2], 16)) for i in (0, 2, 4))
