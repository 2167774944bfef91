"""The server of a page: this machine alone, by its own name, one page, to be read."""

from __future__ import annotations

import http.client
import socket
import threading
from collections.abc import Iterator

import pytest

from strategy.errors import OutputError
from strategy.pictures.serve import PageServer

TEXT = "<!doctype html>\n<p>page ⬛🟩</p>\n"


@pytest.fixture(scope="module")
def server() -> Iterator[PageServer]:
    with PageServer(TEXT) as made:
        thread = threading.Thread(target=made.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        yield made
        made.shutdown()
        thread.join()


def ask(
    server: PageServer, method: str = "GET", path: str = "/", hosts: list[str] | None = None
) -> tuple[http.client.HTTPResponse, bytes]:
    """An answer and its body; the Host lines are those of the server unless named."""
    connection = http.client.HTTPConnection("127.0.0.1", server.server_port, timeout=20)
    connection.putrequest(method, path, skip_host=True)
    for host in hosts if hosts is not None else [f"127.0.0.1:{server.server_port}"]:
        connection.putheader("Host", host)
    connection.endheaders()
    response = connection.getresponse()
    body = response.read()
    connection.close()
    return response, body


@pytest.mark.parametrize("name", ["127.0.0.1", "localhost"])
@pytest.mark.parametrize("path", ["/", "/?anything"])
def test_the_page_is_served_by_the_names_of_this_machine(
    server: PageServer, name: str, path: str
) -> None:
    response, body = ask(server, path=path, hosts=[f"{name}:{server.server_port}"])
    assert (response.status, body.decode()) == (200, TEXT)
    assert response.getheader("Content-Type") == "text/html; charset=utf-8"


def test_head_has_no_body(server: PageServer) -> None:
    response, body = ask(server, "HEAD")
    assert (response.status, body) == (200, b"")
    assert response.getheader("Content-Length") == str(len(TEXT.encode()))


@pytest.mark.parametrize(
    "hosts",
    [
        [],
        [""],
        ["127.0.0.1"],
        ["localhost"],
        ["evil.example:{port}"],
        ["evil.example"],
        ["127.0.0.1.evil.example:{port}"],
        ["127.0.0.1:{port}.evil.example"],
        ["127.0.0.1:{port}@evil.example"],
        ["localhost:1"],
        ["[::1]:{port}"],
        ["0.0.0.0:{port}"],
        ["127.0.0.1:{port}", "evil.example"],
        ["evil.example", "127.0.0.1:{port}"],
    ],
)
def test_another_host_gets_nothing(server: PageServer, hosts: list[str]) -> None:
    for method in ("GET", "HEAD"):
        named = [host.format(port=server.server_port) for host in hosts]
        response, body = ask(server, method, hosts=named)
        assert response.status == 421
        assert b"page" not in body


@pytest.mark.parametrize("path", ["/index.html", "/favicon.ico", "/..", "/%2e", "*"])
def test_there_is_one_page(server: PageServer, path: str) -> None:
    assert ask(server, path=path)[0].status == 404


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "OPTIONS", "PATCH", "TRACE", "get"])
def test_it_is_there_to_be_read(server: PageServer, method: str) -> None:
    response, _ = ask(server, method)
    assert response.status == 405
    assert response.getheader("Allow") == "GET, HEAD"


@pytest.mark.parametrize(("method", "status"), [("GET", 200), ("POST", 405)])
def test_every_answer_asks_browsers_for_care(server: PageServer, method: str, status: int) -> None:
    response, _ = ask(server, method)
    assert response.status == status
    policy = response.getheader("Content-Security-Policy") or ""
    assert policy.startswith("default-src 'none'; script-src 'sha256-")
    assert policy.endswith("frame-ancestors 'none'")
    assert response.getheader("X-Content-Type-Options") == "nosniff"
    assert response.getheader("Cross-Origin-Resource-Policy") == "same-origin"
    assert response.getheader("Server") == "knuthle"


@pytest.mark.parametrize(
    "request_",
    [b"\r\n", b"GET\r\n\r\n", b"\x00\xff\r\n\r\n", b"GET " + b"/" * 70_000, b"GET / X\r\n\r\n"],
)
def test_nonsense_ends_no_server(
    server: PageServer, request_: bytes, capfd: pytest.CaptureFixture[str]
) -> None:
    with socket.create_connection(("127.0.0.1", server.server_port), timeout=20) as line:
        line.sendall(request_)
        line.shutdown(socket.SHUT_WR)
        while line.recv(65536):
            pass
    assert ask(server)[0].status == 200
    assert capfd.readouterr().err == ""


def test_nobody_else_can_reach_it(server: PageServer) -> None:
    assert server.socket.getsockname()[0] == "127.0.0.1"


def test_a_port_that_is_taken_is_named(server: PageServer) -> None:
    with pytest.raises(OutputError, match=f"port {server.server_port} of 127.0.0.1: "):
        PageServer(TEXT, server.server_port)
    with pytest.raises(OutputError, match="port 70000"):
        PageServer(TEXT, 70_000)
