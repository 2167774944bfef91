"""The loops that grow a whole strategy by a one-step rule, for every game.

Depth first. The candidates of a state are a stretch of one array; a split sorts the stretch by
score in place, and the states below are stretches of it. So nothing is copied and nothing grows: a
state that waits is five numbers.

How a guess is chosen is the only difference between the games: by the score matrix, by letters, or
by codes graded on the way. All but one of the searches are None; numba leaves out what is asked of
None.

Among words Knuth's guess is sought in one way where candidates are many and in another where they
are few (``word_choice``). Each has a loop of its own: the states of many are grown first, and noted
in *nodes*, and with them in their places those of few, from which the second loop goes on. So a
first run compiles the two at the same time.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..machine.jit import kernel, lean
from ..machine.rows import Ids, sort_by_score
from .letter_bits import FEW, WordSearch
from .mastermind_choice import CodeSearch, split_by_codes
from .matrix_choice import MatrixSearch, best_column
from .word_choice import note_scores, split_by_words, split_many_by_words

#: A node's columns: its guess, -1 if that is still open; the score that leads there; its parent, -1
#: for none; where its candidates begin and end.
GUESS, SCORE, PARENT, LOW, HIGH = 0, 1, 2, 3, 4
_COLUMNS = 5


def all_states(
    matrix: MatrixSearch | None,
    words: WordSearch | None,
    sums: int | None,
    codes: CodeSearch | None,
    solved: int,
    members: Ids,
    starts: Ids,
    start_rows: NDArray[Any],
) -> NDArray[np.int32]:
    """The guess, score and parent of all states of a rule's strategy below ``members``.

    ``starts`` are the guesses of the first depths, ``start_rows`` their scores against all secrets,
    or nothing if the search by letters has all guesses in its pool; ``sums`` is a number if that
    follows a rule whose costs are sums, else None. ``solved`` is the highest score there is.
    ``members`` is overwritten.
    """
    most = (2 + len(starts)) * len(members) + len(starts) + 1
    states = np.empty((3, most), dtype=np.int32)
    if words is not None and sums is None:
        nodes = np.empty((most, _COLUMNS), dtype=np.int32)
        nodes = nodes[: grow_many(words, solved, members, starts, start_rows, nodes)]
        fixed = None
    else:
        nodes, fixed = np.array([[-1, -1, -1, 0, len(members)]], dtype=np.int32), starts
    size = grow_states(
        matrix, words, sums, codes, solved, members, nodes, fixed, start_rows, states
    )
    return states[:, :size]


@kernel
def grow_many(
    words: WordSearch,
    solved: int,
    members: Ids,
    starts: Ids,
    start_rows: NDArray[Any],
    nodes: NDArray[np.int32],
) -> int:
    """Fill ``nodes`` with the states of a rule's strategy down to few candidates; their number.

    The arguments are those of ``all_states``; ``members`` is put in the order of the states.
    """
    spare = np.empty(len(members), dtype=np.int32)
    labels = np.empty(len(members), dtype=np.int32)
    tally = np.zeros(solved + 1, dtype=np.int32)
    waiting = np.empty((len(members) + 1, 5), dtype=np.int32)  # low, high, parent, score, depth
    left = _put(waiting, 0, 0, len(members), -1, -1, 0)
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
        elif len(state) > FEW:
            nodes[size, GUESS] = split_many_by_words(words, state, split)
        if nodes[size, GUESS] >= 0:
            sort_by_score(split, state, tally, spare)
            left = _put_below(waiting, left, low, split, size, depth, solved)
        size += 1
    return size


@kernel
def grow_states(  # noqa: PLR0912, PLR0913 - flat: calls with so many arrays take their time
    matrix: MatrixSearch | None,
    words: WordSearch | None,
    sums: int | None,
    codes: CodeSearch | None,
    solved: int,
    members: Ids,
    nodes: NDArray[np.int32],
    starts: Ids | None,
    start_rows: NDArray[Any],
    states: NDArray[np.int32],
) -> int:
    """Fill ``states`` with all states of a rule's strategy that ``nodes`` lead to; their number.

    The arguments are those of ``all_states``; ``starts`` is None where guesses of the first depths
    are in ``nodes``. Where Knuth's rule is followed among words, open nodes have few candidates.
    """
    spare = np.empty(len(members), dtype=np.int32)
    labels = np.empty(len(members), dtype=np.int32)
    tally = np.zeros(solved + 1, dtype=np.int32)
    waiting = np.empty((len(members) + 1, 5), dtype=np.int32)
    size = 0
    for node in range(len(nodes)):
        above = nodes[node, PARENT]
        parent = nodes[above, LOW] if above >= 0 else -1
        if nodes[node, GUESS] >= 0:
            states[0, size] = nodes[node, GUESS]
            states[1, size], states[2, size] = nodes[node, SCORE], parent
            nodes[node, LOW] = size  # its number
            size += 1
            continue
        left = _put(waiting, 0, nodes[node, LOW], nodes[node, HIGH], parent, nodes[node, SCORE], 0)
        while left > 0:
            left -= 1
            low, high, depth = waiting[left, 0], waiting[left, 1], waiting[left, 4]
            states[1, size], states[2, size] = waiting[left, 3], waiting[left, 2]
            state, split = members[low:high], labels[: high - low]
            if words is not None and len(state) == 1 and starts is None:
                states[0, size] = words.pool[words.own_column[state[0]]]
                size += 1
                continue
            if starts is not None and depth < len(starts):
                states[0, size] = starts[depth]
                if words is not None and len(start_rows) == 0:
                    note_scores(words.letters, starts[depth], state, split)
                else:
                    for at in range(len(state)):
                        split[at] = start_rows[depth, state[at]]
            elif words is not None:
                states[0, size] = split_by_words(words, sums, state, split)
            elif codes is not None:
                states[0, size] = split_by_codes(codes, state, split)
            elif matrix is not None:  # spelt out: a call with so many arrays takes 0.2 µs a state
                column = matrix.own_column[state[0]]
                if len(state) > 2:
                    column = best_column(matrix, state)
                states[0, size] = matrix.pool[column]
                for at in range(len(state)):
                    split[at] = matrix.scores[state[at], column]
            sort_by_score(split, state, tally, spare)
            left = _put_below(waiting, left, low, split, size, depth, solved)
            size += 1
    return size


@lean(inner=True, inline=True)
def _put_below(
    waiting: NDArray[np.int32],
    left: int,
    low: int,
    split: Ids,
    number: int,
    depth: int,
    solved: int,
) -> int:
    """Have the states below a state wait, of its sorted scores; how many are waiting then."""
    end = len(split)
    for at in range(len(split) - 1, -1, -1):  # the smallest score is taken up first
        if at == 0 or split[at - 1] != split[at]:
            if split[at] != solved:
                left = _put(waiting, left, low + at, low + end, number, split[at], depth + 1)
            end = at
    return left


@lean(inner=True, inline=True)
def _put(
    waiting: NDArray[np.int32],
    left: int,
    low: int,
    high: int,
    parent: int,
    score: int,
    depth: int,
) -> int:
    waiting[left, 0], waiting[left, 1] = low, high
    waiting[left, 2], waiting[left, 3] = parent, score
    waiting[left, 4] = depth
    return left + 1
