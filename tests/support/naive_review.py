"""A game graded guess by guess, and splits by weight, by plain Python and exact fractions."""

import math
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from . import naive
from .naive import Grader
from .naive_exact import Brute


class Ahead:
    """Expected guesses without a limit; weights say how likely each secret is."""

    def __init__(
        self,
        guesses: Sequence[str],
        weights: Mapping[str, float],
        hard: bool = False,
        grader: Grader = naive.grade,
    ) -> None:
        self.weights = {word: Fraction(weight) for word, weight in weights.items()}
        self.guesses, self._hard, self._grader = tuple(guesses), hard, grader
        self._brute = Brute(guesses, [*weights], hard, grader=grader, weights=self.weights)

    def expected(self, guess: str, left: frozenset[str], legal: tuple[str, ...]) -> Fraction:
        """Of a guess: this one and all after it, on average over the secrets that are left."""
        total: Fraction = self._brute.after([guess], state=left, legal=legal)[1]
        return total / self.weight(left)

    def best(self, left: frozenset[str], legal: tuple[str, ...]) -> dict[str, Fraction]:
        """The same of the best guesses."""
        totals = self._brute.values(state=left, legal=legal)
        least = min(totals.values())
        weight = self.weight(left)
        return {guess: least[1] / weight for guess, total in totals.items() if total == least}

    def legal_after(self, legal: tuple[str, ...], guess: str, secret: str) -> tuple[str, ...]:
        if not self._hard:
            return legal
        return tuple(naive.legal_after(guess, naive.marks(guess, secret), legal))

    def after(self, played: Sequence[tuple[str, int]]) -> tuple[frozenset[str], tuple[str, ...]]:
        """The secrets that are left, and what is legal."""
        left, legal = frozenset(self.weights), self.guesses
        for guess, score in played:
            left = self.split(guess, left)[score]
            legal = self.legal_after(legal, guess, min(left))
        return left, legal

    def split(self, guess: str, left: frozenset[str]) -> dict[int, frozenset[str]]:
        found = naive.split(guess, list(left), self._grader)
        return {score: frozenset(bucket) for score, bucket in found.items()}

    def weight(self, left: frozenset[str]) -> Fraction:
        return sum((self.weights[secret] for secret in left), Fraction())


def review(
    guesses: Sequence[str],
    weights: Mapping[str, float],
    played: Sequence[tuple[str, int]],
    hard: bool = False,
    grader: Grader = naive.grade,
) -> list[dict[str, Any]]:
    """A row a guess; all secrets have a weight."""
    ahead = Ahead(guesses, weights, hard, grader)
    rows = []
    for at, (guess, score) in enumerate(played):
        left, legal = ahead.after(played[:at])
        after, following = ahead.after(played[: at + 1])
        parts = ahead.split(guess, left)
        chances = {s: ahead.weight(part) / ahead.weight(left) for s, part in parts.items()}
        expected = ahead.expected(guess, left, legal)
        best = ahead.best(left, legal)
        least = min(best.values())
        then = Fraction(0)
        if after != {guess}:
            then = min(ahead.best(after, following).values())
        rows.append({
            "word": guess, "score": score, "before": len(left), "after": len(after),
            "expected": float(expected), "best": set(best), "best_expected": float(least),
            "skill": float(100 * (1 - min(1, expected - least))),
            "extra_bits": -math.log2(chances[score]) - naive.entropy([*chances.values()]),
            "luck_guesses": float(expected - 1 - then),
        })  # fmt: skip
    return rows


def chances(weights: Mapping[str, float]) -> dict[str, Fraction]:
    total = sum((Fraction(weight) for weight in weights.values()), Fraction())
    return {word: Fraction(weight) / total for word, weight in weights.items()}


def measures(guess: str, weights: Mapping[str, float]) -> dict[str, Any]:
    """All measures of a guess over the secrets that have these weights."""
    likely = chances(weights)
    buckets = list(naive.split(guess, list(weights)).values())
    shares = [sum((likely[secret] for secret in bucket), Fraction()) for bucket in buckets]
    sizes = [len(bucket) for bucket in buckets]
    kept = sum((share * size for share, size in zip(shares, sizes, strict=True)), Fraction())
    return {
        "entropy": naive.entropy(shares),
        "remaining_bits": naive.entropy([*likely.values()]) - naive.entropy(shares),
        "expected_size": kept,
        "largest": max(sizes),
        "parts": len(sizes),
        "proportion": 1 - kept / len(weights) + likely.get(guess, Fraction()),
        "candidate": guess in weights,
    }
