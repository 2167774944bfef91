"""How many pairs weigh no more than a limit, counted in strides by one process or by several.

The bounds of ``pair_scan`` count first. From the stride on where they leave many pairs to be
evaluated, the tree of ``count_tree`` takes over.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from ..splits.logarithms import Costs, fixed_log_weights
from .count_tree import count_pairs
from .guesses_by_weight import Field, slack_of, wanted_pairs
from .strides import STRIDE, Search, Span, Told, strides

#: Pairs evaluated for one A from which on the tree is faster.
_MANY = 600


class Counted(NamedTuple):
    """Pairs evaluated, pairs found within the limit, and whether no later guess has to be A."""

    evaluated: int
    found: int
    done: bool


class _Count:
    """Counts the pairs within a limit by bounds."""

    def __init__(self, field: Field, limit: int) -> None:
        self._field, self._limit = field, limit

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self._field, self._limit)

    def task(self, span: Span) -> Span:
        """Nothing but the stride has to be known."""
        return span

    def take(self, span: Span) -> Counted:
        """Count a stride."""
        tally, search = self._search
        tally[:2] = 0
        done = search(*span)
        return Counted(int(tally[0]), int(tally[1]), done)

    @cached_property
    def _search(self) -> tuple[Costs, Search]:
        wanted = wanted_pairs(0, self._limit)
        return wanted.tally, self._field.scanner(wanted)


class _TreeCount(_Count):
    """Counts them by the tree."""

    @cached_property
    def _search(self) -> tuple[Costs, Search]:
        field, tally = self._field, np.array([0, 0, self._limit], dtype=np.int64)
        tree, logs = field.tree(tally), fixed_log_weights(field.secrets)
        slack = slack_of(field.secrets, 2 * field.game.length + 2)

        def search(first: int, last: int) -> bool:
            rows, weights = field.rows, field.weights
            return count_pairs(first, last, field.scores, rows, weights, logs, tree, slack)

        return tally, search


def count_within(field: Field, limit: int, told: Told, workers: int) -> tuple[int, int]:
    """Pairs evaluated, and pairs found that weigh no more than the limit."""
    evaluated = found = begin = before = 0
    whole, may_change = len(field), field.has_tree
    count: _Count = _Count(field, limit)
    while begin < whole:
        for (first, last), stride in strides(count, begin, whole, workers):
            evaluated += stride.evaluated
            found += stride.found
            begin = whole if stride.done else last
            told(begin - first, whole)
            if stride.done:
                break
            if last % STRIDE == 0:
                if may_change and evaluated - before > _MANY * STRIDE:
                    break
                before = evaluated
        count, may_change = _TreeCount(field, limit), False
    return evaluated, found
