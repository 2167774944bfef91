"""Choose the order of the letters and a hitting set: what guides the search for disjoint words.

A hitting set is a set of letters of which every word has at least one. Here a few words may be
missed, since a small set that misses some words can prune more than a larger one that misses none.
To find a smallest one is hard (it is one of Karp's 21 problems, 1972), so it grows greedily, is
mended by exchanges of one letter, and the one is taken that promises the least work.

The choice is made on a sample and only steers: a poor one costs time, never a result.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..machine.jit import kernel
from ..machine.vector_steps import bit_count

#: Letters are bits of one number.
MOST_LETTERS = 64
#: Words that the choice is made from.
SAMPLE = 512
#: Letters in the largest hitting set that is tried.
LARGEST = 8

U0, U1 = np.uint64(0), np.uint64(1)


@kernel
def bit_of(code: int) -> np.uint64:
    """For five words that share no letter, the bit of one in a set: its code's low six bits."""
    return U1 << np.uint64(code & 63)


@kernel
def plan_letters(
    codes: NDArray[np.uint8], stride: int, length: int, alphabet: np.uint64, count: int
) -> tuple[NDArray[np.uint64], int]:
    """For sets of five words, the bit of each of the 64 letter codes, and how many are hitting.

    The bits rise from the rarest letter to the commonest, those of the hitting set above all
    others. Words lie in ``codes`` one every ``stride`` bytes.
    """
    starts, masks = _sample(codes, stride, length)
    frequency = np.zeros(64, dtype=np.int64)
    for start in starts:
        for code in codes[start : start + length]:
            frequency[code & 63] += 1
    hitting = _hitting_set(codes, length, starts, masks, frequency, alphabet, count)
    bits = np.zeros(64, dtype=np.uint64)
    place = 0
    for chosen in (alphabet & ~hitting, alphabet & hitting):
        rest = chosen
        while rest:
            letter = _rarest(rest, frequency)
            rest ^= bit_of(letter)
            bits[letter] = bit_of(place)
            place += 1
    return bits, bit_count(hitting)


@kernel(inner=True)
def _sample(
    codes: NDArray[np.uint8], stride: int, length: int
) -> tuple[NDArray[np.int64], NDArray[np.uint64]]:
    """Words without repeated letters from all over the list: where they start, their masks."""
    n_words = codes.size // stride
    step = max(1, n_words // SAMPLE)
    starts = np.empty(n_words // step + 1, dtype=np.int64)
    masks = np.empty(n_words // step + 1, dtype=np.uint64)
    taken = 0
    for word in range(0, n_words, step):
        start = word * stride
        mask = U0
        twice = U0
        for code in codes[start : start + length]:
            twice |= mask & bit_of(code)
            mask |= bit_of(code)
        if not twice:
            starts[taken] = start
            masks[taken] = mask
            taken += 1
    return starts[:taken], masks[:taken]


@kernel(inner=True)
def _hitting_set(
    codes: NDArray[np.uint8],
    length: int,
    starts: NDArray[np.int64],
    masks: NDArray[np.uint64],
    frequency: NDArray[np.int64],
    alphabet: np.uint64,
    count: int,
) -> np.uint64:
    """The set, of those that greedy growth and exchange pass through, that promises least work."""
    share = length / bit_count(alphabet)
    best = U0
    least_work = _work(masks, best, count, share)
    chosen = U0
    for _ in range(LARGEST):
        if not (alphabet & ~chosen) or not np.any((masks & chosen) == U0):
            break
        chosen |= bit_of(_best_hitter(codes, length, starts, masks, frequency, alphabet, chosen))
        changed = True
        while changed:  # each exchange hits more words, or as many with rarer letters
            changed = False
            members = chosen
            while members:
                member = members & (~members + U1)
                members ^= member
                others = chosen ^ member
                better = bit_of(
                    _best_hitter(codes, length, starts, masks, frequency, alphabet, others)
                )
                if better != member:
                    chosen = others | better
                    changed = True
        work = _work(masks, chosen, count, share)
        if work < least_work:
            best, least_work = chosen, work
    return best


@kernel(inner=True)
def _best_hitter(
    codes: NDArray[np.uint8],
    length: int,
    starts: NDArray[np.int64],
    masks: NDArray[np.uint64],
    frequency: NDArray[np.int64],
    alphabet: np.uint64,
    chosen: np.uint64,
) -> int:
    """The letter that hits most of the words that ``chosen`` misses; the rarest of equals."""
    hits = np.zeros(64, dtype=np.int64)
    for word in range(masks.size):
        if not (masks[word] & chosen):
            start = starts[word]
            for code in codes[start : start + length]:
                hits[code & 63] += 1
    best = -1
    for letter in range(64):
        if not alphabet & ~chosen & bit_of(letter):
            continue
        gain = hits[letter] - hits[best] if best >= 0 else 1
        if gain > 0 or (gain == 0 and frequency[letter] < frequency[best]):
            best = letter
    return best


@kernel(inner=True)
def _work(masks: NDArray[np.uint64], hitting: np.uint64, count: int, share: float) -> float:
    """Choices of ``count`` words that the hitting letters leave possible, by number alone.

    The words that are missed come first, in any order, and use no hitting letter. After them it is
    always the turn of one letter, which only a ``share`` of the words that are hit have.
    """
    size = bit_count(hitting)
    words = np.zeros(size + 1)  # by how many hitting letters they have
    for mask in masks:
        words[bit_count(mask & hitting)] += 1.0
    if size == 0:
        return float((words[0] * share) ** count)
    ways = np.zeros(size + 1)  # to choose words, by the hitting letters they use
    ways[0] = 1.0
    work = 0.0
    for hit in range(count + 1):
        work += ways.sum() * _choices(words[0], count - hit)
        longer = np.zeros(size + 1)
        for used in range(size + 1):
            for more in range(1, size + 1 - used):
                longer[used + more] += ways[used] * words[more] * share
        ways = longer
    return work


@kernel(inner=True)
def _choices(words: float, count: int) -> float:
    """Ways to choose ``count`` of so many words in any order."""
    ways = 1.0
    for chosen in range(count):
        ways *= words / (chosen + 1)
    return ways


@kernel(inner=True)
def _rarest(letters: np.uint64, frequency: NDArray[np.int64]) -> int:
    """The rarest of the letters, the first of equals."""
    best = -1
    for letter in range(64):
        if letters & bit_of(letter) and (best < 0 or frequency[letter] < frequency[best]):
            best = letter
    return best
