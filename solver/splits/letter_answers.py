"""What a score says about one letter of the guess, and which candidates would answer what.

Where a guess has a letter at some places, its score tells at which of them the secret has it too
(green), and how many copies the secret has, counted up to as many as the guess has (green and
yellow). Nothing else: so these answers, the *state* of the letter, part the secrets as the marks
do. A letter at k places has 2k questions: is it at the first, the second, … of them? Are there
more than 0, 1, … k - 1 copies?

Only the candidates that have a letter, its *holders*, are moved when it is added to a guess, and
often they are few. So each letter has its own numbering of its holders, and in it a set for every
question about every letter, in pieces of ``SIXTEEN`` bits as ``class_lanes`` wants them.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..machine.jit import kernel, lean
from .class_lanes import CLASSES, SIXTEEN, Lanes, Offsets, Pieces

#: Bit 0 of a piece, in both its halves.
_ONE = (1 << SIXTEEN) + 1


class Holders(NamedTuple):
    """What the holders of each letter answer about all letters."""

    #: How many holders each letter has; in how many pieces, one at least.
    number: Offsets
    pieces: Offsets
    #: Where the sets of each letter's holders begin in ``answers``.
    starts: Offsets
    #: Set after set: letter after letter, question after question about it, as in ``Marks.asked``.
    answers: Pieces
    #: The number of questions about a letter.
    questions: int


def holders_of(candidates: NDArray[np.uint8], most_copies: int, letters: int) -> Holders:
    """The holders of each letter among candidates, and what they answer; copies counted so far."""
    questions = candidates.shape[1] + most_copies
    number = np.zeros(letters, dtype=np.int64)
    _count_holders(candidates, number)
    pieces = np.maximum(1, -(-number // SIXTEEN))
    ends = np.cumsum(pieces) * letters * questions
    answers = np.zeros(ends[-1], dtype=np.uint32)
    holders = Holders(number, pieces, ends - pieces * letters * questions, answers, questions)
    _answer(candidates, holders, np.zeros_like(number))
    return holders


@kernel
def _count_holders(candidates: NDArray[np.uint8], number: Offsets) -> None:
    """Count the candidates that have each letter."""
    for word in candidates:
        for place in range(word.shape[0]):
            number[word[place]] += _is_first(word, place)


@kernel
def _answer(candidates: NDArray[np.uint8], holders: Holders, met: Offsets) -> None:
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


_ALL = 0xFFFFFFFF


class LetterStates(NamedTuple):
    """The states of letters, by the number ``k`` of places at which the guess has them."""

    #: How many there are. State 0: the secret lacks the letter.
    states: Offsets
    #: ``asked[places]``: the questions about a letter at these places (as bits): is it at the
    #: first place of the word, the second, … (from 0 on); has it more than 0, 1, … copies (from
    #: the length on).
    asked: Offsets
    #: ``opposite[k, state, question]``: all bits if the answer must be no.
    opposite: Pieces
    #: Vectors, one a question: all bits in the lanes where the answer must be no.
    patterns: Lanes
    #: ``rows[lanes, k]``: the first such vector where each of so many classes is parted by a
    #: letter at k places; class ``c`` in state ``s`` has lane ``c + s * lanes``. -1: no room.
    rows: Offsets


def most_classes(length: int) -> int:
    """The most lanes that classes of guesses of a length fill, blocks as whole vectors."""
    states = [len(_states(copies)) for copies in range(length + 1)]
    return CLASSES * max(states[few] * states[length - few] for few in range(length + 1))


@cache
def marks(length: int) -> LetterStates:
    """The states that letters may have in words of a length, to measure splits by letters."""
    found = [_states(copies) for copies in range(length + 1)]
    count = np.array([len(states) for states in found], dtype=np.int64)
    opposite = np.zeros((length + 1, count.max(), 2 * length), dtype=np.uint32)
    for copies, states in enumerate(found):
        for state, answers in enumerate(states):
            opposite[copies, state, : 2 * copies] = [0 if yes else _ALL for yes in answers]
    rows = np.full((CLASSES + 1, length + 1), -1, dtype=np.int64)
    patterns: list[NDArray[np.uint16]] = [np.zeros(CLASSES, dtype=np.uint16)]
    reached = [1]
    for lanes in reached:
        for copies in range(1, length + 1):
            if lanes * count[copies] <= CLASSES:
                rows[lanes, copies] = len(patterns)
                state = np.arange(CLASSES) // lanes % count[copies]
                patterns.extend(opposite[copies, state, : 2 * copies].T.astype(np.uint16))
                reached.append(lanes * int(count[copies]))
    return LetterStates(count, _asked(length), opposite, np.concatenate(patterns), rows)


def _asked(length: int) -> Offsets:
    """The questions about letters at all sets of places."""
    asked = np.zeros((1 << length, 2 * length), dtype=np.int64)
    for places in range(1 << length):
        mine = [place for place in range(length) if places >> place & 1]
        asked[places, : 2 * len(mine)] = mine + [length + more for more in range(len(mine))]
    return asked


def _states(copies: int) -> list[list[bool]]:
    """The answers in each state; an odd number of states.

    ``part_classes`` takes states in pairs, the first one apart; where one is missing, there is a
    state that no secret is in: at all places, without a copy.
    """
    every = [
        [bool(places >> place & 1) for place in range(copies)]
        + [having > more for more in range(copies)]
        for places in range(1 << copies)
        for having in range(places.bit_count(), copies + 1)
    ]
    if len(every) % 2 == 0:
        every.append([True] * copies + [False] * copies)
    return every
