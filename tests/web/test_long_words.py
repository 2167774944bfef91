"""Words whose guesses have more than 255 scores, in JavaScript: answers of the commands."""

from __future__ import annotations

import random
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from solver.game.load import load_game
from tests.support.node import Engine
from tests.web.test_advice import MOST_BYTES, Question, clues, compare, flags
from tests.web.test_optimal import compare as compare_best
from tests.web.test_review import played, scored
from tests.web.test_solve import made_words


class World:
    """A list of words, some of them secrets, in files for the command."""

    def __init__(self, folder: Path, words: list[str], secrets: list[str]) -> None:
        names = [f"{name}{len(words)}" for name in ("all", "some")]
        self.paths = [folder / f"{name}.txt" for name in names]
        for path, some in zip(self.paths, (words, secrets), strict=True):
            path.write_text("\n".join(some))
        self.which = {
            "guesses": words,
            "secrets": secrets,
            "name": names[0],
            "secretsName": names[1],
        }
        self.list = ["--list", str(self.paths[0]), "--secrets", str(self.paths[1])]
        self.game = load_game(words, secrets)

    def ask(
        self, call: str, question: list[Any], args: list[str], weights: str = ""
    ) -> tuple[Question, list[str]]:
        """A question to the engine, and to the command; the options stand last."""
        line = [call, *args, *self.list]
        if weights:
            path = self.paths[0].with_name(f"{random.random()}-weights.txt")
            path.write_text(weights)
            question[-1] = question[-1] | {"weights": weights}
            line += ["--weights", str(path)]
        return (self.which, call, question), line

    def suggest(
        self, dice: random.Random, number: int, options: dict[str, Any], weights: str = ""
    ) -> tuple[Question, list[str]]:
        text = clues(self.game, dice, number, bool(options.get("hard")))
        return self.ask("suggest", [text, options], [*text.split(), *flags(options)], weights)

    def review(
        self, dice: random.Random, number: int, hard: bool, weights: str = ""
    ) -> tuple[Question, list[str]]:
        secret = dice.choice(self.game.secrets)
        given = scored(self.game, played(self.game, dice, secret, number, hard), secret)
        options: dict[str, Any] = {"timeLimit": 600} | ({"hard": True} if hard else {})
        args = [*given, "--time-limit", "600", *(["--hard"] if hard else [])]
        return self.ask("review", [" ".join(given), None, options], args, weights)


def world(folder: Path, length: int, count: int, letters: str, secrets: int) -> World:
    """A world of random words, in which some guess has more than 255 scores."""
    words = made_words(length, count, letters)
    found = World(folder, words, sorted(random.Random(count).sample(words, secrets)))
    rows = found.game.score_rows(np.arange(0, count, 7, dtype=np.int32))
    assert max(len(set(row.tolist())) for row in rows) > 255
    return found


#: Length, words, letters, secrets: some guess has more than 255 scores.
EXACT = ((6, 620, "abcdefg", 500), (7, 480, "abcdefgh", 400))
BEAMED = ((6, 900, "abcdefgh", 800), (7, 700, "aeilnorst", 700))


def weights_of(dice: random.Random, words: tuple[str, ...]) -> str:
    return "\n".join(f"{word} {dice.randint(1, 9)}" for word in words)


@pytest.mark.parametrize("hard", [False, True])
@pytest.mark.parametrize("kind", EXACT)
def test_reviews_are_exact(
    engine: Engine, tmp_path: Path, kind: tuple[int, int, str, int], hard: bool
) -> None:
    made, dice = world(tmp_path, *kind), random.Random(3)
    pairs = [made.review(dice, 1 + number, hard) for number in range(2)]
    compare(engine, pairs)
    assert engine.ask("review", *pairs[0][0][2], game=made.which)["guesses"][0]["exact"]


@pytest.mark.parametrize("hard", [False, True])
@pytest.mark.parametrize("kind", BEAMED)
def test_reviews_of_many_secrets_follow_a_beam(
    engine: Engine, tmp_path: Path, kind: tuple[int, int, str, int], hard: bool
) -> None:
    compare(engine, [world(tmp_path, *kind).review(random.Random(4), 2, hard)])


@pytest.mark.parametrize("kind", [EXACT[1], BEAMED[0]])
def test_reviews_by_weight(engine: Engine, tmp_path: Path, kind: tuple[int, int, str, int]) -> None:
    made, dice = world(tmp_path, *kind), random.Random(5)
    weights = weights_of(dice, made.game.secrets)
    compare(engine, [made.review(dice, 2, hard, weights) for hard in (False, True)])


def test_proposals(engine: Engine, tmp_path: Path) -> None:
    pairs, dice = [], random.Random(6)
    for kind in (*EXACT, *BEAMED):
        made = world(tmp_path, *kind)
        weights = weights_of(dice, made.game.secrets)
        pairs += [made.suggest(dice, number, {}) for number in (0, 1, 1, 2)]
        pairs += [made.suggest(dice, 1, {"hard": True, "within": 3})]
        pairs += [made.suggest(dice, 1, {}, weights)]
        word = made.game.guesses[7]
        pairs += [made.ask("openers", [{"top": 4, "bottom": 1}], ["--top", "4", "--bottom", "1"])]
        pairs += [made.ask("buckets", [word, {}], [word])]
    compare(engine, pairs)


@pytest.mark.parametrize("weighed", [False, True])
@pytest.mark.parametrize("hard", [False, True])
def test_a_guess_that_tells_256_secrets_apart(
    engine: Engine, tmp_path: Path, hard: bool, weighed: bool
) -> None:
    """As many as ``suggest`` searches exactly, and one score more than a byte numbers."""
    secrets = sorted(
        "".join(word) for word in product("az", "bz", "cz", "dz", "ez", "fz", "gz", "hz")
    )
    made = World(tmp_path, sorted([*secrets, *made_words(8, 60, "abczxw")]), secrets)
    weights = weights_of(random.Random(1), made.game.secrets) if weighed else ""
    options = {"hard": True} if hard else {}
    compare(engine, [made.ask("suggest", ["", options], list(flags(options)), weights)])


@pytest.mark.parametrize("hard", [False, True])
@pytest.mark.parametrize("kind", [*EXACT, (6, 840, "abcdefgh", 740)])
def test_best_strategies(engine: Engine, kind: tuple[int, int, str, int], hard: bool) -> None:
    """After a first word, and after any; a strategy below that has bytes again."""
    length, count, letters, some = kind
    words = made_words(length, count, letters)
    secrets = sorted(random.Random(count).sample(words, some))
    found = [
        compare_best(engine, words, start, hard, secrets=secrets) for start in (words[0], "auto")
    ]
    assert True in found
    assert engine.ask("memory") < MOST_BYTES


def test_several_first_guesses(engine: Engine) -> None:
    words = made_words(7, 500, "abcdefgh")
    assert compare_best(engine, words, ",".join(words[:2]))
    assert compare_best(engine, words, words[3], guess_from="secrets", secrets=words[:450])
