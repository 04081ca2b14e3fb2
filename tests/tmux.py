"""tmux as an oracle: text is written to a real tmux pane, and its rows are read back.

A small program in the pane writes what it is given, then asks tmux for its status (CSI 5n): when
tmux answers, it has painted all that came before.
"""

import os
import shutil
import socket
import subprocess
import sys
import tempfile
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType
from typing import IO, Self

AVAILABLE = shutil.which("tmux") is not None

_PUMP = """
import os, socket, sys, tty
tty.setraw(0)
link = socket.socket(socket.AF_UNIX)
link.connect(sys.argv[1])
orders = link.makefile("rb")
while head := orders.readline():
    rest = memoryview(orders.read(int(head)) + b"\\x1b[5n")
    while rest:
        rest = rest[os.write(1, rest):]
    answer = b""
    while b"\\x1b[0n" not in answer:
        answer += os.read(0, 65536)
    link.sendall(b"k")
"""


class TmuxPane:
    """A pane of a tmux server of its own; a context manager that leaves nothing behind."""

    def __init__(self, columns: int, lines: int) -> None:
        self._size = columns, lines
        self._owned = ExitStack()

    def __enter__(self) -> Self:
        folder = Path(self._owned.enter_context(tempfile.TemporaryDirectory()))
        pump, link = folder / "pump.py", folder / "link"
        pump.write_text(_PUMP)
        listener = self._owned.enter_context(socket.socket(socket.AF_UNIX))
        listener.bind(str(link))
        listener.listen()
        self._environment = {
            name: value for name, value in os.environ.items() if not name.startswith("TMUX")
        } | {"LC_ALL": "C.UTF-8"}
        (folder / "conf").write_text("set -g status off\nset -g history-limit 100000\n")
        self._tmux = ["tmux", "-u", "-S", str(folder / "tmux"), "-f", str(folder / "conf")]
        columns, lines = map(str, self._size)
        command = [sys.executable, str(pump), str(link)]
        self._run("new-session", "-d", "-x", columns, "-y", lines, *command)
        self._link, _ = listener.accept()
        self._owned.enter_context(self._link)
        control = subprocess.Popen(
            [*self._tmux, "-C", "attach", "-f", "no-output"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=self._environment,
        )
        self._owned.enter_context(control)
        self._owned.callback(control.kill)  # it would wait for a line after its server has gone
        self._owned.callback(self._run, "kill-server")
        assert control.stdin
        assert control.stdout
        self._orders: IO[bytes] = control.stdin
        self._replies: IO[bytes] = control.stdout
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._owned.close()

    def feed(self, text: str) -> None:
        """Write text to the pane, and wait until tmux has painted it."""
        data = text.encode()
        self._link.sendall(b"%d\n%b" % (len(data), data))
        assert self._link.recv(1) == b"k", "the pane has gone"

    def rows(self, *, scrolled: bool = False) -> list[str]:
        """The rows without blanks at the end; `scrolled` adds those above the screen."""
        captured = self._command("capture-pane -p" + (" -S -" if scrolled else ""))
        return [row.rstrip(" ") for row in captured.split("\n")[:-1]]

    def server_pid(self) -> int:
        """The process that paints."""
        return int(self._command("display-message -p '#{pid}'"))

    def _run(self, *arguments: str) -> None:
        # The server lives on: it must not keep our standard streams open.
        nowhere = subprocess.DEVNULL
        subprocess.run(
            [*self._tmux, *arguments],
            env=self._environment,
            stdin=nowhere,
            stdout=nowhere,
            stderr=nowhere,
            check=True,
        )

    def _command(self, line: str) -> str:
        """Send one command over the control connection and return what it printed."""
        self._orders.write(line.encode() + b"\n")
        self._orders.flush()
        tag: list[bytes] | None = None
        printed: list[bytes] = []
        for reply in self._replies:
            words = reply.split()
            # The third word of %begin is 1 for commands of this connection.
            if tag is None and words[:1] == [b"%begin"] and words[3] == b"1":
                tag = words[1:3]
            elif tag and words[:1] in ([b"%end"], [b"%error"]) and words[1:3] == tag:
                return b"".join(printed).decode()
            elif tag:
                printed.append(reply)
        raise ConnectionError("tmux has gone")
