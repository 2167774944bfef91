"""Doors for those who learn: each with the real package of the index, in its own environment."""

import os
import sysconfig
import tempfile
import venv
from pathlib import Path

import pytest

from solver.game.load import load_game
from strategy.cli.referee import questions
from strategy.play.regret import Judge
from tests.support import ROOT
from tests.support.commands import ran

RECIPES, TRIALS = ROOT / "docs/recipes/learners", Path(__file__).with_name("learners")
#: A recipe, or the command → the packages that its trial takes.
PACKAGES = {
    "mcp": "mcp==2.3.0",
    "wordle_states": "reasoning-gym==0.1.25",
    "wordle_openenv": "openenv==0.10.0",
    "wordle_verifiers": "verifiers==0.4.0 uv",
}


@pytest.mark.parametrize(
    "trial",
    [
        # the others fetch for minutes, half a gigabyte some of them
        pytest.param(it, marks=pytest.mark.long(20) if it == "mcp" else pytest.mark.nightly(150))
        for it in PACKAGES
    ],
)
def test_it_works_with_the_real_package(trial: str) -> None:
    with tempfile.TemporaryDirectory() as folder:  # some have half a gigabyte
        venv.create(folder, with_pip=True)
        (site,) = Path(folder).glob("lib/python*/site-packages")
        (site / "tests.pth").write_text(sysconfig.get_path("purelib"))  # behind its own packages
        python, packages = Path(folder, "bin", "python"), PACKAGES[trial].split()
        pip = [python, "-m", "pip", "install", "-q", "--disable-pip-version-check"]
        done = ran([*pip, *packages], timeout=1800)
        if done.returncode:
            pytest.skip(f"{packages} cannot be installed: {done.stderr[-200:]}")
        found = os.pathsep.join(map(str, (ROOT, RECIPES)))
        done = ran([python, TRIALS / f"try_{trial}.py"], RECIPES, timeout=600, PYTHONPATH=found)
    assert done.returncode == 0, done.stderr


def test_every_recipe_is_tried() -> None:
    recipes = [path.stem for path in RECIPES.glob("*.py")]
    assert {"mcp", *recipes} == PACKAGES.keys()
    for recipe in recipes:
        trial = (TRIALS / f"try_{recipe}.py").read_text(encoding="utf-8")
        assert f"{recipe} import" in trial or f"import {recipe}" in trial


def test_a_model_hears_what_the_library_says() -> None:
    game = load_game(["abide", "crane", "raise", "slate", "stare"])
    grade, suggest, regret, review = questions(game, hard=True)
    assert grade("crane", "slate") == {"score": "bbgbg"}
    advice = suggest("abide ybbbg", top=1)
    assert advice["secrets"] == ("crane", "slate", "stare") and advice["guesses"][0]["total"] == 5
    assert regret("abide") == vars(Judge(game, hard=True).regret("", "abide"))
    assert not regret("abide", "slate bbgbg")["legal"]
    assert review("abide crane", "crane")["guesses"][0]["skill"] == 60
