"""The strategy after forced first guesses: what follows each of their scores is independent.

How a state is solved after them is left to the one who solves: the exact engine, or a beam.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from ...tree import Tree
from ..lemmas import LOSS, NEVER, after_guess, lost
from ..table.score_table import ScoreTable
from .results import Rows, Shown, Value, parted


class Solver(Protocol):
    """Solves states of a score table."""

    @property
    def table(self) -> ScoreTable:
        """The score table whose states are solved."""

    def value_of_state(
        self, members: Rows, left: int, shown: Shown, limit: int = NEVER
    ) -> tuple[Value, int]:
        """The value of a state, as far as it is at most ``limit``, and the column to guess."""

    def plan(
        self,
        members: Rows,
        left: int,
        shown: Shown,
        nodes: Tree,
        parent: int,
        names: Rows | None,
    ) -> None:
        """Append the strategy of least value of a state to ``nodes``."""


def solve_forced(
    solver: Solver,
    members: Rows,
    columns: Sequence[int],
    left: int,
    shown: Shown,
    nodes: Tree,
    parent: int = -1,
    witness: int = -1,
) -> int:
    """The value of a state in which these guesses are forced; its strategy goes to ``nodes``."""
    if not columns:
        value, _ = solver.value_of_state(members, left, shown)
        solver.plan(members, left, shown, nodes, parent, None)
        return value.bound
    table = solver.table
    node = nodes.add(int(table.guess[columns[0]]), parent, witness)
    total = len(members) * table.price
    for rows, after in parted(table, members, columns[0], shown):
        if table.secret[columns[0]] != rows[0]:
            total += len(rows) * lost(left) + solve_forced(
                solver, rows, columns[1:], after_guess(left), after, nodes, node, int(rows[0])
            )
    return int(total)


def loses_nothing(
    solver: Solver, members: Rows, columns: Sequence[int], left: int, shown: Shown
) -> bool:
    """Whether every candidate of a state is found in the guesses left if these are forced."""
    if not columns:
        value, _ = solver.value_of_state(members, left, shown, LOSS - 1)
        return value.bound < LOSS
    table = solver.table
    return all(
        not lost(left) and loses_nothing(solver, rows, columns[1:], after_guess(left), after)
        for rows, after in parted(table, members, columns[0], shown)
        if table.secret[columns[0]] != rows[0]
    )
