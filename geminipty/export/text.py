"""The finished pictures of a recording as plain text, to read, search or compare.

Rule: no control character but the newline; what would steer a terminal or an editor is named.
"""

from collections.abc import Iterable, Iterator
from typing import Final

from geminipty.errors import RecordingError
from geminipty.terminal import Frame
from geminipty.visible import visible

_MOST: Final = 1 << 28


def moment(frame: Frame) -> str:
    """One picture, without the blank rows at its end."""
    rows = [visible(line) for line in frame.lines]
    while rows and not rows[-1]:
        rows.pop()
    return "".join(f"{row}\n" for row in rows)


def film(frames: Iterable[tuple[float, Frame]]) -> Iterator[str]:
    """Each picture whose text differs from the one before it, under a rule with its time.

    RecordingError where it becomes too long for anybody to read.
    """
    last = None
    length = 0
    for time, frame in frames:
        text = moment(frame)
        if text != last:
            rule = f"── {time:.3f} s ".ljust(frame.columns, "─")
            length += len(rule) + len(text)
            if length > _MOST:
                raise RecordingError("its pictures are too much text; choose one of them: --at T")
            yield f"{rule}\n{text}"
        last = text
