"""Tells many stories side by side and writes those that went well.

Rule: a recording and its entry in the index are written whole and by one thread, when the story
went as told; in any other case nothing is.
"""

import threading
import time
from collections.abc import Generator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from geminipty.errors import GeminiPtyError, SessionClosed
from geminipty.launch.releases import Release, has, written
from geminipty.session import GeminiSession

from .index import put_entry, read_index, replace
from .releases import program_of
from .story import Story
from .telling import Telling, tell


@dataclass(frozen=True)
class Job:
    """A story to tell with a release."""

    story: Story
    release: str

    @property
    def cast(self) -> str:
        """The name of its recording in the index."""
        return f"{self.release}/{self.story.name}.cast.gz"

    @property
    def obstacle(self) -> str:
        """Why the release cannot tell the story; empty if it can."""
        if has(release_of(self.release), self.story.since):
            return ""
        return f"{self.story.lacks}; it can be told from {written(self.story.since)} on"


@dataclass(frozen=True)
class Made:
    """What became of a job."""

    job: Job
    #: "kept": there is a recording already; "impossible": the release lacks what it needs.
    result: Literal["told", "kept", "impossible", "failed"]
    seconds: float = 0.0
    size: int = 0
    #: What went wrong, with the screen.
    why: str = ""


def release_of(version: str) -> Release | None:
    """The number of a release, to compare; None if it is not made of numbers."""
    with suppress(ValueError):
        major, minor, patch = (int(part) for part in version.partition("-")[0].split("."))
        return major, minor, patch
    return None


def place_of(job: Job, folder: Path) -> Path:
    """Where the recording of a job is, below a folder of recordings."""
    return folder / job.cast


class Maker:
    """Tells stories with the releases in `clis` and writes them below `into`.

    `stop` may be called from any thread or signal: it ends every CLI, and `make` ends soon.
    """

    def __init__(self, into: Path, clis: Path, *, workers: int = 1, force: bool = False) -> None:
        self._into = into
        self._clis = clis
        self._workers = workers
        self._force = force
        self._lock = threading.Lock()
        self._sessions: list[GeminiSession] = []
        self._stopped = False

    def make(self, jobs: Sequence[Job]) -> Generator[Made, None, None]:
        """Tell each story, and say what became of it as soon as that is known."""
        known = {entry["cast"] for entry in read_index(self._into)}
        left = []
        for job in jobs:
            if job.obstacle:
                yield Made(job, "impossible", why=job.obstacle)
            elif not self._force and job.cast in known and place_of(job, self._into).exists():
                yield Made(job, "kept")
            else:
                left.append(job)
        with ThreadPoolExecutor(self._workers) as pool:
            futures = [pool.submit(self._tell, job) for job in left]
            try:
                for future in as_completed(futures):
                    made, telling = future.result()
                    if telling is not None:
                        replace(place_of(made.job, self._into), telling.data)
                        put_entry(self._into, telling.entry)
                    yield made
            finally:
                pool.shutdown(wait=False, cancel_futures=True)
                self.stop()

    def stop(self) -> None:
        """End every CLI at once; their stories fail."""
        with self._lock:
            self._stopped = True
            sessions, self._sessions = self._sessions, []
        for session in sessions:
            session.close()

    def _tell(self, job: Job) -> tuple[Made, Telling | None]:
        began = time.monotonic()
        try:
            program = program_of(job.release, self._clis)
            told = tell(job.story, job.release, program, cast=job.cast, started=self._join)
        except GeminiPtyError as error:
            return Made(job, "failed", time.monotonic() - began, why=str(error)), None
        return Made(job, "told", time.monotonic() - began, len(told.data)), told

    def _join(self, session: GeminiSession) -> None:
        with self._lock:
            if self._stopped:
                raise SessionClosed("the telling was stopped")
            self._sessions.append(session)
