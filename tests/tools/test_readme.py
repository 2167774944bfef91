"""The Python in the README and the docs runs as printed."""

import doctest
import re
import shlex
import sys
from pathlib import Path

import pytest

from strategy.cli import main
from tests.support import ROOT
from tests.support.commands import ran

PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


def test_the_systems_that_were_tried() -> None:
    """The README says what the classifiers of the package say."""
    package = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    assert re.findall('Operating System :: (.*)"', package) == ["POSIX :: Linux"]
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert "on Linux, where every version is tested; on macOS and [Windows]" in readme


def name_of(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


def blocks_of(page: Path, language: str) -> list[str]:
    """The blocks of a page that are Python, or show commands and what they print."""
    text = page.read_text(encoding="utf-8")
    return re.findall(rf"^```{language}\n(.*?)^```", text, re.M | re.S)


@pytest.mark.parametrize("page", [it for it in PAGES if blocks_of(it, "python")], ids=name_of)
def test_examples_run(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    code = "\n".join(blocks_of(page, "python"))
    example = doctest.DocTestParser().get_doctest(code, {}, page.name, str(page), 0)
    results = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(example)
    assert results.attempted and not results.failed


@pytest.mark.parametrize("page", [*PAGES, *ROOT.glob("*.md")], ids=name_of)
def test_links_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#]+)\)", page.read_text(encoding="utf-8")):
        if "://" not in target and "made/" not in target:  # these are made by tools/docs
            assert (page.parent / target).exists(), target


#: Pages whose commands are run: what they show must come out.
OF_DOCS = ("start.md", "tour.md", "results.md", "faq.md")
SHOWN = [
    page for page in PAGES
    if blocks_of(page, "console") and (page.parent != ROOT / "docs" or page.name in OF_DOCS)
]  # fmt: skip
#: Pages of which the first commands are read before anything is installed. They run as people
#: start them, each a process; those of the other pages are called.
AS_PROCESSES = {"README.md", "docs/start.md"}
#: What a shell would do something with.
_OF_A_SHELL = set("|<>;&()$`*?~#")


def arguments_of(command: str) -> list[str] | None:
    """The words of a plain call of ours; None of anything else, which takes a shell."""
    split = shlex.shlex(command, posix=True, punctuation_chars=True)
    split.whitespace_split, split.commenters = True, ""
    words = list(split)
    if not words or words[0] not in ("knuthle", "solve-all") or _OF_A_SHELL & set(command):
        return None
    return words[words[0] == "knuthle" :]


#: Pages whose commands take more than a few seconds.
SLOW = {"tour.md": 45, "README.md": 30, "players.md": 5, "proofs.md": 5}


def marked(page: Path) -> object:
    """A page, with the seconds that it takes if they are many."""
    marks = [pytest.mark.slow(SLOW[page.name])] if page.name in SLOW else []
    return pytest.param(page, id=name_of(page), marks=marks)


@pytest.mark.parametrize("page", sorted(AS_PROCESSES))
def test_what_is_shown_first_works_in_a_checkout(page: str) -> None:
    steps = re.findall(r"^\$ (.*)", "\n".join(blocks_of(ROOT / page, "console")), re.M)
    assert steps and not [it for it in steps if not it.startswith("./tools/run ")]


@pytest.mark.parametrize("page", [marked(page) for page in SHOWN])
def test_the_commands_print_what_the_page_shows(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """Every ``$`` line is run in one directory, in order; shown lines must come out in order.

    A line that ends in … stands for all that begin so.
    """
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("KNUTHLE_SETTINGS", str(tmp_path / "settings.toml"))

    def said(command: str) -> tuple[str, str]:
        """What a command prints and complains of."""
        arguments = arguments_of(command)
        if arguments is None or name_of(page) in AS_PROCESSES:
            done = ran(["bash", "-c", prelude + command], tmp_path, PYTHON=sys.executable)
            return done.stdout, done.stderr
        capfd.readouterr()
        main(arguments)
        return capfd.readouterr()

    prelude = 'knuthle() { "$PYTHON" -m strategy "$@"; }; solve-all() { knuthle solve-all "$@"; }\n'
    prelude += 'export KNUTHLE_SETTINGS="$PWD/settings.toml"\n'  # what a page sets ends with it
    for block in blocks_of(page, "console"):
        for step in re.split(r"^\$ ", block, flags=re.M)[1:]:
            command, *shown = [line.rstrip() for line in step.splitlines()]
            out, err = said(re.sub(r"^\./tools/run (knuthle )?", "knuthle ", command))
            printed = iter(out.splitlines())
            for line in filter(None, shown):
                begun, dots, _ = line.partition("…") if line.endswith("…") else (line, "", "")
                assert any(
                    found.startswith(begun) if dots else found.rstrip() == begun
                    for found in printed
                ), f"{command}: {line!r} is not in\n{out}{err}"
