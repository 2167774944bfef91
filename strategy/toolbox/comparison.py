"""Two strategies compared: where they differ, and how many more guesses one takes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from solver.shown import ShownRows

from ..errors import StrategyError
from ..tree import Strategy

#: Guesses and scores that lead to a state.
Steps = tuple[tuple[str, int], ...]


class NotComparableError(StrategyError):
    """Two strategies for games that have nothing in common."""


@dataclass(frozen=True)
class Divergence:
    """A state that both strategies come to by the same guesses, and guess differently in."""

    state: Steps
    #: What the first and the second guess there.
    guesses: tuple[str, str]
    #: The secrets that both may meet there, and what these take.
    n_secrets: int
    totals: tuple[int, int]
    #: Most guesses for one of these secrets, those before this state included.
    worsts: tuple[int, int]


@dataclass(frozen=True, repr=False)
class Comparison(ShownRows):
    """What two strategies have in common and where they differ."""

    #: For each secret of both: the guesses that it takes in the first and in the second.
    taken: dict[str, tuple[int, int]]
    #: Secrets of the first alone, and of the second alone, in alphabetical order.
    alone: tuple[list[str], list[str]]
    #: Where they part, the shortest states first.
    partings: list[Divergence]

    def _line(self) -> str:
        totals = " and ".join(f"{total:,}" for total in self.totals) if self.taken else "nothing"
        return (
            f"{len(self.taken):,} secrets of both, totals {totals}; "
            f"{len(self.different):,} take other numbers of guesses"
        )

    def _records(self) -> list[dict[str, Any]]:
        return [
            {"secret": word, "first": first, "second": second}
            for word, (first, second) in self.taken.items()
        ]

    @property
    def totals(self) -> tuple[int, int]:
        """Guesses by each strategy over the secrets of both."""
        firsts, seconds = zip(*self.taken.values(), strict=True)
        return sum(firsts), sum(seconds)

    @property
    def worsts(self) -> tuple[int, int]:
        """Most guesses by each strategy for one of the secrets of both."""
        firsts, seconds = zip(*self.taken.values(), strict=True)
        return max(firsts), max(seconds)

    @property
    def means(self) -> tuple[float, float]:
        """Guesses by each strategy for one of the secrets of both, on average."""
        first, second = self.totals
        return first / len(self.taken), second / len(self.taken)

    @cached_property
    def different(self) -> dict[str, tuple[int, int]]:
        """The secrets that do not take both strategies equally many guesses."""
        return {word: pair for word, pair in self.taken.items() if pair[0] != pair[1]}

    @cached_property
    def differences(self) -> dict[int, int]:
        """How many secrets take so many more guesses in the second (fewer, below zero)."""
        counts = Counter(second - first for first, second in self.taken.values())
        return dict(sorted(counts.items()))

    @property
    def same(self) -> bool:
        """Whether the two strategies make the same guesses."""
        return not self.partings and not any(self.alone)


def compare(first: Strategy, second: Strategy) -> Comparison:
    """Where two strategies for the same game differ, and what that costs.

    They are compared over the secrets that both solve.

    Args:
        first: One strategy.
        second: The other.

    Returns:
        Totals and worst cases of both, how many secrets take how many guesses more or fewer, and
        the states at which they part.

    Raises:
        NotComparableError: Their games have nothing in common.

    >>> from strategy import Settings, compare, load_game, solve
    >>> game = load_game(["abide", "crane", "raise", "slate", "stare"])
    >>> one, other = (solve(game, Settings(start=w)).strategy for w in ("crane", "abide"))
    >>> found = compare(one, other)
    >>> found.totals, found.partings[0].guesses, found.differences
    ((9, 11), ('crane', 'abide'), {-1: 1, 0: 1, 1: 3})
    """
    if first.origin.game != second.origin.game or len(first.words[0]) != len(second.words[0]):
        games = (f"{x.origin.game} with words of {len(x.words[0])}" for x in (first, second))
        raise NotComparableError(f"they are for different games: {' and '.join(games)}")
    common = [word for word in first.solved_at if word in second.solved_at]
    if not common:
        raise NotComparableError("the strategies have no secret in common")
    taken = {
        word: (first.depth[first.solved_at[word]], second.depth[second.solved_at[word]])
        for word in common
    }
    alone = (
        [word for word in first.solved_at if word not in taken],
        [word for word in second.solved_at if word not in taken],
    )
    partings = sorted(_partings(first, second, taken), key=lambda each: len(each.state))
    return Comparison(taken, alone, partings)


def _partings(
    first: Strategy, second: Strategy, taken: dict[str, tuple[int, int]]
) -> Iterator[Divergence]:
    """The states where they part, those of a smaller score first."""
    below = first.children(), second.children()
    todo = [(0, 0)]
    while todo:
        one, other = todo.pop()
        words = first.words[first.guess[one]], second.words[second.guess[other]]
        if words[0] == words[1]:
            known = {second.score[node]: node for node in below[1][other]}
            after = [(node, known.get(first.score[node])) for node in below[0][one]]
            todo += [(node, too) for node, too in reversed(after) if too is not None]
            continue
        met = [taken[word] for word in first.secrets_below(one) if word in taken]
        met_too = set(second.secrets_below(other))
        assert len(met) == sum(word in met_too for word in taken)
        if met:
            firsts, seconds = zip(*met, strict=True)
            yield Divergence(
                tuple(first.history_of(one)), words, len(met),
                (sum(firsts), sum(seconds)), (max(firsts), max(seconds)),
            )  # fmt: skip
