"""A monospace font to draw with: the user's, or one that the system has.

Rule: a font is only looked at; what is no font is an error that names the file.
"""

import struct
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

from geminipty.errors import UsageError
from geminipty.visible import line

#: Where systems keep their fonts.
_FOLDERS: Final = (
    "/usr/share/fonts",
    "/usr/local/share/fonts",
    "~/.local/share/fonts",
    "~/.fonts",
    "/System/Library/Fonts",
    "/Library/Fonts",
    "~/Library/Fonts",
)
#: Files of fonts whose lines and blocks are good, the best first; bold and slanted ones beside.
_WANTED: Final = (
    "DejaVuSansMono.ttf",
    "Menlo.ttc",
    "NotoSansMono-Regular.ttf",
    "LiberationMono-Regular.ttf",
    "UbuntuMono-R.ttf",
    "FreeMono.ttf",
    "Courier New.ttf",
)
_FAMILY: Final = 1
_MICROSOFT: Final = 3
_MAX_TABLE: Final = 1 << 20


class Font(NamedTuple):
    """A family's name, as the renderer wants it, and its files."""

    family: str
    files: tuple[Path, ...]


def font(file: Path | None = None) -> Font:
    """The font in `file`, or the system's; UsageError says what to do if there is none."""
    if file is not None:
        return Font(family_of(file), (file,))
    found = {path.name: path for folder in _FOLDERS for path in _files(Path(folder))}
    for name in _WANTED:
        if name in found:
            path = found[name]
            stem = path.stem.removesuffix("-Regular").removesuffix("-R")
            beside = sorted(other for other in path.parent.glob(f"{stem}*") if other != path)
            return Font(family_of(path), (path, *beside))
    hint = "" if sys.platform == "darwin" else " Install one (Debian: apt install fonts-dejavu),"
    raise UsageError(f"no monospace font was found on this system;{hint} or name one: --font FILE")


def family_of(path: Path) -> str:
    """The name of the family that a TrueType or OpenType file, or collection, holds first."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise UsageError(f"the font {line(path)} cannot be read: {error.strerror}") from error
    try:
        names = list(_families(data))
    except (struct.error, UnicodeDecodeError):
        names = []
    if not names:
        raise UsageError(f"{line(path)} is no TrueType or OpenType font; name one: --font FILE")
    return names[0]


def _files(folder: Path) -> Iterator[Path]:
    try:
        yield from folder.expanduser().rglob("*.tt[fc]")
    except (OSError, RuntimeError):  # a folder that is not ours to read, a user without a home
        return


def _families(data: bytes) -> Iterator[str]:
    """Read the table of names: the layout is OpenType's, chapters otff and name."""
    start = struct.unpack_from(">I", data, 12)[0] if data[:4] == b"ttcf" else 0
    if data[start : start + 4] not in (b"\0\1\0\0", b"OTTO", b"true"):
        return
    (tables,) = struct.unpack_from(">H", data, start + 4)
    for number in range(tables):
        tag, _, offset, length = struct.unpack_from(">4sIII", data, start + 12 + 16 * number)
        if tag != b"name" or length > _MAX_TABLE:
            continue
        _, count, strings = struct.unpack_from(">HHH", data, offset)
        for record in range(count):
            entry = struct.unpack_from(">HHHHHH", data, offset + 6 + 12 * record)
            platform, _, _, name, size, where = entry
            if name == _FAMILY:
                raw = data[offset + strings + where :][:size]
                yield raw.decode("utf-16-be" if platform in (0, _MICROSOFT) else "latin-1")
