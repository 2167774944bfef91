"""All sets of words with no letter twice, from any dictionary."""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from solver.five_words.dictionary import read_dictionaries
from solver.five_words.word_sets import find_sets
from solver.game.words import DEFAULT_LIST


@dataclass(frozen=True)
class FoundSets:
    """All sets of words with no letter twice, and the work behind them."""

    #: In the order of the words, within a set and among the sets.
    sets: tuple[tuple[str, ...], ...]
    #: Different words of the right length.
    words_read: int
    #: Lines that are no such words.
    skipped: int
    #: Different sets of letters among the words without a repeated letter.
    masks: int
    #: Where the time went.
    seconds: dict[str, float]


def five_words(
    words: Iterable[str] | None = None,
    *,
    files: Iterable[str | Path] = (),
    count: int = 5,
    letters: int = 5,
    anagrams: bool = False,
) -> FoundSets:
    """All sets of ``count`` words of so many ``letters`` that have no letter twice.

    What is no word of that length is skipped and counted.

    Args:
        words: Words; without these and ``files``, those of the list ``original``.
        files: Names of shipped lists, or files of words, one a line (``-``: standard input).
        count: How many words make a set.
        letters: How many letters a word has.
        anagrams: Of words with the same letters all count, not the first alone.

    Returns:
        The sets, and the work behind them.

    Raises:
        WrongInputError: A list cannot be read, or has more different letters than the search can
            hold.

    >>> from strategy import five_words
    >>> five_words(["crane", "fjord", "gucks", "nymph", "vibex", "waltz"]).sets
    (('fjord', 'gucks', 'nymph', 'vibex', 'waltz'),)
    >>> five_words(["cat", "act", "dog"], count=2, letters=3, anagrams=True).sets
    (('act', 'dog'), ('cat', 'dog'))
    """
    begun = time.perf_counter()
    sources = list(files)
    if words is None and not sources:
        sources = [DEFAULT_LIST]
    read = read_dictionaries(sources, letters, words or ())
    reading = time.perf_counter()
    found = find_sets(read.words, count, anagrams)
    seconds = {"read": reading - begun, "search": time.perf_counter() - reading}
    return FoundSets(found.sets, len(read.words), read.skipped, found.masks, seconds)
