"""What a guess already tells about single letters, and what follows for every other guess.

For a letter ``l`` and a place ``p`` let ``f`` be the question "is ``l`` at ``p``, elsewhere in the
secret, or nowhere?". Any guess B with ``l`` at ``p`` answers it: green, or else a mark on a copy of
``l`` that is not grey, or else all grey. So ``f`` is a function of B's score, and whatever a first
guess A tells about such questions, B tells again:

    I(A; B) >= I(A; F)        for any set F of B's questions

(the data processing inequality: Cover and Thomas, Elements of Information Theory, section 2.8).
What A tells about several questions is at least what it tells about them one by one, less what they
tell about each other:

    I(A; F) = H(F) - H(F | A) >= H(F) - sum of H(f | A)

In weights, W(X) = sum of n * log2(n) over the buckets of X among N secrets, which is
N * (log2(N) - H(X)), and W(A, B) for the joint split, this is a lower bound

    W(A, B) >= W(B) - W(F) + W(A) - sum of (W(A) - W(A, f))

used with one question of B, and, where the letters of B all differ, with all of them: then they
are what B's score says and no more, so W(F) = W(B):

    W(A, B) >= W(B) + W(A, f) - W(f)                                            (one)
    W(A, B) >= W(A) - sum of (W(A) - W(A, f))                                   (all)

And B tells at least what one of its questions does, which bounds the weight from above:

    W(A, B) <= W(A, f)                                                          (least)
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..game.score_matrix import letters_in
from ..machine.jit import kernel
from ..machine.rows import Ids
from ..splits.joint import SEGMENTS, Blocks, one_block
from ..splits.letter_tree import Letters
from ..splits.logarithms import Costs, Places, fixed_log_weights

Masks = NDArray[np.uint64]


class Questions(NamedTuple):
    """The questions of all guesses about letters; a question is known by its *code*.

    The code of a letter at a place is ``letter * length + place``. Some arrays have further slots
    behind the codes: one for each letter, one that nobody reads, one to write ahead.
    """

    #: What each guess asks, one code a place; no places if the game has no letters.
    codes: Places
    #: The same as a set of bits.
    masks: Masks
    #: Whether the letters of a guess all differ.
    distinct: NDArray[np.bool_]
    #: What to count for each secret: its codes, then its letters.
    shown: Places
    #: The slot of each code's letter.
    letters: Places
    #: W(f) for all questions.
    alone: Costs
    #: ``known[0]`` is W(A, f) for all questions, A the guess that ``tell`` was given last;
    #: ``known[s]`` the share of A's blocks from segment ``s`` on, nothing behind the last one.
    known: Costs
    #: Scratch: a counter a slot, and the slots that a block has touched.
    counts: Places
    touched: Places


def questions_about(guesses: Letters, secrets: Letters) -> Questions:
    """The questions of some guesses, words as numbers of letters; W(f) is over the secrets.

    A game without letters has words of no letters, and no questions.
    """
    length = guesses.shape[1]
    alphabet = letters_in(guesses, secrets)
    slots = alphabet * (length + 1) + 2 if length else 0
    asked = _letter_codes(guesses).astype(np.uint32)
    counts, touched = np.zeros((2, slots), dtype=np.uint32)
    questions = Questions(
        asked,
        _code_masks(asked, alphabet),
        _all_different(asked),
        _shown_by(_letter_codes(secrets), alphabet),
        _letter_slots(length, alphabet),
        np.zeros(alphabet * length, dtype=np.int64),
        np.zeros((SEGMENTS + 1, slots), dtype=np.int64),
        counts,
        touched,
    )
    if length:
        tell(one_block(len(secrets)), 1, questions, fixed_log_weights(len(secrets)))
        questions.alone[:] = questions.known[0, : len(questions.alone)]
    return questions


def _letter_codes(words: Letters) -> Ids:
    """``codes[word, place] = letter * length + place``."""
    length = words.shape[1]
    return np.asarray(words * np.int32(length) + np.arange(length), dtype=np.int32)


def _letter_slots(length: int, alphabet: int) -> Places:
    """Where the letter of each code is counted."""
    codes = np.arange(alphabet * length, dtype=np.uint32)
    return np.asarray(alphabet * length + codes // max(length, 1), dtype=np.uint32)


def _shown_by(codes: Ids, alphabet: int) -> Places:
    """What to count for each secret: its codes, then its letters behind all codes.

    A letter that the secret has shown at an earlier place is counted in a slot that nobody reads.
    """
    length = codes.shape[1]
    places = alphabet * length
    letters = codes // max(length, 1)
    result = np.concatenate((codes, places + letters), axis=1)
    for place in range(length):
        again = (letters[:, :place] == letters[:, place : place + 1]).any(axis=1)
        result[again, length + place] = places + alphabet
    return result.astype(np.uint32)


def _code_masks(codes: Places, alphabet: int) -> Masks:
    """The codes of each guess as a set of bits."""
    length = codes.shape[1]
    masks = np.zeros((len(codes), max(1, -(-alphabet * length // 64))), dtype=np.uint64)
    for code in codes.T:
        bits = np.uint64(1) << (code % np.uint32(64)).astype(np.uint64)
        masks[np.arange(len(codes)), code >> np.uint32(6)] |= bits
    return masks


def _all_different(codes: Places) -> NDArray[np.bool_]:
    """Which guesses have letters, and none twice."""
    if not codes.shape[1]:
        return np.zeros(len(codes), dtype=np.bool_)
    letters = np.sort(codes // codes.shape[1], axis=1)
    return np.asarray((np.diff(letters, axis=1) > 0).all(axis=1), dtype=np.bool_)


@kernel
def tell(blocks: Blocks, count: int, questions: Questions, log_weights: Costs) -> None:
    """Fill in ``known``: W(A, f) for all questions f, A given as ``count`` blocks.

    In a block of m secrets, of which k have the letter and c have it at the place, the question
    adds w(m - k) + w(c) + w(k - c). Almost all are w(m), or w(m - k) + w(k): so the sum starts
    from those and is corrected where a letter, a letter at a place, really occurs in the block.
    ``counts`` is zero before and after; as there, letters stand behind the codes in ``known``.
    """
    members, starts, cuts = blocks.members, blocks.starts, blocks.cuts
    shown, letters = questions.shown, questions.letters
    counts, touched, known = questions.counts, questions.touched, questions.known
    asked = shown.shape[1]
    places = letters.shape[0]
    nobody = counts.shape[0] - 2
    one = np.uint32(1)
    known[:] = 0
    segment = 0
    for block in range(count):
        begin = starts[block]
        end = starts[block + 1]
        while block >= cuts[segment + 1]:
            segment += 1
        result = known[segment]
        size = end - begin
        weight = log_weights[size]
        result[nobody + 1] += weight
        used = np.uint32(0)
        for at in range(begin, end):
            mine = shown[members[at]]
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
    for segment in range(SEGMENTS - 1, -1, -1):
        mine_only, later = known[segment], known[segment + 1]
        for code in range(places):
            mine_only[code] += mine_only[nobody + 1] + mine_only[letters[code]] + later[code]
