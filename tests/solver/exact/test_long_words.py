"""Words of six to eight letters: guesses with more scores than a byte numbers.

Small worlds are searched as if a byte were enough for fewer scores than it is; larger ones have
more than 255. Both are compared with brute force.
"""

import random
from itertools import product

import numpy as np
import pytest

from solver.choices import OBJECTIVES
from solver.exact import table_layout
from solver.exact.best_strategy import best_strategy
from solver.exact.engine import Engine
from solver.exact.kernels import score_table
from solver.exact.kernels.lemmas import LOSS, NEVER, UNLIMITED
from solver.exact.kernels.score_table import revealed_by, score_type
from solver.exact.kernels.table_columns import narrowed
from solver.exact.limit_search import LimitSearch
from solver.exact.problem import Problem, SearchContext
from solver.exact.table_layout import possibility_table, score_table_of
from solver.exact.values import NOTHING_REVEALED, state_of
from solver.game.wordle import WordleGame
from tests.support import naive
from tests.support.naive_exact import UNLIMITED as NO_LIMIT
from tests.support.naive_exact import values_of_guesses, weighted_values
from tests.support.trees import beamed
from tests.support.worlds import all_secrets, game_of, words_by_score

from .test_best_strategy import LIMITS, check_world
from .test_weighted_search import check_answer

COMBINATIONS = list(product(OBJECTIVES, (False, True), LIMITS))


@pytest.fixture(params=[0, 5])
def narrow(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> int:
    """As if a byte numbered so many scores: then states narrow again as they get smaller."""
    for module in (table_layout, score_table):
        monkeypatch.setattr(module, "MOST_NARROW", request.param)
    return int(request.param)


def long_world(dice: random.Random, least: int, most: int) -> WordleGame:
    """Words of six to eight letters, few different ones: many have the same score."""
    length, letters = dice.randint(6, 8), "abcd"[: dice.randint(2, 4)]
    count = dice.randint(least, most)
    words: set[str] = set()
    while len(words) < count:
        word = "".join(dice.choices(letters, k=length))
        words |= {word} if len(set(word)) > 1 else set()  # hard mode counts a letter up to seven
    guesses = sorted(words)
    return game_of(guesses, dice.sample(guesses, dice.randint(min(3, count), count)))


@pytest.mark.parametrize(("objective", "hard", "within"), COMBINATIONS)
def test_random_worlds(narrow: int, objective: str, hard: bool, within: int | None) -> None:
    dice = random.Random(f"long {objective} {hard} {within} {narrow}")
    for _ in range(3):
        check_world(long_world(dice, 8, 20), objective, hard, within)


@pytest.mark.parametrize("seed", range(6))
def test_beams(narrow: int, seed: int) -> None:
    """As wide as all guesses a beam is exact; narrower it is no better, and within the limit."""
    dice = random.Random(f"long beams {seed} {narrow}")
    game, hard = long_world(dice, 6, 14), seed % 3 == 0
    limit = None if hard else dice.choice([None, 3, 4])
    least = min(values_of_guesses(game.guesses, game.secrets, limit or 99, hard).values())
    for width in (1, len(game.guesses)):
        answer = beamed(Problem(game, hard, limit), width, (), "total")
        assert (answer.tree is None and answer.proved) == (least[0] > 0)
        if answer.tree is not None:
            total = answer.first_guesses[0].total
            assert total >= least[1] if width == 1 else total == least[1]


@pytest.mark.parametrize("seed", range(12))
def test_weights(narrow: int, seed: int) -> None:
    dice = random.Random(f"long weights {seed} {narrow}")
    game, hard, within = long_world(dice, 3, 12), seed % 2 == 0, dice.choice([2, 3, None])
    weights = tuple(dice.randint(1, 9) for _ in game.secrets)
    by_word = dict(zip(game.secrets, weights, strict=True))
    truth = weighted_values(game.guesses, by_word, within or NO_LIMIT, hard)
    problem = Problem(game, hard, within, weights=weights)
    check_answer(game, problem, best_strategy(problem), truth)


# --- more than 255 scores indeed


def wide_world(seed: int) -> WordleGame:
    """Words of which one has more than 255 scores; some others have the same score as these."""
    dice = random.Random(seed)
    words = dice.sample(sorted(set(words_by_score("abcdef")) - {"abcdef"}), 280)
    twins = [word.replace("z", "y") for word in dice.sample(words, 60)]
    return game_of(sorted({"abcdef", *words, *twins}))


@pytest.mark.parametrize("hard", [False, True])
def test_a_wide_table_is_narrow_where_it_can_be(hard: bool) -> None:
    """In every state of up to 255 candidates, and not before."""
    game = wide_world(1)
    table, everyone = score_table_of(game, hard), all_secrets(game)
    assert score_type(table) == np.uint16 and table.parts[0] > 255
    by_hand = [len(naive.split(game.guesses[guess], game.secrets)) for guess in table.guess[:99]]
    assert table.parts[:99].tolist() == by_hand
    for members in (everyone, everyone[:255], everyone[::2]):
        small = narrowed(table, members, NOTHING_REVEALED)
        most = max(len(set(line[members].tolist())) for line in table.scores)
        assert small.parts[0] == most
        assert score_type(small) == (np.uint8 if most <= 255 else np.uint16)


@pytest.mark.parametrize("hard", [False, True])
def test_a_wide_world_agrees_with_its_narrow_buckets(hard: bool) -> None:
    """A first guess costs what its buckets cost; these have tables of bytes of their own."""
    game = wide_world(2)
    context = SearchContext(Problem(game, hard, None))
    answer = best_strategy(Problem(game, hard, None))
    assert answer.proved
    best = {it.word: it.total for it in answer.first_guesses if it.exact}
    for column in sorted({*context.columns[:3], *context.columns[3::60]}):
        word, total = game.guesses[context.table.guess[column]], len(game.secrets)
        for bucket in naive.split(word, game.secrets).values():
            total += 0 if bucket == [word] else value_of_bucket(game, hard, word, bucket)
        assert context.value(column, NEVER).bound == total
        assert total == best.get(word, total) >= min(best.values())


def value_of_bucket(game: WordleGame, hard: bool, word: str, bucket: list[str]) -> int:
    if len(bucket) <= 2:
        return 2 * len(bucket) - 1
    secrets = np.array([game.secrets.index(it) for it in bucket], dtype=np.int32)
    table = score_table_of(game, hard, secrets)
    assert score_type(table) == np.uint8
    own = int(np.flatnonzero(table.guess == game.guess_id(word))[0])
    shown, everyone = revealed_by(table, [own], 0), np.arange(len(bucket), dtype=np.int32)
    value = Engine(table, 10).value_of_state(state_of(everyone, UNLIMITED, shown))
    assert value.exact
    return value.bound


def test_limits_of_a_wide_world() -> None:
    """By values, and by cores over both kinds of tables."""
    game = wide_world(3)
    everyone, table = all_secrets(game), score_table_of(game, False)
    order = table.guess[table.guess >= 0]
    met = []
    for left in (1, 2, 3, 4):
        value = Engine(table, 12).value_of_state(state_of(everyone, left), LOSS - 1)
        for of_limits in (table, possibility_table(game, everyone, order)):
            core = LimitSearch(of_limits).find_core(left, everyone)
            assert (core is None) == value.exact
        met.append(value.exact)
    assert met[:2] == [False, False] and met[-1]  # two have the same score, whatever is guessed
