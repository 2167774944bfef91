"""Hard mode, Wordle's own rule: greens stay, and every letter shown is used again.

A letter shown twice (greens and yellows together) must be used twice. Nothing is asked of grey
letters, nor that a yellow letter moves.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from ..errors import WrongInputError
from .game import Game
from .grading import GREEN, GREY, colours_of


def require_hard_mode(game: Game) -> NDArray[np.uint8]:
    """The letters of the guesses, which hard mode asks for; a game without it is refused."""
    if game.letters is None or not game.has_hard_mode:
        raise WrongInputError(f"hard mode is a rule of Wordle; {game.spec} has none")
    return game.letters


def legal_after(game: Game, history: Iterable[tuple[int, int]]) -> NDArray[np.int32]:
    """The guesses that hard mode allows after a history of (guess, score), ascending."""
    legal = np.arange(len(game.guesses), dtype=np.int32)
    for guess, score in history:
        legal = still_legal(game, legal, guess, score)
    return legal


def require_legal(game: Game, history: Sequence[tuple[int, int]]) -> None:
    """Refuse a history that cannot have been played in hard mode."""
    legal = np.arange(len(game.guesses), dtype=np.int32)
    for number, (guess, score) in enumerate(history):
        if guess not in legal:
            before = game.format_state([(game.guesses[g], s) for g, s in history[:number]])
            raise WrongInputError(f"hard mode forbids {game.guesses[guess]!r} after {before}")
        legal = still_legal(game, legal, guess, score)


def still_legal(game: Game, legal: NDArray[np.int32], guess: int, score: int) -> NDArray[np.int32]:
    """Those of the ``legal`` guesses that one more (guess, score) leaves legal."""
    letters = require_hard_mode(game)
    shown, green = Counter[int](), Counter[int]()
    for place, colour in enumerate(colours_of(score, game.length)):
        letter = int(letters[guess, place])
        if colour == GREEN:
            legal = legal[letters[legal, place] == letter]
            green[letter] += 1
        if colour != GREY:
            shown[letter] += 1
    for letter, times in shown.items():
        if times > green[letter]:
            there = letters[legal] == letter
            enough = there.any(axis=1) if times == 1 else np.count_nonzero(there, axis=1) >= times
            legal = legal[enough]
    return legal
