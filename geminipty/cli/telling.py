"""`geminipty stories`: makes the repository's own recordings anew, or checks them.

Rule: standard error tells how it goes; standard output gets the result at the end.
"""

import argparse
import os
import re
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from geminipty.errors import UsageError
from geminipty.stories import RELEASES, STORIES, Job, Made, Maker, Story, check, stale
from geminipty.stories.releases import PACKAGE, folder_of_clis, install, program_of
from geminipty.visible import as_json, line

from .say import put, say
from .words import Commands

_STORIES = """\
  geminipty stories --list
  geminipty stories --check
  geminipty stories --release 0.61.0 --story ask --into made-anew
  geminipty stories --force --jobs 4
"""
_RELEASE = re.compile(r"\d+\.\d+\.\d+(-[\w.]+)?")


def add(commands: Commands) -> None:
    """Add the command."""
    parser = commands.add(
        "stories",
        _stories,
        summary="make our own recordings of the real CLI, for any release, or check them",
        description="Tell each story with the real CLI and a scripted model, and record it as "
        "RELEASE/STORY.cast.gz with its entry in index.json. A release that is missing is "
        f"installed from npm ({PACKAGE}) into .cache/clis, or into $GEMINIPTY_CLIS. No account "
        "and no key is used. A story that does not go as told is shown with its screen and leaves "
        "no file. Exits with 1 if one failed. docs/stories.md tells how to add one.",
        examples=_STORIES,
        recording=False,
    )
    parser.add_argument(
        "--release", action="append", type=_release, metavar="V", help="only this release; repeat"
    )
    parser.add_argument(
        "--story",
        action="append",
        choices=[story.name for story in STORIES],
        metavar="NAME",
        help="only this story; repeat",
    )
    parser.add_argument(
        "--into",
        type=Path,
        default=Path("recordings"),
        metavar="FOLDER",
        help="the folder of the recordings (recordings)",
    )
    parser.add_argument(
        "--jobs",
        type=_number,
        default=os.cpu_count() or 1,
        metavar="N",
        help="how many CLIs run at once (one for each processor)",
    )
    parser.add_argument("--list", action="store_true", help="show the stories, tell none")
    parser.add_argument(
        "--check", action="store_true", help="replay what is there against the stories, tell none"
    )
    parser.add_argument("--force", action="store_true", help="tell again what is there already")
    parser.add_argument("--json", action="store_true", help="for machines: one object a story")


def _release(text: str) -> str:
    if not _RELEASE.fullmatch(text):
        raise argparse.ArgumentTypeError(f"must be a release such as 0.61.0, not {text!r}")
    return text


def _number(text: str) -> int:
    if not text.isdecimal() or not 1 <= int(text) <= 64:
        raise argparse.ArgumentTypeError(f"must be a number from 1 to 64, not {text!r}")
    return int(text)


def _stories(options: argparse.Namespace) -> int:
    stories = [story for story in STORIES if options.story is None or story.name in options.story]
    if options.list:
        return _list(stories, options)
    releases = tuple(dict.fromkeys(options.release or RELEASES))
    jobs = [Job(story, release) for release in releases for story in stories]
    return _check(jobs, options) if options.check else _make(jobs, releases, options)


def _list(stories: Sequence[Story], options: argparse.Namespace) -> int:
    if options.json:
        return put(as_json([{"story": one.name, "what": one.what} for one in stories]) + "\n")
    return put("".join(f"{story.name:<12} {story.what}\n" for story in stories))


def _check(jobs: Sequence[Job], options: argparse.Namespace) -> int:
    results = []
    for checked in check(jobs, options.into):
        name = checked.job.cast
        results.append({"recording": name, "wrong": list(checked.wrong)})
    if options.release is None and options.story is None:
        results += [
            {"recording": str(path.relative_to(options.into)), "wrong": ["no story tells it"]}
            for path in stale(options.into, jobs)
        ]
    wrong = [result for result in results if result["wrong"]]
    if options.json:
        put(as_json(results) + "\n")
    else:
        lines = [
            f"{line(one['recording'])}\n  " + "\n  ".join(one["wrong"]) + "\n" for one in wrong
        ]
        put("".join(lines) + f"{len(results)} recordings, {len(wrong)} not as told\n")
    return int(bool(wrong))


def _make(jobs: Sequence[Job], releases: Sequence[str], options: argparse.Namespace) -> int:
    if not options.into.is_dir() and options.into.exists():
        raise UsageError(f"--into: {line(options.into)} is not a folder. Choose another one.")
    clis = folder_of_clis()
    for release in releases:
        if not program_of(release, clis).exists():
            say(f"{release} is not in {line(clis)}: npm installs it")
            install(release, clis)
    began = time.monotonic()
    maker = Maker(options.into, clis, workers=options.jobs, force=options.force)
    results: list[Made] = []
    making = maker.make(jobs)
    try:
        for made in making:
            results.append(made)
            say(_line(made, len(results), len(jobs)))
    except KeyboardInterrupt:
        say("stopped: every CLI is ended, no half recording is left")
        raise
    finally:
        making.close()
    counts = Counter(made.result for made in results)
    said = ", ".join(f"{counts[result]} {result}" for result in sorted(counts))
    summary = f"{said} in {time.monotonic() - began:.0f} s"
    if options.json:
        put(as_json([_as_data(made) for made in results]) + "\n")
    else:
        put(f"{summary}\n")
    return int(bool(counts["failed"]))


def _line(made: Made, number: int, total: int) -> str:
    name = f"[{number:>{len(str(total))}}/{total}] {made.job.release:<7} {made.job.story.name:<12}"
    if made.result == "told":
        return f"{name} told in {made.seconds:.1f} s, {made.size / 1000:.0f} kB"
    return f"{name} {made.result}{': ' * bool(made.why)}{made.why}"


def _as_data(made: Made) -> dict[str, object]:
    return {
        "release": made.job.release,
        "story": made.job.story.name,
        "result": made.result,
        "seconds": round(made.seconds, 3),
        "recording": made.job.cast if made.result in ("told", "kept") else None,
        "bytes": made.size,
        "why": made.why,
    }
