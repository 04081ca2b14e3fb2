"""A picture as PNG, drawn from its SVG.

Rule: what the SVG says is what is drawn; nothing is fetched, and the renderer is asked for only
when a PNG is.
"""

from geminipty.errors import UsageError
from geminipty.terminal import Frame

from . import svg
from .colours import Theme
from .fonts import Font


def draw(frame: Frame, font: Font, theme: Theme | None = None) -> bytes:
    """The picture as the bytes of a PNG file.

    UsageError if the extra `png` is not installed, or if the picture would be too large.
    """
    try:
        import resvg_py  # wheels for all systems, and no system library
    except ModuleNotFoundError:
        raise UsageError(
            "PNG needs a renderer that is not installed; run: pip install 'geminipty[png]'"
        ) from None
    return bytes(
        resvg_py.svg_to_bytes(
            svg_string=svg.draw(frame, theme),
            font_family=font.family,
            monospace_family=font.family,
            font_files=[str(file) for file in font.files],
        )
    )
