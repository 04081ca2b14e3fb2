"""Each bundled recording has a reviewed golden, and every golden has its recording."""

from pathlib import Path

from .conftest import ALL_RECORDINGS
from .goldens import GOLDENS, golden, golden_path


def test_the_golden_is_what_is_read(recording: Path, golden_update: bool) -> None:
    """Pictures and Readings of a recording are those of its golden; --golden-update writes it."""
    path = golden_path(recording)
    text = golden(recording)
    if golden_update:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    assert path.exists(), "no golden yet: pytest --golden-update, then review it"
    assert text.split("\n") == path.read_text(encoding="utf-8").split("\n")


def test_no_golden_is_unused() -> None:
    """A golden whose recording is gone is an error."""
    used = {golden_path(recording) for recording in ALL_RECORDINGS}

    assert set(GOLDENS.rglob("*.txt")) == used
