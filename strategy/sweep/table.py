"""The table of a sweep: its rows as read from a database, or merged from several, and ranked.

By a rule, openers are ranked by their worst case, their losses or their mean. Of an exact sweep the
exact values come in order, then the bounds.
"""

from __future__ import annotations

import io
import math
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from itertools import groupby
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, Self, TypeVar

from solver.choices import LIMIT
from solver.errors import WrongInputError, imported
from solver.shown import Shown, frame_of
from solver.words.text import plain

from ..columns import Column, attributes, names, records
from ..errors import OutputError, WrongStrategyError
from ..files.output import check_apart
from ..files.text import quoted
from .question import SweepQuestion
from .rows import BOUNDS, EXACT, IMPOSSIBLE, POSSIBLE, STATES, ExactRow, OpenerRow, R
from .store import SweepStore, check_database, is_locked, locked

if TYPE_CHECKING:
    from ..pictures.plot import Dot

T = TypeVar("T")


@dataclass(frozen=True, eq=False, repr=False)
class RowTable(Shown, ABC, Generic[R]):
    """The rows of a sweep's database in alphabetical order, as they were when it was opened."""

    #: The game, what is computed of its openers, and the version that made the rows.
    question: SweepQuestion
    rows: tuple[R, ...]
    #: All openers that the sweep is about, those without a row too.
    openers: tuple[str, ...]
    #: Whether a run was at work on it.
    running: bool = False

    @cached_property
    def _places(self) -> dict[str, R]:
        return {row.opener: row for row in self.rows}

    def __len__(self) -> int:
        return len(self.rows)

    def __iter__(self) -> Iterator[R]:
        return iter(self.rows)

    def __contains__(self, opener: object) -> bool:
        return opener in self._places

    def __getitem__(self, opener: str) -> R:
        try:
            return self._places[plain(opener)]
        except KeyError:
            raise KeyError(f"{quoted(opener)} has no row in this sweep") from None

    @property
    def missing(self) -> list[str]:
        """The openers that have no row yet."""
        return [word for word in self.openers if word not in self._places]

    @property
    def n_done(self) -> int:
        """The openers of which everything is known."""
        return len(self.rows)

    @property
    def seconds(self) -> float:
        """CPU time that all rows took, to the millisecond."""
        return round(sum(row.seconds for row in self.rows), 3)

    def facts(self) -> dict[str, Any]:
        """The question, as part of a JSON object."""
        return self.question.facts()

    def state(self) -> dict[str, Any]:
        """How far the sweep is, as a JSON object."""
        return {
            **self.facts(),
            "n_asked": len(self.openers),
            "n_done": self.n_done,
            "n_missing": len(self.missing),
            "n_replayed": sum(row.replayed for row in self.rows),
            **attributes(self, "seconds running"),
        }

    @abstractmethod
    def _columns(self) -> list[Column]:
        """The columns of the table, but for CPU times."""

    def _with_times(self, times: bool) -> list[Column]:
        return [*self._columns(), Column("seconds")] if times else self._columns()

    def columns(self, times: bool = False) -> list[str]:
        """The names of the columns of the table."""
        return names(self._with_times(times))

    def record(self, row: R, times: bool = False) -> dict[str, Any]:
        """A row of the table as a dictionary; CPU times only with ``times``."""
        return records(self._with_times(times), [row])[0]

    def records(self, times: bool = False) -> list[dict[str, Any]]:
        """All rows of the table, each as a dictionary."""
        return records(self._with_times(times), self.rows)

    def in_order(self, rows: Sequence[R]) -> Self:
        """The same table with its rows in another order."""
        return replace(self, rows=tuple(rows))

    def to_parquet(self, times: bool = False) -> bytes:
        """The table as the bytes of a Parquet file."""
        pyarrow, parquet = (
            imported(name, "Parquet takes pyarrow", OutputError)
            for name in ("pyarrow", "pyarrow.parquet")
        )
        records = self.records(times)
        columns = {name: [record[name] for record in records] for name in self.columns(times)}
        out = io.BytesIO()
        parquet.write_table(pyarrow.table(columns), out)
        return out.getvalue()

    def _line(self) -> str:
        return f"{self.n_done:,} of {len(self.openers):,} openers done"

    def _records(self) -> list[dict[str, Any]]:
        return self.records()

    def to_frame(self, times: bool = False) -> Any:
        """The table as a ``DataFrame`` with the openers for its index."""
        return frame_of(self.records(times), self.columns(times)).set_index("opener")


class SweepTable(RowTable[OpenerRow]):
    """The rows of a sweep by a rule, with the figures of each opener's strategy.

    In its columns ``h1`` is how many secrets are solved by one guess, and so on.
    """

    @cached_property
    def deepest(self) -> int:
        """Most guesses that any secret takes, whatever the opener."""
        return max((row.worst for row in self.rows), default=0)

    def _columns(self) -> list[Column]:
        figures = ("opener", "worst", "total", "mean", "n_beyond", "nodes")
        counts = [Column(f"h{n}", value=partial(_solved_by, n)) for n in range(1, self.deepest + 1)]
        return [*map(Column, figures), *counts, Column("digest")]


def _solved_by(number: int, row: OpenerRow) -> int:
    """How many secrets take so many guesses."""
    return row.histogram[number - 1] if number <= row.worst else 0


class ExactTable(RowTable[ExactRow]):
    """The rows of an exact sweep: the least value of each opener, or bounds of it."""

    @property
    def counts(self) -> Counter[str]:
        """How many rows are in each of ``rows.STATES``."""
        return Counter(row.state for row in self.rows)

    @property
    def n_open(self) -> int:
        """Openers of which not everything is known: those with bounds, and those without a row."""
        return sum(row.open for row in self.rows) + len(self.missing)

    @property
    def n_done(self) -> int:
        """The openers of which everything is known."""
        return len(self.openers) - self.n_open

    def facts(self) -> dict[str, Any]:
        """The question and how many rows are in each state, as part of a JSON object."""
        return {
            **super().facts(),
            "limit": self.question.within,
            "n_missing": len(self.missing),
            **{f"n_{state}": self.counts[state] for state in STATES},
        }

    def _columns(self) -> list[Column]:
        return [
            Column("opener"),
            Column("state"),
            Column("value"),
            Column("lower_bound", value=attrgetter("lower")),
            Column("upper_bound", value=attrgetter("upper")),
            Column("mean", value=self._mean),
        ]

    def _mean(self, row: ExactRow) -> float | None:
        total = row.value if self.question.objective == "total" else None
        return None if total is None else total / self.question.secrets


def open_sweep(path: str | Path) -> SweepTable | ExactTable:
    """The rows of a sweep's database of either kind, as they are now; a run may be at work on it.

    Args:
        path: The database that ``sweep_openers`` or ``sweep_optimal`` made.

    Returns:
        The rows in alphabetical order: by a rule the figures of each opener, of an exact sweep its
        value or its bounds.

    Raises:
        BadFileError: There is no such file, or it is none of these databases, or damaged.

    >>> import tempfile
    >>> from pathlib import Path
    >>> from strategy import load_game, open_sweep, sweep_openers
    >>> game = load_game(["abide", "crane", "raise", "slate", "stare"])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = sweep_openers(game, Path(folder) / "sweep.sqlite", "crane,slate", workers=1)
    ...     table = open_sweep(Path(folder) / "sweep.sqlite")
    >>> [(row.opener, row.worst, row.total) for row in table]
    [('crane', 2, 9), ('slate', 2, 9)]
    """
    with SweepStore.read(path) as store:
        rows = tuple(store.rows())
        openers = tuple(store.openers())
        made = SweepTable if store.question.objective is None else ExactTable
        return made(store.question, rows, openers, is_locked(store.path))


def merge_sweeps(files: Sequence[str | Path], out: str | Path) -> SweepTable | ExactTable:
    """Merge databases of sweeps into one, made if it is not there. The others stay as they are.

    Of an opener that several exact sweeps have, the closer bounds are kept, and an exact value
    where one is; and the longest CPU time, so that a file that is merged twice counts once.

    Args:
        files: Databases of one question: the same game, rule and version.
        out: The database that gets their rows.

    Returns:
        The rows of it.

    Raises:
        WrongStrategyError: Two have different rows for one opener, or bounds that contradict each
            other; nothing is written then.
        BadFileError: One of them is damaged, or none.
        StrategyError: They are of different questions.
        WrongInputError: No file is named.

    >>> import tempfile
    >>> from pathlib import Path
    >>> from strategy import load_game, merge_sweeps, sweep_openers
    >>> game = load_game(["abide", "crane", "raise", "slate", "stare"])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     parts = [Path(folder) / "1.sqlite", Path(folder) / "2.sqlite"]
    ...     for number, part in enumerate(parts, 1):
    ...         _ = sweep_openers(game, part, shard=(number, 2), workers=1)
    ...     table = merge_sweeps(parts, Path(folder) / "all.sqlite")
    >>> [row.opener for row in table]
    ['abide', 'crane', 'raise', 'slate', 'stare']
    """
    if not files:
        raise WrongInputError("no database is named that could be merged")
    check_apart([out], files)
    check_database(out)
    with locked(Path(out)):
        tables = [(str(path), open_sweep(path)) for path in files]
        if Path(out).exists():
            tables.append((str(out), open_sweep(out)))
        question = tables[0][1].question
        for name, table in tables[1:]:
            table.question.require_same(question, name)
        rows = _merged_rows([*tables[len(files) :], *tables[: len(files)]])
        with SweepStore.open(out, question) as store:
            store.add_openers(word for _, table in tables for word in table.openers)
            store.replace(rows)
    return open_sweep(out)


def _merged_rows(tables: Sequence[tuple[str, RowTable[Any]]]) -> list[Any]:
    """A row for each opener of tables with names; WrongStrategyError if two contradict."""
    found: dict[str, Any] = {}
    names: dict[str, list[str]] = {}
    for name, table in tables:
        for row in table:
            known, before = found.get(row.opener), names.setdefault(row.opener, [])
            before.append(name)
            try:
                found[row.opener] = row if known is None else known.merged(row)
            except WrongStrategyError as error:
                raise WrongStrategyError(f"{' and '.join(before)}: {error}") from None
    return list(found.values())


# --- the openers ranked: the best and the worst, and where well-known ones stand ----------

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
