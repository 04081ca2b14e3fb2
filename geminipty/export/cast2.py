"""A recording as asciicast v2, for players that know no newer format.

Rule: output, input, markers and resizes keep their text and their times to the last digit; what
v2 has no word for (exit statuses, codes of others) is left out. The recorded output is passed on as
it is: this form is for players, which obey it as a terminal does.
"""

from collections.abc import Iterable, Iterator
from typing import Any, Final

from pydantic_core import to_json

from geminipty.asciicast import Event, Header
from geminipty.visible import escaped

_CODES: Final = frozenset("oimr")
#: Keys that mean something else in v2, or that its readers take for v3's.
_RESERVED: Final = frozenset({"version", "width", "height", "theme", "term"})


def lines(header: Header, events: Iterable[Event]) -> Iterator[str]:
    """The lines of the file, the header first."""
    yield _line(_header(header))
    for time, code, data in events:
        if code in _CODES:
            yield _line([time, code, data])


def _header(header: Header) -> dict[str, Any]:
    env = header.env | ({"TERM": header.term_type} if header.term_type else {})
    mapped: dict[str, Any] = {
        "timestamp": header.timestamp,
        "idle_time_limit": header.idle_time_limit,
        "command": header.command,
        "title": header.title,
        "env": env or None,
        "theme": header.theme or None,
        "tags": header.tags or None,
    }
    size: dict[str, Any] = {"version": 2, "width": header.columns, "height": header.lines}
    extra = {key: value for key, value in header.extra.items() if key not in _RESERVED}
    return size | {key: value for key, value in mapped.items() if value is not None} | extra


def _line(value: object) -> str:
    return escaped(to_json(value).decode()) + "\n"
