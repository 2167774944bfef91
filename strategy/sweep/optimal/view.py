"""A sweep for what is best as Python sees it: rows with values and bounds, and nothing else."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

from solver.choices import OPTIMAL

from ...errors import StrategyError
from ..lock import is_locked
from ..store import question_of
from ..view import RowTable, SweepTable, open_sweep
from .rows import STATES, ExactRow
from .store import ExactStore

#: The columns of the table.
COLUMNS = ("opener", "state", "value", "lower_bound", "upper_bound", "mean")


class ExactTable(RowTable[ExactRow]):
    """The rows of a sweep for what every opener is worth at best."""

    @property
    def counts(self) -> Counter[str]:
        """How many rows are in each state: exact, bounds, impossible."""
        return Counter(row.state for row in self.rows)

    @property
    def n_open(self) -> int:
        """Openers of which not everything is known: those with bounds, and those without a row."""
        return sum(row.open for row in self.rows) + len(self.missing)

    @property
    def n_done(self) -> int:
        """The openers of which everything is known."""
        return len(self.asked) - self.n_open

    def facts(self) -> dict[str, Any]:
        """What report and state both say of an exact sweep in JSON."""
        return {
            **super().facts(),
            "limit": self.question.within,
            "n_missing": len(self.missing),
            **{f"n_{state}": self.counts[state] for state in STATES},
        }

    def columns(self, times: bool = False) -> list[str]:
        """The names of the columns of the table."""
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
        rows = tuple(store.rows())
        asked = tuple(store.asked(row.opener for row in rows))
        return ExactTable(store.question, rows, asked, is_locked(store.path))


def open_any_sweep(path: str | Path) -> SweepTable | ExactTable:
    """The rows of a database of an exact sweep, or of one by a rule, as the file says."""
    return open_exact_sweep(path) if question_of(path).rule == OPTIMAL else open_sweep(path)
