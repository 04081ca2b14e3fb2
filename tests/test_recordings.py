"""The bundled recordings tell nothing about the people and machines that made them."""

import gzip
import json
import re
from pathlib import Path

from .conftest import ALL_RECORDINGS, RECORDINGS

#: Keys of Google and of others, addresses of people, and folders of machines.
SECRETS = re.compile(
    r"AIza[\w-]{30}|ya29\.[\w-]+|gh[pousr]_\w{30}|sk-[\w-]{20}|BEGIN [A-Z ]*PRIVATE KEY"
    r"|[\w.+-]+@(?!path/to)[\w-]+\.(?:com|net|org)\b"
    r"|(?<![\w.])/(?:root|work|Users)/|(?<!gemini)/tmp/(?!foo)\w"
)


def test_a_recording_holds_no_secret(recording: Path) -> None:
    """No key, no e-mail address and no machine's path stands in a recording."""
    data = recording.read_bytes()
    text = (gzip.decompress(data) if recording.suffix == ".gz" else data).decode()

    assert SECRETS.findall(text) == []


def test_every_entry_of_the_index_has_its_recording() -> None:
    """The index names recordings that are there, each once."""
    entries = json.loads((RECORDINGS / "index.json").read_text(encoding="utf-8"))
    named = [RECORDINGS / entry["cast"] for entry in entries]

    assert len(named) == len(set(named))
    assert set(named) <= set(ALL_RECORDINGS)
