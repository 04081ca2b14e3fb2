"""The parser's actions: the same for every chunking, and no text but text."""

from collections.abc import Iterable

import pytest
from hypothesis import example, given

from geminipty.terminal.params import ASKED, MAX_PARAM, MAX_PARAMS, Params, parse_params
from geminipty.terminal.parser import MAX_OSC, Parser, State

from .conftest import examples
from .streams import any_stream, cut, places

Action = tuple[object, ...]


class Notes:
    """A sink that notes each action; neighbouring text is one text, as cuts may divide it."""

    def __init__(self) -> None:
        self.actions: list[Action] = []

    def text(self, text: str) -> None:
        """Note text."""
        if self.actions and self.actions[-1][0] == "text":
            text = f"{self.actions.pop()[1]}{text}"
        self.actions.append(("text", text))

    def control(self, char: str) -> None:
        """Note a control."""
        self.actions.append(("control", char))

    def escape(self, intermediates: str, final: str) -> None:
        """Note an escape sequence."""
        self.actions.append(("escape", intermediates, final))

    def csi(self, private: str, params: Params, intermediates: str, final: str) -> None:
        """Note a control sequence."""
        self.actions.append(("csi", private, params, intermediates, final))

    def osc(self, body: str) -> None:
        """Note an operating system command."""
        self.actions.append(("osc", body))


def parse(chunks: Iterable[str]) -> tuple[list[Action], State]:
    """The actions of a text that arrives in chunks, and where the parser stands then."""
    notes = Notes()
    parser = Parser(notes)
    for chunk in chunks:
        parser.feed(chunk)
    return notes.actions, parser.state


@examples(2000)
@given(any_stream, places)
@example("\x1b[38;2;1;2;3mx\x1b]0;t\x1b\\\x1b[>4;?m", [0.5])
def test_any_chunking_gives_the_same_actions(stream: str, at: list[float]) -> None:
    """Whole, cut anywhere, or one character at a time: the same actions and state."""
    whole = parse([stream])

    assert parse(stream) == whole
    assert parse(cut(stream, at)) == whole


@examples(500)
@given(any_stream)
def test_text_never_holds_a_control_character(stream: str) -> None:
    """Whatever comes in, what is handed on as text is printable."""
    for action in parse([stream])[0]:
        if action[0] == "text":
            assert not any(c < " " or "\x7f" <= c <= "\x9f" for c in str(action[1]))


@examples(500)
@given(any_stream, any_stream)
def test_resume_takes_only_the_rest_of_a_sequence(before: str, after: str) -> None:
    """What resume leaves is read from the ground, and nothing is read twice."""
    notes = Notes()
    parser = Parser(notes)

    parser.feed(before)
    index = parser.resume(after)

    assert parser.state is State.GROUND or index == len(after)
    parser.feed(after[index:])
    assert (notes.actions, parser.state) == parse([before + after])


@pytest.mark.parametrize("opener", ["\x1b]", "\x1bP", "\x1b_", "\x1b^", "\x1bX", "\x9d", "\x90"])
@pytest.mark.parametrize(
    ("ending", "after"),
    [
        ("\x1b\\", []),
        ("\x9c", []),
        ("\x18", []),
        ("\x1a", []),
        ("\x1b[A", [("csi", "", (), "", "A")]),
        ("\x1bD", [("escape", "", "D")]),
        ("\x1b\x18", []),
    ],
)
def test_a_string_sequence_is_swallowed_whole(
    opener: str, ending: str, after: list[Action]
) -> None:
    """A string ends at ST, is void after CAN, SUB or another ESC, and leaves no text."""
    body = "52;c;secret \r\n text ◇"

    actions, state = parse([f"{opener}{body}{ending}ok"])

    assert [action for action in actions if action[0] != "osc"] == [*after, ("text", "ok")]
    assert state is State.GROUND
    dispatched = opener in ("\x1b]", "\x9d") and ending in ("\x1b\\", "\x9c")
    assert (("osc", "52;c;secret  text ◇") in actions) == dispatched


def test_bel_ends_an_osc_and_no_other_string() -> None:
    """BEL is the end of a title, and a character like any other inside a DCS."""
    assert parse(["\x1b]0;t\x07x"])[0] == [("osc", "0;t"), ("text", "x")]
    assert parse(["\x1bPq\x07x\x1b\\y"])[0] == [("text", "y")]


def test_an_endless_string_is_bounded_and_not_handed_on() -> None:
    """An OSC over the limit is swallowed; what follows it is read as ever."""
    short, long = "2;" + "x" * (MAX_OSC - 2), "2;" + "x" * (MAX_OSC - 1)

    assert parse([f"\x1b]{short}\x07"])[0] == [("osc", short)]
    assert parse([f"\x1b]{long}\x07ok"])[0] == [("text", "ok")]
    assert parse(["\x1b]", *["x" * 1000] * 100, "\x07ok"])[0] == [("text", "ok")]


@pytest.mark.parametrize(
    ("sequence", "action"),
    [
        ("\x1b[m", ("csi", "", (), "", "m")),
        ("\x1b[;5H", ("csi", "", (0, 5), "", "H")),
        ("\x1b[?1049h", ("csi", "?", (1049,), "", "h")),
        ("\x1b[>4;2m", ("csi", ">", (4, 2), "", "m")),
        ("\x1b[<u", ("csi", "<", (), "", "u")),
        ("\x1b[=1u", ("csi", "=", (1,), "", "u")),
        ("\x1b[!p", ("csi", "", (), "!", "p")),
        ("\x1b[?2026$p", ("csi", "?", (2026,), "$", "p")),
        ("\x1b[38:2::1:2:3m", ("csi", "", ((38, 2, 0, 1, 2, 3),), "", "m")),
        ("\x1b[4:3;1m", ("csi", "", ((4, 3), 1), "", "m")),
        ("\x9b5A", ("csi", "", (5,), "", "A")),
        ("\x1b[>4;?m", ("csi", ">", (4, ASKED), "", "m")),
    ],
)
def test_the_parts_of_a_control_sequence_are_kept_apart(sequence: str, action: Action) -> None:
    """Private marker, parameters, sub-parameters, intermediates and final byte, each its own."""
    assert parse([sequence])[0] == [action]
    assert parse(sequence)[0] == [action]


@pytest.mark.parametrize(
    "sequence",
    [
        "\x1b[1?2h",
        "\x1b[1;?H",
        "\x1b[ 1m",
        "\x1b[??h",
        "\x1b[" + "1;" * 200 + "m",
        "\x1b[" + " " * 9 + "q",
        "\x1b[>4;?1m",
        "\x1b[1\x18",
    ],
)
def test_a_malformed_sequence_does_nothing(sequence: str) -> None:
    """It is swallowed up to its end, without an action and without text."""
    assert parse([sequence + "ok"])[0] == [("text", "ok")]
    assert parse(sequence + "ok")[0] == [("text", "ok")]


def test_controls_inside_a_sequence_act_at_once() -> None:
    """A line feed within a control sequence is done before the sequence is (ECMA-48, DEC)."""
    assert parse(["\x1b[3\n1m"])[0] == [("control", "\n"), ("csi", "", (31,), "", "m")]


def test_numbers_are_bounded() -> None:
    """Thousands of digits or parameters cost nothing and stay within the limits."""
    assert parse_params("9" * 5000) == (MAX_PARAM,)
    assert parse_params("0" * 5000 + "7") == (7,)
    assert len(parse_params("1;" * 100)) == MAX_PARAMS
    assert parse_params("1:" * 100) == ((*[1] * MAX_PARAMS,),)
