"""The scripted model of a test: the real CLI is recorded with it, and a replay needs none.

Rule: nothing listens where nothing is recorded, and a script that was not played to its end, or was
not enough, fails the test that is recorded.
"""

from collections import deque
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

    from geminipty.standin import Request, Script, StandIn, Step


class ScriptedModel:
    """What `gemini_standin` gives a test: call it with the steps to come.

    `api` is the StandIn while the test is recorded, and None in a replay.
    """

    def __init__(self, *, listens: bool) -> None:
        self._steps: deque[Step] = deque()
        self._function: Callable[[Request], Step] | None = None
        self.api: StandIn | None = None
        if listens:
            from geminipty import standin

            self.api = standin.StandIn(self._answer)

    def __call__(self, script: "Script") -> None:
        """Answer with these steps after those given before, or from now on by a function.

        In a replay nothing is done with it. Raises UsageError for what is no step.
        """
        if self.api is None:
            return
        if callable(script):
            self._function = script
            return
        from geminipty.standin.steps import checked

        self._steps.extend([checked(step) for step in script])

    @property
    def options(self) -> dict[str, Any]:
        """What leads a session to it."""
        return {} if self.api is None else self.api.options

    def check(self) -> None:
        """Raise UsageError unless the script was played to its end and was enough."""
        from geminipty.errors import UsageError
        from geminipty.standin import Always

        if self.api is None:
            return
        self.api.check()
        if self._steps and not isinstance(self._steps[0], Always):
            raise UsageError(
                f"steps of gemini_standin that were not used: {len(self._steps)}; the next is "
                f"{self._steps[0]!r}. Take it out, or ask more."
            )

    def close(self) -> None:
        """Listen no more."""
        if self.api is not None:
            self.api.close()

    def _answer(self, request: "Request") -> "Step":
        from geminipty.errors import UsageError
        from geminipty.standin import Always

        if self._function is not None:
            return self._function(request)
        if not self._steps:
            raise UsageError(f"no step is left for {request.prompt[:60]!r}; give gemini_standin it")
        step = self._steps[0]
        return step if isinstance(step, Always) else self._steps.popleft()
