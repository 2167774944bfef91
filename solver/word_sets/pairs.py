"""The best and the worst pairs of guesses, and the rank of a pair, by joint entropy, exactly.

A pair is worth what both its scores tell together: the smaller the joint *weight* W(A, B) (see
``letter_bounds``), the higher the joint entropy. Of 84 million pairs almost none is ever counted
out. With the guesses sorted by their own weights, best first, a pair is dropped as soon as one of
these lower bounds is above the weight of the worst pair still wanted:

1. W(A, B) >= W(A) + W(B) - N log2(N), because H(A, B) <= H(A) + H(B): entropy is subadditive
   (Shannon 1948, section 6). Sorted guesses make this the end of the row, and a row without a
   pair the end of the search.
2. (one) of ``letter_bounds``: B asks about a letter at a place of which A tells much already. For
   a run of Bs the letters that must not be at places are a set of bits: most Bs fall to a few
   ANDs.
3. (all) of ``letter_bounds``, for a B without repeated letters.
4. What is left is evaluated one by one: by (all) for a B that has some, then by counting, block
   after block of A, until it is above the wanted weight. What the blocks to come add is bounded
   by (all) and (least), restricted to them: a part of the secrets is a game of its own.

For the worst pairs, and to count all that are better than a named one, upper bounds help as well:
W(A, B) <= W(A), and (least) of ``letter_bounds``. Where these bounds leave many pairs, because
the named one is middling, partners are counted by a tree of their letters: see ``count_tree``.

Logarithms are rounded to fixed point, so a bound may be off by as much as the weights in it: a
weight differs from the true one by at most N log2(N) / 2 units, since the logarithm of k <= N is
a sum of at most log2(N) rounded ones. Bounds get twice that for each pair of weights as slack;
the weights that are compared and shown are the same integers for equal splits, so ties are exact.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from contextlib import closing
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from operator import attrgetter
from typing import Any, Generic, NamedTuple, Protocol, TypeVar

import numpy as np

from ..errors import WrongInputError
from ..game.game import Game
from ..game.score_matrix import Letters, Scores
from ..game.wordle import WordleGame
from ..machine.arrays import Ids
from ..machine.pool import LateTasks, Pool
from ..splits.joint_splits import counting_for, joint_measures, memory_for_blocks, partition_by
from ..splits.measures import Costs, fixed_log_weights, information
from ..splits.ranking import measures_of
from .count_tree import PairTree, count_pairs, pair_tree, tree_counts
from .letter_bounds import questions_about
from .pair_scan import ABOVE_ALL, Guesses, PairScratch, Wanted, keep_pair, scan_best, scan_worst

# ---- Strides: runs of guesses that take the part of A
#
# Strides are answered in their order, however many processes work on them, so what comes of them is
# the same.

#: Guesses that take the part of A between two reports of progress.
STRIDE = 64
#: The first stride is cut in pieces of so many.
_PIECE = 8

#: Called with how many more of all guesses have taken the part of A, and how many there are.
Progress = Callable[[int, int], None]
#: From which guess to before which one.
Span = tuple[int, int]
#: Lets the guesses from one to another be A, and says whether no later one has to.
Search = Callable[[int, int], bool]
T = TypeVar("T")
R = TypeVar("R")
R_co = TypeVar("R_co", covariant=True)


class Chunk(NamedTuple, Generic[R]):
    """What a stride has found, and the guesses that took the part of A."""

    span: Span
    result: R


class InStrides(Protocol[T, R_co]):
    """A search of pairs in strides. Processes that do not inherit it are sent a recipe of it."""

    def task(self, span: Span) -> T:
        """What must be known for a stride of the search when it begins."""

    def take(self, task: T) -> R_co:
        """What one stride of the search finds."""


def no_progress(_new: int, _whole: int) -> None:
    """A callback that ignores progress."""


def search_all(search: Search, whole: int, progress: Progress) -> None:
    """Let all guesses be A, stride by stride, until no later one has to be.

    An interrupt takes effect after a stride.
    """
    for first in range(0, whole, STRIDE):
        last = min(first + STRIDE, whole)
        done = search(first, last)
        progress(whole - first if done else last - first, whole)
        if done:
            break


def strides(searcher: InStrides[T, R], first: int, whole: int, workers: int) -> Iterator[Chunk[R]]:
    """The strides from a guess on, in order, as long as they are read.

    The first stride is cut in pieces, and one of them is taken here in any case: it compiles the
    kernels, once, before there are workers that would all compile them. A worker begins with what
    the searcher has by then.
    """
    begins = [*range(first, min(first + STRIDE, whole), _PIECE)]
    begins += [*range(first + STRIDE, whole, STRIDE), whole]
    spans = list(pairwise(begins))
    here = len(spans) if workers == 1 else min(1, len(spans))
    for span in spans[:here]:
        yield Chunk(span, searcher.take(searcher.task(span)))
    if spans[here:]:
        with closing(_by_workers(searcher, spans[here:], workers)) as others:
            yield from others


def _by_workers(searcher: InStrides[T, R], spans: list[Span], workers: int) -> Generator[Chunk[R]]:
    """The strides of a pool, in order; workers end when nobody reads on."""
    waiting: dict[int, R] = {}
    following = 0
    with Pool[T, R](attrgetter("take"), (searcher,), min(workers, len(spans))) as pool:
        for number, result in pool.run(LateTasks(spans, searcher.task)):
            waiting[number] = result
            while following in waiting:
                yield Chunk(spans[following], waiting.pop(following))
                following += 1


# ---- The guesses that pairs are made of


class PairPool:
    """All guesses of a game, or all secrets, by their own weights; the scores are computed once."""

    def __init__(self, game: Game, both_secrets: bool = False) -> None:
        self.game = game
        self.both_secrets = both_secrets
        every = np.arange(len(game.guesses), dtype=np.int32)
        ids = game.secret_ids if both_secrets else every
        self.scores: Scores = game.all_scores(ids if both_secrets else None)
        self.secrets = len(game.secrets)
        own = measures_of(game, ids).weights
        #: Of each guess, best first, equal ones in alphabetical order: its row of scores, its
        #: weight, its number in the game.
        self.rows: Ids = np.argsort(own, kind="stable").astype(np.int32)
        self.weights: Costs = own[self.rows]
        self.ids: Ids = ids[self.rows]
        #: The guesses as numbers of letters, best first, and the secrets; no columns without them.
        self.letters: tuple[Letters, Letters] = letters_of(game, self.ids)
        self.pairs_in_all = len(ids) * (len(ids) - 1) // 2

    def __reduce__(self) -> tuple[Any, ...]:
        """Travel as a recipe: rebuilding the scores is faster than sending them."""
        return PairPool, (self.game, self.both_secrets)

    def __len__(self) -> int:
        return len(self.rows)

    def scanner(self, wanted: Wanted) -> Search:
        """What searches the pairs of some guesses as A, by bounds, for what is wanted."""
        return self.scanners()(wanted)

    def scanners(self, *, worst: bool = False) -> Callable[[Wanted], Search]:
        """Scanners that share their memory, one after the other; the worst guess first if so."""
        n_scores = self.game.n_scores
        way = slice(None, None, -1 if worst else 1)
        guesses = Guesses(
            self.scores, self.rows[way].copy(), self.ids[way].copy(), self.weights[way].copy()
        )
        asking, hidden = self.letters
        questions = questions_about(asking[way].copy(), hidden)
        scratch = PairScratch(
            memory_for_blocks(n_scores, self.secrets),
            counting_for(n_scores, self.secrets, self.scores.dtype),
            questions,
            np.zeros((2, len(questions.masks)), dtype=np.uint64),
            np.zeros(len(self) + 1, dtype=np.int32),
            np.zeros(len(self) + 1, dtype=np.int64),
            np.zeros(len(self) + 1, dtype=np.int64),
        )
        slack = slack_of(self.secrets, max(2, asking.shape[1]))
        scan = scan_worst if worst else scan_best

        def scanner(wanted: Wanted) -> Search:
            return lambda first, last: scan(first, last, guesses, scratch, slack, wanted)

        return scanner

    @property
    def has_tree(self) -> bool:
        """Whether the partners of a guess can be counted by a tree of their letters."""
        return tree_counts(self.letters[0].shape[1], self.secrets)

    def tree(self, tally: Costs) -> PairTree:
        """All guesses as partners on a tree of their letters."""
        row = np.zeros(self.secrets, dtype=self.scores.dtype)
        blocks = memory_for_blocks(self.game.n_scores, self.secrets)
        return pair_tree(*self.letters, row, blocks, tally)


def slack_of(secrets: int, pairs_of_weights: int) -> int:
    """How far rounded weights may be off in a bound that has so many pairs of them."""
    return pairs_of_weights * secrets * secrets.bit_length()


def letters_of(game: Game, guess_ids: Ids) -> tuple[Letters, Letters]:
    """Guesses and secrets as numbers of letters; without columns if they have none."""
    if isinstance(game, WordleGame):
        return game.letters[guess_ids], game.letters[game.secret_ids]
    shapes = (len(guess_ids), 0), (len(game.secrets), 0)
    return np.zeros(shapes[0], dtype=np.uint8), np.zeros(shapes[1], dtype=np.uint8)


def wanted_pairs(count: int, limit: int = ABOVE_ALL, notes: int = 0) -> Wanted:
    """A request for so many pairs within the limit; for none, they are counted only.

    ``notes`` is how many evaluated pairs can be noted.
    """
    kept = np.full((count, 3), ABOVE_ALL, dtype=np.int64)
    noted = np.empty((notes, 3), dtype=np.int64)
    return Wanted(kept, np.array([0, 0, limit], dtype=np.int64), noted)


# ---- The best pairs, by one process or by several
#
# The limit within which pairs are wanted comes down while they are found, and with it the number of
# pairs that are evaluated. A worker begins a stride with the pairs found in *some* of the strides
# before: its limit is never below the one that all of them would have given, so it evaluates at
# least what had to be evaluated, and notes with which limit that had to be. Put together in order,
# the pairs found and those evaluated are what a single process finds and evaluates.


class Notes(NamedTuple):
    """What a stride has found: places ``a * guesses + b``, in order."""

    #: Whether no later guess has to be A.
    done: bool
    #: The pairs evaluated, and the least limit with which each one is.
    places: Costs
    least: Costs
    #: Those within the limit of their time: place and weight.
    found: Costs


class BestPairs:
    """A search for so many best pairs, and those found so far."""

    def __init__(self, pool: PairPool, count: int) -> None:
        self.wanted = wanted_pairs(count)
        self._pool, self._count = pool, count

    def __reduce__(self) -> tuple[Any, ...]:
        return BestPairs, (self._pool, self._count)

    def search(self, progress: Progress, workers: int) -> Wanted:
        """Find the best pairs; with several workers, all strides put together in order."""
        if workers == 1:
            search_all(self._pool.scanner(self.wanted), len(self._pool), progress)
        else:
            self.search_shared(progress, workers)
        return self.wanted

    def search_shared(self, progress: Progress, workers: int) -> None:
        """Find the best pairs in strides that begin with what is known at their time."""
        whole = len(self._pool)
        for (first, last), notes in strides(self, 0, whole, workers):
            self._add(notes)
            progress(whole - first if notes.done else last - first, whole)
            if notes.done:
                break

    def task(self, span: Span) -> tuple[Span, Costs]:
        """The task of a stride: its guesses, and the pairs found by then."""
        return span, self.wanted.kept.copy()

    def take(self, task: tuple[Span, Costs]) -> Notes:
        """What searching one stride finds."""
        span, kept = task
        mine, scan = self._scan
        mine.kept[:] = kept
        mine.tally[:] = 0, 0, kept[-1, 0]
        done = scan(*span)
        notes = mine.noted[: mine.tally[0]]
        found = notes[notes[:, 2] < ABOVE_ALL]
        return Notes(done, notes[:, 0].copy(), notes[:, 1].copy(), found[:, ::2].copy())

    @cached_property
    def _scan(self) -> tuple[Wanted, Search]:
        mine = wanted_pairs(self._count, notes=STRIDE * len(self._pool))
        return mine, self._pool.scanner(mine)

    def _add(self, notes: Notes) -> None:
        """Put a stride behind those before it."""
        kept, tally, _ = self.wanted
        ids, count = self._pool.ids, len(self._pool)
        places, limits, latest = [], [int(tally[2])], [_latest(kept)]
        for place, weight in notes.found.tolist():
            if weight <= tally[2]:
                a, b = int(ids[place // count]), int(ids[place % count])
                keep_pair(weight, min(a, b), max(a, b), kept, tally)
                places.append(place)
                limits.append(int(tally[2]))
                latest.append(_latest(kept))
        before = np.searchsorted(np.array(places, dtype=np.int64), notes.places, side="left")
        one, other = ids[notes.places // count], ids[notes.places % count]
        named = np.minimum(one, other).astype(np.int64) << _HALF | np.maximum(one, other)
        in_time = named <= np.array(latest)[before]
        tally[0] += np.count_nonzero(in_time & (notes.least <= np.array(limits)[before]))


#: Bits for one guess of two.
_HALF = 31


def _latest(kept: Costs) -> int:
    """The last pair of the alphabet that may still be kept: any, unless all tell everything."""
    weight, a, b = map(int, kept[-1])
    return a << _HALF | b if weight == 0 else (1 << 2 * _HALF)


# ---- How many pairs weigh no more than a limit, by one process or by several
#
# The bounds of ``pair_scan`` count first. From the stride on where they leave many pairs to be
# evaluated, the tree of ``count_tree`` takes over.

#: Pairs evaluated for one A from which on the tree is faster.
_MANY = 600


class Counted(NamedTuple):
    """Pairs evaluated, pairs found within the limit, and whether no later guess has to be A."""

    evaluated: int
    found: int
    done: bool


class _Count:
    """Counts the pairs within a limit by bounds."""

    def __init__(self, pool: PairPool, limit: int) -> None:
        self._pool, self._limit = pool, limit

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self._pool, self._limit)

    def task(self, span: Span) -> Span:
        """Nothing but the stride has to be known."""
        return span

    def take(self, span: Span) -> Counted:
        """Count a stride."""
        tally, search = self._search
        tally[:2] = 0
        done = search(*span)
        return Counted(int(tally[0]), int(tally[1]), done)

    @cached_property
    def _search(self) -> tuple[Costs, Search]:
        wanted = wanted_pairs(0, self._limit)
        return wanted.tally, self._pool.scanner(wanted)


class _TreeCount(_Count):
    """Counts them by the tree."""

    @cached_property
    def _search(self) -> tuple[Costs, Search]:
        pool, tally = self._pool, np.array([0, 0, self._limit], dtype=np.int64)
        tree, logs = pool.tree(tally), fixed_log_weights(pool.secrets)
        slack = slack_of(pool.secrets, 2 * pool.game.length + 2)

        def search(first: int, last: int) -> bool:
            rows, weights = pool.rows, pool.weights
            return count_pairs(first, last, pool.scores, rows, weights, logs, tree, slack)

        return tally, search


def count_within(pool: PairPool, limit: int, progress: Progress, workers: int) -> tuple[int, int]:
    """Pairs evaluated, and pairs found that weigh no more than the limit."""
    evaluated = found = begin = before = 0
    whole, may_change = len(pool), pool.has_tree
    count: _Count = _Count(pool, limit)
    while begin < whole:
        for (first, last), stride in strides(count, begin, whole, workers):
            evaluated += stride.evaluated
            found += stride.found
            begin = whole if stride.done else last
            progress(begin - first, whole)
            if stride.done:
                break
            if last % STRIDE == 0:
                if may_change and evaluated - before > _MANY * STRIDE:
                    break
                before = evaluated
        count, may_change = _TreeCount(pool, limit), False
    return evaluated, found


# ---- Pairs with words, weights and ranks


class Pair(NamedTuple):
    """An unordered pair of guesses, in alphabetical order, and what it is worth."""

    words: tuple[str, str]
    #: Fixed point, as in ``measures.fixed_log_weights``: exact ties are equal weights.
    weight: int
    joint_entropy: float
    remaining_bits: float
    #: One more than the number of pairs that are strictly better (of those ranked).
    rank: int


@dataclass(frozen=True)
class RankedPairs:
    """Pairs of guesses in order, and the work of the search."""

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
        self.field = PairPool(game, both_secrets)
        self.scores: Scores = self.field.scores
        self.pairs_in_all = self.field.pairs_in_all
        ids = game.secret_ids.tolist() if both_secrets else range(len(game.guesses))
        self._row_of = {guess: row for row, guess in enumerate(ids)}

    # --- questions ------------------------------------------------------------------------

    def best(self, count: int, progress: Progress = no_progress) -> RankedPairs:
        """The ``count`` best pairs; equal ones in alphabetical order."""
        search = BestPairs(self.field, min(count, self.pairs_in_all))
        wanted = search.search(progress, self.workers) if len(search.wanted.kept) else search.wanted
        return self._ranking(wanted, ranks_of(wanted.kept[:, 0]))

    def worst(self, count: int, progress: Progress = no_progress) -> RankedPairs:
        """The ``count`` worst pairs, the very worst last; ranks count from the best pair."""
        wanted = wanted_pairs(min(count, self.pairs_in_all))
        if not len(wanted.kept):
            return self._ranking(wanted, [])
        scanner = self.field.scanners(worst=True)  # few have to be looked at: one process does it
        search_all(scanner(wanted), len(self.field), progress)
        as_bad = wanted_pairs(0, int(wanted.kept[-1, 0]))  # as any of these, kept or not
        search_all(scanner(as_bad), len(self.field), no_progress)
        np.negative(wanted.kept[::-1].copy(), out=wanted.kept)
        weights = wanted.kept[:, 0]
        better = np.searchsorted(weights, weights, side="left") - len(weights)
        better[weights == weights[0]] = -int(as_bad.tally[1])
        ranks = [self.pairs_in_all + int(number) + 1 for number in better]
        wanted.tally[0] += as_bad.tally[0]
        return self._ranking(wanted, ranks)

    def ranked(self, first: str, second: str, progress: Progress = no_progress) -> RankedPairs:
        """One named pair with its rank among all."""
        a, b = self._guess(first), self._guess(second)
        if a == b:
            raise WrongInputError(f"a pair needs two different words; {first!r} is given twice")
        row = self.scores[self._row_of[a]]
        other = self.scores[self._row_of[b]][None, :]
        joint = joint_measures(other, partition_by([row]), self.game.n_scores)
        weight = int(joint.weights[0])
        evaluated, better = count_within(self.field, weight - 1, progress, self.workers)
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
