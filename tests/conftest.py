"""What all tests share: hypothesis without deadlines, and the bundled recordings.

The quick tests take some recordings and some examples; `-m live` takes the other recordings, and
GEMINIPTY_EXAMPLES=all all examples, as .ci/run does.
"""

import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile(
    "geminipty",
    deadline=None,  # a slow machine is not a bug; pytest-timeout stops what hangs
    derandomize=True,  # the same examples on every machine; fuzz_terminal looks for new ones
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
settings.load_profile("geminipty")

RECORDINGS = Path(__file__).parent.parent / "recordings"
ALL_RECORDINGS = sorted(RECORDINGS.glob("*/*.cast*"))
#: Of so many examples of a property, the quick tests try one.
_SHARE = 1 if os.environ.get("GEMINIPTY_EXAMPLES") == "all" else 8
#: What the quick tests play at most of a recording, in bytes.
_QUICK_SIZE = 100_000


def examples(count: int) -> settings:
    """A property is tried so often where there is time, and with a share of it in quick tests."""
    return settings(max_examples=max(count // _SHARE, 20))


def _size(path: Path) -> int:
    return path.stat().st_size * (10 if path.suffix == ".gz" else 1)


def _quick_recordings() -> frozenset[Path]:
    """The smallest of each story and of each release, but for long ones."""
    found: dict[str, Path] = {}
    for path in sorted(ALL_RECORDINGS, key=_size, reverse=True):
        found[path.name.partition(".")[0]] = found[path.parent.name] = path
    return frozenset(path for path in found.values() if _size(path) <= _QUICK_SIZE)


QUICK_RECORDINGS = _quick_recordings()


def later(path: Path, live: bool) -> Any:
    """A recording as a parameter of a test; live if the quick tests have no time for it."""
    return pytest.param(
        path, id=str(path.relative_to(RECORDINGS)), marks=pytest.mark.live if live else ()
    )


def pytest_addoption(parser: pytest.Parser) -> None:
    """`--golden-update` writes the goldens and the printed tables anew, for review."""
    parser.addoption("--golden-update", action="store_true", help="write the goldens anew")


@pytest.fixture
def golden_update(request: pytest.FixtureRequest) -> bool:
    """Whether expected texts are to be written, not compared."""
    return bool(request.config.getoption("--golden-update"))


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """A test that takes `recording` runs for every bundled one: quick for some, live for others.

    With `every_recording` in its place, it is quick for all.
    """
    for name in {"recording", "every_recording"} & set(metafunc.fixturenames):
        every = name == "every_recording"
        recordings = [
            later(path, not every and path not in QUICK_RECORDINGS) for path in ALL_RECORDINGS
        ]
        metafunc.parametrize(name, recordings)
