"""Brute force for the tests of proofs: the value of every state, and a strategy that attains it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from .naive import grade, may_follow, split

LOSS = 1 << 32
UNLIMITED = 1 << 20


class NaiveSearch:
    """Values as in the proofs: guesses at their price, and LOSS beyond the limit."""

    def __init__(
        self, guesses: Sequence[str], secrets: Sequence[str], price: int = 1, hard: bool = False
    ) -> None:
        self.guesses, self.secrets = tuple(guesses), tuple(secrets)
        self.price, self.hard = price, hard
        self.value = cache(self._value)

    def _value(self, state: tuple[str, ...], left: int, legal: tuple[str, ...]) -> tuple[int, str]:
        """The least value, and the first guess that attains it."""
        return min((self.of_guess(state, left, legal, guess), guess) for guess in legal)

    def of_guess(
        self, state: tuple[str, ...], left: int, legal: tuple[str, ...], guess: str
    ) -> int:
        """The value of a state once a guess is made in it."""
        buckets = [b for b in split(guess, state).values() if b != [guess]]
        if buckets == [list(state)]:
            return 1 << 60  # tells nothing
        total = len(state) * self.price
        for bucket in buckets:
            total += len(bucket) * LOSS * (left == 1)
            then = UNLIMITED if left in (1, UNLIMITED) else left - 1
            total += self.value(tuple(bucket), then, self.legal(legal, guess, bucket[0]))[0]
        return total

    def legal(self, legal: tuple[str, ...], guess: str, secret: str) -> tuple[str, ...]:
        """What may be guessed next."""
        if not self.hard:
            return legal
        return tuple(word for word in legal if may_follow(word, guess, secret))

    def columns(self, left: int, start: str = "") -> tuple[list[int], list[int], list[int]]:
        """A best strategy as guess, parent and score of its nodes."""
        nodes: tuple[list[int], list[int], list[int]] = ([], [], [])
        todo = [(self.secrets, left, self.guesses, 0, 0)]
        while todo:
            state, left, legal, parent, score = todo.pop()
            guess = start if start and not nodes[0] else self.value(state, left, legal)[1]
            node = len(nodes[0])
            for column, entry in zip(
                nodes, (self.guesses.index(guess), parent, score), strict=True
            ):
                column.append(entry)
            then = UNLIMITED if left in (1, UNLIMITED) else left - 1
            for number, bucket in split(guess, state).items():
                if bucket != [guess]:
                    below = self.legal(legal, guess, bucket[0])
                    todo.append((tuple(bucket), then, below, node, number))
        return nodes


__all__ = ["LOSS", "UNLIMITED", "NaiveSearch", "grade"]
