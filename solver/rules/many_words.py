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

*Why it is cheap.* The largest class of a column depends on the candidates, not on the guess; and
which guesses have a candidate outside of that class is a row of bits over the guesses
(``letter_bits``): for a letter that most candidates lack, those that have the letter. So for each
candidate two or three rows are joined, for 512 guesses in an instruction, and counted by bits
(``alike_lanes``): a candidate costs about a nanosecond for 512 guesses.

*What is left* is visited by ascending bound, so that a good guess is counted early, and counted
until its largest bucket is too large.

*Ties.* The order of preference (largest bucket, candidate, alphabet) is one number, and a guess is
excluded by comparing the number that its bound would give it. So the choice is the same, to the
last tie, as if every guess had been counted.
"""

from __future__ import annotations

import numpy as np

from ..machine.jit import lean
from ..machine.rows import Ids
from ..machine.vector_steps import first_bit
from .alike_lanes import GROUP, MOST_TALLIED, PLANES, join_row, tally_lanes
from .bucket_bits import hold_candidates, largest_bucket, list_there
from .few_words import list_rows
from .letter_bits import (
    BLOCK,
    FEW_BY_SUM,
    WORD,
    Bits,
    LetterBits,
    WordScratch,
    WordSearch,
    cost_below,
)

#: Where more candidates than this are looked at for each guess of the pool, that takes too long.
TOO_LONG = 10


@lean(inner=True, inline=True)
def best_of_many(search: WordSearch, state: Ids) -> int:
    """Knuth's choice for three candidates or more: a column of the pool."""
    letters, scratch = search.letters, search.scratch
    n = len(state)
    hold_candidates(search, state)
    _find_telling(search, n)
    depth = _list_members(search, state)
    _bound_all(letters, n, depth, scratch)
    mark_members(search, state)
    best, _ = _lowest(letters, n, scratch)
    guess = best
    largest, limit, key = n, n + 1, 0
    visits, at, count = scratch.visits, 0, -1
    scratch.work[0] += 1
    while True:
        found = largest_bucket(letters, guess, n, limit, scratch)
        if found < limit:
            best, largest = guess, found
            key = _key(largest, best, letters, scratch)
        if count < 0:
            count = _order_visits(letters, n, largest, scratch)
        if at == count:
            break
        guess, bound = visits[at], scratch.bounds[at]
        if _key(bound, guess, letters, scratch) >= key:
            break
        at += 1
        scratch.work[1] += 1
        limit = largest + (1 if _key(largest, guess, letters, scratch) < key else 0)
    unmark_members(search, state)
    return best


@lean(inner=True, inline=True)
def cheapest_by_pairs(search: WordSearch, state: Ids, best: int, cost: int) -> int:
    """Of many words, the guess whose buckets cost least, if less than ``cost``; else ``best``.

    ``best`` is a candidate. Of every guess the pairs are counted that it leaves together, among up
    to ``PAIRED`` candidates. So many pairs cost ``least`` at least, however they lie in buckets;
    few pairs are visited first. -1: so many are left that all are sooner measured together.
    """
    letters, scratch, weights = search.letters, search.scratch, search.criterion.weights
    n = len(state)
    reward = n if search.criterion.candidate_bonus else 0
    pairs = n * (n - 1) // 2
    _bound_all(letters, pairs, _list_pairs(search, state), scratch)
    mark_members(search, state)
    first, together = _lowest(letters, pairs, scratch)
    begun = best
    best, cost = better_of(search, state, first, best, cost)
    most, above = 0, cost
    if n <= FEW_BY_SUM and (best == begun or cost == n * weights[1] + scratch.least[together]):
        above -= 1  # candidates are known, and what costs the same is no better
    while most < pairs and n * weights[1] + scratch.least[most + 1] - reward <= above:
        most += 1
    count = _order_visits(letters, pairs, most, scratch) if most >= together else 0
    if count * n > TOO_LONG * len(letters.terms):
        unmark_members(search, state)
        return -1
    for at in range(count):
        bound = n * weights[1] + scratch.least[scratch.bounds[at]]
        if bound - reward > cost:
            break
        guess = int(scratch.visits[at])
        less = reward if is_mine(scratch, guess) else 0
        if bound - less < cost or (bound - less == cost and is_before(scratch, guess, best)):
            best, cost = better_of(search, state, guess, best, cost)
    unmark_members(search, state)
    return best


@lean(inner=True, inline=True)
def better_of(search: WordSearch, state: Ids, guess: int, best: int, cost: int) -> tuple[int, int]:
    """Of a guess and the best so far, the one that a rule prefers, with its buckets' cost."""
    scratch = search.scratch
    mine = search.criterion.candidate_bonus and is_mine(scratch, guess)
    less = len(state) if mine else 0
    total = cost_below(search, guess, state, cost + less + 1) - less
    if total < cost or (total == cost and is_before(scratch, guess, best)):
        return guess, total
    return best, cost


@lean(inner=True, inline=True)
def is_mine(scratch: WordScratch, guess: int) -> bool:
    """Whether a guess is marked as a candidate, which a rule prefers."""
    return bool(scratch.mine[guess // WORD] >> np.uint64(guess % WORD) & np.uint64(1))


@lean(inner=True, inline=True)
def is_before(scratch: WordScratch, guess: int, best: int) -> bool:
    """Whether a rule prefers a guess to another of the same cost."""
    mine = is_mine(scratch, guess)
    return guess < best if mine == is_mine(scratch, best) else mine


@lean(inner=True, inline=True)
def _list_pairs(search: WordSearch, state: Ids) -> int:
    """List the rows that tell two candidates apart, of all pairs; how many it takes at most."""
    letters, scratch = search.letters, search.scratch
    rows, told = scratch.rows, scratch.lists[0]
    pairs = len(state) * (len(state) - 1) // 2
    width = (pairs + GROUP - 1) // GROUP * GROUP
    depth, pair = 0, 0
    for one in range(len(state)):
        for other in range(one):
            count = list_rows(letters, state[one], state[other], told)
            while depth < count:
                rows[depth * width : (depth + 1) * width] = 0
                depth += 1
            for level in range(count):
                rows[level * width + pair] = told[level + 1]
            pair += 1
    for empty in range(pairs, width):
        for level in range(depth):
            rows[level * width + empty] = letters.everyone
    return depth


@lean(inner=True, inline=True)
def mark_members(search: WordSearch, state: Ids) -> None:
    """Mark, for a rule's choice, the guesses that are candidates of a state."""
    for member in state:
        own = search.own_column[member]
        search.scratch.mine[own // WORD] |= np.uint64(1) << np.uint64(own % WORD)


@lean(inner=True, inline=True)
def unmark_members(search: WordSearch, state: Ids) -> None:
    """After a one-step rule has chosen, forget which guesses ``mark_members`` has marked."""
    for member in state:
        search.scratch.mine[search.own_column[member] // WORD] = np.uint64(0)


@lean(inner=True, inline=True)
def _key(largest: int, guess: int, letters: LetterBits, scratch: WordScratch) -> int:
    """The whole order of preference in one number: largest bucket, candidate, alphabet."""
    other = 1 - int(is_mine(scratch, guess))
    return (2 * largest + other) * len(letters.terms) + guess


# --- the rows of each candidate -----------------------------------------------------------


@lean(inner=True, inline=True)
def _find_telling(search: WordSearch, n: int) -> None:
    """What tells the holders of a letter.

    ``telling[letter, k]`` is the row of the guesses that have candidates with the letter's ``k``-th
    column in a minority, or 0. Where all columns have those in their largest class that lack the
    letter, ``telling[letter, 0]`` is -1: then holders are told by all guesses with the letter.
    """
    letters, sizes, telling = search.letters, search.scratch.sizes, search.scratch.telling
    row = letters.spare
    for letter in range(len(letters.first) - 1):
        telling[letter, 0] = -1
        if 2 * sizes[letter, 0] < n:
            row = _make_telling(search, n, letter, row)


@lean(inner=True, inline=True)
def _make_telling(search: WordSearch, n: int, letter: int, row: int) -> int:
    """The rows for a letter that most candidates have; where the next row begins."""
    letters, scratch = search.letters, search.scratch
    sizes, telling, bits = scratch.sizes[letter], scratch.telling[letter], letters.bits
    first, end = letters.first[letter], letters.first[letter + 1]
    for k in range(end - first + 1):
        telling[k] = 0
        if 0 < sizes[k] < n:
            telling[k] = row
            bits[row : row + letters.width] = 0
            row += letters.width
    there = scratch.class_shares
    count = list_there(sizes, end - first + 1, there)
    for column in range(first, end):
        shares = letters.shares[column]
        share = _largest_class(shares, sizes, there[:count], scratch.tally)
        source = letters.columns + column * letters.width
        for k in there[:count]:
            if telling[k] and shares[k] != share:
                join_row(bits, telling[k], source, letters.width)
    return row


@lean(inner=True, inline=True)
def _largest_class(shares: Ids, sizes: Ids, there: Ids, tally: Ids) -> int:
    """The share that a column adds for most candidates, of which ``sizes[k]`` have column ``k``.

    ``there`` are the ``k`` that any of them has.
    """
    share, most = 0, 0
    for k in there:
        tally[shares[k]] += sizes[k]
        if tally[shares[k]] > most:
            share, most = int(shares[k]), tally[shares[k]]
    for k in there:
        tally[shares[k]] = 0
    return share


@lean(inner=True, inline=True)
def _list_members(search: WordSearch, state: Ids) -> int:
    """List the rows of each candidate, as ``tally_lanes`` wants them; how many it takes at most."""
    letters, scratch = search.letters, search.scratch
    terms, telling, rows = letters.terms, scratch.telling, scratch.rows
    n = len(state)
    width = (n + GROUP - 1) // GROUP * GROUP
    fixed = 0
    for letter in range(len(letters.first) - 1):
        if telling[letter, 0] >= 0:
            for at in range(n):
                rows[fixed * width + at] = telling[letter, letters.held[state[at], letter]]
            fixed += 1
    depth = fixed
    deepest = fixed + (terms.shape[1] + 1) // 2
    for at in range(n):
        own = np.uint32(search.own_column[state[at]])
        waiting, level = -1, fixed
        for term in range(terms.shape[1]):
            column = terms[own, term]
            letter = int(letters.letter[column])
            if column == 0 or telling[letter, 0] >= 0:
                continue
            if waiting < 0:
                waiting = letter
            else:
                rows[level * width + at] = letters.either[
                    min(waiting, letter), max(waiting, letter)
                ]
                level += 1
                waiting = -1
        if waiting >= 0:
            rows[level * width + at] = letters.letters + waiting * letters.width
            level += 1
        depth = max(depth, level)
        for empty in range(level, deepest):
            rows[empty * width + at] = 0
    depth = max(depth, 1)
    for at in range(n, width):
        for level in range(depth):
            rows[level * width + at] = letters.everyone
    return depth


# --- bounds -------------------------------------------------------------------------------


@lean(inner=True, inline=True)
def _bound_all(letters: LetterBits, n: int, depth: int, scratch: WordScratch) -> None:
    """For every guess, how many candidates are in the largest class of all its columns."""
    width = (n + GROUP - 1) // GROUP * GROUP
    for block in range(letters.blocks):
        planes = scratch.planes[block]
        if width > MOST_TALLIED:
            planes[PLANES * BLOCK :] = 0
        for start in range(0, width, MOST_TALLIED):
            count, rows = min(width - start, MOST_TALLIED), scratch.rows[start:]
            into = scratch.more if start > 0 else planes
            tally_lanes(letters.bits, block * BLOCK, rows, width, depth, count, into)
            if start > 0:
                _add_planes(planes, into)


@lean(inner=True, inline=True)
def _add_planes(planes: Bits, more: Bits) -> None:
    """Add counts to counts."""
    for word in range(BLOCK):
        carry = np.uint64(0)
        for k in range(PLANES):
            one, two = planes[k * BLOCK + word], more[k * BLOCK + word]
            planes[k * BLOCK + word] = one ^ two ^ carry
            carry = one & two | carry & (one ^ two)
        k = PLANES
        while carry:
            one = planes[k * BLOCK + word]
            planes[k * BLOCK + word] = one ^ carry
            carry &= one
            k += 1


@lean(inner=True, inline=True)
def _bits_of(n: int) -> int:
    """How many bits the counts of so many candidates have."""
    size = PLANES
    while n >> size:
        size += 1
    return size


@lean(inner=True, inline=True)
def _lowest(letters: LetterBits, n: int, scratch: WordScratch) -> tuple[int, int]:
    """The first guess with the lowest bound, and the bound."""
    size = _bits_of(n)
    low, best = n + 1, 0
    for cell in range(letters.blocks * BLOCK):
        left = letters.bits[letters.everyone + cell]
        planes = scratch.planes[cell // BLOCK]
        bound = 0
        for k in range(size - 1, -1, -1):
            zero = left & ~planes[k * BLOCK + cell % BLOCK]
            if zero:
                left = zero
            else:
                bound += 1 << k
        if bound < low and left:
            low, best = bound, cell * WORD + first_bit(left)
    return best, low


@lean(inner=True, inline=True)
def _order_visits(letters: LetterBits, n: int, most: int, scratch: WordScratch) -> int:
    """List the guesses with bounds up to ``most`` in the order of their keys; their number."""
    size = _bits_of(n)
    near, bounds, starts, mine = scratch.near, scratch.bounds, scratch.starts, scratch.mine
    starts[: 2 * most + 3] = 0
    count = 0
    for cell in range(letters.blocks * BLOCK):
        planes = scratch.planes[cell // BLOCK]
        equal, below = letters.bits[letters.everyone + cell], np.uint64(0)
        for k in range(size - 1, -1, -1):
            plane = planes[k * BLOCK + cell % BLOCK]
            if most >> k & 1:
                below |= equal & ~plane
                equal &= plane
            else:
                equal &= ~plane
        left = below | equal
        while left:
            bit = np.uint64(first_bit(left))
            left &= left - np.uint64(1)
            bound = 0
            for k in range(size):
                bound += int(planes[k * BLOCK + cell % BLOCK] >> bit & np.uint64(1)) << k
            level = 2 * bound + 1 - int(mine[cell] >> bit & np.uint64(1))
            near[count] = cell * WORD + int(bit)
            scratch.levels[count] = level
            starts[level + 1] += 1
            count += 1
    for level in range(1, 2 * most + 3):
        starts[level] += starts[level - 1]
    for at in range(count):
        level = scratch.levels[at]
        place = starts[level]
        scratch.visits[place] = near[at]
        bounds[place] = level // 2
        starts[level] += 1
    return count
