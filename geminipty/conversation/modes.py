"""Keys that switch a mode of the CLI: raw Markdown, and the shell.

Rule: a key is pressed once, in an empty composer, and a picture tells what came of it.
"""

from typing import Final

from geminipty.model import Status
from geminipty.reading import SHELL_KEY, Mode, Reading
from geminipty.terminal import Key

#: A key that has shown no effect for so long has none.
NO_EFFECT: Final = 0.3


class RawMarkdown:
    """The CLI's key for showing replies as the model wrote them; a release may not have it."""

    phase = "switching to raw Markdown"

    def __init__(self, now: float) -> None:
        self.done = False
        self.due: float | None = now + NO_EFFECT
        self._pressed = False

    def look(self, reading: Reading, now: float, *, fresh: bool) -> str:
        """Press it once; be done when the mode is shown, or nothing has come of it."""
        del fresh
        if not self._pressed:
            self._pressed = True
            return Key.ALT_M
        self.done = reading.live.raw or (self.due is not None and now >= self.due)
        return ""


class Toggle:
    """The key that switches shell mode, pressed in an empty composer."""

    def __init__(self, *, shell: bool) -> None:
        self._shell = shell
        self._pressed = False
        self.phase = "switching shell mode"
        self.done = False
        self.due: float | None = None

    def look(self, reading: Reading, now: float, *, fresh: bool) -> str:
        """Press it unless the mode is the wanted one; be done when it is."""
        del now, fresh
        composer = reading.composer
        if composer is None or reading.status is not Status.READY or composer.text:
            return ""
        self.done = (composer.mode is Mode.SHELL) is self._shell
        if self.done or self._pressed:
            return ""
        self._pressed = True
        return SHELL_KEY
