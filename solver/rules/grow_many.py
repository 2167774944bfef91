"""Grows a strategy among words by Knuth's rule, down to states of few candidates.

Its states are noted as *nodes*, and with them in their places those of few, from which
``grow_tree`` goes on. In a file of its own it is compiled beside that one, by another process.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..machine.arrays import Ids, sort_by_score
from ..machine.jit import kernel, noalloc
from .letter_bits import SEPARATED, WordSearch
from .word_choice import note_scores, split_many_by_words

#: A node's columns: its guess, -1 if that is still open; the score that leads there; its parent, -1
#: for none; where its candidates begin and end.
GUESS, SCORE, PARENT, LOW, HIGH = 0, 1, 2, 3, 4
COLUMNS = 5


@kernel
def grow_many(
    words: WordSearch, solved: int, members: Ids, starts: Ids, start_rows: NDArray[Any], nodes: Ids
) -> int:
    """Fill ``nodes`` with the states of a rule's strategy down to few candidates; their number.

    The arguments are those of ``grow_tree.all_states``; ``members`` is put in the order of states.
    """
    spare = np.empty(len(members), dtype=np.int32)
    labels = np.empty(len(members), dtype=np.int32)
    tally = np.zeros(solved + 1, dtype=np.int32)
    waiting = np.empty((len(members) + 1, 5), dtype=np.int32)  # low, high, parent, score, depth
    left = put(waiting, 0, 0, len(members), -1, -1, 0)
    size = 0
    while left > 0:
        left -= 1
        low, high, depth = waiting[left, 0], waiting[left, 1], waiting[left, 4]
        nodes[size, GUESS] = -1
        nodes[size, SCORE], nodes[size, PARENT] = waiting[left, 3], waiting[left, 2]
        nodes[size, LOW], nodes[size, HIGH] = low, high
        state, split = members[low:high], labels[: high - low]
        if depth < len(starts):
            nodes[size, GUESS] = starts[depth]
            if len(start_rows) == 0:
                note_scores(words.letters, starts[depth], state, split)
            else:
                for at in range(len(state)):
                    split[at] = start_rows[depth, state[at]]
        elif len(state) > SEPARATED:
            nodes[size, GUESS] = split_many_by_words(words, state, split)
        if nodes[size, GUESS] >= 0:
            sort_by_score(split, state, tally, spare)
            left = put_below(waiting, left, low, split, size, depth, solved)
        size += 1
    return size


@noalloc(inner=True, inline=True)
def put_below(
    waiting: Ids, left: int, low: int, split: Ids, number: int, depth: int, solved: int
) -> int:
    """Have the states below a state wait, of its sorted scores; how many are waiting then."""
    end = len(split)
    for at in range(len(split) - 1, -1, -1):  # the smallest score is taken up first
        if at == 0 or split[at - 1] != split[at]:
            if split[at] != solved:
                left = put(waiting, left, low + at, low + end, number, split[at], depth + 1)
            end = at
    return left


@noalloc(inner=True, inline=True)
def put(waiting: Ids, left: int, low: int, high: int, parent: int, score: int, depth: int) -> int:
    """Have a state wait; how many are waiting then."""
    waiting[left, 0], waiting[left, 1] = low, high
    waiting[left, 2], waiting[left, 3] = parent, score
    waiting[left, 4] = depth
    return left + 1
