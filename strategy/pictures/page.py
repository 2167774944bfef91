"""A strategy as a web page to explore: one HTML file, written or served to this machine.

The page's own parts (markup, style, script) lie beside this module in ``page/``, and
``docs/explore.md`` says how the strategy is written into it. A content security policy allows that
one style and that one script, by their digests, and nothing else; whatever a file brings in, words
and names, stands in a block of JSON, and the script shows it as text. All of it is ASCII, so that
no way to a file or through a pipe can change it.
"""

from __future__ import annotations

import base64
import contextlib
import hashlib
import html
import json
import os
import re
import socket
from collections.abc import Callable, Iterable
from functools import cache
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.resources import files
from itertools import pairwise
from socketserver import TCPServer
from threading import Timer
from typing import TYPE_CHECKING, Any

from ..errors import OutputError
from ..exports import summary
from ..files.text import capitals, require_known

if TYPE_CHECKING:
    from ..tree import Strategy

#: The digits of the numbers in a page, as base64url has them.
DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
#: The version of what a page says of its strategy.
FORMAT = 1
#: The parts of the script, in the order in which they need each other.
_SCRIPTS = ("tree", "address", "show", "board", "lists", "icicle", "search", "main")
_FOLDER = files(__package__).joinpath("page")


def page_of(strategy: Strategy) -> str:
    """The page to explore a strategy, whole; equal strategies give equal pages.

    Args:
        strategy: Whatever the game, but one that files can hold.

    Returns:
        HTML with everything in it: it loads nothing and needs no network.

    >>> from strategy import load_game, page_of, solve
    >>> strategy = solve(load_game(["abide", "crane", "raise", "slate", "stare"])).strategy
    >>> page_of(strategy).partition("\\n")[0]
    '<!doctype html>'
    """
    style, script = _part("page.css"), _script()
    title = f"{capitals(strategy.words[strategy.guess[0]])} by {strategy.origin.rule}"
    parts = {
        "policy": html.escape(policy(style, script)),
        "title": html.escape(title).encode("ascii", "xmlcharrefreplace").decode(),
        "style": style,
        "script": script,
        "strategy": payload(strategy),
    }
    return re.sub(r"\{\{(\w+)\}\}", lambda match: parts[match[1]], _part("page.html"))


def policy(style: str, script: str) -> str:
    """The content security policy of a page: what it may load and run, which is itself."""
    directives = (
        "default-src 'none'",
        f"script-src {_source(script)}",
        f"style-src {_source(style)}",
        "img-src data:",
        "base-uri 'none'",
        "form-action 'none'",
        "require-trusted-types-for 'script'",
        "trusted-types 'none'",
    )
    return "; ".join(directives)


def payload(strategy: Strategy) -> str:
    """The strategy as JSON that may stand in a page: no sign in it means anything to HTML."""
    require_known(strategy.origin.game)
    depth = [0, *strategy.depth]
    ups = [before + 1 - here for before, here in pairwise(depth)]
    content = {
        "format": FORMAT,
        "game": strategy.origin.game,
        "length": len(strategy.words[0]),
        "nodes": strategy.nodes,
        "words": "".join(strategy.words[word] for word in strategy.guess),
        "step": _column(2 * up + hit for up, hit in zip(ups, strategy.hit, strict=True)),
        "score": _column(strategy.score),
        "about": summary(strategy),
    }
    text = json.dumps(content, allow_nan=False, separators=(",", ":"))
    for sign in "<>&":
        text = text.replace(sign, f"\\u{ord(sign):04x}")
    return text


def _column(numbers: Iterable[int]) -> tuple[int, str]:
    """Numbers in base 64, each with as many digits as the largest needs, the highest first."""
    column = list(numbers)
    width = max(1, -(-max(column).bit_length() // 6))
    shifts = range(6 * (width - 1), -1, -6)
    return width, "".join(DIGITS[number >> shift & 63] for number in column for shift in shifts)


@cache
def _part(name: str) -> str:
    return _FOLDER.joinpath(name).read_text(encoding="utf-8")


def _script() -> str:
    parts = "\n".join(_part(f"{name}.js") for name in _SCRIPTS)
    whole = f'"use strict";\n(() => {{\n{parts}}})();\n'
    return re.sub(r"[^\x00-\x7f]", lambda sign: json.dumps(sign[0])[1:-1], whole)


def _source(text: str) -> str:
    """How a policy names a text that stands in the page."""
    digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
    return f"'sha256-{digest}'"


# ---- The server: a page for the browsers of this machine, and for nobody else
#
# It listens on 127.0.0.1 alone. That by itself does not keep strangers out: the page of one may
# have a name of its own lead here (DNS rebinding) and read what it gets. So a request must name
# this machine as its host, by ``127.0.0.1`` or ``localhost`` and the port. There is one page, to be
# read and nothing else.

_HERE = "127.0.0.1"
_HTTP = 80
#: Seconds that a request may take, until all of it is here and answered.
_PATIENCE = 10


class PageServer(ThreadingHTTPServer):
    """A server of one page (``serve_forever``) for browsers here; ``port`` 0: any that is free."""

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
                f"port {port} of {_HERE}: {reason}; --serve without a number chooses a free one"
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
    """GET and HEAD of the page."""

    server: PageServer
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
        """Nothing is said about requests."""


#: What browsers must do besides the page's own policy.
_SAFE = {
    "Content-Security-Policy": f"{policy(_part('page.css'), _script())}; frame-ancestors 'none'",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Cache-Control": "no-store",
}
