"""What names this machine and its user, so that it can be kept out of recordings.

Rule: it is looked up, never changed; what cannot be found out needs no hiding.
"""

import getpass
import socket
from collections.abc import Mapping
from contextlib import suppress

from geminipty.redaction import known_values


def own_values(environ: Mapping[str, str]) -> tuple[str, ...]:
    """The secrets of an environment, and the names of its home, its user and this machine."""
    user = None
    with suppress(OSError, KeyError):  # no such user: a container may run as any number
        user = getpass.getuser()
    return known_values(environ, home=environ.get("HOME"), user=user, host=socket.gethostname())
