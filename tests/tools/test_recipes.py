"""The programs of docs/recipes print what their page shows; JavaScript reads a strategy."""

import ast
import json
import re
import runpy
import sys
from pathlib import Path

import pytest

from strategy import Settings, Strategy, exports, load_game, solve
from tests.support import ROOT
from tests.support.commands import ran
from tests.support.node import require_node

RECIPES = ROOT / "docs" / "recipes"
READER = RECIPES / "lookup.mjs"
PAGE = (RECIPES / "index.md").read_text(encoding="utf-8")
SHOWN = re.findall(
    r"^```\{literalinclude\} (\w+\.py)\n```\n.*?^```text\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL
)
WORDS = "abide crane grant giant plant raise slant slate stare".split()


def test_every_recipe_is_on_the_page() -> None:
    recipes = sorted(str(path.relative_to(RECIPES)) for path in RECIPES.rglob("*.py"))
    assert sorted(re.findall(r"literalinclude\} (\S+\.py)\n", PAGE)) == recipes
    assert len(SHOWN) == len([*RECIPES.glob("*.py")])


@pytest.mark.parametrize(("name", "printed"), SHOWN, ids=[name for name, _ in SHOWN])
def test_it_prints_what_the_page_shows(
    name: str,
    printed: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    few = ["5"] if name == "sweep_openers.py" else []
    monkeypatch.setattr(sys, "argv", [name, *few])
    runpy.run_path(str(RECIPES / name), run_name="__main__")
    assert capsys.readouterr().out.strip() == printed.strip()


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


def test_the_json_is_as_the_page_says(built: Strategy) -> None:
    tree = json.loads(exports.to_json(built))["tree"]
    for secret, history in built.games():
        node = tree
        for word, score in history:
            assert node["guess"] == word
            node = node["then"][load_game(WORDS).format_score(score)]
        assert node["guess"] == secret


def test_javascript_plays_the_same_games(built: Strategy, tmp_path: Path) -> None:
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
    game = load_game(WORDS)
    assert unmet is None
    for secret, history in built.games():
        texts = [[word, game.format_score(score)] for word, score in history]
        assert games[secret] == [*texts, [secret, "ggggg"]]


def test_javascript_answers_on_a_command_line(built: Strategy, tmp_path: Path) -> None:
    (tmp_path / "s.json").write_text(exports.to_json(built))
    secret, history = next((s, h) for s, h in built.games() if h)
    state = ".".join(f"{word}.{load_game(WORDS).format_score(score)}" for word, score in history)
    for typed, answer in ((state, secret), ("crane.qqqqq", "this strategy never meets that state")):
        done = ran([require_node(), READER, "s.json", typed], tmp_path)
        assert (done.returncode, done.stdout.strip()) == (0, answer)
