"""A headless Chromium for pages on disk, spoken to over its own protocol through a pair of pipes.

Rule: no driver and no websocket between: `--remote-debugging-pipe` is the browser's, and JSON
between NUL bytes is all it takes. The browser gets a home of its own, and is gone at the end.
"""

import base64
import json
import os
import selectors
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

COMMAND = "chromium"
FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--remote-debugging-pipe",
)
#: The browser reads at 3 and writes at 4, which the pipes of a test have by chance only.
_TRAMPOLINE = (
    "import fcntl, os, sys; "
    "a, b = (fcntl.fcntl(int(end), fcntl.F_DUPFD, 10) for end in sys.argv[1:3]); "
    "os.dup2(a, 3); os.dup2(b, 4); os.closerange(5, 99); os.execvp(sys.argv[3], sys.argv[3:])"
)
SECONDS = 30.0


class Page:
    """One page of the browser, with all that it asked for and complained about."""

    def __init__(self, reader: int, writer: int) -> None:
        self._reader, self._writer = reader, writer
        self._rest = b""
        self._number = 0
        self._session: str | None = None
        self.requests: list[str] = []
        self.complaints: list[str] = []
        self._loaded = False
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        attached = self.call("Target.attachToTarget", targetId=target, flatten=True)
        self._session = attached["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")

    def call(self, method: str, **params: object) -> Any:
        """Ask the browser and return its answer."""
        self._number += 1
        message: dict[str, object] = {"id": self._number, "method": method, "params": params}
        if self._session is not None:
            message["sessionId"] = self._session
        os.write(self._writer, json.dumps(message).encode() + b"\0")
        deadline = time.monotonic() + SECONDS
        while (answer := self._next(deadline)).get("id") != self._number:
            self._note(answer)
        assert "error" not in answer, answer
        return answer["result"]

    def open(self, url: str, *, width: int, height: int, dark: bool = False) -> None:
        """Go to a page and wait until it is loaded."""
        self.call(
            "Emulation.setDeviceMetricsOverride",
            width=width, height=height, deviceScaleFactor=1, mobile=False,
        )  # fmt: skip
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.call("Emulation.setEmulatedMedia", features=[scheme])
        self._loaded = False
        self.call("Page.navigate", url=url)
        deadline = time.monotonic() + SECONDS
        while not self._loaded:
            self._note(self._next(deadline))

    def run(self, script: str) -> Any:
        """The value of an expression in the page; a promise is waited for."""
        result = self.call(
            "Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True
        )
        assert "exceptionDetails" not in result, result
        return result["result"].get("value")

    def wait_for(self, script: str) -> Any:
        """Ask until an expression is true; each question takes the browser a frame."""
        deadline = time.monotonic() + SECONDS
        frame = "new Promise((go) => requestAnimationFrame(() => go()))"
        while not (value := self.run(f"{frame}.then(() => ({script}))")):
            assert time.monotonic() < deadline, f"never true: {script}"
        return value

    def press(self, key: str, code: int) -> None:
        """Press and release a key."""
        for kind in ("keyDown", "keyUp"):
            text = {"text": "\r"} if key == "Enter" and kind == "keyDown" else {}
            self.call(
                "Input.dispatchKeyEvent",
                type=kind, key=key, code=key, windowsVirtualKeyCode=code, **text,
            )  # fmt: skip

    def click(self, selector: str) -> None:
        """Press the mouse where an element is."""
        x, y = self.run(
            f"(() => {{ const found = document.querySelector({selector!r}); "
            "found.scrollIntoView(); const box = found.getBoundingClientRect(); "
            "return [box.x + box.width / 2, box.y + box.height / 2]; })()"
        )
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def screenshot(self) -> bytes:
        """What the page looks like, as PNG."""
        return base64.b64decode(self.call("Page.captureScreenshot")["data"])

    def _next(self, deadline: float) -> dict[str, Any]:
        with selectors.DefaultSelector() as selector:
            selector.register(self._reader, selectors.EVENT_READ)
            while b"\0" not in self._rest:
                ready = selector.select(max(deadline - time.monotonic(), 0))
                assert ready, "the browser does not answer"
                data = os.read(self._reader, 1 << 16)
                assert data, "the browser has ended"
                self._rest += data
        message, _, self._rest = self._rest.partition(b"\0")
        found = json.loads(message)
        assert isinstance(found, dict)
        return found

    def _note(self, message: dict[str, Any]) -> None:
        params = message.get("params", {})
        match message.get("method"):
            case "Page.loadEventFired":
                self._loaded = True
            case "Network.requestWillBeSent":
                self.requests.append(params["request"]["url"])
            case "Log.entryAdded":
                self.complaints.append(params["entry"]["text"])
            case "Runtime.consoleAPICalled" if params["type"] in ("error", "warning", "assert"):
                self.complaints.append(str(params["args"]))
            case "Runtime.exceptionThrown":
                self.complaints.append(str(params["exceptionDetails"]))


@contextmanager
def chromium(folder: Path) -> Iterator[Page]:
    """A browser whose files are all in `folder`."""
    theirs_in, ours_out = os.pipe()
    ours_in, theirs_out = os.pipe()
    places = {name: str(folder) for name in ("HOME", "TMPDIR", "XDG_CONFIG_HOME", "XDG_CACHE_HOME")}
    with subprocess.Popen(
        [
            *(sys.executable, "-c", _TRAMPOLINE, str(theirs_in), str(theirs_out)),
            *(COMMAND, *FLAGS, f"--user-data-dir={folder / 'profile'}", "about:blank"),
        ],
        pass_fds=(theirs_in, theirs_out),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env={"PATH": os.environ["PATH"], **places},
    ) as browser:
        os.close(theirs_in)
        os.close(theirs_out)
        try:
            yield Page(ours_in, ours_out)
        finally:
            os.close(ours_out)  # the end of its pipe is how it is told to leave
            try:
                browser.wait(SECONDS)
            finally:
                browser.kill()
                os.close(ours_in)
