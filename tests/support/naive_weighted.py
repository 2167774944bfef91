"""Brute force for exact search with weights: every guess in every state, nothing left out.

Values are the least sums of weight times guesses; ``IMPOSSIBLE`` where no strategy keeps to the
limit. A set of secrets is a tuple of words.
"""

from collections.abc import Mapping, Sequence
from functools import cache

from . import naive
from .naive_exact import legal_after

IMPOSSIBLE = 10**15
#: More guesses than any game takes.
UNLIMITED = 10**6


def weighted_values(
    guesses: Sequence[str],
    weights: Mapping[str, int],
    limit: int = UNLIMITED,
    hard: bool = False,
) -> dict[str, int]:
    """The least total after each first guess that tells anything."""
    words = tuple(guesses)

    @cache
    def buckets_of(guess: str, state: tuple[str, ...]) -> list[tuple[str, tuple[str, ...]]]:
        parts = {
            colours: tuple(secret for secret in state if naive.marks(guess, secret) == colours)
            for colours in {naive.marks(guess, secret) for secret in state}
        }
        return [(colours, part) for colours, part in parts.items() if part != (guess,)]

    @cache
    def legal(guess: str, colours: str, allowed: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(legal_after(guess, colours, allowed)) if hard else allowed

    def after(guess: str, state: tuple[str, ...], left: int, allowed: tuple[str, ...]) -> int:
        if left == 0:
            return IMPOSSIBLE
        buckets = buckets_of(guess, state)
        if len(buckets) == 1 and buckets[0][1] == state:
            return IMPOSSIBLE  # it tells nothing
        total = sum(weights[secret] for secret in state)
        for colours, bucket in buckets:
            total += best(bucket, left - 1, legal(guess, colours, allowed))
        return min(total, IMPOSSIBLE)

    @cache
    def best(state: tuple[str, ...], left: int, allowed: tuple[str, ...]) -> int:
        return min(after(guess, state, left, allowed) for guess in allowed)

    state = tuple(sorted(weights))
    values = {guess: after(guess, state, limit, words) for guess in words}
    return {
        guess: value for guess, value in values.items() if value < IMPOSSIBLE or limit < UNLIMITED
    }
