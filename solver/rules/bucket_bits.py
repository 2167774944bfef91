"""The buckets of a guess, and the largest one, sought among candidates as bits.

Each column of a guess parts the candidates into *classes* by what it adds to the score. A bucket is
what is common to one class of every column; so the search goes down, column by column, through
intersections of classes, and turns back where what is left is too small to matter. The largest
classes are first, and most guesses that are looked at are found too bad on the first way down.

Classes of a column are made when a guess with it is first looked at, and serve all guesses.
"""

from __future__ import annotations

import numpy as np

from ..machine.jit import lean
from ..machine.rows import Ids
from ..machine.vector_steps import bit_count
from .letter_bits import WORD, LetterBits, WordScratch, WordSearch


@lean(inner=True, inline=True)
def hold_candidates(search: WordSearch, state: Ids) -> None:
    """Note for a rule which candidates have which column, as bits, and how many; forget classes.

    ``sizes[letter, 0]`` are those that lack a letter.
    """
    letters, scratch = search.letters, search.scratch
    terms = letters.terms
    words = (len(state) + WORD - 1) // WORD
    count = count_columns(search, state)
    for at in range(count):
        row = scratch.present[at] * words
        scratch.holders[row : row + words] = 0
    for at in range(len(state)):
        bit = np.uint64(1) << np.uint64(at % WORD)
        own = np.uint32(search.own_column[state[at]])
        for term in range(terms.shape[1]):
            column = np.int64(terms[own, term])
            if column:
                scratch.holders[column * words + at // WORD] |= bit
    everyone = scratch.left[0]
    for word in range(words):
        rest = len(state) - word * WORD
        full = rest >= WORD
        everyone[word] = ~np.uint64(0) if full else (np.uint64(1) << np.uint64(rest)) - np.uint64(1)
    _forget_classes(scratch)


@lean(inner=True, inline=True)
def count_columns(search: WordSearch, state: Ids) -> int:
    """For a one-step rule, list and count the columns that occur in a state; how many there are."""
    letters, sizes, present = search.letters, search.scratch.sizes, search.scratch.present
    terms, first = letters.terms, letters.first
    sizes[:] = 0
    sizes[:, 0] = len(state)
    count = 0
    for member in state:
        own = np.uint32(search.own_column[member])
        for term in range(terms.shape[1]):
            column = terms[own, term]
            if column > 0:
                letter = letters.letter[column]
                k = np.uint32(column - first[letter] + 1)
                present[count] = column
                count += int(sizes[letter, k] == 0)
                sizes[letter, k] += 1
                sizes[letter, 0] -= 1
    return count


@lean(inner=True, inline=True)
def list_there(sizes: Ids, count: int, there: Ids) -> int:
    """For a one-step rule, list which sizes are not 0: the columns that any candidates have.

    How many these are.
    """
    found = 0
    for k in range(count):
        if sizes[k] > 0:
            there[found] = k
            found += 1
    return found


@lean(inner=True, inline=True)
def _forget_classes(scratch: WordScratch) -> None:
    """Forget all classes."""
    scratch.class_counts[:] = 0
    scratch.used[0] = 0


@lean(inner=True, inline=True)
def largest_bucket(
    letters: LetterBits, guess: int, n: int, limit: int, scratch: WordScratch
) -> int:
    """A guess's largest bucket over the candidates that a rule holds as bits; at most ``limit``."""
    words = (n + WORD - 1) // WORD
    counts, columns = scratch.class_counts, scratch.columns
    most = letters.shares.shape[1]
    if scratch.used[0] + letters.terms.shape[1] * most * words > len(scratch.classes):
        _forget_classes(scratch)
    depth = 0
    for term in range(letters.terms.shape[1]):
        column = letters.terms[guess, term]
        if column:
            if counts[column] == 0:
                _make_classes(letters, column, words, scratch)
            if counts[column] > 1:
                columns[depth] = column
                depth += 1
    if depth == 0:
        return min(n, limit)
    least = limit - 1  # most guesses are found to reach the limit, and need no more
    while True:
        found = _largest(depth, words, least, limit, scratch)
        if found >= limit or least == 0:
            return min(found, limit)
        least = 0


@lean(inner=True, inline=True)
def _largest(depth: int, words: int, largest: int, limit: int, scratch: WordScratch) -> int:
    """The largest bucket, if larger than ``largest``; sought no further once it is ``limit``."""
    if words == 1:
        return _largest_in_word(depth, largest, limit, scratch)
    return _largest_above(depth, words, largest, limit, scratch)


@lean(inner=True, inline=True)
def _largest_above(depth: int, words: int, largest: int, limit: int, scratch: WordScratch) -> int:
    """As ``_largest``, for candidates in any number of machine words."""
    columns, turns = scratch.columns, scratch.turns
    level = 0
    turns[0] = 0
    while level >= 0:
        column = columns[level]
        turn = turns[level]
        if turn == scratch.class_counts[column]:
            level -= 1
            continue
        turns[level] = turn + 1
        start = scratch.class_starts[column] + turn * words
        members = scratch.classes[start : start + words]
        left, below = scratch.left[level], scratch.left[level + 1]
        size = 0
        for word in range(words):
            both = left[word] & members[word]
            below[word] = both
            size += bit_count(both)
        if size <= largest:
            continue
        if level + 1 < depth:
            level += 1
            turns[level] = 0
        else:
            largest = size
            if largest >= limit:
                break
    return largest


@lean(inner=True, inline=True)
def _largest_in_word(depth: int, largest: int, limit: int, scratch: WordScratch) -> int:
    """As ``_largest``, for candidates that fit a machine word."""
    columns, turns, lefts = scratch.columns, scratch.turns, scratch.lefts
    level = 0
    turns[0] = scratch.class_starts[columns[0]]
    left = lefts[0] = scratch.left[0, 0]
    end = turns[0] + scratch.class_counts[columns[0]]
    turn = turns[0]
    while True:
        if turn == end:
            level -= 1
            if level < 0:
                break
            turn, left = turns[level], lefts[level]
            end = scratch.class_starts[columns[level]] + scratch.class_counts[columns[level]]
            continue
        below = left & scratch.classes[np.uint32(turn)]
        turn += 1
        size = bit_count(below)
        if size <= largest:
            continue
        if level + 1 < depth:
            turns[level], lefts[level] = turn, left
            level += 1
            left = below
            turn = scratch.class_starts[columns[level]]
            end = turn + scratch.class_counts[columns[level]]
        else:
            largest = size
            if largest >= limit:
                break
    return largest


@lean(inner=True, inline=True)
def _make_classes(letters: LetterBits, column: int, words: int, scratch: WordScratch) -> None:
    """The classes of the candidates by what a column adds, the largest first."""
    letter = letters.letter[column]
    first, shares, sizes = letters.first[letter], letters.shares, scratch.sizes
    start = scratch.used[0]
    classes, everyone = scratch.classes, scratch.left[0]
    nothing = classes[start : start + words]
    for word in range(words):
        nothing[word] = everyone[word]
    count = 1
    scratch.class_shares[0] = 0
    for k in range(1, letters.first[letter + 1] - first + 1):
        share = np.int64(shares[column, k])
        if sizes[letter, k] == 0 or share == 0:
            continue
        row = (first + k - 1) * words
        holders = scratch.holders[row : row + words]
        at = 1
        while at < count and scratch.class_shares[at] != share:
            at += 1
        members = classes[start + at * words : start + (at + 1) * words]
        if at == count:
            scratch.class_shares[at] = share
            members[:] = 0
            count += 1
        for word in range(words):
            members[word] |= holders[word]
            nothing[word] &= ~holders[word]
    scratch.class_starts[column] = start
    scratch.class_counts[column] = _sort_classes(start, count, words, scratch)
    scratch.minor[column] = 0
    for at in range(1, count):
        scratch.minor[column] += scratch.class_shares[at]
    scratch.used[0] = start + count * words


@lean(inner=True, inline=True)
def _sort_classes(start: int, count: int, words: int, scratch: WordScratch) -> int:
    """Put the largest classes first; how many are not empty."""
    sizes = scratch.class_shares
    for at in range(count):
        members = scratch.classes[start + at * words : start + (at + 1) * words]
        size = 0
        for word in range(words):
            size += bit_count(members[word])
        sizes[at] = size
    for at in range(1, count):
        place = at
        while place > 0 and sizes[place] > sizes[place - 1]:
            sizes[place], sizes[place - 1] = sizes[place - 1], sizes[place]
            one = scratch.classes[start + (place - 1) * words : start + place * words]
            other = scratch.classes[start + place * words : start + (place + 1) * words]
            for word in range(words):
                one[word], other[word] = other[word], one[word]
            place -= 1
    while sizes[count - 1] == 0:
        count -= 1
    return count


# --- all buckets, and what they cost -------------------------------------------------------


@lean(inner=True, inline=True)
def last_telling(letters: LetterBits, at: int, words: int, scratch: WordScratch) -> int:
    """For a one-step rule, the last column of a guess that parts the candidates, or -1."""
    path, counts, last = letters.path, scratch.class_counts, -1
    most = letters.shares.shape[1]
    if scratch.used[0] + path.shape[1] * most * words > len(scratch.classes):
        _forget_classes(scratch)
    for term in range(path.shape[1]):
        column = path[at, term]
        if column:
            if counts[column] == 0:
                _make_classes(letters, column, words, scratch)
            if counts[column] > 1:
                last = term
    return last


@lean(inner=True, inline=True)
def split_further(search: WordSearch, column: int, here: int, there: int) -> None:
    """For a one-step rule, split the buckets of a guess by one more column; single ones count."""
    scratch, weights = search.scratch, search.criterion.weights
    words = (scratch.split_sizes[0, 0] + WORD - 1) // WORD
    alone, count = scratch.split_alone[here], 0
    cost, largest = 0, 1
    for bucket in range(scratch.split_counts[here]):
        members = scratch.split[here, bucket * words : (bucket + 1) * words]
        for turn in range(scratch.class_counts[column]):
            start = scratch.class_starts[column] + turn * words
            those = scratch.classes[start : start + words]
            into = scratch.split[there, count * words : (count + 1) * words]
            size = 0
            for word in range(words):
                both = members[word] & those[word]
                into[word] = both
                size += bit_count(both)
            if size > 1:
                scratch.split_sizes[there, count] = size
                count += 1
                cost += weights[np.uint32(size)]
                largest = max(largest, size)
            else:
                alone += size
    scratch.split_counts[there], scratch.split_alone[there] = count, alone
    scratch.split_costs[there] = cost + alone * weights[1]
    scratch.split_largest[there] = largest


@lean(inner=True, inline=True)
def cost_of_split(search: WordSearch, column: int, here: int, words: int, limit: int) -> int:
    """The cost of a guess's buckets split by one more column; not exact above ``limit``.

    The candidates that leave their buckets are known by number: each saves so much at most.
    """
    scratch, weights = search.scratch, search.criterion.weights
    total = scratch.split_alone[here] * weights[1]
    first = scratch.class_starts[column]
    whole, leaving = scratch.split_costs[here] - total, scratch.minor[column]
    steep = scratch.steepest[np.uint32(scratch.split_largest[here])]
    turns = scratch.class_counts[column]
    for bucket in range(scratch.split_counts[here]):
        members = scratch.split[here, bucket * words : (bucket + 1) * words]
        size = scratch.split_sizes[here, bucket]
        rest = size
        whole -= weights[np.uint32(size)]
        for turn in range(1, turns):
            start = first + turn * words
            those = scratch.classes[start : start + words]
            size = 0
            for word in range(words):
                size += bit_count(members[word] & those[word])
            total += weights[np.uint32(size)]
            rest -= size
        total += weights[np.uint32(rest)]
        leaving -= scratch.split_sizes[here, bucket] - rest
        if total + whole - leaving * steep > limit:
            return limit + 1
    return int(total)
