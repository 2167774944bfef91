"""The exact search as the oracle of proofs, and proofs of what it found."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from solver.errors import WrongInputError
from solver.exact.guess_values.engine import Engine
from solver.exact.lemmas import UNLIMITED as SEARCHED_UNLIMITED
from solver.exact.table.layout import score_table_of
from solver.exact.table.score_table import HALF, SHOWN_WORDS
from solver.game.game import Game

from ...tree import Strategy
from ..checker import bounds
from ..checker.board import alphabet_of
from ..checker.bounds import LOSS
from ..checker.check import Tell, check
from ..checker.proof_file import Proof, Statement
from .claims import prove, statement_of
from .refute import refutations_of

CheckTime = Callable[[], None]
_MEMO_BITS = 19
#: The search packs numbers of copies in so many bits each.
_COPIES = 4


class SearchOracle:
    """The exact search as the oracle of proofs: it translates states for one engine."""

    def __init__(
        self, game: Game, hard: bool, price: int, check_time: CheckTime = lambda: None
    ) -> None:
        table = score_table_of(game, hard, None, price)
        self._engine = Engine(table, _MEMO_BITS, check_time)
        self._check_time = check_time
        self._length = game.length
        self._letters = alphabet_of(game.guesses)
        self._numbers = [game.alphabet.find(letter) for letter in self._letters]
        self._spelled = {
            (place, game.guesses[guess][place]): int(spelling & places)
            for guess, spelling in zip(table.guess, table.spelling, strict=False)
            for place, places in enumerate(table.places)
            if guess >= 0
        }

    def bound(
        self, members: NDArray[np.int32], left: int, shown: NDArray[np.uint8], enough: int
    ) -> int:
        """A lower bound of the value of a state, at least ``enough`` if the value is."""
        self._check_time()
        guesses = SEARCHED_UNLIMITED if left == bounds.UNLIMITED else left
        value, _ = self._engine.value_of_state(members, guesses, self._packed(shown), enough - 1)
        return int(value.bound)

    def _packed(self, shown: NDArray[np.uint8]) -> NDArray[np.uint64]:
        """What hard mode has shown, as the search packs it: places, their letters, copies."""
        packed = [0] * SHOWN_WORDS
        places = self._engine.table.places
        for place in np.flatnonzero(shown[: self._length]):
            packed[0] |= int(places[place])
            packed[1] |= self._spelled[int(place), self._letters[shown[place] - 1]]
        for letter in np.flatnonzero(shown[self._length :]):
            number, copies = self._numbers[letter], int(shown[self._length + letter])
            packed[2 + number // HALF] |= copies << _COPIES * (number % HALF)
        return np.array(packed, dtype=np.uint64)


def prove_optimal(  # noqa: PLR0913 - 9, of which no call gives more than 6
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
    """A proof that no strategy (from ``start``, if given) is better than one that is given.

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
