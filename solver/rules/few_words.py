"""Knuth's minimax for few candidates: all guesses at once, a bit each.

The largest bucket of a guess is the greatest number of candidates that it cannot tell from one of
them. So candidates are taken up as *pivots*, one after the other; for each the candidates that
come later are counted that a guess leaves with it, ``LANES`` guesses at a time (``alike_lanes``).
No score is looked at: rows of bits say who tells whom apart (``letter_bits``).

The best candidate sets the limit, and a block of guesses is left as soon as all of them have
reached it. Its largest bucket goes first in the comparison: words that one guess cannot tell apart
are alike to most, and so most guesses lose after a few rows. A guess that stays below lowers the
limit, and its block is looked at again.

The number of buckets is told in the same way: it is that of the candidates which a guess tells
from all that come earlier.

Ties: a candidate before the others, then the first guess.
"""

from __future__ import annotations

import numpy as np

from ..machine.jit import lean
from ..machine.rows import Ids
from ..machine.vector_steps import first_bit
from .alike_lanes import (
    CROWD,
    REPEATS,
    crowd_four,
    crowd_none,
    crowd_six,
    crowd_two,
    differing,
    differing_most,
    join_row,
    repeat_lanes,
)
from .letter_bits import (
    BLOCK,
    LANES,
    LETTERS,
    WORD,
    Bits,
    LetterBits,
    WordScratch,
    WordSearch,
    cost_below,
    grade,
    largest_below,
)


@lean(inner=True, inline=True)
def best_of_few(search: WordSearch, state: Ids) -> int:
    """Knuth's choice for three to ``FEW`` candidates: a column of the pool."""
    letters = search.letters
    best, largest = _best_candidate(search, state)
    if largest == 1:
        return best
    _crowd_first(search, state, best)
    known = 0
    for block in range(letters.blocks):
        before = largest
        largest, known = _lower(search, len(state), block * BLOCK, largest, known)
        if largest < before:
            best = _first_alive(search, block)
            if largest == 1:
                break
    return best


@lean(inner=True, inline=True)
def first_perfect(search: WordSearch, state: Ids, crowded: int) -> int:
    """The first guess that tells three to ``FEW_BY_SUM`` candidates all apart, or -1.

    ``crowded`` is a guess that does not.
    """
    letters = search.letters
    _crowd_first(search, state, crowded)
    known = 0
    for block in range(letters.blocks):
        largest, known = _lower(search, len(state), block * BLOCK, 2, known)
        if largest == 1:
            return _first_alive(search, block)
    return -1


@lean(inner=True, inline=True)
def _first_alive(search: WordSearch, block: int) -> int:
    """The first guess of a block that is alive in the second half of ``dead``."""
    dead, word = search.scratch.dead, 0
    while dead[BLOCK + word] == 0:
        word += 1
    return block * LANES + word * WORD + first_bit(dead[BLOCK + word])


@lean(inner=True, inline=True)
def _best_candidate(search: WordSearch, state: Ids) -> tuple[int, int]:
    """The candidate with the smallest largest bucket, and how large that is."""
    best, largest = 0, len(state) + 1
    for member in state:
        own = search.own_column[member]
        found = largest_below(search.letters, own, state, search.scratch.tally, largest)
        if found < largest:
            best, largest = int(own), found
            if largest == 1:
                break
    return best, largest


@lean(inner=True, inline=True)
def _lower(search: WordSearch, n: int, begin: int, largest: int, known: int) -> tuple[int, int]:
    """The smallest largest bucket in a block, if it is smaller than ``largest``.

    The guesses that have it are alive in the second half of ``dead``. Of ``known`` pivots the rows
    are listed; returns how many there are now.
    """
    letters, scratch = search.letters, search.scratch
    dead = scratch.dead
    for word in range(BLOCK):
        dead[word] = ~letters.bits[letters.everyone + begin + word]
    while largest > 1:
        alive = True
        for pivot in range(n - largest + 1):
            if pivot == known:
                _tell_apart(search, pivot, pivot + 1, n, 0)
                known += 1
            alive = _step(letters.bits, begin, pivot, largest, scratch)
            if not alive:
                break
        if not alive:
            break
        largest -= 1
        for word in range(BLOCK):
            dead[BLOCK + word] = ~dead[word]
    return largest, known


@lean(inner=True, inline=True)
def _step(bits: Bits, begin: int, pivot: int, limit: int, scratch: WordScratch) -> bool:
    """Bury the guesses that leave ``limit`` candidates with a pivot; whether any are alive."""
    rows, starts, dead = scratch.rows, scratch.starts, scratch.dead
    start, depth, groups = starts[3 * pivot], starts[3 * pivot + 1], starts[3 * pivot + 2]
    many = limit - 1
    if many <= 1:
        return crowd_none(bits, begin, rows, start, depth, groups, 1 - many, dead)
    if many <= 4:
        return crowd_two(bits, begin, rows, start, depth, groups, 4 - many, dead)
    if many <= 16:
        return crowd_four(bits, begin, rows, start, depth, groups, 16 - many, dead)
    return crowd_six(bits, begin, rows, start, depth, groups, 64 - many, dead)


# --- the number of buckets ----------------------------------------------------------------


@lean(inner=True, inline=True)
def most_parts(search: WordSearch, state: Ids) -> int:
    """The guess with the most buckets, for three to ``PARTED`` candidates: a column of the pool."""
    letters = search.letters
    n = len(state)
    best, lost = -1, n + 1
    for member in state:
        own = search.own_column[member]
        found = cost_below(search, own, state, lost)
        if found < lost:
            best, lost = int(own), found
            if lost == 0:
                return best
    _crowd_first(search, state, best)
    known = 1
    for block in range(letters.blocks):
        fewest, known = _fewest_lost(search, n, block * BLOCK, lost, known)
        if fewest < lost:
            best, lost = _first_alive(search, block), fewest
            if lost == 0:
                break
    return best


@lean(inner=True, inline=True)
def _fewest_lost(search: WordSearch, n: int, begin: int, limit: int, known: int) -> tuple[int, int]:
    """How many fewer buckets than candidates the best guesses of a block have; at most a limit.

    Below that, the second half of ``dead`` says which they are. Of ``known`` candidates the rows
    are listed that tell them from those before; returns how many there are now.
    """
    letters, scratch = search.letters, search.scratch
    dead, counts, starts = scratch.dead, scratch.more, scratch.starts
    bias = (1 << REPEATS) - limit
    for word in range(BLOCK):
        dead[word] = ~letters.bits[letters.everyone + begin + word]
        for k in range(REPEATS):
            counts[k * BLOCK + word] = ~np.uint64(0) * np.uint64(bias >> k & 1)
    for later in range(1, n):
        if later == known:
            _tell_apart(search, later, 0, later, 1)
            known += 1
        start, depth, groups = starts[3 * later], starts[3 * later + 1], starts[3 * later + 2]
        if not repeat_lanes(letters.bits, begin, scratch.rows, start, depth, groups, counts, dead):
            return limit, known
    for word in range(BLOCK):
        dead[BLOCK + word] = ~dead[word]
    fewest = 0
    for k in range(REPEATS - 1, -1, -1):
        fewer = np.uint64(0)
        for word in range(BLOCK):
            fewer |= dead[BLOCK + word] & ~counts[k * BLOCK + word]
        if fewer:
            for word in range(BLOCK):
                dead[BLOCK + word] &= ~counts[k * BLOCK + word]
        else:
            fewest += 1 << k
    return fewest - bias, known


# --- who tells whom apart -----------------------------------------------------------------


@lean(inner=True, inline=True)
def _crowd_first(search: WordSearch, state: Ids, best: int) -> None:
    """Order the candidates, those in the largest bucket of a guess in front."""
    letters, order, tally = search.letters, search.scratch.order, search.scratch.tally
    crowd = np.uint32(grade(letters, best, state[0]))
    for member in state:
        score = np.uint32(grade(letters, best, member))
        tally[score] += 1
        if tally[score] > tally[crowd]:
            crowd = score
    for member in state:
        tally[np.uint32(grade(letters, best, member))] = 0
    front, back = 0, len(state) - 1
    for member in state:
        if np.uint32(grade(letters, best, member)) == crowd:
            order[front] = member
            front += 1
        else:
            order[back] = member
            back -= 1


@lean(inner=True, inline=True)
def _tell_apart(search: WordSearch, pivot: int, first: int, end: int, lowest: int) -> None:
    """List the rows of the guesses that tell a pivot from some candidates, told by their places.

    As ``alike_lanes.crowd`` wants them: ``starts`` has where they begin, how many there are at
    most for a candidate, and how many groups of candidates. They come behind those of the pivot
    before; ``lowest`` is the first of all pivots.
    """
    scratch, letters = search.scratch, search.letters
    order, starts, lists = scratch.order, scratch.starts, scratch.lists
    depth, start = 1, 0
    for other in range(first, end):
        depth = max(depth, list_rows(letters, order[pivot], order[other], lists[other]))
    if pivot > lowest:
        start = starts[3 * pivot - 3] + starts[3 * pivot - 2] * starts[3 * pivot - 1] * CROWD
    groups = (end - first + CROWD - 1) // CROWD
    starts[3 * pivot], starts[3 * pivot + 1], starts[3 * pivot + 2] = start, depth, groups
    _lay_out(search, start, depth, first, end)


@lean(inner=True, inline=True)
def _lay_out(search: WordSearch, start: int, depth: int, first: int, end: int) -> None:
    """Put the lists of some members where ``alike_lanes.crowd`` wants them."""
    letters, rows, lists = search.letters, search.scratch.rows, search.scratch.lists
    for at in range((end - first + CROWD - 1) // CROWD * CROWD):
        place = start + at // CROWD * depth * CROWD + at % CROWD
        if first + at < end:
            count = lists[first + at, 0]
            for level in range(depth):
                rows[place + level * CROWD] = lists[first + at, level + 1] if level < count else 0
        else:
            for level in range(depth):
                rows[place + level * CROWD] = letters.everyone


@lean(inner=True, inline=True)
def list_rows(letters: LetterBits, one: int, other: int, rows: Ids) -> int:
    """List, for a rule's choice, the rows that tell two secrets apart behind their number."""
    if letters.held.shape[1] == LETTERS:
        alone, elsewhere = differing(letters.held, one, other)
    else:
        alone, elsewhere = differing_most(letters.held, one, other)
    left = np.uint64(alone)
    at = 1
    while left:
        letter = first_bit(left)
        left &= left - np.uint64(1)
        if left:
            rows[at] = letters.either[letter, first_bit(left)]
            left &= left - np.uint64(1)
        else:
            rows[at] = letters.letters + letter * letters.width
        at += 1
    left = np.uint64(elsewhere)
    while left:
        letter = first_bit(left)
        left &= left - np.uint64(1)
        column = letters.first[letter] + np.int64(letters.held[one, letter]) - 1
        at = _list_apart(letters, column, letters.held[other, letter], rows, at)
    rows[0] = at - 1
    return at - 1


@lean(inner=True, inline=True)
def _list_apart(letters: LetterBits, column: int, k: int, rows: Ids, at: int) -> int:
    """Append the row of the guesses that tell a column from the ``k``-th of its letter.

    If there is no room to make it, the rows of all columns that do so.
    """
    row = letters.apart[column, k]
    if row == 0 and letters.room[1] > 0:
        row = _make_apart(letters, column, k)
    if row > 0:
        rows[at] = row
        return at + 1
    letter = letters.letter[column]
    first, end = letters.first[letter], letters.first[letter + 1]
    for other in range(first, end):
        if letters.shares[other, column - first + 1] != letters.shares[other, k]:
            rows[at] = letters.columns + other * letters.width
            at += 1
    return at


@lean(inner=True, inline=True)
def _make_apart(letters: LetterBits, column: int, k: int) -> int:
    """Make that row, for both its names."""
    bits, width = letters.bits, letters.width
    row = letters.room[0]
    letters.room[0] += width
    letters.room[1] -= 1
    bits[row : row + width] = 0
    letter = letters.letter[column]
    first, end = letters.first[letter], letters.first[letter + 1]
    mine = column - first + 1
    for other in range(first, end):
        if letters.shares[other, mine] != letters.shares[other, k]:
            start = letters.columns + other * width
            join_row(bits, row, start, width)
    letters.apart[column, k] = row
    letters.apart[first + k - 1, mine] = row
    return int(row)
