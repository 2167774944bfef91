"""A sweep for what is best as Python sees it: rows with values and bounds, and nothing else."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from solver.choices import OPTIMAL

from ...errors import StrategyError
from ...files.letters import plain
from ...files.names import quoted
from ..lock import is_locked
from ..question import SweepQuestion
from ..store import question_of
from ..view import SweepTable, open_sweep, parquet_of
from .rows import STATES, ExactRow
from .store import ExactStore

#: The columns of the table.
COLUMNS = ("opener", "state", "value", "lower_bound", "upper_bound", "mean")


class ExactTable:
    """The rows of a sweep for what is best, in alphabetical order, as they were when opened."""

    def __init__(
        self,
        question: SweepQuestion,
        rows: tuple[ExactRow, ...],
        asked: tuple[str, ...],
        running: bool = False,
    ) -> None:
        #: The game, what is least, the limit, and the version that made the rows.
        self.question = question
        self.rows = rows
        #: All openers that were asked for, those without a row too.
        self.asked = asked
        #: Whether a run was at work on it.
        self.running = running
        self._places = {row.opener: row for row in rows}

    def __len__(self) -> int:
        return len(self.rows)

    def __iter__(self) -> Iterator[ExactRow]:
        return iter(self.rows)

    def __contains__(self, opener: object) -> bool:
        return opener in self._places

    def __getitem__(self, opener: str) -> ExactRow:
        try:
            return self._places[plain(opener)]
        except KeyError:
            raise KeyError(f"{quoted(opener)} has no row in this sweep") from None

    @property
    def missing(self) -> list[str]:
        """The openers that were asked for and have no row yet."""
        return [word for word in self.asked if word not in self._places]

    @property
    def counts(self) -> Counter[str]:
        """How many rows are in each state."""
        return Counter(row.state for row in self.rows)

    @property
    def n_open(self) -> int:
        """Openers of which not everything is known: those with bounds, and those without a row."""
        return sum(row.open for row in self.rows) + len(self.missing)

    def facts(self) -> dict[str, Any]:
        """What report and state both say in JSON."""
        return {
            **self.question.facts(),
            "limit": self.question.within,
            "n_missing": len(self.missing),
            **{f"n_{state}": self.counts[state] for state in STATES},
        }

    def state(self) -> dict[str, Any]:
        """How far it is, as JSON says it."""
        return {
            **self.facts(),
            "n_asked": len(self.asked),
            "n_done": len(self.asked) - self.n_open,
            "n_replayed": sum(row.replayed for row in self.rows),
            "seconds": round(sum(row.seconds for row in self.rows), 3),
            "running": self.running,
        }

    def columns(self, times: bool = False) -> list[str]:
        """The columns of the table."""
        return [*COLUMNS, "seconds"] if times else [*COLUMNS]

    def record(self, row: ExactRow, times: bool = False) -> dict[str, Any]:
        """A row of the table as a dictionary; ``mean`` of an exact total."""
        total = row.value if self.question.objective == "total" else None
        return {
            "opener": row.opener,
            "state": row.state,
            "value": row.value,
            "lower_bound": row.lower,
            "upper_bound": row.upper,
            "mean": None if total is None else total / self.question.secrets,
            **({"seconds": row.seconds} if times else {}),
        }

    def records(self, times: bool = False) -> list[dict[str, Any]]:
        """The table, a dictionary a row; CPU times only if asked for."""
        return [self.record(row, times) for row in self.rows]

    def in_order(self, rows: Sequence[ExactRow]) -> ExactTable:
        """The same with its rows in another order."""
        return ExactTable(self.question, tuple(rows), self.asked, self.running)

    def to_parquet(self, times: bool = False) -> bytes:
        """The table as the bytes of a Parquet file."""
        return parquet_of(self.columns(times), self.records(times))


def open_exact_sweep(path: str | Path) -> ExactTable:
    """The rows of a sweep for what is best, as they are now; a run may be at work on it.

    Args:
        path: The database that ``sweep_optimal`` made.

    Returns:
        The rows in alphabetical order, each with its value or its bounds.

    Raises:
        BadFileError: There is no such file, or it is none of these databases, or damaged.
        StrategyError: It is the database of a rule's sweep, which ``open_sweep`` reads.

    >>> import tempfile
    >>> from pathlib import Path
    >>> from strategy import load_game, open_exact_sweep, sweep_optimal
    >>> game = load_game(["abide", "crane", "raise", "slate", "stare"])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = sweep_optimal(game, Path(folder) / "best.sqlite", "abide,crane", workers=1)
    ...     table = open_exact_sweep(Path(folder) / "best.sqlite")
    >>> [(row.opener, row.state, row.value) for row in table]
    [('abide', 'exact', 11), ('crane', 'exact', 9)]
    """
    with ExactStore.read(path) as store:
        if store.question.rule != OPTIMAL:
            raise StrategyError(f"{path}: a sweep by {store.question.rule}: open_sweep reads it")
        rows, asked = tuple(store.rows()), tuple(store.asked())
        return ExactTable(store.question, rows, asked, is_locked(store.path))


def open_any_sweep(path: str | Path) -> SweepTable | ExactTable:
    """The rows of a sweep by a rule, or of one for what is best."""
    return open_exact_sweep(path) if question_of(path).rule == OPTIMAL else open_sweep(path)
