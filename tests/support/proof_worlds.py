"""Small worlds for the tests of proofs, and proofs about them by brute force."""

import random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from solver.game.game import Game
from solver.tree import Tree
from strategy.errors import BadFileError
from strategy.files import envelope
from strategy.files.strategy_file import Origin
from strategy.proofs.checker import proof_file
from strategy.proofs.checker.check import WrongProofError, check, text_of_revealed
from strategy.proofs.checker.proof_file import Proof
from strategy.proofs.writer import prove, statement_of
from strategy.tree import Strategy

from .naive_proof import LOSS, UNLIMITED, NaiveSearch, legal_in, search_of
from .worlds import game_of


class NaiveOracle:
    """The exact search, played by brute force."""

    def __init__(self, search: NaiveSearch, game: Game) -> None:
        self._search = search
        self._game = game

    def bound(
        self, members: NDArray[np.int32], left: int, revealed: NDArray[np.uint8], enough: int
    ) -> int:
        state = tuple(self._game.secrets[member] for member in members)
        legal = legal_in(
            text_of_revealed(revealed, "".join(sorted(set("".join(self._game.guesses))))),
            self._game,
        )
        return self._search.value(state, left, legal)[0]


def made_up(seed: int, words: int, secrets: int, alphabet: str = "abcd", length: int = 3) -> Game:
    """Words so alike that one-step bounds do not reach far."""
    draw = random.Random(seed)
    found: set[str] = set()
    while len(found) < words:
        found.add("".join(draw.choice(alphabet) for _ in range(length)))
    return game_of(sorted(found), draw.sample(sorted(found), secrets))


def alike(seed: int, words: int, secrets: int) -> Game:
    """Secrets that differ in a letter, and guesses that tell two from the rest: many claims."""
    draw = random.Random(seed)
    letters = "abcdefghijklmnopqrstuvwx"[:secrets]
    hidden = [letter + "zz" for letter in letters]
    others: set[str] = set()
    while len(others) < words - secrets:
        others.add("".join(draw.sample(letters, 2)) + draw.choice("yz"))
    return game_of(hidden + sorted(others), hidden)


def strategy_of(
    game: Game, start: str = "", hard: bool = False, left: int = UNLIMITED, **head: Any
) -> Strategy:
    """A best strategy by brute force; ``head`` is what else its origin is to say."""
    columns = search_of(game.guesses, game.secrets, 1, hard).columns(left, start)
    origin = Origin.of(game, "optimal", (game.guesses[columns[0][0]],), hard=hard, **head)
    return Strategy.of_tree(game, origin, Tree.of(*columns))


def proof_of(
    game: Game, objective: str = "total", limit: int = 0, hard: bool = False, start: str = ""
) -> Proof:
    """A proof by brute force and claims."""
    search = search_of(game.guesses, game.secrets, int(objective != "worst"), hard)
    left = limit or UNLIMITED
    strategy, value = None, LOSS
    if objective != "worst":
        value = search.of_all(left, start)
        strategy = strategy_of(game, start, hard, left)
    statement = statement_of(game, objective, limit, value, start=start, hard=hard)
    return prove(game, statement, strategy, NaiveOracle(search, game))


def through_a_file(proof: Proof) -> Proof:
    packed = envelope.pack(envelope.PROOF, proof_file.to_body(proof))
    return proof_file.from_body(envelope.unpack(packed, "proof")[1], "proof")


def holds(proof: Proof, game: Game) -> bool:
    """Whether the checker accepts a proof, after it has been through a file."""
    try:
        check(through_a_file(proof), game.guesses, game.secrets)
    except (WrongProofError, BadFileError):
        return False
    return True
