"""The numbers in a control sequence.

Rule: a program may write as many and as large numbers as it likes; what comes out is bounded.
"""

from functools import lru_cache
from typing import Final

#: A parameter, or a group of sub-parameters that were joined by colons (``38:2::1:2:3``).
Param = int | tuple[int, ...]
Params = tuple[Param, ...]

#: The parameter in ``CSI > 4 ; ? m``, with which the CLI asks for a keyboard option.
ASKED: Final = -1

MAX_PARAMS: Final = 32
MAX_PARAM: Final = 65535
#: A sequence with more is swallowed: 32 parameters of five digits fit.
MAX_PARAM_TEXT: Final = 256


@lru_cache(maxsize=4096)
def parse_params(text: str) -> Params:
    """The numbers of ``1;2:3``: missing ones are 0, none at all is an empty tuple."""
    if not text:
        return ()
    return tuple(map(_parse_param, text.split(";")[:MAX_PARAMS]))


def _parse_param(text: str) -> Param:
    if ":" in text:
        return tuple(map(_parse_number, text.split(":")[:MAX_PARAMS]))
    return _parse_number(text)


def _parse_number(text: str) -> int:
    # More than five digits are over the limit whatever they are; int() is not asked, because it
    # is slow for thousands of digits.
    digits = text.lstrip("0")
    return MAX_PARAM if len(digits) > 5 else min(int(digits or "0"), MAX_PARAM)
