"""A page for the browsers of this machine, and for nobody else.

The server listens on 127.0.0.1 alone. That by itself does not keep strangers out: the page of one
may have a name of its own lead here (DNS rebinding) and read what it gets. So a request must name
this machine as its host, by ``127.0.0.1`` or ``localhost`` and the port. There is one page, to be
read and nothing else.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from socketserver import TCPServer
from typing import Any

from ..errors import OutputError
from .page import policy_of_pages

_HERE = "127.0.0.1"
_HTTP = 80
#: Seconds that a request may take to arrive.
_PATIENCE = 10


class PageServer(ThreadingHTTPServer):
    """A server of one page for browsers of this machine; ``port`` 0 takes any that is free.

    Serve the page with ``serve_forever``.
    """

    daemon_threads = True  # a line that stays open must not keep the program from ending
    allow_reuse_address = os.name == "posix"  # elsewhere it would share the port with others

    def __init__(
        self, page: str, port: int = 0, check: Callable[[], object] = lambda: None
    ) -> None:
        self.page = page.encode()
        self.check = check
        try:
            super().__init__((_HERE, port), _Handler)
        except (OSError, OverflowError) as error:
            reason = getattr(error, "strerror", None) or error
            raise OutputError(
                f"port {port} of {_HERE}: {reason}; --serve without a number takes a free one"
            ) from None
        self.hosts = {f"{name}:{self.server_port}" for name in (_HERE, "localhost")}
        if self.server_port == _HTTP:
            self.hosts |= {_HERE, "localhost"}

    @property
    def address(self) -> str:
        """Where the page is to be found."""
        return f"http://{_HERE}:{self.server_port}/"

    def server_bind(self) -> None:
        """Listen on this machine alone.

        What it is called by others is not asked, which could take long.
        """
        TCPServer.server_bind(self)
        self.server_name, self.server_port = _HERE, int(self.server_address[1])

    def service_actions(self) -> None:
        """Call ``check`` twice a second: it may raise what ends the server.

        That is an interrupt that got lost.
        """
        self.check()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say nothing of a browser that hangs up: that is no fault of ours."""


class _Handler(BaseHTTPRequestHandler):
    """GET and HEAD of the page."""

    server: PageServer
    timeout = _PATIENCE

    def do_GET(self) -> None:
        self._answer(with_body=True)

    def do_HEAD(self) -> None:
        self._answer(with_body=False)

    def _answer(self, *, with_body: bool) -> None:
        if self.headers.get_all("Host", []) not in [[host] for host in self.server.hosts]:
            self.send_error(HTTPStatus.MISDIRECTED_REQUEST)
        elif self.path.partition("?")[0] != "/":
            self.send_error(HTTPStatus.NOT_FOUND)
        else:
            self._send(HTTPStatus.OK, "text/html", self.server.page, with_body=with_body)

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        """Say in a few words what is wrong; a method that there is not is not allowed."""
        status = HTTPStatus(code)
        if status == HTTPStatus.NOT_IMPLEMENTED:
            status = HTTPStatus.METHOD_NOT_ALLOWED
        body = f"{status.value} {status.phrase}\n".encode()
        self._send(status, "text/plain", body, with_body=self.command != "HEAD")

    def _send(self, status: HTTPStatus, kind: str, body: bytes, *, with_body: bool) -> None:
        self.send_response(status)
        self.send_header("Content-Type", f"{kind}; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        if status == HTTPStatus.METHOD_NOT_ALLOWED:
            self.send_header("Allow", "GET, HEAD")
        for name, value in _SAFE.items():
            self.send_header(name, value)
        self.end_headers()
        if with_body:
            self.wfile.write(body)

    def version_string(self) -> str:
        """Who answers; which Python does is nobody's business."""
        return "knuthle"

    def log_message(self, *args: Any) -> None:
        """Requests are not told of."""


#: What browsers are asked for besides the page's own policy.
_SAFE = {
    "Content-Security-Policy": f"{policy_of_pages()}; frame-ancestors 'none'",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Cache-Control": "no-store",
}
