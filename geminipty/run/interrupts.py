"""Ctrl+C at a moment at which nothing is half done.

Rule: what was read is taken whole before an interrupt is raised: half of a picture would be lost.
The caller's own functions are interrupted at once.
"""

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Final

_Handler = Callable[[int, FrameType | None], object]


class _Held:
    """Interrupts of the main thread that wait."""

    def __init__(self) -> None:
        self._handler: _Handler | None = None
        self._came = False

    @property
    def here(self) -> bool:
        """Whether they wait, and this is the thread that they would interrupt."""
        return self._handler is not None and _is_main()

    def hold(self) -> None:
        """Keep those that come from now on, if somebody handles them at all."""
        handler = signal.getsignal(signal.SIGINT)
        if callable(handler):
            self._handler = handler
            signal.signal(signal.SIGINT, self._keep)

    def release(self) -> None:
        """Let them come, and handle what has come."""
        handler, came = self._handler, self._came
        if handler is not None:
            self._handler, self._came = None, False
            signal.signal(signal.SIGINT, handler)
            if came:
                handler(signal.SIGINT, None)

    def _keep(self, number: int, frame: FrameType | None) -> None:
        del number, frame
        self._came = True


_held: Final = _Held()


def _is_main() -> bool:
    return threading.current_thread() is threading.main_thread()


@contextmanager
def held() -> Iterator[None]:
    """An interrupt that comes meanwhile is handled at the end, as it would have been."""
    if not _is_main() or _held.here:
        yield
        return
    _held.hold()
    try:
        yield
    finally:
        _held.release()


@contextmanager
def let_in() -> Iterator[None]:
    """Within `held`: what the caller's function does may take long, and is interrupted at once."""
    if not _held.here:
        yield
        return
    _held.release()
    try:
        yield
    finally:
        _held.hold()
