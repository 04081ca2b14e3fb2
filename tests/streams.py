"""Streams of terminal output for properties: what the CLI writes, and what a foe would.

Rule: small and dense, because what breaks a terminal is what stands next to what, not how much
there is. The pieces are made once, with a fixed seed; hypothesis chooses and joins them, which is
fast and shrinks well.
"""

import random
from collections.abc import Callable

from hypothesis import strategies as st

_chance = random.Random(1970)
_one = _chance.choice


def _some(make: Callable[[], str], most: int, least: int = 0) -> str:
    return "".join(make() for _ in range(_chance.randint(least, most)))


def _number() -> str:
    large = ["", "0", "00", "65535", "65536", "99999999999999999999"]
    return _one(large) if _chance.random() < 0.3 else str(_chance.randint(0, 12))


def _params() -> str:
    return ";".join(_number() for _ in range(_chance.randint(0, 4)))


def _sgr() -> str:
    usual = ["", "0", "1", "2", "7", "8", "22", "27", "39", "49", "38;5;200", "48;5;17", "4:3"]
    colours = ["38;2;1;2;3", "48;2;9;8;7", "38:2::1:2:3", "58;5;7", "38;5", "38;2;1"]
    return f"\x1b[{_one([*usual, *colours, _params()])}m"


def _simple_text() -> str:
    return _some(lambda: _one("abcXYZ 019.─│▄▀✦⠋é"), 14, 1)


def _odd_text() -> str:
    european = ["e\u0301", "\u0300", "\u20e3", "\u200b", "\u200f", "❤", "♂"]
    emoji = ["🎉", "👩", "\u200d", "\ufe0f", "⚠️", "1️⃣", "🇩🇪", "👍🏽"]
    asian = ["日本", "한", "न", "म", "स्ते", "ก็", "ｗ"]
    return _some(lambda: _one([*european, *emoji, *asian]), 5, 1)


def _text() -> str:
    return _one([_simple_text, _odd_text])()


def _csi() -> str:
    if _chance.random() < 0.6:
        return f"\x1b[{_params()}{_one('ABCDEFGHIJKLMPSTXZ@`abdefghjkrsu')}"
    private, between = _one(["?", ">", "<", "=", ""]), _one(["", " ", "!", '"', "$", "  !!!"])
    return f"\x1b[{private}{_params()}{between}{_one('hlmpquncJKxyz{|}~')}"


def _mode() -> str:
    screen = ["4", "20", "?3", "?5", "?6", "?7", "?25", "?47", "?1047", "?1048", "?1049"]
    return f"\x1b[{_one([*screen, '?2004', '?2026', '?2026', '?1;7'])}{_one('hl')}"


def _string() -> str:
    osc = ["\x1b]0;", "\x1b]2;", "\x1b]8;;", "\x1b]11;?", "\x1b]52;c;", "\x9d0;"]
    opener = _one([*osc, "\x1bP", "\x1b_", "\x1b^", "\x1bX", "\x90"])
    ending = _one(["\x07", "\x1b\\", "\x9c", "\x18", "\x1a", "\x1b", "\x1b[A", ""])
    return opener + _some(lambda: _one("ab ◇;?\r\n\x01"), 6) + ending


def _painted_line() -> str:
    """A line as the CLI paints it: styles that are closed again, then CR LF."""
    return _some(lambda: _sgr() + _text(), 3) + "\x1b[0m\r\n"


def _erase_run() -> str:
    down = _one(["", "\x1b[2B", "\x1b[4B"])
    return down + "\x1b[2K\x1b[1A" * _chance.randint(0, 6) + "\x1b[2K\x1b[G"


def _park() -> str:
    return f"\x1b[{_chance.randint(0, 4)}A\x1b[{_chance.randint(0, 9)}G"


def _picture() -> str:
    """A picture as the CLI paints it."""
    before = _one(["", "\x1b[?25l", "\x1b[?2026h", "\x1b[2J\x1b[3J\x1b[H"])
    lines = _some(lambda: _one([_painted_line(), _simple_text() + "\r\n", "\r\n"]), 6)
    after = _one([_park(), _park(), "", "\x1b[?2026l", "\x1b]0;◇  Ready\x07", "half a line"])
    return before + _erase_run() + lines + after


_CONTROLS = ["\r", "\n", "\r\n", "\r\n", "\r\n", "\t", "\x08", "\x0b", "\x07", "\x00"]
_ESCAPES = [
    *["\x1b7", "\x1b8", "\x1bD", "\x1bE", "\x1bM", "\x1bH", "\x1bc", "\x1b#8", "\x1b(0", "\x1b(B"],
    *["\x1b)0", "\x0e", "\x0f", "\x1b", "\x1b[", "\x1b[?", "\x1b(", "\x1b[>4;?m", "\x1b[1;?H"],
    *["\x9b", "\x84", "\x85", "\x8d", "\x9c", "\x7f", "\x1b%G"],
]
_MAKERS = [_text, _sgr, _csi, _mode, _string, _painted_line, _erase_run, _park]
_PIECES = [
    *_CONTROLS * 12,
    *_ESCAPES * 4,
    *(make() for make in _MAKERS for _ in range(120)),
]
_PICTURES = [_picture() for _ in range(400)]

#: Anything a terminal may meet.
hostile = st.lists(st.sampled_from(_PIECES), max_size=24).map("".join)
#: What the CLI writes, with something else in between.
cli_like = st.lists(st.sampled_from(_PICTURES) | st.sampled_from(_PIECES), max_size=6).map("".join)
#: Both, and noise.
any_stream = st.one_of(
    hostile,
    cli_like,
    hostile,
    cli_like,
    st.text(max_size=40),
    st.binary(max_size=60).map(lambda data: data.decode("latin1")),
)

#: Where to cut a stream, as parts of its length.
places = st.lists(st.floats(0, 1), max_size=6)


def cut(stream: str, at: list[float]) -> list[str]:
    """The stream in pieces."""
    ends = sorted({round(place * len(stream)) for place in at})
    return [stream[a:b] for a, b in zip([0, *ends], [*ends, len(stream)], strict=True)]
