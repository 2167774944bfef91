"""Refutations from the search of mere possibility, put as the file has them.

Hard mode only takes guesses away, so what is impossible without it is impossible in it: the search
always looks at all guesses, and what it refutes holds in both.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from solver.exact.feasibility.limit_search import Possible
from solver.exact.table.layout import score_table_of
from solver.game.game import Game

from ..checker.proof_file import Refutation


def refutations_of(
    game: Game, limit: int, start: str = "", check_time: Callable[[], None] = lambda: None
) -> tuple[Refutation, ...]:
    """The refutations that prove that no strategy keeps to a limit; none if some may.

    All strategies begin with ``start``, if given. A single guess needs no search, and none is made.
    """
    if limit < 2:
        return ()
    search = Possible(score_table_of(game, hard=False, price=0), check_time)
    everything = np.arange(len(game.secrets), dtype=np.int32)
    if start:
        column = int(np.flatnonzero(search.table.guess == game.guess_id(start))[0])
        core = search.solve_guess(limit, everything, column)
    else:
        core = search.solve(limit, everything)
    if core is None:
        return ()
    return tuple(
        Refutation(tuple(sorted(rows)), left, tuple(sorted(set(reasons))))
        for left, rows, reasons in search.refutation(core)
    )
