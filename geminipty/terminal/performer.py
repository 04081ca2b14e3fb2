"""Does to the screen what the parser read, and tells the cutter what that means for the picture.

Rule: what is not in these tables does nothing at all.
"""

from collections.abc import Callable
from typing import Final

from pyte.modes import DECOM

from .cells import width
from .frames import BRACKETED_PASTE, Cutter
from .params import ASKED, Params
from .queries import Answers, Query
from .screen import Screen
from .work import ACTION

_UPDATE: Final = 2026


class Performer:
    """The parser's sink."""

    def __init__(self, screen: Screen, cutter: Cutter, answers: Answers) -> None:
        self._screen = screen
        self._cutter = cutter
        self._answers = answers
        #: The character that REP would repeat: only straight after it.
        self._repeatable = ""
        #: The last action moved the cursor up: what follows may park it.
        self._moved_up = False

    def forget(self) -> None:
        """Something else acted on the screen: what follows follows that."""
        self._moved_up = False
        self._repeatable = ""
        self._screen.work.done += ACTION

    def text(self, text: str) -> None:
        """Paint."""
        self.forget()
        self._screen.draw(text)
        self._repeatable = text[-1] if width(text[-1]) else ""
        self._cutter.painted()

    def control(self, char: str) -> None:
        """Act on a C0 control."""
        self.forget()
        if method := _CONTROLS.get(char):
            method(self._screen)

    def escape(self, intermediates: str, final: str) -> None:
        """Act on an escape sequence."""
        self.forget()
        if intermediates in ("(", ")"):
            self._screen.define_charset(final, intermediates)
        elif (intermediates, final) in (("", "c"), ("#", "8")):
            self._cutter.erasing()
            _ESCAPES[intermediates, final](self._screen)
            if intermediates:
                self._cutter.painted()
        elif method := _ESCAPES.get((intermediates, final)):
            method(self._screen)

    def csi(self, private: str, params: Params, intermediates: str, final: str) -> None:
        """Act on a control sequence."""
        self._screen.work.done += ACTION
        key = private + intermediates + final
        moved_up, self._moved_up = self._moved_up, key == "A"
        repeatable, self._repeatable = self._repeatable, ""
        screen = self._screen
        if key == "m":
            screen.cursor.pen = screen.cursor.pen.after(params)
            self._repeatable = repeatable
        elif key in ("J", "K") and _first(params) == 2:
            self._cutter.erasing()
            (screen.erase_in_display if key == "J" else screen.erase_in_line)(2)
        elif key == "J" and _first(params) == 3:
            screen.erase_in_display(3)  # the picture stays
        elif key in _EDITS:
            _EDITS[key](screen, _first(params))
            self._cutter.painted()
        elif key in _MOVES:
            _MOVES[key](screen, _first(params))
            if key == "G" and moved_up and params:
                self._cutter.parked()
        elif key in ("H", "f", "r"):
            numbers = [_first(params), _first(params[1:])]
            (screen.set_margins if key == "r" else screen.cursor_position)(*numbers)
        elif key == "b":
            screen.repeat(repeatable, _first(params))
            self._cutter.painted()
        elif final in "hl" and not intermediates and private in ("", "?"):
            self._switch(params, on=final == "h", private=bool(private))
        elif key in _QUERIES and params in _QUERIES[key]:
            self._answers.ask(_QUERIES[key][params], self._reported_cursor())

    def osc(self, body: str) -> None:
        """Act on an operating system command."""
        self.forget()
        code, _, rest = body.partition(";")
        if code in ("0", "2"):
            before = self._screen.title
            self._screen.set_title(rest)
            if self._screen.title != before:
                self._cutter.aside()
        if code in ("0", "1"):
            self._screen.set_icon_name(rest)
        if rest == "?" and code in _COLOUR_QUERIES:
            self._answers.ask(_COLOUR_QUERIES[code])

    def _switch(self, params: Params, *, on: bool, private: bool) -> None:
        screen, cutter = self._screen, self._cutter
        alternate, paste = screen.is_alternate, BRACKETED_PASTE in screen.mode
        for mode in params:
            if not isinstance(mode, int):
                continue
            if private and mode in (3, 47, 1047, 1049):
                cutter.erasing()
            (screen.set_mode if on else screen.reset_mode)(mode, private=private)
            if private and mode == _UPDATE:
                (cutter.update_begins if on else cutter.update_ends)()
        if alternate and not screen.is_alternate:
            cutter.painted()  # what stood before the alternate screen is back, whole
        if paste != (BRACKETED_PASTE in screen.mode):
            cutter.aside()

    def _reported_cursor(self) -> tuple[int, int]:
        screen = self._screen
        top = screen.region[0] if DECOM in screen.mode else 0
        return min(screen.cursor.x, screen.columns - 1), screen.cursor.y - top


def _first(params: Params) -> int:
    """The first parameter, 0 if there is none; sub-parameters mean nothing here."""
    return params[0] if params and isinstance(params[0], int) else 0


_Simple = Callable[[Screen], None]
_Counted = Callable[[Screen, int], None]

_CONTROLS: Final[dict[str, _Simple]] = {
    "\x08": Screen.backspace,
    "\x09": Screen.tab,
    "\x0a": Screen.linefeed,
    "\x0b": Screen.linefeed,
    "\x0c": Screen.linefeed,
    "\x0d": Screen.carriage_return,
    "\x0e": Screen.shift_out,
    "\x0f": Screen.shift_in,
}


def _next_line(screen: Screen) -> None:
    screen.index()
    screen.carriage_return()


_ESCAPES: Final[dict[tuple[str, str], _Simple]] = {
    ("", "c"): Screen.reset,
    ("", "D"): Screen.index,
    ("", "E"): _next_line,
    ("", "H"): Screen.set_tab_stop,
    ("", "M"): Screen.reverse_index,
    ("", "7"): Screen.save_cursor,
    ("", "8"): Screen.restore_cursor,
    ("#", "8"): Screen.alignment_display,
}

#: What changes a picture in place. Selective erase (``?J``) is not among them: it spares
#: protected text, and which that is nobody keeps.
_EDITS: Final[dict[str, _Counted]] = {
    "@": Screen.insert_characters,
    "J": Screen.erase_in_display,
    "K": Screen.erase_in_line,
    "L": Screen.insert_lines,
    "M": Screen.delete_lines,
    "P": Screen.delete_characters,
    "S": Screen.scroll_up,
    "T": Screen.scroll_down,
    "X": Screen.erase_characters,
}

_MOVES: Final[dict[str, _Counted]] = {
    "A": Screen.cursor_up,
    "B": Screen.cursor_down,
    "C": Screen.cursor_forward,
    "D": Screen.cursor_back,
    "E": Screen.cursor_down1,
    "F": Screen.cursor_up1,
    "G": Screen.cursor_to_column,
    "I": Screen.tab,
    "Z": Screen.back_tab,
    "`": Screen.cursor_to_column,
    "a": Screen.cursor_forward,
    "d": Screen.cursor_to_line,
    "e": Screen.cursor_to_line_relative,
    "g": Screen.clear_tab_stop,
    "k": Screen.cursor_up,
    "j": Screen.cursor_back,
    "s": lambda screen, _: screen.save_cursor(),
    "u": lambda screen, _: screen.restore_cursor(),
    "!p": lambda screen, _: screen.soft_reset(),
}

_QUERIES: Final[dict[str, dict[Params, Query]]] = {
    "c": {(): Query.DA1, (0,): Query.DA1},
    ">c": {(): Query.DA2, (0,): Query.DA2},
    "n": {(5,): Query.DSR, (6,): Query.CPR},
    ">q": {(): Query.XTVERSION, (0,): Query.XTVERSION},
    "?u": {(): Query.KITTY},
    "?m": {(4,): Query.MODIFY_OTHER_KEYS},
    ">m": {(4, ASKED): Query.MODIFY_OTHER_KEYS},
}
_COLOUR_QUERIES: Final = {"10": Query.FOREGROUND, "11": Query.BACKGROUND}
