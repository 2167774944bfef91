"""``knuthle explore``: the page in a file, on stdout, or shown until Ctrl-C."""

import http.client
import json
import os
import pty
import signal
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from strategy.pictures.page import PageServer, page_of
from strategy.tree import Strategy
from tests.support.commands import KNUTHLE, Knuthle, started
from tests.support.pages import HOSTILE_NAME, Page


@pytest.fixture
def file(knuthle: Knuthle, tiny: Path) -> Path:
    path = tiny.parent / "tiny.strategy"
    assert knuthle("solve-all", "--list", tiny, "--out", path, "--quiet").code == 0
    return path


def test_the_page_has_the_name_of_the_strategy(knuthle: Knuthle, file: Path) -> None:
    outcome = knuthle("explore", file)
    page = page_of(Strategy.load(file))
    size = f"{len(page.encode()):,}"
    assert (outcome.code, outcome.out) == (0, f"written to tiny.html, {size} bytes\n")
    assert Path("tiny.html").read_text(encoding="utf-8") == page


def test_the_page_goes_to_stdout(knuthle: Knuthle, file: Path) -> None:
    outcome = knuthle("explore", file, "-o", "-", "--json", "facts")
    assert (outcome.code, outcome.out) == (0, page_of(Strategy.load(file)))
    assert json.loads(Path("facts").read_text())["file"] is None


def test_json_says_what_was_made(knuthle: Knuthle, file: Path) -> None:
    outcome = knuthle("explore", file, "-o", "x.html", "--json", "-")
    strategy = Strategy.load(file)
    assert json.loads(outcome.out) == {
        "file": "x.html", "address": None, "n_bytes": Path("x.html").stat().st_size,
        "n_nodes": strategy.nodes, "digest": strategy.digest,
    }  # fmt: skip


def test_names_in_a_file_are_no_markup(knuthle: Knuthle, file: Path) -> None:
    strategy = Strategy.load(file)
    plain = Page(page_of(strategy))
    names = dict.fromkeys(("list_name", "secrets_name", "rule"), HOSTILE_NAME)
    origin = replace(strategy.origin, start=(HOSTILE_NAME,), **names)
    replace(strategy, origin=origin).save("hostile.strategy")
    assert knuthle("explore", "hostile.strategy").code == 0
    page = Page(Path("hostile.html").read_text(encoding="utf-8"))
    assert [tag for tag, _ in page.tags] == [tag for tag, _ in plain.tags]
    assert page.payload["about"]["list"] == HOSTILE_NAME


def test_only_a_page_is_replaced(knuthle: Knuthle, file: Path) -> None:
    for _ in range(2):
        assert knuthle("explore", file, "-o", "page.html").code == 0
    Path("mine.html").write_text("<!doctype html>\n<title>mine</title>\n")
    outcome = knuthle("explore", file, "-o", "mine.html")
    assert (outcome.code, "--force replaces it" in outcome.err) == (2, True)
    assert "mine" in Path("mine.html").read_text()
    assert knuthle("explore", file, "-o", "mine.html", "--force").code == 0
    assert "mine" not in Path("mine.html").read_text()


def test_a_port_that_is_taken_is_one_line(knuthle: Knuthle, file: Path) -> None:
    with PageServer("") as other:
        outcome = knuthle("explore", file, "--serve", other.server_port, "-o", "x.html")
    assert (outcome.code, outcome.out) == (2, "") and outcome.err.count("\n") == 1
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


def test_a_file_of_another_program_is_to_be_imported_first(knuthle: Knuthle) -> None:
    Path("it's.txt").write_text("crane bybbb slate ggggg\n")
    outcome = knuthle("explore", "it's.txt")
    assert outcome.code == 2 and not Path("it's.html").exists()
    assert """knuthle verify 'it'"'"'s.txt' -o own.strategy""" in outcome.err
    Path("damaged").write_bytes(b"KNUTHLE")
    assert "another program" not in knuthle("explore", "damaged").err
