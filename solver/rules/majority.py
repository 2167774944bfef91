"""Knuth's minimax for many candidates: most guesses are excluded without being counted.

Knuth's rule ("The computer as Master Mind", 1976-77) wants the guess whose largest bucket is
smallest. To count every guess costs candidates x guesses look-ups, and nearly all of that is spent
on guesses that come nowhere near the best. A lower bound of the largest bucket, if it is cheap
enough, spares them.

*The bound.* Take a guess letter by letter. Each of its *columns* (a letter with its places, as in
``score_matrix``) parts the candidates into classes by what it adds to the score. Candidates that
lie in the largest class of *every* column get the same score, so their number is a lower bound for
the largest bucket. Take LARES: most candidates lack the L, most lack the A, and so on; those that
lack all five get five greys, and there are quite a few of them.

*Why it is cheap.* The largest class of a column depends on the candidates, not on the guess: a few
hundred columns serve a dictionary. With candidates as bits of machine words, the bound is an AND of
the columns of a guess and a population count. Guesses share their first halves and their second
halves (*heads* and *tails*), so that it comes to one AND and one count for a guess and a word of 64
candidates. It excludes all but a few dozen guesses of a dictionary.

*What is left* is visited by ascending bound, so that a good guess is counted early. A *probe*
sharpens the bound: it follows the largest class column by column *within* what is left, where
another class may be the largest. Only guesses that survive it are counted in full, about ten for a
set of candidates (``./tools/bench search`` counts them).

*Ties.* The order of preference (largest bucket, candidate, alphabet) is one number, and a guess is
excluded by comparing the number that its bound would give it. So the choice is the same, to the
last tie, as if every guess had been counted.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..machine.jit import kernel
from ..machine.rows import Ids, copy_into
from ..machine.vector_steps import bit_count
from .majority_tables import WORD, Bits, LetterTables, MajorityScratch, Places, Scores


@kernel(inner=True)
def smallest_largest(
    scores: Scores, state: Ids, own: Ids, letters: LetterTables, scratch: MajorityScratch
) -> int:
    """Knuth's choice among all guesses: a column of ``scores[secret, guess]``.

    ``state`` are the candidates' rows, ``own`` their columns.
    """
    bounds, visits, is_candidate = scratch.bounds, scratch.visits, scratch.is_candidate
    for guess in own:
        is_candidate[guess] = True
    _hold(own, letters, scratch)
    _find_majorities(len(own), letters, scratch)
    _bound_all(len(own), letters, scratch)
    best = _lowest(bounds)
    largest = _count_largest(scores, state, best, scratch.tally)
    count = _order_visits(largest, scratch)
    key = _key(largest, best, is_candidate)
    probes, counts = 0, 1
    for at in range(count):
        guess = visits[at]
        if _key(bounds[guess], guess, is_candidate) >= key:
            break
        probes += 1
        if _key(_probe(guess, len(own), letters, scratch), guess, is_candidate) >= key:
            continue
        counts += 1
        largest = _count_largest(scores, state, guess, scratch.tally)
        if _key(largest, guess, is_candidate) < key:
            best = guess
            key = _key(largest, guess, is_candidate)
    scratch.work[0] += 1
    scratch.work[1] += probes
    scratch.work[2] += counts
    for guess in own:
        is_candidate[guess] = False
    return best


@kernel(inner=True)
def _key(largest: int, guess: int, is_candidate: NDArray[np.bool_]) -> int:
    """The whole order of preference in one number: largest bucket, candidate, alphabet."""
    guesses = len(is_candidate)
    return (2 * largest + (0 if is_candidate[guess] else 1)) * guesses + guess


@kernel(inner=True)
def _lowest(bounds: Ids) -> int:
    """The first guess with the lowest bound."""
    low = bounds[0]
    for bound in bounds:
        low = min(low, bound)
    guess = 0
    while bounds[guess] != low:
        guess += 1
    return guess


@kernel(inner=True)
def _count_largest(scores: Scores, state: Ids, guess: int, tally: Ids) -> int:
    """The largest bucket of one guess, counted in full."""
    largest = 0
    for member in state:
        score = scores[member, guess]
        tally[score] += 1
        largest = max(largest, tally[score])
    for member in state:
        tally[scores[member, guess]] = 0
    return largest


@kernel(inner=True)
def _order_visits(most: int, scratch: MajorityScratch) -> int:
    """List the guesses with bounds up to ``most`` in the order of their keys; their number."""
    bounds, near, visits = scratch.bounds, scratch.near, scratch.visits
    count = np.uint32(0)
    for guess in range(len(bounds)):
        near[count] = guess
        count += np.uint32(bounds[guess] <= most)
    starts = np.zeros(2 * most + 3, dtype=np.int32)
    for guess in near[:count]:
        starts[_level(guess, scratch) + 1] += 1
    for level in range(1, len(starts)):
        starts[level] += starts[level - 1]
    for guess in near[:count]:
        level = _level(guess, scratch)
        visits[starts[level]] = guess
        starts[level] += 1
    return int(count)


@kernel(inner=True)
def _level(guess: int, scratch: MajorityScratch) -> Any:
    """The bound of a guess and whether it is a candidate, in one number."""
    return 2 * scratch.bounds[guess] + (0 if scratch.is_candidate[guess] else 1)


@kernel(inner=True)
def _hold(own: Ids, letters: LetterTables, scratch: MajorityScratch) -> None:
    """Note which candidates hold which columns, and which columns of each letter occur."""
    holders, sizes, present = scratch.holders, scratch.sizes, scratch.present
    holders[: (len(own) + WORD - 1) // WORD] = 0
    sizes[:] = 0
    for at in range(len(own)):
        bit = np.uint64(1) << np.uint64(at % WORD)
        for column in letters.terms[own[at]]:
            holders[at // WORD, column] |= bit
            sizes[column] += 1
    for letter in range(len(letters.first) - 1):
        count = 0
        for column in range(letters.first[letter], letters.first[letter + 1]):
            if sizes[column]:
                present[letter, count] = column
                count += 1
        scratch.presents[letter] = count


@kernel(inner=True)
def _largest_class(
    column: int, first: int, present: Ids, sizes: Ids, missing: int, shares: Scores, tally: Ids
) -> tuple[int, int]:
    """The share that a column adds for most candidates, and for how many.

    ``sizes[i]`` candidates hold ``present[i]``, ``missing`` lack the letter and add nothing.
    """
    share = 0
    most = missing
    for at in range(len(present)):
        adds = shares[column, present[at] - first]
        tally[adds] += sizes[at]
        if tally[adds] > most:
            share = int(adds)
            most = tally[adds]
    for at in range(len(present)):
        tally[shares[column, present[at] - first]] = 0
    return share, most


@kernel(inner=True)
def _class_within(
    bits: np.uint64,
    word: int,
    column: int,
    first: int,
    present: Ids,
    share: int,
    shares: Scores,
    holders: Bits,
) -> np.uint64:
    """Those of ``bits``, in one machine word, to whose score the column adds ``share`` (not 0)."""
    members = np.uint64(0)
    for held in present:
        if shares[column, held - first] == share:
            members |= holders[word, held]
    return bits & members


@kernel
def _everyone(word: int, candidates: int) -> np.uint64:
    """The bits of all candidates in one machine word."""
    rest = candidates - word * WORD
    if rest >= WORD:
        return ~np.uint64(0)
    return (np.uint64(1) << np.uint64(rest)) - np.uint64(1)


@kernel(inner=True)
def _find_majorities(candidates: int, letters: LetterTables, scratch: MajorityScratch) -> None:
    """The largest class of every column."""
    words = (candidates + WORD - 1) // WORD
    majority, held = scratch.majority, scratch.remaining
    for word in range(words):
        majority[word, 0] = _everyone(word, candidates)
    for letter in range(len(letters.first) - 1):
        present = scratch.present[letter, : scratch.presents[letter]]
        missing = candidates
        for at in range(len(present)):
            held[at] = scratch.sizes[present[at]]
            missing -= held[at]
        for word in range(words):
            has = np.uint64(0)
            for column in present:
                has |= scratch.holders[word, column]
            scratch.lacking[word, letter] = majority[word, 0] & ~has
        first, end = letters.first[letter], letters.first[letter + 1]
        for column in range(first, end):
            share = 0
            if 2 * missing < candidates:
                share, _ = _largest_class(
                    column, first, present, held, missing, letters.shares, scratch.tally
                )
            for word in range(words):
                majority[word, column] = (
                    _class_within(
                        majority[word, 0],
                        word,
                        column,
                        first,
                        present,
                        share,
                        letters.shares,
                        scratch.holders,
                    )
                    if share
                    else scratch.lacking[word, letter]
                )


@kernel(inner=True)
def _bound_all(candidates: int, letters: LetterTables, scratch: MajorityScratch) -> None:
    """For every guess, how many candidates are in the largest class of all its columns."""
    bounds, head_bits, tail_bits = scratch.bounds, scratch.heads, scratch.tails
    bounds[:] = 0
    for word in range((candidates + WORD - 1) // WORD):
        majority = scratch.majority[word]
        _join(majority, letters.heads, head_bits)
        _join(majority, letters.tails, tail_bits)
        for guess in range(len(bounds)):
            both = head_bits[letters.head_of[guess]] & tail_bits[letters.tail_of[guess]]
            bounds[guess] += bit_count(both)


@kernel(inner=True)
def _join(majority: Bits, groups: Places, joined: Bits) -> None:
    """For each group of columns, the candidates in all their largest classes."""
    joined[:] = majority[0]
    for term in range(groups.shape[0]):
        columns = groups[term]
        for group in range(len(columns)):
            joined[group] &= majority[columns[group]]


@kernel
def _probe(guess: int, candidates: int, letters: LetterTables, scratch: MajorityScratch) -> int:
    """A better bound: follow the largest class column by column; returns the bucket's size."""
    words = (candidates + WORD - 1) // WORD
    left, remaining, holders = scratch.left, scratch.remaining, scratch.holders
    lacking, shares = scratch.lacking, letters.shares
    copy_into(left, scratch.majority[:words, 0])
    size = candidates
    for column in letters.terms[guess]:
        if column == 0:
            break
        letter = letters.letter[column]
        missing = 0
        for word in range(words):
            missing += bit_count(left[word] & lacking[word, letter])
        if 2 * missing >= size:
            size = missing
            for word in range(words):
                left[word] &= lacking[word, letter]
            continue
        present = scratch.present[letter, : scratch.presents[letter]]
        first = letters.first[letter]
        for at in range(len(present)):
            count = 0
            for word in range(words):
                count += bit_count(left[word] & holders[word, present[at]])
            remaining[at] = count
        share, size = _largest_class(
            column, first, present, remaining, missing, shares, scratch.tally
        )
        for word in range(words):
            left[word] = (
                _class_within(left[word], word, column, first, present, share, shares, holders)
                if share
                else left[word] & lacking[word, letter]
            )
    return size
