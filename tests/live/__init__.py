"""Tests with the real CLI, installed from npm, against the stand-in: `pytest -m live`."""
