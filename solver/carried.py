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

ALPHABET = 26


def letter_codes(game: Game) -> Ids:
    """``codes[guess, place] = letter * length + place``; no columns if the game has no letters."""
    if not isinstance(game, WordleGame):
        return np.zeros((len(game.guesses), 0), dtype=np.int32)
    return np.asarray(game.letters * np.int32(game.length) + np.arange(game.length), dtype=np.int32)


@kernel
def question_weights(
    members: Ids,
    starts: Ids,
    blocks: int,
    codes: Ids,
    log_weights: Costs,
    counts: Ids,
    touched: Ids,
    result: Costs,
) -> None:
    """``result[code] = W(A, f)`` for all questions, A given as a partition, f by its code.

    In a block of m secrets, of which k have the letter and c have it at the place, the question
    adds w(m - k) + w(c) + w(k - c). Almost all are w(m), or w(m - k) + w(k): so the sum starts
    from those and is corrected where a letter, a letter at a place, really occurs in the block.
    ``codes[secret]``; ``counts`` is zero before and after, for letters behind that for places.
    """
    length = codes.shape[1]
    places = ALPHABET * length
    result[:] = 0
    whole = 0
    for block in range(blocks):
        begin = starts[block]
        end = starts[block + 1]
        size = end - begin
        whole += log_weights[size]
        used = 0
        for at in range(begin, end):
            secret = members[at]
            for place in range(length):
                code = codes[secret, place]
                if counts[code] == 0:
                    touched[used] = code
                    used += 1
                counts[code] += 1
                letter = code // length
                repeated = False
                for before in range(place):
                    repeated |= codes[secret, before] // length == letter
                if not repeated:
                    if counts[places + letter] == 0:
                        touched[used] = places + letter
                        used += 1
                    counts[places + letter] += 1
        for at in range(used):
            code = touched[at]
            if code < places:
                there = counts[code]
                having = counts[places + code // length]
                result[code] += (
                    log_weights[there] + log_weights[having - there] - log_weights[having]
                )
            else:
                having = counts[code]
                result[code] += (
                    log_weights[size - having] + log_weights[having] - log_weights[size]
                )
        for at in range(used):
            counts[touched[at]] = 0
    for code in range(places):
        result[code] += whole + result[places + code // length]
