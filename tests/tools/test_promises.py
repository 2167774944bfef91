"""What is promised: today's names, options and keys are those of the listings, or it says why not.

``docs/stability.md`` is the promise, ``docs/promised`` the listings, which
``python -m tools.promises`` writes.
"""

import ast
import enum
import re
import signal
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

import strategy
from strategy.cli.commands import COMMANDS, EXIT_CODES
from strategy.cli.interrupts import ENDINGS
from tests.support import ROOT
from tools.promises import LISTINGS, SIGNATURES, differences, found_lines, names, recorded_lines
from tools.promises import signatures as found_signatures
from tools.promises.__main__ import main

PAGE = ROOT / "docs" / "stability.md"
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
    found: dict[str, int] = {}
    texts = {name: text for name, text in classes_of_ours().items() if name.endswith("Error")}
    classes = {name: ast.parse(text).body[0] for name, text in texts.items()}

    def code_of(name: str) -> int | None:
        node = classes.get(name)
        if not isinstance(node, ast.ClassDef):
            return None
        for each in node.body:
            if isinstance(each, ast.Assign) and ast.unparse(each.targets[0]) == "exit_code":
                return int(ast.literal_eval(each.value))
        bases = (code_of(ast.unparse(base)) for base in node.bases)
        return next((code for code in bases if code is not None), None)

    for name in classes:
        if (code := code_of(name)) is not None:
            found[name] = code
    return found


def test_the_exit_codes_of_the_page_are_those_of_the_program() -> None:
    rows = re.findall(r"^\| (\d+) \| [^|]+ \|([^|]*)\|$", PAGE.read_text("utf-8"), re.MULTILINE)
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
