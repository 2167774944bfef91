"""Letter frequencies by place, and the word that the commonest letters spell."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..errors import WrongInputError
from ..game.game import Game
from ..game.wordle import WordleGame


@dataclass(frozen=True, eq=False)
class LetterStatistics:
    """Where which letters stand in the guesses."""

    #: The letters that are counted.
    alphabet: str

    #: ``shares[place, letter]``: how much of the words has the letter there.
    shares: NDArray[np.float64]
    #: The commonest letters at the places, no letter twice.
    spelled: str
    #: The places in the order in which they took their letters.
    order: tuple[int, ...]
    #: Whether what is spelled may be guessed.
    allowed: bool
    #: Guesses that differ from it in one letter, alphabetically.
    neighbours: tuple[str, ...]


def letter_statistics(game: Game) -> LetterStatistics:
    """Split into letters: their counts in the guesses, place by place, and the word these spell.

    The commonest letter of all, at its place, goes first; then the commonest of those left at a
    place still free, and so on. Among equals the first place and the first letter.
    """
    if not isinstance(game, WordleGame):
        raise WrongInputError(f"letters are counted in words; {game.spec} has none")
    letters, alphabet = game.letters, game.alphabet
    counts = np.stack([np.bincount(column, minlength=len(alphabet)) for column in letters.T])
    left = counts.copy()
    spelled = [""] * game.length
    order = []
    for _ in range(game.length):
        if left.max() < 0:  # fewer letters than places
            left[[place for place in range(game.length) if not spelled[place]]] = 0
        place, letter = divmod(int(left.argmax()), len(alphabet))
        spelled[place] = alphabet[letter]
        order.append(place)
        left[place] = -1
        left[:, letter] = -1
    word = "".join(spelled)
    known = set(game.guesses)
    changed = (
        word[:place] + letter + word[place + 1 :]
        for place in range(game.length)
        for letter in alphabet
        if letter != word[place]
    )
    neighbours = tuple(sorted(known.intersection(changed)))
    return LetterStatistics(
        alphabet, counts / len(letters), word, tuple(order), word in known, neighbours
    )
