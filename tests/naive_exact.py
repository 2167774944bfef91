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


def legal(guess: str, history: Sequence[tuple[str, str]]) -> bool:
    """Hard mode as the game says it: greens stay, each letter shown is used as often again."""
    for word, colours in history:
        for place, colour in enumerate(colours):
            if colour == "g" and guess[place] != word[place]:
                return False
        for letter in set(word):
            shown = sum(
                1 for w, c in zip(word, colours, strict=True) if w == letter and c != "b"
            )
            if guess.count(letter) < shown:
                return False
    return True


def values_of_guesses(
    guesses: Sequence[str], secrets: Sequence[str], limit: int = UNLIMITED, hard: bool = False
) -> dict[str, Value]:
    """The least (losses, total) after each first guess."""
    grades = {(g, s): marks(g, s) for g in guesses for s in secrets}

    def after(guess: str, state: tuple[str, ...], left: int, allowed: tuple[str, ...]) -> Value:
        buckets: dict[str, list[str]] = {}
        for secret in state:
            buckets.setdefault(grades[guess, secret], []).append(secret)
        losses, total = 0, len(state)
        for colours, bucket in buckets.items():
            if bucket == [guess]:
                continue
            narrower = allowed
            if hard:
                narrower = tuple(g for g in allowed if legal(g, [(guess, colours)]))
            lost, more = best(tuple(bucket), max(left - 1, 0), narrower)
            if left == 1:
                lost += len(bucket)
            losses, total = losses + lost, total + more
        return losses, total

    @cache
    def best(state: tuple[str, ...], left: int, allowed: tuple[str, ...]) -> Value:
        if left == 0 or left >= len(state):
            left = UNLIMITED  # lost and paid for, or not to be lost: n guesses suffice for n
        if len(state) == 1:
            return 0, 1
        found = None
        for guess in allowed:
            if len(state) > 1 and len({grades[guess, s] for s in state}) == 1:
                continue  # tells nothing: never better
            value = after(guess, state, left, allowed)
            if found is None or value < found:
                found = value
        assert found is not None
        return found

    everything = tuple(guesses)
    return {guess: after(guess, tuple(secrets), limit, everything) for guess in guesses}


def score_between(guess: str, secret: str) -> int:
    """The integer score."""
    return score_of(marks(guess, secret))
