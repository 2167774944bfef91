"""Databases of sweeps for what is best, from several machines, merged into one."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from solver.choices import OPTIMAL

from ...errors import WrongStrategyError
from ..merge import merge_sweeps, tables_to_merge
from ..store import question_of
from ..view import SweepTable
from .rows import ExactRow
from .store import ExactStore
from .view import ExactTable, open_exact_sweep


def merge_exact_sweeps(files: Sequence[str | Path], out: str | Path) -> ExactTable:
    """Merge databases of sweeps for what is best into one, made if it is not there.

    The others stay as they are. Of an opener that several have, the closer bounds are kept, and an
    exact value where one is; and the longest CPU time, so that a file that is merged twice counts
    once.

    Args:
        files: Databases of one question that ``sweep_optimal`` made.
        out: The database that gets their rows.

    Returns:
        The rows of it.

    Raises:
        WrongStrategyError: Two contradict each other about an opener; nothing is written then.
        BadFileError: One of them is damaged, or none.
        StrategyError: They are of different questions.
        WrongInputError: No file is named.

    >>> import tempfile
    >>> from pathlib import Path
    >>> from strategy import load_game, merge_exact_sweeps, sweep_optimal
    >>> game = load_game(["abide", "crane", "raise", "slate", "stare"])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     parts = [Path(folder) / "1.sqlite", Path(folder) / "2.sqlite"]
    ...     for number, part in enumerate(parts, 1):
    ...         _ = sweep_optimal(game, part, shard=(number, 2), workers=1)
    ...     table = merge_exact_sweeps(parts, Path(folder) / "all.sqlite")
    >>> [row.opener for row in table]
    ['abide', 'crane', 'raise', 'slate', 'stare']
    """
    with tables_to_merge(files, out, open_exact_sweep) as tables:
        found: dict[str, ExactRow] = {}
        for name, table in tables:
            for row in table:
                known = found.get(row.opener)
                try:
                    found[row.opener] = row if known is None else known.merged(row)
                except WrongStrategyError as error:
                    raise WrongStrategyError(f"{name}: {error}") from None
        with ExactStore.open(out, tables[0][1].question) as store:
            store.ask(word for _, table in tables for word in table.asked)
            store.replace(list(found.values()))
    return open_exact_sweep(out)


def merge_any_sweeps(files: Sequence[str | Path], out: str | Path) -> SweepTable | ExactTable:
    """Merge databases of exact sweeps, or of others as the first file says, into one."""
    best = bool(files) and question_of(files[0]).rule == OPTIMAL
    return merge_exact_sweeps(files, out) if best else merge_sweeps(files, out)
