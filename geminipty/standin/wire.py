"""The HTTP side of the stand-in: reads requests whole, sends answers, notices who has gone.

Rule: no answer outlives its client or the stand-in. Every wait is a wait on the connection, so
that a client that hangs up and a stand-in that closes both end it at once. Nobody is answered but
who was given the key, and no page of a browser at all: what strangers send beyond a head is thrown
away, and they hold few connections, for a short time.
"""

import hmac
import io
import json
import re
import secrets
import select
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any, Final

from geminipty.standin.answers import Event, error
from geminipty.standin.steps import Fail

MAX_BODY: Final = 64 << 20
#: Where the CLI puts the key, as Google wants it.
KEY_HEADER: Final = "x-goog-api-key"
_PATIENCE: Final = 5.0  # seconds to wait for a thread that has been told to end
#: The first request of a connection is to be there, whole, in so many seconds, and its head has at
#: most so many bytes.
_FIRST: Final = (30.0, 256 << 10)
#: Connections that have not yet shown the key; one more ends the oldest of them.
MOST_STRANGERS: Final = 64
#: What a stranger still sends is thrown away for so many seconds and bytes: a connection that is
#: closed before would take the answer with it.
_LINGER: Final = (0.5, 16 << 20)
_PIECE: Final = 1 << 16
_SIZE: Final = re.compile(r"[0-9]{1,15}")
_CHUNK: Final = re.compile(rb"([0-9A-Fa-f]{1,15})[ \t]*(?:;[^\r\n]*)?\r?\n")


class Gone(Exception):  # noqa: N818 - it says what happened, and never leaves this package
    """The client hung up, or the stand-in closes."""


class _SizeError(ValueError):
    pass


class Incoming(io.RawIOBase):
    """What a connection receives, for so long and so much; after that, TimeoutError."""

    def __init__(self, connection: socket.socket, seconds: float, size: int) -> None:
        self._connection = connection
        self._until: float | None = None
        self.left: int | None = None
        self.allow(seconds, size)

    def allow(self, seconds: float | None, size: int | None) -> None:
        """Set the time and the bytes that are left from now on; None: no limit."""
        self._until = None if seconds is None else time.monotonic() + seconds
        self._connection.settimeout(seconds)
        self.left = size

    def readable(self) -> bool:
        """Yes."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Read what is there, or wait for it."""
        seconds = None if self._until is None else self._until - time.monotonic()
        if self.left == 0 or (seconds is not None and seconds <= 0):
            raise TimeoutError("no more is received")
        self._connection.settimeout(seconds)
        if self.left is None:
            return self._connection.recv_into(buffer)
        size = self._connection.recv_into(buffer, min(len(buffer), self.left))
        self.left -= size
        return size


class Wire(BaseHTTPRequestHandler):
    """One connection of a client."""

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True  # else the kernel holds small events back for 40 ms
    server: "Server"

    def setup(self) -> None:
        """Give what is received a time limit as a whole, not for each piece."""
        super().setup()
        self.rfile.close()
        self._incoming = Incoming(self.connection, *_FIRST)
        self.rfile = io.BufferedReader(self._incoming)

    def do_POST(self) -> None:
        """Read a request to its end and have it answered, if it comes from whom we know."""
        if (stranger := self._stranger()) is not None:
            self._turn_away(stranger)
            return
        self.server.know()
        self._incoming.left = None
        try:
            body = self._body()
        except ValueError as problem:
            self._turn_away(Fail(413 if isinstance(problem, _SizeError) else 400, str(problem)))
            return
        self._incoming.allow(None, None)
        self.server.answer(self, body)

    def do_GET(self) -> None:
        """The same; it has no body."""
        self.do_POST()

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - http.server's
        """Say nothing: what came is in `StandIn.requests`."""

    def wait(self, seconds: float | None) -> None:
        """Wait, for ever if None; raises Gone when the client hangs up or the stand-in closes."""
        deadline = None if seconds is None else time.monotonic() + seconds
        poll = select.poll()
        poll.register(self.connection, select.POLLIN)
        if _happens(poll, deadline):
            if not self.connection.recv(1, socket.MSG_PEEK):
                raise Gone
            poll.modify(self.connection, 0)  # the next request is here: now only the end counts
            if _happens(poll, deadline):
                raise Gone

    def reply(self, body: dict[str, Any], status: int = 200, **headers: str) -> None:
        """Send a whole answer."""
        data = json.dumps(body, ensure_ascii=False).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json; charset=UTF-8")
        self.send_header("Content-Length", str(len(data)))
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        if self.close_connection:
            self.send_header("Connection", "close")
        self.end_headers()
        self.wfile.write(data)

    def refuse(self, fail: Fail) -> None:
        """Send an error."""
        wait = fail.retry_after
        headers = {} if wait is None else {"Retry_After": str(-int(-wait // 1))}
        self.reply(error(fail), fail.status, **headers)

    def stream(self, events: Iterable[Event], *, end: bool = True) -> None:
        """Send events, each as soon as its pause is over; without `end` the stream stays open."""
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        for pause, data in events:
            if pause:
                self.wait(pause)
            self.wfile.write(b"%x\r\n%s\r\n" % (len(data), data))
        if end:
            self.wfile.write(b"0\r\n\r\n")

    def _turn_away(self, fail: Fail) -> None:
        """Refuse a request of which not all was read, and the connection with it."""
        self.close_connection = True  # where the next request would begin is not known
        self.refuse(fail)
        self._incoming.allow(*_LINGER)
        with suppress(OSError):
            self.connection.shutdown(socket.SHUT_WR)
            while self.rfile.read1(_PIECE):
                pass

    def _stranger(self) -> Fail | None:
        """Why a request is not answered; None if it is.

        A browser sends `Origin` with what a page asks of others, and the page's own host if that
        was made to lead here.
        """
        if self.headers.get_all("Origin"):
            return Fail(403, "The stand-in answers no page of a browser (Origin).")
        if self.headers.get_all("Host") != [self.server.host]:
            return Fail(403, f"The stand-in is {self.server.host} and no other host.")
        keys = self.headers.get_all(KEY_HEADER, [])
        given = keys[0].encode("utf-8", "surrogateescape") if len(keys) == 1 else b""
        if not hmac.compare_digest(given, self.server.key.encode()):
            return Fail(401, "The stand-in wants its own key: GEMINI_API_KEY in its options.")
        return None

    def _body(self) -> bytes:
        """The body; where it ends is said once and plainly, or nobody could be sure of it."""
        if self.headers.get("Content-Encoding", "identity") != "identity":
            raise ValueError("the stand-in does not read compressed requests")
        sizes = self.headers.get_all("Content-Length", [])
        codings = self.headers.get_all("Transfer-Encoding", [])
        if len(sizes) + len(codings) > 1:
            raise ValueError("the request says more than once how long it is")
        if self.command == "GET" and (codings or sizes not in ([], ["0"])):
            raise ValueError("a GET has no body")
        if codings:
            if codings[0].strip().lower() != "chunked":
                raise ValueError("the stand-in knows no Transfer-Encoding but chunked")
            return b"".join(self._chunks())
        size = sizes[0].strip() if sizes else "0"
        if not _SIZE.fullmatch(size):
            raise ValueError("the Content-Length is no number")
        return self._read(int(size), MAX_BODY)

    def _chunks(self) -> Iterable[bytes]:
        left = MAX_BODY
        while size := self._chunk_size():
            yield self._read(size, left)
            left -= size
            if self.rfile.readline(3) not in (b"\r\n", b"\n"):
                raise ValueError("a chunk is longer than it says")
        while self.rfile.readline(1000).strip():  # trailers, up to the blank line
            pass

    def _chunk_size(self) -> int:
        if not (found := _CHUNK.fullmatch(self.rfile.readline(100))):
            raise ValueError("the size of a chunk is no number")
        return int(found[1], 16)

    def _read(self, size: int, limit: int) -> bytes:
        if size > limit:
            raise _SizeError(f"the request is over the limit of {MAX_BODY} bytes")
        data = self.rfile.read(size)
        if len(data) < size:
            raise Gone
        return data


class Server(HTTPServer):
    """Listens on loopback, with a thread for each connection, until it is closed."""

    request_queue_size = 128

    def __init__(
        self, answer: Callable[[Wire, bytes], None], blame: Callable[[BaseException], None]
    ) -> None:
        super().__init__(("127.0.0.1", 0), Wire)
        #: What a client must name in `Host`, and the key that it must have.
        self.host = f"127.0.0.1:{self.server_port}"
        self.key = secrets.token_hex(16)
        self.answer = answer
        self._blame = blame
        self._closing = False
        self._lock = threading.Lock()
        self._open: dict[threading.Thread, socket.socket] = {}
        #: Those of them that have not shown the key.
        self._strangers: dict[threading.Thread, socket.socket] = {}
        self._listener = threading.Thread(target=self._listen, name="stand-in", daemon=True)
        self._listener.start()

    def server_bind(self) -> None:
        """Bind without the look-up of our own name that HTTPServer makes, which may be slow."""
        self.socket.bind(self.server_address)
        self.server_address = self.socket.getsockname()
        self.server_name, self.server_port = self.server_address[:2]  # type: ignore[assignment]

    def close(self) -> None:
        """End every answer and every thread, and close every socket."""
        self._closing = True
        # The listener waits for a connection, so it is given one.
        with suppress(OSError), socket.create_connection(self.server_address[:2], _PATIENCE):  # type: ignore[arg-type]
            self._listener.join(_PATIENCE)
        self.server_close()
        with self._lock:
            for connection in self._open.values():
                _shut(connection)
            threads = tuple(self._open)
        for thread in threads:
            if thread is not threading.current_thread():
                thread.join(_PATIENCE)

    def verify_request(self, request: Any, client_address: Any) -> bool:  # noqa: ARG002 - its hook
        """Refuse who comes while we close."""
        return not self._closing

    def process_request(self, request: Any, client_address: Any) -> None:
        """Serve a connection in a thread of its own, which `close` can find."""
        thread = threading.Thread(
            target=self._serve, args=(request, client_address), name="stand-in", daemon=True
        )
        with self._lock:
            if len(self._strangers) >= MOST_STRANGERS:
                _shut(self._strangers.pop(next(iter(self._strangers))))
            thread.start()
            self._open[thread] = self._strangers[thread] = request

    def know(self) -> None:
        """The client of this thread has shown the key."""
        with self._lock:
            self._strangers.pop(threading.current_thread(), None)

    def handle_error(self, request: Any, client_address: Any) -> None:  # noqa: ARG002 - its hook
        """Keep what went wrong in a thread for whoever calls `StandIn.check`."""
        if (problem := sys.exception()) is not None:
            self._blame(problem)

    def _listen(self) -> None:
        while not self._closing:
            self.handle_request()

    def _serve(self, request: socket.socket, client_address: Any) -> None:
        try:
            with suppress(OSError, Gone):  # a client may go at any time
                self.finish_request(request, client_address)
        except Exception:  # noqa: BLE001 - nobody above us would see it; `check` shows it
            self.handle_error(request, client_address)
        finally:
            with self._lock:
                del self._open[threading.current_thread()]
                self._strangers.pop(threading.current_thread(), None)
                self.shutdown_request(request)


def _happens(poll: select.poll, deadline: float | None) -> bool:
    left = None if deadline is None else max(0.0, deadline - time.monotonic()) * 1000
    return bool(poll.poll(left))


def _shut(connection: socket.socket) -> None:
    with suppress(OSError):  # the client may have gone already
        connection.shutdown(socket.SHUT_RDWR)
