"""All measures of words as guesses, in one kernel: scored some at a time, and measured at once."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..game.score_matrix import Letters, Scores, letter_shares, letters_in, score_words
from ..machine.arrays import LINE
from ..machine.jit import kernel
from .measures import (
    DENSE,
    Costs,
    Measures,
    empty_measures,
    fixed_log_weights,
    measure_blocks,
    measure_words,
)

#: So many bytes of scores are made and measured at a time.
_BLOCK = 1 << 24


def row_measures(guesses: Letters, candidates: Letters, dtype: Any, n_scores: int) -> Measures:
    """All measures of the guesses against the candidates, row by row."""
    measures = empty_measures(len(guesses), len(candidates))
    shares, logs = letter_shares(guesses.shape[1], dtype), fixed_log_weights(len(candidates))
    letters = letters_in(guesses, candidates)
    measure_by_rows(guesses, candidates, letters, shares, n_scores, logs, measures)
    return measures


@kernel
def measure_by_rows(
    guesses: Letters,
    candidates: Letters,
    letters: int,
    shares: Scores,
    n_scores: int,
    log_weights: Costs,
    measures: Measures,
) -> None:
    """Measure the guesses, whose words have so many letters to number, by rows of scores."""
    count, size = len(guesses), len(candidates)
    width = (size // LINE + 1) * LINE
    together = max(1, min(count, _BLOCK // (width * shares.itemsize)))
    rows = np.empty((together, width), dtype=shares.dtype)
    members = np.arange(size).astype(np.uint32)
    starts = np.zeros(2, dtype=np.uint32)
    starts[1] = size
    counts = np.zeros(n_scores, dtype=np.uint32)
    for start in range(0, count, together):
        end = min(count, start + together)
        some = rows[: end - start]
        score_words(guesses[start:end], candidates, letters, shares, some)
        part = Measures(
            size,
            measures.parts[start:end],
            measures.largest[start:end],
            measures.squares[start:end],
            measures.weights[start:end],
        )
        if shares.itemsize == 1 and size >= DENSE:
            words: NDArray[np.uint64] = some.view(np.uint64)
            measure_words(words, some[:, :size], log_weights, part)
        else:
            measure_blocks(some[:, :size], members, starts, 0, log_weights, counts, part)
