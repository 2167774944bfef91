"""The workbench of a problem: its score table, its engine, and what can be asked about guesses.

Whoever searches gets it as ``bench``: everything that is made once for a problem lies there.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress

import numpy as np
from numpy.typing import NDArray

from ...machine.rows import Ids
from ..feasibility.limit_first import Possibility
from ..guess_values.engine import Engine
from ..guess_values.letter_marks import ceilings_of
from ..guess_values.shared_tables import TablesAhead
from ..lemmas import LOSS, UNLIMITED
from ..state_values.results import Value
from ..table.layout import score_table_of
from ..table.score_table import ScoreTable, is_legal, shown_by
from .problem import Finding, Problem, Race

_MEMO_BITS = 19
#: Guesses of a task.
BATCH = 1024
#: Where the limit is nearer than one guess for so many secrets, a search in vain ends soon.
_NEAR = 40


class Workbench:
    """A problem with its score table, its engine and the search of mere possibility."""

    def __init__(self, problem: Problem, check_time: Callable[[], None] = lambda: None) -> None:
        self.problem = problem
        self._check_time = check_time
        secrets = None
        if problem.candidates is not None:
            secrets = np.array(problem.candidates, dtype=np.int32)
        self.table: ScoreTable = score_table_of(problem.game, problem.hard, secrets, problem.price)
        ids = problem.game.secret_ids if secrets is None else problem.game.secret_ids[secrets]
        ceilings = ceilings_of(problem.game, self.table, ids)
        self.possibility = Possibility(self.table, check_time)
        self.engine = Engine(
            self.table, _MEMO_BITS, check_time, ceilings, BATCH, self.possibility.refutes
        )
        count = len(self.table.column)
        self.members: Ids = np.arange(count, dtype=np.int32)
        self.column_of = {g: c for c, g in enumerate(self.table.guess.tolist()) if g >= 0}
        self.shown = self._shown()
        self.columns = [
            c for c in self._telling() if not self.table.hard or is_legal(self.table, c, self.shown)
        ]
        self._ahead: TablesAhead | None = None

    def _telling(self) -> list[int]:
        """The guesses that may exclude a candidate, as columns; no other is ever of use."""
        table = self.table
        telling = (table.guess >= 0) & ((table.parts > 1) | (table.secret >= 0))
        columns: list[int] = np.flatnonzero(telling).tolist()
        return columns

    def _shown(self) -> NDArray[np.uint64]:
        """What the history has shown; every candidate is a witness of the scores."""
        history = self.problem.history if self.problem.hard else ()
        return shown_by(self.table, (self.column_of[guess] for guess, _ in history), 0)

    def way_through(self) -> int:
        """The column of a guess after which the limit can be met, if one is found; else -1."""
        left = self.problem.left
        if (
            self.table.hard
            or left == UNLIMITED
            or self.possibility.refutes(self.members, left, self.shown)
        ):
            return -1
        return self.column_of[self.possibility.search.plan(left, self.members).guess[0]]

    def bounds(self, columns: Sequence[int], limit: int) -> NDArray[np.int64]:
        """Bounds of some guesses at a glance."""
        wanted = np.array(columns, dtype=np.int32)
        return self.engine.screen(self.members, wanted, self.problem.left, self.shown, limit)

    def look_ahead(self) -> None:
        """Find out which tables of ceilings all will want who look at first guesses from here."""
        columns = np.array(self.columns, dtype=np.int32)
        with suppress(OSError):  # no memory: each counts for himself
            self._ahead = TablesAhead(self.table, self.engine.ceilings, columns)
            self.engine.ceilings = self._ahead.ceilings

    def parts_ahead(self, workers: int) -> list[tuple[int, int]]:
        """The parts in which several workers count the tables that ``look_ahead`` found."""
        return self._ahead.parts(workers) if self._ahead else []

    def count_ahead(self, first: int, end: int) -> None:
        """Count some of the tables that ``look_ahead`` found."""
        assert self._ahead is not None
        self._ahead.count(first, end)

    def make_space(self) -> None:
        """Count our own tables from now on, if there is no space for another that all share."""
        if self._ahead is not None:
            self.engine.ceilings = self._ahead.unless_full(self.engine.ceilings)

    def forget(self) -> None:
        """Begin anew, so that what follows does not depend on what was searched before."""
        self.engine.forget()

    def value(self, column: int, limit: int, patient: bool = True) -> Value:
        """The value of one guess within a limit."""
        return self.engine.value_of_guess(
            self.members, column, self.problem.left, self.shown, limit, patient
        )

    def _refutes(self, column: int) -> bool:
        """Whether it is proved that the limit cannot be met after a guess."""
        return self.possibility.refutes_guess(self.members, self.problem.left, self.shown, column)

    def screened(self, columns: Sequence[int], race: Race, patient: bool) -> list[Finding]:
        """Screen a batch, and search what it leaves; without patience, only the easy ones."""
        totals = self.bounds(columns, race.limit)
        found: list[Finding] = []
        for place in np.argsort(totals, kind="stable"):
            self._check_time()
            column, bound, exact = columns[place], int(totals[place]), False
            far = race.limit - bound > len(self.members) // _NEAR  # long to search if in vain
            if bound <= race.limit and race.tight and far and self._refutes(column):
                bound = LOSS
            elif bound <= race.limit:
                value = self.value(column, race.limit, patient)
                bound, exact = value.bound, value.exact
                if exact:
                    race = race.joined(bound)
            found.append((int(self.table.guess[column]), bound, exact))
        return found
