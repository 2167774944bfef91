"""What is done to one state (memo, split, glance, list, beam), against plain twins.

Frames and deepening have no twin of their own: the searches of ``test_branch_and_bound`` and of
``answers`` go through them, and are held against brute force.
"""

from __future__ import annotations

import random

import numpy as np
import pytest
from numpy.typing import NDArray

from solver.exact.lemmas import LOSS, NEVER, UNLIMITED, guesses_left, least_by_parts
from solver.exact.state_values.beam_bounds import Beam
from solver.exact.state_values.guesses_to_try import list_guesses, sort_by_bound
from solver.exact.state_values.memo import BOUND, EXACT, GUESS, find, forget, new_memo, note
from solver.exact.state_values.scratch_memory import Scratch, State, new_scratch
from solver.exact.state_values.search_frames import Stack, nesting, new_stack
from solver.exact.state_values.split_state import glance, split
from solver.exact.table.layout import score_table_of
from solver.exact.table.score_table import SHOWN_WORDS, ScoreTable, is_legal, shown_by
from solver.machine.jit import kernel
from tests.support.naive_exact import values_of_guesses
from tests.support.worlds import game_of

World = tuple[list[str], ScoreTable, Scratch, State]


@kernel
def _sort(stack: Stack, begin: int, end: int) -> None:
    sort_by_bound(stack, begin, end)


def drawn_world(seed: int, most: int = 30) -> World:
    """Random words, all of them hidden, and some of them as a state; in hard mode a bucket."""
    dice = random.Random(seed)
    words = sorted({"".join(dice.choices("abcde", k=3)) for _ in range(dice.randint(8, most))})
    table = score_table_of(game_of(words), hard=seed % 2 == 1)
    rows = sorted(dice.sample(range(len(words)), dice.randint(3, len(words))))
    column = dice.randrange(len(words))
    if table.hard:
        rows = np.flatnonzero(table.scores[column] == table.scores[column, rows[0]]).tolist()
    scratch = new_scratch(len(words), nesting(len(words)))
    scratch.members[: len(rows)] = rows
    shown = shown_by(table, [column], rows[0])
    left = dice.choice([2, 3, 5, UNLIMITED])
    state = State(scratch.members, 0, len(rows), guesses_left(left, len(rows)), shown)
    return words, table, scratch, state


def parts_on(table: ScoreTable, state: State) -> NDArray[np.int64]:
    """The parts of all columns on a state."""
    rows = state.members[: state.size]
    return np.array([len(set(line[rows].tolist())) for line in table.scores])


def test_memo_is_a_dictionary_that_may_forget() -> None:
    _, table, _, state = drawn_world(1)
    memo, truth = new_memo(table, 6), {}
    dice = np.random.default_rng(2)
    for bound in range(300):
        size, left = int(dice.integers(1, 6)), int(dice.integers(1, 4))
        rows = np.sort(dice.choice(len(table.column), size, replace=False)).astype(np.int32)
        shown = dice.integers(0, 2, 4).astype(np.uint64)
        at = State(np.concatenate([rows[:1], rows]), 1, size, left, shown)
        if memo.used[0] == len(memo.facts):
            forget(memo)
            truth.clear()
        key = rows.tobytes(), left, shown.tobytes()
        entry = find(table, memo, at)
        assert (entry >= 0) == (key in truth)
        if entry >= 0:
            assert memo.facts[entry, [BOUND, EXACT, GUESS]].tolist() == truth[key]
        note(table, memo, at, bound, bound & 1, 7)
        truth[key] = [bound, bound & 1, 7]
    assert state.size > 0


@pytest.mark.parametrize("seed", range(20))
def test_a_split_puts_the_larger_buckets_in_order(seed: int) -> None:
    _, table, scratch, state = drawn_world(seed)
    rows = state.members[: state.size].copy()
    for column in np.flatnonzero(table.guess >= 0).tolist():
        scores = table.scores[column, rows]
        truth = [rows[scores == score].tolist() for score in np.unique(scores)]
        _, count = split(table, scratch, state, column, state.size)
        found = [
            scratch.members[start : start + size].tolist()
            for start, size in zip(scratch.starts[:count], scratch.sizes[:count], strict=True)
        ]
        assert sorted(found) == sorted(bucket for bucket in truth if len(bucket) > 2)
        assert [len(b) for b in found] == sorted(map(len, found), reverse=True)


@pytest.mark.parametrize("seed", range(40))
def test_a_glance_is_a_lower_bound(seed: int) -> None:
    words, table, scratch, state = drawn_world(seed, 16)
    rows = state.members[: state.size].tolist()
    legal = [w for c, w in zip(table.column, words, strict=True) if is_legal(table, c, state.shown)]
    legal = legal if table.hard else words
    naive = values_of_guesses(legal, [words[row] for row in rows], state.left, table.hard)
    losses, total = min(naive.values())
    memo = new_memo(table, 8)
    for _ in range(2):  # the second time from the memo
        bound, exact, _ = glance(table, memo, scratch, table.parts, state, NEVER, state.size)
        assert bound <= losses * LOSS + total
        assert exact == 0 or bound == losses * LOSS + total


@pytest.mark.parametrize("seed", range(20))
def test_all_guesses_within_a_limit_are_listed(seed: int) -> None:
    words, table, scratch, state = drawn_world(seed)
    stack = new_stack(len(words), len(table.guess))
    parts, rows = parts_on(table, state), set(state.members[: state.size].tolist())
    truth = {}
    for column in np.flatnonzero(table.guess >= 0).tolist():
        hit = int(int(table.secret[column]) in rows)
        bound = least_by_parts(1, state.size, int(parts[column]), hit, state.left)
        if parts[column] > 1 and is_legal(table, column, state.shown):
            truth[column] = bound
    for limit in (2 * state.size, 3 * state.size - 4, NEVER):
        ceiling = table.parts.copy()
        end = list_guesses(table, scratch, stack, ceiling, state, limit, 0)
        found = dict(zip(stack.columns[:end].tolist(), stack.bounds[:end].tolist(), strict=True))
        assert found == {column: bound for column, bound in truth.items() if bound <= limit}


def test_lists_are_sorted_as_python_sorts() -> None:
    dice, stack = random.Random(3), new_stack(4, 80)
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
    everyone = np.arange(len(words), dtype=np.int32)
    nothing = np.zeros(SHOWN_WORDS, dtype=np.uint64)
    losses, total = min(values_of_guesses(words, words, state.left, table.hard).values())
    values = [
        Beam(table, width).value_of_state(everyone, state.left, nothing)[0].bound
        for width in (1, 2, 3, len(words))
    ]
    assert values == sorted(values, reverse=True)
    assert values[-1] == losses * LOSS + total
