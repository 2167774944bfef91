"""Sets of candidates that lose much, for the writer of proofs: few of them exclude most openers.

With four guesses most openers are excluded by what one or a few of their buckets lose with the
three that are left. What a set loses, every set loses that contains it (lemma 13). So a bucket is
made smaller as long as it loses as much: to what other openers, which are still open, leave
together of it. Of the poor openers one set then excludes several at once.

Nothing here is trusted: the checker counts again what each set loses.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from solver.exact.engine import THREE, LossCounter
from solver.exact.kernels.fewest_lost import largest_parts
from solver.exact.kernels.table_vectors import Rows
from solver.exact.table_layout import score_table_of
from solver.exact.values import CheckTime, buckets_of, state_of
from solver.game.game import Game

#: Guesses left to the sets, and in all.
LEFT, LIMIT = THREE, THREE + 1
#: So many attempts to make a set smaller may fail.
_FAILURES = 3

#: A set, and how many of its candidates are lost at least with three guesses left.
LossSet = tuple[Rows, int]


class LossSets:
    """Chooses the sets for one game: openers in order of their parts, the best first."""

    def __init__(self, game: Game, goal: int, check_time: CheckTime = lambda: None) -> None:
        """``goal``: an opener is excluded once its buckets lose so many."""
        self._table = table = score_table_of(game, hard=False, price=0)
        self._counter = LossCounter(table, check_time)
        self._check_time = check_time
        self._goal = goal
        self._everyone: Rows = np.arange(len(table.column), dtype=np.int32)
        columns = int((table.guess >= 0).sum())  # padding comes last
        #: ``scores[column, secret]``: which bucket of the opener the secret falls into.
        self._scores: NDArray[Any] = table.scores[:columns]
        spread = int(self._scores.max(initial=0)) + 1
        #: By column and score: the most that a chosen set inside the bucket loses.
        self._lost = np.zeros((columns, spread), dtype=np.int16)
        self._open = np.ones(columns, dtype=np.bool_)

    def __iter__(self) -> Iterator[LossSet]:
        """The sets, as far as they exclude openers; those that lose less than the goal stay."""
        for column in range(len(self._open)):
            if not self._open[column]:
                continue
            self._check_time()
            self._open[column] = False
            for bucket, lost in self._enough_of(column):
                small = self._made_smaller(bucket, lost)
                self._take(small, lost)
                yield small, lost

    @property
    def excluded(self) -> int:
        """How many openers the sets exclude, or cannot exclude."""
        return int((~self._open).sum())

    def _enough_of(self, column: int) -> Sequence[LossSet]:
        """Buckets of an opener that lose as much as is missing; none if they all lose less."""
        missing = self._goal - int(self._lost[column].sum())
        chosen: list[LossSet] = []
        buckets = buckets_of(self._table, state_of(self._everyone, THREE + 1), column)
        for bucket in sorted((it.members for it in buckets), key=lambda it: -len(it)):
            if missing <= 0:
                break
            known = int(self._lost[column, self._scores[column, bucket[0]]])
            lost = self._counter.fewest(bucket, known + missing)
            if lost > known:
                chosen.append((np.sort(bucket), lost))
                missing -= lost - known
        return chosen if missing <= 0 else ()

    def _made_smaller(self, members: Rows, lost: int) -> Rows:
        """A subset that loses as many, and that as many openers as possible leave together."""
        tried: set[bytes] = set()
        while len(tried) < _FAILURES:
            part = self._largest_part(members, lost, tried)
            if part is None:
                break
            if self._counter.fewest(part, lost) >= lost:
                members = part
            else:
                tried.add(part.tobytes())
        return members

    def _largest_part(self, members: Rows, lost: int, tried: set[bytes]) -> Rows | None:
        """The largest part that an open opener leaves, and gains by; None: there is none."""
        columns = np.flatnonzero(self._open)
        sizes, largest = np.zeros((2, len(columns)), dtype=np.int64)
        tally = np.zeros(self._lost.shape[1], dtype=np.int64)
        largest_parts(self._scores, members, columns, tally, sizes, largest)
        gains = (self._lost[columns, largest] < lost) & (sizes < len(members)) & (sizes > THREE)
        for at in np.argsort(-sizes, kind="stable"):
            if gains[at]:
                part: Rows = members[self._scores[columns[at], members] == largest[at]]
                if part.tobytes() not in tried:
                    return part
        return None

    def _take(self, members: Rows, lost: int) -> None:
        """Note what a set means for all openers."""
        scores = self._scores[:, members]
        whole = np.flatnonzero((scores == scores[:, :1]).all(axis=1))
        inside = whole, scores[whole, 0]
        self._lost[inside] = np.maximum(self._lost[inside], lost)
        self._open[whole] &= self._lost[whole].sum(axis=1) < self._goal
