"""Words whose guesses have more than 255 scores, in JavaScript: answers of the commands."""

from __future__ import annotations

import random
from itertools import product
from pathlib import Path

import numpy as np
import pytest

from tests.support.asked import MOST_BYTES, Pair, World, clues, compare, made_words, scored_game
from tests.support.node import Engine
from tests.web.test_optimal import compare as compare_best


def suggested(world: World, dice: random.Random, number: int, hard: bool = False) -> Pair:
    text = clues(world.game, dice, number, hard)
    return world.suggest(text, **({"hard": True, "within": 3} if hard else {}))


def reviewed(world: World, dice: random.Random, number: int, hard: bool) -> Pair:
    return world.review(scored_game(world.game, dice, number, hard), hard)


def world_of(folder: Path, length: int, count: int, letters: str, secrets: int) -> World:
    """A world of random words, in which some guess has more than 255 scores."""
    words = made_words(length, count, letters)
    found = World.of(folder, words, sorted(random.Random(count).sample(words, secrets)))
    rows = found.game.score_rows(np.arange(0, count, 7, dtype=np.int32))
    assert max(len(set(row.tolist())) for row in rows) > 255
    return found


#: Length, words, letters, secrets: some guess has more than 255 scores.
EXACT = ((6, 620, "abcdefg", 500), (7, 480, "abcdefgh", 400))
BEAMED = ((6, 900, "abcdefgh", 800), (7, 700, "aeilnorst", 700))


def weights_of(dice: random.Random, words: tuple[str, ...]) -> str:
    return "\n".join(f"{word} {dice.randint(1, 9)}" for word in words)


@pytest.mark.parametrize("hard", [False, True])
@pytest.mark.parametrize("kind", [*EXACT, *BEAMED])
def test_reviews(
    engine: Engine, tmp_path: Path, kind: tuple[int, int, str, int], hard: bool
) -> None:
    """Exact to the end; of many secrets along a beam."""
    world, dice = world_of(tmp_path, *kind), random.Random(3)
    pairs = [reviewed(world, dice, number, hard) for number in ((1, 2) if kind in EXACT else (2,))]
    compare(engine, pairs)
    found = engine.ask("review", *pairs[0][0][2], game=world.which)
    assert found["guesses"][0]["exact"] == (kind in EXACT)


@pytest.mark.parametrize("kind", [EXACT[1], BEAMED[0]])
def test_reviews_by_weight(engine: Engine, tmp_path: Path, kind: tuple[int, int, str, int]) -> None:
    world, dice = world_of(tmp_path, *kind), random.Random(5)
    weights = weights_of(dice, world.game.secrets)
    pairs = [reviewed(world, dice, 2, hard) for hard in (False, True)]
    compare(engine, [world.weighed(tmp_path, weights, pair) for pair in pairs])


def test_proposals(engine: Engine, tmp_path: Path) -> None:
    pairs, dice = [], random.Random(6)
    for kind in (*EXACT, *BEAMED):
        world = world_of(tmp_path, *kind)
        weights = weights_of(dice, world.game.secrets)
        pairs += [suggested(world, dice, number) for number in (0, 1, 1, 2)]
        pairs += [suggested(world, dice, 1, hard=True)]
        pairs += [world.weighed(tmp_path, weights, suggested(world, dice, 1))]
        pairs += [world.openers(top=4, bottom=1), world.buckets(world.game.guesses[7])]
    compare(engine, pairs)


@pytest.mark.parametrize("weighed", [False, True])
@pytest.mark.parametrize("hard", [False, True])
def test_a_guess_that_tells_256_secrets_apart(
    engine: Engine, tmp_path: Path, hard: bool, weighed: bool
) -> None:
    """As many as ``suggest`` searches exactly, and one score more than a byte numbers."""
    secrets = sorted("".join(it) for it in product("az", "bz", "cz", "dz", "ez", "fz", "gz", "hz"))
    words = sorted([*secrets, *made_words(8, 60, "abczxw")])
    world = World.of(tmp_path, words, secrets)
    pair = world.suggest("", **({"hard": True} if hard else {}))
    if weighed:
        pair = world.weighed(tmp_path, weights_of(random.Random(1), world.game.secrets), pair)
    compare(engine, [pair])


@pytest.mark.parametrize("hard", [False, True])
@pytest.mark.parametrize("kind", [*EXACT, (6, 840, "abcdefgh", 740)])
def test_best_strategies(engine: Engine, kind: tuple[int, int, str, int], hard: bool) -> None:
    """After a first word, and after any; a strategy below that has bytes again."""
    length, count, letters, some = kind
    words = made_words(length, count, letters)
    secrets = sorted(random.Random(count).sample(words, some))
    found = [compare_best(engine, words, it, hard, secrets=secrets) for it in (words[0], "auto")]
    assert True in found
    assert engine.ask("memory") < MOST_BYTES


def test_several_first_guesses(engine: Engine) -> None:
    words = made_words(7, 500, "abcdefgh")
    assert compare_best(engine, words, ",".join(words[:2]))
    assert compare_best(engine, words, words[3], guess_from="secrets", secrets=words[:450])
