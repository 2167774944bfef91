"""The second objective among strategies of equal value, against all strategies of small worlds."""

import random
from collections.abc import Sequence
from itertools import product
from typing import Any
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solver.exact import second_objective, set_engine
from solver.exact.problem import Problem
from solver.exact.second_objective import SecondObjective, with_second
from solver.game.game import Game
from strategy.solving.optimal import Optimal, next_words, optimal
from tests.support import naive
from tests.support.exact_worlds import small_world
from tests.support.naive_exact import Histogram, Histograms, best_of, cost, value
from tests.support.worlds import board_of, game_of, some_world

OBJECTIVES = ("worst", "most-within:2", "most-within:3", "fewest-of:1", "fewest-of:2",
              "fewest-of:3", "fewest-of:4")  # fmt: skip
objectives = st.sampled_from(OBJECTIVES)
limits = st.sampled_from([None, 1, 2, 3, 4, 6])


def ask(
    game: Game,
    whole: frozenset[Histogram],
    objective: str,
    limit: int | None,
    losses: bool = False,
    **how: Any,
) -> Optimal:
    """The best value and, of all histograms that a strategy of it can have, the best second."""
    first = "losses" if losses else "total"
    found = optimal(game, objective=first, within=limit, then=objective, **how)
    best = best_of(whole, objective, limit)
    if best[0] and not losses:
        assert found.strategy is None and found.then is None
        return found
    assert found.strategy is not None and found.then is not None and found.settled
    histogram = tuple(found.strategy.histogram)
    assert (*value(histogram, limit), cost(objective, histogram)) == best
    second = sum(histogram) - best[2] if objective.startswith("most-within") else best[2]
    assert (found.then.objective, found.then.value) == (objective, second)
    assert found.strategy.origin.then == found.then.facts()
    return found


#: Which guesses may be made, as often as such games are drawn.
WAYS = [*["all", "hard"] * 5, "one is forced", "two are", *["candidates"] * 2]


@settings(max_examples=185)
@given(st.integers(0, 10**9), objectives, limits, st.sampled_from(WAYS), st.booleans())
def test_any_game(seed: int, objective: str, limit: int | None, way: str, losses: bool) -> None:
    game, only, hard = small_world(seed, 9), way == "candidates", way == "hard"
    forced = {"one is forced": 1, "two are": 2}.get(way, 0)
    start = random.Random(seed).sample(game.guesses, forced)
    whole = Histograms(game.guesses, hard, only).whole(game.secrets, start)
    pool = "candidates" if only else "allowed"
    how: dict[str, Any] = {"hard": hard, "start": start, "guess_from": pool, "workers": 1}
    ask(game, whole, objective, limit, losses and limit is not None, **how)


@pytest.mark.slow
@pytest.mark.parametrize("many", [2, 1000])
@pytest.mark.parametrize("name", ["1x6", "2x2", "2x3", "3x2", "2x4:distinct"])
def test_mastermind(name: str, many: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whether codes of one kind are tried once, or all of them."""
    monkeypatch.setattr(set_engine, "_MANY", many)
    game = board_of(name)
    for pool in ("allowed", "candidates"):
        truth = Histograms(game.guesses, False, pool == "candidates", naive.pegs)
        whole = truth.whole(game.secrets)
        for objective in OBJECTIVES:
            for limit, losses in product((None, 1, 2, 3, 4), (False, True)):
                ask(game, whole, objective, limit, losses, guess_from=pool)


@pytest.mark.parametrize("losses", [False, True])
@pytest.mark.parametrize("limit", [1, 2, 3, 6])
def test_mastermind_after_a_first_code(limit: int, losses: bool) -> None:
    """Also one that is worse than others: it is kept."""
    game = board_of("2x4")
    for code in ("12", "11"):
        whole = Histograms(game.guesses, grader=naive.pegs).whole(game.secrets, [code])
        for objective in OBJECTIVES:
            found = ask(game, whole, objective, limit, losses, start=[code])
            assert found.strategy is None or found.strategy.next_guess() == code


@settings(max_examples=25)
@given(st.integers(0, 10**9), objectives, limits, st.booleans(), st.booleans())
def test_words(seed: int, objective: str, limit: int | None, hard: bool, candidates: bool) -> None:
    game, dice = small_world(seed, 9), random.Random(seed)
    word, secret = dice.choice(game.guesses), dice.choice(game.secrets)
    score, within = naive.grade(word, secret), None if limit is None else limit + 1
    how: dict[str, Any] = {"hard": hard, "guess_from": "candidates" if candidates else "allowed"}
    found = next_words(game, ((word, score),), within=within, top=4, then=objective, **how)
    if word == secret:
        assert found.solved and found.then is None
        return
    state = naive.split(word, game.secrets)[score]
    allowed = [it for it in game.guesses if not hard or naive.may_follow(it, word, secret)]
    truth = Histograms(game.guesses, hard, candidates)
    assert found.proved and found.then is not None
    rows = []
    for row in found.words:
        of_word = truth.after(row.word, frozenset(state), frozenset(allowed), ())
        best = min((*value(it, limit), cost(objective, it, 1)) for it in of_word)
        second = len(state) - best[2] if objective.startswith("most-within") else best[2]
        assert (row.losses, row.total, row.then) == (*best[:2], second)
        rows.append(best)
    assert rows == sorted(rows) and found.then.value == found.words[0].then


def test_large_states() -> None:
    """A state that is searched as a problem of its own has the same second objective."""
    dice = random.Random(5)
    for _ in range(3):
        game = some_world(dice, 30, 60)
        for objective, hard in product(("worst", "fewest-of:3", "most-within:3"), (False, True)):
            start = [dice.choice(game.guesses)]
            plain = optimal(game, start=start, hard=hard, workers=1, then=objective)
            with patch.multiple(second_objective, _LARGE=3):
                whole = optimal(game, start=start, hard=hard, workers=1, then=objective)
            assert (plain.strategy is None) == (whole.strategy is None)
            assert plain.then == whole.then
            if plain.strategy and whole.strategy:
                assert plain.strategy.total == whole.strategy.total


def test_workers() -> None:
    """Two processes find the same strategy as one."""
    game = some_world(random.Random(3), 200, 300)
    for objective in ("worst", "fewest-of:3"):
        one, two = (optimal(game, workers=count, then=objective) for count in (1, 2))
        assert one.strategy and two.strategy
        assert one.strategy.digest == two.strategy.digest
        assert one.then == two.then


def test_bounds_hold() -> None:
    """What size and value say of a state is true of all its strategies."""
    for seed in range(60):
        game = small_world(seed, 9)
        whole, size = Histograms(game.guesses).whole(game.secrets), len(game.secrets)
        for text, made, histogram in product(OBJECTIVES, range(4), whole):
            objective, second = SecondObjective.of(text), cost(text, histogram, made)
            assert objective.text == text
            assert objective.least(size, made) <= second or size == 2
            settled = objective.settled(size, made, value(histogram, None)[1])
            assert size <= 2 or settled in (None, second)


def test_states_in_the_middle() -> None:
    """A word that is not among the best has a second objective too."""
    game = some_world(random.Random(11), 12, 12)
    words = next_words(game, (), within=None, top=3).words
    found = with_second(Problem(game, within=None), SecondObjective.of("worst"), words, 2)
    assert len(found) > 1 and all(it.then is not None and it.then > 2 for it in found)
    assert np.diff([it.total for it in found]).min() >= 0


@pytest.mark.parametrize(("start", "objective"), [((), "fewest-of:2"), (("zzzzz",), "fewest-of:3")])
def test_the_best_of_ties_also_after_a_wasted_guess(start: Sequence[str], objective: str) -> None:
    """Here it is no strategy of the first of equally good guesses."""
    few = small_world(60, 9)
    game = game_of([*few.guesses, "zzzzz"], [*few.secrets])
    whole = Histograms(game.guesses).whole(game.secrets, start)
    found = ask(game, whole, objective, None, start=start, workers=1)
    assert found.strategy is not None and (not start or found.strategy.next_guess() == "zzzzz")


def test_words_that_nothing_tells_apart() -> None:
    """Rhymes are found one by one; a word more that parts some of them changes that."""
    rhymes = [f"{letter}zz" for letter in "abcdefg"]
    for more in ([], ["abq"], ["bcq"], ["abc", "azq"]):
        game = game_of([*rhymes, *more], rhymes)
        whole = Histograms(game.guesses).whole(game.secrets)
        for objective in (*OBJECTIVES, "fewest-of:6", "most-within:5"):
            ask(game, whole, objective, None, workers=1)
