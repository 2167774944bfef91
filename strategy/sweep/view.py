"""A sweep as Python sees it: rows that can be read, looked up and counted, and nothing else."""

from __future__ import annotations

import io
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, Generic, Protocol, Self, TypeVar

from solver.choices import OPTIMAL

from ..errors import OutputError, StrategyError
from ..files.letters import plain
from ..files.names import quoted
from .lock import is_locked
from .question import SweepQuestion
from .rows import OpenerRow
from .store import SweepStore


class SweptRow(Protocol):
    """What the rows of every kind of sweep have."""

    @property
    def opener(self) -> str:
        """The opener that the row is about."""

    @property
    def seconds(self) -> float:
        """CPU time that the row took."""

    @property
    def replayed(self) -> bool:
        """Whether the trusted checker has played every secret too."""


R = TypeVar("R", bound=SweptRow)


class RowTable(ABC, Generic[R]):
    """The rows of a sweep's database in alphabetical order, as they were when it was opened."""

    def __init__(
        self,
        question: SweepQuestion,
        rows: tuple[R, ...],
        asked: tuple[str, ...],
        running: bool = False,
    ) -> None:
        #: The game, what is asked of its openers, and the version that made the rows.
        self.question = question
        self.rows = rows
        #: All openers that were asked for, those without a row too.
        self.asked = asked
        #: Whether a run was at work on it.
        self.running = running
        self._places = {row.opener: row for row in rows}

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
        """The openers that were asked for and have no row yet."""
        return [word for word in self.asked if word not in self._places]

    @property
    def n_done(self) -> int:
        """The openers of which everything is known."""
        return len(self.rows)

    @property
    def seconds(self) -> float:
        """CPU time that all rows took, to the millisecond."""
        return round(sum(row.seconds for row in self.rows), 3)

    def facts(self) -> dict[str, Any]:
        """What the database is about, as JSON says it."""
        return self.question.facts()

    def state(self) -> dict[str, Any]:
        """How far the sweep is, as JSON says it."""
        return {
            **self.facts(),
            "n_asked": len(self.asked),
            "n_done": self.n_done,
            "n_missing": len(self.missing),
            "n_replayed": sum(row.replayed for row in self.rows),
            "seconds": self.seconds,
            "running": self.running,
        }

    @abstractmethod
    def columns(self, times: bool = False) -> list[str]:
        """The names of the columns of the table."""

    @abstractmethod
    def record(self, row: R, times: bool = False) -> dict[str, Any]:
        """A row of the table as a dictionary; CPU times only if asked for."""

    def records(self, times: bool = False) -> list[dict[str, Any]]:
        """All rows of the table, each as a dictionary."""
        return [self.record(row, times) for row in self.rows]

    def in_order(self, rows: Sequence[R]) -> Self:
        """The same table with its rows in another order."""
        return type(self)(self.question, tuple(rows), self.asked, self.running)

    def to_parquet(self, times: bool = False) -> bytes:
        """The table as the bytes of a Parquet file."""
        return _parquet_of(self.columns(times), self.records(times))

    def to_pandas(self, times: bool = False) -> Any:
        """The table as a ``DataFrame`` with the openers for its index."""
        try:
            import pandas
        except ImportError:
            raise OutputError("pandas is not installed: pip install pandas") from None
        frame = pandas.DataFrame(self.records(times), columns=self.columns(times))
        return frame.set_index("opener")


class SweepTable(RowTable[OpenerRow]):
    """The rows of a sweep by a rule, with the figures of each opener's strategy."""

    @cached_property
    def deepest(self) -> int:
        """Most guesses that any secret takes, whatever the opener."""
        return max((row.worst for row in self.rows), default=0)

    def columns(self, times: bool = False) -> list[str]:
        """The names of the columns; ``h1`` is how many secrets are solved by one guess."""
        counts = [f"h{number}" for number in range(1, self.deepest + 1)]
        names = ["opener", "worst", "total", "mean", "n_beyond", "nodes", *counts, "digest"]
        return [*names, "seconds"] if times else names

    def record(self, row: OpenerRow, times: bool = False) -> dict[str, Any]:
        """A row of the table as a dictionary; CPU times only if asked for."""
        counts = (*row.histogram, *(0,) * (self.deepest - row.worst))
        return {
            "opener": row.opener,
            "worst": row.worst,
            "total": row.total,
            "mean": row.mean,
            "n_beyond": row.n_beyond,
            "nodes": row.nodes,
            **{f"h{number}": count for number, count in enumerate(counts, 1)},
            "digest": row.digest,
            **({"seconds": row.seconds} if times else {}),
        }


def _parquet_of(names: Sequence[str], records: Sequence[dict[str, Any]]) -> bytes:
    """Rows as the bytes of a Parquet file."""
    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError:
        raise OutputError(
            "Parquet takes pyarrow, which is not installed: pip install 'knuthle[parquet]'"
        ) from None
    columns = {name: [record[name] for record in records] for name in names}
    out = io.BytesIO()
    parquet.write_table(pyarrow.table(columns), out)
    return out.getvalue()


def open_sweep(path: str | Path) -> SweepTable:
    """The rows of a database of a sweep by a rule, as they are now; a run may be at work on it.

    Args:
        path: The database.

    Returns:
        The rows in alphabetical order, each with the figures of its opener.

    Raises:
        BadFileError: There is no such file, or it is none of these databases, or damaged.
        StrategyError: It is one for what is best, which ``open_exact_sweep`` reads.

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
        if store.question.rule == OPTIMAL:
            raise StrategyError(f"{path}: a sweep for what is best: open_exact_sweep reads it")
        rows = tuple(store.rows())
        asked = tuple(store.asked(row.opener for row in rows))
        return SweepTable(store.question, rows, asked, is_locked(store.path))
