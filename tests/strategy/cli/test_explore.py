"""Pages that ``explore`` and ``web`` write into files, or show until Ctrl-C."""

import contextlib
import hashlib
import http.client
import json
import os
import pty
import signal
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from strategy.pictures.page import page_of
from strategy.tree import Strategy
from strategy.web import folder
from strategy.web.server import LocalServer
from tests.support import raising
from tests.support.commands import KNUTHLE, Knuthle, report_of, serving, started
from tools.web.folder import SOURCES


@pytest.fixture
def file(knuthle: Knuthle, tiny: Path) -> Path:
    path = tiny.parent / "tiny.strategy"
    assert knuthle("solve-all", "--list", tiny, "--out", path, "--quiet").code == 0
    return path


def test_the_page_is_written_where_it_is_said(knuthle: Knuthle, file: Path) -> None:
    strategy = Strategy.load(file)
    page = page_of(strategy)
    size = len(page.encode())
    outcome = knuthle("explore", file)
    assert (outcome.code, outcome.out) == (0, f"written to tiny.html, {size:,} bytes\n")
    outcome = knuthle("explore", file, "-o", "-", "--json", "facts")
    assert (outcome.code, outcome.out) == (0, page)
    assert json.loads(Path("facts").read_text())["file"] is None
    assert report_of(knuthle, "explore", file, "-o", "x.html") == {
        "file": "x.html", "address": None, "n_bytes": size, "n_nodes": strategy.nodes,
        "digest": strategy.digest,
    }  # fmt: skip
    for name in ("tiny.html", "x.html"):
        assert Path(name).read_text(encoding="utf-8") == page


@pytest.mark.parametrize("line", ["explore {file} --serve {port} -o x.html", "web --port {port}"])
def test_a_port_that_is_taken_is_one_line(knuthle: Knuthle, file: Path, line: str) -> None:
    with LocalServer(folder.find, folder.policy()) as other:
        outcome = knuthle(*line.format(file=file, port=other.server_port).split())
    assert (outcome.code, outcome.out, outcome.err.count("\n")) == (2, "", 1)
    assert f"port {other.server_port} of 127.0.0.1: " in outcome.err
    assert not Path("x.html").exists()


class Shown:
    """The command while it shows a page; ``out`` is what it says."""

    def __init__(self, file: Path, terminal: bool, *more: str) -> None:
        command = [*KNUTHLE, "explore", file, "--serve", *more]
        self.ours, theirs = pty.openpty() if terminal else os.pipe()
        self.process = started(command, file.parent, out=theirs)
        os.close(theirs)
        self.out = b""
        while not self.out.endswith(b"\n"):
            said = os.read(self.ours, 4096)
            assert said, self.process.communicate()
            self.out += said

    def end(self, number: signal.Signals) -> tuple[int, str]:
        """The exit code after a signal, and what was said on stderr."""
        self.process.send_signal(number)
        _, err = self.process.communicate(timeout=60)
        os.close(self.ours)
        return self.process.returncode, err


@pytest.mark.parametrize(("terminal", "number", "code", "words"), [
    (True, signal.SIGINT, 130, "interrupted"), (False, signal.SIGTERM, 143, "terminated"),
])  # fmt: skip
def test_it_is_shown_until_it_is_ended(
    file: Path, terminal: bool, number: signal.Signals, code: int, words: str
) -> None:
    shown = Shown(file, terminal)
    address = shown.out.decode().strip()
    host = address.removeprefix("http://").removesuffix("/")
    open_line = http.client.HTTPConnection(host, timeout=20)
    open_line.connect()  # a browser keeps some open; the end does not wait for them
    connection = http.client.HTTPConnection(host, timeout=20)
    connection.request("GET", "/")
    assert connection.getresponse().read().decode() == page_of(Strategy.load(file))
    assert shown.end(number) == (code, f"Ctrl-C ends this\n\nknuthle explore: {words}\n")
    connection.close()
    open_line.close()
    assert not list(file.parent.glob("*.html"))


def test_json_has_the_address(file: Path) -> None:
    shown = Shown(file, False, "--json", "-", "--out", "x.html", "--quiet")
    facts = json.loads(shown.out)
    assert facts["address"].startswith("http://127.0.0.1:")
    assert (file.parent / facts["file"]).is_file()
    assert shown.end(signal.SIGINT) == (130, "\nknuthle explore: interrupted\n")


@pytest.fixture(autouse=True)
def _no_page_is_left(tmp_path: Path) -> Iterator[None]:
    yield
    assert not list(tmp_path.rglob(".knuthle-*"))


@pytest.fixture
def server() -> Iterator[LocalServer]:
    with serving(LocalServer(folder.find, folder.policy())) as made:
        yield made


def asked(server: LocalServer, path: str, **headers: str) -> http.client.HTTPResponse:
    connection = http.client.HTTPConnection("127.0.0.1", server.server_port, timeout=20)
    connection.request("GET", path, headers=headers)
    return connection.getresponse()


def test_the_folder_is_written_whole(knuthle: Knuthle) -> None:
    outcome = knuthle("web", "--out", "page", "--json", "facts")
    facts = json.loads(Path("facts").read_text())
    written = {
        path.relative_to("page").as_posix(): path.read_bytes()
        for path in Path("page").rglob("*")
        if path.is_file()
    }
    assert (outcome.code, written) == (0, folder.contents())
    size = sum(map(len, written.values()))
    assert facts == {"folder": "page", "address": None, "n_files": len(written), "n_bytes": size}


def test_a_folder_not_whole_is_named(knuthle: Knuthle, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.fsync", raising(OSError(28, "No space left on device"), 3))
    outcome = knuthle("web", "--out", "page")
    assert outcome.code == 3 and "No space left on device" in outcome.err
    assert f"page: holds 3 of the {len(folder.contents())} files of the page" in outcome.err


def test_many_browsers_at_once_are_let_in() -> None:
    """Before any of them is answered: nobody serves here."""
    with LocalServer(folder.find, folder.policy()) as made, contextlib.ExitStack() as lines:
        for _ in range(50):
            line = socket.create_connection(("127.0.0.1", made.server_port), timeout=30)
            lines.enter_context(line)


def test_the_list_of_files_is_true() -> None:
    """If it fails: .venv/bin/python -m tools.web.pages"""
    contents = folder.contents()
    listed = json.loads(contents["files.json"])
    assert listed == {
        name: hashlib.sha256(content).hexdigest()
        for name, content in contents.items()
        if name != "files.json" and name.partition("/")[0] not in SOURCES
    }


def test_every_file_is_served_by_its_kind(server: LocalServer) -> None:
    for name, content in folder.contents().items():
        answer = asked(server, f"/{name}")
        assert (answer.status, answer.read()) == (200, content)
        assert answer.headers["Content-Type"] == folder.KINDS[name.rpartition(".")[2]]
        policy = answer.headers["Content-Security-Policy"]
        assert "'unsafe-inline'" not in policy and "frame-ancestors 'none'" in policy
    assert asked(server, "/").read() == folder.contents()["index.html"]
    for path in ("/../pyproject.toml", "//etc/passwd", "/page", "/page/", "/%2e%2e/x"):
        assert asked(server, path).status == 404


def test_only_this_machine_is_answered(server: LocalServer) -> None:
    assert server.server_address[0] == "127.0.0.1"
    assert asked(server, "/", Host="example.org").status == 421
    assert asked(server, "/", Host=f"localhost:{server.server_port}").status == 200


def test_no_file_needs_anything_inline() -> None:
    for name, content in folder.contents().items():
        if name.endswith(".html"):
            text = content.decode()
            assert "<style" not in text and " style=" not in text and "onclick=" not in text
            assert "https://" not in text.replace("http://www.w3.org", "")
