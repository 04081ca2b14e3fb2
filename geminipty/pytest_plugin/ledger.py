"""Which recordings the tests of a run stand for, so that those of nobody can be told.

Rule: a recording is called unused only if every test of its module ran. With pytest-xdist the
workers tell what they collected, and the one who started them decides.
"""

from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pytest

from . import reports
from .places import SUFFIX, folder_of, place_of, shown

if TYPE_CHECKING:
    from .takes import Take

LEDGER: Final = pytest.StashKey["Ledger"]()
#: The fixtures that open a recording.
FIXTURES: Final = frozenset({"gemini", "async_gemini"})
_OUTPUT: Final = "geminipty"


class Ledger:
    """The books of one run of pytest, or of one worker."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config
        #: The recordings that a test stands for.
        self.claimed: set[Path] = set()
        #: Those that were made in this run.
        self.made: set[Path] = set()
        #: The test under way, if it has a session.
        self.take: Take | None = None
        self._folders: dict[Path, Path] = {}
        self._collected: dict[Path, set[str]] = {}
        self._ran: set[str] = set()
        self._broken = False

    # What happens

    @pytest.hookimpl
    def pytest_itemcollected(self, item: pytest.Item) -> None:
        """A test was found; whether it will be selected is not known yet."""
        folder = self._folders.get(item.path)
        if folder is None:
            folder = self._folders[item.path] = folder_of(item)
        self._collected.setdefault(folder, set()).add(item.nodeid)
        if FIXTURES & set(getattr(item, "fixturenames", ())):
            self.claimed.add(place_of(item).recording)

    @pytest.hookimpl
    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """What cannot be collected may have recordings."""
        self._broken |= report.failed

    @pytest.hookimpl
    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """A test has ended, here or in a worker."""
        if report.when == "teardown":
            self._ran.add(report.nodeid)

    @pytest.hookimpl(trylast=True)  # fixtures of an interrupted test are torn down before
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Hand over to the one who started this worker, or close the books."""
        if self.take is not None:  # nobody saw its test end
            self.take.failed = True
            self.take.settle()
        output = getattr(self._config, "workeroutput", None)
        if output is not None:
            output[_OUTPUT] = self._told()
        elif self._fails and session.exitstatus == pytest.ExitCode.OK and self.unused():
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        """A worker has ended; one that crashed tells nothing."""
        told = getattr(node, "workeroutput", {}).get(_OUTPUT)
        if told is not None:
            self._broken |= told["broken"]
            self.claimed |= set(map(Path, told["claimed"]))
            for folder, tests in told["collected"].items():
                self._collected.setdefault(Path(folder), set()).update(tests)

    @pytest.hookimpl
    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Tell which recordings no test stands for."""
        if unused := self.unused():
            lines = [shown(self._config, path) for path in unused]
            title = "unused gemini recordings"
            reports.listed(terminalreporter, title, lines, red=self._fails)

    # What follows from it

    def unused(self) -> list[Path]:
        """The recordings of nobody, as far as this run can tell."""
        options = self._config.option
        part = any("::" in argument for argument in self._config.args)
        if self._broken or part or getattr(options, "lf", False):
            return []
        whole = [folder for folder, tests in self._collected.items() if tests <= self._ran]
        return sorted(path for folder in whole for path in _files(folder) - self.claimed)

    @property
    def _fails(self) -> bool:
        return bool(self._config.getoption("gemini_unused") == "fail")

    def _told(self) -> dict[str, Any]:
        kept = {folder: tests for folder, tests in self._collected.items() if _files(folder)}
        return {
            "broken": self._broken,
            "claimed": [str(path) for path in self.claimed],
            "collected": {str(folder): sorted(tests) for folder, tests in kept.items()},
        }


def _files(folder: Path) -> set[Path]:
    if not folder.is_dir():
        return set()
    return {path for path in folder.iterdir() if path.suffix == SUFFIX and path.name[0] != "."}
