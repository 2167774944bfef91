"""The best, the worst and the ranks of unordered pairs of guesses, by joint entropy, exactly.

A pair is worth what both its scores tell together: the smaller the joint *weight* W(A, B) (see
``carried``), the higher the joint entropy. Of 84 million pairs almost none is ever counted out.
With the guesses sorted by their own weights, best first, a pair is dropped as soon as one of these
lower bounds is above the weight of the worst pair still wanted:

1. W(A, B) >= W(A) + W(B) - N log2(N), because H(A, B) <= H(A) + H(B). Sorted guesses make this the
   end of the row, and a row without a pair the end of the search.
2. (shared) of ``carried``: B asks about a letter at a place of which A tells much already. For a
   run of Bs the letters that must not be at places are a set of bits: most Bs fall to a few ANDs.
3. (sum) of ``carried``, for a B without repeated letters.
4. What is left is counted, block after block of A, until it is above the wanted weight.

Logarithms are rounded to fixed point, so a bound may be off by as much as the weights in it: a
weight differs from the true one by at most N log2(N) / 2 units, since the logarithm of k <= N is a
sum of at most log2(N) rounded ones. Bounds get twice that for each pair of weights as slack; the
weights that are compared and shown are the same integers for equal splits, so ties are exact.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .carried import ALPHABET, letter_codes, letter_slots, question_weights, questions_of
from .errors import WrongInputError
from .game import Game
from .joint import joint_measures, partition_by, sort_by_bucket
from .matrix import score_matrix
from .pair_scan import ABOVE_ALL, scan_best, scan_worst
from .rules import LOG_BITS, Costs, fixed_log_weights, split_measures, weight_steps

Ids = NDArray[np.int32]
Places = NDArray[np.uint32]
Scores = NDArray[Any]
Masks = NDArray[np.uint64]

#: Guesses that take the part of A between two reports of progress.
_STRIDE = 64

#: Told how many more of all guesses have taken the part of A.
Told = Callable[[int, int], None]


class Pair(NamedTuple):
    """An unordered pair of guesses, in alphabetical order, and what it is worth."""

    words: tuple[str, str]
    #: Fixed point, as in ``rules.fixed_log_weights``: exact ties are equal weights.
    weight: int
    joint_entropy: float
    remaining_bits: float
    #: One more than the number of pairs that are strictly better (of those ranked).
    rank: int


@dataclass(frozen=True)
class Ranking:
    """Pairs in the order asked for, and the work it took."""

    pairs: list[Pair]
    #: Pairs whose joint split was counted, wholly or until they were out.
    evaluated: int
    #: All pairs there are.
    pairs_in_all: int


def quiet(_new: int, _whole: int) -> None:
    """Nobody is told."""


class PairSearch:
    """Answers questions about the pairs of one game; the scores are computed once."""

    def __init__(self, game: Game, *, both_secrets: bool = False) -> None:
        self.game = game
        every = np.arange(len(game.guesses), dtype=np.int32)
        ids = game.secret_ids if both_secrets else every
        self.scores: Scores = game.score_rows(ids) if both_secrets else score_matrix(game)
        self.secrets = len(game.secrets)
        own = split_measures(self.scores, game.n_scores).weights
        # best first; equal ones in alphabetical order
        self._rows: Ids = np.argsort(own, kind="stable").astype(np.int32)
        self._weights: Costs = own[self._rows]
        self._ids: Ids = ids[self._rows]
        self._row_of = {int(guess): row for row, guess in enumerate(ids)}
        self.pairs_in_all = len(ids) * (len(ids) - 1) // 2

    # --- questions ------------------------------------------------------------------------

    def best(self, count: int, told: Told = quiet) -> Ranking:
        """The ``count`` best pairs; equal ones in alphabetical order."""
        state = _Wanted(min(count, self.pairs_in_all), ABOVE_ALL)
        if state.room:
            self._scan(state, told)
        return self._ranking(state, 1)

    def worst(self, count: int) -> Ranking:
        """The ``count`` worst pairs, the very worst first; their ranks count from the worst."""
        state = _Wanted(min(count, self.pairs_in_all), ABOVE_ALL)
        if state.room:
            tables = _Tables(self.game)
            scan_worst(
                self.scores,
                self._rows[::-1].copy(),
                self._ids[::-1].copy(),
                self._weights[::-1].copy(),
                self._slack(2),
                *tables.partition(),
                *tables.counting(),
                *state,
            )
        return self._ranking(state, -1)

    def ranked(self, first: str, second: str, told: Told = quiet) -> Ranking:
        """One named pair with its rank among all."""
        a, b = self._guess(first), self._guess(second)
        if a == b:
            raise WrongInputError(f"a pair is two words; {first!r} is given twice")
        row = self.scores[self._row_of[a]]
        other = self.scores[self._row_of[b]][None, :]
        joint = joint_measures(other, partition_by([row]), self.game.n_scores)
        weight = int(joint.weights[0])
        state = _Wanted(0, weight - 1)
        self._scan(state, told)
        pair = self._pair(a, b, weight, int(state.tally[1]) + 1)
        return Ranking([pair], int(state.tally[0]), self.pairs_in_all)

    def partners(self, word: str) -> Ranking:
        """Every pair that has this word in it, best first."""
        guess = self._guess(word)
        partition = partition_by([self.scores[self._row_of[guess]]])
        weights = joint_measures(self.scores, partition, self.game.n_scores).weights
        others = np.flatnonzero(self._ids_by_row() != guess)
        order = others[np.lexsort((others, weights[others]))]
        ids = self._ids_by_row()[order]
        ranked = zip(ranks_of(weights[order]), ids, weights[order], strict=True)
        pairs = [self._pair(guess, int(b), int(w), rank) for rank, b, w in ranked]
        return Ranking(pairs, len(pairs), len(pairs))

    # --- how ------------------------------------------------------------------------------

    def _guess(self, word: str) -> int:
        """A guess that takes part in the pairs."""
        guess = self.game.guess_id(word)
        if guess not in self._row_of:
            raise WrongInputError(f"{word!r} is not among the secrets, of which pairs are made")
        return guess

    def _scan(self, state: _Wanted, told: Told) -> None:
        """Run the search, in strides so that somebody can be told and an interrupt is heard."""
        tables = _Tables(self.game)
        codes = letter_codes(self.game)
        length = codes.shape[1]
        by_row = codes[self._ids].astype(np.uint32)
        alone = np.zeros(self.secrets, dtype=self.scores.dtype)  # a guess that tells nothing
        of_nothing = np.zeros(_slots(length), dtype=np.int64)
        asked = questions_of(codes[self.game.secret_ids])
        if length:
            blocks = sort_by_bucket(alone, *tables.partition())
            members, starts = tables.partition()[3:]
            question_weights(members, starts, blocks, asked, *tables.letters(length), of_nothing)
        masks, different = _letter_masks(by_row, length), _all_different(by_row, length)
        count = len(self._rows)
        for first in range(0, count, _STRIDE):
            done = scan_best(
                first,
                min(first + _STRIDE, count),
                self.scores,
                self._rows,
                self._ids,
                self._weights,
                by_row,
                asked,
                masks,
                different,
                of_nothing,
                self._slack(max(2, length)),
                *tables.partition(),
                *tables.letters(length),
                *tables.counting(),
                *state,
            )
            told(min(_STRIDE, count - first) if not done else count - first, count)
            if done:
                break

    def _slack(self, pairs_of_weights: int) -> int:
        """How far rounded weights may be off in a bound that has so many pairs of them."""
        return pairs_of_weights * self.secrets * self.secrets.bit_length()

    def _ids_by_row(self) -> Ids:
        return np.array(list(self._row_of), dtype=np.int32)

    def _ranking(self, state: _Wanted, sign: int) -> Ranking:
        ranks = ranks_of(state.kept[:, 0])
        kept = zip(state.kept.tolist(), ranks, strict=True)
        pairs = [self._pair(a, b, sign * weight, rank) for (weight, a, b), rank in kept]
        return Ranking(pairs, int(state.tally[0]), self.pairs_in_all)

    def _pair(self, a: int, b: int, weight: int, rank: int) -> Pair:
        remaining = weight / (self.secrets * 2.0**LOG_BITS)
        entropy = float(np.log2(self.secrets) - remaining)
        first, second = sorted((self.game.guesses[a], self.game.guesses[b]))
        return Pair((first, second), weight, entropy, remaining, rank)


def ranks_of(weights: Costs) -> list[int]:
    """Ranks from 1 in sorted values; equal values share the first of their ranks."""
    return [int(rank) + 1 for rank in np.searchsorted(weights, weights, side="left")]


class _Wanted:
    """The pairs found so far: arrays that the kernels fill."""

    def __init__(self, room: int, limit: int) -> None:
        self.room = room
        #: Rows (weight, guess, guess), sorted; room that is still free holds ABOVE_ALL.
        self.kept = np.full((room, 3), ABOVE_ALL, dtype=np.int64)
        #: Pairs evaluated, pairs found within the limit, the limit.
        self.tally = np.array([0, 0, limit], dtype=np.int64)

    def __iter__(self) -> Any:
        return iter((self.kept, self.tally))


class _Tables:
    """Scratch memory and logarithms for the kernels."""

    def __init__(self, game: Game) -> None:
        self._game = game
        n, n_scores = len(game.secrets), game.n_scores
        self._logs = fixed_log_weights(n)
        self._partition = (
            np.zeros(n_scores, dtype=np.uint32),
            np.zeros(n + 1, dtype=np.uint32),
            np.zeros(n_scores, dtype=np.uint32),
            np.zeros(n + 1, dtype=np.uint32),
            np.zeros(n + 2, dtype=np.uint32),
        )
        self._counting = weight_steps(n), np.zeros(n_scores, dtype=np.uint32)

    def partition(self) -> tuple[Places, Places, Places, Places, Places]:
        """The arguments of ``sort_by_bucket`` after the row."""
        return self._partition

    def letters(self, length: int) -> tuple[Places, Costs, Places, Places]:
        """Arguments of ``question_weights``: letters of codes, logarithms, counters, touched."""
        slots = _slots(length)
        counts, touched = np.zeros((2, slots), dtype=np.uint32)
        return letter_slots(length), self._logs, counts, touched

    def counting(self) -> tuple[Costs, Places]:
        """Arguments of ``joint_weight``: steps, counters."""
        return self._counting


def _slots(length: int) -> int:
    """Letters at places, letters anywhere, one that nobody reads and one to write ahead."""
    return ALPHABET * (length + 1) + 2 if length else 0


def _letter_masks(codes: Places, length: int) -> Masks:
    """The codes of each guess as a set of bits."""
    masks = np.zeros((len(codes), max(1, -(-ALPHABET * length // 64))), dtype=np.uint64)
    for place in range(length):
        code = codes[:, place]
        masks[np.arange(len(codes)), code >> np.uint32(6)] |= np.uint64(1) << (
            code % np.uint32(64)
        ).astype(np.uint64)
    return masks


def _all_different(codes: Places, length: int) -> NDArray[np.bool_]:
    """Which guesses have no letter twice."""
    if not length:
        return np.zeros(len(codes), dtype=np.bool_)
    letters = np.sort(codes // length, axis=1)
    return np.asarray((np.diff(letters, axis=1) > 0).all(axis=1), dtype=np.bool_)
