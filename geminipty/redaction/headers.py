"""A recording's header without secrets.

Rule: every text in it is looked at, also in keys that nobody knows.
"""

from typing import Any

from geminipty import asciicast

from .redactor import Redactor


def redact_header(header: asciicast.Header, redactor: Redactor) -> asciicast.Header:
    """The header with every secret hidden in the command, title, environment, tags and the rest."""
    changed: dict[str, Any] = {
        "env": redactor.data({**header.env}),
        "theme": redactor.data({**header.theme}),
        "tags": tuple(redactor.text(tag) for tag in header.tags),
        "extra": redactor.data(header.extra),
        "term_extra": redactor.data(header.term_extra),
    }
    for name in ("command", "title", "term_type"):
        text = getattr(header, name)
        changed[name] = None if text is None else redactor.text(text)
    return header.model_copy(update=changed)
