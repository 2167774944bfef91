"""``export`` and ``openers --plot``: pictures, and what is wrong."""

import sys
from pathlib import Path

import pytest

from tests.support.commands import Knuthle


@pytest.fixture
def files(knuthle: Knuthle, tiny: Path) -> tuple[str, str]:
    for name, rule in (("one", "minimax"), ("two", "entropy")):
        options = ("--list", tiny, "--start", "abide", "--rule", rule)
        assert knuthle("solve-all", *options, "--out", f"{name}.strategy").code == 0
    return "one.strategy", "two.strategy"


@pytest.mark.slow
def test_pictures_and_what_they_show(knuthle: Knuthle, files: tuple[str, str]) -> None:
    for ending, begin in (("svg", b"<svg "), ("png", b"\x89PNG"), ("pdf", b"%PDF-")):
        said = knuthle("export", *files, "-o", f"guesses.{ending}")
        assert (said.code, said.out, said.err) == (0, "", "")
        assert Path(f"guesses.{ending}").read_bytes().startswith(begin)
        tree = knuthle("export", files[0], "--kind", "tree", "--out", f"tree.{ending}")
        assert tree.code == 0 and Path(f"tree.{ending}").read_bytes().startswith(begin)
    before = Path("tree.svg").read_bytes()
    again = ("--to", "svg", "--kind", "tree", "-o", "tree.svg")
    assert knuthle("export", files[0], *again).code == 0
    assert Path("tree.svg").read_bytes() == before


def test_openers_in_a_plane(knuthle: Knuthle, tiny: Path) -> None:
    plain = knuthle("openers", "--list", tiny)
    for against in ("parts", "guesses", "expected-size"):
        options = ("--plot", f"{against}.svg", "--against", against)
        said = knuthle("openers", "--list", tiny, *options)
        assert (said.code, said.out) == (0, plain.out)
        assert Path(f"{against}.svg").read_bytes().startswith(b"<svg ")


def test_bars_are_drawn_without_matplotlib(
    knuthle: Knuthle, tiny: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    assert knuthle("buckets", "crane", "--list", tiny, "--plot", "a.svg").code == 0


def test_names_are_shown_escaped(knuthle: Knuthle, files: tuple[str, str]) -> None:
    name = "a\x1b[31m<b>_$x$.strategy"
    Path(files[0]).rename(name)
    said = knuthle("export", name, files[1], "-o", "names.svg")
    assert said.code == 0 and "\x1b" not in said.out + said.err
    assert b"\x1b" not in Path("names.svg").read_bytes()
