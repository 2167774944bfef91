"""Three guesses: the best third word after two that are given, and good triples.

The third word is found exactly: every guess is tried on the joint split of the two. All triples are
too many to try (3.6 * 10^11): ``best`` starts from the best pairs and climbs, so what it finds is a
bound, except where there are so few words that every triple is tried.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from operator import attrgetter
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..errors import WrongInputError
from ..game.game import Game
from ..machine.pool import Pool
from ..shown import ShownRows, record_of
from ..splits.joint_splits import SEGMENTS, Blocks, Partition, joint_measures, partition_by
from ..splits.measures import Costs, Places, fixed_log_weights, information
from .letter_bounds import LetterBounds, answer_questions, questions_about
from .pairs import PairSearch, Progress, letters_of, no_progress, ranks_of, slack_of

# ---- The best third word for two
#
# Two words split the secrets into blocks; what a third one tells beyond them is at most what its
# questions about letters tell beyond them one by one (see ``letter_bounds``, where A is one word:
# the proof asks nothing of A but that it splits the secrets). So guesses are taken by that bound,
# those that may tell most first, and the others need not be counted once it is above the best
# weight.

#: How many guesses are counted between two looks at the bound: first, and at most.
_FIRST, _MOST = 16, 1024
#: Above every weight.
NO_WEIGHT = 1 << 62

#: Two guesses, in order.
Two = tuple[int, int]


class Third(NamedTuple):
    """The best third guess for two: the weight of the three, and how many had to be counted."""

    weight: int
    guess: int
    counted: int


class Thirds:
    """Finds third words in one game; the scores are computed once."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.scores: NDArray[Any] = game.all_scores()
        self._log_weights = fixed_log_weights(len(game.secrets))

    def __reduce__(self) -> tuple[Any, ...]:
        """Travel as a recipe: rebuilding the scores is faster than sending them."""
        return Thirds, (self.game,)

    @cached_property
    def _questions(self) -> LetterBounds:
        everyone = np.arange(len(self.game.guesses), dtype=np.int32)
        return questions_about(*letters_of(self.game, everyone))

    def weights(self, two: Sequence[int], after: int = -1) -> Costs:
        """The joint weight of two guesses with every guess ``after`` one of them."""
        return self._counted(self.scores[after + 1 :], self._partition(two))

    def best(self, two: Two) -> Third:
        """The best third guess for two, the first one of equals."""
        partition = self._partition(two)
        leasts = self._leasts(partition)
        leasts[list(two)] = NO_WEIGHT
        order = np.argsort(leasts, kind="stable")[: len(leasts) - len(two)]
        leasts = leasts[order]
        best, third = NO_WEIGHT, -1
        done, more = 0, _FIRST
        while done < (still_open := int(np.searchsorted(leasts, best, side="right"))):
            some = order[done : min(done + more, still_open)]
            weights = self._counted(self.scores[some], partition)
            least = int(weights.min())
            first = int(some[weights == least].min())
            best, third = min((best, third), (least, first))
            done, more = done + len(some), min(_MOST, 4 * more)
        return Third(best, third, done)

    def _partition(self, two: Sequence[int]) -> Partition:
        return partition_by([self.scores[guess] for guess in two])

    def _counted(self, rows: NDArray[Any], partition: Partition) -> Costs:
        return joint_measures(rows, partition, self.game.n_scores).weights

    def _leasts(self, partition: Partition) -> Costs:
        """Lower bounds of the weight of some words with each guess; all 0 without letters."""
        questions = self._questions
        if not questions.codes.shape[1]:
            return np.zeros(len(self.game.guesses), dtype=np.int64)
        blocks, count = _as_blocks(partition), len(partition.starts) - 1
        answer_questions(blocks, count, questions, self._log_weights)
        known = questions.known[0]
        sizes = np.diff(partition.starts.astype(np.int64))
        together = int(self._log_weights[sizes].sum())
        gains = (together - known)[questions.per_letter].sum(axis=1)
        return np.asarray(together - questions.beyond - gains - self._slack, dtype=np.int64)

    @cached_property
    def _slack(self) -> int:
        """How far rounded weights may put a bound too high."""
        return slack_of(len(self.game.secrets), max(2, self._questions.codes.shape[1]))


def _as_blocks(partition: Partition) -> Blocks:
    """A partition as kernels of pairs take it, in one segment."""
    nothing: Places = np.zeros(0, dtype=np.uint32)
    cuts = np.full(SEGMENTS + 1, max(0, len(partition.starts) - 1), dtype=np.uint32)
    cuts[0] = 0
    return Blocks(*(nothing,) * 4, partition.members, partition.starts, cuts)


# ---- Good triples, by climbing

#: Up to so many triples, all are tried.
TRIPLES_TRIED = 200_000
#: The climb starts from so many of the best pairs.
STARTS = 24

Climb = Generator[Two, Third, tuple[int, list[int]]]


class Triple(NamedTuple):
    """Three guesses, and what they are worth together."""

    words: tuple[str, str, str]
    #: Fixed point, as in ``measures.fixed_log_weights``: exact ties are equal weights.
    weight: int
    joint_entropy: float
    remaining_bits: float
    #: One more than the number of strictly better ones among those compared.
    rank: int


@dataclass(frozen=True, repr=False)
class FoundTriples(ShownRows):
    """Triples of guesses and how they were found."""

    triples: list[Triple]
    #: Whether every triple in question was compared.
    proved: bool
    #: Triples whose joint split was counted.
    evaluated: int
    search: str

    def _line(self) -> str:
        best = f"{'+'.join(self.triples[0].words)}, " if self.triples else ""
        label = "proved" if self.proved else "bound"
        return f"{best}{label}; {self.evaluated:,} triples counted"

    def _records(self) -> list[dict[str, Any]]:
        return [record_of(triple) for triple in self.triples]


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
            raise WrongInputError(f"the two words must be different; {first!r} is given twice")
        weights = self._thirds.weights(given)
        order = np.lexsort((np.arange(len(weights)), weights))
        order = order[~np.isin(order, given)]
        ranks = ranks_of(weights[order])
        triples = [
            self._triple([*given, int(third)], int(weights[third]), rank)
            for third, rank in zip(order[:count], ranks, strict=False)
        ]
        return FoundTriples(triples, True, len(order), "all third words were tried")

    def best(self, progress: Progress = no_progress) -> FoundTriples:
        """The best triple of all where all can be tried, else the best one found by climbing."""
        guesses = len(self.game.guesses)
        if guesses * (guesses - 1) * (guesses - 2) // 6 <= TRIPLES_TRIED:
            return self._exhaustive(progress)
        return self._climb(progress)

    def _exhaustive(self, progress: Progress) -> FoundTriples:
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
            progress(1, whole)
        triples = [] if best is None else [self._triple(best[1], best[0], 1)]
        return FoundTriples(triples, True, evaluated, "all triples were tried")

    def _climb(self, progress: Progress) -> FoundTriples:
        """From each of the best pairs: add the best third word, then change one word at a time.

        All climb at the same time, so that what they have to know next is shared among workers.
        """
        starts = PairSearch(self.game, workers=self.workers).best(STARTS).pairs
        climbs = [_climb([self.game.guess_id(word) for word in pair.words]) for pair in starts]
        tried: dict[Two, Third] = {}
        wanted_by = {climb: next(climb) for climb in climbs}
        best: list[tuple[int, list[int]]] = []
        with self._thirds_of() as thirds_of:
            while wanted_by:
                untried = sorted({two for two in wanted_by.values() if two not in tried})
                tried.update(zip(untried, thirds_of(untried), strict=True))
                for climb in list(wanted_by):
                    try:
                        wanted_by[climb] = _next_untried(climb, wanted_by[climb], tried)
                    except StopIteration as end:
                        best.append(end.value)
                        del wanted_by[climb]
                        progress(1, len(starts))
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
        with Pool[Two, Third](attrgetter("best"), (self._thirds,), self.workers) as pool:
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
