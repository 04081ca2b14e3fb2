"""The front door shows what it lists, and lists what it shows."""

import subprocess
import sys
from types import ModuleType

import geminipty


def test_the_list_of_public_names_is_sorted_and_complete() -> None:
    """Every public name is in __all__, in order."""
    public = [
        name
        for name, value in ((name, getattr(geminipty, name)) for name in dir(geminipty))
        if not name.startswith("_") and not isinstance(value, ModuleType)
    ]

    assert sorted(geminipty.__all__) == geminipty.__all__
    assert sorted(public) == geminipty.__all__


def imported_by(code: str) -> set[str]:
    """The packages that are there after a piece of code."""
    code += "; import sys; print(*sorted({name.split('.')[0] for name in sys.modules}))"
    run = [sys.executable, "-W", "error", "-c", code]
    return set(subprocess.run(run, capture_output=True, text=True, check=True).stdout.split())


def test_importing_the_package_alone_brings_nothing() -> None:
    """Whoever does not use a name of the front door pays for none."""
    imported = imported_by("import geminipty")

    assert not {"pexpect", "pyte", "pydantic", "asyncio"} & imported


def test_reading_brings_only_what_the_core_needs() -> None:
    """No optional dependency and no test tool is imported with what reads recordings."""
    imported = imported_by("from geminipty import Conversation, Terminal, read")

    assert "pyte" in imported
    assert not {"avt", "rich", "psutil", "pytest", "hypothesis", "asyncio", "pexpect"} & imported
