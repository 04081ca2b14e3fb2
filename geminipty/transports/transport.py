"""What a Session needs of the wire to a CLI, live or replayed.

Rule: nothing here waits, but for `wait`, which ends when its moment has come or something has
happened. A face that has a loop of its own waits on `handles` instead.
"""

from typing import Protocol


class Transport(Protocol):
    """The wire to one CLI."""

    @property
    def handles(self) -> tuple[int, ...]:
        """File descriptors that become readable when something has happened; none in a replay."""

    @property
    def unsent(self) -> bool:
        """Whether text waits until the CLI reads; the first of `handles` becomes writable then."""

    @property
    def behind(self) -> bool:
        """Whether more has come than `receive` took."""

    @property
    def ended(self) -> bool:
        """Whether the CLI has ended and all that it wrote was received."""

    @property
    def status(self) -> int | None:
        """The CLI's exit status, or minus the signal that ended it; None while it runs."""

    def now(self) -> float:
        """The time in seconds; a replay has its own."""

    def pause(self, until: float | None) -> float | None:
        """How many seconds who waits on `handles` is to wait at most; None for ever.

        A replay goes on to its next moment and says 0.
        """

    def wait(self, until: float | None) -> None:
        """Wait until something has happened, or that moment has come."""

    def receive(self) -> str:
        """What the CLI has written since the last call, without waiting."""

    def send(self, text: str) -> None:
        """Type `text`, as far as the CLI reads it now; the rest follows with `receive`."""

    def resize(self, columns: int, lines: int) -> None:
        """Tell the CLI that its terminal has another size."""

    def signal(self, number: int) -> None:
        """Send a signal to the CLI and all that it started."""

    def close(self) -> None:
        """End what still runs, at once, and give everything back. Never raises; may be repeated."""
