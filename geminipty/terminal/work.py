"""What painting has cost so far, counted, so that a stranger's recording cannot cost without end.

Rule: no clock. What an action costs is counted by what it touches, never by how long it took, so
that a recording is refused at the same place on every machine. One unit is about 10 ns of a
machine of 2024; the prices below are measured, the dearest case of each kind rounded up.
"""

from typing import Final

from geminipty.errors import RecordingInvalid

#: Any action of the parser.
ACTION: Final = 150
#: A character painted in a row of plain ones, and one whose width must be looked up.
PLAIN: Final = 2
LOOKED_UP: Final = 100
#: A cell that is moved, blanked, or made ready for painting.
CELL: Final = 3
#: A tab stop that is looked at.
STOP: Final = 10
#: A finished picture, and each row of it: it is compared, read, and told.
PICTURE: Final = 3000
PICTURE_ROW: Final = 60
#: A line of the transcript that is read anew.
LINE: Final = 50
#: Text is taken in pieces of so many characters where there is a limit.
PIECE: Final = 1024


class Work:
    """A count of what was done, with the most that may be; None is no limit."""

    __slots__ = ("done", "most")

    def __init__(self, most: int | None = None) -> None:
        self.most = most
        self.done = 0

    def check(self) -> None:
        """Raises RecordingInvalid if more was done than may be."""
        if self.most is not None and self.done > self.most:
            raise RecordingInvalid(
                f"painting it is over the limit of {self.most} work; seen: {self.done}, and more "
                "is to come. It repaints its screen far more often than the CLI does. "
                "Limits(work=…) allows more."
            )
