"""Hard buckets: what is found out about one serves every other guess that leaves it."""

from __future__ import annotations

import random

import numpy as np
import pytest

from solver.exact.guess_values import engine as module
from solver.exact.guess_values.buckets import HARD, OPEN
from solver.exact.guess_values.engine import Engine
from solver.exact.guess_values.exact_value import Batch
from solver.exact.lemmas import LOSS, NEVER, UNLIMITED
from solver.exact.table.layout import score_table_of
from solver.exact.table.score_table import ScoreTable
from solver.tree import Tree
from tests.support.worlds import alike

#: Enough that some buckets are not settled at a glance.
_SECRETS = 200


def leave_all(work: object, batch: Batch, state: object, limit: int) -> None:
    """Every bucket that is not known at a glance is hard."""
    known = batch.buckets.state[0, : batch.buckets.number[0]]
    known[known == OPEN] = HARD


class Counting(Engine):
    """An engine that counts its searches of single buckets."""

    searches = 0

    def narrow(self, *state: np.ndarray) -> Engine:  # type: ignore[type-arg]
        self.searches += 1
        return super().narrow(*state)


def total_of(table: ScoreTable, tree: Tree, rows: list[int], node: int = 0) -> int:
    """What a strategy takes for some rows, by the witnesses of its nodes; all of them fall."""
    column = int(np.flatnonzero(table.guess == tree.guess[node])[0])
    total = len(rows)
    for child in (at for at, above in enumerate(tree.parent) if above == node):
        score = table.scores[column, tree.score[child]]
        branch = [row for row in rows if table.scores[column, row] == score]
        assert branch
        total += total_of(table, tree, branch, child)
        rows = [row for row in rows if row not in branch]
    assert rows in ([], [int(table.secret[column])])
    return total


@pytest.mark.parametrize("hard", [False, True])
@pytest.mark.parametrize("left", [3, 5, UNLIMITED])
def test_hard_buckets_are_kept(monkeypatch: pytest.MonkeyPatch, hard: bool, left: int) -> None:
    monkeypatch.setattr(module, "settle_buckets", leave_all)
    game = alike(left % 7, 250, _SECRETS)
    table = score_table_of(game, hard)
    members, dice = np.arange(_SECRETS, dtype=np.int32), random.Random(left)
    engine = Counting(table, 12)
    columns = dice.sample(range(len(game.guesses)), 8)
    for column in columns:
        fresh = Engine(table, 12)
        truth = fresh.value_of_guess(members, column, left)
        assert truth.exact
        for limit in (truth.bound - dice.randint(1, 5), truth.bound - 1):
            below = engine.value_of_guess(members, column, left, limit=limit)
            assert not below.exact and limit < below.bound <= truth.bound
        assert engine.value_of_guess(members, column, left) == truth
        before = engine.searches
        assert engine.value_of_guess(members, column, left) == truth
        assert engine.searches == before
        if truth.bound < LOSS:
            value, tree = engine.plan_of_guess(members, column, left, limit=NEVER)
            assert value == truth
            assert total_of(table, tree, members.tolist()) == truth.bound
    assert engine.searches > 0
