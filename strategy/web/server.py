"""A server of pages for the browsers of this machine only.

It listens on 127.0.0.1 alone. That by itself does not keep strangers out: the page of one may
have a name of its own lead here (DNS rebinding) and read what it gets. So a request must name
this machine as its host, by ``127.0.0.1`` or ``localhost`` and the port. What is here is read and
nothing else.
"""

from __future__ import annotations

import contextlib
import os
import socket
from collections.abc import Callable
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from socketserver import TCPServer
from threading import Timer
from typing import Any, NamedTuple

from ..errors import OutputError

_HERE = "127.0.0.1"
_HTTP = 80
#: Seconds that a request may take, until all of it is here and answered.
_PATIENCE = 10


class File(NamedTuple):
    """What is served at a path: its media type and its bytes."""

    kind: str
    content: bytes


class LocalServer(ThreadingHTTPServer):
    """A server for browsers here (``serve_forever``); ``port`` 0: any that is free.

    ``find`` has the file of a path, or None; ``policy`` is the content security policy of all.
    """

    daemon_threads = True  # a line that stays open must not keep the program from ending
    request_queue_size = socket.SOMAXCONN  # with Python's five many at once wait for seconds
    allow_reuse_address = os.name == "posix"  # elsewhere it would share the port with others

    def __init__(
        self,
        find: Callable[[str], File | None],
        policy: str,
        port: int = 0,
        check: Callable[[], object] = lambda: None,
    ) -> None:
        self.find = find
        self.policy = policy
        self.check = check
        try:
            super().__init__((_HERE, port), _Handler)
        except (OSError, OverflowError) as error:
            reason = getattr(error, "strerror", None) or error
            raise OutputError(
                f"port {port} of {_HERE}: {reason}; another port may be free"
            ) from None
        self.hosts = {f"{name}:{self.server_port}" for name in (_HERE, "localhost")}
        if self.server_port == _HTTP:
            self.hosts |= {_HERE, "localhost"}

    @property
    def address(self) -> str:
        """Where the page is to be found."""
        return f"http://{_HERE}:{self.server_port}/"

    def server_bind(self) -> None:
        """Listen on this machine alone, without looking its name up, which could take long."""
        TCPServer.server_bind(self)
        self.server_name, self.server_port = _HERE, int(self.server_address[1])

    def service_actions(self) -> None:
        """Call ``check`` twice a second: it raises an interrupt that got lost."""
        self.check()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say nothing of a browser that hangs up: that is no fault of ours."""


class _Handler(BaseHTTPRequestHandler):
    """GET and HEAD of what there is."""

    server: LocalServer
    timeout = _PATIENCE

    def handle(self) -> None:
        """Answer a request if it arrives in time as a whole, however slowly its bytes come."""
        end = Timer(_PATIENCE, self._hang_up)
        end.daemon = True
        end.start()
        try:
            super().handle()
        finally:
            end.cancel()

    def _hang_up(self) -> None:
        with contextlib.suppress(OSError):
            self.connection.shutdown(socket.SHUT_RDWR)

    def do_GET(self) -> None:
        if self.headers.get_all("Host", []) not in [[host] for host in self.server.hosts]:
            self.send_error(HTTPStatus.MISDIRECTED_REQUEST)
        elif (found := self.server.find(self.path.partition("?")[0])) is None:
            self.send_error(HTTPStatus.NOT_FOUND)
        else:
            self._send(HTTPStatus.OK, found.kind, found.content)

    do_HEAD = do_GET  # noqa: N815 - as http.server calls it

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        """Say in a few words what is wrong; a method that there is not is not allowed."""
        status = HTTPStatus(code)
        if status == HTTPStatus.NOT_IMPLEMENTED:
            status = HTTPStatus.METHOD_NOT_ALLOWED
        body = f"{status.value} {status.phrase}\n".encode()
        self._send(status, "text/plain; charset=utf-8", body)

    def _send(self, status: HTTPStatus, kind: str, body: bytes) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        if status == HTTPStatus.METHOD_NOT_ALLOWED:
            self.send_header("Allow", "GET, HEAD")
        self.send_header("Content-Security-Policy", self.server.policy)
        for name, value in _SAFE.items():
            self.send_header(name, value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def version_string(self) -> str:
        """The name of the server, without the version of Python."""
        return "knuthle"

    def log_message(self, *args: Any) -> None:
        """Nothing is said about requests."""


#: What browsers must do besides the page's own policy.
_SAFE = {
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Cache-Control": "no-store",
}
