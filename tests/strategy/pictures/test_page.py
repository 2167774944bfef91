"""The page of a strategy, nothing but itself in it, and its server; pictures by matplotlib."""

import base64
import http.client
import random
import re
import socket
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from hashlib import sha256
from itertools import pairwise, product
from pathlib import Path
from xml.etree import ElementTree

import matplotlib
import pytest

from strategy import Strategy, load_game
from strategy.errors import OutputError
from strategy.exports import summary
from strategy.pictures import plot
from strategy.pictures.page import PageServer, page_of
from strategy.pictures.plot import Dot, Named, distributions, form_of, icicle, plane
from strategy.solving.by_rule import Settings, Solved, solve
from tests.support import ROOT, refused
from tests.support.commands import Knuthle, serving
from tests.support.pages import HOSTILE_NAME, HOSTILE_WORDS, Page, hostile, unpacked
from tests.support.worlds import game_of, some_world

PARTS = ROOT / "strategy" / "web" / "site" / "explore"


def small() -> Strategy:
    words = "abide adieu arise crane raise slate stare trace baker".split()
    return solve(game_of(words)).strategy


LONG = "abalone cabbage academy already balance because cabinet".split()
MAKERS = pytest.mark.parametrize("make", [
    small,  # scores of seven letters need two digits, and one opener is no secret
    lambda: solve(game_of(LONG, LONG[2:]), Settings(start=("abalone",))).strategy,
    lambda: solve(load_game(spec="mastermind:3x4")).strategy,
])  # fmt: skip


@MAKERS
def test_the_page_holds_the_strategy(make: Callable[[], Strategy]) -> None:
    strategy = make()
    payload = Page(page_of(strategy)).payload
    found = unpacked(payload)
    assert found.word == [strategy.words[guess] for guess in strategy.guess]
    assert found.depth == list(strategy.depth) and found.parent == list(strategy.parent)
    assert found.score == list(strategy.score) and found.hit == list(strategy.hit)
    assert payload["about"] == summary(strategy) and payload["game"] == strategy.origin.game


def test_all_allowed_words_fit(lares: Solved) -> None:
    page = page_of(lares.strategy)
    assert len(page.encode()) <= 400_000
    found = unpacked(Page(page).payload)
    solved = {word: depth for word, depth, hit in zip(*found[:2], found.hit, strict=True) if hit}
    assert solved == {
        word: lares.strategy.depth[node] for word, node in lares.strategy.solved_at.items()
    }
    assert found.parent == list(lares.strategy.parent) and found.score == list(lares.strategy.score)


@MAKERS
def test_equal_pages_whose_policy_allows_nothing_else(make: Callable[[], Strategy]) -> None:
    """They say nothing of the machine; the page of a game that nobody knows is refused."""
    strategy = make()
    text = page_of(strategy)
    assert page_of(make()) == text
    assert str(ROOT) not in text and not re.search(r"20\d\d-\d\d-\d\d", text)
    unknown = replace(strategy, origin=replace(strategy.origin, game="chess"))
    refused(OutputError, "knows? the rules", page_of, unknown)
    page = Page(text)
    _, script = page.text_of("script")
    (style,) = page.text_of("style")
    digests = [base64.b64encode(sha256(it.encode()).digest()).decode() for it in (script, style)]
    said = dict(part.split(" ", 1) for part in page.policy.split("; "))
    assert said == {
        "default-src": "'none'", "script-src": f"'sha256-{digests[0]}'",
        "style-src": f"'sha256-{digests[1]}'", "img-src": "data:", "base-uri": "'none'",
        "form-action": "'none'",
        "require-trusted-types-for": "'script'", "trusted-types": "'none'",
    }  # fmt: skip


def test_parts_of_the_page() -> None:
    page = Page(page_of(small()))
    for _, attributes in page.tags:
        assert "style" not in attributes
        assert not [name for name in attributes if name.startswith("on")]
        assert not {"src", "srcset", "action", "integrity"} & set(attributes)
        href = attributes.get("href") or "#"
        assert href.startswith(("#", "data:image/svg+xml,"))
    parts = [path for path in sorted(PARTS.iterdir()) if path.name != "load.js"]
    assert len(parts) == 9
    for name in parts:
        text = name.read_text(encoding="utf-8")
        assert not re.search(r"https?:|@import|url\(|</", text), name
        sinks = r"innerHTML|outerHTML|insertAdjacent|document\.write|\beval\b|Function\(|fetch\("
        assert not re.search(sinks, text), name
    whole = page_of(small())
    for path in parts:
        lines = [line for line in path.read_text(encoding="utf-8").splitlines() if line.isascii()]
        assert [line for line in lines if line not in whole] == []
    assert "load.js" not in whole and "index.html" not in whole


def test_hostile_words_and_names_are_no_markup() -> None:
    strategy = hostile(small())
    assert page_of(strategy).isascii()
    plain, page = Page(page_of(small())), Page(page_of(strategy))
    assert [tag for tag, _ in page.tags] == [tag for tag, _ in plain.tags]
    assert unpacked(page.payload).word == [strategy.words[guess] for guess in strategy.guess]
    assert set(unpacked(page.payload).word) <= set(HOSTILE_WORDS)
    assert page.payload["about"]["list"] == HOSTILE_NAME
    assert not {*page.text_of("script")[0]} & {*"<>&"}, "no sign means anything to HTML"
    assert "".join(page.text_of("title")).endswith(f"by {HOSTILE_NAME}")


TEXT = "<!doctype html>\n<p>page ⬛🟩</p>\n"


@pytest.fixture(scope="module")
def server() -> Iterator[PageServer]:
    with serving(PageServer(TEXT)) as made:
        yield made


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


def test_the_page_is_served_to_this_machine(server: PageServer) -> None:
    for name, path in product(("127.0.0.1", "localhost"), ("/", "/?anything")):
        response, body = ask(server, path=path, hosts=[f"{name}:{server.server_port}"])
        assert (response.status, body.decode()) == (200, TEXT)
        assert response.getheader("Content-Type") == "text/html; charset=utf-8"
    response, body = ask(server, "HEAD")
    assert (response.status, body) == (200, b"")
    assert response.getheader("Content-Length") == str(len(TEXT.encode()))
    assert server.socket.getsockname()[0] == "127.0.0.1"
    said = f"port {server.server_port} of 127.0.0.1: "
    refused(OutputError, said, PageServer, TEXT, server.server_port)
    refused(OutputError, "port 70000", PageServer, TEXT, 70_000)


@pytest.mark.parametrize("hosts", [
    [], [""], ["127.0.0.1"], ["localhost"], ["evil.example:{port}"], ["evil.example"],
    ["127.0.0.1.evil.example:{port}"], ["127.0.0.1:{port}.evil.example"],
    ["127.0.0.1:{port}@evil.example"], ["localhost:1"], ["[::1]:{port}"], ["0.0.0.0:{port}"],
    ["127.0.0.1:{port}", "evil.example"], ["evil.example", "127.0.0.1:{port}"],
])  # fmt: skip
def test_another_host_gets_nothing(server: PageServer, hosts: list[str]) -> None:
    for method in ("GET", "HEAD"):
        named = [host.format(port=server.server_port) for host in hosts]
        response, body = ask(server, method, hosts=named)
        assert response.status == 421 and b"page" not in body


def test_there_is_one_page_and_it_is_there_to_be_read(server: PageServer) -> None:
    """And every answer asks browsers for care."""
    for path in ("/index.html", "/favicon.ico", "/..", "/%2e", "*"):
        assert ask(server, path=path)[0].status == 404
    for method in ("POST", "PUT", "DELETE", "OPTIONS", "PATCH", "TRACE", "get"):
        response, _ = ask(server, method)
        assert response.status == 405 and response.getheader("Allow") == "GET, HEAD"
    for method, status in (("GET", 200), ("POST", 405)):
        response, _ = ask(server, method)
        assert response.status == status
        policy = response.getheader("Content-Security-Policy") or ""
        assert policy.startswith("default-src 'none'; script-src 'sha256-")
        assert policy.endswith("frame-ancestors 'none'")
        assert response.getheader("X-Content-Type-Options") == "nosniff"
        assert response.getheader("Cross-Origin-Resource-Policy") == "same-origin"
        assert response.getheader("Server") == "knuthle"


@pytest.mark.parametrize("request_", [
    b"\r\n", b"GET\r\n\r\n", b"\x00\xff\r\n\r\n", b"GET " + b"/" * 70_000, b"GET / X\r\n\r\n",
])  # fmt: skip
def test_nonsense(server: PageServer, request_: bytes, capfd: pytest.CaptureFixture[str]) -> None:
    with socket.create_connection(("127.0.0.1", server.server_port), timeout=20) as line:
        line.sendall(request_)
        line.shutdown(socket.SHUT_WR)
        while line.recv(65536):
            pass
    assert ask(server)[0].status == 200 and capfd.readouterr().err == ""


def test_a_request_that_drips_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("strategy.web.server._PATIENCE", 0.3)
    with (
        serving(PageServer(TEXT)) as slow,
        socket.create_connection(("127.0.0.1", slow.server_port), timeout=0.05) as line,
    ):
        sent = drips(line, b"GET / HTTP/1.0\r\nX: " + b"x" * 400)
    assert sent < 400


def drips(line: socket.socket, request: bytes) -> int:
    """Send a byte every twentieth of a second; how many went out until the other side hung up."""
    for number, byte in enumerate(request):
        try:
            line.sendall(bytes([byte]))
            if not line.recv(1):
                return number
        except TimeoutError:
            continue
        except OSError:
            return number
    return len(request)


BEGINS = {"svg": b"<svg ", "png": b"\x89PNG", "pdf": b"%PDF-"}


def strategy_of(seed: int, rule: str = "minimax") -> Strategy:
    game = some_world(random.Random(seed), 15, 40)
    return solve(game, Settings(rule=rule)).strategy


@pytest.fixture(scope="module")
def few() -> list[Named]:
    return [Named("one", strategy_of(1)), Named("_two $x^2$ \u5b57\x1b", strategy_of(2))]


@pytest.mark.parametrize("form", [
    "svg", *(pytest.param(form, marks=pytest.mark.slow) for form in plot.FORMS if form != "svg"),
])  # fmt: skip
def test_the_same_bytes_whatever_somebody_likes(few: list[Named], form: str) -> None:
    dots = [Dot("crane", 5.7, 150), Dot("slate", 5.8, 147)]

    def drawn() -> list[bytes]:
        shown = plane(dots, "entropy", "parts", "words", form)
        return [distributions(few, form), icicle(few[0], form), shown]

    first = drawn()
    with matplotlib.rc_context({"font.size": 30, "axes.facecolor": "red", "savefig.dpi": 20}):
        assert drawn() == first and matplotlib.rcParams["font.size"] == 30
    for content in first:
        assert content.startswith(BEGINS[form]) and b"matplotlib.org" not in content
        assert b"<dc:date>" not in content and b"CreationDate" not in content


def test_icicles_have_every_state_and_secret() -> None:
    for seed in range(4):
        strategy = strategy_of(seed, "parts")
        boxes = plot._boxes(strategy)
        assert len(boxes) == strategy.nodes
        for row in range(strategy.worst):
            here = sorted((box.left, box.width) for box in boxes if box.row == row)
            assert sum(width for _, width in here) == sum(strategy.histogram[row:])
            ends = [left + width for left, width in here]
            assert all(end <= left for end, (left, _) in zip(ends, here[1:], strict=False))
            runs = [run for run in plot._runs(boxes) if run.row == row]
            covered = [at for run in runs for at in range(run.left, run.left + run.width)]
            assert covered == [at for left, width in here for at in range(left, left + width)]
            assert all(a.left + a.width < b.left for a, b in pairwise(runs)), "neighbours are one"
        words = {word: strategy.histogram for *_, word in boxes}
        assert set(words) == {strategy.words[guess] for guess in strategy.guess}


def test_forms_and_markup(few: list[Named]) -> None:
    for content in (distributions(few, "svg"), icicle(few[1], "svg")):
        assert ElementTree.fromstring(content).tag.endswith("svg")
    lone = Named("lone", solve(load_game(["crane"])).strategy)
    assert distributions([lone], "svg") and icicle(lone, "png")
    assert plane([], "x", "y", "none", "pdf")
    assert plane([Dot("crane", 1, 1), Dot("slate", 1, 1)], "x", "y", "same", "svg")
    assert form_of("a.b/Tree.PNG") == "png"
    for name in ("tree", "tree.gif", "svg"):
        refused(OutputError, r"the name of a picture must end in .svg, .png or .pdf", form_of, name)


def test_names_in_a_plane_do_not_meet() -> None:
    dice = random.Random(1)
    dots = [Dot("crane", dice.random(), dice.random()) for _ in range(25)]
    boxes: list[tuple[float, float, float, float]] = []
    across, up = plot._spread([it.x for it in dots], 500), plot._spread([it.y for it in dots], 360)
    for (right, above), x, y in zip(plot._places(dots), across, up, strict=True):
        box = (x + right, y + above, 27.0, 7.0)
        assert not plot._meets(box, boxes)
        boxes.append(box)


@pytest.fixture
def files(knuthle: Knuthle, tiny: Path) -> tuple[str, str]:
    for name, rule in (("one", "minimax"), ("two", "entropy")):
        options = ("--list", tiny, "--start", "abide", "--rule", rule)
        assert knuthle("solve-all", *options, "--out", f"{name}.strategy").code == 0
    return "one.strategy", "two.strategy"


@pytest.mark.slow
def test_pictures_and_what_they_show(knuthle: Knuthle, files: tuple[str, str]) -> None:
    for ending, begin in BEGINS.items():
        said = knuthle("export", *files, "-o", f"guesses.{ending}")
        assert (said.code, said.out, said.err) == (0, "", "")
        assert Path(f"guesses.{ending}").read_bytes().startswith(begin)
        tree = knuthle("export", files[0], "--kind", "tree", "--out", f"tree.{ending}")
        assert tree.code == 0 and Path(f"tree.{ending}").read_bytes().startswith(begin)
    before = Path("tree.svg").read_bytes()
    again = ("--to", "svg", "--kind", "tree", "-o", "tree.svg")
    assert knuthle("export", files[0], *again).code == 0
    assert Path("tree.svg").read_bytes() == before


def test_openers_in_a_plane(knuthle: Knuthle, tiny: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Bars are drawn without matplotlib."""
    plain = knuthle("openers", "--list", tiny)
    for against in ("parts", "guesses", "expected-size"):
        options = ("--plot", f"{against}.svg", "--against", against)
        said = knuthle("openers", "--list", tiny, *options)
        assert (said.code, said.out) == (0, plain.out)
        assert Path(f"{against}.svg").read_bytes().startswith(b"<svg ")
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    assert knuthle("buckets", "crane", "--list", tiny, "--plot", "a.svg").code == 0


def test_names_are_shown_escaped(knuthle: Knuthle, files: tuple[str, str]) -> None:
    name = "a\x1b[31m<b>_$x$.strategy"
    Path(files[0]).rename(name)
    said = knuthle("export", name, files[1], "-o", "names.svg")
    assert said.code == 0 and "\x1b" not in said.out + said.err
    assert b"\x1b" not in Path("names.svg").read_bytes()
