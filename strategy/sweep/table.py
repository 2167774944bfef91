"""The table of a sweep: its rows as read from a database, or merged from several."""

from __future__ import annotations

import io
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from operator import attrgetter
from pathlib import Path
from typing import Any, Generic, Self

from solver.errors import WrongInputError, imported
from solver.shown import Shown, frame_of
from solver.words.text import plain

from ..columns import Column, attributes, names, records
from ..errors import OutputError, WrongStrategyError
from ..files.output import check_apart
from ..files.text import quoted
from .question import SweepQuestion
from .rows import STATES, ExactRow, OpenerRow, R
from .store import SweepStore, check_database, is_locked, locked


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
        """The mean guesses for a secret, where the total is known."""
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
