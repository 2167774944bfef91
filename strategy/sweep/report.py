"""Which openers are best and which worst, by what counts, and where well-known ones stand."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from ..build.within_limit import LIMIT
from .rows import OpenerRow
from .view import SweepTable

if TYPE_CHECKING:
    from ..pictures.plot import Dot

R = TypeVar("R")

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


@dataclass(frozen=True)
class RankedOpener:
    """A row of a sweep and its place among all openers; equal ones share a place."""

    rank: int
    row: OpenerRow

    def public(self) -> dict[str, Any]:
        """The row and its rank, for the JSON object."""
        row = self.row
        return {
            "rank": self.rank,
            "opener": row.opener,
            "worst": row.worst,
            "total": row.total,
            "mean": row.mean,
            "n_beyond": row.n_beyond,
            "n_nodes": row.nodes,
            "histogram": list(row.histogram),
            "digest": row.digest,
        }


@dataclass(frozen=True)
class SweepReport:
    """What a sweep by a rule comes to: its openers ranked."""

    table: SweepTable
    #: By each of the sorts that were asked for: all openers, the best first.
    ranked: dict[str, list[RankedOpener]]

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
            by: {it.row.opener: it.rank for it in rows if it.row.opener in WELL_KNOWN}
            for by, rows in self.ranked.items()
        }
        first = next(iter(self.ranked))
        return [
            (it.row, {by: ranks[by][it.row.opener] for by in ranks})
            for it in self.ranked[first]
            if it.row.opener in WELL_KNOWN
        ]

    def public(self, top: int, bottom: int, times: bool = False) -> dict[str, Any]:
        """The report for the JSON object: so many of the best and of the worst."""
        seconds = {"seconds": self.table.seconds} if times else {}
        return {
            **self.table.question.facts(),
            "n_openers": len(self.table),
            "n_missing": len(self.table.missing),
            "limit": LIMIT,
            "n_within": self.n_within,
            "share_within": self.share_within,
            **seconds,
            "sorts": [
                {
                    "by": by,
                    "best": [it.public() for it in rows[:top]],
                    "worst": [it.public() for it in best_and_worst(rows, top, bottom)[1]],
                }
                for by, rows in self.ranked.items()
            ],
            "known": [
                {"opener": row.opener, "worst": row.worst, "mean": row.mean,
                 "n_beyond": row.n_beyond, "ranks": ranks}
                for row, ranks in self.known()
            ],
        }  # fmt: skip


def report_of_sweep(table: SweepTable, by: str | None = None) -> SweepReport:
    """The report on a sweep by a rule, ranking openers by ``worst``, ``beyond``, ``mean``."""
    return SweepReport(table, {name: _ranked(table.rows, name) for name in ([by] if by else SORTS)})


def _ranked(rows: Sequence[OpenerRow], by: str) -> list[RankedOpener]:
    counts = SORTS[by]
    ranked: list[RankedOpener] = []
    before = None
    for place, row in enumerate(sorted(rows, key=lambda row: (counts(row), row.opener)), 1):
        here = counts(row)
        ranked.append(RankedOpener(ranked[-1].rank if here == before else place, row))
        before = here
    return ranked


def best_and_worst(rows: list[R], top: int, bottom: int) -> tuple[list[R], list[R]]:
    """The best and the worst openers of a sweep's ranking; none is both."""
    return rows[:top], rows[max(top, len(rows) - bottom) :] if bottom else []


def entropy_and_mean(table: SweepTable) -> list[Dot]:
    """In the report of a sweep by a rule, openers in a plane: entropy of score, mean of guesses."""
    from ..pictures.plot import Dot
    from ..toolbox.openers import openers

    words = [row.opener for row in table]
    told = {
        row.word: row.entropy for row in openers(table.question.same_game(), words, by="entropy")
    }
    return [Dot(row.opener, told[row.opener], row.mean) for row in table]
