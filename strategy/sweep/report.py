"""The openers of a sweep ranked: the best and the worst, and where well-known ones stand.

By a rule, openers are ranked by their worst case, their losses or their mean. Of an exact sweep the
exact values come in order, then the bounds.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from solver.choices import LIMIT
from solver.errors import WrongInputError

from ..columns import attributes
from .rows import BOUNDS, EXACT, IMPOSSIBLE, POSSIBLE, ExactRow, OpenerRow, R
from .table import ExactTable, SweepTable

if TYPE_CHECKING:
    from ..pictures.plot import Dot

T = TypeVar("T")

#: What openers are sorted by → the figures that decide, the first one first; less is better.
SORTS: dict[str, Callable[[OpenerRow], tuple[int, ...]]] = {
    "worst": lambda row: (row.worst, *reversed(row.histogram)),
    "beyond": lambda row: (row.n_beyond, row.worst, row.total),
    "mean": lambda row: (row.total, row.worst, row.n_beyond),
}
#: The same for people.
SORTED_BY = {
    "worst": "worst case, then fewest secrets that come to it",
    "beyond": "secrets beyond six",
    "mean": "mean",
}
#: First words that people play, or have written about.
WELL_KNOWN = (
    "adieu arise arose audio cares crane crate dealt irate lants lares later lines orate ouija "
    "plate raile raise rales reast roate salet sanes serai slane slate soare stare steam tales "
    "tares teary toeas trace train"
).split()
#: What comes first in the ranking of an exact sweep.
_ORDER = {EXACT: 0, POSSIBLE: 1, BOUNDS: 2, IMPOSSIBLE: 3}


@dataclass(frozen=True)
class RankedRow(Generic[R]):
    """A row of a sweep and its place among all openers; equal ones share a place."""

    #: None: an opener whose value is not known yet may change it.
    rank: int | None
    row: R


@dataclass(frozen=True)
class SweepReport:
    """The openers of a sweep by a rule, ranked."""

    table: SweepTable
    #: By each of the sorts: all openers, the best first.
    ranked: dict[str, list[RankedRow[OpenerRow]]]

    @property
    def in_order(self) -> list[OpenerRow]:
        """All rows in the order of the first sort."""
        return [it.row for it in next(iter(self.ranked.values()))]

    @property
    def n_within(self) -> int:
        """How many openers lose no secret beyond six guesses."""
        return sum(row.n_beyond == 0 for row in self.table)

    @property
    def share_within(self) -> float | None:
        """Which share of all openers that have a row loses no secret beyond six guesses."""
        return self.n_within / len(self.table) if len(self.table) else None

    def known(self) -> list[tuple[OpenerRow, dict[str, int]]]:
        """Well-known openers with their ranks by each sort, the best first."""
        ranks = {
            by: {it.row.opener: it.rank or 0 for it in rows if it.row.opener in WELL_KNOWN}
            for by, rows in self.ranked.items()
        }
        known = (row for row in self.in_order if row.opener in WELL_KNOWN)
        return [(row, {by: of[row.opener] for by, of in ranks.items()}) for row in known]

    def public(self, top: int, bottom: int, times: bool = False) -> dict[str, Any]:
        """The report for the JSON object: so many of the best and of the worst."""
        return {
            **self.table.question.facts(),
            "n_openers": len(self.table),
            "n_missing": len(self.table.missing),
            "limit": LIMIT,
            **attributes(self, "n_within share_within"),
            **({"seconds": self.table.seconds} if times else {}),
            "sorts": [
                {
                    "by": by,
                    "best": [_public(it) for it in rows[:top]],
                    "worst": [_public(it) for it in best_and_worst(rows, top, bottom)[1]],
                }
                for by, rows in self.ranked.items()
            ],
            "known": [
                attributes(row, "opener worst mean n_beyond") | {"ranks": ranks}
                for row, ranks in self.known()
            ],
        }

    def dots(self) -> tuple[list[Dot], list[str]]:
        """All openers by the entropy of their scores and the mean; and those to be labelled."""
        labelled = [row.opener for row, _ in self.known()]
        for rows in self.ranked.values():
            labelled += [it.row.opener for some in best_and_worst(rows, 3, 3) for it in some]
        return _dots(self.table, {row.opener: row.mean for row in self.table}), labelled


@dataclass(frozen=True)
class ExactReport:
    """The openers of an exact sweep, ranked."""

    table: ExactTable
    #: All openers: by value, then those with bounds, by these; the impossible ones last.
    ranked: list[RankedRow[ExactRow]]

    @property
    def in_order(self) -> list[ExactRow]:
        """All rows in the order of their values."""
        return [it.row for it in self.ranked]

    def of_state(self, *states: str) -> list[RankedRow[ExactRow]]:
        """The ranked rows in some states (``exact``, ``bounds``, …), the best first."""
        return [it for it in self.ranked if it.row.state in states]

    def known(self) -> list[RankedRow[ExactRow]]:
        """The ranked rows of well-known openers, the best first."""
        return [it for it in self.ranked if it.row.opener in WELL_KNOWN]

    def public(self, top: int, bottom: int, times: bool = False) -> dict[str, Any]:
        """The JSON object: so many of the best and the worst, and of those with bounds."""
        best, worst = best_and_worst(self.of_state(EXACT), top, bottom)
        sections = {
            "best": best,
            "worst": worst,
            "bounds": self.of_state(BOUNDS)[:top],
            "known": self.known(),
        }
        return {
            **self.table.facts(),
            "n_openers": len(self.table),
            **({"seconds": self.table.seconds} if times else {}),
            **{
                name: [{"rank": it.rank, **self.table.record(it.row)} for it in rows]
                for name, rows in sections.items()
            },
        }

    def dots(self) -> tuple[list[Dot], list[str]]:
        """The exact openers by the entropy of their scores and the mean; those to be labelled."""
        if self.table.question.objective != "total":
            raise WrongInputError("--plot draws totals: this sweep is of another objective")
        secrets = self.table.question.secrets
        means = {row.opener: row.value / secrets for row in self.table if row.value}
        if not means:
            raise WrongInputError("--plot draws exact values, and there is none yet")
        values = self.of_state(EXACT)
        labelled = [it.row.opener for it in [*self.known(), *values[:3], *values[-3:]]]
        return _dots(self.table, means), [word for word in labelled if word in means]


def report_of(table: SweepTable | ExactTable, by: str | None = None) -> SweepReport | ExactReport:
    """The report on a sweep of either kind.

    ``by``: ``worst``, ``beyond`` or ``mean`` of a sweep by a rule (None: each of them), ``value``
    of an exact one.
    """
    if isinstance(table, SweepTable):
        if by == "value":
            raise WrongInputError(
                "--sort value is for sweeps by --rule optimal; this one is by a rule"
            )
        by_each = {}
        for name in [by] if by else SORTS:
            rows = sorted(table.rows, key=lambda row: (SORTS[name](row), row.opener))
            by_each[name] = _ranked(rows, SORTS[name])
        return SweepReport(table, by_each)
    if by not in (None, "value"):
        raise WrongInputError(f"--sort {by} is for sweeps by a rule; here it is value")
    # no opener that is not exact can be better than this
    sure = min((row.lower or 0 for row in table if row.open), default=math.inf)
    if table.missing:
        sure = -math.inf
    ranked = [
        RankedRow(None, it.row) if it.row.value is None or it.row.value > sure else it
        for it in _ranked(sorted(table.rows, key=_place), attrgetter("value"))
    ]
    return ExactReport(table, ranked)


def _place(row: ExactRow) -> tuple[int, float, float, str]:
    upper = math.inf if row.upper is None else row.upper
    return _ORDER[row.state], row.lower or 0, upper, row.opener


def _ranked(rows: Sequence[R], figures: Callable[[R], Any]) -> list[RankedRow[R]]:
    """Sorted rows with their places; those of equal figures share the first of theirs."""
    ranked: list[RankedRow[R]] = []
    for _, equal in groupby(rows, figures):
        place = len(ranked) + 1
        ranked += [RankedRow(place, row) for row in equal]
    return ranked


def _public(ranked: RankedRow[OpenerRow]) -> dict[str, Any]:
    """A row by a rule and its rank, for the JSON object."""
    row = ranked.row
    return {
        "rank": ranked.rank,
        **attributes(row, "opener worst total mean n_beyond"),
        "n_nodes": row.nodes,
        "histogram": list(row.histogram),
        "digest": row.digest,
    }


def best_and_worst(rows: list[T], top: int, bottom: int) -> tuple[list[T], list[T]]:
    """The best and the worst openers of a sweep's ranking; none is both."""
    return rows[:top], rows[max(top, len(rows) - bottom) :] if bottom else []


def _dots(table: SweepTable | ExactTable, means: dict[str, float]) -> list[Dot]:
    """Openers in a plane: the entropy of the score, the mean of the guesses."""
    from ..pictures.plot import Dot
    from ..toolbox.guesses import openers

    found = openers(table.question.same_game(), list(means), by="entropy")
    entropy = {row.word: row.entropy for row in found}
    return [Dot(word, entropy[word], mean) for word, mean in means.items()]
