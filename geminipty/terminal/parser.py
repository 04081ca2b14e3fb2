"""Cuts a terminal's output into actions: text, controls, escape and control sequences, titles.

Rule: the actions depend on the text alone, never on how it was cut into chunks, and nothing but
printable text is ever handed on as text. Every string sequence (OSC, DCS, APC, PM, SOS) is
swallowed whole; all lengths are bounded.

The machine is a table of state and character class. Two things are taken in one step because
they cannot differ from the table's way: a run of characters that leaves the state as it is, and
a control sequence that arrived whole.
"""

import re
from collections.abc import Callable
from enum import Enum, auto
from typing import Final, Protocol

from .params import ASKED, MAX_PARAM_TEXT, Params, parse_params

MAX_INTERMEDIATES: Final = 4
#: A longer operating system command is swallowed.
MAX_OSC: Final = 64 * 1024


class Sink(Protocol):
    """What a parser needs of whoever acts on its actions."""

    def text(self, text: str) -> None:
        """Printable characters, in order; never empty, never a control character."""

    def control(self, char: str) -> None:
        """One C0 control character."""

    def escape(self, intermediates: str, final: str) -> None:
        """An escape sequence; C1 controls arrive as their seven-bit twins."""

    def csi(self, private: str, params: Params, intermediates: str, final: str) -> None:
        """A control sequence; `private` is one of ``? > < =`` or empty."""

    def osc(self, body: str) -> None:
        """The body of a complete operating system command."""


class State(Enum):
    """Where in a sequence the parser stands."""

    GROUND = auto()
    ESCAPE = auto()
    ESCAPE_INTERMEDIATE = auto()
    CSI = auto()
    CSI_PARAM = auto()
    CSI_INTERMEDIATE = auto()
    CSI_QUESTION = auto()
    CSI_IGNORE = auto()
    OSC = auto()
    OSC_ESCAPE = auto()
    STRING = auto()
    STRING_ESCAPE = auto()


class _Class(Enum):
    """What kind of character the table is asked about."""

    CONTROL = auto()  # C0 but those below
    BEL = auto()
    CANCEL = auto()  # CAN, SUB
    ESC = auto()
    INTERMEDIATE = auto()  # space to /
    PARAM = auto()  # 0 to 9 : ;
    PRIVATE = auto()  # < = >
    QUESTION = auto()  # ?
    CSI_OPEN = auto()  # [
    OSC_OPEN = auto()  # ]
    STRING_OPEN = auto()  # P X ^ _
    BACKSLASH = auto()
    FINAL = auto()  # the rest of @ to ~
    DEL = auto()
    HIGH = auto()  # from U+00A0 on


_TEXT = re.compile(r"[^\x00-\x1f\x7f-\x9f]+")
_WHOLE_CSI = re.compile(
    rf"\x1b\[([<-?]?)([0-9:;]{{0,{MAX_PARAM_TEXT}}})([ -/]{{0,{MAX_INTERMEDIATES}}})([@-~])"
)
#: What stays inside a string: all but BEL, CAN, SUB, ESC and C1.
_STRING_RUN = re.compile(r"[^\x07\x18\x1a\x1b\x80-\x9f]+")
_C0 = re.compile(r"[\x00-\x1f\x7f]")


class Parser:
    """Hands a :class:`Sink` the actions of a text that may arrive in any pieces."""

    __slots__ = ("_body", "_body_length", "_intermediates", "_params", "_private", "_sink", "state")

    def __init__(self, sink: Sink) -> None:
        self._sink = sink
        self.state = State.GROUND
        self._clear("")

    def feed(self, text: str) -> None:
        """Hand on all actions that `text` completes."""
        position, end = 0, len(text)
        while position < end:
            state = self.state
            if state is State.GROUND:
                if run := _TEXT.match(text, position):
                    self._sink.text(run.group())
                    position = run.end()
                    continue
                if whole := _WHOLE_CSI.match(text, position):
                    private, params, intermediates, final = whole.groups()
                    self._sink.csi(private, parse_params(params), intermediates, final)
                    position = whole.end()
                    continue
            elif state in _STRINGS and (run := _STRING_RUN.match(text, position)):
                self._collect_body(run.group())
                position = run.end()
                continue
            self._step(text[position])
            position += 1

    def resume(self, text: str) -> int:
        """Feed only what ends the sequence that is under way: the index where `text` goes on."""
        position = 0
        while self.state is not State.GROUND and position < len(text):
            run = _STRING_RUN.match(text, position) if self.state in _STRINGS else None
            end = run.end() if run else position + 1
            self.feed(text[position:end])
            position = end
        return position

    def _step(self, char: str) -> None:
        if "\x80" <= char <= "\x9f":  # C1: ECMA-48 makes each the same as ESC and its twin
            self._step("\x1b")
            char = chr(ord(char) - 0x40)
        action, self.state = _TABLE[self.state][_class_of(char)]
        action(self, char)

    # The table's actions. None of them chooses the next state.

    def _ignore(self, char: str) -> None:
        pass

    def _text(self, char: str) -> None:
        self._sink.text(char)

    def _control(self, char: str) -> None:
        self._sink.control(char)

    def _clear(self, char: str) -> None:  # noqa: ARG002 - actions share one signature
        self._private = self._params = self._intermediates = ""
        self._body: list[str] = []
        self._body_length = 0

    def _collect_private(self, char: str) -> None:
        self._private = char

    def _collect_param(self, char: str) -> None:
        if len(self._params) <= MAX_PARAM_TEXT:
            self._params += char

    def _collect_intermediate(self, char: str) -> None:
        if len(self._intermediates) <= MAX_INTERMEDIATES:
            self._intermediates += char

    def _collect_body(self, run: str) -> None:
        # Only an OSC is ever handed on; the body of the others is not kept.
        if self.state is State.OSC and self._body_length <= MAX_OSC:
            self._body_length += len(run)
            self._body.append(run)

    def _dispatch_escape(self, char: str) -> None:
        if len(self._intermediates) <= MAX_INTERMEDIATES:
            self._sink.escape(self._intermediates, char)

    def _dispatch_csi(self, char: str) -> None:
        if len(self._params) <= MAX_PARAM_TEXT and len(self._intermediates) <= MAX_INTERMEDIATES:
            self._sink.csi(self._private, parse_params(self._params), self._intermediates, char)

    def _dispatch_question(self, char: str) -> None:
        """Only ``CSI > n ; ?`` is one that we know; other misplaced markers void a sequence."""
        if self._private == ">" and self._params.endswith(";") and char == "m":
            self._sink.csi(">", (*parse_params(self._params[:-1]), ASKED), "", char)

    def _dispatch_osc(self, char: str) -> None:
        body = "".join(self._body) if self._body_length <= MAX_OSC else None
        self._clear(char)
        if body is not None:
            self._sink.osc(_C0.sub("", body))

    def _cancel_string(self, char: str) -> None:
        """ESC in a string with anything but a backslash: the string is void, ESC begins anew."""
        self._clear(char)
        self._step(char)


_STRINGS: Final = (State.OSC, State.STRING)


def _class_of(char: str) -> _Class:
    return _CLASSES[ord(char)] if char < "\x80" else _Class.HIGH


def _classes() -> list[_Class]:
    classes = [_Class.CONTROL] * 0x20 + [_Class.INTERMEDIATE] * 0x10
    classes += [_Class.PARAM] * 12 + [_Class.PRIVATE] * 4 + [_Class.FINAL] * 0x3F + [_Class.DEL]
    for chars, kind in (
        ("\x07", _Class.BEL),
        ("\x18\x1a", _Class.CANCEL),
        ("\x1b", _Class.ESC),
        ("?", _Class.QUESTION),
        ("[", _Class.CSI_OPEN),
        ("]", _Class.OSC_OPEN),
        ("PX^_", _Class.STRING_OPEN),
        ("\\", _Class.BACKSLASH),
    ):
        for char in chars:
            classes[ord(char)] = kind
    return classes


_CLASSES: Final = _classes()
_Step = tuple[Callable[[Parser, str], None], State]
_FINALS: Final = (
    _Class.FINAL,
    _Class.CSI_OPEN,
    _Class.OSC_OPEN,
    _Class.STRING_OPEN,
    _Class.BACKSLASH,
)


def _row(state: State, *rules: tuple[tuple[_Class, ...], _Step]) -> dict[_Class, _Step]:
    """One state's row: what holds in every sequence, overridden by the state's own rules."""
    row: dict[_Class, _Step] = dict.fromkeys(_Class, (Parser._ignore, state))
    row[_Class.CONTROL] = row[_Class.BEL] = (Parser._control, state)
    row[_Class.CANCEL] = (Parser._clear, State.GROUND)
    row[_Class.ESC] = (Parser._clear, State.ESCAPE)
    row[_Class.HIGH] = (Parser._text, State.GROUND)  # no sequence holds it: it is text again
    for classes, step in rules:
        row.update(dict.fromkeys(classes, step))
    return row


def _string_row(state: State, escape: State, bel: _Step) -> dict[_Class, _Step]:
    """A string's row: whatever is not its end stays inside."""
    row: dict[_Class, _Step] = dict.fromkeys(_Class, (Parser._collect_body, state))
    row[_Class.CANCEL] = (Parser._clear, State.GROUND)
    row[_Class.ESC] = (Parser._ignore, escape)
    row[_Class.BEL] = bel
    return row


def _string_escape_row(end: _Step) -> dict[_Class, _Step]:
    row: dict[_Class, _Step] = dict.fromkeys(_Class, (Parser._cancel_string, State.ESCAPE))
    row[_Class.BACKSLASH] = end
    return row


_PARAM, _PRIVATE = (_Class.PARAM,), (_Class.PRIVATE, _Class.QUESTION)
_INTERMEDIATE: Final = (_Class.INTERMEDIATE,)
_PRINTABLE: Final = (*_INTERMEDIATE, *_PARAM, *_PRIVATE, *_FINALS)
_TO_GROUND: Final = (Parser._ignore, State.GROUND)
_ESCAPE_ENDS: Final = (Parser._dispatch_escape, State.GROUND)
_CSI_ENDS: Final = (Parser._dispatch_csi, State.GROUND)
_OSC_ENDS: Final = (Parser._dispatch_osc, State.GROUND)

_TABLE: Final[dict[State, dict[_Class, _Step]]] = {
    State.GROUND: _row(State.GROUND, (_PRINTABLE, (Parser._text, State.GROUND))),
    State.ESCAPE: _row(
        State.ESCAPE,
        (_INTERMEDIATE, (Parser._collect_intermediate, State.ESCAPE_INTERMEDIATE)),
        ((*_PARAM, *_PRIVATE, *_FINALS), _ESCAPE_ENDS),
        ((_Class.CSI_OPEN,), (Parser._ignore, State.CSI)),
        ((_Class.OSC_OPEN,), (Parser._ignore, State.OSC)),
        ((_Class.STRING_OPEN,), (Parser._ignore, State.STRING)),
    ),
    State.ESCAPE_INTERMEDIATE: _row(
        State.ESCAPE_INTERMEDIATE,
        (_INTERMEDIATE, (Parser._collect_intermediate, State.ESCAPE_INTERMEDIATE)),
        ((*_PARAM, *_PRIVATE, *_FINALS), _ESCAPE_ENDS),
    ),
    State.CSI: _row(
        State.CSI,
        (_PRIVATE, (Parser._collect_private, State.CSI_PARAM)),
        (_PARAM, (Parser._collect_param, State.CSI_PARAM)),
        (_INTERMEDIATE, (Parser._collect_intermediate, State.CSI_INTERMEDIATE)),
        (_FINALS, _CSI_ENDS),
    ),
    State.CSI_PARAM: _row(
        State.CSI_PARAM,
        (_PRIVATE, (Parser._ignore, State.CSI_IGNORE)),
        ((_Class.QUESTION,), (Parser._ignore, State.CSI_QUESTION)),
        (_PARAM, (Parser._collect_param, State.CSI_PARAM)),
        (_INTERMEDIATE, (Parser._collect_intermediate, State.CSI_INTERMEDIATE)),
        (_FINALS, _CSI_ENDS),
    ),
    State.CSI_INTERMEDIATE: _row(
        State.CSI_INTERMEDIATE,
        ((*_PARAM, *_PRIVATE), (Parser._ignore, State.CSI_IGNORE)),
        (_INTERMEDIATE, (Parser._collect_intermediate, State.CSI_INTERMEDIATE)),
        (_FINALS, _CSI_ENDS),
    ),
    State.CSI_QUESTION: _row(
        State.CSI_QUESTION,
        ((*_PARAM, *_PRIVATE, *_INTERMEDIATE), (Parser._ignore, State.CSI_IGNORE)),
        (_FINALS, (Parser._dispatch_question, State.GROUND)),
    ),
    State.CSI_IGNORE: _row(State.CSI_IGNORE, (_FINALS, _TO_GROUND)),
    State.OSC: _string_row(State.OSC, State.OSC_ESCAPE, _OSC_ENDS),
    State.OSC_ESCAPE: _string_escape_row(_OSC_ENDS),
    State.STRING: _string_row(
        State.STRING, State.STRING_ESCAPE, (Parser._collect_body, State.STRING)
    ),
    State.STRING_ESCAPE: _string_escape_row(_TO_GROUND),
}
