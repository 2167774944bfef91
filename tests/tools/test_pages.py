"""The documentation: every command, option, name and error is in it, and links are looked at."""

import inspect
import re
from pathlib import Path

import pytest

import strategy
from strategy import cli
from strategy.cli.commands import COMMANDS
from strategy.web import folder
from tests.support import ROOT
from tools.pages.commands import write_command_pages
from tools.pages.links import wrong_links
from tools.pages.man_pages import man_pages
from tools.pages.manual import manual_of
from tools.pages.share import shared_files
from tools.pages.sources import copy_sources

API = ROOT / "docs" / "api"
MAN = man_pages("0.1.0")
REQUESTS = {"TH", "nh", "ad", "SH", "SS", "B", "BR", "br", "TP", "PP", "nf", "fi", "so"}


@pytest.fixture(scope="module")
def command_pages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("commands")
    write_command_pages(folder)
    return folder


@pytest.mark.parametrize("command", COMMANDS)
def test_each_command_has_its_pages(command: str, command_pages: Path) -> None:
    page = (command_pages / f"{command}.md").read_text(encoding="utf-8")
    index = (command_pages / "index.md").read_text(encoding="utf-8")
    man = MAN[f"knuthle-{command}.1"].replace("\\-", "-")
    assert f"({command}.md)" in index
    assert f"knuthle-{command}" in MAN["knuthle.1"].replace("\\-", "-")
    assert COMMANDS[command].about.replace("'", "") in man.replace("'", "")
    parsers = [cli.parser_of(command)]
    for part in parsers[0]._actions:
        parsers += (part.choices or {}).values() if isinstance(part.choices, dict) else []
    for option in [it for parser in parsers for it in parser._actions]:
        assert all(text in page and text in man for text in option.option_strings)
    for action in manual_of(command).actions:
        assert f"## `{action.command}`" in page


@pytest.mark.parametrize("name", MAN)
def test_man_pages_are_plain_troff(name: str) -> None:
    page = MAN[name]
    assert page.isascii() and page.endswith("\n")
    for line in page.splitlines():
        assert not line.startswith("'")
        if line.startswith("."):
            assert line[1:].split()[0] in REQUESTS
        assert "-" not in re.sub(r"\\-", "", line) or line.startswith((".TH", ".so"))


def test_completions_are_those_of_the_command() -> None:
    files = shared_files("0.1.0")
    assert files["bash-completion/completions/knuthle"].startswith("_knuthle() {")
    assert files["zsh/site-functions/_knuthle"].startswith("#compdef knuthle solve-all\n")
    assert "-c solve-all " in files["fish/vendor_completions.d/solve-all.fish"]
    assert all("--guess-from" in files[name] for name in files if "_knuthle" in name)
    assert set(MAN) == {name.rpartition("/")[2] for name in files if name.startswith("man/")}


@pytest.mark.parametrize("name", strategy.__all__)
def test_the_reference_has_each_public_name(name: str) -> None:
    pages = "".join(page.read_text(encoding="utf-8") for page in sorted(API.glob("*.md")))
    assert re.search(rf"\.\. auto(function|class):: strategy\.{name}$", pages, re.M)
    assert re.search(rf"^\| .*\[`{name}`\]\(\w+\.md#", (API / "index.md").read_text(), re.M)


@pytest.mark.parametrize("name", sorted({*strategy.__all__} - {"Strategy"}))
def test_each_parameter_is_explained(name: str) -> None:
    found = getattr(strategy, name)
    text = inspect.getdoc(found) or ""
    parts = dict(re.findall(r"^(Args|Returns|Raises):\n((?:    .*\n?|\n(?=    ))+)", text, re.M))
    explained = re.findall(r"^    (\w+): \S", parts["Args"], re.M)
    assert explained == list(inspect.signature(found).parameters)
    assert ("Returns" in parts) is inspect.isfunction(found)
    errors = (API / "errors.md").read_text()
    for error in re.findall(r"^    (\w+): ", parts.get("Raises", ""), re.M):
        assert f"## `{error}`" in errors


def test_pages_with_made_links_say_what_makes_them() -> None:
    """In the sources such a link is dead; the page says where it is not."""
    pages = [*(ROOT / "docs").glob("*.md"), *(ROOT / "docs" / "guide").glob("*.md")]
    texts = {page.name: page.read_text(encoding="utf-8") for page in pages}
    linking = {name: text for name, text in texts.items() if "](made/" in text or "/made/" in text}
    assert len(linking) > 5
    for name, text in linking.items():
        assert "./tools/docs" in text or "the site [" in text, name


def test_links_out_of_the_pages_are_text(tmp_path: Path) -> None:
    copy_sources(tmp_path)
    (tmp_path / "left-over.md").write_text("of a page that is gone")
    copy_sources(tmp_path)
    assert not (tmp_path / "left-over.md").exists()
    contributing = (tmp_path / "project" / "contributing.md").read_text(encoding="utf-8")
    assert "ARCHITECTURE.md is the map" in contributing
    map_of_the_house = (tmp_path / "project" / "architecture.md").read_text(encoding="utf-8")
    assert "[docs/json.md](../json.md)" in map_of_the_house


@pytest.mark.parametrize(("markup", "fault"), [
    ('<a href="there.html">', ""), ('<a href="there.html#place">', ""),
    ('<a href="there.html#nowhere">', "there is no such place in it"),
    ('<a href="#nowhere">', "there is no such place in it"),
    ('<a href="gone.html">', "there is no such file in the site"),
    ('<a href="../outside.html">', "there is no such file in the site"),
    ('<a href="https://example.org/a">', ""), ('<a href="http://example.org/">', "is no address"),
    ('<a href="https://localhost/">', "is no address"),
    ('<script src="https://example.org/a.js">', "is fetched from elsewhere"),
    ('<link href="https://example.org/a.css">', "is fetched from elsewhere"),
    ('<img src="data:image/png;base64,AA==">', ""),
    ('<img src="gone.png">', "there is no such file in the site"),
])  # fmt: skip
def test_wrong_links_are_named(tmp_path: Path, markup: str, fault: str) -> None:
    (tmp_path / "outside.html").write_text("")
    site = tmp_path / "site"
    site.mkdir()
    (site / "index.html").write_text(markup)
    (site / "there.html").write_text('<p id="place">')
    found = wrong_links(site.resolve())
    assert [line.rpartition(": ")[2] for line in found] == ([fault] if fault else [])


def test_styles_fetch_nothing_and_the_folder_of_the_page_has_no_wrong_link(tmp_path: Path) -> None:
    (tmp_path / "a.css").write_text("@import 'https://example.org/font.css'; p { color: red }")
    (tmp_path / "b.css").write_text("p { background: url(b.png) }")
    assert wrong_links(tmp_path) == ["a.css: fetches something from elsewhere"]
    folder.write(tmp_path / "page")
    assert wrong_links((tmp_path / "page").resolve()) == []


def test_links_to_the_page_for_browsers_are_positions(tmp_path: Path) -> None:
    copy_sources(tmp_path / "sources")
    page = (tmp_path / "sources" / "guide" / "hints.md").read_text(encoding="utf-8")
    link = '<a href="../made/try/index.html#helper/crane.bybbb.sloth.bbbbb">'
    assert link in page
    (tmp_path / "made" / "try").mkdir(parents=True)
    (tmp_path / "made" / "try" / "index.html").write_text("<p>")
    (tmp_path / "made" / "try" / "engine.js").touch()
    right = ("", "#game", "#helper/crane.bybbb?hard=true", "#openers/?list=x")
    places = (*right, "#helpers", "#a/<b>")
    links = [f'<a href="made/try/index.html{place}">' for place in places]
    (tmp_path / "index.html").write_text("".join(links))
    faults = [fault.partition("#")[2] for fault in wrong_links(tmp_path) if "index.html: " in fault]
    assert faults == ["helpers: is no position of the page", "a/<b>: is no position of the page"]


def test_no_page_and_no_message_installs_from_an_index() -> None:
    """Nobody has published a package of this name: whoever registers it would run code here."""
    texts = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "docs").rglob("*.ipynb")]
    texts += [*(ROOT / "strategy").rglob("*.py"), *(ROOT / "solver").rglob("*.py")]
    wrong = re.compile(r"""(?:pip|pipx) install\s+['"]?knuthle\b""")
    assert not [str(path) for path in texts if wrong.search(path.read_text(encoding="utf-8"))]
