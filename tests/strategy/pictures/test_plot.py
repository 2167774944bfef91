"""Pictures by matplotlib: what is in them, the same bytes for the same work; the commands."""

import random
import sys
from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree

import matplotlib
import pytest

from solver.game.load import load_game
from strategy import Settings, Strategy, solve
from strategy.errors import OutputError
from strategy.pictures import plot
from strategy.pictures.plot import Dot, Named, distributions, form_of, icicle, plane
from tests.support import refused
from tests.support.commands import Knuthle
from tests.support.worlds import some_world

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
        return [
            distributions(few, form),
            icicle(few[0], form),
            plane(dots, "entropy", "parts", "words", form),
        ]

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
    across, up = (
        plot._spread([dot.x for dot in dots], 500),
        plot._spread([dot.y for dot in dots], 360),
    )
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
