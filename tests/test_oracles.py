"""Our rows are those of independent terminals, on real output."""

from contextlib import closing
from pathlib import Path

import pytest

from geminipty.terminal import Terminal

from . import tmux
from .oracles import differences_from_avt, differences_from_tmux, excuse

ALACRITTY = Path(__file__).parent / "alacritty"
#: Where we differ from Alacritty, and why.
NOT_ALACRITTY = {
    "decaln_reset": "DEC STD 070: the alignment pattern (DECALN) homes the cursor; Alacritty "
    "leaves it",
}


def test_rows_equal_avt_at_every_event_border(recording: Path) -> None:
    """At each border our rows are those of asciinema's terminal, but for exceptions by name."""
    with closing(differences_from_avt(recording)) as differences:
        assert (next(differences, None) is None) == (excuse("avt", recording) is None)


if tmux.AVAILABLE:

    def test_rows_equal_tmux_at_event_borders(recording: Path) -> None:
        """At up to 40 borders our rows are those of tmux; at the end, so are the lines above."""
        with closing(differences_from_tmux(recording, most=40)) as differences:
            assert (next(differences, None) is None) == (excuse("tmux", recording) is None)


@pytest.mark.parametrize("raw", sorted(ALACRITTY.glob("*.raw")), ids=lambda path: path.stem)
def test_rows_equal_alacritty_on_its_own_recordings(raw: Path) -> None:
    """Alacritty's reference recordings end with the rows that it shows, but for those named."""
    columns, lines = map(int, raw.with_suffix(".size").read_text().split())
    expected = raw.with_suffix(".txt").read_text(encoding="utf-8").split("\n")
    terminal = Terminal(columns, lines)

    terminal.receive(raw.read_bytes().decode(errors="replace"))

    rows = terminal.picture().lines
    same = "\n".join(rows).rstrip("\n") == "\n".join(expected).rstrip("\n")
    assert same == (raw.stem not in NOT_ALACRITTY)


def test_the_exceptions_are_few_and_exist() -> None:
    """At least 41 of Alacritty's 43 recordings are equal, and no exception is out of date."""
    names = {path.stem for path in ALACRITTY.glob("*.raw")}

    assert len(names) == 43
    assert set(NOT_ALACRITTY) <= names
    assert len(names) - len(NOT_ALACRITTY) >= 41
