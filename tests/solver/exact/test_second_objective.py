"""The second objective among strategies of equal value, against all strategies of small worlds."""

import random
from itertools import product
from typing import Any
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solver.errors import WrongInputError
from solver.exact import second_objective, set_engine
from solver.exact.problem import Problem, SearchContext
from solver.exact.second_objective import SecondObjective, with_second
from solver.game.game import Game
from strategy.solving.optimal import Optimal, next_words, optimal
from tests.support import naive, refused
from tests.support.naive_then import Histogram, Histograms, best_of, cost, value
from tests.support.pegs import game as board
from tests.support.worlds import game_of, of_few_letters, some_world

OBJECTIVES = ("worst", "most-within:2", "most-within:3", "fewest-of:1", "fewest-of:2",
              "fewest-of:3", "fewest-of:4")  # fmt: skip
objectives = st.sampled_from(OBJECTIVES)
limits = st.sampled_from([None, 1, 2, 3, 4, 6])


def some_game(seed: int) -> Game:
    dice = random.Random(seed)
    if dice.random() < 0.5:
        return some_world(dice, 3, 9)
    return of_few_letters(dice, "abc", 9, 3)


def check(
    found: Optimal, best: tuple[int, int, int], objective: str, limit: int | None, losses: bool
) -> None:
    """The result has the best value and, among all of this value, the best second objective."""
    if best[0] and not losses:
        assert found.strategy is None and found.then is None
        return
    assert found.strategy is not None and found.then is not None and found.settled
    histogram = tuple(found.strategy.histogram)
    assert (*value(histogram, limit), cost(objective, histogram)) == best
    secrets = sum(histogram)
    second = secrets - best[2] if objective.startswith("most-within") else best[2]
    assert (found.then.objective, found.then.value) == (objective, second)
    assert found.strategy.origin.then == found.then.facts()


def ask(
    game: Game,
    whole: frozenset[Histogram],
    objective: str,
    limit: int | None,
    losses: bool = False,
    **how: Any,
) -> None:
    """What is found is the best of all histograms that a strategy can have."""
    first = "losses" if losses else "total"
    found = optimal(game, objective=first, within=limit, then=objective, **how)
    check(found, best_of(whole, objective, limit), objective, limit, losses)


#: Which guesses may be made, as often as such games are drawn.
WAYS = [*["all", "hard"] * 5, "one is forced", "two are", *["candidates"] * 2]


@settings(max_examples=185)
@given(st.integers(0, 10**9), objectives, limits, st.sampled_from(WAYS), st.booleans())
def test_any_game(seed: int, objective: str, limit: int | None, way: str, losses: bool) -> None:
    game, only, hard = some_game(seed), way == "candidates", way == "hard"
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
    game = board(name)
    for pool in ("allowed", "candidates"):
        only = pool == "candidates"
        truth = Histograms(game.guesses, candidates_only=only, grader=naive.pegs)
        whole = truth.whole(game.secrets)
        for objective in OBJECTIVES:
            for limit, losses in product((None, 1, 2, 3, 4), (False, True)):
                ask(game, whole, objective, limit, losses, guess_from=pool)


@pytest.mark.parametrize("losses", [False, True])
@pytest.mark.parametrize("limit", [1, 2, 3, 6])
def test_mastermind_after_a_first_code(limit: int, losses: bool) -> None:
    game = board("2x4")
    whole = Histograms(game.guesses, grader=naive.pegs).whole(game.secrets, ["12"])
    for objective in OBJECTIVES:
        ask(game, whole, objective, limit, losses, start=["12"])


@settings(max_examples=25)
@given(st.integers(0, 10**9), objectives, limits, st.booleans(), st.booleans())
def test_words(seed: int, objective: str, limit: int | None, hard: bool, candidates: bool) -> None:
    game = some_game(seed)
    dice = random.Random(seed)
    word, secret = dice.choice(game.guesses), dice.choice(game.secrets)
    within = None if limit is None else limit + 1
    pool = "candidates" if candidates else "allowed"
    found = next_words(
        game,
        ((word, naive.grade(word, secret)),),
        within=within,
        top=4,
        hard=hard,
        guess_from=pool,
        then=objective,
    )
    if word == secret:
        assert found.solved and found.then is None
        return
    state = naive.split(word, game.secrets)[naive.grade(word, secret)]
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
    assert rows == sorted(rows)
    assert found.then.value == found.words[0].then


def test_large_states(monkeypatch: pytest.MonkeyPatch) -> None:
    """A state that is searched as a problem of its own has the same second objective."""
    dice = random.Random(5)
    for _ in range(3):
        game = some_world(dice, 30, 60)
        for objective in ("worst", "fewest-of:3", "most-within:3"):
            for hard in (False, True):
                start = [dice.choice(game.guesses)]
                plain = optimal(game, start=start, hard=hard, workers=1, then=objective)
                with patch.multiple(second_objective, _LARGE=3):
                    whole = optimal(game, start=start, hard=hard, workers=1, then=objective)
                assert (plain.strategy is None) == (whole.strategy is None)
                if plain.strategy and whole.strategy:
                    assert plain.then == whole.then
                    assert plain.strategy.total == whole.strategy.total


def test_workers() -> None:
    """Two processes find the same strategy as one."""
    game = some_world(random.Random(3), 200, 300)
    for objective in ("worst", "fewest-of:3"):
        one, two = (optimal(game, workers=count, then=objective) for count in (1, 2))
        assert one.strategy and two.strategy
        assert one.strategy.digest == two.strategy.digest
        assert one.then == two.then


@pytest.mark.parametrize(
    "text", ["", "best", "worst:4", "most-within", "most-within:", "fewest-of:0", "fewest-of:-1",
             "fewest-of:x", "fewest-of:\u0663", "fewest-of:99999999999999999", "most-within:1.5"]
)  # fmt: skip
def test_unknown_objectives(text: str) -> None:
    refused(WrongInputError, "second objective|a number of guesses", SecondObjective.of, text)


def test_known_objectives() -> None:
    for text in OBJECTIVES:
        assert SecondObjective.of(text).text == text


def test_bounds_hold() -> None:
    """What size and value say of a state is true of all its strategies."""
    for seed in range(60):
        game = some_game(seed)
        whole = Histograms(game.guesses).whole(game.secrets)
        size = len(game.secrets)
        for text in OBJECTIVES:
            objective = SecondObjective.of(text)
            for made in range(4):
                for histogram in whole:
                    second = cost(text, histogram, made)
                    assert objective.least(size, made) <= second or size == 2
                    settled = objective.settled(size, made, value(histogram, None)[1])
                    if size > 2 and settled is not None:
                        assert settled == second


def test_states_in_the_middle() -> None:
    """A word that is not among the best has a second objective too."""
    game = some_world(random.Random(11), 12, 12)
    context = SearchContext(Problem(game, within=None))
    assert len(context.columns) > 1
    words = next_words(game, (), within=None, top=3).words
    found = with_second(Problem(game, within=None), SecondObjective.of("worst"), words, 2)
    assert all(it.then is not None and it.then > 2 for it in found)
    assert np.diff([it.total for it in found]).min() >= 0


def test_words_that_nothing_tells_apart() -> None:
    """Rhymes are found one by one; a word more that parts some of them changes that."""
    rhymes = [f"{letter}zz" for letter in "abcdefg"]
    for more in ([], ["abq"], ["bcq"], ["abc", "azq"]):
        game = game_of([*rhymes, *more], rhymes)
        whole = Histograms(game.guesses).whole(game.secrets)
        for objective in (*OBJECTIVES, "fewest-of:6", "most-within:5"):
            ask(game, whole, objective, None, workers=1)
