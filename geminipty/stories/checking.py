"""Holds recordings against their stories: each is lived through again without a CLI.

Rule: a recording is right if its story's own user gets from it what the script says, and nothing
is taken on trust: a missing recording and one that no story tells are differences too.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from geminipty.errors import GeminiPtyError
from geminipty.session import GeminiSession
from geminipty.transports.codes import HEADER
from geminipty.transports.files import open_recording

from .making import Job, place_of
from .story import differences, perform
from .telling import TIMEOUT


@dataclass(frozen=True)
class Checked:
    """What is wrong with the recording of a job; nothing if it tells its story."""

    job: Job
    wrong: tuple[str, ...]


def check(jobs: Sequence[Job], folder: Path) -> Iterator[Checked]:
    """Replay the recording of each job; jobs that a release cannot do are passed over."""
    for job in jobs:
        if not job.obstacle:
            yield Checked(job, tuple(_wrong(job, folder)))


def stale(folder: Path, jobs: Sequence[Job]) -> list[Path]:
    """The recordings of a folder that our recorder made and none of the jobs tells."""
    told = {place_of(job, folder) for job in jobs if not job.obstacle}
    return [path for path in sorted(folder.glob("*/*.cast*")) if path not in told and _ours(path)]


def _ours(path: Path) -> bool:
    with open_recording(path) as recording:
        return HEADER in recording.header.extra


def _wrong(job: Job, folder: Path) -> list[str]:
    path = place_of(job, folder)
    remake = f"geminipty stories --release {job.release} --story {job.story.name} --force"
    try:
        with GeminiSession.replay(path, timeout=TIMEOUT, remake=remake) as session:
            printed = perform(job.story, session).printed
        return differences(job.story, session.turns, printed)
    except GeminiPtyError as error:
        return [str(error)]
