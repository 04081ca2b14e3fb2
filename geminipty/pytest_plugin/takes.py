"""One test's session: replayed, or recorded and kept if the test ends well.

Rule: a recording takes its place only when its test has passed, its fixtures too, and at once. One
of a test that failed is kept beside, to be looked at; what was there before stays.
"""

import shutil
from collections.abc import Iterator, Set
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NoReturn, TypeVar

import pytest

from . import reports
from .places import STORY, Place, command, keep_from_git, marked, place_of, shown

if TYPE_CHECKING:
    from geminipty.aio import AsyncGeminiSession
    from geminipty.run import Hiding
    from geminipty.session import GeminiSession

    Session = TypeVar("Session", GeminiSession, AsyncGeminiSession)

#: Why a test could not begin; it fails with this and nothing else.
PROBLEM: Final = pytest.StashKey[str]()
#: Keywords of the marker that are no options of a session.
_OF_REPLAY: Final = ("match", "speed")
_REFUSED: Final = ("record", "overwrite")


def refuse(item: pytest.Item, problem: str) -> NoReturn:
    """Fail the test, from a fixture of it."""
    item.stash[PROBLEM] = problem
    reports.fail(problem)


class Take:
    """The session of one test and the file that goes with it."""

    def __init__(self, item: pytest.Item, *, mode: str, made: Set[Path]) -> None:
        self.item = item
        self.place: Place = place_of(item)
        #: Whether a CLI is started. A story that several tests name is made once in a run.
        self.records = mode != "none" and not self.place.recording.exists()
        if mode == "rewrite" and self.place.recording not in made:
            self.records = True
        self.failed = False
        self._session: GeminiSession | AsyncGeminiSession | None = None
        self._hiding: Hiding | None = None
        self._whole = True
        self._told = False

    @contextmanager
    def clear(self) -> Iterator[None]:
        """Turn an error of ours into a failure that says it without our own code."""
        from geminipty.errors import GeminiPtyError, RecordingError

        try:
            yield
        except GeminiPtyError as error:
            problem = f"{type(error).__name__}: {error}"
            again = command(self.item, "rewrite")
            if isinstance(error, RecordingError) and not self.records and again not in problem:
                problem += f"\nTo record it again: {again}"
            refuse(self.item, problem)

    def open(self, kind: "type[Session]", options: dict[str, Any]) -> "Session":
        """A session as the test's markers say; it is not started."""
        if self._session is not None:
            refuse(self.item, "a test has one session: gemini or async_gemini, not both")
        from geminipty.options import Options
        from geminipty.run import Hiding

        marks = self._marked()
        env = {**(options.get("env") or {}), **(marks.get("env") or {})}
        chosen = {**options, **marks, "env": env}
        replayed = {name: chosen.pop(name) for name in _OF_REPLAY if name in chosen}
        with self.clear():
            if self.records:
                session = kind(**chosen, record=self._part(), overwrite=True)
            else:
                kind(**chosen)  # a wrong option is wrong also where there is no recording
                self._look()
                remake = command(self.item, "rewrite")
                session = kind.replay(self.place.recording, remake=remake, **replayed, **chosen)
        self._session, self._hiding = session, Hiding(Options.of(**chosen))
        return session

    def _marked(self) -> dict[str, Any]:
        chosen = marked(self.item)
        if any(mark.args for mark in self.item.iter_markers("gemini")):
            refuse(self.item, "pytest.mark.gemini takes keywords only, as in gemini(story='name')")
        if refused := [name for name in _REFUSED if name in chosen]:
            refuse(
                self.item,
                f"pytest.mark.gemini: {refused[0]} is for the plugin to choose. Name the recording "
                "with story=…, and record with --gemini-record.",
            )
        story = chosen.pop("story", None)
        if story is not None and not (isinstance(story, str) and STORY.fullmatch(story)):
            refuse(
                self.item,
                f"pytest.mark.gemini: story={story!r} is no name for a file. Use letters, digits, "
                "'_', '-' and '.'.",
            )
        return chosen

    def _look(self) -> None:
        if not self.place.recording.exists():
            refuse(
                self.item,
                "this test has no recording, and --gemini-record=none starts no CLI.\n"
                f"  looked for: {shown(self.item.config, self.place.recording)}\n"
                f"To record it: {command(self.item, 'new')}",
            )

    def _part(self) -> Path:
        part = self.place.part
        from geminipty.transports import private

        private.folder(part.parent)
        keep_from_git(self.item.config)
        return part

    # How it ends

    def hear(self, report: pytest.TestReport) -> None:
        """Take note of how a phase of the test ended; a failure is told with the last screen."""
        if report.failed:
            self.failed = True
            if self._hiding is not None:
                reports.hide(report, self._hiding.text)
            if not self._told and self._session is not None:
                self._told = True
                reports.tell(report, "\n".join(self._lines(self._session)))
        elif report.skipped and not hasattr(report, "wasxfail"):
            self._whole = False  # it was left halfway

    def settle(self) -> bool:
        """The test is over: put its recording where it belongs; True if it is the test's now."""
        part = self.place.part
        if not self.records or not part.exists():
            return False
        if self.failed:
            part.replace(self.place.artifact)
            return False
        if self._whole:
            put(part, self.place.recording)
        part.unlink()
        return self._whole

    def _lines(self, session: "GeminiSession | AsyncGeminiSession") -> Iterator[str]:
        from geminipty.errors import GeminiPtyError

        try:
            seen = session.status is not None
            yield session.screen if seen else "nothing was drawn"
        except GeminiPtyError as error:  # a replay that cannot go on
            yield error.frame.boxed() if error.frame else f"no screen: {error.message}"
        source = self.place.part if self.records else self.place.recording
        if not source.exists():
            return
        if not self.records:
            put(source, self.place.artifact)
            keep_from_git(self.item.config)
        what = "this run" if self.records else "what was replayed"
        kept = shown(self.item.config, self.place.artifact)
        yield f"recording of {what}: {kept}"


def put(source: Path, target: Path) -> None:
    """Copy a file so that nobody ever sees a half of it, and only its owner sees it at all."""
    from geminipty.transports import private

    private.folder(target.parent)
    with source.open("rb") as old, private.whole(target, overwrite=True) as new:
        shutil.copyfileobj(old, new)
