"""What is to be attached to a prompt, looked at where it lies.

Rule: what the CLI would leave out without a word, or wait for without an end, is refused before
anything is typed.
"""

import os
import stat
from collections.abc import Iterable
from pathlib import Path, PurePath
from typing import Final

from geminipty.conversation import check_left_out, refused
from geminipty.errors import UsageError
from geminipty.visible import line

#: The CLI reads no file that is bigger.
MAX_BYTES: Final = 20 << 20


def attachable(
    path: str | PurePath, cwd: Path, beside: Iterable[str | PurePath], *, asks: bool
) -> PurePath:
    """A path that the CLI, working in `cwd`, will read; raises UsageError for any other.

    `beside` are the other folders of its workspace; what is in none of them it `asks` about, or
    leaves out.
    """
    given = Path(path)
    try:
        status = (cwd / given).stat()
        whole = (cwd / given).resolve()
    except (OSError, ValueError) as error:
        raise UsageError(f"there is no file to attach at {line(path)}: {line(error)}") from error
    if not os.access(whole, os.R_OK):
        raise refused(given, "it cannot be read")
    if stat.S_ISDIR(status.st_mode):
        if next(whole.iterdir(), None) is None:
            raise refused(given, "it is an empty folder")
    elif not stat.S_ISREG(status.st_mode):
        raise refused(given, "it is neither a file nor a folder")
    elif status.st_size > MAX_BYTES:
        raise refused(given, f"it is over the CLI's limit of {MAX_BYTES >> 20} MiB")
    workspace = [cwd, *(Path(folder).resolve() for folder in beside)]
    if not asks and not any(whole.is_relative_to(folder) for folder in workspace):
        raise refused(
            given,
            "it lies outside of the workspace, of which this release of the CLI reads nothing; "
            "the option `include_directories` adds folders to it",
        )
    named = Path(os.path.normpath(cwd / given))  # the CLI goes by the name of a link
    check_left_out(given, named.relative_to(cwd) if named.is_relative_to(cwd) else named)
    return given
