"""The events of a run without its secrets: those of the stream, and those of its pictures.

Rule: the stream says soon what may be written; the pictures may know more later, about events that
were written long ago. Whoever keeps the events asks for that at the end, with `late`.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from geminipty import asciicast
from geminipty.terminal import Work

from .pictures import Pictures
from .redactor import Redactor, merged
from .stream import Searched, Stream


class Cleaner:
    """Takes the events of one run on a screen, and gives them back in order without secrets.

    With `marked` it is known of every character which event wrote it; that takes longer.
    """

    def __init__(
        self,
        redactor: Redactor,
        columns: int,
        lines: int,
        *,
        marked: bool = False,
        work: Work | None = None,
    ) -> None:
        self._stream = Stream(redactor, columns)
        self._pictures = Pictures(redactor, columns, lines, marked=marked, work=work)
        self._given = 0
        #: The spans of the events that hiding made longer, because what hides a wide character are
        #: two: where they end, and by how much.
        self._longer: dict[int, list[tuple[int, int]]] = {}

    @property
    def is_late(self) -> bool:
        """Whether there is more to hide in events that were given back."""
        return bool(self._pictures.late())

    @property
    def left(self) -> list[int]:
        """The numbers of the events whose pictures show a part of a secret that stays.

        Who wrote it is not known: it was long ago, or nothing can stand for its characters.
        """
        return self._pictures.left

    def push(self, event: asciicast.Event) -> list[asciicast.Event]:
        """Take the next event; return those that may be written now."""
        return self._looked_at(self._stream.search(event))

    def flush(self) -> list[asciicast.Event]:
        """The rest of the events, at the end."""
        return self._looked_at(self._stream.search_rest())

    def all(self, events: Iterable[asciicast.Event]) -> list[asciicast.Event]:
        """The events of a whole run; `late` knows more."""
        return [done for event in events for done in self.push(event)] + self.flush()

    def late(self, events: Iterable[asciicast.Event]) -> Iterator[asciicast.Event]:
        """All events that were given back, without what is known by now."""
        late = self._pictures.late()
        for number, event in enumerate(events):
            places = self._moved(number, late.get(number, ()))
            yield Searched(event, merged((at, at + 1) for at in places)).hidden()

    def _looked_at(self, searched: list[Searched]) -> list[asciicast.Event]:
        for one in searched:
            self._pictures.look(one)
        return list(map(self._clean, searched))

    def _clean(self, searched: Searched) -> asciicast.Event:
        number, self._given = self._given, self._given + 1
        places = self._pictures.take(number)
        if places:
            spans = merged([*searched.spans, *((at, at + 1) for at in places)])
            searched = searched._replace(spans=spans)
        longer = searched.longer()
        if longer:
            self._longer[number] = longer
        return searched.hidden()

    def _moved(self, number: int, places: Iterable[int]) -> Iterator[int]:
        """Where places of an event are now that other parts of it are hidden."""
        longer = self._longer.get(number, ())
        return (at + sum(by for end, by in longer if end <= at) for at in places)


class Cleaned(NamedTuple):
    """The events of a run without its secrets."""

    events: list[asciicast.Event]
    #: The numbers of those whose pictures still show a part of a secret: nothing can stand for its
    #: characters, or the screen has more than there is something for.
    left: list[int]


def clean(
    events: Sequence[asciicast.Event],
    redactor: Redactor,
    columns: int,
    lines: int,
    *,
    work: Work | None = None,
) -> Cleaned:
    """All events of a run without its secrets; `work` is a limit for strangers' recordings."""
    cleaner = Cleaner(redactor, columns, lines, work=work)
    done = cleaner.all(events)
    if cleaner.left:
        cleaner = Cleaner(redactor, columns, lines, marked=True, work=work)
        done = cleaner.all(events)
    return Cleaned(list(cleaner.late(done)), cleaner.left)
