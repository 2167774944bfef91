"""Recipes for those who learn print what their page shows, each with the real package."""

import os
import re
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
from tests.tools.test_recipes import PAGE, RECIPES

LEARNERS = RECIPES / "learners"
#: Recipe → the packages that it takes, and for how many seconds it fetches them.
PACKAGES = {
    "ask_mcp": ("mcp==2.3.0", pytest.mark.long(20)),
    "wordle_states": ("reasoning-gym==0.1.25", pytest.mark.nightly(150)),
    "wordle_openenv": ("openenv==0.10.0", pytest.mark.nightly(150)),
    "wordle_verifiers": ("verifiers==0.4.0 uv", pytest.mark.nightly(150)),
}
#: A trial instead of a demonstration: it prints nothing, and ends well if all is as it should be.
TRIAL = Path(__file__).with_name("learners") / "try_wordle_openenv.py"
SHOWN = dict(
    re.findall(r"\} learners/(\w+)\.py\n```\n[^#]*?^```text\n(.*?)^```", PAGE, re.M | re.S)
)


def test_the_page_shows_what_every_recipe_prints() -> None:
    shown = SHOWN.keys() | {"wordle_openenv"}
    assert shown == PACKAGES.keys() == {path.stem for path in LEARNERS.glob("*.py")}


@pytest.mark.parametrize("recipe", [pytest.param(it, marks=PACKAGES[it][1]) for it in PACKAGES])
def test_it_prints_what_the_page_shows(recipe: str) -> None:
    with tempfile.TemporaryDirectory() as folder:  # some have half a gigabyte
        venv.create(folder, with_pip=True)
        (site,) = Path(folder).glob("lib/python*/site-packages")
        (site / "tests.pth").write_text(sysconfig.get_path("purelib"))  # behind its own packages
        python, packages = Path(folder, "bin", "python"), PACKAGES[recipe][0].split()
        pip = [python, "-m", "pip", "install", "-q", "--disable-pip-version-check"]
        done = ran([*pip, *packages], timeout=1800)
        if done.returncode:
            pytest.skip(f"{packages} cannot be installed: {done.stderr[-200:]}")
        path = os.pathsep.join([str(python.parent), os.environ["PATH"]])  # it has uv
        program = f"{recipe}.py" if recipe in SHOWN else TRIAL
        found = os.pathsep.join(map(str, (ROOT, LEARNERS)))
        done = ran([python, program], LEARNERS, timeout=600, PATH=path, PYTHONPATH=found)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == SHOWN.get(recipe, "").strip()


def test_a_model_hears_what_the_library_says() -> None:
    game = load_game(["abide", "crane", "raise", "slate", "stare"])
    grade, suggest, regret, review = questions(game, hard=True)
    assert grade("crane", "slate") == {"score": "bbgbg"}
    advice = suggest("abide ybbbg", top=1)
    assert advice["secrets"] == ("crane", "slate", "stare") and advice["guesses"][0]["total"] == 5
    assert regret("abide") == vars(Judge(game, hard=True).regret("", "abide"))
    assert not regret("abide", "slate bbgbg")["legal"]
    assert review("abide crane", "crane")["guesses"][0]["skill"] == 60
