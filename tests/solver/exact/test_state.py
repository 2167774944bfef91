"""What is done to one state (memo, split, glance, list, beam), against plain twins; step by step.

Frames and ``search`` have no twin of their own: the searches of ``test_engine`` and of
``answers`` go through them, and are held against brute force.
"""

import random
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solver.exact.engine import Engine
from solver.exact.kernels import beam, lemmas, search, search_frames, state_search
from solver.exact.kernels import memo as memos
from solver.exact.kernels import state as states
from solver.exact.kernels.lemmas import LOSS, NEVER, UNLIMITED
from solver.exact.kernels.memo import State
from solver.exact.kernels.score_table import ScoreTable, is_legal, revealed_by
from solver.exact.kernels.state_search import ASKING, BOUND, DONE, EXACT, HEIGHT, TOTAL
from solver.exact.table_layout import score_table_of
from solver.exact.values import NOTHING_REVEALED, Beam, state_of
from solver.game.game import Game
from solver.machine.jit import kernel
from tests.support.naive_exact import values_of_guesses
from tests.support.proof_worlds import made_up
from tests.support.worlds import all_secrets, game_of, made_up_games

World = tuple[list[str], ScoreTable, states.Scratch, states.State]


_sort = kernel(lambda stack, begin, end: search_frames.sort_by_bound(stack, begin, end))  # noqa: PLW0108


@kernel
def _list_plainly(work: search_frames.Workspace, state: states.State, width: int) -> int:
    return int(beam._list_plainly(work, state, width, 0))


@kernel
def _list_short(work: search_frames.Workspace, beaming: beam.Beaming, state: states.State) -> int:
    return int(beam._list_short(work, beaming, state, work.stack.ceilings[0], 0))


def drawn_world(seed: int, most: int = 30) -> World:
    """Random words, all of them hidden, and some of them as a state; in hard mode a bucket."""
    dice = random.Random(seed)
    words = sorted({"".join(dice.choices("abcde", k=3)) for _ in range(dice.randint(8, most))})
    table = score_table_of(game_of(words), hard=seed % 2 == 1)
    rows = sorted(dice.sample(range(len(words)), dice.randint(3, len(words))))
    column = dice.randrange(len(words))
    if table.hard:
        rows = np.flatnonzero(table.scores[column] == table.scores[column, rows[0]]).tolist()
    scratch = states.new_scratch(table, search_frames.nesting(len(words)))
    scratch.members[: len(rows)] = rows
    shown = revealed_by(table, [column], rows[0])
    left = dice.choice([2, 3, 5, UNLIMITED])
    state = memos.State(scratch.members, 0, len(rows), lemmas.guesses_left(left, len(rows)), shown)
    return words, table, scratch, state


def test_memo_is_a_dictionary_that_may_forget() -> None:
    _, table, _, _ = drawn_world(1)
    memo, truth = memos.memo_of(table, 6), {}
    dice = np.random.default_rng(2)
    for bound in range(300):
        size, left = int(dice.integers(1, 6)), int(dice.integers(1, 4))
        rows = np.sort(dice.choice(len(table.column), size, replace=False)).astype(np.int32)
        shown = dice.integers(0, 2, 4).astype(np.uint64)
        at = memos.State(np.concatenate([rows[:1], rows]), 1, size, left, shown)
        if memo.used[0] == len(memo.facts):
            memos.forget(memo)
            truth.clear()
        key = rows.tobytes(), left, shown.tobytes()
        assert list(memos.known(memo, at)) == truth.get(key, [-1, 0, -1])
        memos.note(memo, at, bound, bound & 1, 7)
        truth[key] = [bound, bound & 1, 7]


def test_states_of_one_hash_are_told_apart() -> None:
    """Sets of rows without random words; what is revealed, where both change one bit of it."""
    memo = memos.new_memo(np.zeros(9, dtype=np.uint64), 8, 2)
    shown = np.array([[0, 0], [1 << 60, 0], [0, 1 << 60]], dtype=np.uint64)
    sets = ((np.array(it, dtype=np.int32), len(it)) for it in ([1], [2], [1, 2], [1, 3]))
    asked = [State(rows, 0, size, 3, it) for (rows, size), it in product(sets, shown)]
    for bound, at in enumerate(asked):
        assert memos.known(memo, at)[0] == -1
        memos.note(memo, at, bound, 0, 7)
    assert [memos.known(memo, at)[0] for at in asked] == [*range(len(asked))]


@pytest.mark.parametrize("seed", range(20))
def test_a_split_puts_the_larger_buckets_in_order(seed: int) -> None:
    _, table, scratch, state = drawn_world(seed)
    rows = state.members[: state.size].copy()
    for column in np.flatnonzero(table.guess >= 0).tolist():
        scores = table.scores[column, rows]
        truth = [rows[scores == score].tolist() for score in np.unique(scores)]
        _, count = states.split(table, None, scratch, state, column, state.size)
        ends = zip(scratch.starts[:count], scratch.sizes[:count], strict=True)
        found = [scratch.members[start : start + size].tolist() for start, size in ends]
        assert sorted(found) == sorted(bucket for bucket in truth if len(bucket) > 2)
        assert [len(b) for b in found] == sorted(map(len, found), reverse=True)


@pytest.mark.parametrize("seed", range(40))
def test_a_glance_is_a_lower_bound(seed: int) -> None:
    words, table, scratch, state = drawn_world(seed, 16)
    rows = state.members[: state.size].tolist()
    pairs = zip(table.column, words, strict=True)
    legal = [w for c, w in pairs if not table.hard or is_legal(table, c, state.revealed)]
    naive = values_of_guesses(legal, [words[row] for row in rows], state.left, table.hard)
    losses, total = min(naive.values())
    memo = memos.memo_of(table, 8)
    asked = table, memo, scratch, table.parts, state, NEVER, state.size
    for _ in range(2):  # the second time from the memo
        bound, exact, _ = states.quick_bound(*asked)
        assert bound <= losses * LOSS + total
        assert exact == 0 or bound == losses * LOSS + total


def bounds_by_parts(table: ScoreTable, state: states.State) -> dict[int, int]:
    """Legal guesses that tell something, and what they take at least by lemma 2."""
    rows = state.members[: state.size]
    truth = {}
    for column in np.flatnonzero(table.guess >= 0).tolist():
        parts, hit = len(np.unique(table.scores[column, rows])), int(table.secret[column] in rows)
        if parts > 1 and is_legal(table, column, state.revealed):
            truth[column] = lemmas.least_by_parts(1, state.size, parts, hit, state.left)
    return truth


@pytest.mark.parametrize("seed", range(20))
def test_guesses_are_listed_within_a_limit_or_by_their_bounds(seed: int) -> None:
    _, table, scratch, state = drawn_world(seed)
    memo, stack = memos.memo_of(table, 8), search_frames.new_stack(table)
    work = search_frames.Workspace(table, memo, scratch, stack)
    truth = bounds_by_parts(table, state)
    for limit in (2 * state.size, 3 * state.size - 4, NEVER):
        end = search.list_guesses(work, None, table.parts.copy(), state, limit, 0)
        found = dict(zip(stack.columns[:end].tolist(), stack.bounds[:end].tolist(), strict=True))
        assert found == {column: bound for column, bound in truth.items() if bound <= limit}
    for left in (1, 2, UNLIMITED):
        here = state._replace(left=left)
        bounds = bounds_by_parts(table, here)
        for most in (1, 5, len(bounds)):
            count = _list_short(work, beam.new_beaming(table, memo, 1, most), here)
            assert stack.columns[:count].tolist() == sorted(bounds, key=bounds.__getitem__)[:most]
        rows = state.members[: state.size]
        squares = {it: (np.bincount(table.scores[it, rows]) ** 2).sum() for it in bounds}
        order = sorted(bounds, key=lambda it: (bounds[it], squares[it], it))
        for width in (1, 2, 5):
            assert stack.columns[: _list_plainly(work, here, width)].tolist() == order[:width]


def test_lists_are_sorted_as_python_sorts() -> None:
    dice, (_, table, _, _) = random.Random(3), drawn_world(2)
    stack = search_frames.new_stack(table, longest=80)
    for count in (0, 1, 2, 3, 7, 8, 9, 64, 77):
        bounds = [dice.randrange(10) for _ in range(count)]
        stack.bounds[5 : 5 + count], stack.columns[5 : 5 + count] = bounds, range(count)
        _sort(stack, 5, 5 + count)
        order = sorted(range(count), key=lambda k: bounds[k])
        assert stack.columns[5 : 5 + count].tolist() == order
        assert stack.bounds[5 : 5 + count].tolist() == sorted(bounds)


@pytest.mark.parametrize("seed", range(30))
def test_a_beam_is_an_upper_bound_and_the_widest_exact(seed: int) -> None:
    words, table, _, state = drawn_world(seed, 14)
    everyone = state_of(np.arange(len(words), dtype=np.int32), state.left)
    beams = (Beam(table, width) for width in (1, 2, 3, len(words)))
    values = [it.value_of_state(everyone).bound for it in beams]
    assert values == sorted(values, reverse=True)
    assert values[-1] == brute_force(game_of(words), state.left, table.hard)


small_games = made_up_games(max_words=9, longest=5)


def brute_force(game: Game, left: int, hard: bool = False) -> int:
    """The least value of all guesses."""
    losses, total = min(values_of_guesses(game.guesses, game.secrets, left, hard).values())
    return losses * LOSS + total


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
        for total in (0, 1, most, most + 1, most + 1000, LOSS - 1):
            bound = losses * LOSS + total
            assert lemmas.next_value(1, count, left, bound) == (bound if total <= most else least)
            assert lemmas.next_value(0, count, left, bound) == bound
    beyond = count * LOSS + LOSS - 1
    assert lemmas.next_value(1, count, left, beyond) == beyond
    assert lemmas.next_value(1, count, UNLIMITED, LOSS - 1) == LOSS - 1


@pytest.mark.parametrize("seed", range(6))
def test_no_value_of_a_state_is_skipped(seed: int) -> None:
    game = made_up(seed, 12, 6)
    for left in (1, 2, 3):
        value = brute_force(game, left)
        for bound in (0, value // LOSS * LOSS, value - 1, value):
            assert bound <= lemmas.next_value(1, len(game.secrets), left, bound) <= value
