"""A picture as SVG: the terminal's cells in a plain window, as text that can be selected.

Rule: every run of text says where it stands and how wide it is, so that columns stay columns in
any font; no script, no link, no font is named that would have to be fetched.
"""

from collections.abc import Iterator
from itertools import groupby
from typing import Final

from geminipty.errors import UsageError
from geminipty.terminal import Frame, Pen, Row
from geminipty.visible import drawable, markup, short

from .colours import Theme
from .shapes import HEIGHT, WIDTH, Shape, shape

FONT_SIZE: Final = 15  # a cell of 9: nearly all monospace fonts are 0.6 wide
_BASELINE: Final = 15
_PAD: Final = 12
#: Pixels of a picture: 16 times a screen of 200 by 60 characters. As an SVG it has up to 40 MB, as
#: pixels it takes four bytes of memory for each.
_MOST: Final = 64_000_000
_BAR: Final = 30
_FAMILY: Final = "ui-monospace,Menlo,Consolas,DejaVu Sans Mono,Liberation Mono,monospace"
_DEFAULT: Final = Pen()
_Run = tuple[int, int, str, Pen]


def draw(frame: Frame, theme: Theme | None = None, *, title: str | None = None) -> str:
    """The picture in a window; its title is the terminal's unless another is given.

    UsageError if it would be too large.
    """
    theme = theme or Theme()
    width, height = size(frame)
    if width * height > _MOST:
        raise UsageError(f"{width} by {height} pixels are too many for a picture; use --text")
    name = short(frame.title if title is None else title, max(frame.columns - 8, 4))
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}" font-family="{_FAMILY}" font-size="{FONT_SIZE}">\n',
        # Browsers go by the style, other programs by xml:space.
        "<style>text{white-space:pre}</style>\n",
        f'<rect x="0.5" y="0.5" width="{width - 1}" height="{height - 1}" rx="8" '
        f'fill="{theme.background}" stroke="#808080" stroke-opacity="0.6"/>\n',
        f'<path d="M0.5 {_BAR - 6.5}H{width - 0.5}" stroke="#808080" stroke-opacity="0.4"/>\n',
    ]
    if name:
        parts.append(
            f'<text x="{width / 2:g}" y="17" font-size="12" text-anchor="middle" '
            f'fill="{theme.foreground}" fill-opacity="0.7">{markup(name)}</text>\n'
        )
    parts.append(f'<g transform="translate({_PAD} {_BAR})" xml:space="preserve">\n')
    for y, row in enumerate(frame.rows):
        parts += _row(row, y * HEIGHT, frame.columns, theme)
    if frame.cursor_shown:
        x, y = frame.cursor
        parts.append(
            f'<rect x="{min(x, frame.columns - 1) * WIDTH}" y="{y * HEIGHT}" width="{WIDTH}" '
            f'height="{HEIGHT}" fill="{theme.foreground}" fill-opacity="0.5"/>\n'
        )
    return "".join((*parts, "</g>\n</svg>\n"))


def size(frame: Frame) -> tuple[int, int]:
    """The width and height of its picture."""
    return frame.columns * WIDTH + 2 * _PAD, len(frame.rows) * HEIGHT + _BAR + _PAD


def _row(row: Row, top: int, columns: int, theme: Theme) -> Iterator[str]:
    runs = list(_runs(row, columns))
    for start, end, _, pen in runs:
        behind = theme.colours(pen)[1]
        if behind is not None:
            yield (
                f'<rect x="{start * WIDTH}" y="{top}" width="{(end - start) * WIDTH}" '
                f'height="{HEIGHT}" fill="{behind}" shape-rendering="crispEdges"/>\n'
            )
    for start, end, text, pen in runs:
        if pen.hidden or (not text.strip() and not (pen.underscore or pen.strikethrough)):
            continue
        colour = theme.colours(pen)[0]
        style = ' opacity="0.5"' if pen.dim else ""
        drawn = shape(text[0])
        if drawn is not None:
            yield from _shapes(drawn, end - start, (start * WIDTH, top), f'"{colour}"{style}')
            style += ' fill-opacity="0"'  # the text is there to be selected
        else:
            style += _face(pen)
        yield (
            f'<text x="{start * WIDTH}" y="{top + _BASELINE}" '
            f'textLength="{(end - start) * WIDTH}" lengthAdjust="spacingAndGlyphs" '
            f'fill="{colour}"{style}>{markup(text)}</text>\n'
        )


def _runs(row: Row, columns: int) -> Iterator[_Run]:
    """Pieces of a row that are drawn alike: where they begin and end, their text and pen.

    A character that is not plain stands alone, so that its width in the font moves no other.
    """
    cells = row.shown(columns)
    pens: list[Pen] = []
    for end, pen in row.spans:
        pens += [pen] * (min(end, columns) - len(pens))
    pens += [_DEFAULT] * (len(cells) - len(pens))
    cells += [" "] * (len(pens) - len(cells))
    start = 0
    alone = 0
    keys = []
    for cell, pen in zip(cells, pens, strict=True):
        if cell and not (cell.isascii() or shape(cell)):
            alone += 1
        keys.append((pen, cell if shape(cell) else "", alone if not cell.isascii() else 0))
        if not cell:
            keys[-1] = keys[-2]
    for (pen, _, _), run in groupby(zip(keys, cells, strict=True), key=lambda pair: pair[0]):
        some = [drawable(cell) for _, cell in run]
        yield start, start + len(some), "".join(some), pen
        start += len(some)


def _shapes(drawn: Shape, count: int, at: tuple[int, int], paint: str) -> Iterator[str]:
    if path := drawn.filled(count, *at):
        opacity = f' fill-opacity="{drawn.opacity}"' if drawn.opacity < 1 else ""
        yield f'<path d="{path}" shape-rendering="crispEdges"{opacity} fill={paint}/>\n'
    for width, path in drawn.stroked(count, *at).items():
        yield f'<path d="{path}" fill="none" stroke-width="{width}" stroke={paint}/>\n'


def _face(pen: Pen) -> str:
    lines = [
        name
        for name, on in (("underline", pen.underscore), ("line-through", pen.strikethrough))
        if on
    ]
    return (
        (' font-weight="bold"' if pen.bold else "")
        + (' font-style="italic"' if pen.italics else "")
        + (f' text-decoration="{" ".join(lines)}"' if lines else "")
    )
