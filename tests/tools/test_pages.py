"""The documentation has all that there is, and its links lead somewhere; what is promised stays."""

import enum
import inspect
import re
import signal
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

import strategy
from strategy import cli
from strategy.cli.commands import COMMANDS, EXIT_CODES
from strategy.cli.interrupts import ENDINGS
from strategy.web import folder
from tests.support import ROOT
from tools.pages.commands import write_command_pages
from tools.pages.links import wrong_links
from tools.pages.man_pages import man_pages
from tools.pages.manual import manual_of
from tools.pages.share import shared_files
from tools.pages.sources import copy_sources
from tools.promises import LISTINGS, SIGNATURES, differences, found_lines, names, recorded_lines
from tools.promises import signatures as found_signatures
from tools.promises.__main__ import main

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


STABILITY = ROOT / "docs" / "stability.md"
#: Classes of ours that public signatures name and that no page describes: what programs do with
#: them is to hand them on. They may change.
HANDED_ON = {
    "Checkpoint", "Claim", "FaultKind", "Helpers", "ReferenceLists", "Refutation",
    "SweepQuestion", "SweepRunner", "Tree",
}  # fmt: skip
#: Types by names that classes elsewhere have too.
ALIASES = {"Progress", "Step"}


@pytest.mark.parametrize("listing", LISTINGS)
def test_what_is_public_is_what_is_recorded(listing: str) -> None:
    changes = differences.changes(recorded_lines(listing), found_lines(listing))
    broken = [f"  {change.what}" for change in changes if change.breaks]
    new = [f"  {change.what}" for change in changes if not change.breaks]
    if broken:
        promise = (
            "From 1.0 on only a major version may do that; until then a line in the changelog "
            "says so. docs/stability.md has the rule."
        )
        pytest.fail("\n".join(["this breaks what is promised:", *broken, promise, *new]))
    if new:
        renew = "If that is meant, record it: python -m tools.promises"
        pytest.fail("\n".join(["the listing does not have this yet:", *new, renew]))
    lines = found_lines(listing)
    assert recorded_lines(listing) == lines
    assert len({differences._entry(line)[0] for line in lines}) == len(lines), "one line a name"


def test_the_page_of_signatures_is_that_of_the_code() -> None:
    page = SIGNATURES.read_text(encoding="utf-8")
    assert page == found_signatures(), "python -m tools.promises writes it"
    assert "* `strategy.suggest(game: Game, state: str" in page


# --- what the tool says of a change --------------------------------------------------------

DEF = "def strategy.f(a: int, b: str = 'x', *, c: bool = False) -> Row"
OPTION = "option suggest --by: entropy|parts, default 'entropy'"
SAID = {
    (DEF, "", "function strategy.f is gone", True),
    ("", DEF, "function strategy.f is new", False),
    ("field Row.word: str", "", "field Row.word is gone", True),
    (DEF, DEF.replace("b: str = 'x', ", ""), "the parameter b is gone", True),
    (DEF, DEF.replace(" = 'x'", ""), "could be left out, now it must be given", True),
    (DEF, DEF.replace("'x'", "'y'"), "the default of b was 'x', is 'y'", True),
    (DEF, DEF.replace(" = False", " = False, d: int"), "d is new, and must be given", True),
    (DEF, DEF.replace(" = False", " = False, d: int = 1"), "the parameter d is new", False),
    (DEF, DEF.replace(", b: str = 'x', *", ", *, b: str = 'x'"), "by place, now by name", True),
    (DEF, DEF.replace("a: int", "z: int, a: int"), "in another order", True),
    (DEF, DEF.replace("'x', *", "'x', z: int = 0, *"), "the parameter z is new", False),
    (DEF, DEF.replace("*, c", "*more: str, c"), "the parameter more is new", False),
    (DEF, DEF.replace("a: int", "a: int | str"), "the type of a was 'int', is 'int | str'", False),
    (DEF, DEF.replace("-> Row", "-> Line"), "it returned 'Row', returns 'Line'", False),
    ("property Row.word: str", "method Row.word() -> str", "was a property, is a method", True),
    ("error m.E: Exception, exit code 2", "error m.E: Exception, exit code 3", "exit code 3", True),
    ("class strategy.S(a: int = 1)", "class strategy.S(a: int = 2)", "the default of a", True),
    ("key suggest: rows[].word: str", "", "key of JSON suggest: rows[].word is gone", True),
    ("", "key suggest: rows[].word: str", "key of JSON suggest: rows[].word is new", False),
    ("key info: n: int", "key info: n: int or null", "its type was int, is int or null", True),
    ("columns plot: a b", "columns plot: a", "the column b is gone", True),
    ("columns plot: a b", "columns plot: b a", "in another order", True),
    ("columns plot: a b", "columns plot: a c b", "it belongs at the end", True),
    ("columns plot: a b", "columns plot: a b c", "table of CSV plot: the column c is new", False),
    (OPTION, "", "option suggest --by is gone", True),
    (OPTION, OPTION.replace("|parts", ""), "the value parts is gone", True),
    (OPTION, OPTION.replace("|parts", "|parts|size"), "the value size is new", False),
    (OPTION, OPTION.replace("'entropy'", "'parts'"), "now: default 'parts'", True),
    ("", "option info --to: FILE, required", "option info --to is new", True),
    ("", "argument info file: FILE, one", "argument info file is new", True),
    ("", "argument info file: FILE, any number", "argument info file is new", False),
}


@pytest.mark.parametrize(("before", "after", "said", "breaks"), sorted(SAID))
def test_a_change_is_named_and_judged(before: str, after: str, said: str, breaks: bool) -> None:
    found = differences.changes([before] * bool(before), [after] * bool(after))
    assert any(said in change.what for change in found), found
    assert any(change.breaks for change in found) is breaks, found


def test_the_tool_records_what_is_new_and_no_break(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    paths = {name: tmp_path / path.name for name, path in LISTINGS.items()}
    for name, path in paths.items():
        path.write_text(LISTINGS[name].read_text(encoding="utf-8"), encoding="utf-8")
    first, *rest = recorded_lines("names")
    monkeypatch.setattr("tools.promises.LISTINGS", paths)
    monkeypatch.setattr("tools.promises.__main__.LISTINGS", paths)
    monkeypatch.setattr("sys.argv", ["promises"])
    paths["names"].write_text("\n".join(rest) + "\n")
    assert main() == 0 and " is new" in capsys.readouterr().out
    assert paths["names"].read_text().splitlines() == [first, *rest]
    paths["names"].write_text("\n".join([first, *rest, "class strategy.Zebra"]) + "\n")
    assert main() == 1
    assert "BREAKS class strategy.Zebra is gone" in capsys.readouterr().out
    assert "Zebra" in paths["names"].read_text()
    monkeypatch.setattr("sys.argv", ["promises", "--breaking"])
    assert main() == 0 and "Zebra" not in paths["names"].read_text()


# --- what the listing is made of -----------------------------------------------------------


class Colour(enum.Enum):
    RED = 1


@dataclass(frozen=True)
class Pen:
    colour: Colour = Colour.RED


@pytest.mark.parametrize(("value", "text"), [
    (Colour.RED, "Colour.RED"), (("a",), "('a',)"), ((), "()"), ((1, None), "(1, None)"),
    (0.5, "0.5"), (Pen(), "Pen()"), (print, "..."), (object(), "..."),
])  # fmt: skip
def test_defaults_are_the_same_text_in_every_python(value: object, text: str) -> None:
    assert names.value_text(value) == text


class Pair(NamedTuple):
    first: "int"
    more: "list[str] | None" = None


def test_annotations_are_the_text_of_the_source() -> None:
    assert [*names.lines_of("Pair", Pair, {"first", "more"})] == ["class Pair"]  # not of ours
    found = dict(line.split(": ", 1) for line in found_lines("names") if line.startswith("field"))
    assert found["field BetterWord.expected"] == "float"  # of a NamedTuple
    assert found["field Optimal.strategy"] == "Strategy | None"  # of a dataclass
    assert not re.search(r"Forward|typing|<| at 0x", "\n".join(found_lines("names")))
    # Every public name is listed.
    listed = {line.split(" ", 1)[1].split("(")[0].split(":")[0] for line in found_lines("names")}
    assert {f"strategy.{name}" for name in strategy.__all__} <= listed
    commands = {line.split(": ")[0] for line in found_lines("output")}
    assert {f"command {name}" for name in COMMANDS} <= commands


@cache
def classes_of_ours() -> dict[str, str]:
    """The text of each class, from its name to the next line that is not indented."""
    files = [*ROOT.glob("solver/**/*.py"), *ROOT.glob("strategy/**/*.py")]
    texts = "\n".join(path.read_text(encoding="utf-8") for path in files)
    found = re.findall(r"^class ([A-Z_]\w*)(.*\n(?:[ \t)].*\n|\n)*)", texts, re.MULTILINE)
    return {name: f"class {name}{rest}" for name, rest in found}


def test_what_public_signatures_name_is_on_the_pages_too() -> None:
    """Or programs would get objects whose fields are promised by nothing."""
    lines = found_lines("names")
    listed = {
        re.split(r"[(:]", line.split(" ")[1])[0].rpartition(".")[2]
        for line in lines
        if line.startswith(("class", "error"))
    }
    named = {word for line in lines for word in re.findall(r"\b[A-Z]\w+", line.partition(" ")[2])}
    assert (named & classes_of_ours().keys()) - listed - ALIASES == HANDED_ON


# --- the page ------------------------------------------------------------------------------


def exit_codes_of_errors() -> dict[str, int]:
    """The exit code of every error in the sources, its own or that of its base."""
    texts = {name: text for name, text in classes_of_ours().items() if name.endswith("Error")}

    def code_of(name: str) -> int | None:
        head, _, body = texts.get(name, "").partition(":\n")
        if own := re.search(r"^    exit_code = (\d+)", body, re.MULTILINE):
            return int(own[1])
        bases = map(code_of, re.findall(r"\w+", head.partition("(")[2]))
        return next((code for code in bases if code is not None), None)

    return {name: code for name in texts if (code := code_of(name)) is not None}


def test_the_exit_codes_of_the_page_are_those_of_the_program() -> None:
    rows = re.findall(
        r"^\| (\d+) \| [^|]+ \|([^|]*)\|$", STABILITY.read_text("utf-8"), re.MULTILINE
    )
    table = {int(code): set(re.findall(r"`(\w+Error)`", errors)) for code, errors in rows}
    codes = exit_codes_of_errors()
    listed = [line for line in found_lines("names") if line.startswith("error")]
    public = {re.split(r"[. :]", line.partition(": ")[0])[-1] for line in listed}
    assert set(table) == {0, *codes.values(), *(128 + number for number in ENDINGS)}
    for code, errors in table.items():
        assert errors == {name for name, its in codes.items() if its == code and name in public}
    for line in listed:
        name, code = re.fullmatch(r"error [\w.]*?(\w+): .*, exit code (\d)", line).groups()  # type: ignore[union-attr]
        assert codes[name] == int(code)
    for code in (0, 1, 2, 3, 128 + signal.SIGINT):
        assert re.search(rf"\b{code} \w+", EXIT_CODES)
    # It is linked from where people look.
    for place in ("README.md", "CONTRIBUTING.md", "ARCHITECTURE.md"):
        assert "](docs/stability.md" in (ROOT / place).read_text(encoding="utf-8")
    assert "stability" in (ROOT / "docs" / "index.md").read_text(encoding="utf-8")
