"""What all tests share: hypothesis without deadlines, and the bundled recordings."""

from pathlib import Path

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


def pytest_addoption(parser: pytest.Parser) -> None:
    """`--golden-update` writes the goldens and the printed tables anew, for review."""
    parser.addoption("--golden-update", action="store_true", help="write the goldens anew")


@pytest.fixture
def golden_update(request: pytest.FixtureRequest) -> bool:
    """Whether expected texts are to be written, not compared."""
    return bool(request.config.getoption("--golden-update"))


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """A test that takes `recording` runs for every bundled one."""
    if "recording" in metafunc.fixturenames:
        names = [str(path.relative_to(RECORDINGS)) for path in ALL_RECORDINGS]
        metafunc.parametrize("recording", ALL_RECORDINGS, ids=names)
