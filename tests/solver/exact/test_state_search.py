"""A state's search step by step, however often it is interrupted; Lemma 3a, on which it rests."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solver.exact.engine import Engine
from solver.exact.kernels import state_search
from solver.exact.kernels.lemmas import LOSS, NEVER, UNLIMITED, next_value
from solver.exact.kernels.memo import State
from solver.exact.kernels.state_search import ASKING, BOUND, DONE, EXACT, HEIGHT, TOTAL
from solver.exact.table_layout import score_table_of
from solver.exact.values import NOTHING_REVEALED, state_of
from solver.game.game import Game
from tests.support import naive_exact
from tests.support.naive_exact import values_of_guesses
from tests.support.proof_worlds import made_up
from tests.support.worlds import all_secrets, made_up_games

small_games = made_up_games(max_words=9, longest=5)


def brute_force(game: Game, left: int, hard: bool) -> int:
    """The least value of all guesses."""
    values = naive_exact.values_of_guesses(game.guesses, game.secrets, left, hard)
    return min(losses * LOSS + total for losses, total in values.values())


def searched(engine: Engine, state: State, near: int, hopeless: int) -> tuple[int, int]:
    """The value of a state, and how often it was asked whether it is hopeless."""
    task, asked, step = engine._task, 0, -1
    state_search.begin_state(task, state, NEVER, near, 0)
    while step != DONE:
        step = state_search.search_state(engine._work, task)
        if step == ASKING:
            asked += 1
            state_search.answer_task(engine.table, task, hopeless)
    assert task.place[EXACT] == 1
    return int(task.place[BOUND]), asked


@pytest.mark.plain
@settings(max_examples=30)
@given(small_games, st.booleans(), st.integers(1, 4), st.sampled_from([1, 40, 2_000_000]))
def test_values_are_those_of_brute_force(game: Game, hard: bool, left: int, interval: int) -> None:
    truth, members = brute_force(game, left, hard), all_secrets(game)
    state = State(members, 0, len(members), left, NOTHING_REVEALED)
    for near in (-1, 0, 2 * len(members)):
        engine = Engine(score_table_of(game, hard), 10)
        engine._task.interval[1] = interval
        value, asked = searched(engine, state, near, int(truth >= LOSS))
        assert value == truth and asked <= int(near >= 0)


@pytest.mark.plain
@settings(max_examples=30)
@given(small_games, st.booleans(), st.sampled_from([0, 40, 2_000_000]))
def test_strategies_attain_their_values(game: Game, hard: bool, budget: int) -> None:
    engine, state = Engine(score_table_of(game, hard), 10), state_of(all_secrets(game), 9)
    value = engine.value_of_state(state)
    plan = engine._plan
    state_search.begin_plan(plan, state)
    while not state_search.plan_state(engine._work, plan, budget):
        pass
    tree = engine.plan(state)
    assert plan.place[TOTAL] == value.bound == brute_force(game, 9, hard)
    assert plan.place[HEIGHT] == tree.height
    assert sorted(tree.guess) == sorted(engine.table.guess[plan.nodes[0, : len(tree)]].tolist())


@pytest.mark.plain
@given(st.lists(st.tuples(st.integers(1, 9), st.integers(1, 4)), max_size=9), st.integers(0, 4))
def test_the_next_bucket_that_is_too_deep(buckets: list[tuple[int, int]], most: int) -> None:
    deep = [(size, at) for at, (size, height) in enumerate(buckets) if height > most]
    sizes, heights = np.array(buckets, dtype=np.int64).reshape(-1, 2).T.copy()
    expected = min(deep)[1] if deep else -1
    assert state_search.next_too_deep(sizes, heights, most) == expected


@pytest.mark.parametrize("count", [2, 3, 7])
@pytest.mark.parametrize("left", [1, 2, 5])
def test_a_bound_in_a_gap_is_raised_to_the_least_with_a_loss_more(count: int, left: int) -> None:
    for losses in range(count):
        most = count * left + losses * (losses + 1) // 2
        least = (losses + 1) * LOSS + 2 * count - 1
        for total in (0, 1, most):
            bound = losses * LOSS + total
            assert next_value(1, count, left, bound) == bound
        for total in (most + 1, most + 1000, LOSS - 1):
            assert next_value(1, count, left, losses * LOSS + total) == least
            assert next_value(0, count, left, losses * LOSS + total) == losses * LOSS + total
    beyond = count * LOSS + LOSS - 1
    assert next_value(1, count, left, beyond) == beyond
    assert next_value(1, count, UNLIMITED, LOSS - 1) == LOSS - 1


@pytest.mark.parametrize("seed", range(6))
def test_no_value_of_a_state_is_skipped(seed: int) -> None:
    game = made_up(seed, 12, 6)
    for left in (1, 2, 3):
        values = values_of_guesses(game.guesses, game.secrets, left)
        losses, total = min(values.values())
        value = losses * LOSS + total
        for bound in (0, losses * LOSS, value - 1, value):
            found = next_value(1, len(game.secrets), left, bound)
            assert bound <= found <= value
