"""The candidates that have a letter, as sets: what each of them answers about every letter.

Only these *holders* of a letter are moved when it is added to a guess, and often they are few. So
each letter has its own numbering of its holders, and in it a set for every question about every
letter (see ``marks``), in pieces of ``SIXTEEN`` bits as ``simd_lanes`` wants them.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .jit import kernel, lean
from .simd_lanes import SIXTEEN, Pieces, Places

ALPHABET = 26
#: Bit 0 of a piece, in both its halves.
_ONE = (1 << SIXTEEN) + 1


class Holders(NamedTuple):
    """What the holders of each letter answer about all letters."""

    #: How many holders each letter has; in how many pieces, one at least.
    number: Places
    pieces: Places
    #: Where the sets of each letter's holders begin in ``answers``.
    starts: Places
    #: Set after set: letter after letter, question after question about it, as in ``Marks.asked``.
    answers: Pieces
    #: The number of questions about a letter.
    questions: int


def holders_of(candidates: NDArray[np.uint8], most_copies: int) -> Holders:
    """The sets of the candidates, words as letters 0-25; copies are counted so far."""
    questions = candidates.shape[1] + most_copies
    number = np.zeros(ALPHABET, dtype=np.int64)
    _count_holders(candidates, number)
    pieces = np.maximum(1, -(-number // SIXTEEN))
    ends = np.cumsum(pieces) * ALPHABET * questions
    answers = np.zeros(ends[-1], dtype=np.uint32)
    holders = Holders(number, pieces, ends - pieces * ALPHABET * questions, answers, questions)
    _answer(candidates, holders, np.zeros_like(number))
    return holders


@kernel
def _count_holders(candidates: NDArray[np.uint8], number: Places) -> None:
    """Count the candidates that have each letter."""
    for word in candidates:
        for place in range(word.shape[0]):
            number[word[place]] += _is_first(word, place)


@kernel
def _answer(candidates: NDArray[np.uint8], holders: Holders, met: Places) -> None:
    """Fill in what each candidate answers, as a holder of each of its letters."""
    for word in candidates:
        for place in range(word.shape[0]):
            if _is_first(word, place):
                letter = word[place]
                _answer_one(word, int(letter), int(met[letter]), holders)
                met[letter] += 1


@lean(inner=True)
def _answer_one(word: NDArray[np.uint8], letter: int, number: int, holders: Holders) -> None:
    """Fill in what a word, the holder of a letter with some number, answers."""
    pieces, answers = holders.pieces[letter], holders.answers
    bit = np.uint32(_ONE) << np.uint32(number % SIXTEEN)
    mine = holders.starts[letter] + number // SIXTEEN
    length = word.shape[0]
    for place in range(length):
        about = mine + word[place] * holders.questions * pieces
        answers[about + place * pieces] |= bit
        for copies in range(length, holders.questions):
            if not answers[about + copies * pieces] & bit:
                answers[about + copies * pieces] |= bit
                break


@lean(inner=True)
def _is_first(word: NDArray[np.uint8], place: int) -> bool:
    """Whether no earlier place has the same letter."""
    first = True
    for earlier in range(place):
        first &= word[earlier] != word[place]
    return first
