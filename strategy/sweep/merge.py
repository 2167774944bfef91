"""Databases of sweeps by a rule, from several machines, merged into one."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, TypeVar

from solver.errors import WrongInputError

from ..errors import WrongStrategyError
from ..files.output import check_apart
from .lock import locked
from .rows import OpenerRow, first_difference
from .store import SweepStore, check_database
from .view import RowTable, SweepTable, open_sweep

T = TypeVar("T", bound=RowTable[Any])


def merge_sweeps(files: Sequence[str | Path], out: str | Path) -> SweepTable:
    """Merge databases of sweeps by a rule into one, made if it is not there.

    The others stay as they are.

    Args:
        files: Databases of one question: the same game, rule and version.
        out: The database that gets their rows.

    Returns:
        The rows of it.

    Raises:
        WrongStrategyError: Two have different rows for one opener; nothing is written then.
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
    with tables_to_merge(files, out, open_sweep) as tables:
        rows: dict[str, tuple[str, OpenerRow]] = {}
        for name, table in tables:
            for row in table:
                before, known = rows.setdefault(row.opener, (name, row))
                if found := first_difference(known, row):
                    raise WrongStrategyError(
                        f"{before} and {name} differ in {row.opener!r}: {found}; one is wrong"
                    )
        with SweepStore.open(out, tables[0][1].question) as store:
            store.ask(word for _, table in tables for word in table.asked)
            done = store.done()
            store.add(row for word, (_, row) in rows.items() if word not in done)
    return open_sweep(out)


@contextlib.contextmanager
def tables_to_merge(
    files: Sequence[str | Path], out: str | Path, read: Callable[[str | Path], T]
) -> Iterator[list[tuple[str, T]]]:
    """The tables of the databases to be merged, with their names: ``out`` first, if there.

    They are of one question, and nobody else writes meanwhile.
    """
    if not files:
        raise WrongInputError("no database is named that could be merged")
    check_apart([out], files)
    check_database(out)
    with locked(Path(out)):
        tables = [(str(path), read(path)) for path in files]
        if Path(out).exists():
            tables.append((str(out), read(out)))
        for name, table in tables[1:]:
            table.question.require_same(tables[0][1].question, name)
        yield [*tables[len(files) :], *tables[: len(files)]]
