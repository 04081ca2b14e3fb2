"""Recordings played into a terminal, the way a session does it: text, then the time."""

from collections.abc import Callable, Iterable
from pathlib import Path

from geminipty.asciicast import Event, Header
from geminipty.terminal import Frame, Terminal
from geminipty.transports.files import open_recording


def load(path: Path) -> tuple[Header, list[Event]]:
    """A recording's header and all of its events."""
    with open_recording(path) as recording:
        return recording.header, list(recording.events)


def outputs(path: Path) -> tuple[Header, list[tuple[float, str]]]:
    """A recording's header and its output, with times."""
    header, events = load(path)
    return header, [(event.time, str(event.data)) for event in events if event.code == "o"]


def play(
    header: Header,
    output: Iterable[tuple[float, str]],
    cut: Callable[[str], Iterable[str]] = lambda text: [text],
) -> list[Frame]:
    """The Frames of a recording; `cut` divides what arrived at one moment into chunks."""
    terminal = Terminal(header.columns, header.lines)
    frames: list[Frame] = []
    now = 0.0
    for now, text in output:
        for chunk in cut(text):
            terminal.tick(now)
            terminal.receive(chunk)
            terminal.tick(now)
            frames += terminal.frames()
    terminal.tick(now + 60)
    terminal.end()
    return frames + terminal.frames()
