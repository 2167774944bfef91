"""What guesses of one state are expected to take where some secrets are likelier, exactly.

The exact search with weights goes through the state to its end; there is no limit on the guesses.
Weights are whole numbers there: totals are compared, and are equal, to the last digit.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import CouldNotFinishError
from ..exact.kernels.lemmas import UNLIMITED
from ..exact.kernels.memo import State, memo_of
from ..exact.kernels.score_table import revealed_by
from ..exact.kernels.search_frames import Workspace, nesting, new_stack
from ..exact.kernels.state import new_scratch, work_done
from ..exact.kernels.totals import (
    AT,
    KNOWN,
    NOBODY,
    Contest,
    enter_weighted,
    new_contest,
    settle_weighted,
)
from ..exact.kernels.weighted_states import new_weighing
from ..exact.table_layout import score_table_of
from ..exact.values import NOTHING_REVEALED
from ..exact.whole_weights import rounded_weights
from ..game.game import Game
from ..game.wordle import legal_after
from ..machine.arrays import Ids

#: The memo has 2 ** so many slots for each candidate, up to the most.
_LEAST_BITS, _MEMO_BITS = 9, 19
#: Units of work between two checks of the time limit.
_CHECK_INTERVAL = 100_000


class WeighedState:
    """One state of a game whose secrets have weights."""

    def __init__(
        self,
        game: Game,
        candidates: Ids,
        weights: NDArray[Any],
        *,
        hard: bool = False,
        history: Sequence[tuple[int, int]] = (),
        check_time: Callable[[], None] = lambda: None,
        effort: int | None = None,
    ) -> None:
        """``weights`` are those of the candidates; hard mode knows the ``history``.

        ``check_time`` is called between steps and may raise CouldNotFinishError, and so does a
        search, after units of work that ``effort`` says.
        """
        whole = np.array(rounded_weights(weights.tolist()), dtype=np.int64)
        order = np.argsort(-whole, kind="stable")  # the heaviest first, as the search wants it
        before, count = [guess for guess, _ in history], len(candidates)
        few = replace(game, secrets=tuple(game.secrets[at] for at in candidates))
        self._ids = np.arange(len(game.guesses), dtype=np.int32)
        if hard:  # only what is legal is ever of use
            self._ids = np.union1d(legal_after(game, history), before).astype(np.int32)
            few = replace(few, guesses=tuple(game.guesses[guess] for guess in self._ids))
        table = score_table_of(few, hard, order.astype(np.int32))
        bits = min(_MEMO_BITS, _LEAST_BITS + count.bit_length())
        self._work = Workspace(
            table,
            memo_of(table, bits),
            new_scratch(table, nesting(count)),
            new_stack(table),
        )
        self._weighing, self._weight = new_weighing(table, whole[order]), int(whole.sum())
        self._column_of = {
            int(self._ids[guess]): at for at, guess in enumerate(table.guess.tolist()) if guess >= 0
        }
        revealed = NOTHING_REVEALED
        if hard:
            revealed = revealed_by(table, [self._column_of[guess] for guess in before], 0)
        rows = np.arange(count, dtype=np.int32)
        self._state = State(rows, 0, count, UNLIMITED, revealed)
        self._effort, self._check_time = effort, check_time
        self._known: dict[int, int] = {}

    def best(self, top: int = 1) -> dict[int, float]:
        """The guesses expected to take least: so many, and whatever ties with the last."""
        guesses = self._work.table.guess
        every = new_contest(len(guesses), top)
        count = enter_weighted(self._work, self._weighing, self._state, every)
        contest = every._replace(
            columns=every.columns[:count], bounds=every.bounds[:count], known=every.known[:count]
        )
        self._settle(contest)
        found = (contest.known == KNOWN) & (contest.bounds <= contest.best[-1])
        names = self._ids[guesses[contest.columns[found]]].tolist()
        best = dict(zip(names, contest.bounds[found].tolist(), strict=True))
        self._known |= best
        return {guess: total / self._weight for guess, total in best.items()}

    def total(self, guess: int) -> float:
        """The number of guesses that is expected from this one on."""
        if guess not in self._known:
            table, column = self._work.table, self._column_of[guess]
            if table.parts[column] == 1 and table.secret[column] < 0:  # it tells nothing
                if not self._known:
                    self.best()
                self._known[guess] = self._weight + min(self._known.values())
            else:
                self._known[guess] = self._total(column)
        return self._known[guess] / self._weight

    def _total(self, column: int) -> int:
        contest = new_contest(1, 1)
        contest.columns[0], contest.place[AT] = column, NOBODY
        self._settle(contest)
        return int(contest.bounds[0])

    def _settle(self, contest: Contest) -> None:
        work, done = self._work, False
        while not done:
            self._check_time()
            if self._effort is not None and work_done(work.scratch) >= self._effort:
                raise CouldNotFinishError("this state takes long to search")
            done = settle_weighted(work, self._weighing, self._state, contest, _CHECK_INTERVAL)
