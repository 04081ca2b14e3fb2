"""`geminipty redact`, run as a user runs it, and what its page says."""

import gzip
import json
import re
from pathlib import Path

import pytest

from geminipty.asciicast import Event, Header, write
from geminipty.redaction import HIDDEN
from geminipty.redaction.kinds import KINDS, PRIVATE_KEY

from .conftest import RECORDINGS
from .playing import load
from .secrets import SECRETS, left, output
from .test_cli import geminipty

HELLO = RECORDINGS / "0.61.0" / "hello.cast"
PAGE = Path(__file__).parent.parent / "docs" / "redaction.md"
TEXT, SECRET = SECRETS["google-api-key"]
ALIEN = "Zugspitze-Sommer-2026"


@pytest.fixture
def cast(tmp_path: Path) -> Path:
    """A recording with a key cut in two, a value of the environment, and a header that tells."""
    events = [
        Event(0.0, "o", "hello\r\n"),
        Event(0.5, "o", f"key {TEXT[:9]}"),
        Event(1.0, "i", "y\r"),
        Event(1.5, "o", f"{TEXT[9:]} and {ALIEN}\r\n"),
    ]
    header = Header(columns=80, lines=24, title=f"run with {TEXT}")
    path = tmp_path / "run.cast"
    path.write_text("".join(write(header, events)), encoding="utf-8")
    return path


def test_a_clean_copy_is_written_beside_the_recording(cast: Path) -> None:
    """It is private, the same but for what is hidden, and the original is as it was."""
    before = cast.read_bytes()

    result = geminipty("redact", cast, "--also", ALIEN)

    copy = cast.with_name("run.redacted.cast")
    assert result == (0, f"{copy}: changed the header and 2 of 4 events\n", "")
    assert copy.stat().st_mode & 0o777 == 0o600
    header, events = load(copy)
    assert left(events, SECRET, header) == []
    assert [event.data for event in events][-1] == f"{HIDDEN * 30} and {HIDDEN * len(ALIEN)}\r\n"
    assert [event[:2] for event in events] == [event[:2] for event in load(cast)[1]]
    assert cast.read_bytes() == before


def test_no_file_is_replaced_unless_asked(cast: Path) -> None:
    """A copy that exists is an error; --force and --in-place replace, and a second run is clean."""
    copy = cast.with_name("out.cast")
    copy.write_text("mine", encoding="utf-8")

    refused = geminipty("redact", cast, "-o", copy)

    assert refused.returncode == 1
    assert "already" in refused.stderr
    assert copy.read_text(encoding="utf-8") == "mine"
    assert geminipty("redact", cast, "-o", copy, "--force").returncode == 0
    assert geminipty("redact", cast, "--in-place").returncode == 0
    assert cast.read_bytes() == copy.read_bytes()
    assert geminipty("redact", cast, "--check", "--forms-only").returncode == 0


@pytest.mark.parametrize("how", [["--in-place"], ["--force", "-o"]], ids=["in place", "output"])
def test_a_link_stays_and_its_file_is_cleaned(cast: Path, how: list[str]) -> None:
    """What is changed is the file with the secrets, and its name is told."""
    link = cast.with_name("link.cast")
    link.symlink_to(cast)

    result = geminipty("redact", link, *how, *([link] if "-o" in how else []))

    assert result.stdout.startswith(f"{cast.resolve()}: changed")
    assert link.is_symlink()
    assert SECRET not in cast.read_text(encoding="utf-8")


def test_check_tells_and_writes_nothing(cast: Path) -> None:
    """The status is 1 for a recording with secrets, 0 for a clean one; no secret is printed."""
    entries = sorted(cast.parent.iterdir())

    dirty = geminipty("redact", cast, "--check", "--forms-only")

    assert dirty.returncode == 1
    assert dirty.stdout == (
        f"{cast}: would change the header and 2 of 4 events: 0.500 s (o), 1.500 s (o)\n"
    )
    assert geminipty("redact", HELLO, "--check", "--forms-only") == (
        0,
        f"{HELLO}: nothing to hide\n",
        "",
    )
    assert sorted(cast.parent.iterdir()) == entries


def test_what_cannot_be_hidden_is_said(tmp_path: Path) -> None:
    """A character that cannot be followed stays: the moment is named, and the status is 1."""
    path = tmp_path / "run.cast"
    events = output("\x1b[5;6H☝🏻est\r\n", "\x1b[5;1Hzugi-")
    path.write_text("".join(write(Header(columns=80, lines=24), events)), encoding="utf-8")
    told = "parts of a secret can still be read, and cannot be hidden: 0.100 s (o). Look at"

    check = geminipty("redact", path, "--check", "--forms-only", "--also", "zugi-☝🏻est")
    done = geminipty("redact", path, "--forms-only", "--also", "zugi-☝🏻est")

    assert (check.returncode, done.returncode) == (1, 1)
    assert f"{path}: {told}" in check.stdout
    assert f"{path.with_name('run.redacted.cast')}: {told}" in done.stdout


def test_the_environment_gives_the_known_values(
    cast: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The value of a variable with a secret name is hidden, and is not with --forms-only."""
    monkeypatch.setenv("MOUNTAIN_PASSWORD", ALIEN)
    with_it, without = cast.with_name("a.cast"), cast.with_name("b.cast")

    geminipty("redact", cast, "-o", with_it)
    geminipty("redact", cast, "-o", without, "--forms-only")

    assert ALIEN not in with_it.read_text(encoding="utf-8")
    assert ALIEN in without.read_text(encoding="utf-8")


def test_a_packed_recording_stays_packed(cast: Path) -> None:
    """The copy of a gzip file is one, with the ending of one."""
    packed = cast.with_name("run.cast.gz")
    packed.write_bytes(gzip.compress(cast.read_bytes()))

    assert geminipty("redact", packed).returncode == 0

    lines = gzip.decompress(cast.with_name("run.redacted.cast.gz").read_bytes()).splitlines()
    assert json.loads(lines[0])["version"] == 3
    assert SECRET.encode() not in b"".join(lines)


def test_help_teaches_and_a_missing_file_is_one_message() -> None:
    """--help has examples; a missing file is status 1."""
    assert "examples:" in geminipty("redact", "--help").stdout
    assert geminipty("redact", "none.cast").returncode == 1


def test_the_page_lists_every_kind() -> None:
    """The table of docs/redaction.md is the table of the code."""
    rows = re.findall(
        r"^\| `([a-z-]+)` \| (.*?) \|$", PAGE.read_text(encoding="utf-8"), re.MULTILINE
    )

    assert rows == [(kind.name, kind.why) for kind in KINDS] + [PRIVATE_KEY]
