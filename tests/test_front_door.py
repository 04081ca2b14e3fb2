"""The front door shows what it lists, and lists what it shows."""

import subprocess
import sys
from types import ModuleType

import geminipty


def test_the_list_of_public_names_is_sorted_and_complete() -> None:
    """Every public name is in __all__, in order, and there are at most 25."""
    public = [
        name
        for name, value in ((name, getattr(geminipty, name)) for name in dir(geminipty))
        if not name.startswith("_") and not isinstance(value, ModuleType)
    ]

    assert sorted(geminipty.__all__) == geminipty.__all__
    assert sorted(public) == geminipty.__all__
    assert len(public) <= 25


def test_importing_the_package_brings_only_what_the_core_needs() -> None:
    """No optional dependency and no test tool is imported with the package."""
    code = "import sys, geminipty; print(*sorted({name.split('.')[0] for name in sys.modules}))"

    imported = subprocess.run(
        [sys.executable, "-W", "error", "-c", code], capture_output=True, text=True, check=True
    ).stdout.split()

    assert "pyte" in imported
    assert not {"avt", "rich", "psutil", "pytest", "hypothesis", "asyncio"} & set(imported)
