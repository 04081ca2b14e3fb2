"""The colours of a picture as the terminal shows them, for forms that have no terminal.

Rule: a recording's own theme is used only if all of it is colours; it is untrusted text.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from pyte import graphics

from geminipty.terminal import Pen

#: The colours of the asciinema player, so that a page and a picture look alike.
_FOREGROUND: Final = "#cccccc"
_BACKGROUND: Final = "#121314"
_PALETTE: Final = (
    "#000000", "#dd3c69", "#4ebf22", "#ddaf3c", "#26b0d7", "#b954e1", "#54e1b9", "#d9d9d9",
    "#4d4d4d", "#dd3c69", "#4ebf22", "#ddaf3c", "#26b0d7", "#b954e1", "#54e1b9", "#ffffff",
)  # fmt: skip
#: pyte's names of the sixteen colours, in their order.
_NAMES: Final = [
    name for name in (graphics.FG_ANSI | graphics.FG_AIXTERM).values() if name != "default"
]
_COLOUR: Final = re.compile("#[0-9a-fA-F]{6}")


@dataclass(frozen=True, slots=True)
class Theme:
    """What the colours that have no value of their own look like."""

    foreground: str = _FOREGROUND
    background: str = _BACKGROUND
    palette: tuple[str, ...] = _PALETTE

    def colours(self, pen: Pen) -> tuple[str, str | None]:
        """The colour of the text and of what is behind it, None for the terminal's own."""
        fg = self._value(pen.fg) or self.foreground
        bg = self._value(pen.bg)
        return (bg or self.background, fg) if pen.reverse else (fg, bg)

    def as_header(self) -> dict[str, str]:
        """The theme as a recording's header has it."""
        palette = ":".join(self.palette)
        return {"fg": self.foreground, "bg": self.background, "palette": palette}

    def _value(self, colour: str) -> str | None:
        if colour == "default":
            return None
        return self.palette[_NAMES.index(colour)] if colour in _NAMES else f"#{colour}"


def theme_of(header: Mapping[str, str]) -> Theme:
    """The theme that a recording names in its header, or ours."""
    values = [header.get("fg", ""), header.get("bg", ""), *header.get("palette", "").split(":")]
    if len(values) not in (10, 18) or not all(map(_COLOUR.fullmatch, values)):
        return Theme()
    fg, bg, *palette = values
    return Theme(fg, bg, tuple(palette if len(palette) == 16 else palette * 2))
