"""Scores from letters alone, compiled, and sharing nothing with any search.

Of a secret it is known where each letter stands in it: sets of places, as bits. A guess then asks
for its letters from left to right, and each of them takes a place of the secret that is free.
Letters, and the pegs of codes, are numbers from 0.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from solver.machine.jit import lean


@lean
def fill_places(words: NDArray[np.uint8], places: NDArray[Any]) -> None:
    """Fill, for a replay, ``places[word, letter]``: bits for where the letter stands."""
    places[:] = 0
    for word in range(words.shape[0]):
        for place in range(words.shape[1]):
            places[word, words[word, place]] |= 1 << place


@lean(inner=True, inline=True)
def colours_shown(guess: NDArray[np.uint8], units: Any, places: NDArray[Any]) -> int:
    """The Wordle score in a replay, by the trusted checker's own kernel, from letters' places.

    2 for green, 1 for yellow, 0 for grey, digits of base 3 from the first place on. The greens take
    their places first.
    """
    green = 0
    for place in range(len(units)):
        green |= int(places[guess[place]]) & 1 << place
    taken, score = green, 0
    for place in range(len(units)):
        is_green = green >> place & 1
        # where it is green none is asked for
        free = int(places[guess[place]]) & ~taken & (is_green - 1)
        taken |= free & -free
        score += units[place] * (2 * is_green + int(free != 0))
    return score


@lean(inner=True, inline=True)
def repeats_letters(word: NDArray[np.uint8]) -> bool:
    """Whether a word that a replay grades has some letter twice."""
    for place in range(1, len(word)):
        for before in range(place):
            if word[before] == word[place]:
                return True
    return False


@lean(inner=True, inline=True)
def colours_apart(guess: NDArray[np.uint8], units: Any, places: NDArray[Any]) -> int:
    """The Wordle score in a replay of a guess that has no letter twice.

    None of its letters takes a place that another wants.
    """
    score = 0
    for place in range(len(units)):
        where = int(places[guess[place]])
        score += units[place] * (int(where != 0) + (where >> place & 1))
    return score


@lean(inner=True, inline=True)
def pegs_of(guess: NDArray[np.uint8], units: Any, places: NDArray[Any]) -> int:
    """The Mastermind score in a replay, by the trusted checker's own kernel: pegs as a number.

    Black pegs times (holes + 1), plus white pegs.
    """
    black, common, taken = 0, 0, 0
    for place in range(len(units)):
        free = int(places[guess[place]]) & ~taken
        taken |= free & -free
        common += int(free != 0)
        black += int(places[guess[place]]) >> place & 1
    return black * (len(units) + 1) + common - black
