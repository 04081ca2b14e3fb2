"""What a reader of the pictures can read is hidden, whatever the program wrote to put it there."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from geminipty.asciicast import Event
from geminipty.redaction import HIDDEN, Cleaner, Redactor, clean
from geminipty.redaction.kinds import SERVICES as KNOWN_SERVICES
from geminipty.terminal import Terminal

from .playing import load
from .redaction_layouts import PICTURES, SCREEN, Layout, long_ago
from .secrets import CORPUS, SECRETS, SERVICES, left, output


def cleaned(events: list[Event], redactor: Redactor | None = None) -> list[Event]:
    """The events of a run on the screen of the layouts, without its secrets."""
    return clean(events, redactor or Redactor(), SCREEN.columns, SCREEN.lines).events


def painted(events: list[Event]) -> tuple[str, ...]:
    """The rows that a screen shows at the end."""
    terminal = Terminal(SCREEN.columns, SCREEN.lines)
    for event in events:
        terminal.receive(str(event.data))
    return tuple(line.rstrip() for line in terminal.picture().lines)


def cases() -> Iterator[Any]:
    """Every secret in every layout, but in quick tests not those that take long."""
    for layout in PICTURES:
        for name in CORPUS:
            quick = name in (SECRETS if layout is not long_ago else ["npm-token"])
            marks = () if quick else pytest.mark.live
            yield pytest.param(name, layout, marks=marks, id=f"{name}-{layout.__name__}")


@pytest.mark.parametrize(("name", "layout"), [*cases()])
def test_nothing_of_a_secret_is_left_on_a_picture(name: str, layout: Layout) -> None:
    """Written in any order and moved by the terminal, it is hidden from the file and the screen."""
    text, secret = CORPUS[name]
    for events in layout(text):
        assert left(events, secret, SCREEN), "the secret is not planted"

        out = cleaned(events)

        assert left(out, secret, SCREEN) == []
        assert [event[:2] for event in out] == [event[:2] for event in events]


def test_every_service_has_a_sample() -> None:
    """The services that are known are those that the corpus plants."""
    assert set(SERVICES) == set(KNOWN_SERVICES)


@pytest.mark.parametrize("layout", PICTURES, ids=lambda layout: layout.__name__)
def test_a_picture_keeps_what_is_no_secret(layout: Layout) -> None:
    """Other text in the same layout comes out as it went in, to the byte."""
    for events in layout("the quick brown fox jumps over the lazy dog, once more"):
        assert cleaned(events) == events


def test_only_what_shows_the_secret_is_hidden() -> None:
    """Characters beside it, and those that were written over, stay."""
    _, secret = SECRETS["npm-token"]
    written = "".join(f"?\b{char}" for char in secret)
    hidden = f"?\b{HIDDEN}" * len(secret)

    (out,) = cleaned(output(f"before {written} after"))

    assert str(out.data) == f"before {hidden} after"
    assert painted([out])[0] == f"before {HIDDEN * len(secret)} after"


def test_what_was_written_before_it_was_known_is_told_at_the_end() -> None:
    """A recording that is written as it goes hears then which events hold a part."""
    value = "Tr0ub4dor"
    events = output(f"\x1b[5;1H{value[:4]} ", "other\r\n", f"\x1b[5;5H{value[4:]}")
    cleaner = Cleaner(Redactor([value]), SCREEN.columns, SCREEN.lines)

    early = cleaner.all(events)

    assert early[0] == events[0]
    assert cleaner.is_late
    assert [event.data for event in cleaner.late(early)] == [
        f"\x1b[5;1H{HIDDEN * 4} ",
        "other\r\n",
        f"\x1b[5;5H{HIDDEN * 5}",
    ]


def test_a_known_value_is_hidden_on_a_picture() -> None:
    """What the caller named is found in any order, too."""
    value = "correct horse battery"
    for layout in PICTURES:
        for events in layout(value):
            out = cleaned(events, Redactor([value]))

            assert left(out, value.replace(" ", ""), SCREEN) == []
            assert all(value not in row for row in painted(out))


def test_the_bundled_recordings_show_no_secret(recording: Path) -> None:
    """No picture of any recording has anything to hide, and all come out as they went in."""
    header, events = load(recording)

    assert clean(events, Redactor(), header.columns, header.lines) == (events, [])
