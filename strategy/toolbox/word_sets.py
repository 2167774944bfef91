"""Pairs, triples and sets of words without a common letter: words in, words and figures out."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from solver.errors import WrongInputError
from solver.machine.clock import Clock
from solver.shown import ShownRows, record_of
from solver.word_sets.disjoint_words import find_sets, read_dictionaries
from solver.words.lists import DEFAULT_LIST

from ..solving.progress import as_call, tells_progress

if TYPE_CHECKING:
    from solver.game.game import Game
    from solver.word_sets.pairs import Pair
    from solver.word_sets.triples import FoundTriples


@dataclass(frozen=True, repr=False)
class FoundSets(ShownRows):
    """All sets of words with no letter twice, and the work behind them."""

    #: In the order of the words, within a set and among the sets.
    sets: tuple[tuple[str, ...], ...]
    #: Different words of the right length.
    words_read: int
    #: Lines that are no such words.
    skipped: int
    #: Different sets of letters among the words without a repeated letter.
    masks: int
    seconds: dict[str, float]

    def _line(self) -> str:
        return f"{len(self.sets):,} sets of words without a common letter"

    def _records(self) -> list[dict[str, Any]]:
        return [{"words": words} for words in self.sets]


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
    clock = Clock()
    sources = list(files)
    if words is None and not sources:
        sources = [DEFAULT_LIST]
    read = read_dictionaries(sources, letters, words or ())
    clock.lap("read")
    found = find_sets(read.words, count, anagrams)
    clock.lap("search")
    return FoundSets(found.sets, len(read.words), read.skipped, found.masks, clock.seconds())


# ---- Pairs and triples


@dataclass(frozen=True, repr=False)
class FoundPairs(ShownRows):
    """The best and worst pairs of words, and the work of the search."""

    #: Best first.
    best: list[Pair]
    #: The worst, the very worst last.
    worst: list[Pair]
    #: Pairs whose joint split was counted; proved bounds decide the others.
    evaluated: int
    #: Pairs in question.
    in_all: int

    def _line(self) -> str:
        best = f"{'+'.join(self.best[0].words)} is best, " if self.best else ""
        return f"{best}{self.evaluated:,} of {self.in_all:,} pairs counted"

    def _records(self) -> list[dict[str, Any]]:
        return [record_of(pair) for pair in (*self.best, *self.worst)]


@tells_progress("pairs")
def pairs(
    game: Game,
    first: str | None = None,
    second: str | None = None,
    *,
    top: int = 20,
    bottom: int = 0,
    both_secrets: bool = False,
    workers: int = 1,
    progress: bool | Callable[[int, int], None] = lambda new, whole: None,
) -> FoundPairs:
    """The best and the worst pairs of words by the joint entropy of their scores, exactly.

    Args:
        game: What is played.
        first: Only the pairs that have this word.
        second: That pair alone, with its rank among all.
        top: How many of the best.
        bottom: How many of the worst.
        both_secrets: Only pairs of words that may both be the secret.
        workers: How many processes share the search; what is found is the same.
        progress: Called with how many more of how many words are done; ``True`` shows bars.

    Returns:
        The pairs, ``best`` and ``worst``, each with its rank, and the work that it took.

    Raises:
        WrongInputError: A word is no guess of this game.

    >>> from strategy import load_game, pairs
    >>> game = load_game(["abide", "aided", "crane", "raise", "slate"])
    >>> [(pair.rank, pair.words) for pair in pairs(game, top=2).best]
    [(1, ('abide', 'crane')), (1, ('abide', 'raise'))]
    >>> pairs(game, "abide", "aided").best[0].rank
    10
    """
    from solver.word_sets.pairs import PairSearch

    progress = as_call(progress)
    search = PairSearch(game, both_secrets=both_secrets, workers=workers)
    if first is not None and second is not None:
        named = search.ranked(first, second, progress)
        return FoundPairs(named.pairs, [], named.evaluated, named.pairs_in_all)
    if first is not None:
        found = search.partners(first)
        last = max(top, len(found.pairs) - bottom)
        return FoundPairs(
            found.pairs[:top], found.pairs[last:], found.evaluated, found.pairs_in_all
        )
    if second is not None:
        raise WrongInputError("the second word is given without the first")
    best = search.best(top, progress)
    worst = search.worst(min(bottom, search.pairs_in_all - len(best.pairs)))
    evaluated = best.evaluated + worst.evaluated
    return FoundPairs(best.pairs, worst.pairs, evaluated, search.pairs_in_all)


@tells_progress("triples")
def triples(
    game: Game,
    first: str | None = None,
    second: str | None = None,
    *,
    top: int = 20,
    workers: int = 1,
    progress: bool | Callable[[int, int], None] = lambda new, whole: None,
) -> FoundTriples:
    """As ``knuthle pairs --third``: the best third words after two; without these a good triple.

    All triples are too many to try: unless the list is tiny, the one found without words is a bound
    (``proved`` is false), found by climbing from the best pairs.

    Args:
        game: What is played.
        first: The first word.
        second: The second; both are given or none.
        top: How many third words.
        workers: How many processes share the search; what is found is the same.
        progress: Called with how many more of how many starts are done; ``True`` shows bars.

    Returns:
        The triples, best first, and whether nothing is better.

    Raises:
        WrongInputError: A word is no guess of this game, or only one is given.

    >>> from strategy import load_game, triples
    >>> game = load_game(["abide", "aided", "crane", "raise", "slate"])
    >>> found = triples(game, "abide", "aided", top=1)
    >>> found.proved, found.evaluated, found.triples[0].words
    (True, 3, ('abide', 'aided', 'crane'))
    """
    from solver.word_sets.triples import TripleSearch

    progress = as_call(progress)
    search = TripleSearch(game, workers=workers)
    if first is None and second is None:
        return search.best(progress)
    if first is None or second is None:
        raise WrongInputError("a third word needs two words before it")
    return search.thirds(first, second, top)
