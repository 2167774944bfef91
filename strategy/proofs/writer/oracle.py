"""The exact search as the oracle of proofs, and proofs of what it found."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from solver.errors import WrongInputError
from solver.exact.guess.engine import Engine
from solver.exact.state.bounds import UNLIMITED as SEARCHED_UNLIMITED
from solver.exact.table.layout import score_table_of
from solver.game.game import Game

from ...tree import Strategy
from ..checker import bounds
from ..checker.bounds import LOSS
from ..checker.check import Tell, check
from ..checker.proof_file import Proof, Statement
from .claims import prove, statement_of
from .refute import refutations_of

CheckTime = Callable[[], None]
_MEMO_BITS = 19
#: How the search packs what hard mode asks for: bits a place, bits and letters of a half.
_PLACE, _COPIES, _HALF = 5, 4, 13


class SearchOracle:
    """Asks one engine over all secrets of a game; translates states, nothing else."""

    def __init__(
        self, game: Game, hard: bool, price: int, check_time: CheckTime = lambda: None
    ) -> None:
        self._engine = Engine(score_table_of(game, hard, None, price), _MEMO_BITS, check_time)
        self._check_time = check_time
        self._length = game.length

    def bound(
        self, members: NDArray[np.int32], left: int, shown: NDArray[np.uint8], enough: int
    ) -> int:
        """A lower bound of a state, at least ``enough`` if its value is."""
        self._check_time()
        guesses = SEARCHED_UNLIMITED if left == bounds.UNLIMITED else left
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


def prove_optimal(  # noqa: PLR0913 - the question by its parts, and who works on it
    game: Game,
    objective: str,
    within: int | None,
    hard: bool,
    strategy: Strategy | None,
    start: str = "",
    tell: Tell = lambda new, whole: None,
    workers: int = 1,
    check_time: CheckTime = lambda: None,
) -> Proof:
    """A proof that no strategy (from ``start``, if given) is better than this one.

    Without a strategy: that none keeps to the limit. With the objective ``worst``: that none needs
    fewer guesses at worst. Whatever is returned has been checked; ``tell`` counts the steps of
    that, and ``workers`` share them where the proof consists of refutations. Raises
    WrongProofError if there is no such proof, and whatever ``check_time`` raises on the way.
    """

    def step(new: int, whole: int) -> None:
        check_time()
        tell(new, whole)

    if strategy is None or objective == "worst":
        limit = within if strategy is None else strategy.worst - 1
        statement = statement_of(game, "worst", limit or 0, LOSS, start=start, hard=hard)
        return _prove_impossible(game, statement, strategy, step, workers, check_time)
    limit = within or 0
    lost = len(strategy.beyond(limit)) if limit else 0
    value = lost * LOSS + strategy.total
    statement = statement_of(game, objective, limit, value, start=start, hard=hard)
    oracle = SearchOracle(game, hard, statement.price, check_time)
    return prove(game, statement, strategy, oracle, step)


def _prove_impossible(
    game: Game,
    statement: Statement,
    strategy: Strategy | None,
    tell: Tell,
    workers: int,
    check_time: CheckTime,
) -> Proof:
    """By refutations, or by claims where only hard mode makes it impossible."""
    limit, start, hard = statement.limit, statement.start, statement.hard
    if limit < 1:
        raise WrongInputError("that a first guess is needed has no proof")
    refutations = refutations_of(game, limit, start, check_time)
    if not refutations:
        oracle = SearchOracle(game, hard, statement.price, check_time)
        return prove(game, statement, strategy, oracle, tell)
    proof = Proof(statement, (), strategy, refutations)
    check(proof, game.guesses, game.secrets, tell, workers)
    return proof
