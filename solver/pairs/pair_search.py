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

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ..errors import WrongInputError
from ..game.game import Game
from ..game.score_matrix import Scores
from ..game.wordle import WordleGame
from ..machine.rows import Ids
from ..splits.joint import counting_for, joint_measures, memory_for_blocks, partition_by
from ..splits.letter_tree import Letters
from ..splits.limits import all_scores
from ..splits.logarithms import Costs, fixed_log_weights, information
from ..splits.ranking import measures_of
from .count_tree import count_pairs, pair_tree, tree_counts
from .letter_bounds import questions_about
from .pair_scan import ABOVE_ALL, Guesses, PairScratch, Wanted, scan_best, scan_worst

#: Guesses that take the part of A between two reports of progress.
_STRIDE = 64

#: Pairs evaluated for one A from which on the tree is faster.
_MANY = 600

#: Lets the guesses from one to another be A, and says whether no later one has to.
Search = Callable[[int, int], bool]
#: Told how many more of all guesses have taken the part of A.
Told = Callable[[int, int], None]


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
    """Pairs in the order asked for, and the work it took."""

    pairs: list[Pair]
    #: Pairs evaluated one by one: their joint split counted, wholly or until they were out.
    evaluated: int
    #: All pairs there are.
    pairs_in_all: int


def quiet(_new: int, _whole: int) -> None:
    """Tell nobody of progress."""


class PairSearch:
    """Answers questions about the pairs of one game; the scores are computed once."""

    def __init__(self, game: Game, *, both_secrets: bool = False) -> None:
        self.game = game
        every = np.arange(len(game.guesses), dtype=np.int32)
        ids = game.secret_ids if both_secrets else every
        self.scores: Scores = game.score_rows(ids) if both_secrets else all_scores(game)
        self.secrets = len(game.secrets)
        own = measures_of(game, ids).weights
        # best first; equal ones in alphabetical order
        self._rows: Ids = np.argsort(own, kind="stable").astype(np.int32)
        self._weights: Costs = own[self._rows]
        self._ids: Ids = ids[self._rows]
        self._row_of = {int(guess): row for row, guess in enumerate(ids)}
        self.pairs_in_all = len(ids) * (len(ids) - 1) // 2
        #: The guesses as letters 0-25, best first, and the secrets; no columns without letters.
        self._letters: tuple[Letters, Letters] = letters_of(game, self._ids)

    # --- questions ------------------------------------------------------------------------

    def best(self, count: int, told: Told = quiet) -> RankedPairs:
        """The ``count`` best pairs; equal ones in alphabetical order."""
        wanted = _wanted(min(count, self.pairs_in_all), ABOVE_ALL)
        if len(wanted.kept):
            self._scan(wanted, told)
        return self._ranking(wanted, ranks_of(wanted.kept[:, 0]))

    def worst(self, count: int, told: Told = quiet) -> RankedPairs:
        """The ``count`` worst pairs, the very worst last; ranks count from the best pair."""
        wanted = _wanted(min(count, self.pairs_in_all), ABOVE_ALL)
        if not len(wanted.kept):
            return self._ranking(wanted, [])
        self._scan(wanted, told, worst=True)
        as_bad = _wanted(0, int(wanted.kept[-1, 0]))  # as any of these, kept or not
        self._scan(as_bad, quiet, worst=True)
        np.negative(wanted.kept[::-1].copy(), out=wanted.kept)
        weights = wanted.kept[:, 0]
        better = np.searchsorted(weights, weights, side="left") - len(weights)
        better[weights == weights[0]] = -int(as_bad.tally[1])
        ranks = [self.pairs_in_all + int(number) + 1 for number in better]
        wanted.tally[0] += as_bad.tally[0]
        return self._ranking(wanted, ranks)

    def ranked(self, first: str, second: str, told: Told = quiet) -> RankedPairs:
        """One named pair with its rank among all."""
        a, b = self._guess(first), self._guess(second)
        if a == b:
            raise WrongInputError(f"a pair is two words; {first!r} is given twice")
        row = self.scores[self._row_of[a]]
        other = self.scores[self._row_of[b]][None, :]
        joint = joint_measures(other, partition_by([row]), self.game.n_scores)
        weight = int(joint.weights[0])
        evaluated, better = self._count(weight - 1, told)
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

    def _count(self, limit: int, told: Told) -> tuple[int, int]:
        """Pairs evaluated, and pairs found that weigh no more than the limit.

        Where the bounds leave many pairs to be evaluated, the tree takes over.
        """
        wanted, tree = _wanted(0, limit), None
        scan = self._scanner(wanted)
        asking, hidden = self._letters
        logs, slack = fixed_log_weights(self.secrets), self._slack(2 * self.game.length + 2)

        def count(first: int, last: int) -> bool:
            nonlocal tree
            if tree is not None:
                rows, weights = self._rows, self._weights
                return count_pairs(first, last, self.scores, rows, weights, logs, tree, slack)
            before = int(wanted.tally[0])
            done = scan(first, last)
            many = wanted.tally[0] - before > _MANY * (last - first)
            if many and tree_counts(asking.shape[1], self.secrets):
                row = np.zeros(self.secrets, dtype=self.scores.dtype)
                blocks = memory_for_blocks(self.game.n_scores, self.secrets)
                tree = pair_tree(asking, hidden, row, blocks, wanted.tally)
            return done

        _in_strides(count, len(self._rows), told)
        return int(wanted.tally[0]), int(wanted.tally[1])

    def _scan(self, wanted: Wanted, told: Told, *, worst: bool = False) -> None:
        """Search all pairs for those wanted."""
        _in_strides(self._scanner(wanted, worst=worst), len(self._rows), told)

    def _scanner(self, wanted: Wanted, *, worst: bool = False) -> Search:
        """What searches the pairs of some guesses as A."""
        n_scores = self.game.n_scores
        turned = slice(None, None, -1 if worst else 1)
        guesses = Guesses(
            self.scores,
            self._rows[turned].copy(),
            self._ids[turned].copy(),
            self._weights[turned].copy(),
        )
        asking, hidden = self._letters
        questions = questions_about(asking[turned].copy(), hidden)
        scratch = PairScratch(
            memory_for_blocks(n_scores, self.secrets),
            counting_for(n_scores, self.secrets, self.scores.dtype),
            questions,
            np.zeros((2, len(questions.masks)), dtype=np.uint64),
            np.zeros(len(asking) + 1, dtype=np.int32),
            np.zeros(len(asking) + 1, dtype=np.int64),
        )
        slack = self._slack(max(2, asking.shape[1]))
        scan = scan_worst if worst else scan_best

        def search(first: int, last: int) -> bool:
            return scan(first, last, guesses, scratch, slack, wanted)

        return search

    def _slack(self, pairs_of_weights: int) -> int:
        """How far rounded weights may be off in a bound that has so many pairs of them."""
        return pairs_of_weights * self.secrets * self.secrets.bit_length()

    def _ids_by_row(self) -> Ids:
        return np.array(list(self._row_of), dtype=np.int32)

    def _ranking(self, wanted: Wanted, ranks: list[int]) -> RankedPairs:
        kept = zip(wanted.kept.tolist(), ranks, strict=True)
        pairs = [self._pair(a, b, weight, rank) for (weight, a, b), rank in kept]
        return RankedPairs(pairs, int(wanted.tally[0]), self.pairs_in_all)

    def _pair(self, a: int, b: int, weight: int, rank: int) -> Pair:
        entropy, remaining = map(float, information(weight, self.secrets))
        first, second = sorted((self.game.guesses[a], self.game.guesses[b]))
        return Pair((first, second), weight, entropy, remaining, rank)


def letters_of(game: Game, guess_ids: Ids) -> tuple[Letters, Letters]:
    """Some guesses and all secrets as letters 0-25; words of no letters if the game has none."""
    if isinstance(game, WordleGame):
        return game.letters[guess_ids], game.letters[game.secret_ids]
    shapes = (len(guess_ids), 0), (len(game.secrets), 0)
    return np.zeros(shapes[0], dtype=np.uint8), np.zeros(shapes[1], dtype=np.uint8)


def _in_strides(search: Search, count: int, told: Told) -> None:
    """Let all guesses take the part of A, until no later one has to.

    After each stride somebody can be told, and an interrupt is heard.
    """
    for first in range(0, count, _STRIDE):
        last = min(first + _STRIDE, count)
        done = search(first, last)
        told(count - first if done else last - first, count)
        if done:
            break


def ranks_of(weights: Costs) -> list[int]:
    """Ranks from 1 in sorted values; equal values share the first of their ranks."""
    return [int(rank) + 1 for rank in np.searchsorted(weights, weights, side="left")]


def _wanted(count: int, limit: int) -> Wanted:
    """A request for so many pairs within the limit; for none, they are counted only."""
    kept = np.full((count, 3), ABOVE_ALL, dtype=np.int64)
    noted = np.zeros((0, 3), dtype=np.int64)
    return Wanted(kept, np.array([0, 0, limit], dtype=np.int64), noted)
