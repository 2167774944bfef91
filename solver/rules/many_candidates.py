"""A choice among many candidates: most guesses are excluded by bounds, not counted.

Knuth's rule ("The computer as Master Mind", 1976-77) wants the guess whose largest bucket is
smallest. To count every guess costs candidates x guesses look-ups, and nearly all of that is
spent on guesses that come nowhere near the best. A lower bound of the largest bucket, if it is
cheap enough, spares them.

*The bound.* Take a guess letter by letter. Each of its *columns* (a letter with its places, as in
``score_matrix``) parts the candidates into classes by what it adds to the score. Candidates that
lie in the largest class of *every* column get the same score, so their number is a lower bound
for the largest bucket. Take LARES: most candidates lack the L, most lack the A, and so on; those
that lack all five get five greys, and there are quite a few of them.

*Why it is cheap.* The largest class of a column depends on the candidates, not on the guess; and
which guesses have a candidate outside of that class is a row of bits over the guesses
(``letter_bits``): for a letter that most candidates lack, those that have the letter. So for each
candidate two or three rows are joined, for 512 guesses in an instruction, and counted by bits
(``few_candidates``): a candidate costs about a nanosecond for 512 guesses.

*What is left* is visited by ascending bound, so that a good guess is counted early, and counted
until its largest bucket is too large.

*Ties.* The order of preference (largest bucket, candidate, alphabet) is one number, and a guess
is excluded by comparing the number that its bound would give it. So the choice is the same, to
the last tie, as if every guess had been counted.

*The count.* A bucket is what is common to one class of every column; so the search goes down,
column by column, through intersections of classes, and turns back where what is left is too small
to matter. The largest classes come first, and most guesses that are looked at are found too bad on
the first way down. Classes of a column are made when a guess with it is first looked at, and serve
all guesses.
"""

from __future__ import annotations

import numpy as np

from ..machine.arrays import Ids
from ..machine.jit import noalloc
from ..machine.vectors import bit_count, first_bit
from .few_candidates import GROUP, MOST_TALLIED, PLANES, join_row, list_rows, tally_lanes
from .letter_bits import (
    BLOCK,
    SEPARATED_BY_SUM,
    WORD,
    Bits,
    LetterBits,
    WordScratch,
    WordSearch,
    cost_below,
)

#: Where more candidates than this are looked at for each guess of the pool, that takes too long.
TOO_LONG = 10


@noalloc(inner=True, inline=True)
def best_of_many(search: WordSearch, state: Ids) -> int:
    """Knuth's choice for three candidates or more: a column of the pool."""
    letters, scratch = search.letters, search.scratch
    n = len(state)
    hold_candidates(search, state)
    _find_separating(search, n)
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


@noalloc(inner=True, inline=True)
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
    if n <= SEPARATED_BY_SUM and (
        best == begun or cost == n * weights[1] + scratch.least[together]
    ):
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


@noalloc(inner=True, inline=True)
def better_of(search: WordSearch, state: Ids, guess: int, best: int, cost: int) -> tuple[int, int]:
    """Of a guess and the best so far, the one that a rule prefers, with its buckets' cost."""
    scratch = search.scratch
    mine = search.criterion.candidate_bonus and is_mine(scratch, guess)
    less = len(state) if mine else 0
    total = cost_below(search, guess, state, cost + less + 1) - less
    if total < cost or (total == cost and is_before(scratch, guess, best)):
        return guess, total
    return best, cost


@noalloc(inner=True, inline=True)
def is_mine(scratch: WordScratch, guess: int) -> bool:
    """Whether a guess is marked as a candidate, which a rule prefers."""
    return bool(scratch.mine[guess // WORD] >> np.uint64(guess % WORD) & np.uint64(1))


@noalloc(inner=True, inline=True)
def is_before(scratch: WordScratch, guess: int, best: int) -> bool:
    """Whether a rule prefers a guess to another of the same cost."""
    mine = is_mine(scratch, guess)
    return guess < best if mine == is_mine(scratch, best) else mine


@noalloc(inner=True, inline=True)
def _list_pairs(search: WordSearch, state: Ids) -> int:
    """List the rows that separate two candidates, of all pairs; how many it takes at most."""
    letters, scratch = search.letters, search.scratch
    rows, separating = scratch.rows, scratch.lists[0]
    pairs = len(state) * (len(state) - 1) // 2
    width = (pairs + GROUP - 1) // GROUP * GROUP
    depth, pair = 0, 0
    for one in range(len(state)):
        for other in range(one):
            count = list_rows(letters, state[one], state[other], separating)
            while depth < count:
                rows[depth * width : (depth + 1) * width] = 0
                depth += 1
            for level in range(count):
                rows[level * width + pair] = separating[level + 1]
            pair += 1
    for empty in range(pairs, width):
        for level in range(depth):
            rows[level * width + empty] = letters.everyone
    return depth


@noalloc(inner=True, inline=True)
def mark_members(search: WordSearch, state: Ids) -> None:
    """Mark, for a rule's choice, the guesses that are candidates of a state."""
    for member in state:
        own = search.own_column[member]
        search.scratch.mine[own // WORD] |= np.uint64(1) << np.uint64(own % WORD)


@noalloc(inner=True, inline=True)
def unmark_members(search: WordSearch, state: Ids) -> None:
    """After a one-step rule has chosen, forget which guesses ``mark_members`` has marked."""
    for member in state:
        search.scratch.mine[search.own_column[member] // WORD] = np.uint64(0)


@noalloc(inner=True, inline=True)
def _key(largest: int, guess: int, letters: LetterBits, scratch: WordScratch) -> int:
    """The whole order of preference in one number: largest bucket, candidate, alphabet."""
    other = 1 - int(is_mine(scratch, guess))
    return (2 * largest + other) * len(letters.terms) + guess


# ---- The rows of each candidate


@noalloc(inner=True, inline=True)
def _find_separating(search: WordSearch, n: int) -> None:
    """Find what separates the holders of a letter.

    ``separating[letter, k]`` is the row of the guesses that have candidates with the letter's
    ``k``-th column in a minority, or 0. Where all columns have those in their largest class that
    lack the letter, ``separating[letter, 0]`` is -1: all guesses with it separate holders.
    """
    letters, sizes, separating = search.letters, search.scratch.sizes, search.scratch.separating
    row = letters.spare
    for letter in range(len(letters.first) - 1):
        separating[letter, 0] = -1
        if 2 * sizes[letter, 0] < n:
            row = _make_separating(search, n, letter, row)


@noalloc(inner=True, inline=True)
def _make_separating(search: WordSearch, n: int, letter: int, row: int) -> int:
    """The rows for a letter that most candidates have; where the next row begins."""
    letters, scratch = search.letters, search.scratch
    sizes, separating, bits = scratch.sizes[letter], scratch.separating[letter], letters.bits
    first, end = letters.first[letter], letters.first[letter + 1]
    for k in range(end - first + 1):
        separating[k] = 0
        if 0 < sizes[k] < n:
            separating[k] = row
            bits[row : row + letters.width] = 0
            row += letters.width
    there = scratch.class_shares
    count = list_there(sizes, end - first + 1, there)
    for column in range(first, end):
        shares = letters.shares[column]
        share = _largest_class(shares, sizes, there[:count], scratch.tally)
        source = letters.columns + column * letters.width
        for k in there[:count]:
            if separating[k] and shares[k] != share:
                join_row(bits, separating[k], source, letters.width)
    return row


@noalloc(inner=True, inline=True)
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


@noalloc(inner=True, inline=True)
def _list_members(search: WordSearch, state: Ids) -> int:
    """List the rows of each candidate, as ``tally_lanes`` wants them; how many it takes at most."""
    letters, scratch = search.letters, search.scratch
    terms, separating, rows = letters.terms, scratch.separating, scratch.rows
    n = len(state)
    width = (n + GROUP - 1) // GROUP * GROUP
    fixed = 0
    for letter in range(len(letters.first) - 1):
        if separating[letter, 0] >= 0:
            for at in range(n):
                rows[fixed * width + at] = separating[letter, letters.held[state[at], letter]]
            fixed += 1
    depth = fixed
    deepest = fixed + (terms.shape[1] + 1) // 2
    for at in range(n):
        own = np.uint32(search.own_column[state[at]])
        waiting, level = -1, fixed
        for term in range(terms.shape[1]):
            column = terms[own, term]
            letter = int(letters.letter[column])
            if column == 0 or separating[letter, 0] >= 0:
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


# ---- Bounds


@noalloc(inner=True, inline=True)
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


@noalloc(inner=True, inline=True)
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


@noalloc(inner=True, inline=True)
def _bits_of(n: int) -> int:
    """How many bits the counts of so many candidates have."""
    size = PLANES
    while n >> size:
        size += 1
    return size


@noalloc(inner=True, inline=True)
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


@noalloc(inner=True, inline=True)
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


# ---- Buckets as intersections of classes


@noalloc(inner=True, inline=True)
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


@noalloc(inner=True, inline=True)
def count_columns(search: WordSearch, state: Ids) -> int:
    """List and count the columns that occur in a state; how many there are."""
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


@noalloc(inner=True, inline=True)
def list_there(sizes: Ids, count: int, there: Ids) -> int:
    """List which sizes are not 0: the columns that any candidates have; how many there are."""
    found = 0
    for k in range(count):
        if sizes[k] > 0:
            there[found] = k
            found += 1
    return found


@noalloc(inner=True, inline=True)
def _forget_classes(scratch: WordScratch) -> None:
    """Forget all classes."""
    scratch.class_counts[:] = 0
    scratch.used[0] = 0


@noalloc(inner=True, inline=True)
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


@noalloc(inner=True, inline=True)
def _largest(depth: int, words: int, largest: int, limit: int, scratch: WordScratch) -> int:
    """The largest bucket, if larger than ``largest``; sought no further once it is ``limit``."""
    if words == 1:
        return _largest_in_word(depth, largest, limit, scratch)
    return _largest_above(depth, words, largest, limit, scratch)


@noalloc(inner=True, inline=True)
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


@noalloc(inner=True, inline=True)
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


@noalloc(inner=True, inline=True)
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


@noalloc(inner=True, inline=True)
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


# ---- All buckets, and what they cost


@noalloc(inner=True, inline=True)
def last_separating(letters: LetterBits, at: int, words: int, scratch: WordScratch) -> int:
    """The last column of a guess that splits the candidates, or -1."""
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


@noalloc(inner=True, inline=True)
def split_further(search: WordSearch, column: int, here: int, there: int) -> None:
    """Split the buckets of a guess by one more column; those of one candidate are only counted."""
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


@noalloc(inner=True, inline=True)
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
