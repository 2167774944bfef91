"""``knuthle web``: the page in a folder, or shown until Ctrl-C."""

import contextlib
import hashlib
import http.client
import json
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from strategy.web import folder
from strategy.web.server import LocalServer
from tests.support import raising
from tests.support.commands import Knuthle, serving
from tools.web.folder import SOURCES


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


def test_a_folder_that_is_not_empty_stays(knuthle: Knuthle) -> None:
    Path("page").mkdir()
    Path("page/mine.txt").write_text("mine")
    outcome = knuthle("web", "--out", "page")
    assert (outcome.code, "is not empty; --force" in outcome.err) == (2, True)
    assert [path.name for path in Path("page").iterdir()] == ["mine.txt"]
    assert knuthle("web", "--out", "page", "--force").code == 0
    assert Path("page/mine.txt").read_text() == "mine" and Path("page/index.html").is_file()


def test_a_folder_that_is_not_whole_is_named(
    knuthle: Knuthle, monkeypatch: pytest.MonkeyPatch
) -> None:
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


def test_a_port_that_is_taken_is_one_line(knuthle: Knuthle) -> None:
    with LocalServer(folder.find, folder.policy()) as other:
        outcome = knuthle("web", "--port", other.server_port)
    assert (outcome.code, outcome.out, outcome.err.count("\n")) == (2, "", 1)
    assert f"port {other.server_port} of 127.0.0.1: " in outcome.err
