"""A moment of a recording, as a picture.

Rule: the picture is the one that a terminal would have shown, painted by the same code as live.
"""

from math import inf
from typing import Final

from geminipty.asciicast import DEFAULT_LIMITS, Limits, Recording
from geminipty.terminal import Frame, Terminal, Work

_PIECE: Final = 4096


def picture_at(recording: Recording, at: float = inf, *, limits: Limits = DEFAULT_LIMITS) -> Frame:
    """The screen `at` seconds into a recording, or at its end; consumes its events.

    Raises RecordingInvalid if painting it costs more than `limits.work`.
    """
    terminal = Terminal(recording.header.columns, recording.header.lines, work=Work(limits.work))
    for event in recording.events:
        if event.time > at:
            break
        if event.code == "o":
            text = str(event.data)
            # In pieces: one event may hold thousands of pictures, and only the last is wanted.
            for start in range(0, len(text), _PIECE):
                terminal.receive(text[start : start + _PIECE])
                terminal.frames()
        elif event.code == "r":
            terminal.resize(*event.size)
    return terminal.picture()
