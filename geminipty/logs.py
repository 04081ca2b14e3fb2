"""The logger of geminipty.

Rule: all that geminipty logs goes through here. A record leaves as one line of harmless text,
without the secrets of the session that it is about. What was raised is text in it too, so that no
handler gets hold of more.
"""

import logging
from collections.abc import Callable
from typing import Final

from geminipty.visible import line, visible

_HIDE: Final = "geminipty_hide"
_FORMATTER: Final = logging.Formatter()

log: Final = logging.getLogger("geminipty")


def log_of(hide: Callable[[str], str]) -> "logging.LoggerAdapter[logging.Logger]":
    """The logger for a session; `hide` takes its secrets out of a text."""
    return logging.LoggerAdapter(log, {_HIDE: hide})


def _clean(record: logging.LogRecord) -> bool:
    hide = record.__dict__.pop(_HIDE, str)
    record.msg, record.args = line(hide(record.getMessage())), ()
    if record.exc_info:
        record.exc_text = visible(hide(_FORMATTER.formatException(record.exc_info)))
        record.exc_info = None
    if record.stack_info:
        record.stack_info = visible(hide(record.stack_info))
    return True


log.addFilter(_clean)
