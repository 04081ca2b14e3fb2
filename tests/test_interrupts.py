"""Ctrl+C waits until nothing is half done, but not for the caller's own functions."""

import signal
import threading
from collections.abc import Iterator
from typing import Any

import pytest

from geminipty.run.interrupts import held, let_in


@pytest.fixture(autouse=True)
def python_handles_it() -> Iterator[None]:
    """In the background of a shell it is ignored."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def press() -> None:
    """Press Ctrl+C."""
    signal.raise_signal(signal.SIGINT)


def test_an_interrupt_comes_when_all_is_done() -> None:
    """It is raised at the end, once, and then interrupts come at once again."""
    done = []

    def work() -> None:
        with held():
            press()
            press()
            done.append("all")

    with pytest.raises(KeyboardInterrupt):
        work()

    assert done == ["all"]
    with pytest.raises(KeyboardInterrupt):
        press()


def test_a_function_of_the_callers_is_interrupted_at_once() -> None:
    """What came before is raised as it begins, what comes in it there, and after it waits again."""
    done = []

    def work() -> None:
        with held():
            press()
            with let_in():
                done.append("never")

    with pytest.raises(KeyboardInterrupt):
        work()
    assert done == []

    with held():
        with pytest.raises(KeyboardInterrupt), let_in():
            press()
        done.append("on")
    assert done == ["on"]


def test_a_handler_of_the_callers_is_called_in_the_end() -> None:
    """Whatever it is; and what is ignored stays so."""
    seen: list[tuple[int, Any]] = []
    signal.signal(signal.SIGINT, lambda number, frame: seen.append((number, frame)))

    with held():
        press()
        assert seen == []

    assert seen == [(signal.SIGINT, None)]

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with held():
        press()
    assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN


def test_other_threads_hold_nothing() -> None:
    """Only the main thread is ever interrupted."""
    found = []

    def look() -> None:
        with held(), let_in():
            found.append(signal.getsignal(signal.SIGINT))

    thread = threading.Thread(target=look)
    with held():
        thread.start()
        thread.join()
    thread = threading.Thread(target=look)
    thread.start()
    thread.join()

    assert found[0] is not signal.default_int_handler
    assert found[1] is signal.default_int_handler
