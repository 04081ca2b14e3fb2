"""How text is cut into chunks means nothing: the same screen, Frames and answers."""

import random
from collections.abc import Iterable
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from geminipty.terminal import Frame, Pen, Query, Terminal

from .conftest import examples
from .playing import outputs, play
from .streams import any_stream, cut, places

SIZES = st.sampled_from([(10, 4), (20, 6), (40, 10), (2, 3), (1, 1)])
Result = tuple[list[Frame], Frame, str, set[int], Pen]


def run(chunks: Iterable[str], size: tuple[int, int]) -> Result:
    """Everything that a terminal gives for a text that arrives in chunks at one moment."""
    terminal = Terminal(*size, answers=set(Query))
    frames = []
    for chunk in chunks:
        terminal.receive(chunk)
        terminal.tick(0.0)
        frames += terminal.frames()
    terminal.tick(5.0)
    terminal.end()
    frames += terminal.frames()
    screen = terminal.screen
    return frames, terminal.picture(), terminal.data_to_send(), screen.mode, screen.cursor.pen


@examples(3000)
@given(any_stream, SIZES, places)
@example("\x1b[38;2;1;2;3m\x1b[A\u200b日本", (10, 4), [0.5])
@example("x\x1b[2K\x1b[G\x1b[5b", (10, 4), [0.5])
@example("text\x1b[3B\x1b[2K\x1b[1A\x1b[2K\x1b[Gmore", (10, 4), [0.5])
@example("\x1b]0;a\r\nb\x07c\r\n", (10, 4), [0.5])
@example("\x1b[2A\r\nx\x1b[3G", (10, 4), [0.5])
def test_any_chunking_gives_the_same_frames(
    stream: str, size: tuple[int, int], at: list[float]
) -> None:
    """Whole, cut anywhere, one character at a time: the same Frames, screen and answers."""
    whole = run([stream], size)

    assert run(stream, size) == whole
    assert run(cut(stream, at), size) == whole


@examples(1000)
@given(any_stream, SIZES, places)
def test_looking_at_the_screen_changes_nothing(
    stream: str, size: tuple[int, int], at: list[float]
) -> None:
    """A screen that is looked at between chunks shows the same as one that is not."""
    terminal = Terminal(*size)

    for chunk in cut(stream, at):
        terminal.receive(chunk)
        terminal.picture()
        assert len(terminal.screen.display) == size[1]

    assert terminal.picture() == run([stream], size)[1]


def test_a_recording_gives_the_same_frames_for_any_chunking(recording: Path) -> None:
    """Each recording, cut at random places and into single characters, gives the same Frames."""
    header, output = outputs(recording)
    chance = random.Random(recording.name)

    def at_random(text: str) -> list[str]:
        places = sorted(chance.sample(range(len(text) + 1), min(3, len(text))))
        return [text[a:b] for a, b in zip([0, *places], [*places, len(text)], strict=True)]

    whole = play(header, output)

    assert play(header, output, at_random) == whole
    if sum(len(text) for _, text in output) < 30_000:
        assert play(header, output, list) == whole


@pytest.mark.parametrize("piece", [37, 4095])
def test_equal_pieces_of_a_recording_give_the_same_frames(recording: Path, piece: int) -> None:
    """Reads of any length give the same Frames."""
    header, output = outputs(recording)

    def in_pieces(text: str) -> list[str]:
        return [text[i : i + piece] for i in range(0, len(text), piece)]

    assert play(header, output, in_pieces) == play(header, output)
