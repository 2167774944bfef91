"""The fewest losses of a state from both sides, where only losses count.

Asked for no loss, for one, and so on, branch and bound refutes one number after the other, until a
strategy loses no more. Where that takes too long for a large state, it is asked of its families:
losses add up over disjoint sets of candidates (docs/exact.md, lemma 13), and words that have a
letter in the same place are hard to tell apart.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

import numpy as np

from ...errors import CouldNotFinishError
from ...tree import Tree
from ..first_guesses.workbench import Workbench
from ..guess_values.engine import Engine
from ..lemmas import LOSS
from ..state_values.results import Rows, Shown
from ..state_values.scratch_memory import Scratch, work_done
from ..table.narrowed import narrowed
from ..table.score_table import ScoreTable

#: Units of work that the whole state gets at first; a family gets a fraction of it.
EFFORT = 4_000_000
_SHARE = 4
#: Candidates of a family at most.
_FAMILY = 64
_MEMO_BITS = 17


class LossesCounted:
    """The fewest losses of a state: its bound raised, and a strategy that attains it sought."""

    def __init__(self, bench: Workbench, check_time: Callable[[], None] = lambda: None) -> None:
        self._problem, self._shown = bench.problem, bench.shown
        self._check_time = check_time
        self._table = bench.table._replace(price=0)
        self._whole = self._question(bench.members)
        self._families: list[_Question] | None = None
        self._effort = EFFORT

    @property
    def least(self) -> int:
        """The losses that no strategy of the state goes below."""
        return max(self._whole.least, sum(part.least for part in self._families or []))

    @property
    def tree(self) -> Tree | None:
        """A strategy of the state that loses no more than ``least``, once it is found."""
        return self._problem.graded(self._whole.plan()) if self._whole.exact else None

    def settle(self, most: int, rounds: int) -> None:
        """Go on until no strategy is left that loses less than ``most``, or one is found."""
        for _ in range(rounds):
            self._whole.least = self.least
            self._whole.ask(most, self._effort)
            if self._whole.exact or self.least >= most:
                return
            for family in self._split():
                family.ask(most, self._effort // _SHARE)
                if self.least >= most:
                    return
            self._effort *= 4

    def _split(self) -> list[_Question]:
        if self._families is None:
            self._families = [
                self._question(np.array(rows, dtype=np.int32))
                for rows in word_families(self._problem.secrets, _FAMILY)
            ]
        return self._families

    def _question(self, rows: Rows) -> _Question:
        table = narrowed(self._table, rows, self._shown)
        return _Question(table, self._problem.left, self._shown, self._check_time)


class _Question:
    """How few of some candidates can be lost? Bounds from below, and the number in the end."""

    def __init__(
        self, table: ScoreTable, left: int, shown: Shown, check_time: Callable[[], None]
    ) -> None:
        self._engine = Engine(table, _MEMO_BITS)
        self._effort = _Effort(self._engine.scratch, check_time)
        self._engine.check_time = self._effort.check
        self._everyone: Rows = np.arange(len(table.column), dtype=np.int32)
        self._left = left
        self._shown = shown
        #: No strategy loses fewer; one loses no more.
        self.least = 0
        self.exact = False

    def ask(self, most: int, effort: int) -> None:
        """Raise the bound up to ``most``, as far as the effort goes."""
        self._effort.begin(effort)
        while not self.exact and self.least < most:
            limit = self.least * LOSS
            try:
                value, _ = self._engine.branch(self._everyone, self._left, self._shown, limit)
            except _EnoughError:
                return
            self.least = max(self.least, -(-value.bound // LOSS))
            self.exact = value.exact

    def plan(self) -> Tree:
        """A strategy that loses so few."""
        self._effort.begin(EFFORT * EFFORT)
        tree = Tree()
        self._engine.plan(self._everyone, self._left, self._shown, tree, -1, None)
        return tree


class _Effort:
    """How much work an engine may do; it knows the scratch memory, not the engine that asks it."""

    def __init__(self, scratch: Scratch, check_time: Callable[[], None]) -> None:
        self._scratch = scratch
        self._check_time = check_time
        self._stop = 0

    def begin(self, effort: int) -> None:
        """Allow so much work from now on."""
        self._stop = work_done(self._scratch) + effort

    def check(self) -> None:
        """Raise an error if the time is up, or the work done."""
        self._check_time()
        if work_done(self._scratch) > self._stop:
            raise _EnoughError("too hard for now")


class _EnoughError(CouldNotFinishError):
    """The effort was not enough."""


def word_families(words: Sequence[str], most: int) -> list[list[int]]:
    """To count losses: disjoint sets of words with a letter in the same place, ``most`` at most.

    The largest set first, of those that remain then; a set of one is none.
    """
    rest = dict(enumerate(words))
    found: list[list[int]] = []
    while True:
        shared = Counter(mark for word in rest.values() for mark in enumerate(word))
        mark = max(
            (mark for mark, count in shared.items() if 1 < count <= most),
            key=lambda mark: (shared[mark], mark),
            default=None,
        )
        if mark is None:
            return found
        place, letter = mark
        found.append([row for row, word in rest.items() if word[place] == letter])
        for row in found[-1]:
            del rest[row]
