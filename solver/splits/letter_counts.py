"""A kernel: how often letters stand at the places of words, and what the commonest ones spell."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..machine.arrays import Ids
from ..machine.jit import kernel


@kernel
def spell_commonest(
    letters: NDArray[np.uint8], counts: NDArray[np.int64], spelled: Ids, order: Ids
) -> None:
    """Count ``counts[place, letter]``, which is zero, and spell the commonest letters.

    The commonest letter of all, at its place, goes first; then the commonest of those left at a
    place still free, and so on. Among equals the first place and the first letter. ``order`` has
    the places in the order in which they took their letters.
    """
    n_places = counts.shape[0]
    for word in range(len(letters)):
        for place in range(n_places):
            counts[place, letters[word, place]] += 1
    left = counts.copy()
    spelled[:] = -1
    for step in range(n_places):
        place, letter = _most(left)
        if left[place, letter] < 0:  # fewer letters than places
            for other in range(n_places):
                if spelled[other] < 0:
                    left[other] = 0
            place, letter = _most(left)
        order[step], spelled[place] = place, letter
        left[place] = -1
        left[:, letter] = -1


@kernel(inner=True)
def _most(left: NDArray[np.int64]) -> tuple[int, int]:
    """The first place and letter of the most."""
    best_place, best_letter = 0, 0
    for place in range(left.shape[0]):
        for letter in range(left.shape[1]):
            if left[place, letter] > left[best_place, best_letter]:
                best_place, best_letter = place, letter
    return best_place, best_letter
