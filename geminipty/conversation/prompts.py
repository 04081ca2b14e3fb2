"""Which prompts stand in the transcript, and which of them are new.

Rule: a prompt is new if it follows those that stood there before. A picture that shows fewer of
them, or older ones again (an alternate screen that scrolls), makes none of them new.
"""

from collections.abc import Sequence

from geminipty.model import Status
from geminipty.reading import Mode, Reading, Transcript, Witness, is_chore, is_command, is_stand_in

#: Characters of a prompt that are compared with what was seen in the composer.
_BEGINNING = 20


class Prompts:
    """The prompts of the transcript, from picture to picture.

    A command to the CLI becomes a turn only if the model is asked.
    """

    def __init__(self) -> None:
        self._edition = 0
        #: As the last picture showed them, and as they are compared.
        self._shown: list[str] = []
        self._known: list[str] = []
        self._ever: set[str] = set()
        self._typed = ""
        #: The picture before showed a CLI with nothing to do.
        self._idle = True
        self._command: str | None = None

    def update(self, reading: Reading, transcript: Transcript) -> str | None:
        """Take over the prompts of a picture: the one that it shows for the first time."""
        composer = reading.composer
        if composer is not None and composer.text:
            self._typed = composer.text
        if composer is not None and composer.mode is Mode.SHELL:
            self._command = None  # what works from here on is the shell
        if transcript.edition != self._edition:
            self._edition = transcript.edition
            fresh = self._fresh(transcript.prompts, scrolls=reading.frame.alternate)
            if fresh is not None:
                self._command = None
                if not is_command(fresh):
                    return fresh
                self._command = None if is_chore(fresh) else fresh
        self._idle = reading.status is Status.READY
        if self._command and _model_works(reading):
            command, self._command = self._command, None
            return command
        return None

    def _fresh(self, prompts: Sequence[str], *, scrolls: bool) -> str | None:
        """The last of the prompts, if it is new."""
        known = len(self._shown)
        grown = prompts[:known] == self._shown and len(self._known) == known
        if grown:
            shown = self._known + [squeezed(prompt) for prompt in prompts[known:]]
        else:
            shown = [squeezed(prompt) for prompt in prompts]
            known = overlap(self._known, shown)
        fresh = prompts[known:]
        self._shown = list(prompts)
        if fresh and not self._is_new(fresh[-1], scrolls=scrolls):
            return None
        if shown or not scrolls:
            self._known = shown
            self._ever.update(shown[known:])
        return fresh[-1] if fresh else None

    def _is_new(self, prompt: str, *, scrolls: bool) -> bool:
        """Whether a prompt was given just now, and is not an old one that is drawn again.

        Small screens tear what scrolls off, and alternate ones show it again when they scroll; a
        dialog that is higher than the screen tears it, and all is drawn anew.
        """
        again = squeezed(prompt) in self._ever and not self._idle
        return self.was_typed(prompt) or not (scrolls or again)

    def was_typed(self, prompt: str) -> bool:
        """Whether the composer held this prompt, as far as it could be seen."""
        typed = squeezed(self._typed)
        if not typed:
            return False
        return is_stand_in(self._typed) or squeezed(prompt).startswith(typed[:_BEGINNING])

    def taken(self) -> None:
        """A turn has begun with what was typed."""
        self._typed = ""


def overlap(known: list[str], shown: list[str]) -> int:
    """How many of the prompts shown belong to those known, which end before the others begin."""
    best = end = 0
    for shift in range(len(known) - 1, -len(shown), -1):
        first, last = max(0, -shift), min(len(shown), len(known) - shift)
        size = last - first
        if size > best and all(_alike(shown[at], known[at + shift]) for at in range(first, last)):
            best, end = size, last
    return end


def _alike(one: str, other: str) -> bool:
    """Whether two pictures show one prompt; an alternate screen may cut its end off."""
    return one.startswith(other) or other.startswith(one)


def is_same(one: str, other: str) -> bool:
    """Whether two texts of the transcript are one prompt, wrapped or cut off in its own way."""
    return one == other or _alike(squeezed(one), squeezed(other))


def squeezed(text: str) -> str:
    """A text without blanks: the same however it is wrapped."""
    return "".join(text.split())


def _model_works(reading: Reading) -> bool:
    """Whether the model is at work; where there is a title, it tells that from commands' work."""
    says = {one.says for one in reading.evidence if one.witness is Witness.TITLE}
    return reading.status is Status.WORKING and says <= {Status.WORKING}
