"""The loop that grows a whole strategy by a one-step rule, for every game.

Depth first. The candidates of a state are a stretch of one array; a split sorts the stretch by
score in place, and the states below are stretches of it. So nothing is copied and nothing grows: a
state that waits is five numbers.

How a guess is chosen is the only difference between the games: by the score matrix, by letters, or
by codes graded on the way. All but one of the searches are None; numba leaves out what is asked of
None.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..machine.jit import kernel
from ..machine.rows import Ids, sort_by_score
from .letter_bits import WordSearch
from .mastermind_choice import CodeSearch, split_by_codes
from .matrix_choice import MatrixSearch, best_column
from .word_choice import note_scores, split_by_words


@kernel
def grow_states(  # noqa: PLR0912, PLR0913 - flat: calls with so many arrays take their time
    matrix: MatrixSearch | None,
    words: WordSearch | None,
    sums: int | None,
    codes: CodeSearch | None,
    solved: int,
    members: Ids,
    starts: Ids,
    start_rows: NDArray[Any],
    states: NDArray[np.int32],
) -> int:
    """Fill ``states`` (guess, score, parent) with all states below ``members``; their number.

    ``starts`` are the guesses of the first depths, ``start_rows`` their scores against all secrets,
    or nothing if the search by letters has all guesses in its pool;
    ``sums`` is a number if the search by letters follows a rule whose costs are sums, else None.
    ``solved`` is the highest score there is. ``members`` is overwritten.
    """
    spare = np.empty(len(members), dtype=np.int32)
    labels = np.empty(len(members), dtype=np.int32)
    tally = np.zeros(solved + 1, dtype=np.int32)
    waiting = np.empty((len(members) + 1, 5), dtype=np.int32)  # low, high, parent, score, depth
    waiting[0, 0], waiting[0, 1] = 0, len(members)
    waiting[0, 2], waiting[0, 3], waiting[0, 4] = -1, -1, 0
    size, left = 0, 1
    while left > 0:
        left -= 1
        low, high, depth = waiting[left, 0], waiting[left, 1], waiting[left, 4]
        states[1, size], states[2, size] = waiting[left, 3], waiting[left, 2]
        state, split = members[low:high], labels[: high - low]
        if depth < len(starts):
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
        end = len(state)
        for at in range(len(state) - 1, -1, -1):  # the smallest score is taken up first
            if at == 0 or split[at - 1] != split[at]:
                if split[at] != solved:
                    waiting[left, 0], waiting[left, 1] = low + at, low + end
                    waiting[left, 2], waiting[left, 3] = size, split[at]
                    waiting[left, 4] = depth + 1
                    left += 1
                end = at
        size += 1
    return size
