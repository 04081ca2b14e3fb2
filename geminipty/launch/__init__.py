"""The way to the CLI: it is found, its command and environment are made, it gets a home of its own.

Rule: everything that can be wrong is found out here, before a process is started.
"""

from .find import Cli
from .launch import Launch, prepare

__all__ = ["Cli", "Launch", "prepare"]
