"""Brute force for the exact search: every guess in every state, nothing left out.

Values are pairs (losses, total), compared in this order: with a limit, a secret that takes more
guesses is lost, and the game goes on until it is solved.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from .naive import marks, score_of

#: No limit on the guesses.
UNLIMITED = 10**9
Value = tuple[int, int]
NOTHING_FOUND = (UNLIMITED, UNLIMITED)


def legal(guess: str, history: Sequence[tuple[str, str]]) -> bool:
    """Hard mode as the game says it: greens stay, each letter shown is used as often again."""
    for word, colours in history:
        for place, colour in enumerate(colours):
            if colour == "g" and guess[place] != word[place]:
                return False
        for letter in set(word):
            shown = sum(1 for w, c in zip(word, colours, strict=True) if w == letter and c != "b")
            if guess.count(letter) < shown:
                return False
    return True


def values_of_guesses(
    guesses: Sequence[str], secrets: Sequence[str], limit: int = UNLIMITED, hard: bool = False
) -> dict[str, Value]:
    """The least (losses, total) after each first guess."""
    grades = {(g, s): marks(g, s) for g in guesses for s in secrets}

    def after(
        guess: str, state: tuple[str, ...], left: int, allowed: tuple[str, ...], found: Value
    ) -> Value:
        """The value of a guess, or anything from ``found`` on if it is no better than that."""
        buckets: dict[str, list[str]] = {}
        for secret in state:
            buckets.setdefault(grades[guess, secret], []).append(secret)
        buckets = {c: bucket for c, bucket in buckets.items() if bucket != [guess]}
        if len(buckets) == 1 and len(state) > 1 and len(*buckets.values()) == len(state):
            return NOTHING_FOUND  # tells nothing: only worse
        losses = sum(map(len, buckets.values())) if left == 1 else 0
        total = len(state) + sum(2 * len(bucket) - 1 for bucket in buckets.values())
        for colours, bucket in sorted(buckets.items(), key=lambda item: -len(item[1])):
            if (losses, total) >= found:
                break
            narrower = allowed
            if hard:
                narrower = tuple(g for g in allowed if legal(g, [(guess, colours)]))
            lost, more = best(tuple(bucket), max(left - 1, 0), narrower)
            losses, total = losses + lost, total + more - (2 * len(bucket) - 1)
        return losses, total

    @cache
    def best(state: tuple[str, ...], left: int, allowed: tuple[str, ...]) -> Value:
        if left == 0 or left >= len(state):
            left = UNLIMITED  # lost and paid for, or not to be lost: n guesses suffice for n
        if len(state) == 1:
            return 0, 1
        found = NOTHING_FOUND
        for guess in allowed:
            found = min(found, after(guess, state, left, allowed, found))
        return found

    everything = tuple(guesses)
    return {
        guess: after(guess, tuple(secrets), limit, everything, NOTHING_FOUND) for guess in guesses
    }


def score_between(guess: str, secret: str) -> int:
    """The integer score."""
    return score_of(marks(guess, secret))
