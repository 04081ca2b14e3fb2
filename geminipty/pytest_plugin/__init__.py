"""The door for tests: sessions that are replayed from recordings, and recorded when asked to.

Rule: a run of pytest starts a CLI only where --gemini-record says so, and a run without a test
for us imports nothing of ours but this. docs/testing.md tells how to use it.
"""

from collections.abc import Generator, Iterator
from contextlib import nullcontext
from typing import TYPE_CHECKING, Any, Final

import pytest

from . import reports
from .ledger import LEDGER, Ledger
from .models import ScriptedModel
from .places import ARTIFACTS, artifacts, shown
from .takes import PROBLEM, Take

if TYPE_CHECKING:
    from geminipty.aio import AsyncGeminiSession
    from geminipty.session import GeminiSession

__all__ = ["ScriptedModel"]

_MODES: Final = ("none", "new", "rewrite")
_MARKER: Final = (
    "gemini(story=None, match=None, speed=None, **options): how the fixtures gemini and "
    "async_gemini open their session. story names the recording; match and speed are those of "
    "GeminiSession.replay; the others are options of the session."
)


def pytest_addoption(parser: pytest.Parser) -> None:
    """The options, as `pytest --help` shows them."""
    group = parser.getgroup("geminipty", "recorded sessions with Gemini CLI")
    group.addoption(
        "--gemini-record",
        choices=_MODES,
        default="none",
        help="none: replay, and fail where there is no recording (default). new: record what is "
        "missing. rewrite: record all selected tests anew. Only the last two start a CLI.",
    )
    group.addoption(
        "--gemini-artifacts",
        metavar="DIR",
        help=f"where recordings of failing tests are kept (default: {ARTIFACTS} in the rootdir)",
    )
    group.addoption(
        "--gemini-unused",
        choices=("list", "fail"),
        default="list",
        help="what to do about recordings that no test of a whole run stands for (default: list)",
    )
    parser.addini(
        "gemini_recordings",
        "folder for recordings, from the rootdir (default: recordings/ beside each test file)",
        default="",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Make the marker known and open the books of this run."""
    config.addinivalue_line("markers", _MARKER)
    if chosen := config.getoption("gemini_artifacts"):
        # Said from where pytest was started; workers may stand elsewhere.
        config.option.gemini_artifacts = str(config.invocation_params.dir / chosen)
    ledger = config.stash[LEDGER] = Ledger(config)
    config.pluginmanager.register(ledger, "geminipty-ledger")


def pytest_report_header(config: pytest.Config) -> str | None:
    """Say it where a CLI may be started."""
    mode = config.getoption("gemini_record")
    if mode == "none":
        return None
    base = reports.name(config.getini("gemini_recordings")) or "recordings/ beside the tests"
    failed = shown(config, artifacts(config))
    return f"gemini: --gemini-record={mode}, into {base}; of tests that fail into {failed}"


# What becomes of a test


@pytest.hookimpl(wrapper=True)
def pytest_runtest_setup(item: pytest.Item) -> Generator[None, None, None]:
    """A test that cannot begin is one that fails, not an error of its set-up."""
    item.stash[PROBLEM] = ""
    try:
        yield
    except pytest.fail.Exception:
        if not item.stash[PROBLEM]:
            raise


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_call(item: pytest.Item) -> None:
    """Fail in the place of the test."""
    if problem := item.stash.get(PROBLEM, ""):
        reports.fail(problem)


@pytest.hookimpl(wrapper=True, tryfirst=True)  # after others have said what the outcome is
def pytest_runtest_makereport(
    item: pytest.Item,
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Tell the take how its test goes; at the end, let it put its recording away."""
    ledger = item.config.stash[LEDGER]
    take = ledger.take if ledger.take is not None and ledger.take.item is item else None
    with reports.without_our_code() if take is not None else nullcontext():
        report = yield
    if take is not None:
        take.hear(report)
        if report.when == "teardown":
            ledger.take = None
            if take.settle():
                ledger.made.add(take.place.recording)
    return report


# What a test may ask for


@pytest.fixture
def gemini_options() -> dict[str, Any]:
    """Options for the test's session; override it for what a marker cannot know. Markers win."""
    return {}


@pytest.fixture
def gemini_standin(request: pytest.FixtureRequest) -> Iterator[ScriptedModel]:
    """A scripted model for the CLI that is recorded: `gemini_standin([Say("Hello.")])`.

    The test's session is led to it. In a replay nothing listens, and a script changes nothing.
    """
    take = _take(request)
    model = ScriptedModel(listens=take.records)
    try:
        yield model
        if not take.failed:
            model.check()
    finally:
        model.close()


@pytest.fixture
def gemini(
    request: pytest.FixtureRequest, gemini_options: dict[str, Any]
) -> Iterator["GeminiSession"]:
    """A session that is started: the test's recording, or a CLI as --gemini-record says."""
    from geminipty.session import GeminiSession

    take = _take(request)
    session = take.open(GeminiSession, _options(request, take, gemini_options))
    try:
        with take.clear():
            session.start()
        yield session
    finally:
        session.close()


@pytest.fixture
def async_gemini(
    request: pytest.FixtureRequest, gemini_options: dict[str, Any]
) -> Iterator["AsyncGeminiSession"]:
    """The same for an event loop, and not started: `async with async_gemini as session:`.

    It needs no plugin for asyncio: `asyncio.run` in the test will do.
    """
    import asyncio

    from geminipty.aio import AsyncGeminiSession
    from geminipty.model import Status

    take = _take(request)
    session = take.open(AsyncGeminiSession, _options(request, take, gemini_options))
    yield session
    if take.records and session.status not in (None, Status.CLOSED):  # the test did not close it
        loop = asyncio.new_event_loop()
        try:
            loop.run_until_complete(session.close())
        finally:
            loop.close()


def _take(request: pytest.FixtureRequest) -> Take:
    """The take of a test, made when its first fixture asks for it."""
    item: pytest.Item = request.node
    ledger = item.config.stash[LEDGER]
    if ledger.take is None or ledger.take.item is not item:
        ledger.take = Take(item, mode=item.config.getoption("gemini_record"), made=ledger.made)
        ledger.claimed.add(ledger.take.place.recording)
    return ledger.take


def _options(request: pytest.FixtureRequest, take: Take, own: dict[str, Any]) -> dict[str, Any]:
    """What the fixtures of a test say; its markers come on top."""
    options = dict(own)
    if take.records and "cwd" not in options:
        # What the CLI does to files, it does to those of the test.
        options["cwd"] = request.getfixturevalue("tmp_path")
    if "gemini_standin" in request.fixturenames:
        led = request.getfixturevalue("gemini_standin").options.get("env", {})
        options["env"] = {**led, **(options.get("env") or {})}
    return options
