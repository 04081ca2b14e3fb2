"""Text in, Frames and answers out: the terminal that a program writes to.

Rule: no I/O and no clock. Whoever owns a Terminal hands it text as it arrives and the time when
it passes, and takes from it what is finished.
"""

from collections.abc import Collection

from geminipty.errors import UsageError
from geminipty.options import MAX_COLUMNS, MAX_LINES

from .frames import QUIET, Cut, Cutter, Frame
from .painting import Painter, is_unfinished, stops_in_line
from .parser import Parser, State
from .performer import Performer
from .printed import Printed
from .queries import DEFAULT_ANSWERS, Answers, Query
from .screen import Screen
from .work import PIECE, Work


class Terminal:
    """A terminal of `columns` by `lines`.

    `answers` are the queries that are answered; `quiet` is the silence in seconds that ends a
    picture when nothing else does. `work` counts what painting costs; if it has a limit,
    RecordingInvalid is raised beyond it. After each `receive`, and whenever `deadline` has come,
    call `tick` with the time.
    """

    def __init__(
        self,
        columns: int = 80,
        lines: int = 24,
        *,
        answers: Collection[Query] = DEFAULT_ANSWERS,
        quiet: float = QUIET,
        work: Work | None = None,
    ) -> None:
        _check_size(columns, lines)
        self._work = work or Work()
        self._screen = Screen(columns, lines, self._work)
        self._answers = Answers(answers)
        self._cutter = Cutter(self._screen, quiet)
        performer = Performer(self._screen, self._cutter, self._answers)
        self._painter = Painter(self._screen, self._cutter, performer)
        self._parser = Parser(performer)
        #: The beginning of a line whose rest may come with the next chunk, not painted yet.
        self._held = ""

    @property
    def screen(self) -> Screen:
        """The screen as it stands, with all that was received painted."""
        self._settle()
        return self._screen

    def receive(self, text: str) -> None:
        """Take what the program wrote; cut anywhere, it gives the same Frames."""
        if self._work.most is None:
            self._receive(text)
            return
        for start in range(0, len(text), PIECE):
            self._receive(text[start : start + PIECE])
            self._work.check()

    def _receive(self, text: str) -> None:
        if not text:
            return
        self._cutter.received()
        if self._held:
            text, self._held = self._held + text, ""
        *lines, rest = text.split("\r\n")
        index = 0
        while index < len(lines):
            if self._parser.state is not State.GROUND:
                line = lines[index] + "\r\n"
                resumed = self._parser.resume(line)
                if resumed == len(line):
                    index += 1
                    continue
                lines[index] = line[resumed:-2]
            if start := self._painter.begin(lines[index]):
                lines[index] = lines[index][start:]
            reached = self._painter.paint(lines, index)
            if reached == index:
                self._parser.feed(lines[index] + "\r\n")
                reached += 1
            index = reached
        self._finish(rest)

    def _finish(self, rest: str) -> None:
        """Act on what follows the last whole line, or hold it back if it is half a line."""
        if self._parser.state is not State.GROUND:
            rest = rest[self._parser.resume(rest) :]
        if not rest or self._painter.park(rest):
            return
        rest = rest[self._painter.begin(rest) :]
        if rest and self._painter.is_open() and is_unfinished(rest):
            self._held = rest
        else:
            self._parser.feed(rest)

    def tick(self, now: float) -> None:
        """Say what time it is, in seconds from any start; `receive` is followed by this."""
        self._cutter.listen(now)
        due = self.deadline
        if due is not None and now >= due:
            self._settle()
            self._cutter.quiet()

    @property
    def deadline(self) -> float | None:
        """The time when `tick` is to be called next, or None if that can wait for text."""
        in_line = (
            stops_in_line(self._held)
            if self._held
            else self._screen.cursor.x > 0 or self._parser.state is not State.GROUND
        )
        return self._cutter.due(held=bool(self._held), unfinished=in_line)

    @property
    def is_whole(self) -> bool:
        """Whether the last Frame is what the screen shows, and no part of another has come."""
        return self._cutter.is_whole and not self._held and self._parser.state is State.GROUND

    def resize(self, columns: int, lines: int) -> None:
        """Change the size; no text is lost. The picture in the new size is finished by silence."""
        _check_size(columns, lines)
        self._settle()
        self._screen.resize(lines, columns)
        self._work.check()
        self._painter.forget()
        self._cutter.received()

    def end(self) -> None:
        """Say that the program will write no more."""
        self._settle()
        self._cutter.ended()

    def frames(self) -> list[Frame]:
        """The Frames finished since the last call, in order."""
        return self._cutter.take()

    def picture(self) -> Frame:
        """The screen as it stands, even torn: for looking at, not for reading."""
        self._settle()
        return self._cutter.picture(Cut.UNFINISHED)

    def printed(self) -> Printed:
        """Tells which characters are printed of the text that comes next."""
        self._settle()
        return Printed(self._parser.state)

    def data_to_send(self) -> str:
        """The answers to the program's queries since the last call."""
        return self._answers.take()

    def _settle(self) -> None:
        """Paint what was held back."""
        if self._held:
            held, self._held = self._held, ""
            self._parser.feed(held)


def _check_size(columns: int, lines: int) -> None:
    if not (1 <= columns <= MAX_COLUMNS and 1 <= lines <= MAX_LINES):
        raise UsageError(
            f"a terminal of {columns} by {lines} is not possible; "
            f"choose 1 to {MAX_COLUMNS} columns and 1 to {MAX_LINES} lines"
        )
