"""Which prompts stand in the transcript, and which of them are new.

Rule: a prompt is new if it follows those that stood there before. A picture that shows fewer of
them (an alternate screen that scrolls, a cleared chat) makes none of them new.
"""

from collections.abc import Sequence

from geminipty.model import Status
from geminipty.reading import Block, BlockKind, Reading, Witness, is_chore, is_command


class Prompts:
    """The prompts of the transcript, from picture to picture.

    A command to the CLI becomes a turn only if the model is asked.
    """

    def __init__(self) -> None:
        self._known: list[str] = []
        self._typed = ""
        self._command: str | None = None

    def update(self, reading: Reading, blocks: Sequence[Block]) -> str | None:
        """Take over the blocks of a picture: the prompt that it shows for the first time."""
        composer = reading.composer
        if composer is not None and composer.text:
            self._typed = composer.text
        prompts = [block.prompt for block in blocks if block.kind is BlockKind.PROMPT]
        shown = [_squeezed(prompt) for prompt in prompts]
        fresh = prompts[_overlap(self._known, shown) :]
        self._known = shown
        if fresh:
            self._command = None
            if not is_command(fresh[-1]):
                return fresh[-1]
            self._command = None if is_chore(fresh[-1]) else fresh[-1]
        if self._command and _model_works(reading):
            command, self._command = self._command, None
            return command
        return None

    def was_typed(self, prompt: str) -> bool:
        """Whether the composer held this prompt, as far as it can be seen."""
        return bool(self._typed) and _squeezed(prompt).startswith(_squeezed(self._typed)[:20])


def _model_works(reading: Reading) -> bool:
    """Whether the model is at work; where there is a title, it tells that from commands' work."""
    says = {one.says for one in reading.evidence if one.witness is Witness.TITLE}
    return reading.status is Status.WORKING and says <= {Status.WORKING}


def _overlap(known: list[str], shown: list[str]) -> int:
    """How many of the prompts shown were known: the longest end of one that begins the other."""
    for count in range(min(len(known), len(shown)), 0, -1):
        if known[-count:] == shown[:count]:
            return count
    return 0


def _squeezed(text: str) -> str:
    return "".join(text.split())
