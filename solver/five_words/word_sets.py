"""N words of L letters with no letter twice: five words, twenty-five letters.

A word is a bit mask of its letters, anagrams are one mask, and a set is N masks of which no two
share a bit. The search takes the rarest letter still free: either one of the words whose rarest
letter it is comes next, or the letter is skipped, which is possible (alphabet - N·L) times.

What makes it fast is a *hitting set*: a few letters of which (almost) every word has at least one
(in English they turn out to be the vowels). N words need N of these letters; if there are only
N + 1, one word at most may have two of them, and all others that do are out of the running. So the
hitting letters get the highest bits, the words lie on shelves by (rarest letter, hitting letters),
and a state visits only the shelves that leave enough hitting letters for the words to come. The
*stray* words, the few that no hitting letter hits, are tried first, each on its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..errors import CouldNotFinishError, WrongInputError
from ..machine.jit import kernel
from ..machine.rows import copy_into
from ..machine.vector_steps import LANES, bit_count, disjoint, first_bit
from .letter_order import U0, U1, bit_of, plan_letters

MOST_LETTERS = 64
MOST_SETS = 2_000_000
_BATCH = 1 << 12  # sets that one call of the search may find ...
_PATIENCE = 1 << 22  # ... and states it may visit, so that Ctrl-C is heard within a second
_NEWLINE = 10


@dataclass(frozen=True)
class WordSets:
    """All sets, in the order of the list within and among them, and the work behind them."""

    sets: tuple[tuple[str, ...], ...]
    masks: int  # different sets of letters among the words without a repeated letter
    hitting_set: str
    nodes: tuple[int, ...]  # states with 0, 1, 2, … words that the search visited


class _Text(NamedTuple):
    """The words as bytes: one a letter, its low six bits saying which; ``stride`` bytes a word."""

    codes: NDArray[np.uint8]
    stride: int
    length: int
    letters: dict[int, str]


class _Shelves(NamedTuple):
    """The masks by (rarest letter, hitting letters); the strays on the last shelf."""

    masks: NDArray[np.uint64]
    words: NDArray[np.int32]
    starts: NDArray[np.int32]


def find_sets(words: Sequence[str], count: int = 5, anagrams: bool = False) -> WordSets:
    """All sets of ``count`` of the words with no letter twice; the words must have one length.

    Of words with the same letters only the first counts, unless ``anagrams`` asks for every
    choice among them.
    """
    if count < 1:
        raise WrongInputError(f"a set of {count} words: there must be at least one")
    if not words:
        return WordSets((), 0, "", (0,) * (count + 1))
    text = _encode(words)
    bits, n_hitting = plan_letters(*text[:3], np.uint64(sum(1 << c for c in text.letters)), count)
    masks, firsts = _collect(*text[:3], bits)
    n_letters = len(text.letters)
    shelves = _Shelves(*_shelve(masks, firsts, n_letters, n_hitting))
    found, nodes = _find_all(shelves, n_letters, n_hitting, count, n_letters - count * text.length)
    if anagrams:
        found = _with_anagrams(found, words)
    ranked = sorted(text.letters, key=lambda code: int(bits[code]))
    hitting_set = "".join(text.letters[code] for code in ranked[n_letters - n_hitting :])
    return WordSets(_in_order(found, words), len(masks), hitting_set, nodes)


def _encode(words: Sequence[str]) -> _Text:
    """Words of a-z are taken as they are; the letters of any other alphabet are numbered."""
    length = len(words[0])
    codes: NDArray[Any] = np.frombuffer(("\n".join(words) + "\n").encode(), dtype=np.uint8)
    if length and _is_plain(codes, length):
        seen = int(_codes_in(codes) & ~bit_of(_NEWLINE))
        return _Text(
            codes, length + 1, length, {c: chr(64 + c) for c in range(64) if seen >> c & 1}
        )
    odd = next((word for word in words if len(word) != length or not word), None)
    if odd is not None:
        raise WrongInputError(f"the words must have one length: {words[0]!r}, {odd!r}")
    points = np.frombuffer("".join(words).encode("utf-32-le"), dtype=np.uint32)
    letters, codes = np.unique(points, return_inverse=True)
    if letters.size > MOST_LETTERS:
        raise WrongInputError(
            f"the words have {letters.size} different letters; at most {MOST_LETTERS} will do"
        )
    return _Text(codes.astype(np.uint8), length, length, dict(enumerate(map(chr, letters))))


def _find_all(
    shelves: _Shelves, n_letters: int, n_hitting: int, count: int, spare: int
) -> tuple[NDArray[np.int32], tuple[int, ...]]:
    """Call the search until it is through, in portions, and gather the positions of the words."""
    nodes = np.zeros(count + 1, dtype=np.int64)
    if spare < 0:
        return np.empty((0, count), dtype=np.int32), tuple(nodes.tolist())
    room = count * len(shelves.words) + 1
    used = np.empty(room, dtype=np.uint64)
    frames = np.empty((room, 4), dtype=np.int32)
    used[0] = U0
    frames[0] = (-1, 0, spare, shelves.starts[-2])
    path = np.empty(count, dtype=np.int32)
    menus, begins = _menus(n_hitting)
    found = []
    n_found = 0
    height = 1
    while height:
        batch = np.empty((_BATCH, count), dtype=np.int32)
        height, filled = _search(
            *shelves, n_letters, n_hitting, menus, begins, used, frames, height, path, batch, nodes
        )
        found.append(batch[:filled])
        n_found += filled
        if n_found > MOST_SETS:
            raise CouldNotFinishError(f"more than {MOST_SETS:,} sets: too many to list")
    return np.concatenate(found), tuple(nodes.tolist())


def _with_anagrams(found: NDArray[np.int32], words: Sequence[str]) -> NDArray[np.int32]:
    """Every choice among the words with the same letters."""
    alike: dict[frozenset[str], dict[str, int]] = {
        frozenset(words[at]): {} for at in found.ravel().tolist()
    }
    for at, word in enumerate(words):
        letters = frozenset(word)
        if letters in alike and len(letters) == len(word):
            alike[letters].setdefault(word, at)
    rows = [
        choice
        for row in found.tolist()
        for choice in product(*(alike[frozenset(words[at])].values() for at in row))
    ]
    return np.array(rows, dtype=np.int32).reshape(-1, found.shape[1])


def _in_order(found: NDArray[np.int32], words: Sequence[str]) -> tuple[tuple[str, ...], ...]:
    """The sets as words, in the order of the list within and among them."""
    found = np.sort(found, axis=1)
    found = found[np.lexsort(found.T[::-1])]
    names = [words[at] for at in found.ravel().tolist()]
    return tuple(zip(*[iter(names)] * found.shape[1], strict=True))


@kernel
def _is_plain(codes: NDArray[np.uint8], length: int) -> bool:
    """Whether the text is lines of ``length`` letters a-z."""
    strange = False
    newlines = 0
    for code in codes:
        strange |= ((code < 97) | (code > 122)) & (code != _NEWLINE)
        newlines += code == _NEWLINE
    if strange or newlines * (length + 1) != codes.size:
        return False
    return bool(np.all(codes[length :: length + 1] == _NEWLINE))


@kernel
def _codes_in(codes: NDArray[np.uint8]) -> np.uint64:
    """The bits of all codes that occur."""
    seen = U0
    for code in codes:
        seen |= bit_of(code)
    return seen


@kernel
def _collect(
    codes: NDArray[np.uint8], stride: int, length: int, bits: NDArray[np.uint64]
) -> tuple[NDArray[np.uint64], NDArray[np.int32]]:
    """The different masks of words with no letter twice, and the first word with each."""
    n_words = codes.size // stride
    masks = np.empty(n_words + 1, dtype=np.uint64)
    firsts = np.empty(n_words + 1, dtype=np.int32)
    n_usable = 0
    for word in range(n_words):
        mask = U0
        twice = U0
        for code in codes[word * stride : word * stride + length]:
            bit = bits[code & 63]
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
def _shelve(
    masks: NDArray[np.uint64], firsts: NDArray[np.int32], n_letters: int, n_hitting: int
) -> tuple[NDArray[np.uint64], NDArray[np.int32], NDArray[np.int32]]:
    """Counting sort by (rarest letter, hitting letters); strays go on the shelf after the last."""
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
    shelved = np.zeros(masks.size + LANES, dtype=np.uint64)
    words = np.empty_like(firsts)
    free = starts.copy()
    for at in range(masks.size):
        place = free[homes[at]]
        free[homes[at]] += 1
        shelved[place] = masks[at]
        words[place] = firsts[at]
    return shelved, words, starts


@kernel
def _menus(n_hitting: int) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """For each set of hitting letters its subsets, small ones first, and where each size begins.

    ``menus[letters, begins[letters, size]]`` is the first subset of that size.
    """
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
    used: NDArray[np.uint64],
    frames: NDArray[np.int32],
    height: int,
    letters: np.uint64,
    at: int,
    depth: int,
    spare: int,
    stray: int,
) -> int:
    """Put a state on the stack; return its new height."""
    used[height] = letters
    frames[height, 0] = at
    frames[height, 1] = depth
    frames[height, 2] = spare
    frames[height, 3] = stray
    return height + 1


@kernel
def _search(
    masks: NDArray[np.uint64],
    words: NDArray[np.int32],
    starts: NDArray[np.int32],
    n_letters: int,
    n_hitting: int,
    menus: NDArray[np.int32],
    begins: NDArray[np.int32],
    used: NDArray[np.uint64],
    frames: NDArray[np.int32],
    height: int,
    path: NDArray[np.int32],
    batch: NDArray[np.int32],
    nodes: NDArray[np.int64],
) -> tuple[int, int]:
    """Go on with the search where its stack stands; return the new height and how many were found.

    A state on the stack is the letters ``used`` or skipped and a frame: the place of the word that
    led to it, how many words it has, how many letters may still be skipped, and the first stray
    that may still come.
    """
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
                height = _push(used, frames, height, mask, at, depth + 1, spare, at + 1)
        for left in range(spare, -1, -1):  # after the rarest letter, skip it and take the next
            free = alphabet & ~taken
            hitters = _hitters(free, n_letters, n_hitting)
            n_hitters = bit_count(np.uint64(hitters))
            most = n_hitters - least * (count - depth - 1)  # the words to come need theirs
            fewest = least if depth < count - 1 else max(least, n_hitters - left)
            if most < least:
                break
            shelf = first_bit(free) << n_hitting
            for pick in range(begins[hitters, fewest], begins[hitters, most + 1]):
                here = shelf | menus[hitters, pick]
                for block in range(starts[here], starts[here + 1], LANES):
                    fitting = disjoint(masks, block, taken)
                    if starts[here + 1] - block < LANES:
                        fitting &= bit_of(starts[here + 1] - block) - U1
                    while fitting:
                        at = block + first_bit(fitting)
                        fitting &= fitting - U1
                        mask = taken | masks[at]
                        height = _push(used, frames, height, mask, at, depth + 1, left, words.size)
            taken |= free & (~free + U1)
    return height, n_found
