"""The settings of the CLI that a private home is given, each with its reason.

Rule: one table a purpose. A row says since which release the CLI has the setting: a release that
does not know it is not given it. Before 0.4 all settings lie at the top, under names of their own.
"""

from collections.abc import Iterable, Mapping
from typing import Any, Final, NamedTuple

from .releases import GROUPED_SETTINGS, Release, has


class Setting(NamedTuple):
    """One setting: where it lies, its value and why."""

    key: str
    value: Any
    why: str
    since: Release = (0, 0, 0)
    until: Release | None = None  #: the first release that has lost it

    def of(self, settings: Mapping[str, Any]) -> object:
        """What grouped settings say of it; None if nothing."""
        value: object = settings
        for name in self.key.split("."):
            value = value.get(name) if isinstance(value, Mapping) else None
        return value


#: An answer that the CLI breaks off is in no log, though its calls are run.
LOOPS: Final = Setting("model.disableLoopDetection", True, "its calls are in no log", (0, 28, 2))

#: For every session.
ALWAYS: Final = (
    LOOPS,
    Setting("general.enableAutoUpdate", False, "an update would change the CLI", (0, 26, 0)),
    Setting("general.enableAutoUpdateNotification", False, "a box on the screen", (0, 26, 0)),
    Setting("general.disableAutoUpdate", True, "as above", until=(0, 26, 0)),
    Setting("general.disableUpdateNag", True, "as above", until=(0, 26, 0)),
    Setting("general.sessionRetention.enabled", False, "it deletes resumed chats", (0, 15, 0)),
    Setting("general.vimMode", False, "what is pasted would be commands"),
    Setting("general.enableNotifications", False, "rings and writes to the terminal", (0, 32, 0)),
    Setting("ui.hideWindowTitle", False, "the title is a witness of the status"),
    Setting("ui.dynamicWindowTitle", True, "it says Ready and Working", (0, 25, 0)),
    Setting("ui.showStatusInTitle", False, "a thought would stand in its place"),
    Setting("ui.useAlternateBuffer", False, "it keeps no lines that scrolled off", (0, 15, 0)),
    Setting("ui.terminalBuffer", False, "it loses lines of long replies", (0, 38, 0)),
    Setting("ui.accessibility.screenReader", False, "everything is printed many times", (0, 4, 0)),
    Setting("ui.errorVerbosity", "full", "errors are told, not hinted at", (0, 32, 0)),
    Setting("ui.inlineThinkingMode", "off", "thoughts would stand in the reply", (0, 30, 0)),
    Setting("ui.compactToolOutput", False, "what tools return is shown", (0, 38, 0)),
    Setting("ui.showCompatibilityWarnings", False, "warnings about our terminal", (0, 32, 0)),
    Setting("ui.showHomeDirectoryWarning", False, "a warning that nobody reads", (0, 25, 0)),
    Setting("ui.hideFooter", False, "its end is where a picture ends"),
    Setting("ide.enabled", False, "an editor would show the dialogs instead"),
    Setting("ide.hasSeenNudge", True, "a question at the start"),
)

#: For the look "lean": what is drawn ten times a second and says nothing.
LEAN: Final = (
    Setting("ui.showSpinner", False, "35 kB/s while the model thinks, else 2 kB/s", (0, 27, 0)),
    Setting("ui.loadingPhrases", "off", "jokes beside the spinner", (0, 32, 0)),
    Setting("ui.accessibility.enableLoadingPhrases", False, "as above", (0, 26, 0), (0, 32, 0)),
    Setting("ui.accessibility.disableLoadingPhrases", True, "as above", until=(0, 26, 0)),
    Setting("ui.hideBanner", True, "eight rows that are reprinted with the transcript"),
    # Something must stand above the composer, or the end of the start cannot be seen.
    Setting("ui.hideTips", False, "the tips are the sign that the start has ended"),
)

#: In CI: the CLI tries ten times, for minutes, before it tells an error.
IN_CI: Final = (Setting("general.maxAttempts", 3, "an error is told in seconds", (0, 32, 0)),)

#: The names before 0.4, as the CLI itself moves them.
OLD_NAMES: Final[Mapping[str, str]] = {
    "general.disableAutoUpdate": "disableAutoUpdate",
    "general.disableUpdateNag": "disableUpdateNag",
    "general.vimMode": "vimMode",
    "ide.enabled": "ideMode",
    "ide.hasSeenNudge": "hasSeenIdeIntegrationNudge",
    "security.auth.selectedType": "selectedAuthType",
    "security.folderTrust.enabled": "folderTrust",
    "ui.accessibility.disableLoadingPhrases": "accessibility.disableLoadingPhrases",
    "ui.hideBanner": "hideBanner",
    "ui.hideFooter": "hideFooter",
    "ui.hideTips": "hideTips",
    "ui.hideWindowTitle": "hideWindowTitle",
    "ui.theme": "theme",
}


def apply(settings: dict[str, Any], table: Iterable[Setting], release: Release | None) -> None:
    """Put a table's settings into settings, as far as the release knows them."""
    for one in table:
        known = has(release, one.since)
        lost = one.until is not None and has(release, one.until)
        if known and not lost:
            put(settings, one.key, one.value, release)


def put(settings: dict[str, Any], key: str, value: Any, release: Release | None) -> None:
    """Put one setting where the release looks for it; nothing if it has no such setting."""
    if not has(release, GROUPED_SETTINGS):
        if key not in OLD_NAMES:
            return
        key = OLD_NAMES[key]
    elif key in OLD_NAMES:
        settings.pop(OLD_NAMES[key], None)  # else a release that moves it would undo ours
    *groups, name = key.split(".")
    for group in groups:
        below = settings.get(group)
        if not isinstance(below, dict):
            below = settings[group] = {}
        settings = below
    settings[name] = value


def merge(settings: dict[str, Any], over: Mapping[str, Any]) -> None:
    """Lay settings over others: groups are joined, everything else is replaced."""
    for name, value in over.items():
        below = settings.get(name)
        if isinstance(below, dict) and isinstance(value, Mapping):
            merge(below, value)
        else:
            settings[name] = value
