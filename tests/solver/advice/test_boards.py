"""Several boards at once: sums of measures, and exact figures, beside the slow truth."""

import contextlib
import random
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solver.advice import joint_worlds
from solver.advice.boards import JointStates, OpenBoard, rank_over_boards
from solver.choices import MEASURES
from solver.errors import CouldNotFinishError
from solver.game.load import load_game
from solver.splits.ranking import rank_guesses
from tests.support import refused
from tests.support.naive_boards import SlowStates, slow_ranking
from tests.support.naive_play import guesses_to_end

WORDS = sorted("aab abc acb bac bca cab cba abb cca bcc dab bad".split())
GAME = load_game(WORDS)
POOL = np.arange(len(WORDS), dtype=np.int32)
SOME = st.sets(st.integers(0, len(WORDS) - 1), min_size=1, max_size=4).map(sorted)


#: For each place of a board the weight of the secret that stands there, or none.
WEIGHTS = st.none() | st.lists(st.integers(1, 9), min_size=4, max_size=4)
Places, Weights = list[list[int]], list[int] | None


def _boards(places: Places, weights: Weights = None) -> list[OpenBoard]:
    likely = None if weights is None else np.array(weights, np.float64)
    return [
        OpenBoard(np.array(some, np.int32), None if likely is None else likely[: len(some)])
        for some in places
    ]


@pytest.mark.parametrize("weights", [None, np.array([3.0, 1, 1, 2, 2])])
@pytest.mark.parametrize("by", MEASURES)
def test_on_one_board_the_best_are_those_of_the_measure(by: str, weights: Any) -> None:
    candidates, likely = np.array([0, 2, 3, 5, 7], dtype=np.int32), None
    if weights is not None:
        likely = np.ones(len(WORDS))
        likely[candidates] = weights
    rows = rank_guesses(GAME, by, candidates=candidates, weights=likely).rows
    ranking = rank_over_boards(GAME, [OpenBoard(candidates, weights)], POOL, POOL, by)
    best = set(rows["guess"][rows["rank"] == 1].tolist())
    assert set(ranking.guesses[ranking.costs == ranking.costs[0]].tolist()) == best


@settings(max_examples=25)
@given(st.lists(SOME, min_size=1, max_size=3), WEIGHTS)
def test_least_guesses_beside_the_slow_truth(places: Places, weights: Weights) -> None:
    words = [[WORDS[at] for at in some] for some in places]
    shares = [(weights or [1] * 4)[: len(some)] for some in places]
    chances = [
        {word: Fraction(each, sum(own)) for word, each in zip(some, own, strict=True)}
        for some, own in zip(words, shares, strict=True)
    ]
    worlds = JointStates.of(GAME, _boards(places, weights), POOL)
    assert worlds is not None
    least, best = worlds.best()
    assert least == pytest.approx(float(guesses_to_end(words, WORDS, None, chances)))
    assert worlds.mean(best[0]) == pytest.approx(least)
    for place in (best[-1], 0, 7):
        slow = float(guesses_to_end(words, WORDS, WORDS[place], chances))
        assert worlds.mean(place) == pytest.approx(slow)
    certain = {some[0] for some in words if len(some) == 1}
    if certain:
        assert {WORDS[place] for place in best} >= certain


def test_too_much_is_given_up() -> None:
    everything = [list(range(len(WORDS)))] * 3
    assert JointStates.of(GAME, _boards(everything), POOL) is None
    worlds = JointStates.of(GAME, _boards(everything[:2]), POOL)
    assert worlds is not None
    worlds._search.memory.counts[0] = 100
    refused(CouldNotFinishError, "", worlds.best)


def _answers(states: JointStates | SlowStates, places: list[int]) -> list[object]:
    """What a search says to the last digit, as long as it does not take too long."""
    found: list[object] = []
    with contextlib.suppress(CouldNotFinishError):
        found.append(states.best())
        found += [states.mean(place) for place in places]
    return found


@settings(max_examples=20, deadline=None)
@given(
    st.lists(SOME, min_size=1, max_size=4),
    st.lists(st.integers(0, len(WORDS) - 1), min_size=1, max_size=3),
    WEIGHTS,
)
def test_the_search_of_plain_steps(places: Places, wanted: list[int], weights: Weights) -> None:
    boards = _boards(places, weights)
    fast = JointStates.of(GAME, boards, POOL)
    assert fast is not None
    assert _answers(fast, wanted) == _answers(SlowStates(GAME, boards, POOL), wanted)


@settings(max_examples=30, deadline=None)
@given(st.lists(SOME, min_size=1, max_size=4), st.sampled_from(MEASURES), SOME)
def test_the_ranking_is_that_of_plain_steps(places: Places, by: str, common: list[int]) -> None:
    known = np.array(common, dtype=np.int32)
    fast = rank_over_boards(GAME, _boards(places), POOL, known, by)
    slow = slow_ranking(GAME, _boards(places), POOL, known, by)
    mine = fast.guesses, fast.costs, fast.entropy, fast.hits
    assert [it.tolist() for it in mine] == [it.tolist() for it in slow]
    less = np.searchsorted(np.sort(fast.costs), fast.costs)
    assert fast.ranks.tolist() == (less + 1).tolist()


@pytest.mark.parametrize("n_clues", [2, 3, 4])
def test_words_and_codes_are_searched_as_by_plain_steps(n_clues: int) -> None:
    dice = random.Random(n_clues)
    for game in (load_game("nyt-2023", secrets="answers"), load_game(spec="mastermind:4x6")):
        pool, some = np.arange(len(game.guesses), dtype=np.int32), []
        for _ in range(3):
            guesses = np.array(dice.choices(range(len(pool)), k=n_clues), dtype=np.int32)
            rows = game.score_rows(guesses)
            secrets = [dice.randrange(len(game.secrets)) for _ in range(dice.choice([2, 3, 4]))]
            fits = [np.flatnonzero((rows[:, it] == rows.T).all(axis=1)) for it in secrets]
            some.append([OpenBoard(fit.astype(np.int32)) for fit in fits])
        for boards in some:
            if (fast := JointStates.of(game, boards, pool)) is not None:
                wanted = dice.choices(range(len(pool)), k=4)
                assert _answers(fast, wanted) == _answers(SlowStates(game, boards, pool), wanted)


@pytest.mark.plain
def test_sums_are_in_the_order_of_numpy() -> None:
    dice = np.random.default_rng(1)
    for count in (*range(1, 30), 127, 128, 129, 255, 256, 263, 999, 1000):
        row = dice.random(count)
        boards = joint_worlds.JointBoards(
            np.array([0, count], np.int32), np.arange(count, dtype=np.int32), row
        )
        places, secrets = np.empty((2, count, 1), dtype=np.int32)
        worlds = joint_worlds.Worlds(places, secrets, np.empty(count))
        joint_worlds.list_worlds(boards, worlds, np.empty(16))
        assert worlds.chances.tolist() == (row / row.sum()).tolist()
