"""Databases of several machines as one."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from solver.errors import WrongInputError

from ..errors import WrongStrategyError
from ..files.output import check_apart
from .lock import locked
from .rows import OpenerRow, differing
from .store import SweepStore, check_database
from .view import SweepTable, open_sweep


def merge_sweeps(files: Sequence[str | Path], out: str | Path) -> SweepTable:
    """One database with the rows of all, made if it is not there; the others stay as they are.

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
    if not files:
        raise WrongInputError("no database is named that could be merged")
    check_apart([out], files)
    check_database(out)
    place = Path(out)
    with locked(place):
        tables = [(str(path), open_sweep(path)) for path in files]
        question = tables[0][1].question
        for name, table in tables[1:]:
            table.question.require_same(question, name)
        there = [(str(out), open_sweep(place))] if place.exists() else []
        rows: dict[str, tuple[str, OpenerRow]] = {}
        for name, table in [*there, *tables]:
            for row in table:
                before, known = rows.setdefault(row.opener, (name, row))
                if found := differing(known, row):
                    raise WrongStrategyError(
                        f"{before} and {name} differ in {row.opener!r}: {found}; one is wrong"
                    )
        with SweepStore.open(place, question) as store:
            store.ask(word for _, table in tables for word in table.asked)
            done = store.done()
            store.add(row for word, (_, row) in rows.items() if word not in done)
    return open_sweep(place)
