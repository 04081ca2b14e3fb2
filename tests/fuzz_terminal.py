"""Fuzzes the terminal by coverage, for as long as one likes (not part of the test run).

    pip install -e '.[dev,fuzz]'
    python -m tests.fuzz_terminal -max_total_time=600

Each input is painted whole and in two pieces: no exception, a sound screen, the same Frames.
"""

import sys

import atheris

with atheris.instrument_imports():
    from geminipty.terminal import Terminal

from .test_hostile import check


def paint(chunks: list[str]) -> tuple[Terminal, list[object]]:
    """A terminal that was fed these chunks, and its Frames."""
    terminal = Terminal(20, 6)
    for chunk in chunks:
        terminal.receive(chunk)
        terminal.tick(0.0)
    terminal.tick(5.0)
    terminal.end()
    return terminal, list(terminal.frames())


def one_input(data: bytes) -> None:
    """What holds for any bytes; the first says where the text is cut."""
    text = data[1:].decode(errors="replace")
    cut = data[0] * len(text) // 255 if data else 0
    whole, frames = paint([text])
    pieces, frames_of_pieces = paint([text[:cut], text[cut:]])
    check(whole)
    assert frames == frames_of_pieces
    assert whole.picture() == pieces.picture()


if __name__ == "__main__":
    atheris.Setup(sys.argv, one_input)
    atheris.Fuzz()
