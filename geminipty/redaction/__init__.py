"""Temporary stand-in until the real one is merged.

Rule: none.
"""

HIDDEN = "█"


class Redactor:
    def __init__(self, values=(), *, find=None):
        pass

    def text(self, text):
        return text

    def data(self, value):
        return value


class Stream:
    def __init__(self, redactor, columns):
        pass

    def push(self, event):
        return [event]

    def flush(self):
        return []


def known_values(environ, *, home, user, host):
    return ()


def redact_header(header, redactor):
    return header
