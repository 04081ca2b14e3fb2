"""What a session must not tell: its secrets, hidden in whatever it raises, logs or shows.

Rule: the same values as in its recording, whether or not it has one. Replies, turns and dialogs
are what the caller asked for and stay as they are.
"""

import os
import re
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from functools import cached_property, wraps
from traceback import TracebackException
from typing import Any, Concatenate, ParamSpec, Protocol, TypeVar

from geminipty.errors import GeminiPtyError
from geminipty.logs import log_of
from geminipty.options import Options
from geminipty.redaction import Redactor, cover
from geminipty.terminal import Frame
from geminipty.transports.own import own_values
from geminipty.visible import visible

#: The cause of an exception, its context, and whether that is told.
_Led = tuple[BaseException | None, BaseException | None, bool]

_P = ParamSpec("_P")
_T = TypeVar("_T")


class Hiding:
    """The secrets of one session, as they were when it was made; looked up when first needed."""

    def __init__(self, options: Options) -> None:
        self._redact = options.redact
        self._environ = {**os.environ, **options.env}
        #: The logger for what is about this session.
        self.log = log_of(self.text)

    @cached_property
    def redactor(self) -> Redactor:
        """What its recording passes too."""
        values = own_values(self._environ)
        if callable(self._redact):
            return Redactor(values, find=self._redact)
        return Redactor((*self._redact, *values))

    def text(self, text: str) -> str:
        """The text without secrets; the home reads `~`, so that paths can still be followed."""
        if self._home is not None:
            text = self._home.sub("~", text)
        return self.redactor.text(text)

    def frame(self, frame: Frame) -> Frame:
        """The picture without secrets."""
        return cover(frame, self.redactor)

    def screen(self, frame: Frame) -> str:
        """The picture in a box, as text to print."""
        return visible(self.frame(frame).boxed())

    @contextmanager
    def errors(self) -> Iterator[None]:
        """What is raised within holds no secrets, nor does what led to it."""
        try:
            yield
        except (GeminiPtyError, BaseExceptionGroup) as error:
            self._hide(error)
            raise

    def _hide(self, error: BaseException) -> None:
        """Hide an error with all that led to it, and with the members of groups among it."""
        links: dict[int, tuple[BaseException, _Led]] = {}
        waiting: list[BaseException | None] = [error]
        while waiting:
            one = waiting.pop()
            if one is None or id(one) in links:
                continue
            led = (one.__cause__, one.__context__, one.__suppress_context__)
            links[id(one)] = (one, led)
            waiting += led[:2]
            if isinstance(one, BaseExceptionGroup):
                waiting += one.exceptions
            one.__cause__ = one.__context__ = None  # each is looked at by itself
            if isinstance(one, GeminiPtyError):
                one.hide(self.text, self.frame)
        stand = {at: self._standing(one) for at, (one, _) in links.items()}
        stand[id(error)] = error
        for at, (one, (cause, context, suppressed)) in links.items():
            for holder in (one, stand[at]):
                holder.__cause__, holder.__context__ = stand.get(id(cause)), stand.get(id(context))
                holder.__suppress_context__ = suppressed

    def _standing(self, error: BaseException) -> BaseException:
        """The same exception, or what can be said of it if its text is not fit to be printed."""
        if isinstance(error, GeminiPtyError):
            return error
        text = "\n".join(_said(error))
        safe = visible(self.text(text))
        return error if safe == text else RuntimeError(safe).with_traceback(error.__traceback__)

    @cached_property
    def _home(self) -> re.Pattern[str] | None:
        home = self._environ.get("HOME", "").rstrip("/")
        return re.compile(rf"(?<![\w.~-]){re.escape(home)}(?![\w-])") if home else None


def _said(error: BaseException) -> Iterator[str]:
    """What Python prints of an exception: its text, its notes and the members of a group.

    An exception whose text cannot be had is no harm to the printer of Python, nor here.
    """
    told = TracebackException(type(error), error, None)
    yield "".join(told.format_exception_only()).rstrip("\n")
    if isinstance(error, BaseExceptionGroup):
        for one in error.exceptions:
            yield from _said(one)


class _Hides(Protocol):
    @property
    def hiding(self) -> Hiding: ...


_H = TypeVar("_H", bound=_Hides)
_Verb = Callable[Concatenate[_H, _P], _T]


def hides(verb: _Verb[_H, _P, _T]) -> _Verb[_H, _P, _T]:
    """A method whose errors hold no secrets of its owner."""

    @wraps(verb)
    def call(self: _H, /, *args: _P.args, **rest: _P.kwargs) -> _T:
        with self.hiding.errors():
            return verb(self, *args, **rest)

    return call


def hides_while(
    verb: _Verb[_H, _P, Generator[Any, None, _T]],
) -> _Verb[_H, _P, Generator[Any, None, _T]]:
    """The same for a generator, from its first step to its last."""

    @wraps(verb)
    def steps(self: _H, /, *args: _P.args, **rest: _P.kwargs) -> Generator[Any, None, _T]:
        with self.hiding.errors():
            return (yield from verb(self, *args, **rest))

    return steps
