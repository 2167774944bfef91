"""What a guess already tells about single letters, and what follows for every other guess.

For a letter ``l`` and a place ``p`` let ``f`` be the question "is ``l`` at ``p``, elsewhere in the
secret, or nowhere?". Any guess B with ``l`` at ``p`` answers it: green, or else a mark on a copy of
``l`` that is not grey, or else all grey. So ``f`` is a function of B's score, and whatever a first
guess A tells about ``f``, B tells again:

    I(A; B) >= I(A; f)                                                          (shared)

If all letters of B differ, its score is nothing but the answers to its own questions f1 … fL, so

    H(B | A) <= H(f1 | A) + … + H(fL | A)                                       (sum)

In weights, W(X) = sum of n * log2(n) over the buckets of X among N secrets, which is
N * (log2(N) - H(X)), and W(A, B) for the joint split, the two say

    W(A, B) >= W(B) + W(A, f) - W(f)        for each question f of B            (shared)
    W(A, B) >= W(A) - sum of (W(A) - W(A, fi))                                  (sum)
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .game import Game, WordleGame
from .jit import kernel
from .rules import Costs

Ids = NDArray[np.int32]
Places = NDArray[np.uint32]

ALPHABET = 26


def letter_codes(game: Game) -> Ids:
    """``codes[guess, place] = letter * length + place``; no columns if the game has no letters."""
    if not isinstance(game, WordleGame):
        return np.zeros((len(game.guesses), 0), dtype=np.int32)
    return np.asarray(game.letters * np.int32(game.length) + np.arange(game.length), dtype=np.int32)


def letter_slots(length: int) -> Places:
    """Where the letter of each code is counted."""
    codes = np.arange(ALPHABET * length, dtype=np.uint32)
    return np.asarray(ALPHABET * length + codes // max(length, 1), dtype=np.uint32)


def questions_of(codes: Ids) -> Places:
    """What to count for each secret: its codes, then its letters behind all codes.

    A letter that the secret has shown at an earlier place is counted in a slot that nobody reads.
    """
    length = codes.shape[1]
    places = ALPHABET * length
    letters = codes // max(length, 1)
    result = np.concatenate((codes, places + letters), axis=1)
    for place in range(length):
        again = (letters[:, :place] == letters[:, place : place + 1]).any(axis=1)
        result[again, length + place] = places + ALPHABET
    return result.astype(np.uint32)


@kernel
def question_weights(
    members: Places,
    starts: Places,
    blocks: int,
    questions: Places,
    letters: Places,
    log_weights: Costs,
    counts: Places,
    touched: Places,
    result: Costs,
) -> None:
    """``result[code] = W(A, f)`` for all questions, A given as a partition, f by its code.

    In a block of m secrets, of which k have the letter and c have it at the place, the question
    adds w(m - k) + w(c) + w(k - c). Almost all are w(m), or w(m - k) + w(k): so the sum starts
    from those and is corrected where a letter, a letter at a place, really occurs in the block.
    ``counts`` is zero before and after; as in ``result``, letters stand behind the codes.
    """
    asked = questions.shape[1]
    places = letters.shape[0]
    nobody = places + ALPHABET
    one = np.uint32(1)
    result[:] = 0
    whole = 0
    for block in range(blocks):
        begin = starts[block]
        end = starts[block + 1]
        size = end - begin
        weight = log_weights[size]
        whole += weight
        used = np.uint32(0)
        for at in range(begin, end):
            mine = questions[members[at]]
            for question in range(asked):
                code = mine[question]
                before = counts[code]
                counts[code] = before + one
                touched[used] = code
                used += np.uint32(before == 0)
        for at in range(used):
            code = touched[at]
            if code < places:
                there = counts[code]
                having = counts[letters[code]]
                result[code] += (
                    log_weights[there] + log_weights[having - there] - log_weights[having]
                )
            elif code < nobody:
                having = counts[code]
                result[code] += log_weights[size - having] + log_weights[having] - weight
        for at in range(used):
            counts[touched[at]] = 0
    for code in range(places):
        result[code] += whole + result[letters[code]]
