"""The next guess among words, by their letters alone: no scores are kept.

By Knuth's minimax as ``few_words`` and ``many_words`` explain. By the other rules a guess that
tells all candidates apart is the best there is, and is sought among few candidates as theirs is.
Where there is none, for each guess the pairs are counted that it leaves together: a bound of what
its buckets cost (``many_words.cheapest_by_pairs``). Where candidates are many, all guesses are
measured in the order of their columns (``bucket_bits.cheapest_sum``).

Whether costs are sums over the buckets is told by an argument that is None or a number: the
compiler leaves out what None does not need, which is most of its work.
"""

from __future__ import annotations

from ..machine.jit import kernel, lean
from ..machine.known_sets import note_set, recalled
from ..machine.rows import Ids
from .bucket_bits import cheapest_sum
from .criterion import NO_COST
from .few_words import best_of_few, first_perfect
from .letter_bits import FEW, FEW_BY_SUM, PAIRED, LetterBits, WordSearch, cost_below, grade
from .many_words import best_of_many, cheapest_by_pairs


@kernel
def best_word(search: WordSearch, sums: int | None, state: Ids) -> int:
    """The column of the guess for three candidates or more."""
    return _best(search, sums, state)


@lean(inner=True, inline=True)
def _best(search: WordSearch, sums: int | None, state: Ids) -> int:
    if sums is None:
        if len(state) <= FEW:
            return best_of_few(search, state)
        return best_of_many(search, state)
    else:  # noqa: RET505 - what numba leaves out is a branch
        return _best_by_sum(search, state)


@lean(inner=True, inline=True)
def _best_by_sum(search: WordSearch, state: Ids) -> int:
    """Any rule whose cost is a sum over the buckets."""
    n, criterion = len(state), search.criterion
    reward = n if criterion.candidate_bonus else 0
    floor = n * criterion.steps[0]
    best, cost = -1, NO_COST
    for member in state[: n if n <= FEW_BY_SUM else FEW_BY_SUM]:
        own = search.own_column[member]
        total = cost_below(search, own, state, cost + reward) - reward
        if total < cost:
            best, cost = int(own), total
            if cost <= floor - reward:
                break
    if n <= FEW_BY_SUM:
        if cost <= floor:
            return best
        perfect = first_perfect(search, state, best)
        if perfect >= 0:
            return perfect
    if n <= PAIRED:
        found = cheapest_by_pairs(search, state, best, cost)
        if found >= 0:
            return found
    return cheapest_sum(search, state, best, cost)


@lean(inner=True, inline=True)
def note_scores(letters: LetterBits, column: int, state: Ids, split: Ids) -> None:
    """The scores of one guess against the candidates of a state."""
    for at in range(len(state)):
        split[at] = grade(letters, column, state[at])


@lean(inner=True, inline=True)
def split_by_words(search: WordSearch, sums: int | None, state: Ids, split: Ids) -> int:
    """Choose a guess for a state and note its scores; by Knuth's rule for ``FEW`` at most."""
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


@lean(inner=True, inline=True)
def split_many(search: WordSearch, state: Ids, split: Ids) -> int:
    """The same by Knuth's rule, for more than ``FEW``."""
    mixed, column = recalled(search.scratch.known, state)
    if column < 0:
        column = best_of_many(search, state)
        note_set(search.scratch.known, mixed, state, column)
    note_scores(search.letters, column, state, split)
    return int(search.pool[column])
