"""A film on the viewer's own terminal: the rows that changed, and a line that says where we are.

Rule: the viewer's terminal sees only sequences of our making. Pictures come as rows with our
colours; names and numbers are painted on a screen of ours first, like everything else.
"""

from typing import Final

from geminipty.terminal import Frame, Terminal

from .ansi import draw_row
from .player import Player

ENTER: Final = "\x1b[?1049h"
#: No cursor, no wrapping (a character that is wider there tears no row), an empty screen.
CLEAR: Final = "\x1b[?25l\x1b[?7l\x1b[0m\x1b[2J"
LEAVE: Final = "\x1b[?2026l\x1b[0m\x1b[?7h\x1b[?25h\x1b[?1049l"
_KEYS: Final = "space pause  . next  left back  [ ] markers  q quit"
_STEP_KEYS: Final = "space next  left back  [ ] markers  q quit"


class Projection:
    """What was painted on the viewer's terminal, of `columns` by `lines`."""

    def __init__(self, columns: int, lines: int, *, colours: bool = True) -> None:
        self._columns, self._lines = max(columns, 1), max(lines, 1)
        self._colours = colours
        self._painted: list[str | None] = [None] * self._lines

    def draw(self, player: Player) -> str:
        """What to write so that the terminal shows the player's picture and the status line."""
        frame = player.picture.frame
        room = self._lines - 1
        top = max(_reach(frame) - room, 0)
        seen = frame.rows[top : top + room]
        columns = min(frame.columns, self._columns)
        rows = [draw_row(row, columns, colours=self._colours) for row in seen]
        rows += [""] * (room - len(rows))
        rows.append(f"\x1b[7m{self._status(player)}\x1b[0m")
        parts = ["\x1b[?2026h\x1b[?25l"]
        for y, row in enumerate(rows):
            if row != self._painted[y]:
                parts.append(f"\x1b[{y + 1};1H\x1b[2K{row}")
        self._painted = list(rows)
        x, y = frame.cursor
        if frame.cursor_shown and x < columns and 0 <= y - top < room:
            parts.append(f"\x1b[{y - top + 1};{x + 1}H\x1b[?25h")
        parts.append("\x1b[?2026l")
        return "".join(parts)

    def _status(self, player: Player) -> str:
        frame, film = player.picture.frame, player.film
        state = "playing" if player.playing else "step" if player.step else "paused"
        parts = [
            "end" if player.at_end else state,
            f"{player.position:.1f} of {film.seconds:.1f} s",
            f"speed {player.speed:g}",
        ]
        if frame.columns > self._columns or _reach(frame) > self._lines - 1:
            size = f"{frame.columns}x{len(frame.rows)}"
            parts.append(f"bottom left of {size}")
        if film.thinned > 1:
            parts.append(f"1 picture of {film.thinned}")
        if player.marker is not None:
            parts.append(f"[{player.marker.name[:40]}]")
        parts.append(_STEP_KEYS if player.step else _KEYS)
        return _one_row(" " + " | ".join(parts), self._columns)


def _reach(frame: Frame) -> int:
    """The rows down to the last that shows something."""
    lines = len(frame.rows)
    low = frame.cursor[1] + 1 if frame.cursor_shown else 0
    while lines > low and not frame.rows[lines - 1].text.strip():
        lines -= 1
    return lines


def _one_row(text: str, columns: int) -> str:
    """A line of text as a full row of a terminal; what is no letter or sign is a question mark."""
    safe = "".join(char if char.isprintable() else "?" for char in text[:columns])
    terminal = Terminal(columns, 3)  # wide characters may take twice the columns
    terminal.receive(safe)
    return terminal.picture().rows[0].padded(columns)
