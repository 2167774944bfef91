"""Large states below a guess, searched as problems of their own: the same values and strategies."""

import random

import numpy as np
import pytest

from solver.exact.engine import Engine
from solver.exact.first_guesses import search_context, solved_whole
from solver.exact.kernels import guess_race, guess_values
from solver.exact.kernels.guess_values import Batch
from solver.exact.kernels.lemmas import LOSS, UNLIMITED
from solver.exact.kernels.memo import State
from solver.exact.kernels.search_frames import Workspace
from solver.exact.problem import Problem
from solver.exact.values import HardBucket, state_of
from solver.words.lists import named_list
from tests.solver.exact.test_engine import leave_all, settle_by, total_of
from tests.support.worlds import alike, game_of

#: All secrets of a small world.
_SECRETS = 80


@pytest.fixture
def all_large(monkeypatch: pytest.MonkeyPatch) -> None:
    """The buckets of 25 and more of first guesses are searched as problems, if not known at once.

    Of guesses below them only hard ones are.
    """
    settled = guess_values.settle_buckets

    def settle_below(work: Workspace, batch: Batch, state: State, limit: int) -> None:
        (leave_all if state.size == _SECRETS else settled)(work, batch, state, limit)

    settle_by(monkeypatch, settle_below)
    plain = getattr(guess_race.limit_of_race, "py_func", guess_race.limit_of_race)
    monkeypatch.setattr(guess_race, "limit_of_race", plain)
    monkeypatch.setattr(guess_race, "_LARGE", 25)
    monkeypatch.setattr(guess_race, "_NEAR_BOUND", 1 << 20)


@pytest.mark.usefixtures("all_large")
@pytest.mark.parametrize("hard", [False, True])
@pytest.mark.parametrize("within", [3, 5, None])
@pytest.mark.parametrize("seed", [1, 2])
def test_values_are_those_of_deepening(hard: bool, within: int | None, seed: int) -> None:
    game = alike(seed, 120, _SECRETS)
    context = search_context(Problem(game, hard, within))
    highest, names = context.problem.highest_value, context.members.tolist()
    for column in random.Random(seed).sample(context.columns, 4):
        truth = Engine(context.table, 14).value_of_guess(context.state, column)
        context.engine.forget()
        value = context.value(column, highest)
        assert (value.exact, value.bound) == (True, truth.bound) or not value.exact
        assert value.exact == (truth.bound <= highest)
        if not value.exact:
            assert highest < value.bound <= truth.bound
            continue
        below = context.value(column, truth.bound - 1)
        assert not below.exact and below.bound == truth.bound
        context.engine.forget()
        again, tree = context.plan(column, highest)
        assert again == value and total_of(context.table, tree, names) == truth.bound


@pytest.mark.usefixtures("all_large")
def test_a_large_state_is_a_problem_of_its_own() -> None:
    """Rows of a state of a state: candidates, values, limits and strategies are those below."""
    words = named_list("original", "answers").words
    context = search_context(Problem(game_of(words[:300], words[:120]), within=None))
    scores = context.table.scores[context.columns[-1]]  # the guess that tells least
    rows = np.flatnonzero(scores == np.argmax(np.bincount(scores))).astype(np.int32)[1:]
    assert len(rows) > 40
    state = state_of(rows, UNLIMITED, context.revealed)
    truth = Engine(context.table, 14).value_of_state(state)
    above = context.problem, context.engine
    value, tree = solved_whole(*above, HardBucket(state, 0, LOSS - 1))
    assert value == truth
    assert total_of(context.table, tree, rows.tolist()) == truth.bound
    column = int(np.flatnonzero(context.table.guess == value.guess)[0])
    assert Engine(context.table, 14).value_of_guess(state, column) == truth
    value, tree = solved_whole(*above, HardBucket(state, 0, truth.bound - 1))
    assert (value.bound, value.exact, value.guess) == (truth.bound, False, -1)
    assert not tree.guess


@pytest.mark.slow(14)
@pytest.mark.parametrize(("word", "total"), [
    ("jumpy", 8803), pytest.param("fuzzy", 9183, marks=pytest.mark.long),
    pytest.param("qajaq", 9496, marks=pytest.mark.long),
])  # fmt: skip
def test_openers_that_leave_most_secrets_together(word: str, total: int) -> None:
    from strategy import load_game, optimal

    found = optimal(load_game("original"), start=[word], within=None, workers=1)
    assert found.proved and found.strategy is not None and found.strategy.total == total
