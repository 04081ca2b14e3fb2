"""A run that a person leads: their terminal is joined to the CLI's, and all of it is recorded.

Rule: what the person types goes to the CLI and what it writes to the person, unchanged; we only
look on, for the recording's chapters.
"""

import codecs
import os
import select
import signal
import termios
import tty
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final, NamedTuple

from geminipty.conversation import Conversation
from geminipty.errors import UsageError
from geminipty.model import Status
from geminipty.options import MAX_COLUMNS, MAX_LINES, Options, Size

from .stages import Live, Scene

_PIECE: Final = 1 << 16


class Led(NamedTuple):
    """How a run by hand ended."""

    #: The exit status of the CLI, or minus the signal that ended it.
    status: int
    #: It came to something, and its recording was kept.
    kept: bool


def lead(options: Options, keyboard: int, screen: int) -> Led:
    """Run the CLI in a person's terminal until it ends.

    Raises UsageError if there is no terminal, and whatever the start of a session does.
    """
    if not os.isatty(keyboard) or not os.isatty(screen):
        raise UsageError(
            "standard input and output are no terminal; give prompts with --ask instead"
        )
    stage = Live(options.model_copy(update={"size": _size(screen)}))
    try:
        with stage.hiding.errors():
            scene = stage.open()
        conversation = Conversation(scene.size.columns, scene.size.lines)
        with _raw(keyboard), _resizes() as resized:
            kept = _join(scene, conversation, keyboard, screen, resized)
        return Led(scene.transport.status or 0, kept)
    finally:
        stage.close()


def _size(terminal: int) -> Size:
    columns, lines = os.get_terminal_size(terminal)
    return Size(columns=min(max(1, columns), MAX_COLUMNS), lines=min(max(1, lines), MAX_LINES))


def _join(
    scene: Scene, conversation: Conversation, keyboard: int, screen: int, resized: int
) -> bool:
    """Hand on what is typed and drawn until the CLI ends; whether the run came to something."""
    wire = scene.transport
    kept = False
    decoder = codecs.getincrementaldecoder("utf-8")("replace")
    while True:
        text = wire.receive()
        _write(screen, text)
        conversation.receive(text)
        conversation.tick(wire.now())
        for event in conversation.events():
            scene.tape.tell(event)
            kept |= event.kind == "status-changed" and event.status is Status.READY
        if wire.ended:
            return kept
        poll = select.poll()
        for handle in (keyboard, resized, *wire.handles):
            poll.register(handle, select.POLLIN)
        if wire.unsent:
            poll.modify(wire.handles[0], select.POLLIN | select.POLLOUT)
        seconds = wire.pause(conversation.deadline)
        ready = [handle for handle, _ in poll.poll(None if seconds is None else seconds * 1000)]
        if keyboard in ready:
            data = os.read(keyboard, _PIECE)
            if not data:
                return kept  # the terminal is gone
            kept = True
            scene.tape.keep()
            wire.send(decoder.decode(data))
        if resized in ready:
            os.read(resized, _PIECE)
            size = _size(screen)
            wire.resize(size.columns, size.lines)
            conversation.resize(size.columns, size.lines)


def _write(screen: int, text: str) -> None:
    data = text.encode("utf-8", "replace")
    while data:
        data = data[os.write(screen, data) :]


@contextmanager
def _raw(keyboard: int) -> Iterator[None]:
    before = termios.tcgetattr(keyboard)
    try:
        tty.setraw(keyboard, termios.TCSADRAIN)
        yield
    finally:
        termios.tcsetattr(keyboard, termios.TCSADRAIN, before)


@contextmanager
def _resizes() -> Iterator[int]:
    """A descriptor that becomes readable when the person's terminal has got another size."""
    reader, writer = os.pipe()
    os.set_blocking(writer, False)
    before = signal.signal(signal.SIGWINCH, lambda *_: None)
    waker = signal.set_wakeup_fd(writer, warn_on_full_buffer=False)
    try:
        yield reader
    finally:
        signal.set_wakeup_fd(waker)
        signal.signal(signal.SIGWINCH, before)
        os.close(reader)
        os.close(writer)
