"""Ways in which a text can get into a recording: as a stream, and only as a picture."""

import json
import random
from collections.abc import Callable, Iterable, Iterator
from itertools import groupby
from typing import TYPE_CHECKING

from geminipty.asciicast import Event, Header

from .secrets import COLUMNS, output

if TYPE_CHECKING:
    from pydantic import JsonValue

Layout = Callable[[str], Iterable[list[Event]]]
#: What pictures are painted on: wide enough for a token in one row.
SCREEN = Header(columns=100, lines=40)


def whole(text: str) -> Iterable[list[Event]]:
    """In one event, alone and in a sentence."""
    yield output(text)
    yield output(f"see {text} here\r\n")


def split_over_events(text: str) -> Iterable[list[Event]]:
    """Cut in two at every place, and character by character."""
    for at in range(1, len(text)):
        yield output(f"see {text[:at]}", f"{text[at:]} here\r\n")
    yield output(*f"see {text} here\r\n")


def split_by_colours(text: str) -> Iterable[list[Event]]:
    """A change of colour at every place, and before every character."""
    for at in range(1, len(text)):
        yield output(f"see {text[:at]}\x1b[1;38;2;9;9;9m{text[at:]}\x1b[0m here\r\n")
    yield output("".join(f"\x1b[3{number % 8}m{char}" for number, char in enumerate(text)))


def wrapped(text: str) -> Iterable[list[Event]]:
    """At the right edge, after every number of characters, the next rows indented."""
    for at in range(1, min(len(text), COLUMNS - 4)):
        first, rest = text[:at], text[at:].replace("\r\n", "")
        rows = [rest[start : start + COLUMNS - 4] for start in range(0, len(rest), COLUMNS - 4)]
        indented = "".join(f"\r\n  {row}" for row in rows)
        if "\r\n" not in first:
            yield output(f"{first:>{COLUMNS - 2}}{indented} and on\r\n")


def wrapped_in_a_box(text: str) -> Iterable[list[Event]]:
    """In boxes of several widths, whole and cut into events."""
    for width in range(COLUMNS - 12, COLUMNS - 3):
        rows = [
            row[at : at + width] for row in text.split("\r\n") for at in range(0, len(row), width)
        ]
        box = "".join(f"│ {row:<{width}} │\x1b[K\r\n" for row in rows)
        yield output(f"╭{'─' * (width + 2)}╮\r\n{box}╰{'─' * (width + 2)}╯\r\n")
        yield output(*(box[at : at + 7] for at in range(0, len(box), 7)))


def wrapped_by_the_terminal(text: str) -> Iterable[list[Event]]:
    """From every column on."""
    for column in range(COLUMNS):
        yield output(f"{' ' * column}{text} here\r\n")


def typed(text: str) -> Iterable[list[Event]]:
    """Key by key, pasted, and pasted in two."""
    yield [Event(number, "i", key) for number, key in enumerate(f"use {text}\r")]
    yield [Event(0, "i", f"\x1b[200~use {text}\x1b[201~\r")]
    for at in range(1, len(text), 5):
        yield [Event(0, "i", f"\x1b[200~{text[:at]}"), Event(0, "i", f"{text[at:]}\x1b[201~")]


def title(text: str) -> Iterable[list[Event]]:
    """As a window's title, cut at every place."""
    sequence = f"\x1b]0;◇ {text} (proj)\x07ok\r\n"
    for at in range(len(sequence)):
        yield output(sequence[:at], sequence[at:])
    yield output(f"\x1b]2;{text}\x1b\\")


def aside(text: str) -> Iterable[list[Event]]:
    """As a marker, and in the JSON of an event of our own, as a string or not."""
    deep: JsonValue = {"er": [{"text": f"see {text}."}]}
    data: dict[str, JsonValue] = {"text": ["a", text], text: True, "deep": deep}
    yield [Event(0, "m", f"asked: {text}")]
    yield [Event(0, "s", json.dumps(data))]
    yield [Event(0, "s", json.dumps(f"only {text}"))]
    yield [Event(0, "s", f"no JSON: {text}")]
    yield [Event(0, "z", data)]


#: What a reader of the stream sees, on a screen of `COLUMNS`.
STREAMS: tuple[Layout, ...] = (
    *(whole, split_over_events, split_by_colours, wrapped, wrapped_in_a_box),
    *(wrapped_by_the_terminal, typed, title, aside),
)

#: Where a text begins that is placed by the cursor; long ones reach the edge.
_TOP, _LEFT = 4, 61


def _placed(text: str) -> list[str]:
    """Each character with the jump of the cursor to its place."""
    jumps = []
    row, column = _TOP, _LEFT
    for line in text.split("\r\n"):
        for char in line:
            if column > SCREEN.columns:
                row, column = row + 1, 1
            jumps.append(f"\x1b[{row};{column}H{char}")
            column += 1
        row, column = row + 1, 1
    return jumps


def _shuffled(text: str) -> list[str]:
    jumps = _placed(text)
    random.Random(text).shuffle(jumps)
    return jumps


def _rows(text: str) -> list[str]:
    """The text in rows of half a screen, the last column of which is the screen's."""
    width = SCREEN.columns
    lines = (f"{'':>{_LEFT - 1}}{line}" for line in text.split("\r\n"))
    return [line[at : at + width] for line in lines for at in range(0, len(line), width)]


def corrected_by_backspace(text: str) -> Iterator[list[Event]]:
    """A wrong character before each, which is then written over."""
    yield output("".join(char if char in "\r\n" else f"x\b{char}" for char in text))


def placed_in_order(text: str) -> Iterator[list[Event]]:
    """Each character by a jump of the cursor, in one event and in many."""
    yield output("".join(_placed(text)))
    yield output(*_placed(text))


def placed_in_columns(text: str) -> Iterator[list[Event]]:
    """Each character by the number of its column."""
    rows = (enumerate(row, 1) for row in _rows(text))
    yield output(
        "\r\n".join("".join(f"\x1b[{column}G{char}" for column, char in row) for row in rows)
    )


def placed_from_the_end(text: str) -> Iterator[list[Event]]:
    """The last character first."""
    yield output("".join(reversed(_placed(text))))


def placed_in_any_order(text: str) -> Iterator[list[Event]]:
    """In one event and in many."""
    yield output("".join(_shuffled(text)))
    yield output(*_shuffled(text))


def in_two_passes(text: str) -> Iterator[list[Event]]:
    """Every second character, then the others."""
    jumps = _placed(text)
    yield output("".join(jumps[::2]), "".join(jumps[1::2]))


def repeated_by_the_terminal(text: str) -> Iterator[list[Event]]:
    """What stands twice or more is written once."""
    runs = ((char, len(list(run))) for char, run in groupby(text))
    yield output("".join(f"{char}\x1b[{count - 1}b" if count > 1 else char for char, count in runs))


def inserted(text: str) -> Iterator[list[Event]]:
    """Each character before the others, by ICH and in insert mode; and a part in the middle."""
    if "\r\n" in text:
        return  # this moves what is in one row
    row = text[: SCREEN.columns - 12]
    yield output("".join(f"\r\x1b[1@{char}" for char in reversed(row)))
    yield output("\x1b[4h" + "".join(f"\r{char}" for char in reversed(row)) + "\x1b[4l")
    third = len(row) // 3
    middle = row[third:-third]
    yield output(f"{row[:third]}{row[-third:]}\x1b[{third + 1}G\x1b[{len(middle)}@{middle}")


def deleted_between(text: str) -> Iterator[list[Event]]:
    """With something in its middle that is deleted then, at once and later."""
    if "\r\n" in text:
        return  # this moves what is in one row
    row = text[: SCREEN.columns - 12]
    half = len(row) // 2
    parts = (f"{row[:half]}!! no !!{row[half:]}", f"\x1b[{half + 1}G\x1b[8P")
    yield output("".join(parts))
    yield output(*parts)


def moved_together(text: str) -> Iterator[list[Event]]:
    """Rows with another one between them, which is deleted."""
    rows = _rows(text)
    apart = "".join(f"\x1b[{2 * y + 3};1H{row}" for y, row in enumerate(rows))
    yield output(apart, *(f"\x1b[{y + 4};1H\x1b[M" for y in range(len(rows) - 1)))


def on_the_other_screen(text: str) -> Iterator[list[Event]]:
    """On the alternate screen, which is left."""
    yield output("\x1b[?1049h\x1b[2J" + "".join(_shuffled(text)), "\x1b[?1049l")


def scrolled_off(text: str) -> Iterator[list[Event]]:
    """And then out of sight."""
    yield output("".join(_shuffled(text)), f"\x1b[{SCREEN.lines};1H" + "\r\n" * (SCREEN.lines + 10))


def long_ago(text: str) -> Iterator[list[Event]]:
    """Half of it long before the other half: events of that time are written already."""
    jumps = _placed(text)
    between = [f"\x1b[{SCREEN.lines - 19};1H" + "nothing of any kind " * 80 for _ in range(60)]
    yield output("".join(jumps[::2]), *between, "".join(jumps[1::2]))


#: What no stream of text shows.
PICTURES: tuple[Layout, ...] = (
    *(corrected_by_backspace, placed_in_order, placed_in_columns, placed_from_the_end),
    *(placed_in_any_order, in_two_passes, repeated_by_the_terminal, inserted, deleted_between),
    *(moved_together, on_the_other_screen, scrolled_off, long_ago),
)
