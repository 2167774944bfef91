"""The programs of docs/recipes print what their page shows; JavaScript reads a strategy."""

import ast
import json
import os
import re
import runpy
import sys
import sysconfig
import tempfile
import venv
from pathlib import Path

import pytest

from strategy import Settings, Strategy, exports, load_game, solve
from tests.support import ROOT
from tests.support.commands import ran
from tests.support.node import require_node

RECIPES = ROOT / "docs" / "recipes"
READER = RECIPES / "lookup.mjs"
PAGE = (RECIPES / "index.md").read_text(encoding="utf-8")
SHOWN = dict(
    re.findall(
        r"^```\{literalinclude\} (\S+\.py)\n```\n[^#]*?^```text\n(.*?)^```", PAGE, re.M | re.S
    )
)
#: For those who learn: recipe → the packages that it takes, and for how many seconds it fetches
#: them.
PACKAGES = {
    "learners/ask_mcp.py": ("mcp==2.3.0", pytest.mark.long(20)),
    "learners/wordle_states.py": ("reasoning-gym==0.1.25", pytest.mark.nightly(150)),
    "learners/wordle_openenv.py": ("openenv==0.10.0", pytest.mark.nightly(150)),
    "learners/wordle_verifiers.py": ("verifiers==0.4.0 uv", pytest.mark.nightly(150)),
}
#: A trial instead of a demonstration: it prints nothing, and ends well if all is as it should be.
TRIALS = {"learners/wordle_openenv.py": Path(__file__).with_name("try_wordle_openenv.py")}
WORDS = "abide crane grant giant plant raise slant slate stare".split()


def test_every_recipe_is_on_the_page() -> None:
    recipes = sorted(str(path.relative_to(RECIPES)) for path in RECIPES.rglob("*.py"))
    assert sorted(re.findall(r"literalinclude\} (\S+\.py)\n", PAGE)) == recipes
    assert sorted([*SHOWN, *TRIALS]) == recipes
    assert sorted(PACKAGES) == [it for it in recipes if "/" in it]


@pytest.mark.parametrize("name", [name for name in SHOWN if name not in PACKAGES])
def test_it_prints_what_the_page_shows(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    few = ["5"] if name == "sweep_openers.py" else []
    monkeypatch.setattr(sys, "argv", [name, *few])
    runpy.run_path(str(RECIPES / name), run_name="__main__")
    assert capsys.readouterr().out.strip() == SHOWN[name].strip()


@pytest.mark.parametrize("name", [pytest.param(it, marks=PACKAGES[it][1]) for it in PACKAGES])
def test_with_the_real_package_it_prints_what_the_page_shows(name: str) -> None:
    with tempfile.TemporaryDirectory() as folder:  # some have half a gigabyte
        venv.create(folder, with_pip=True)
        (site,) = Path(folder).glob("lib/python*/site-packages")
        (site / "tests.pth").write_text(sysconfig.get_path("purelib"))  # behind its own packages
        python, packages = Path(folder, "bin", "python"), PACKAGES[name][0].split()
        pip = [python, "-m", "pip", "install", "-q", "--disable-pip-version-check"]
        done = ran([*pip, *packages], timeout=1800)
        if done.returncode:
            pytest.skip(f"{packages} cannot be installed: {done.stderr[-200:]}")
        path = os.pathsep.join([str(python.parent), os.environ["PATH"]])  # it has uv
        recipe = RECIPES / name
        found = os.pathsep.join(map(str, (ROOT, recipe.parent)))
        program = [python, TRIALS.get(name, recipe)]
        done = ran(program, recipe.parent, timeout=600, PATH=path, PYTHONPATH=found)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == SHOWN.get(name, "").strip()


def test_the_notebook_of_the_lesson_runs() -> None:
    """Each cell ends with what the notebook draws, or with plain values."""
    notebook = json.loads((RECIPES / "lesson.ipynb").read_text(encoding="utf-8"))
    cells = notebook["cells"]
    assert (notebook["nbformat"], notebook["nbformat_minor"]) == (4, 4), "later cells have ids"
    names: dict[str, object] = {}
    shown = []
    for cell in cells:
        if cell["cell_type"] == "code":
            *before, last = ast.parse("".join(cell["source"])).body
            exec(ast.unparse(ast.Module(before, [])), names)
            shown.append(eval(ast.unparse(last), names))
    drawn = [it for it in shown if hasattr(it, "_repr_html_")]
    assert ["<svg" in it._repr_html_() for it in drawn] == [True, False, False, True, False]
    assert [it for it in shown if it not in drawn] == [(2315, 12972), (6, 8036)]
    assert [type(it).__name__ for it in drawn] == [
        "WordSplit", "Rows", "Suggestions", "Solved", "Review"
    ]  # fmt: skip
    text = "".join(line for cell in cells for line in cell["source"])
    assert "90 secrets fit" in repr(drawn[2]) and "90 words fit" in text


@pytest.fixture
def built() -> Strategy:
    return solve(load_game(WORDS), Settings(rule="entropy")).strategy


def test_javascript_plays_the_same_games(built: Strategy, tmp_path: Path) -> None:
    """The JSON is as the page says."""
    (tmp_path / "s.json").write_text(exports.to_json(built))
    script = f"""
        import {{ play, grade, nextGuess }} from {json.dumps(READER.as_uri())}
        import {{ readFileSync }} from 'node:fs'
        const strategy = JSON.parse(readFileSync('s.json', 'utf8'))
        const games = {json.dumps(WORDS)}.map(word => [word, play(strategy, word, grade)])
        const unmet = nextGuess(strategy, [['qqqqq', 'bbbbb']])
        console.log(JSON.stringify([Object.fromEntries(games), unmet]))
    """
    command = [require_node(), "--input-type=module", "--eval", script]
    games, unmet = json.loads(ran(command, tmp_path).stdout)
    game, tree = load_game(WORDS), json.loads(exports.to_json(built))["tree"]
    assert unmet is None
    for secret, history in built.games():
        texts, node = [[word, game.format_score(score)] for word, score in history], tree
        assert games[secret] == [*texts, [secret, "ggggg"]]
        for word, score in texts:
            assert node["guess"] == word
            node = node["then"][score]
        assert node["guess"] == secret


def test_javascript_answers_on_a_command_line(built: Strategy, tmp_path: Path) -> None:
    (tmp_path / "s.json").write_text(exports.to_json(built))
    secret, history = next((s, h) for s, h in built.games() if h)
    state = load_game(WORDS).format_state(history)
    for typed, answer in ((state, secret), ("crane.qqqqq", "this strategy never meets that state")):
        done = ran([require_node(), READER, "s.json", typed], tmp_path)
        assert (done.returncode, done.stdout.strip()) == (0, answer)
