"""A picture with what was read off it, row by row, and why: for people who doubt a reading.

Rule: the picture is one that the reading could use: finished, not torn.
"""

from collections.abc import Iterator
from math import inf
from typing import Final

from geminipty.asciicast import DEFAULT_LIMITS, Limits, Recording
from geminipty.errors import RecordingError
from geminipty.model import Status
from geminipty.reading import Reading, labels
from geminipty.terminal import Frame, Terminal, Work

_PIECE: Final = 4096


def frames(
    recording: Recording, *, limits: Limits = DEFAULT_LIMITS
) -> Iterator[tuple[float, Frame]]:
    """The finished pictures of a recording and their times; consumes its events.

    Raises RecordingInvalid if painting it costs more than `limits.work`.
    """
    terminal = Terminal(recording.header.columns, recording.header.lines, work=Work(limits.work))
    now = 0.0
    for event in recording.events:
        while (due := terminal.deadline) is not None and due <= event.time:
            terminal.tick(due)
            for frame in terminal.frames():
                yield due, frame
        now = event.time
        if event.code == "o":
            text = str(event.data)
            # In pieces: one event may hold thousands of pictures.
            for start in range(0, len(text), _PIECE):
                terminal.receive(text[start : start + _PIECE])
                terminal.tick(now)
                for frame in terminal.frames():
                    yield now, frame
        elif event.code == "r":
            terminal.resize(*event.size)
    while (due := terminal.deadline) is not None:
        now = due
        terminal.tick(now)
        for frame in terminal.frames():
            yield now, frame
    terminal.end()
    for frame in terminal.frames():
        yield now, frame


def frame_at(recording: Recording, at: float = inf) -> tuple[float, Frame]:
    """The last finished picture up to `at` seconds; RecordingError if there is none."""
    found = None
    for time, frame in frames(recording):
        if time > at:
            break
        found = (time, frame)
    if found is None:
        raise RecordingError(
            "no picture was finished by then; the first one comes later (see: geminipty read)"
        )
    return found


def explain(reading: Reading, *, after: Reading | None = None) -> str:
    """The picture in a box with a label for each row, the status, and why.

    Rows at the top that `after` shows too are only counted.
    """
    frame = reading.frame
    names = labels(reading)
    width = max(map(len, names), default=0)
    shown = len(names)
    while shown and not names[shown - 1]:
        shown -= 1
    edge = "─" * frame.columns
    side = " " * width
    same = 0
    if after is not None:
        before = zip(frame.rows[:shown], after.frame.rows, names, labels(after), strict=False)
        for row, old, name, old_name in before:
            if row != old or name != old_name:
                break
            same += 1
    lines = [f"{side} ╭{edge}╮"]
    if same:
        lines.append(f"{side} ┊ {same} rows as before")
    for row, name in zip(frame.rows[same:shown], names[same:], strict=False):
        lines.append(f"{name:>{width}} │{row.padded(frame.columns)}│")
    lines += [f"{side} ╰{edge}╯", *why(reading)]
    return "\n".join(lines) + "\n"


def why(reading: Reading) -> Iterator[str]:
    """The status and what spoke for it or against it."""
    yield f"status {reading.status.value}" + ("" if reading.agree else ", not all agree")
    for one in reading.evidence:
        yield f"  {one}"
    composer = reading.composer
    if composer is not None:
        text = "empty" if composer.placeholder else repr(composer.text)
        yield f"composer: {composer.mode.value}, {text}"
    if reading.queued:
        yield f"queued: {', '.join(map(repr, reading.queued))}"
    dialog = reading.dialog
    if dialog is not None:
        yield f"dialog: {dialog.kind.value}, {dialog.title!r}"
        for choice in dialog.choices:
            yield f"  {'*' if choice.selected else ' '} {choice.number}. {choice.label}"
    if reading.status is Status.UNKNOWN:
        yield from _unknown(reading)


def _unknown(reading: Reading) -> Iterator[str]:
    """What was looked for and not found, and what to do about it."""
    missing = ["composer"] if reading.composer is None else []
    missing += ["dialog"] if reading.dialog is None else []
    missing += ["spinner"] if reading.live.spinner is None else []
    yield f"at the bottom of this picture there is no {', no '.join(missing)} that we know;"
    rows = reading.frame.lines
    last = next((y for y in range(len(rows) - 1, -1, -1) if rows[y]), None)
    if last is not None:
        yield f"its last row with text is row {last}: {rows[last].strip()[:60]!r}"
    yield "if the CLI drew something new here, please report it with this recording"
