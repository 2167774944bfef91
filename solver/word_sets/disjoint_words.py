"""Sets of words in which no letter comes twice, from any dictionary: five words, 25 letters.

A word is a bit mask of its letters, anagrams are one mask, and a set is N masks of which no two
share a bit. The search takes the rarest letter still free: either one of the words whose rarest
letter it is comes next, or the letter is skipped, which is possible (alphabet - N·L) times.

What makes it fast is a *hitting set* (docs/how/hitting-sets.md). The hitting letters get the
highest bits, the words lie on shelves by (rarest letter, hitting letters), and a state visits only
the shelves that leave enough hitting letters for the words to come. The *stray* words, the few
that no hitting letter hits, are tried first, each on its own.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain, product
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..errors import CouldNotFinishError, WrongInputError
from ..words import lists
from ..words.text import plain
from . import disjoint_search as kernels

# ---- Dictionaries
#
# The lists of a game are read strictly (``words.lists``), since a slip there would change the game.
# A dictionary is somebody else's file with 600,000 lines, of which only some are wanted at all.


@dataclass(frozen=True)
class Dictionary:
    """The different words of one length in alphabetical order, and how many lines were skipped."""

    words: tuple[str, ...]
    skipped: int


def read_dictionaries(
    sources: Iterable[str | Path], length: int, given: Iterable[str] = ()
) -> Dictionary:
    """A dictionary of the words of files, of named lists, and of given ones.

    Words are spelled as in all lists (``words.text``) before their letters are counted. Lines with
    anything but letters, or with another number of them, are skipped; blank lines do not count.
    """
    found: set[str] = set()
    skipped = 0
    for text in chain(map(_read, sources), ["\n".join(given)]):
        lines = [line.strip() for line in plain(text).splitlines()]
        wanted = [line for line in lines if len(line) == length and line.isalpha()]
        found.update(wanted)
        skipped += sum(map(bool, lines)) - len(wanted)
    return Dictionary(tuple(sorted(found)), skipped)


def _read(source: str | Path) -> str:
    """The text; bytes that are no UTF-8 become marks that no word can have."""
    if source in lists.NAMED_LISTS:
        source = lists.data_folder() / f"{source}-allowed.txt"
    elif lists.is_named(source):
        return "\n".join(lists.list_by_name(str(source), "allowed").words)
    try:
        content = _standard_input() if source == "-" else _content_of(Path(source))
    except FileNotFoundError:
        hint = lists.did_you_mean(str(source), lists.NAMED_LISTS)
        raise WrongInputError(
            f"there is no file or list named {str(source)!r}{hint}; lists: "
            f"{', '.join(lists.NAMED_LISTS)}"
        ) from None
    except OSError as error:
        raise WrongInputError(f"{source}: {error.strerror or error}") from None
    return content.decode("utf-8-sig", errors="replace")


def _content_of(path: Path) -> bytes:
    with path.open("rb") as file:
        content = file.read(lists.LARGEST_FILE + 1)
    if len(content) > lists.LARGEST_FILE:
        raise WrongInputError(f"{path}: larger than {lists.LARGEST_FILE:,} bytes, the limit")
    return content


def _standard_input() -> bytes:
    if sys.stdin is None:  # <&-
        raise WrongInputError("-: standard input is closed")
    return sys.stdin.buffer.read()


# ---- Sets of words

MOST_SETS = 2_000_000
_BATCH = 1 << 12  # sets that one call of the search may find


@dataclass(frozen=True)
class WordSets:
    """All sets of disjoint words, in the order of the list within and among them, and the work."""

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


def find_sets(words: Sequence[str], count: int = 5, anagrams: bool = False) -> WordSets:
    """All sets of ``count`` of the words with no letter twice; the words must have one length.

    Of words with the same letters only the first counts, unless ``anagrams`` asks for every
    choice among them.
    """
    if not 1 <= count <= kernels.MOST_LETTERS:
        raise WrongInputError(f"a set must have 1–{kernels.MOST_LETTERS} words, not {count}")
    if not words:
        return WordSets((), 0, "", (0,) * (count + 1))
    text = _encode(words)
    alphabet = np.uint64(sum(1 << code for code in text.letters))
    bits, n_hitting = kernels.plan_letters(*text[:3], alphabet, count)
    masks, firsts = kernels.collect_masks(*text[:3], bits)
    n_letters = len(text.letters)
    shelves = kernels.Shelves(*kernels.shelve_masks(masks, firsts, n_letters, n_hitting))
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
    if length and kernels.is_plain(codes, length):
        seen = int(kernels.codes_in(codes) & ~kernels.bit_of(kernels.NEWLINE))
        known = {code: chr(64 + code) for code in range(64) if seen >> code & 1}
        return _Text(codes, length + 1, length, known)
    odd = next((word for word in words if len(word) != length or not word), None)
    if odd is not None:
        raise WrongInputError(f"all words must have the same length: {words[0]!r}, {odd!r}")
    points = np.frombuffer("".join(words).encode("utf-32-le"), dtype=np.uint32)
    letters, codes = np.unique(points, return_inverse=True)
    if letters.size > kernels.MOST_LETTERS:
        raise WrongInputError(
            f"the words have {letters.size} different letters; the limit is {kernels.MOST_LETTERS}"
        )
    return _Text(codes.astype(np.uint8), length, length, dict(enumerate(map(chr, letters))))


def _find_all(
    shelves: kernels.Shelves, n_letters: int, n_hitting: int, count: int, spare: int
) -> tuple[NDArray[np.int32], tuple[int, ...]]:
    """Call the search until it is through, in portions, and gather the positions of the words."""
    nodes = np.zeros(count + 1, dtype=np.int64)
    if spare < 0:
        return np.empty((0, count), dtype=np.int32), tuple(nodes.tolist())
    states = count * len(shelves.words) + 1
    stack = kernels.SetStack(
        np.empty(states, dtype=np.uint64),
        np.empty((states, 4), dtype=np.int32),
        np.empty(count, dtype=np.int32),
    )
    stack.used[0] = kernels.U0
    stack.frames[0] = (-1, 0, spare, shelves.starts[-2])
    menus = kernels.Menus(*kernels.menus_of(n_hitting))
    found = []
    n_found = 0
    height = 1
    while height:
        batch = np.empty((_BATCH, count), dtype=np.int32)
        height, filled = kernels.search(
            shelves, menus, n_letters, n_hitting, stack, height, batch, nodes
        )
        found.append(batch[:filled])
        n_found += filled
        if n_found > MOST_SETS:
            raise CouldNotFinishError(f"more than {MOST_SETS:,} sets, the limit")
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
