"""A small world that cannot be solved within a limit, and why: written down by brute force."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from solver.game.game import Game
from strategy.checkers.lemmas import LOSS
from strategy.checkers.proof import Proof, Refutation, Step, WrongProofError, check
from strategy.proofs.writer import statement_of

from . import naive
from .checker_twins import words_at
from .naive_proof import impossible
from .proof_worlds import alike

FEW = alike(0, 10, 6)
#: The most guesses within which not all of its secrets fall.
LIMIT = max(k for k in range(1, 9) if impossible(FEW, k, False))


def _refute(game: Game, members: tuple[int, ...], left: int, listed: list[Refutation]) -> int:
    """Write down why a set cannot be solved, if it cannot; the number of that, or -1."""
    words = words_at(game, members)
    if len(members) < 2:
        return -1
    cites: set[int] = set()
    if left > 1:
        for guess in game.guesses:
            split = naive.split(guess, words)
            if len(split) == 1:
                continue
            for bucket in split.values():
                inner = tuple(game.secrets.index(word) for word in bucket)
                number = _refute(game, inner, left - 1, listed)
                if number >= 0:
                    cites.add(number)
                    break
            else:
                return -1
    new = Refutation(members, left, tuple(sorted(cites)))
    if new not in listed:
        listed.append(new)
    return listed.index(new)


def _refutations() -> tuple[Refutation, ...]:
    found: list[Refutation] = []
    assert _refute(FEW, tuple(range(len(FEW.secrets))), LIMIT, found) == len(found) - 1
    return tuple(found)


#: That it cannot be solved within LIMIT is the last of them.
LISTED = _refutations()


def proof_with(listed: Sequence[Refutation], **stated: Any) -> Proof:
    """A proof that LIMIT cannot be kept, resting on refutations; or what else is stated."""
    statement = statement_of(FEW, "worst", LIMIT, LOSS)
    return Proof(replace(statement, **stated), None, (), tuple(listed))


def is_proved(proof: Proof, game: Game = FEW) -> bool:
    """Whether the checker accepts a proof as it is."""
    try:
        check(proof, (game.guesses, game.secrets))
    except WrongProofError:
        return False
    return True


def small_steps(proof: Proof, guesses: int, size: int) -> list[Step]:
    """All steps of a proof, so many items each."""
    counts = len(proof.refutations), len(proof.claims), guesses
    return [
        (kind, at, min(at + size, count))
        for kind, count in enumerate(counts)
        for at in range(0, count, size)
    ]
