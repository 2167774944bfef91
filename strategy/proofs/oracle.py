"""The exact search as the oracle of proofs, and proofs of what it found."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from solver.errors import WrongInputError
from solver.exact import states
from solver.exact.engine import Engine
from solver.exact.room import game_room
from solver.game import Game

from ..tree import Strategy
from . import bounds
from .bounds import LOSS
from .file import Proof
from .write import prove, statement_of

_MEMO_BITS = 19
#: How the search packs what hard mode asks for: bits a place, bits and letters of a half.
_PLACE, _COPIES, _HALF = 5, 4, 13


class SearchOracle:
    """Asks one engine over all secrets of a game; translates states, nothing else."""

    def __init__(self, game: Game, hard: bool, price: int) -> None:
        self._engine = Engine(game_room(game, hard, None, price), _MEMO_BITS)
        self._length = game.length

    def bound(
        self, members: NDArray[np.int32], left: int, shown: NDArray[np.uint8], enough: int
    ) -> int:
        """A lower bound of a state, at least ``enough`` if its value is."""
        guesses = states.UNLIMITED if left == bounds.UNLIMITED else left
        value, _ = self._engine.value_of_state(members, guesses, self._packed(shown), enough - 1)
        return int(value.bound)

    def _packed(self, shown: NDArray[np.uint8]) -> NDArray[np.uint64]:
        """Places, their letters, and two halves of numbers of copies."""
        packed = [0, 0, 0, 0]
        for place in range(self._length):
            if shown[place]:
                packed[0] |= 31 << _PLACE * place
                packed[1] |= int(shown[place]) << _PLACE * place
        for letter, copies in enumerate(shown[self._length :]):
            packed[2 + letter // _HALF] |= int(copies) << _COPIES * (letter % _HALF)
        return np.array(packed, dtype=np.uint64)


def prove_optimal(
    game: Game,
    objective: str,
    within: int | None,
    hard: bool,
    strategy: Strategy | None,
    start: str = "",
    tell: Callable[[int], None] = lambda claims: None,
) -> Proof:
    """A proof that no strategy (from ``start``, if given) is better than this one.

    Without a strategy: that none keeps to the limit. With the objective ``worst``: that none needs
    fewer guesses at worst. Raises WrongProofError if that is not so.
    """
    limit = within or 0
    if strategy is None or objective == "worst":
        objective, value = "worst", LOSS
        limit = limit if strategy is None else strategy.worst - 1
        if limit < 1:
            raise WrongInputError("that a first guess is needed has no proof")
    else:
        lost = len(strategy.beyond(limit)) if limit else 0
        value = lost * LOSS + strategy.total
    statement = statement_of(game, objective, limit, value, start=start, hard=hard)
    oracle = SearchOracle(game, hard, statement.price)
    return prove(game, statement, strategy, oracle, tell)
