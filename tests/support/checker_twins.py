"""Lemmas of docs/proof-format.md as formulas, checkers of small worlds, one that is refuted."""

import random
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np

from solver.game.game import Game
from strategy.checkers import proof as core
from strategy.checkers.lemmas import INFINITE, LOSS, UNLIMITED
from strategy.checkers.proof import Checker, Claim, Proof, Refutation, State, WrongProofError
from strategy.proofs.writer import statement_of

from . import naive
from .naive_checker import requires_no_more
from .naive_proof import impossible
from .proof_worlds import alike, made_up

WORLD = made_up(3, 40, 24)
#: Guesses with more than 64 scores, and with more than 256.
WIDE = made_up(4, 240, 200, "aabbccddefghijklmnop", 5)
WIDEST = made_up(4, 420, 400, "aaabbcdefghijkl", 7)
LEFTS = (1, 2, 3, 4, UNLIMITED)
#: More than any guess costs, also one that tells nothing.
ENDLESS = 1 << 70


def checker_of(
    game: Game, objective: str = "total", limit: int = 0, value: int = LOSS, **named: Any
) -> Checker:
    """``named``: what else ``statement_of`` takes: hard mode, a start, which guesses."""
    statement = statement_of(game, objective, limit, value, **named)
    return Checker(statement, (game.guesses, game.secrets))


def ids(members: Iterable[int]) -> Any:
    return np.array([*members], dtype=np.int32)


def some(draw: random.Random, game: Game, least: int = 1, most: int = 99) -> tuple[int, ...]:
    count = len(game.secrets)
    return tuple(sorted(draw.sample(range(count), draw.randint(least, min(most, count)))))


def state_of(checker: Checker, members: Iterable[int], left: int, text: str = "") -> State:
    return State(ids(members), left, checker.shown_of(text) if text else checker.root.shown)


def words_at(game: Game, members: Iterable[int]) -> list[str]:
    return [game.secrets[member] for member in members]


# --- twins -------------------------------------------------------------------------------------
graded = cache(naive.grade)
graded_pegs = cache(naive.pegs)


def after(left: int) -> int:
    return UNLIMITED if left in (1, UNLIMITED) else left - 1


def lemma_1(price: int, n: int, left: int) -> int:
    return (2 * n - 1) * price + (n - 1) * LOSS * (left == 1)


def lemma_2(price: int, n: int, p: int, hit: int, left: int) -> int:
    value = (3 * n - p - hit) * price
    return value + LOSS * ((n - hit) if left == 1 else (n - p) if left == 2 else 0)


def lemma_1a(price: int, n: int, left: int, numbers: Sequence[int]) -> int:
    """``numbers``: how many candidates at most take one guess, two, three and so on."""
    depths = [at for at, number in enumerate(numbers, 1) for _ in range(min(n, number))][:n]
    assert len(depths) == n
    return sum(depths) * price + LOSS * sum(depth > left for depth in depths)


def by_parts(price: int, words: Sequence[str], guess: str, left: int) -> int:
    """Lemma 2 of a guess; INFINITE if it tells nothing (Lemma 15)."""
    parts = len(naive.split(guess, words, graded))
    if parts == 1 and [*words] != [guess]:
        return INFINITE
    return lemma_2(price, len(words), parts, guess in words, left)


def one_step(price: int, words: Sequence[str], left: int, legal: Iterable[str]) -> int:
    return min((by_parts(price, words, guess, left) for guess in legal), default=INFINITE)


def lemma_6(
    price: int,
    words: Sequence[str],
    guess: str,
    left: int,
    legal: Callable[[list[str]], Iterable[str]],
    known: Callable[[list[str]], int] = lambda bucket: 0,
) -> int:
    """``legal``: what may be guessed in a bucket; ``known``: what else is known of it."""
    total = len(words) * price
    for bucket in naive.split(guess, words, graded).values():
        if bucket == [guess]:
            continue
        best = lemma_1(price, len(bucket), after(left))
        if len(bucket) >= 3:
            best = max(best, known(bucket), one_step(price, bucket, after(left), legal(bucket)))
        total += best + len(bucket) * LOSS * (left == 1)
    return total


def known_of(claims: Iterable[Claim], asked: Claim, price: int, inside: bool = False) -> int:
    """The most that claims say of the set of another, by Lemma 14; by Lemma 13, if ``inside``."""
    best, whole = 0, {*asked.members}
    for claim in claims:
        own = {*claim.members}
        fits = own == whole or (inside and own < whole and len(own) > 1)
        if fits and claim.left >= asked.left and requires_no_more(claim.shown, asked.shown):
            best = max(best, claim.value + (len(whole) - len(own)) * price)
    return best


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


_found: list[Refutation] = []
assert _refute(FEW, tuple(range(len(FEW.secrets))), LIMIT, _found) == len(_found) - 1
#: That it cannot be solved within LIMIT is the last of them.
LISTED = tuple(_found)


def proof_with(listed: Sequence[Refutation], **stated: Any) -> Proof:
    """A proof that LIMIT cannot be kept, resting on refutations; or what else is stated."""
    statement = statement_of(FEW, "worst", LIMIT, LOSS)
    return Proof(replace(statement, **stated), None, (), tuple(listed))


def is_proved(proof: Proof, game: Game = FEW) -> bool:
    """Whether the checker accepts a proof as it is."""
    try:
        core.check(proof, (game.guesses, game.secrets))
    except WrongProofError:
        return False
    return True


def small_steps(proof: Proof, guesses: int, size: int) -> list[core.Step]:
    """All steps of a proof, so many items each."""
    counts = len(proof.refutations), len(proof.claims), guesses
    return [
        (kind, at, min(at + size, count))
        for kind, count in enumerate(counts)
        for at in range(0, count, size)
    ]
