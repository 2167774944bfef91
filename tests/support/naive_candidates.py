"""Brute force where only candidates may be guessed: every member of every state, nothing left out.

Values are pairs (losses, total), compared in this order; what is lost is played on without a limit.
"""

from collections.abc import Sequence
from functools import cache

from .naive import Grader, grade, split
from .naive_exact import UNLIMITED, Value


class OnlyCandidates:
    """The values of sets of words, and of first guesses in them."""

    def __init__(self, grader: Grader = grade) -> None:
        self._grader = grader
        self.best = cache(self._best)

    def _best(self, state: frozenset[str], left: int) -> Value:
        return min(self.after(guess, state, left) for guess in state)

    def after(
        self, guess: str, state: frozenset[str], left: int, more: Sequence[str] = ()
    ) -> Value:
        """The value of a guess, which need not be a candidate; ``more``: guesses forced behind."""
        losses, total = 0, len(state)
        for bucket in split(guess, sorted(state), self._grader).values():
            if bucket == [guess]:
                continue
            rest = frozenset(bucket)
            then = UNLIMITED if left in (1, UNLIMITED) else left - 1
            lost, taken = (
                self.after(more[0], rest, then, more[1:]) if more else self.best(rest, then)
            )
            losses += lost + (len(bucket) if left == 1 else 0)
            total += taken
        return losses, total

    def first_guesses(self, secrets: Sequence[str], left: int = UNLIMITED) -> dict[str, Value]:
        """The value of each first guess that could be the secret."""
        state = frozenset(secrets)
        return {guess: self.after(guess, state, left) for guess in sorted(state)}

    def least_worst(self, secrets: Sequence[str]) -> int:
        """The fewest guesses that always suffice."""
        left = 1
        while self.best(frozenset(secrets), left)[0]:
            left += 1
        return left
