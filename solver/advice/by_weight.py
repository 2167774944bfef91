"""What guesses of one state are expected to take where some secrets are likelier, exactly.

The exact search with weights goes through the state to its end; there is no limit on the guesses.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from ..errors import CouldNotFinishError
from ..exact.first_guesses import settle
from ..exact.kernels.lemmas import NEVER
from ..exact.problem import GuessBounds, Problem, SearchContext
from ..exact.weighted_engine import WeightedEngine
from ..exact.whole_weights import rounded_weights
from ..game.game import Game
from ..machine.arrays import Ids


class WeighedState:
    """One state of a game whose secrets have weights."""

    def __init__(
        self,
        game: Game,
        candidates: Ids,
        weights: NDArray[np.float64],
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
        few = replace(game, secrets=tuple(game.secrets[at] for at in candidates))
        whole = rounded_weights(weights.tolist())
        problem = Problem(few, hard, None, history=tuple(history), weights=whole)
        self._weight = sum(whole)
        self._context = SearchContext(problem, check_time)
        self._effort, self._check_time = effort, check_time
        self._known: dict[int, int] = {}
        engine = self._context.engine
        assert isinstance(engine, WeightedEngine)
        self._tally = engine.tally
        engine.check_time = self._check

    def _check(self) -> None:
        self._check_time()
        if self._effort is not None and self._tally.spent > self._effort:
            raise CouldNotFinishError("this state takes long to search")

    def best(self, top: int = 1) -> dict[int, float]:
        """The guesses expected to take least: so many, and whatever ties with the last."""
        state = GuessBounds(top)
        settle(state, self._context, check_time=self._check)
        self._known |= {guess: total for guess, total, exact in state.table() if exact}
        last = state.limit
        return {
            guess: total / self._weight for guess, total in self._known.items() if total <= last
        }

    def total(self, guess: int) -> float:
        """The number of guesses that is expected from this one on."""
        if guess not in self._known:
            context, column = self._context, self._context.column_of[guess]
            if context.table.parts[column] == 1 and context.table.secret[column] < 0:
                if not self._known:  # it tells nothing
                    self.best()
                self._known[guess] = self._weight + min(self._known.values())
            else:
                self._known[guess] = context.value(column, NEVER).bound
        return self._known[guess] / self._weight
