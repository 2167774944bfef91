"""Scores from letters alone, compiled, and sharing nothing with any search.

Of a secret it is known where each letter stands in it: sets of places, as bits. A guess then asks
for its letters from left to right, and each of them takes a place of the secret that is free.
Letters, and the pegs of codes, are numbers from 0.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from solver.machine.jit import lean


@lean
def fill_places(words: NDArray[np.uint8], places: NDArray[np.int32]) -> None:
    """``places[word, letter]``: where the letter stands in the word."""
    places[:] = 0
    for word in range(words.shape[0]):
        for place in range(words.shape[1]):
            places[word, words[word, place]] |= 1 << place


@lean(inner=True, inline=True)
def colours_of(guess: NDArray[np.uint8], places: NDArray[np.int32]) -> int:
    """Wordle: 2 for green, 1 for yellow, 0 for grey, digits of base 3 from the first place on.

    The greens take their places first.
    """
    green = 0
    for place in range(len(guess)):
        green |= places[guess[place]] & 1 << place
    taken, score, unit = green, 0, 1
    for place in range(len(guess)):
        is_green = green >> place & 1
        free = places[guess[place]] & ~taken & (is_green - 1)  # none is needed where it is green
        taken |= free & -free
        score += unit * (2 * is_green + int(free != 0))
        unit *= 3
    return score


@lean(inner=True, inline=True)
def pegs_of(guess: NDArray[np.uint8], places: NDArray[np.int32]) -> int:
    """Mastermind: black pegs times (holes + 1), plus white pegs."""
    black, common, taken = 0, 0, 0
    for place in range(len(guess)):
        free = places[guess[place]] & ~taken
        taken |= free & -free
        common += int(free != 0)
        black += places[guess[place]] >> place & 1
    return black * (len(guess) + 1) + common - black
