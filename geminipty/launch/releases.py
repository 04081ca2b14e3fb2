"""Which release of the CLI can do what, so that a missing flag is named before anything starts.

Rule: one table. A release that cannot be told is taken for the newest.
"""

from typing import Final, TypeAlias

from geminipty.errors import UsageError
from geminipty.options import ApprovalMode, Options

Release: TypeAlias = tuple[int, int, int]

#: The first release in which each flag was seen, read from the --help of about forty.
SINCE: Final[dict[str, Release]] = {
    "extensions": (0, 1, 13),
    "initial_prompt": (0, 1, 13),
    "approval_mode": (0, 1, 22),
    "include_directories": (0, 1, 22),
    "allowed_tools": (0, 3, 0),
    "resume": (0, 15, 0),
    "approval_mode='plan'": (0, 26, 0),
    "policies": (0, 30, 0),
    "session_id": (0, 41, 0),
}
#: Settings lie in groups (`ui.theme`); before, all were at the top (`theme`).
GROUPED_SETTINGS: Final[Release] = (0, 4, 0)
#: `CI_…` variables no longer keep the CLI from drawing.
DRAWS_WITH_CI_NAMES: Final[Release] = (0, 8, 0)
#: GEMINI_CLI_TRUSTED_FOLDERS_PATH is read.
TRUST_FILE: Final[Release] = (0, 8, 0)
#: GEMINI_CLI_HOME is read; before, only HOME is.
OWN_HOME: Final[Release] = (0, 25, 0)
#: A loop is asked about after the call that stands there, in a dialog of its own.
ASKS_LATER: Final[Release] = (0, 25, 0)
#: A file outside of the workspace is asked about; before, it is left out without a word.
ASKS_OUTSIDE: Final[Release] = (0, 30, 0)
#: `plan` is a mode like the others; before, a setting has to allow it.
PLAIN_PLAN: Final[Release] = (0, 34, 0)
#: --record-responses, which --help hides, is known; up to the newest release that was measured.
WIRE_LOG: Final[Release] = (0, 12, 0)
MEASURED: Final[Release] = (0, 61, 0)
#: GEMINI_CLI_TRUST_WORKSPACE is read.
TRUST_VARIABLE: Final[Release] = (0, 39, 0)


def has(release: Release | None, since: Release) -> bool:
    """Whether a release is as new as that, or cannot be told."""
    return release is None or release >= since


def written(release: Release) -> str:
    """The usual spelling, 0.41.0."""
    return ".".join(map(str, release))


def check(options: Options, release: Release | None) -> None:
    """Raise UsageError if the release lacks what an option needs."""
    needs = [name for name in SINCE if getattr(options, name, None)]
    if options.extensions is not None and "extensions" not in needs:
        needs.append("extensions")
    if options.approval_mode in (ApprovalMode.DEFAULT, ApprovalMode.YOLO):
        needs.remove("approval_mode")  # what the oldest do anyway, and their --yolo
    if options.approval_mode is ApprovalMode.PLAN:
        needs.append("approval_mode='plan'")
    missing = [name for name in needs if not has(release, SINCE[name])]
    if release is None or not missing:
        return
    lines = [f"  {name}: the CLI has it since {written(SINCE[name])}" for name in missing]
    raise UsageError(
        f"the CLI that was found, {written(release)}, does not know these options:\n"
        + "\n".join(lines)
        + "\nLeave them out, or install a newer CLI: npm install -g @google/gemini-cli"
    )
