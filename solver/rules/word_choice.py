"""The next guess among words, by their letters alone: no scores are kept.

By Knuth's minimax as ``few_candidates`` and ``many_candidates`` explain. By the other rules a guess
that separates all candidates is the best there is, and is sought among few candidates as theirs is.
Where there is none, for each guess the pairs are counted that it leaves together: a bound of what
its buckets cost (``many_candidates.cheapest_by_pairs``). Where candidates are many, a guess cannot
tell more than its columns do one by one, which excludes nearly all guesses by entropy, and most by
mean sizes; what is left is counted, or if that is much, measured in the order of its columns
(``cheapest_sum``). Of parts there is no such bound; of up to ``PARTED`` candidates they are counted
for all guesses side by side (``few_candidates.most_parts``).

Whether costs are sums over the buckets is said by an argument that is None or a number: the
compiler leaves out what None does not need, which is most of its work.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..machine.arrays import Ids, note_set, recalled
from ..machine.jit import kernel, noalloc
from ..splits.measures import LOGARITHMS, NO_COST, PARTS, SQUARES
from .few_candidates import best_of_few, first_perfect, most_parts
from .letter_bits import (
    PAIRED,
    PARTED,
    SEPARATED,
    SEPARATED_BY_SUM,
    WORD,
    LetterBits,
    WordScratch,
    WordSearch,
    cost_below,
    grade,
)
from .many_candidates import (
    best_of_many,
    better_of,
    cheapest_by_pairs,
    cost_of_split,
    count_columns,
    hold_candidates,
    is_before,
    is_mine,
    last_separating,
    list_there,
    mark_members,
    split_further,
    unmark_members,
)

#: So many guesses are counted in the order of what is hoped of them; and so many in all.
PROMISING, WORTH_COUNTING = 8, 1 << 15
#: Costs by logarithms have so many bits more than ``logs``, whose sums are not exact by so much.
EXACTER, INEXACT = 20, 1 << 13


@kernel
def best_word(search: WordSearch, sums: int | None, state: Ids) -> int:
    """The column of the guess among words that a rule chooses, for three candidates or more."""
    return _best(search, sums, state)


@noalloc(inner=True, inline=True)
def _best(search: WordSearch, sums: int | None, state: Ids) -> int:
    if sums is None:
        if len(state) <= SEPARATED:
            return best_of_few(search, state)
        return best_of_many(search, state)
    else:  # noqa: RET505 - what numba leaves out is a branch
        return _best_by_sum(search, state)


@noalloc(inner=True, inline=True)
def _best_by_sum(search: WordSearch, state: Ids) -> int:
    """Any rule whose cost is a sum over the buckets."""
    n, criterion = len(state), search.criterion
    if criterion.kind == PARTS and n <= PARTED:
        return most_parts(search, state)
    reward = n if criterion.candidate_bonus else 0
    floor = n * criterion.steps[0]
    best, cost = -1, NO_COST
    for member in state[: n if n <= SEPARATED_BY_SUM else SEPARATED_BY_SUM]:
        own = search.own_column[member]
        total = cost_below(search, own, state, cost + reward) - reward
        if total < cost:
            best, cost = int(own), total
            if cost <= floor - reward:
                break
    if n <= SEPARATED_BY_SUM:
        sure = _sure_of_few(search, state, best, cost, floor)
        if sure >= 0:
            return sure
    if n <= (PAIRED if criterion.kind != LOGARITHMS else SEPARATED):
        found = cheapest_by_pairs(search, state, best, cost)
        if found >= 0:
            return found
    whole, best, cost = _cheapest_by_columns(search, state, best, cost)
    if whole:
        return best
    return cheapest_sum(search, state, best, cost, _needed(search, n, cost + reward))


@noalloc(inner=True, inline=True)
def _sure_of_few(search: WordSearch, state: Ids, best: int, cost: int, floor: int) -> int:
    """The best guess if the best candidate and its cost make it clear at once; or -1.

    A guess that separates all costs ``floor``; any other has a pair in one bucket.
    """
    if cost <= floor:
        return best
    perfect = first_perfect(search, state, best)
    if perfect < 0 and cost <= floor + search.scratch.least[1]:
        return best
    return perfect


# --- the information of columns


@noalloc(inner=True, inline=True)
def _cheapest_by_columns(
    search: WordSearch, state: Ids, best: int, cost: int
) -> tuple[bool, int, int]:
    """The guess whose buckets cost least, with the cost; and whether it is so for sure.

    The scores of a guess tell no more than its columns do one by one: so much is hoped of it, and
    the most promising are counted first. Where information tells what a guess costs at least, only
    those are counted that can still be best; unless they are many.
    """
    scratch, n = search.scratch, len(state)
    reward = n if search.criterion.candidate_bonus else 0
    _note_gains(search, state)
    mark_members(search, state)
    best, cost = better_of(search, state, _hope(search), best, cost)
    known = _list_hopeful(scratch, _needed(search, n, cost + reward))
    whole = known * n <= WORTH_COUNTING
    for at in range(known if whole else min(known, PROMISING)):
        if at < PROMISING:
            _bring_forward(scratch.visits, scratch.hopes, at, known)
        guess = int(scratch.visits[at])
        less = reward if is_mine(scratch, guess) else 0
        if scratch.hopes[guess] >= _needed(search, n, cost + less):
            best, cost = better_of(search, state, guess, best, cost)
    unmark_members(search, state)
    return whole, best, cost


@noalloc(inner=True, inline=True)
def _list_hopeful(scratch: WordScratch, needed: int) -> int:
    """List the guesses of which so much is hoped; their number."""
    count = 0
    for guess in range(len(scratch.hopes)):
        if scratch.hopes[guess] >= needed:
            scratch.visits[count] = guess
            count += 1
    return count


@noalloc(inner=True, inline=True)
def _note_gains(search: WordSearch, state: Ids) -> None:
    """Note the information of each column's classes."""
    letters, scratch = search.letters, search.scratch
    first, logs, tally = letters.first, scratch.logs, scratch.tally
    count_columns(search, state)
    for letter in range(len(first) - 1):
        sizes, there = scratch.sizes[letter], scratch.class_shares
        count = list_there(sizes, first[letter + 1] - first[letter] + 1, there)
        for column in range(first[letter], first[letter + 1]):
            shares = letters.shares[column]
            left = 0
            for k in there[:count]:
                tally[shares[k]] += sizes[k]
            for k in there[:count]:
                left += logs[np.uint32(tally[shares[k]])]
                tally[shares[k]] = 0
            scratch.gains[column] = logs[len(state)] - left


@noalloc(inner=True, inline=True)
def _hope(search: WordSearch) -> int:
    """Add up what the columns of each guess tell; the guess with the most."""
    terms, gains, hopes = search.letters.terms, search.scratch.gains, search.scratch.hopes
    best, most = 0, -1
    for guess in range(len(terms)):
        hope = gains[terms[guess, 0]] + gains[terms[guess, 1]] + gains[terms[guess, 2]]
        hope += gains[terms[guess, 3]] + gains[terms[guess, 4]]
        for more in range(5, terms.shape[1]):
            hope += gains[terms[guess, more]]
        hopes[guess] = hope
        if hope > most:
            best, most = guess, hope
    return best


@noalloc(inner=True, inline=True)
def _bring_forward(visits: Ids, hopes: NDArray[np.int64], at: int, count: int) -> None:
    """Put the most promising of the visits to come first."""
    place = at
    for other in range(at + 1, count):
        if hopes[visits[other]] > hopes[visits[place]]:
            place = other
    visits[at], visits[place] = visits[place], visits[at]


@noalloc(inner=True, inline=True)
def _needed(search: WordSearch, n: int, cost: int) -> int:
    """What the columns of a guess must tell at least if its buckets cost no more than this.

    Squares: the logarithm of the mean bucket is at least the mean of the logarithms.
    """
    logs, kind = search.scratch.logs, search.criterion.kind
    if cost > search.criterion.weights[n]:
        return -INEXACT
    if kind == LOGARITHMS:
        return int(logs[n]) - (cost >> EXACTER) - INEXACT - n
    if kind == SQUARES:
        parts = min(16, n)
        while parts > 1 and parts * cost > n * (n - 1):
            parts //= 2
        size = parts * cost // n + 1
        if size <= n:
            left = n * logs[size] // size - n * logs[parts] // parts
            return int(logs[n] - left) - INEXACT - n
    return -INEXACT


@noalloc(inner=True, inline=True)
def note_scores(letters: LetterBits, column: int, state: Ids, split: Ids) -> None:
    """Write the scores of the guess that a rule has chosen against the candidates of a state."""
    for at in range(len(state)):
        split[at] = grade(letters, column, state[at])


@noalloc(inner=True, inline=True)
def split_by_words(search: WordSearch, sums: int | None, state: Ids, split: Ids) -> int:
    """Choose a rule's guess for a state of words, note scores; Knuth's up to ``SEPARATED``."""
    column = search.own_column[state[0]]
    if len(state) > 2:
        mixed, column = recalled(search.scratch.known, state)
        if column < 0:
            if sums is None:  # noqa: SIM108 - what numba leaves out is a branch
                column = best_of_few(search, state)
            else:
                column = _best_by_sum(search, state)
            note_set(search.scratch.known, mixed, state, column)
    note_scores(search.letters, column, state, split)
    return int(search.pool[column])


@noalloc(inner=True, inline=True)
def split_many_by_words(search: WordSearch, state: Ids, split: Ids) -> int:
    """Choose Knuth's guess for a state of more than ``SEPARATED`` words, and note its scores."""
    mixed, column = recalled(search.scratch.known, state)
    if column < 0:
        column = best_of_many(search, state)
        note_set(search.scratch.known, mixed, state, column)
    note_scores(search.letters, column, state, split)
    return int(search.pool[column])


# --- all guesses, and the sum of what their buckets cost


@noalloc(inner=True, inline=True)
def cheapest_sum(search: WordSearch, state: Ids, best: int, cost: int, needed: int) -> int:
    """A rule's guess whose buckets cost least in all, if less than ``cost``; else ``best``.

    Only those are looked at of which ``needed`` is hoped. They are taken in the order of their
    columns: neighbours share the buckets by the columns that they have in common, which are split
    further. That is left where the columns to come can save too little: candidates that are in the
    largest class of all of them stay together, and each of the others makes buckets cheaper by so
    much at most.
    """
    letters, scratch, n = search.letters, search.scratch, len(state)
    words = (n + WORD - 1) // WORD
    reward = n if search.criterion.candidate_bonus else 0
    hold_candidates(search, state)
    mark_members(search, state)
    for word in range(words):
        scratch.split[0, word] = scratch.left[0, word]
    scratch.split_sizes[0, 0] = n
    scratch.split_counts[0], scratch.split_alone[0] = 1, 0
    scratch.split_costs[0], scratch.split_largest[0] = search.criterion.weights[n], n
    scratch.turns[0] = 0
    done = 0
    for at in range(len(letters.order)):
        done = min(done, letters.shared[at])
        guess = int(letters.order[at])
        if scratch.hopes[guess] < needed:
            continue
        last = last_separating(letters, at, words, scratch)
        if last < 0:
            continue
        less = reward if is_mine(scratch, guess) else 0
        done, reached = _go_down(search, at, done, last, cost + less)
        if not reached:
            continue
        here = scratch.turns[last]
        total = cost_of_split(search, letters.path[at, last], here, words, cost + less) - less
        if total < cost or (total == cost and is_before(scratch, guess, best)):
            best, cost = guess, total
    unmark_members(search, state)
    return best


@noalloc(inner=True, inline=True)
def _go_down(search: WordSearch, at: int, done: int, last: int, limit: int) -> tuple[int, bool]:
    """Split by the columns of a guess before the last; down to where, and whether to the last.

    ``done`` columns are split by already. What is sure to cost more than the limit is left.
    """
    letters, scratch = search.letters, search.scratch
    costs, largest, lasts = scratch.split_costs, scratch.split_largest, scratch.turns
    term, rest = min(done, last), 0
    for later in range(term, last + 1):
        rest += scratch.minor[letters.path[at, later]]
    while True:
        here = lasts[term]
        if costs[here] - rest * scratch.steepest[np.uint32(largest[here])] > limit:
            return max(done, term), False
        if term == last:
            return max(done, term), True
        column = letters.path[at, term]
        term += 1
        lasts[term] = here
        if column and scratch.class_counts[column] > 1:
            split_further(search, column, here, term)
            lasts[term] = term
            rest -= scratch.minor[column]
