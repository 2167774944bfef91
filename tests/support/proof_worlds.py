"""Small worlds for the tests of proofs, and proofs about them by brute force."""

import random
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from solver.game.game import Game
from solver.tree import Tree
from strategy.checkers import proof as core
from strategy.checkers.lemmas import alphabet_of
from strategy.checkers.proof import Proof, WrongProofError, check, words_of
from strategy.errors import BadFileError, StrategyError
from strategy.files.strategy_file import Origin
from strategy.proofs import proof_file
from strategy.proofs.writer import _text_of, prove, statement_of
from strategy.tree import Strategy

from .forged_proofs import forged, sealed, unsealed
from .naive_checker import NaiveChecker
from .naive_proof import LOSS, UNLIMITED, NaiveSearch, all_true, legal_in, pool_of, search_of
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
        legal = legal_in(_text_of(revealed, alphabet_of(self._game.guesses)), self._game)
        return self._search.value(state, left, legal)


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


def told_apart(seed: int, words: int = 8, more: int = 3, others: int = 5) -> Game:
    """Secrets that differ in a letter, some that tell these apart, and guesses that do it better.

    So it costs something to guess secrets only, and still more to guess candidates only.
    """
    draw = random.Random(seed)
    letters = "abcdefghijklmnopqrstuvwx"[:words]
    hidden = {letter + "zz" for letter in letters}
    hidden |= {"".join(draw.sample(letters, 2)) + draw.choice("yz") for _ in range(more)}
    telling = {"".join(draw.sample(letters, 3)) for _ in range(others)}
    return game_of(sorted(hidden | telling), sorted(hidden))


def strategy_of(
    game: Game, start: str = "", hard: bool = False, left: int = UNLIMITED, **head: Any
) -> Strategy:
    """A best strategy by brute force; ``head`` is what else its origin is to say."""
    guess_from = head.get("guess_from", "allowed")
    search = search_of(game, 1, hard, guess_from, start)
    columns = search.columns(left, start)
    tree = Tree.of(*columns).renamed([game.guess_id(word) for word in search.guesses])
    origin = Origin.of(game, "optimal", (game.guesses[tree.guess[0]],), hard=hard, **head)
    return Strategy.of_tree(game, origin, tree)


def proof_of(
    game: Game,
    objective: str = "total",
    limit: int = 0,
    hard: bool = False,
    start: str = "",
    guess_from: str = "allowed",
) -> Proof:
    """A proof by brute force and claims."""
    search = search_of(game, int(objective != "worst"), hard, guess_from, start)
    left = limit or UNLIMITED
    strategy, value = None, LOSS
    if objective != "worst":
        value = search.of_all(left, start)
        strategy = strategy_of(game, start, hard, left, guess_from=guess_from)
    statement = statement_of(
        game, objective, limit, value, start=start, hard=hard, guess_from=guess_from
    )
    return prove(game, statement, strategy, NaiveOracle(search, pool_of(game, guess_from, start)))


def plan_of(proof: Proof) -> Strategy:
    """The strategy of a proof."""
    assert proof.strategy is not None
    return Strategy.of_file(proof.strategy)


def through_a_file(proof: Proof) -> Proof:
    return proof_file.from_bytes(proof_file.to_bytes(proof), "proof")


def lists_of(game: Game) -> tuple[tuple[str, ...] | None, tuple[str, ...] | None]:
    """What the checker is given: words; of codes it knows which there are."""
    return (game.guesses, game.secrets) if game.spec == "wordle" else (None, None)


def holds(proof: Proof, game: Game) -> bool:
    """Whether the checker accepts a proof, after it has been through a file."""
    try:
        check(through_a_file(proof), lists_of(game))
    except StrategyError:
        return False
    return True


def judge(game: Game, body: dict[str, Any], seed: int, count: int) -> None:
    """Of so many forgeries of a body: whatever passes is true, all that it says.

    The other checker says the same, where the form is right and the strategy is.
    """
    for content in forged(sealed(body), count, str(seed)):
        try:
            proof = proof_file.from_bytes(content, "forged")
            core.check_form(proof)
            core.check_strategy(proof, words_of(proof.statement, lists_of(game)))
        except (WrongProofError, BadFileError):
            continue
        passes = holds(proof, game)
        assert NaiveChecker(unsealed(content), game).accepts() == passes
        assert not passes or all_true(proof, game)


def stated(proof: Proof, **changes: Any) -> Proof:
    """A proof whose statement says something else."""
    return replace(proof, statement=replace(proof.statement, **changes))


def one_changed(name: str, proof: Proof, number: int, **changes: Any) -> Proof:
    """A proof of which one claim, or one refutation, says something else."""
    listed = list(getattr(proof, name))
    listed[number] = listed[number]._replace(**changes)
    fields: Any = {name: tuple(listed)}
    return replace(proof, **fields)


claim_with, refutation_with = (partial(one_changed, name) for name in ("claims", "refutations"))


def inflated(proof: Proof, more: int = 1) -> Proof:
    """A proof whose claims all say more."""
    return replace(proof, claims=tuple(it._replace(value=it.value + more) for it in proof.claims))
