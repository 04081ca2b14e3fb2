"""Which characters of an output are printed; the others are controls.

Rule: the parser says so, so the answer is that of the picture.
"""

from .params import Params
from .parser import Parser, State


class Printed:
    """Tells the printed characters of a text that may arrive in any pieces.

    `state` is where in a sequence the text before it stopped.
    """

    def __init__(self, state: State = State.GROUND) -> None:
        self._parser = Parser(self)
        self._parser.state = state
        self._prints = False

    def where(self, text: str) -> list[int]:
        """The places of the characters that are printed."""
        found = []
        for at, char in enumerate(text):
            self._prints = False
            self._parser.feed(char)
            if self._prints:
                found.append(at)
        return found

    # What the parser calls

    def text(self, text: str) -> None:
        """It is printed."""
        del text
        self._prints = True

    def control(self, char: str) -> None:
        """It is not."""

    def escape(self, intermediates: str, final: str) -> None:
        """It is not."""

    def csi(self, private: str, params: Params, intermediates: str, final: str) -> None:
        """It is not."""

    def osc(self, body: str) -> None:
        """It is not."""
