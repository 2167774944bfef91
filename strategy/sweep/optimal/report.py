"""Which openers are best, as far as it is known: exact values in order, bounds after them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from solver.errors import WrongInputError

from ..report import WELL_KNOWN, best_and_worst
from .rows import BOUNDS, EXACT, IMPOSSIBLE, POSSIBLE, ExactRow
from .view import ExactTable

if TYPE_CHECKING:
    from ...pictures.plot import Dot

#: What comes first in a ranking.
_ORDER = {EXACT: 0, POSSIBLE: 1, BOUNDS: 2, IMPOSSIBLE: 3}


@dataclass(frozen=True)
class RankedValue:
    """A row of an exact sweep and its place among all openers.

    The place is None where an opener that is still open may change it.
    """

    rank: int | None
    row: ExactRow


@dataclass(frozen=True)
class ExactReport:
    """What a sweep for what every opener is worth at best comes to, ranked."""

    table: ExactTable
    #: All openers: by value, then those with bounds, by these; the impossible ones last.
    ranked: list[RankedValue]

    def of_state(self, *states: str) -> list[RankedValue]:
        """The ranked rows in some states (``exact``, ``bounds``, …), the best first."""
        return [it for it in self.ranked if it.row.state in states]

    def known(self) -> list[RankedValue]:
        """The ranked rows of well-known openers, the best first."""
        return [it for it in self.ranked if it.row.opener in WELL_KNOWN]

    def public(self, top: int, bottom: int, times: bool = False) -> dict[str, Any]:
        """The JSON object: so many of the best and the worst, and of those with bounds."""
        seconds = {"seconds": self.table.seconds} if times else {}
        best, worst = best_and_worst(self.of_state(EXACT), top, bottom)
        return {
            **self.table.facts(),
            "n_openers": len(self.table),
            **seconds,
            "best": [self._public(it) for it in best],
            "worst": [self._public(it) for it in worst],
            "bounds": [self._public(it) for it in self.of_state(BOUNDS)[:top]],
            "known": [self._public(it) for it in self.known()],
        }

    def _public(self, ranked: RankedValue) -> dict[str, Any]:
        return {"rank": ranked.rank, **self.table.record(ranked.row)}


def report_of_exact_sweep(table: ExactTable) -> ExactReport:
    """The report on an exact sweep: all openers of its table in order."""
    sure = math.inf
    if table.missing:
        sure = -math.inf
    for row in table:
        if row.open:
            sure = min(sure, row.lower or 0)
    rows = sorted(table.rows, key=_place)
    ranked: list[RankedValue] = []
    for place, row in enumerate(rows, 1):
        before = ranked[-1] if ranked else None
        rank: int | None = place
        if row.value is None or row.value > sure:
            rank = None
        elif before is not None and before.row.value == row.value:
            rank = before.rank
        ranked.append(RankedValue(rank, row))
    return ExactReport(table, ranked)


def _place(row: ExactRow) -> tuple[int, float, float, str]:
    upper = math.inf if row.upper is None else row.upper
    return _ORDER[row.state], row.lower or 0, upper, row.opener


def entropy_and_value(table: ExactTable) -> list[Dot]:
    """Every exact opener of an exact sweep in a plane: its score's entropy, its least mean."""
    from ...pictures.plot import Dot
    from ...toolbox.openers import openers

    if table.question.objective != "total":
        raise WrongInputError("--plot draws totals: this sweep is of another objective")
    means = {row.opener: row.value / table.question.secrets for row in table if row.value}
    if not means:
        raise WrongInputError("--plot draws exact values, and there is none yet")
    told = openers(table.question.same_game(), list(means), by="entropy")
    return [Dot(row.word, row.entropy, means[row.word]) for row in told]
