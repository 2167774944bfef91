"""Exact search with weights against brute force on random worlds; weights as whole numbers."""

import random
from dataclasses import replace
from fractions import Fraction
from operator import mul
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solver.errors import CouldNotFinishError, WrongInputError
from solver.exact import problem as problems
from solver.exact.best_strategy import best_strategy
from solver.exact.kernels.lemmas import LOSS, NEVER
from solver.exact.kernels.search import INTERRUPTED, search
from solver.exact.problem import Answer, Problem, SearchContext
from solver.exact.weighted_engine import WeightedEngine
from solver.game.wordle import WordleGame
from tests.support import naive, raising, refused
from tests.support.exact_worlds import some_weights, weighted_problem
from tests.support.naive_exact import IMPOSSIBLE, Brute, weighted_values
from tests.support.naive_exact import UNLIMITED as NO_LIMIT
from tests.support.trees import taken
from tests.support.worlds import alike, game_of

LIMITS = (1, 2, 3, 4, 6, None)


def truth_of(game: WordleGame, problem: Problem) -> dict[str, int]:
    assert problem.weights is not None
    by_word = dict(zip(game.secrets, problem.weights, strict=True))
    return weighted_values(game.guesses, by_word, problem.within or NO_LIMIT, problem.hard)


def check_answer(game: WordleGame, problem: Problem, answer: Answer, truth: dict[str, int]) -> None:
    least = min(truth.values())
    assert answer.proved
    if least >= IMPOSSIBLE:
        assert answer.tree is None
        return
    assert answer.lower_bound == least
    ties = {opener.word for opener in answer.first_guesses if opener.exact}
    assert ties == {word for word, value in truth.items() if value == least}
    for opener in answer.first_guesses:
        assert opener.losses or opener.total <= truth.get(opener.word, IMPOSSIBLE)
    assert answer.tree is not None and problem.weights is not None
    turns = taken(game, answer.tree, hard=problem.hard)
    assert sum(map(mul, problem.weights, turns)) == least
    assert max(turns) <= (problem.within or NO_LIMIT)


@settings(max_examples=75, deadline=None)
@given(st.integers(0, 10**9), st.sampled_from(LIMITS), st.booleans(), st.integers(0, 2))
def test_brute_force(seed: int, within: int | None, hard: bool, kind: int) -> None:
    """Of all first guesses, or, of three worlds in one, after a first guess that is given."""
    dice, problem = weighted_problem(seed, 12, hard, within)
    game, truth = problem.game, truth_of(problem.game, problem)
    start = [dice.choice(list(truth))] if kind == 0 else []
    truth = {word: truth[word] for word in start or truth}
    answer = best_strategy(problem, start)
    check_answer(game, problem, answer, truth)
    assert answer.tree is None or not start or game.guesses[answer.tree.guess[0]] == start[0]


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10**9), st.sampled_from(LIMITS[2:]), st.booleans())
def test_fixed_first_guesses(seed: int, within: int | None, hard: bool) -> None:
    """Two guesses are given: what follows them is best, state by state."""
    dice, problem = weighted_problem(seed, 12, hard, within)
    game = problem.game
    first, second = dice.sample(game.guesses, 2)
    others = (secret for secret in game.secrets if secret != first)
    if hard and not all(naive.may_follow(second, first, secret) for secret in others):
        return
    assert problem.weights is not None
    by_word = dict(zip(game.secrets, problem.weights, strict=True))
    search = Brute(game.guesses, game.secrets, hard, weights=by_word)
    lost, total = search.after([first, second], within or NO_LIMIT)
    answer = best_strategy(problem, [first, second])
    assert answer.tree is None if lost else answer.lower_bound == total


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 10**9), st.sampled_from(LIMITS), st.booleans(), st.integers(1, 1000))
def test_a_factor_changes_nothing(seed: int, within: int | None, hard: bool, factor: int) -> None:
    """Nor does the size of equal weights: the total is that without weights, times the weight."""
    _, problem = weighted_problem(seed, 40, hard, within)
    assert problem.weights is not None
    larger = tuple(factor * weight for weight in problem.weights)
    equal = (factor,) * len(larger)
    for of, weights in ((problem, larger), (replace(problem, weights=None), equal)):
        one, other = best_strategy(of), best_strategy(replace(problem, weights=weights))
        assert (one.tree is None) == (other.tree is None)
        if one.lower_bound is not None:
            assert other.lower_bound == factor * one.lower_bound
            exact = [{o.word for o in it.first_guesses if o.exact} for it in (one, other)]
            assert exact[0] == exact[1]


@pytest.mark.parametrize("hard", [False, True])
def test_larger_states_as_without_weights(hard: bool) -> None:
    """Equal weights in worlds whose buckets get score tables of their own."""
    game = alike(3, 250, 200)
    plain, equal = (SearchContext(Problem(game, hard, weights=it)) for it in (None, (1,) * 200))
    for guess in random.Random(1).sample(range(len(game.guesses)), 12):
        columns = [context.column_of[guess] for context in (plain, equal)]
        value = plain.value(columns[0], NEVER)
        if value.bound < LOSS:
            assert equal.value(columns[1], NEVER) == value
            assert equal.value(columns[1], value.bound) == value
            below = equal.value(columns[1], value.bound - 1)
            assert not below.exact and below.bound == value.bound
            assert equal.bounds([columns[1]], NEVER)[0] <= value.bound
        else:
            assert not equal.value(columns[1], NEVER).exact


def test_states_that_recur_are_searched_once() -> None:
    """A full memo forgets all, and changes no value."""
    game = alike(5, 150, 120)
    dice = random.Random(2)
    problem = Problem(game, within=None, weights=some_weights(dice, 120))
    context = SearchContext(problem)
    small = WeightedEngine(context.table, problem.candidate_weights, 4)
    for guess in dice.sample(range(len(game.guesses)), 5):
        column = context.column_of[guess]
        value = context.value(column, NEVER)
        assert small.value_of_guess(context.state, column) == value
        found, tree = context.plan(column)
        assert found == value and len(tree) > 1


def test_interrupted(monkeypatch: pytest.MonkeyPatch) -> None:
    """The clock is checked within one state; a search goes on from where it was interrupted."""
    monkeypatch.setattr("solver.exact.weighted_engine.CHECK_INTERVAL", 16)
    game = alike(5, 400, 150)
    problem = Problem(game, within=None, weights=some_weights(random.Random(2), 150))
    context = SearchContext(problem)
    ends: list[int] = []

    def searched(*state: Any) -> tuple[int, int, int]:
        found = search(*state)
        ends.append(found[1])
        return found

    monkeypatch.setattr("solver.exact.values.search", searched)
    often = WeightedEngine(context.table, problem.candidate_weights)
    value = often.value_of_state(context.state)
    assert INTERRUPTED in ends
    monkeypatch.undo()
    assert value == context.engine.value_of_state(context.state)
    late = raising(CouldNotFinishError("time"))
    timed = WeightedEngine(context.table, problem.candidate_weights, check_time=late)
    refused(CouldNotFinishError, "", timed.value_of_state, context.state)


@pytest.mark.parametrize("hard", [False, True])
def test_rhymes_take_no_time(hard: bool) -> None:
    """Every guess takes one away, the heaviest first: there are a million subsets of these."""
    rhymes = [f"{letter}zzzz" for letter in "abcdefghijklmnopqrst"]
    dice = random.Random(1)
    weights = tuple(dice.randint(1, 100) for _ in rhymes)
    answer = best_strategy(Problem(game_of(rhymes), hard, None, weights=weights))
    heaviest_first = sorted(weights, reverse=True)
    assert answer.lower_bound == sum(k * w for k, w in enumerate(heaviest_first, 1))


def test_workers_find_the_same() -> None:
    game = alike(7, 1500, 120)
    problem = Problem(game, weights=some_weights(random.Random(4), 120))
    alone, together = best_strategy(problem), best_strategy(problem, workers=2)
    assert alone == together
    start = [alone.first_guesses[0].word]
    assert best_strategy(problem, start) == best_strategy(problem, start, workers=2)


def test_weights_as_they_are_written() -> None:
    """As whole numbers, rounded where there is no room."""
    assert problems.whole_weights([0.1, 0.25, 3]) == (2, 5, 60)
    assert problems.whole_weights([6, 4, 10]) == (3, 2, 5)
    assert problems.whole_weights([1e-9]) == (1,)
    dice = random.Random(1)
    for _ in range(50):
        given = [round(dice.uniform(0.001, 20), dice.randint(0, 3)) or 1.0 for _ in range(9)]
        whole = problems.whole_weights(given)
        ratios = {Fraction(str(weight)) / n for weight, n in zip(given, whole, strict=True)}
        assert len(ratios) == 1
    whole = problems.rounded_weights([1 / 3, 1e-12, 0.25])
    assert min(whole) == 1 and sum(whole) <= problems.most_weight(None, 3)
    assert whole[0] / whole[2] == pytest.approx(4 / 3, rel=1e-6)
    assert problems.rounded_weights([0.5, 1.5]) == (1, 3)


def test_no_total_is_taken_for_a_loss() -> None:
    game = alike(1, 20, 10)
    refused(WrongInputError, "round the weights", Problem, game, weights=(1 << 31,) * 10)
    refused(WrongInputError, "whole numbers", Problem, game, weights=(0,) + (1,) * 9)
    problems.require_weights((1, 2**29), 6)
    for weights, within in (((1 << 30, 1 << 30), 2), ((0, 1), 6), ((2**26,) * 70, None)):
        refused(WrongInputError, "", problems.require_weights, weights, within)
