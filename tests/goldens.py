"""The goldens: what each bundled recording shows and how it is read, as text to review."""

from collections.abc import Iterator
from pathlib import Path

from geminipty.export.explained import explain, frames
from geminipty.export.timeline import as_text, tell
from geminipty.reading import Reading, read
from geminipty.transports.files import open_recording

from .conftest import RECORDINGS

GOLDENS = Path(__file__).parent / "goldens"


def golden_path(recording: Path) -> Path:
    """Where the golden of a recording is."""
    name = recording.name.partition(".cast")[0]
    return GOLDENS / recording.parent.relative_to(RECORDINGS) / f"{name}.txt"


def golden(recording: Path) -> str:
    """One entry for each change of what is read: the boxed picture and the Reading; the story."""
    with open_recording(recording) as opened:
        entries = "\n".join(_entries((at, read(frame)) for at, frame in frames(opened)))
    with open_recording(recording) as opened:
        story = as_text(tell(opened))
    return f"{entries}\n=== the story\n{story}"


def _entries(readings: Iterator[tuple[float, Reading]]) -> Iterator[str]:
    last: Reading | None = None
    for at, reading in readings:
        if last is None or _said(reading) != _said(last):
            yield f"=== {at:.3f}\n{explain(reading, after=last)}"
            last = reading


def _said(reading: Reading) -> object:
    """What must change for a new entry; text that only grows makes none."""
    composer, dialog = reading.composer, reading.dialog
    return (
        reading.status,
        composer and (composer.mode, composer.placeholder),
        dialog and (dialog.kind, dialog.title, dialog.choices),
        reading.queued,
        [block.kind for block in reading.blocks if block.kind != "notice"],
    )
