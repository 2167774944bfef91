"""Weights in JavaScript: the same JSON as the commands with ``--weights``, to the last digit."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from solver.words.lists import named_list
from tests.support.asked import (
    MOST_BYTES,
    Pair,
    Question,
    World,
    answer,
    clues,
    compare,
    made_words,
    scored_game,
    solved_alike,
    told,
)
from tests.support.node import Engine

#: What a line of a file of weights may say.
NUMBERS: tuple[Callable[[random.Random], str], ...] = (
    lambda dice: str(dice.randint(1, 100)),
    lambda dice: str(dice.randint(1, 100)),
    lambda dice: repr(dice.random()),
    lambda dice: f"{dice.random():.3g}",
    lambda dice: f"{dice.randint(1, 9)}e-{dice.randint(1, 9)}",
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("weights")


def weights(dice: random.Random, words: tuple[str, ...]) -> str:
    """A file of weights: whole numbers, or any; of all words or of most."""
    kinds = dice.choice([NUMBERS[:2], NUMBERS[2:]])
    share = dice.choice([1.0, 0.7])
    some = [word for word in words if dice.random() < share]
    return "\n".join(f"{word} {dice.choice(kinds)(dice)}" for word in some)


def weighed(folder: Path, dice: random.Random, world: World, pair: Pair) -> Pair:
    """The same question with drawn weights."""
    return world.weighed(folder, weights(dice, world.game.secrets), pair)


def positions(folder: Path, count: int, seed: int) -> list[Pair]:
    dice = random.Random(seed)
    found = []
    for _ in range(count):
        name, hard = dice.choice(["original", "nyt-2023"]), dice.random() < 0.25
        by = dice.choice([None, None, "expected-size", "proportion", "minimax"])
        options: dict[str, Any] = ({"hard": True} if hard else {}) | ({"by": by} if by else {})
        world = World.shipped(name)
        text = clues(world.game, dice, dice.choice((0, 1, 1, 2, 2, 3)), hard)
        found.append(weighed(folder, dice, world, world.suggest(text, **options)))
    return found


def reviews(folder: Path, count: int, seed: int) -> list[Pair]:
    dice = random.Random(seed)
    found = []
    for _ in range(count):
        world, hard = World.shipped(dice.choice(["original", "nyt-2023"])), dice.random() < 0.3
        secret, most = dice.choice(world.game.secrets), dice.choice((1, 2, 3))
        given = scored_game(world.game, dice, most, hard, secret)
        found.append(weighed(folder, dice, world, world.review(given, hard)))
    return found


@pytest.mark.parametrize("count", [8, pytest.param(60, marks=pytest.mark.long(10))])
def test_suggest(engine: Engine, folder: Path, count: int) -> None:
    compare(engine, positions(folder, count, count))


@pytest.mark.slow
@pytest.mark.parametrize("count", [3, pytest.param(20, marks=pytest.mark.nightly(30))])
def test_review(engine: Engine, folder: Path, count: int) -> None:
    compare(engine, reviews(folder, count, count))


@pytest.mark.slow
def test_openers_and_buckets(engine: Engine, folder: Path) -> None:
    dice, today, classic = random.Random(5), World.shipped("nyt-2023"), World.shipped("original")
    pairs = [
        weighed(folder, dice, today, today.openers(by=by, bottom=2))
        for by in ("entropy", "proportion", "parts")
    ]
    pairs += [weighed(folder, dice, classic, classic.buckets(word)) for word in ("crane", "fuzzy")]
    compare(engine, pairs)


def test_a_share_grid(engine: Engine, folder: Path) -> None:
    grid, world = "⬛🟨⬛⬛⬛\n🟩🟩🟩🟩🟩", World.shipped("nyt-2023")
    asked = world.ask("review", [grid, None], [grid])
    compare(engine, [weighed(folder, random.Random(6), world, asked)])


@pytest.mark.parametrize(
    "text",
    ["crane", "crane x", "crane 1 2", "crane -1", "crane 1\ncrane 2", "cranx 1", "aahed 1", ""],
)
def test_what_is_wrong_is_said_alike(engine: Engine, folder: Path, text: str) -> None:
    path = folder / "weights"
    path.write_text(text)
    question: Question = ({"list": "nyt-2023"}, "openers", [{"weights": text}])
    said = told(["openers", "--list", "nyt-2023", "--weights", str(path)])
    ours = answer(engine, question)
    assert ours["code"] == said["code"] == 2
    expected = said["error"].replace(f"{path}: ", "the weights: ").replace(str(path), "weights")
    assert ours["error"] == expected


# ---- Whole strategies

#: Compare with the bytes of ``solve-all --weights``.
by_weight = partial(solved_alike, rule="optimal")


def random_world(seed: int) -> tuple[list[str], dict[str, float]]:
    """A few words, alike or not, some of which have weights."""
    dice = random.Random(seed)
    words = made_words(dice.choice((2, 4, 5, 5, 6)), dice.choice((4, 9, 20, 45)), "abcdef")
    low, high = dice.choice(((1, 1), (1, 3), (1, 100), (1, 100_000)))
    some = [word for word in words if dice.random() < 0.8] or words[:1]
    return words, {word: dice.randint(low, high) / dice.choice((1, 4)) for word in some}


@pytest.mark.parametrize("hard", [False, True])
def test_the_best_strategy_of_small_worlds(engine: Engine, hard: bool) -> None:
    outcomes = set()
    for seed in range(24):
        words, given = random_world(100 * hard + seed)
        pool, within = ("allowed", "secrets")[seed % 2], (6, 12, 2, 3)[seed % 4]
        starts = ["auto", min(given), ",".join(sorted(given)[:2])]
        start = starts[seed % 3] if pool == "secrets" or seed % 8 else words[0]
        if hard and "," in start:
            start = "auto"
        outcomes.add(by_weight(engine, words, start, hard, pool, weights=given, within=within))
    assert outcomes == {True, False}


def test_the_best_strategy_of_some_answers(engine: Engine) -> None:
    """Buckets that get tables of their own, and weights from one to a hundred."""
    dice = random.Random(8)
    answers = named_list("original", "answers").words
    given: dict[str, float] = {word: dice.randint(1, 100) for word in answers[::6]}
    words = sorted({*answers[::2], *answers[::6]})
    assert by_weight(engine, words, answers[0], weights=given)
    assert by_weight(engine, words, "auto", guess_from="secrets", weights=given)


@pytest.mark.slow(120)
@pytest.mark.parametrize(("start", "hard"), [("salet", False), ("crane", True)])
def test_the_best_strategy_of_the_classic_list(engine: Engine, start: str, hard: bool) -> None:
    dice = random.Random(start)
    given = {word: dice.randint(1, 100) for word in named_list("original", "answers").words}
    assert by_weight(engine, "original", start, hard, weights=given)
    assert engine.ask("memory") < MOST_BYTES


def test_words_with_numbers_are_weights_too(engine: Engine) -> None:
    game, given = {"list": "nyt-2023"}, {"crane": 3, "slate": 1}
    text = "# these two\ncrane 3\n\nSLATE, 1"
    found = engine.ask("openers", {"weights": given}, game=game)
    assert found == engine.ask("openers", {"weights": text}, game=game)
    assert found["weights"] == {"count": 2, "n_left_out": 3156, "n_no_secrets": 0}
