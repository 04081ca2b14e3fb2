"""What is attached is read by the CLI, or refused before anything is typed."""

import os
import re
import socket
from pathlib import Path, PurePath

import pytest
from hypothesis import given
from hypothesis import strategies as st

from geminipty.conversation import safe_prompt
from geminipty.conversation.attachments import sayable
from geminipty.errors import UsageError
from geminipty.run.attached import MAX_BYTES, attachable
from geminipty.terminal import paste

#: Names that not all releases read as they are; tests/live/test_attachments.py tries them.
UNSAYABLE = {
    "new line": "a\nb",
    "carriage return": "a\rb",
    "tab": "a\tb",
    "escape": "a\x1b[201~b",
    "delete": "a\x7fb",
    "next line": "a\x85b",
    "half a character": "a\ud800b",
    "zero width space": "a\u200bb",
    "right-to-left override": "a\u202eb",
    "byte order mark": "a\ufeffb",
    "backslash": "a\\b",
    "backslash at the end": "a\\",
    "quotation mark": 'a"b',
    "star": "a*b",
    "question mark": "a?b",
    "class": "[id].tsx",
    "class in a folder": "app/[id]/page.tsx",
    "braces": "{a,b}",
    "range": "a{1..3}",
    "extended pattern": "!(a)",
    "blank at the end": "a ",
    "no-break space at the end": "a\u00a0",
    "wide blank at the end": "a\u3000",
    "dot at the end": "a.",
    "the folder itself": ".",
}
#: Names that all releases read.
SAYABLE = (
    *("a b", " a", "a  b", "-a", "--help", "@a", "~a", "#a", "$HOME", "%20", "a!b", "a'b", "'a'"),
    *("a#b", "a$b", "a%b", "a&b", "a(b", "a)b", "(a b)", "a+b", "a,b", "a,", "a;", "a:b", "a=b"),
    *("a<b", "a>b", "a@b", "a[b", "a]b", "a^b", "a_b", "a`b", "a{b", "{a}", "a|b", "a}b", "a!"),
    *(
        "a\u00a0b",
        "a\u2003b",
        "\u3000a",
        "a\u200cb",
        "a\u200db",
        "a\u00adb",
        "a\u2060b",
        "caf\u00e9",
    ),
    *(
        "cafe\u0301",
        "日本語",
        "العربية",
        "हिन्दी",
        "👨‍👩‍👧",
        "❤️",
        "🇩🇪",
        "‘a’",
        "a。",
        ".hidden",
        "d d/c (d)/e",
    ),
)


@pytest.mark.parametrize("name", UNSAYABLE.values(), ids=UNSAYABLE.keys())
def test_a_name_that_the_cli_cannot_be_told_is_refused(name: str) -> None:
    """The error names the file, harmless to a terminal, and the way out."""
    with pytest.raises(UsageError, match="cannot be attached") as caught:
        safe_prompt("see", attachments=[PurePath(name)])

    assert "under another name" in caught.value.message
    assert not re.search("[\x00-\x1f\x7f-\x9f\u202e]", caught.value.message)


@pytest.mark.parametrize("name", SAYABLE)
def test_any_other_name_is_told_as_it_is(name: str) -> None:
    """Escaped so that it does not end early, and read back by the CLI's own rule."""
    text = safe_prompt("see", attachments=[PurePath(name)])

    assert text.startswith("see @")
    assert read_back(text.removeprefix("see @").removesuffix(" ")) == name


def read_back(text: str) -> str:
    """The path behind an @, as the CLI takes it: up to what is not escaped and ends it."""
    path, at = "", 0
    while at < len(text):
        if text[at] == "\\":
            at += 1
        elif re.match(r"[\s,;!?()\[\]{}]", text[at]):
            break
        path += text[at]
        at += 1
    return path


@given(st.one_of(st.text("ab /\\\"'*?[]{}!@().,;\t\n\x1b\u00a0\u202e", min_size=1), st.text()))
def test_a_path_is_told_whole_or_refused(name: str) -> None:
    """Whatever a file is called: no key, no other file, no part of a name."""
    path = PurePath(name)
    try:
        told = sayable(path)
    except UsageError:
        return

    paste(told)
    assert read_back(told) == str(path)


@pytest.mark.parametrize(
    "name",
    ["node_modules/a.js", "a/dist/b", ".git/config", ".env", "x/.DS_Store", "a.zip", "b.pyc"],
)
def test_what_the_cli_leaves_out_is_refused(tmp_path: Path, name: str) -> None:
    """Folders, names and endings of its own list; a link under another name is read."""
    file = tmp_path / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("x")
    (tmp_path / "other").mkdir()
    (tmp_path / "link").symlink_to(file)

    for way in (name, f"other/../{name}", str(file)):
        with pytest.raises(UsageError, match="leaves out"):
            attachable(way, tmp_path, (), asks=True)

    assert attachable("link", tmp_path, (), asks=True) == Path("link")


def test_a_folder_named_so_above_the_workspace_is_no_reason(tmp_path: Path) -> None:
    """Only the path from the CLI's folder counts."""
    cwd = tmp_path / "build" / "project"
    cwd.mkdir(parents=True)
    (cwd / "a").write_text("x")

    assert attachable(cwd / "a", cwd, (), asks=True) == cwd / "a"


def test_what_cannot_be_read_is_refused(tmp_path: Path) -> None:
    """What is not there, leads nowhere, is no file, is empty or too big."""
    (tmp_path / "dangling").symlink_to("nowhere")
    (tmp_path / "ring").symlink_to("ring")
    (tmp_path / "folder").mkdir()
    os.mkfifo(tmp_path / "fifo")
    with (tmp_path / "big").open("wb") as file:
        file.truncate(MAX_BYTES + 1)
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(tmp_path / "socket"))

    said = {}
    for name in ("missing", "dangling", "ring", "a\0b", "folder", "fifo", "big", "socket"):
        with pytest.raises(UsageError) as caught:
            attachable(name, tmp_path, (), asks=True)
        said[name] = caught.value.message

    assert all("there is no file to attach" in said[n] for n in ("missing", "dangling", "ring"))
    assert "empty folder" in said["folder"]
    assert all("neither a file nor a folder" in said[name] for name in ("fifo", "socket"))
    assert "20 MiB" in said["big"]


def test_what_is_outside_is_refused_where_the_cli_does_not_ask(tmp_path: Path) -> None:
    """Up to 0.29 it is left out without a word, also behind a link; later the CLI asks."""
    cwd, beside = tmp_path / "project", tmp_path / "beside"
    for folder in (cwd, beside):
        folder.mkdir()
        (folder / "a").write_text("x")
    (tmp_path / "out").write_text("x")
    (cwd / "link").symlink_to(tmp_path / "out")

    for name in ("../out", "link", str(beside / "a")):
        assert attachable(name, cwd, (), asks=True) == Path(name)
        with pytest.raises(UsageError, match="include_directories"):
            attachable(name, cwd, (), asks=False)

    assert attachable(beside / "a", cwd, [beside], asks=False) == beside / "a"
    assert attachable("a", cwd, (), asks=False) == Path("a")
