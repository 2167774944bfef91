"""Three words: the best third word for two that are given, and good triples.

The third word is found exactly: every guess is tried on the joint split of the two. All triples are
too many to try (3.6 * 10^11): ``best`` starts from the best pairs and climbs, so what it finds is a
bound, except where there are so few words that every triple is tried.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import combinations
from typing import NamedTuple

import numpy as np

from ..errors import WrongInputError
from ..game.game import Game
from ..machine.pool import Pool
from ..splits.logarithms import information
from .pair_search import PairSearch, ranks_of
from .strides import Told, ignore_strides
from .third_words import NO_WEIGHT, Third, Thirds, Two

#: Up to so many triples, all are tried.
TRIPLES_TRIED = 200_000
#: The climb starts from so many of the best pairs.
STARTS = 24

Climb = Generator[Two, Third, tuple[int, list[int]]]


class Triple(NamedTuple):
    """Three guesses, and what they are worth together."""

    words: tuple[str, str, str]
    #: Fixed point, as in ``logarithms.fixed_log_weights``: exact ties are equal weights.
    weight: int
    joint_entropy: float
    remaining_bits: float
    #: One more than the number of strictly better ones among those compared.
    rank: int


@dataclass(frozen=True)
class FoundTriples:
    """Triples of guesses and how they were found."""

    triples: list[Triple]
    #: Whether every triple in question was compared.
    proved: bool
    #: Triples whose joint split was counted.
    evaluated: int
    search: str


class TripleSearch:
    """Answers questions about triples in one game; the scores are computed once.

    ``workers`` share the climb; what is found is the same.
    """

    def __init__(self, game: Game, workers: int = 1) -> None:
        self.game = game
        self.workers = workers
        self._thirds = Thirds(game)

    def thirds(self, first: str, second: str, count: int) -> FoundTriples:
        """The ``count`` best third words for two given ones: all guesses are tried."""
        given = [self.game.guess_id(first), self.game.guess_id(second)]
        if given[0] == given[1]:
            raise WrongInputError(f"the two words must differ; {first!r} is given twice")
        weights = self._thirds.weights(given)
        order = np.lexsort((np.arange(len(weights)), weights))
        order = order[~np.isin(order, given)]
        ranks = ranks_of(weights[order])
        triples = [
            self._triple([*given, int(third)], int(weights[third]), rank)
            for third, rank in zip(order[:count], ranks, strict=False)
        ]
        return FoundTriples(triples, True, len(order), "every third word tried")

    def best(self, told: Told = ignore_strides) -> FoundTriples:
        """The best triple of all where all can be tried, else the best one found by climbing."""
        guesses = len(self.game.guesses)
        if guesses * (guesses - 1) * (guesses - 2) // 6 <= TRIPLES_TRIED:
            return self._exhaustive(told)
        return self._climb(told)

    def _exhaustive(self, told: Told) -> FoundTriples:
        best: tuple[int, list[int]] | None = None
        evaluated = 0
        whole = len(self.game.guesses)
        for a in range(whole - 2):
            for b in range(a + 1, whole - 1):
                weights = self._thirds.weights([a, b], after=b)
                evaluated += len(weights)
                third = int(weights.argmin())
                if best is None or weights[third] < best[0]:
                    best = int(weights[third]), [a, b, b + 1 + third]
            told(1, whole)
        triples = [] if best is None else [self._triple(best[1], best[0], 1)]
        return FoundTriples(triples, True, evaluated, "every triple tried")

    def _climb(self, told: Told) -> FoundTriples:
        """From each of the best pairs: add the best third word, then change one word at a time.

        All climb at the same time, so that what they have to know next is shared among workers.
        """
        starts = PairSearch(self.game, workers=self.workers).best(STARTS).pairs
        climbs = [_climb([self.game.guess_id(word) for word in pair.words]) for pair in starts]
        tried: dict[Two, Third] = {}
        asked = {climb: next(climb) for climb in climbs}
        best: list[tuple[int, list[int]]] = []
        with self._thirds_of() as thirds_of:
            while asked:
                untried = sorted({two for two in asked.values() if two not in tried})
                tried.update(zip(untried, thirds_of(untried), strict=True))
                for climb in list(asked):
                    try:
                        asked[climb] = _next_untried(climb, asked[climb], tried)
                    except StopIteration as end:
                        best.append(end.value)
                        del asked[climb]
                        told(1, len(starts))
        weight, words = min(best)
        how = f"climbed from the {len(starts)} best pairs, one word changed at a time"
        evaluated = sum(third.counted for third in tried.values())
        return FoundTriples([self._triple(words, weight, 1)], False, evaluated, how)

    @contextmanager
    def _thirds_of(self) -> Iterator[Callable[[list[Two]], list[Third]]]:
        """What finds the best third word for each of some pairs, by a pool of workers if so."""
        if self.workers == 1:
            yield lambda pairs: [self._thirds.best(two) for two in pairs]
            return
        self._thirds.best((0, 1))  # compiles, once
        with Pool[Two, Third](_finder, (self._thirds,), self.workers) as pool:
            yield lambda pairs: [third for _, third in sorted(pool.run(pairs))]

    def _triple(self, ids: list[int], weight: int, rank: int) -> Triple:
        entropy, remaining = map(float, information(weight, len(self.game.secrets)))
        first, second, third = (self.game.guesses[guess] for guess in ids)
        return Triple((first, second, third), weight, entropy, remaining, rank)


def _climb(pair: list[int]) -> Climb:
    """Climb from a pair: asks for the best third words of pairs, ends with weight and triple."""
    triple, weight = pair, NO_WEIGHT
    improved = True
    while improved:
        improved = False
        for one, other in combinations(sorted(triple), 2):
            found, third, _ = yield one, other
            if found < weight:
                triple, weight, improved = sorted([one, other, third]), found, True
                break
    return weight, triple


def _next_untried(climb: Climb, two: Two, tried: dict[Two, Third]) -> Two:
    """Let a climb go on as far as is known: the pair that it asks for then."""
    while two in tried:
        two = climb.send(tried[two])
    return two


def _finder(thirds: Thirds) -> Callable[[Two], Third]:
    """What a worker answers with: the search that it inherited, or was sent the recipe of."""
    return thirds.best
