"""The engine in a real browser, asked as the page asks it: the figures of the commands, exactly."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

from solver.game.load import load_game
from solver.game.wordle import WordleGame
from tests.support.browsers import Browser
from tests.support.table import show
from tests.web.test_advice import Question, as_numbers, positions, told
from tests.web.test_review import played, reviews, scored

pytestmark = pytest.mark.slow(40)

#: Asks some questions, whose answers are waited for later.
_ASK = """
const questions = JSON.parse(arguments[0]);
globalThis.answers = import("./made/page.js").then(async ({ askGame }) => {
  const found = [];
  for (const [game, method, args] of questions) {
    try {
      found.push({ answer: await askGame(game, method, args) });
    } catch (error) {
      found.push({ error: error.message });
    }
  }
  return JSON.stringify(found);
});
"""
_WAIT = "const done = arguments[0]; globalThis.answers.then(done)"
#: Questions that are asked together: the browser answers them while the command does.
_TOGETHER = 25


def compare(browser: Browser, address: str, pairs: list[tuple[Question, list[str]]]) -> None:
    """Compare text with text, so that the order of keys counts."""
    show(browser, address)
    browser.driver.set_script_timeout(600)
    for at in range(0, len(pairs), _TOGETHER):
        some = pairs[at : at + _TOGETHER]
        browser.run(_ASK, json.dumps([question for question, _ in some]))
        known = [told(args) for _, args in some]
        found = json.loads(browser.driver.execute_async_script(_WAIT))
        for ours, theirs, (_, args) in zip(found, known, some, strict=True):
            theirs.pop("code", None)
            assert json.dumps(as_numbers(ours)) == json.dumps(as_numbers(theirs)), args


def few_words(folder: Path, dice: random.Random, number: int) -> tuple[dict[str, Any], list[str]]:
    """Some of the words of a list, as a game of the page, and as the options of a command."""
    game = load_game(dice.choice(("original", "nyt-2026")))
    guesses = sorted(dice.sample(game.guesses, dice.choice((500, 2000, 4000))))
    secrets = sorted(dice.sample(guesses, dice.choice((60, 250, 500))))
    paths = folder / f"guesses{number}.txt", folder / f"secrets{number}.txt"
    for path, words in zip(paths, (guesses, secrets), strict=True):
        path.write_text("\n".join(words))
    names = {"name": paths[0].stem, "secretsName": paths[1].stem, "id": number}
    options = ["--list", str(paths[0]), "--secrets", str(paths[1])]
    return {"guesses": guesses, "secrets": secrets, **names}, options


def reviews_of_few(folder: Path, count: int, seed: int) -> list[tuple[Question, list[str]]]:
    """Games over some words of a list: all of their states are searched to the end."""
    dice = random.Random(seed)
    found = []
    for number in range(count):
        options, line = few_words(folder, dice, number)
        game = load_game(line[1], secrets=line[3])
        assert isinstance(game, WordleGame)
        hard, secret = dice.random() < 0.5, dice.choice(game.secrets)
        words = played(game, dice, secret, dice.choice((2, 3, 4, 6)), hard)
        text = " ".join(scored(game, words, secret))
        how: dict[str, Any] = {"timeLimit": 600} | ({"hard": True} if hard else {})
        args = ["review", *text.split(), *line, "--time-limit", "600"]
        found.append(((options, "review", [text, None, how]), args + ["--hard"] * hard))
    return found


@pytest.mark.parametrize("count", [40, pytest.param(500, marks=pytest.mark.long)])
def test_positions(browser: Browser, address: str, count: int) -> None:
    """Most of them after clues, where candidates are searched."""
    compare(browser, address, positions(count, 2, (1, 1, 2, 2, 2, 3, 3, 4) * 5 + (0,)))


@pytest.mark.parametrize(("whole", "few"), [(1, 6), pytest.param(15, 35, marks=pytest.mark.long)])
def test_reviews(browser: Browser, address: str, tmp_path: Path, whole: int, few: int) -> None:
    """Over whole lists, and over some of their words, where no figure is an upper limit."""
    compare(browser, address, reviews(whole, 2) + reviews_of_few(tmp_path, few, 5))
