"""What the search by letters knows of a pool of words: who has which letter where, as bits.

Words are taken apart into *columns*, a letter with its places, as in ``score_matrix``. Which words
of the pool have a column is a *row* of bits; so is which have a letter at all, or one of two
letters. From these follows which guesses separate two candidates, without any score: a letter
that one of them lacks is seen by every guess that has it; one that both have, at other places, by
the guesses whose column adds different shares to their two scores. Rows of this second
kind are made when they are first needed, and kept while there is room.

Rows lie in one array and are named by where they begin in it.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..game.score_matrix import Letters, letter_shares, padded_rows, take_apart
from ..machine.arrays import Ids, KnownSets
from ..machine.forms import record
from ..machine.jit import noalloc
from ..splits.measures import PARTS, Costs, Criterion, Places

Bits = NDArray[np.uint64]
Scores = NDArray[Any]

#: Guesses in a machine word, machine words in a block of a row, and guesses in a block.
WORD, BLOCK = 64, 8
BLOCK_GUESSES = WORD * BLOCK
#: Letters side by side for each secret, in most languages and in all; the last ones are nobody's.
LETTERS, MOST_LETTERS = 32, 64
#: Up to so many candidates are separated one by one; and up to so many a guess is sought first
#: that does so, where costs are sums.
SEPARATED, SEPARATED_BY_SUM = 24, 14
#: Of up to so many all pairs are.
PAIRED = 96
#: And of so many by the number of their buckets.
PARTED = 192
#: Rows that may be made for two columns of a letter.
MOST_MADE = 4096
#: A bit of information in integers, where bounds need no more.
BIT = 1 << 20
#: Bits of a count of candidates.
COUNT_BITS = 24


@record
class LetterBits(NamedTuple):
    """A pool of guesses and the secrets of a game, taken apart into columns."""

    #: The columns of each guess, filled up with 0; the letter of each column.
    terms: Places
    letter: Places
    #: The columns of letter ``l`` are ``first[l]`` to ``first[l + 1] - 1``.
    first: Ids
    #: What column ``c`` adds to the score of a secret that lacks the letter (0) or has it as the
    #: ``k``-th column of the letter has it: ``shares[c, k]``.
    shares: Scores
    #: How a secret has a letter: ``k``, as above.
    held: NDArray[Any]
    #: All rows; the first is empty.
    bits: Bits
    #: Where the rows begin of all words, of all columns, of all letters.
    everyone: int
    columns: int
    letters: int
    #: How long a row is, and how many blocks of it have words.
    width: int
    blocks: int
    #: The row of the words that have one of two letters.
    either: Ids
    #: Rows for letters that most candidates have, made anew for every state.
    spare: int
    #: The row of the guesses that tell column ``c`` from the ``k``-th column of its letter; 0: not
    #: made. And where the next one may be made, and how many still may.
    apart: Ids
    room: Ids
    #: The guesses in the order of their columns, most holders first; the columns of each, and how
    #: many it shares with the one before.
    order: Ids
    path: Places
    shared: Ids


@record
class WordScratch(NamedTuple):
    """Memory for searches by letters, made once for many sets of candidates."""

    #: A counter for each score; all zero between uses.
    tally: Ids
    #: Rows that tell candidates apart, of one each, and of all as ``few_candidates`` wants them.
    lists: Ids
    rows: Ids
    #: The candidates in the order in which they are compared.
    order: Ids
    #: Guesses of a block that have lost.
    dead: Bits
    #: For each block the bits of its counts.
    planes: Bits
    more: Bits
    #: Which guesses are candidates.
    mine: Bits
    #: How many candidates have a letter as its ``k``-th column; and which row separates them.
    sizes: Ids
    separating: Ids
    #: The columns that candidates have.
    present: Ids
    #: Candidates as bits: who has a column, and the classes by what a column adds, made when
    #: needed: where those of a column begin, how many they are; how much of ``classes`` is taken.
    holders: Bits
    classes: Bits
    class_starts: Ids
    class_counts: Ids
    used: Ids
    #: How many candidates are outside of a column's largest class.
    minor: Ids
    #: While classes are made, what each adds; while buckets are sought, the columns of the guess,
    #: the next class of each, and what is left of the candidates.
    class_shares: Ids
    columns: Ids
    turns: Ids
    left: Bits
    lefts: Bits
    #: Level by level the buckets of more than one candidate, their sizes and number, how many
    #: candidates are alone, what all buckets cost, and how large the largest is.
    split: Bits
    split_sizes: Ids
    split_counts: Ids
    split_alone: Ids
    split_costs: Costs
    split_largest: Ids
    #: By how much a bucket of so many candidates costs less at most for each that leaves it.
    steepest: Costs
    #: Guesses worth a visit with their bounds, and in order.
    near: Ids
    levels: Ids
    bounds: Ids
    visits: Ids
    starts: Ids
    #: What the search has done, for those who measure it: states of many, visits.
    work: NDArray[np.int64]
    #: What so many pairs of candidates in the same buckets cost at least.
    least: Costs
    #: ``k * log2(k)`` in units of ``BIT``, and the information of a column's classes.
    logs: Costs
    gains: Costs
    #: The information of all columns of each guess, a bound of its own.
    hopes: Costs
    #: Choices that were made before.
    known: KnownSets


@record
class WordSearch(NamedTuple):
    """What stays the same while guesses are chosen by letters."""

    #: The guesses of the pool, by their numbers in the game; which of them each secret is.
    pool: Ids
    own_column: Ids
    criterion: Criterion
    letters: LetterBits
    scratch: WordScratch


def letter_bits(words: Letters, own: Ids, dtype: Any, in_order: bool = True) -> LetterBits:
    """Take a rule's pool of guesses apart, as numbers of letters; ``own`` are the secrets in it.

    Not every search wants the guesses in the order of their columns, which takes its time.
    """
    terms, first, letter, places = take_apart(words)
    length, count, alphabet = words.shape[1], len(letter), len(first) - 1
    most = int(np.diff(first).max(initial=0))
    blocks = -(-len(words) // BLOCK_GUESSES)
    fixed = 2 + count + alphabet + alphabet * alphabet
    spare = 2 * length * (most + 1)
    bits = padded_rows(fixed + spare + MOST_MADE, blocks * BLOCK, np.uint64)
    width = bits.shape[1]
    bits[:fixed] = 0
    _fill(bits, terms, letter, alphabet)
    neighbours = np.minimum(first[letter][:, None] + np.arange(most), count - 1)
    shares = np.zeros((count, most + 1), dtype=dtype)
    shares[:, 1:] = letter_shares(length, dtype)[places[:, None], places[neighbours]]
    shares[0] = 0
    side = LETTERS if alphabet <= LETTERS else MOST_LETTERS
    held = np.zeros((len(own), side), dtype=np.min_scalar_type(most))
    mine = terms[own]
    for term in mine.T:
        there = term > 0
        held[there, letter[term[there]]] = (term - first[letter[term]] + 1)[there]
    letters = 2 + count
    either = (letters + alphabet + np.arange(alphabet * alphabet)) * width
    return LetterBits(
        terms.astype(np.uint32),
        letter.astype(np.uint32),
        first,
        shares,
        held,
        bits.reshape(-1),
        width,
        2 * width,
        letters * width,
        width,
        blocks,
        either.astype(np.int32).reshape(alphabet, alphabet),
        fixed * width,
        np.zeros((count, most + 1), dtype=np.int32),
        np.array([(fixed + spare) * width, MOST_MADE], dtype=np.int32),
        *_in_order(terms if in_order else terms[:0], count),
    )


def _in_order(terms: Ids, count: int) -> tuple[Ids, Places, Ids]:
    """The guesses in the order of their columns, those first that most guesses have."""
    holders = np.bincount(terms.ravel(), minlength=count)
    holders[0] = 0
    rank = np.empty(count, dtype=np.int32)
    rank[np.argsort(-holders, kind="stable")] = np.arange(count)
    ranked = np.sort(rank[terms], axis=1)
    order = np.lexsort(ranked.T[::-1])
    column = np.argsort(rank)
    path = column[ranked[order]].astype(np.uint32)
    same = path[1:] == path[:-1]
    shared = np.concatenate([np.zeros(1, dtype=np.int64), same.cumprod(axis=1).sum(axis=1)])
    return order.astype(np.int32), path, shared.astype(np.int32)


def _fill(bits: Bits, terms: Ids, letter: Ids, alphabet: int) -> None:
    """The rows that stay: of all words, of columns, of letters and of two letters each."""
    words, count = np.arange(len(terms)), len(letter)
    cell, bit = words // WORD, np.uint64(1) << (words % WORD).astype(np.uint64)
    np.bitwise_or.at(bits[1], cell, bit)
    for term in terms.T:
        there = term > 0
        np.bitwise_or.at(bits, (2 + term[there], cell[there]), bit[there])
    having = bits[2 + count : 2 + count + alphabet]
    for column in range(1, count):
        having[letter[column]] |= bits[2 + column]
    pairs = bits[2 + count + alphabet :]
    for one in range(alphabet):  # the letter with the lower number is named first
        pairs[one * alphabet + one : (one + 1) * alphabet] = having[one] | having[one:]


def least_costs(weights: Costs, most: int) -> Costs:
    """What buckets cost at least by a one-step rule, apart from singles, that hold so many pairs.

    A pair costs least in the bucket whose size makes it so; with few pairs no bucket is large.
    """
    pairs = most * (most - 1) // 2
    least = np.zeros(pairs + 1, dtype=np.int64)
    extra, within = 0, 0
    for size in range(2, min(most, len(weights) - 1) + 1):
        costs = int(weights[size]) - size * int(weights[1])
        holds = size * (size - 1) // 2
        if within == 0 or costs * within < extra * holds:
            extra, within = costs, holds
        for pair in range(holds, min(holds + size, pairs + 1)):  # with so many one may be larger
            least[pair] = pair * extra // within
    for pair in range(pairs - 1, -1, -1):
        least[pair] = min(least[pair], least[pair + 1])
    return least


def logarithms(most: int) -> Costs:
    """``k * log2(k)`` for ``k`` up to so many, rounded."""
    sizes = np.arange(most + 1)
    return np.rint(sizes * np.log2(np.maximum(sizes, 1)) * BIT).astype(np.int64)


def _steepest(steps: Costs) -> Costs:
    """By how much a bucket of so many costs less at most for each that leaves it."""
    found, least = np.zeros(len(steps) + 1, dtype=np.int64), steps[steps.argmin()]
    for size in range(len(steps)):
        found[size + 1] = max(found[size], steps[size] - least)
    return found


def word_scratch(
    letters: LetterBits, n_scores: int, criterion: Criterion, logs: Costs, known: KnownSets
) -> WordScratch:
    """Memory for a rule to choose guesses by letters, for sets as large as ``logs`` goes."""
    secrets = len(logs) - 1
    length, most = letters.terms.shape[1], letters.shares.shape[1]
    alphabet = len(letters.first) - 1
    guesses, columns, words = len(letters.terms), len(letters.letter), -(-secrets // WORD)
    most_paired = SEPARATED if criterion.by_largest else PAIRED
    separated = PARTED if criterion.kind == PARTS else most_paired
    depth = 2 * length * (most + 1)
    buckets = min(n_scores, secrets // 2) + 2
    rows = (2 * length + (length + 1) // 2) * (secrets + BLOCK)
    return WordScratch(
        tally=np.zeros(n_scores, dtype=np.int32),
        lists=np.empty((max(SEPARATED, separated), depth), dtype=np.int32),
        rows=np.empty(max(separated * (separated + BLOCK) * depth // 2, rows), dtype=np.int32),
        order=np.empty(max(SEPARATED, separated), dtype=np.int32),
        dead=np.empty(2 * BLOCK, dtype=np.uint64),
        planes=np.empty((letters.blocks, COUNT_BITS * BLOCK), dtype=np.uint64),
        more=np.empty(COUNT_BITS * BLOCK, dtype=np.uint64),
        mine=np.zeros(letters.width, dtype=np.uint64),
        sizes=np.zeros((alphabet, most), dtype=np.int32),
        present=np.empty(columns + 1, dtype=np.int32),
        separating=np.zeros((alphabet, most), dtype=np.int32),
        holders=np.empty(columns * words, dtype=np.uint64),
        classes=np.empty((4 * columns + length * (most + 1)) * words, dtype=np.uint64),
        class_starts=np.empty(columns, dtype=np.int32),
        class_counts=np.empty(columns, dtype=np.int32),
        used=np.zeros(1, dtype=np.int32),
        minor=np.zeros(columns, dtype=np.int32),
        class_shares=np.empty(most + 1, dtype=np.int32),
        columns=np.empty(length, dtype=np.int32),
        turns=np.empty(length + 1, dtype=np.int32),
        left=np.empty((length + 1, words), dtype=np.uint64),
        lefts=np.empty(length + 1, dtype=np.uint64),
        split=np.empty((length + 1, buckets * words), dtype=np.uint64),
        split_sizes=np.empty((length + 1, buckets), dtype=np.int32),
        split_counts=np.empty(length + 1, dtype=np.int32),
        split_alone=np.empty(length + 1, dtype=np.int32),
        split_costs=np.empty(length + 1, dtype=np.int64),
        split_largest=np.empty(length + 1, dtype=np.int32),
        steepest=_steepest(criterion.steps),
        near=np.empty(guesses + 1, dtype=np.int32),
        levels=np.empty(guesses + 1, dtype=np.int32),
        bounds=np.empty(guesses + 1, dtype=np.int32),
        visits=np.empty(guesses + 1, dtype=np.int32),
        starts=np.empty(max(PAIRED * PAIRED, 2 * secrets + 8), dtype=np.int32),
        work=np.zeros(2, dtype=np.int64),
        least=least_costs(criterion.weights, most_paired),
        logs=logs,
        gains=np.zeros(columns, dtype=np.int64),
        hopes=np.zeros(guesses, dtype=np.int64),
        known=known,
    )


@noalloc(inner=True, inline=True)
def grade(letters: LetterBits, guess: int, secret: int) -> Any:
    """The score of a guess of a rule's pool against a secret, by letters as bits."""
    terms, letter, shares, held = letters.terms, letters.letter, letters.shares, letters.held
    here, member = np.uint32(guess), np.uint32(secret)
    a, b, c, d, e = terms[here, 0], terms[here, 1], terms[here, 2], terms[here, 3], terms[here, 4]
    score = np.uint32(shares[a, held[member, letter[a]]])
    score += np.uint32(shares[b, held[member, letter[b]]])
    score += np.uint32(shares[c, held[member, letter[c]]])
    score += np.uint32(shares[d, held[member, letter[d]]])
    score += np.uint32(shares[e, held[member, letter[e]]])
    for more in range(5, terms.shape[1]):
        f = terms[here, more]
        score += np.uint32(shares[f, held[member, letter[f]]])
    return score


@noalloc(inner=True, inline=True)
def largest_below(letters: LetterBits, guess: int, state: Ids, tally: Ids, limit: int) -> int:
    """The largest bucket of a guess; ``limit`` if it reaches that. ``tally`` is all zero after."""
    terms, letter, shares, held = letters.terms, letters.letter, letters.shares, letters.held
    here = np.uint32(guess)
    a, b, c, d, e = terms[here, 0], terms[here, 1], terms[here, 2], terms[here, 3], terms[here, 4]
    p, q, r, s, t = letter[a], letter[b], letter[c], letter[d], letter[e]
    largest = 0
    seen = 0
    for at in range(len(state)):
        member = np.uint32(state[at])
        score = np.uint32(shares[a, held[member, p]])
        score += np.uint32(shares[b, held[member, q]])
        score += np.uint32(shares[c, held[member, r]])
        score += np.uint32(shares[d, held[member, s]])
        score += np.uint32(shares[e, held[member, t]])
        for more in range(5, terms.shape[1]):
            f = terms[here, more]
            score += np.uint32(shares[f, held[member, letter[f]]])
        size = tally[score] + 1
        tally[score] = size
        seen = at + 1
        if size > largest:
            largest = size
            if size >= limit:
                break
    for at in range(seen):
        tally[np.uint32(grade(letters, guess, state[at]))] = 0
    return largest


@noalloc(inner=True, inline=True)
def cost_below(search: WordSearch, guess: int, state: Ids, limit: int) -> int:
    """What the buckets of a guess cost in all; from ``limit`` on it is not exact."""
    letters, tally, steps = search.letters, search.scratch.tally, search.criterion.steps
    cost, seen = 0, 0
    for at in range(len(state)):
        score = grade(letters, guess, state[at])
        cost += steps[np.uint32(tally[score])]
        tally[score] += 1
        seen = at + 1
        if cost >= limit:
            break
    for at in range(seen):
        tally[grade(letters, guess, state[at])] = 0
    return int(cost)
