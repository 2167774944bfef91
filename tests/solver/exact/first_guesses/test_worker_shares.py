"""Shares of first guesses: every guess is somebody's, and what has to do with it too."""

from __future__ import annotations

import pytest

from solver.exact.first_guesses.problem import Problem
from solver.exact.first_guesses.workbench import BATCH, Workbench
from solver.exact.first_guesses.worker_shares import batch_sizes, batches, in_turn, shares
from solver.game.mastermind import mastermind_game
from solver.game.words import named_list
from tests.support.worlds import game_of


def bench_of(spec: str | None = None) -> Workbench:
    if spec is not None:
        return Workbench(Problem(mastermind_game(spec), within=None))
    words = named_list("original", "answers").words[::4]
    return Workbench(Problem(game_of(words, words[:60]), within=None))


@pytest.mark.parametrize("spec", [None, "mastermind:3x4"])
@pytest.mark.parametrize("workers", [1, 2, 7, 1000])
def test_shares_hold_every_guess_once_in_the_order_given(spec: str | None, workers: int) -> None:
    bench = bench_of(spec)
    for columns in (bench.columns, bench.columns[:3], []):
        found = shares(bench, columns, workers)
        assert len(found) == workers
        assert sorted(column for share in found for column in share) == sorted(columns)
        assert all(share == sorted(share) for share in found)


def test_guesses_of_equal_letters_are_in_one_share() -> None:
    bench = bench_of()
    letters: dict[frozenset[str], set[int]] = {}
    for at, share in enumerate(shares(bench, bench.columns, 3)):
        assert share  # something is left for everybody
        for column in share:
            word = bench.problem.game.guesses[bench.table.guess[column]]
            letters.setdefault(frozenset(word), set()).add(at)
    torn = [word for word, found in letters.items() if len(found) > 1]
    assert len(torn) <= 2  # where one share ends and another begins
    assert len(letters) < len(bench.columns)


def test_batches_are_smaller_where_others_may_help() -> None:
    assert max(batch_sizes(1)) == BATCH == max(batch_sizes(2)) > batch_sizes(2)[0]
    assert batches(range(5), (2,)) == [range(2), range(2, 4), range(4, 5)]
    assert batches(range(9), (1, 2, 5)) == [range(1), range(1, 3), range(3, 8), range(8, 9)]
    assert batches(range(2), (5, 2)) == [range(2)]
    assert batches([], (2,)) == []


def test_batches_of_all_shares_come_in_turn() -> None:
    first, second = batches([1, 2, 3], (1,)), batches([4], (1,))
    assert in_turn([first, second, []]) == [[1], [4], [2], [3]]
