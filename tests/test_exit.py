"""One exit for text: whatever a recording, a name or a reply holds, nothing steers the reader."""

import json
from pathlib import Path
from typing import Any

import pytest

from . import attacks
from .attacks import ATTACK, NAME, PAINTED, unsafe
from .test_cli import Result, geminipty

#: Every command that prints something of a recording, and whether colours of ours are in it.
LOOKING = [
    ("show",),
    ("show", "--colours"),
    ("show", "--plain", "--scrollback"),
    ("show", "--json", "--scrollback"),
    ("read",),
    ("read", "--json"),
    ("explain",),
    ("explain", "--at", "9"),
    ("play",),
    ("play", "--all"),
    ("export", "--text", "-"),
    ("export", "--html", "-"),
    ("export", "--svg", "-"),
    ("export", "--cast2", "-"),
    ("redact", "--check"),
    ("redact", "--forms-only", "--also", "finished", "--force"),
    ("play", "--marker", "no such marker"),
    ("play", "--all", "--marker", "no such marker"),
    ("replay-cli", "--version"),
]


def run(command: tuple[str, ...], path: Path) -> Result:
    """A command about a file."""
    return geminipty(command[0], path, *command[1:])


@pytest.fixture
def hostile(tmp_path: Path) -> Path:
    """A hostile recording with a hostile name."""
    return attacks.cast(tmp_path / f"{NAME}.cast")


@pytest.mark.parametrize("command", LOOKING, ids=" ".join)
def test_no_command_prints_what_a_recording_or_its_name_would_do(
    command: tuple[str, ...], hostile: Path
) -> None:
    """Controls, direction marks and lines of others are named; colours are our own."""
    result = run(command, hostile)

    assert result.stdout or result.stderr
    assert unsafe(result.stdout, colours="--colours" in command) == []
    assert unsafe(result.stderr) == []
    assert "\ngeminipty: all is well" not in result.stdout + result.stderr


@pytest.mark.parametrize(
    "command", [one for one in LOOKING if "--check" not in one and "--forms-only" not in one]
)
@pytest.mark.parametrize("content", [None, b"", b"\x1b[2J\xc2\x9b\n", b'{"version": "\\u009b"}\n'])
def test_no_complaint_about_a_file_steers_the_reader(
    command: tuple[str, ...], content: bytes | None, tmp_path: Path
) -> None:
    """A file that is missing, empty or no recording is named in one line that stays one."""
    path = tmp_path / NAME
    if content is not None:
        path.write_bytes(content)

    result = run(command, path)

    assert (result.returncode, result.stdout) == (1, "")
    assert unsafe(result.stderr) == []
    assert "\ngeminipty: all is well" not in result.stderr


@pytest.mark.parametrize(
    "arguments",
    [
        [ATTACK],
        ["--help", ATTACK],
        ["read", "--help", ATTACK],
        ["read", "a", ATTACK],
        ["read", f"--{ATTACK}"],
        ["show", "a", "--at", ATTACK],
        ["play", "a", "--speed", ATTACK],
        ["play", "a", "--idle", ATTACK],
        ["record", "a", "--approvals", ATTACK],
        ["stories", "--release", ATTACK],
        ["stories", "--jobs", ATTACK],
        ["stories", "--story", ATTACK],
        ["stories", "--check", "--release", "0.61.0", "--story", "ask", "--into", NAME],
        ["stories", "--check", "--release", "0.61.0", "--story", "ask", "--into", NAME, "--json"],
        ["replay-cli", "a", f"--speed={ATTACK}"],
        ["replay-cli", ATTACK, "--install", f"{NAME}/{NAME}"],
        ["export", "a", "--html", "-", "--font", NAME],
        ["export", NAME, "--text", f"{NAME}/{NAME}"],
        ["export", NAME, "--text", "/dev/null"],
        ["record", NAME, "--ask", ATTACK, "--command", f"/{NAME}"],
    ],
    ids=lambda words: " ".join(words)[:30],
)
def test_no_complaint_about_a_call_steers_the_reader(
    arguments: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Complaints of argparse, and ours, quote arguments as text."""
    monkeypatch.chdir(tmp_path)
    shown = [word.replace("\x00", "") for word in arguments]  # no program can be given it

    result = geminipty(*shown)

    assert unsafe(result.stdout) == []
    assert unsafe(result.stderr) == []
    assert "\ngeminipty: all is well" not in result.stdout + result.stderr


def test_json_is_escaped_and_exact(hostile: Path) -> None:
    """What a program reads from --json is the text itself; the bytes on the way are harmless."""
    read = geminipty("read", hostile, "--json").stdout
    shown = geminipty("show", hostile, "--json").stdout

    assert unsafe(read) == unsafe(shown) == []
    story: dict[str, Any] = json.loads(read)
    assert PAINTED in story["turns"][0]["prompt"]
    assert PAINTED in story["turns"][0]["text"]
    assert PAINTED in "".join(json.loads(shown)["rows"])


def test_a_name_of_many_lines_is_shown_in_one(hostile: Path) -> None:
    """The name of a file can be read, and cannot be taken for a message of ours."""
    said = geminipty("redact", hostile, "--check", "--forms-only").stdout

    assert said.count("\n") == 1
    assert "⟨U+001B⟩[2J" in said
    assert "⟨U+000A⟩geminipty: all is well⟨U+000D⟩⟨U+DCFF⟩" in said
