"""Brute force for a second objective: every histogram that any strategy of a small world has.

A histogram says how many secrets take 1, 2, … guesses. The strategies of a state are put together
from all strategies of its buckets, so nothing is assumed about which of them matter: the best value
and then the second objective are looked up among all histograms in the end.
"""

from collections.abc import Sequence
from functools import cache

from .naive import Grader, grade, may_follow, split

Histogram = tuple[int, ...]


def added(one: Histogram, other: Histogram) -> Histogram:
    """The histogram of two sets of secrets together."""
    longer = max(len(one), len(other))
    return tuple(sum(it[at] for it in (one, other) if at < len(it)) for at in range(longer))


class Histograms:
    """The histograms of all strategies of a game whose guesses all tell something, or hit."""

    def __init__(
        self,
        guesses: Sequence[str],
        hard: bool = False,
        candidates_only: bool = False,
        grader: Grader = grade,
    ) -> None:
        self._hard, self._candidates_only, self._grader = hard, candidates_only, grader
        self._guesses = tuple(guesses)
        self.of = cache(self._of)

    def _of(
        self, state: frozenset[str], allowed: frozenset[str], start: tuple[str, ...] = ()
    ) -> frozenset[Histogram]:
        """All histograms of a state; ``start`` are guesses that are forced in it."""
        found: set[Histogram] = set()
        for guess in start[:1] or (state if self._candidates_only else allowed):
            if start or len(split(guess, sorted(state), self._grader)) > 1 or state == {guess}:
                found |= self.after(guess, state, allowed, start[1:])
        return frozenset(found)

    def after(
        self, guess: str, state: frozenset[str], allowed: frozenset[str], start: tuple[str, ...]
    ) -> frozenset[Histogram]:
        """All histograms of a state in which a guess is made."""
        found: set[Histogram] = {(int(guess in state),)}
        for bucket in split(guess, sorted(state), self._grader).values():
            if bucket == [guess]:
                continue
            then = allowed
            if self._hard:
                then = frozenset(word for word in allowed if may_follow(word, guess, bucket[0]))
            below = self.of(frozenset(bucket), then, start)
            found = {added(one, (0, *other)) for one in found for other in below}
        return frozenset(found)

    def whole(self, secrets: Sequence[str], start: Sequence[str] = ()) -> frozenset[Histogram]:
        """All histograms of a whole game."""
        return self.of(frozenset(secrets), frozenset(self._guesses), tuple(start))


def cost(objective: str, histogram: Histogram, made: int = 0) -> int:
    """What a second objective makes least, after so many guesses."""
    kind, _, guesses = objective.partition(":")
    taken = {at + made: count for at, count in enumerate(histogram, 1) if count}
    if kind == "worst":
        return max(taken)
    if kind == "most-within":
        return sum(count for at, count in taken.items() if at > int(guesses))
    return taken.get(int(guesses), 0)


def value(histogram: Histogram, limit: int | None) -> tuple[int, int]:
    """Losses and total."""
    lost = 0 if limit is None else sum(histogram[limit:])
    return lost, sum(at * count for at, count in enumerate(histogram, 1))


def best_of(
    histograms: frozenset[Histogram], objective: str, limit: int | None
) -> tuple[int, int, int]:
    """The least (losses, total, cost) of all."""
    return min((*value(it, limit), cost(objective, it)) for it in histograms)
