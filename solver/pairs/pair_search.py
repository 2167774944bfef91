"""The best, the worst and the ranks of unordered pairs of guesses, by joint entropy, exactly.

A pair is worth what both its scores tell together: the smaller the joint *weight* W(A, B) (see
``letter_bounds``), the higher the joint entropy. Of 84 million pairs almost none is ever counted
out. With the guesses sorted by their own weights, best first, a pair is dropped as soon as one of
these lower bounds is above the weight of the worst pair still wanted:

1. W(A, B) >= W(A) + W(B) - N log2(N), because H(A, B) <= H(A) + H(B): entropy is subadditive
   (Shannon 1948, section 6). Sorted guesses make this the end of the row, and a row without a pair
   the end of the search.
2. (one) of ``letter_bounds``: B asks about a letter at a place of which A tells much already. For a
   run of Bs the letters that must not be at places are a set of bits: most Bs fall to a few ANDs.
3. (all) of ``letter_bounds``, for a B without repeated letters.
4. What is left is evaluated one by one: by (all) for a B that has some, then by counting, block
   after block of A, until it is above the wanted weight. What the blocks to come add is bounded by
   (all) and (least), restricted to them: a part of the secrets is a game of its own.

For the worst pairs, and to count all that are better than a named one, upper bounds help as well:
W(A, B) <= W(A), and (least) of ``letter_bounds``. Where these bounds leave many pairs, because the
named one is middling, partners are counted by a tree of their letters: see ``count_tree``.

Logarithms are rounded to fixed point, so a bound may be off by as much as the weights in it: a
weight differs from the true one by at most N log2(N) / 2 units, since the logarithm of k <= N is a
sum of at most log2(N) rounded ones. Bounds get twice that for each pair of weights as slack; the
weights that are compared and shown are the same integers for equal splits, so ties are exact.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ..errors import WrongInputError
from ..game.game import Game
from ..game.score_matrix import Scores
from ..machine.rows import Ids
from ..splits.joint_splits import joint_measures, partition_by
from ..splits.logarithms import Costs, information
from .best_pairs import BestPairs
from .guesses_by_weight import Field, wanted_pairs
from .pair_scan import Wanted
from .rank_count import count_within
from .strides import Told, ignore_strides, search_all


class Pair(NamedTuple):
    """An unordered pair of guesses, in alphabetical order, and what it is worth."""

    words: tuple[str, str]
    #: Fixed point, as in ``logarithms.fixed_log_weights``: exact ties are equal weights.
    weight: int
    joint_entropy: float
    remaining_bits: float
    #: One more than the number of pairs that are strictly better (of those ranked).
    rank: int


@dataclass(frozen=True)
class RankedPairs:
    """Pairs of guesses in the order asked for, and the work it took."""

    pairs: list[Pair]
    #: Pairs evaluated one by one: their joint split counted, wholly or until they were out.
    evaluated: int
    #: All pairs there are.
    pairs_in_all: int


class PairSearch:
    """Answers questions about the pairs of one game; the scores are computed once.

    ``workers`` is how many processes share the work where there is much; what is answered is the
    same.
    """

    def __init__(self, game: Game, *, both_secrets: bool = False, workers: int = 1) -> None:
        self.game = game
        self.workers = workers
        self.field = Field(game, both_secrets)
        self.scores: Scores = self.field.scores
        self.pairs_in_all = self.field.pairs_in_all
        ids = game.secret_ids.tolist() if both_secrets else range(len(game.guesses))
        self._row_of = {guess: row for row, guess in enumerate(ids)}

    # --- questions ------------------------------------------------------------------------

    def best(self, count: int, told: Told = ignore_strides) -> RankedPairs:
        """The ``count`` best pairs; equal ones in alphabetical order."""
        search = BestPairs(self.field, min(count, self.pairs_in_all))
        wanted = search.search(told, self.workers) if len(search.wanted.kept) else search.wanted
        return self._ranking(wanted, ranks_of(wanted.kept[:, 0]))

    def worst(self, count: int, told: Told = ignore_strides) -> RankedPairs:
        """The ``count`` worst pairs, the very worst last; ranks count from the best pair."""
        wanted = wanted_pairs(min(count, self.pairs_in_all))
        if not len(wanted.kept):
            return self._ranking(wanted, [])
        scanner = self.field.scanners(worst=True)  # few have to be looked at: one process does it
        search_all(scanner(wanted), len(self.field), told)
        as_bad = wanted_pairs(0, int(wanted.kept[-1, 0]))  # as any of these, kept or not
        search_all(scanner(as_bad), len(self.field), ignore_strides)
        np.negative(wanted.kept[::-1].copy(), out=wanted.kept)
        weights = wanted.kept[:, 0]
        better = np.searchsorted(weights, weights, side="left") - len(weights)
        better[weights == weights[0]] = -int(as_bad.tally[1])
        ranks = [self.pairs_in_all + int(number) + 1 for number in better]
        wanted.tally[0] += as_bad.tally[0]
        return self._ranking(wanted, ranks)

    def ranked(self, first: str, second: str, told: Told = ignore_strides) -> RankedPairs:
        """One named pair with its rank among all."""
        a, b = self._guess(first), self._guess(second)
        if a == b:
            raise WrongInputError(f"a pair is two words; {first!r} is given twice")
        row = self.scores[self._row_of[a]]
        other = self.scores[self._row_of[b]][None, :]
        joint = joint_measures(other, partition_by([row]), self.game.n_scores)
        weight = int(joint.weights[0])
        evaluated, better = count_within(self.field, weight - 1, told, self.workers)
        pair = self._pair(a, b, weight, better + 1)
        return RankedPairs([pair], evaluated, self.pairs_in_all)

    def partners(self, word: str) -> RankedPairs:
        """Every pair that has this word in it, best first."""
        guess = self._guess(word)
        partition = partition_by([self.scores[self._row_of[guess]]])
        weights = joint_measures(self.scores, partition, self.game.n_scores).weights
        others = np.flatnonzero(self._ids_by_row() != guess)
        order = others[np.lexsort((others, weights[others]))]
        ids = self._ids_by_row()[order]
        ranked = zip(ranks_of(weights[order]), ids, weights[order], strict=True)
        pairs = [self._pair(guess, int(b), int(w), rank) for rank, b, w in ranked]
        return RankedPairs(pairs, len(pairs), len(pairs))

    # --- how ------------------------------------------------------------------------------

    def _guess(self, word: str) -> int:
        """A guess that takes part in the pairs."""
        guess = self.game.guess_id(word)
        if guess not in self._row_of:
            raise WrongInputError(f"{word!r} is not among the secrets, of which pairs are made")
        return guess

    def _ids_by_row(self) -> Ids:
        return np.array(list(self._row_of), dtype=np.int32)

    def _ranking(self, wanted: Wanted, ranks: list[int]) -> RankedPairs:
        kept = zip(wanted.kept.tolist(), ranks, strict=True)
        pairs = [self._pair(a, b, weight, rank) for (weight, a, b), rank in kept]
        return RankedPairs(pairs, int(wanted.tally[0]), self.pairs_in_all)

    def _pair(self, a: int, b: int, weight: int, rank: int) -> Pair:
        entropy, remaining = map(float, information(weight, self.field.secrets))
        first, second = sorted((self.game.guesses[a], self.game.guesses[b]))
        return Pair((first, second), weight, entropy, remaining, rank)


def ranks_of(weights: Costs) -> list[int]:
    """Ranks of pairs or triples in sorted values, from 1; equal ones share the first."""
    return [int(rank) + 1 for rank in np.searchsorted(weights, weights, side="left")]
