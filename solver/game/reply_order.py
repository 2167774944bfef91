"""The replies of the adversary in its order: scores numbered, and the one that leaves the most.

Of equally large buckets it keeps one that does not solve the game; of these the one with fewest
greens (or black pegs), then with fewest yellows (or white pegs), then the lowest score.
"""

from __future__ import annotations

import numpy as np

from ..machine.arrays import Ids
from ..machine.jit import kernel


@kernel
def number_replies(greens: Ids, yellows: Ids, solved: int, numbers: Ids) -> None:
    """Write the number of each score: of equally large buckets the one of the lowest is kept.

    ``greens`` and ``yellows`` (or black and white pegs) are those of each score.
    """
    most = 0
    for score in range(len(numbers)):
        most = max(most, greens[score], yellows[score])
    first = np.zeros((most + 1) * (most + 1) + 1, dtype=np.int64)
    for score in range(len(numbers)):
        if score != solved:
            first[greens[score] * (most + 1) + yellows[score] + 1] += 1
    for kind in range(1, len(first)):
        first[kind] += first[kind - 1]
    for score in range(len(numbers)):
        kind = greens[score] * (most + 1) + yellows[score]
        if score != solved:
            numbers[score] = first[kind]
            first[kind] += 1
    numbers[solved] = len(numbers) - 1


@kernel
def best_reply(scores: Ids, numbers: Ids) -> int:
    """The score that most candidates give a guess; of equally frequent ones the lowest number's."""
    counts = np.zeros(len(numbers), dtype=np.int64)
    for score in scores:
        counts[score] += 1
    best = int(scores[0])
    for score in range(len(numbers)):
        more = counts[score] - counts[best]
        if more > 0 or (more == 0 and numbers[score] < numbers[best]):
            best = score
    return best
