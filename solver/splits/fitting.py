"""Which guesses get given scores, and how many, where the secret is not known: kernels of grids."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..machine.jit import kernel

if TYPE_CHECKING:
    from ..machine.arrays import Ids


@kernel
def count_words(grades: NDArray[Any], wanted: Ids, words: Ids) -> None:
    """Add to ``words[k, secret]`` how many of the guesses get score ``wanted[k]`` for a secret.

    ``grades[guess, secret]`` may be a part of the guesses.
    """
    for guess in range(grades.shape[0]):
        row = grades[guess]
        for k in range(len(wanted)):
            for secret in range(grades.shape[1]):
                words[k, secret] += np.int32(row[secret] == wanted[k])


@kernel
def count_fitting(
    grades: NDArray[Any], wanted: Ids, possible: NDArray[np.uint8], found: Ids
) -> None:
    """Add to ``found[k]`` how many of the guesses get score ``wanted[k]`` for a possible secret."""
    for guess in range(grades.shape[0]):
        row = grades[guess]
        for k in range(len(wanted)):
            for secret in range(grades.shape[1]):
                if row[secret] == wanted[k] and possible[secret] == 1:
                    found[k] += 1
                    break
