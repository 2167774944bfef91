"""The search for words without a common letter: the order of letters, and the stack of states.

A hitting set is a set of letters of which every word has at least one. Here a few words may be
missed, since a small set that misses some words can prune more than a larger one that misses none.
To find a smallest one is hard (it is one of Karp's 21 problems, 1972), so it grows greedily, is
mended by exchanges of one letter, and the one is taken that promises the least work.

The choice is made on a sample and only steers: a poor one costs time, never a result.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..machine.arrays import Ids, copy_into
from ..machine.jit import kernel
from ..machine.vectors import MASKS, bit_count, disjoint, first_bit

#: The letters of words, a byte each; sets of letters as bits.
Codes = NDArray[np.uint8]
Masks = NDArray[np.uint64]

#: Letters are bits of one number.
MOST_LETTERS = 64
#: Words that the choice is made from.
SAMPLE = 512
#: Letters in the largest hitting set that is tried.
LARGEST = 8

U0, U1 = np.uint64(0), np.uint64(1)


@kernel
def bit_of(code: int) -> np.uint64:
    """The bit of a letter in a set: the low six bits of its code."""
    return U1 << np.uint64(code & 63)


@kernel
def plan_letters(
    codes: Codes, stride: int, length: int, alphabet: np.uint64, count: int
) -> tuple[Masks, int]:
    """The bit of each of the 64 letter codes, and how many are hitting.

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
def _sample(codes: Codes, stride: int, length: int) -> tuple[NDArray[np.int64], Masks]:
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
    codes: Codes,
    length: int,
    starts: NDArray[np.int64],
    masks: Masks,
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
    codes: Codes,
    length: int,
    starts: NDArray[np.int64],
    masks: Masks,
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
def _work(masks: Masks, hitting: np.uint64, count: int, share: float) -> float:
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


# ---- The search: masks, shelves, and the stack of states
#
# Nothing here knows of words: a word is a bit mask of its letters, its bits in the order that
# the functions above have chosen. The idea is explained in ``disjoint_words``. It is Algorithm X
# (Knuth, The Art of Computer Programming, section 7.2.2.1) on bit masks, with letters that may be
# skipped; the hitting set prunes by what the words to come must still have.

#: What ends a line of text.
NEWLINE = 10
#: States that one call of the search may visit, so that Ctrl-C takes effect within a second.
_PATIENCE = 1 << 22


class Shelves(NamedTuple):
    """The masks of words by (rarest letter, hitting letters); the strays on the last shelf."""

    masks: Masks
    words: Ids
    starts: Ids


class Menus(NamedTuple):
    """For each set of hitting letters its subsets, small ones first."""

    #: ``subsets[letters, begins[letters, size]]`` is the first subset of that size.
    subsets: Ids
    begins: Ids


class SetStack(NamedTuple):
    """The states that are still to be visited, and the words that led to the last one visited.

    A state is the letters ``used`` or skipped and a frame: the place of the word that led to it,
    how many words it has, how many letters may still be skipped, and the first stray that may
    still come.
    """

    used: Masks
    frames: Ids
    path: Ids


@kernel
def is_plain(codes: Codes, length: int) -> bool:
    """Whether a text is lines of ``length`` letters a-z."""
    strange = False
    newlines = 0
    for code in codes:
        strange |= ((code < 97) | (code > 122)) & (code != NEWLINE)
        newlines += code == NEWLINE
    for at in range(length, codes.size, length + 1):
        strange |= codes[np.uint64(at)] != NEWLINE
    return not strange and newlines * (length + 1) == codes.size


@kernel
def codes_in(codes: Codes) -> np.uint64:
    """The bits of all letter codes that occur in a text."""
    seen = U0
    for code in codes:
        seen |= bit_of(code)
    return seen


@kernel
def collect_masks(codes: Codes, stride: int, length: int, bits: Masks) -> tuple[Masks, Ids]:
    """The different masks of words with no letter twice, and the first word with each."""
    n_words = codes.size // stride
    masks = np.empty(n_words + 1, dtype=np.uint64)
    firsts = np.empty(n_words + 1, dtype=np.int32)
    n_usable = 0
    for word in range(n_words):
        mask = U0
        twice = U0
        for at in range(word * stride, word * stride + length):
            bit = bits[codes[np.uint64(at)] & 63]
            twice |= mask & bit
            mask |= bit
        masks[n_usable] = mask  # stays only if no letter is there twice; a branch would cost more
        firsts[n_usable] = word
        n_usable += twice == U0
    size = 64
    while 4 * size < 5 * n_usable:
        size *= 2
    slots = np.full(size, -1, dtype=np.int32)
    n_masks = 0
    for usable in range(n_usable):
        mask = masks[usable]
        slot = _hash(mask) & (size - 1)
        while slots[slot] >= 0 and masks[slots[slot]] != mask:
            slot = (slot + 1) & (size - 1)
        if slots[slot] < 0:
            slots[slot] = n_masks
            masks[n_masks] = mask
            firsts[n_masks] = firsts[usable]
            n_masks += 1
    return masks[:n_masks], firsts[:n_masks]


@kernel(inner=True)
def _hash(mask: np.uint64) -> int:
    """Spread the bits of a mask; the products fit into 64 bits."""
    low = (mask & np.uint64(0xFFFFFFFF)) * np.uint64(0x9E3779B1)
    high = (mask >> np.uint64(32)) * np.uint64(0x85EBCA77)
    return int((low ^ high) >> np.uint64(17) & np.uint64(0x7FFFFFFF))


@kernel(inner=True)
def _hitters(letters: np.uint64, n_letters: int, n_hitting: int) -> int:
    """The hitting letters among the letters, as a number below 2 ** n_hitting."""
    shift = np.uint64(min(n_letters - n_hitting, MOST_LETTERS - 1))
    return int(letters >> shift) & ((1 << n_hitting) - 1)


@kernel
def shelve_masks(
    masks: Masks, firsts: Ids, n_letters: int, n_hitting: int
) -> tuple[Masks, Ids, Ids]:
    """Sort masks by (rarest letter, hitting letters); strays go on the shelf after the last."""
    n_shelves = n_letters << n_hitting
    homes = np.empty(masks.size, dtype=np.int32)
    starts = np.zeros(n_shelves + 2, dtype=np.int32)
    for at, mask in enumerate(masks):
        hitters = _hitters(mask, n_letters, n_hitting)
        stray = n_hitting > 0 and hitters == 0
        homes[at] = n_shelves if stray else (first_bit(mask) << n_hitting) | hitters
        starts[homes[at] + 1] += 1
    for shelf in range(n_shelves + 1):
        starts[shelf + 1] += starts[shelf]
    shelved = np.zeros(masks.size + MASKS, dtype=np.uint64)
    words = np.empty_like(firsts)
    free = starts.copy()
    for at in range(masks.size):
        place = free[homes[at]]
        free[homes[at]] += 1
        shelved[place] = masks[at]
        words[place] = firsts[at]
    return shelved, words, starts


@kernel
def menus_of(n_hitting: int) -> tuple[Ids, Ids]:
    """The menus of all sets of so many hitting letters, as in ``Menus``."""
    n_sets = 1 << n_hitting
    menus = np.zeros((n_sets, n_sets), dtype=np.int32)
    begins = np.zeros((n_sets, n_hitting + 2), dtype=np.int32)
    for letters in range(n_sets):
        filled = 0
        for size in range(n_hitting + 1):
            begins[letters, size] = filled
            for subset in range(letters + 1):
                if subset & ~letters == 0 and bit_count(np.uint64(subset)) == size:
                    menus[letters, filled] = subset
                    filled += 1
        begins[letters, n_hitting + 1] = filled
    return menus, begins


@kernel(inner=True)
def _push(
    stack: SetStack, height: int, letters: np.uint64, at: int, depth: int, spare: int, stray: int
) -> int:
    """Put a state on the stack; return its new height."""
    stack.used[height] = letters
    frame = stack.frames[height]
    frame[0], frame[1], frame[2], frame[3] = at, depth, spare, stray
    return height + 1


@kernel
def search(
    shelves: Shelves,
    menus: Menus,
    n_letters: int,
    n_hitting: int,
    stack: SetStack,
    height: int,
    batch: Ids,
    nodes: NDArray[np.int64],
) -> tuple[int, int]:
    """Go on searching sets of words where the stack stands; its new height, how many were found.

    The sets found go into ``batch``; ``nodes[k]`` counts the states visited with k words.
    """
    masks, words, starts = shelves
    used, frames, path = stack
    count = path.size
    alphabet = bit_of(n_letters - 1) | (bit_of(n_letters - 1) - U1)
    least = min(n_hitting, 1)  # hitting letters in a word that is no stray
    n_found = 0
    visits = 0
    while height and n_found < len(batch) and visits < _PATIENCE:
        height -= 1
        visits += 1
        taken = used[height]
        at, depth, spare, stray = frames[height]
        nodes[depth] += 1
        if depth:
            path[depth - 1] = words[at]
        if depth == count:
            copy_into(batch[n_found], path)
            n_found += 1
            continue
        for at in range(stray, words.size):
            if not masks[at] & taken:
                mask = taken | masks[at]
                height = _push(stack, height, mask, at, depth + 1, spare, at + 1)
        for left in range(spare, -1, -1):  # after the rarest letter, skip it and take the next
            free = alphabet & ~taken
            hitters = _hitters(free, n_letters, n_hitting)
            n_hitters = bit_count(np.uint64(hitters))
            most = n_hitters - least * (count - depth - 1)  # the words to come need theirs
            fewest = least if depth < count - 1 else max(least, n_hitters - left)
            if most < least:
                break
            shelf = first_bit(free) << n_hitting
            for pick in range(menus.begins[hitters, fewest], menus.begins[hitters, most + 1]):
                here = np.uint64(shelf | menus.subsets[hitters, pick])
                end = starts[here + U1]
                for block in range(starts[here], end, MASKS):
                    fitting = disjoint(masks, block, taken)
                    if end - block < MASKS:
                        fitting &= bit_of(end - block) - U1
                    while fitting:
                        at = block + first_bit(fitting)
                        fitting &= fitting - U1
                        mask = taken | masks[at]
                        height = _push(stack, height, mask, at, depth + 1, left, words.size)
            taken |= free & (~free + U1)
    return height, n_found
