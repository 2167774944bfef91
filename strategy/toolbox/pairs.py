"""Two and three words, by what their scores tell together."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from solver.errors import WrongInputError

if TYPE_CHECKING:
    from solver.game.game import Game
    from solver.pairs.pair_search import Pair
    from solver.pairs.triples import FoundTriples


@dataclass(frozen=True)
class FoundPairs:
    """The best and worst pairs of words that were asked for, and the work it took."""

    #: Best first.
    best: list[Pair]
    #: The worst, the very worst last.
    worst: list[Pair]
    #: Pairs whose joint split was counted; proved bounds decide the others.
    evaluated: int
    #: Pairs in question.
    in_all: int


def pairs(
    game: Game,
    first: str | None = None,
    second: str | None = None,
    *,
    top: int = 20,
    bottom: int = 0,
    both_secrets: bool = False,
    workers: int = 1,
    told: Callable[[int, int], None] = lambda new, whole: None,
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
        told: Hears how many more of how many words are done.

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
    from solver.pairs.pair_search import PairSearch

    search = PairSearch(game, both_secrets=both_secrets, workers=workers)
    if first is not None and second is not None:
        named = search.ranked(first, second, told)
        return FoundPairs(named.pairs, [], named.evaluated, named.pairs_in_all)
    if first is not None:
        found = search.partners(first)
        last = max(top, len(found.pairs) - bottom)
        return FoundPairs(
            found.pairs[:top], found.pairs[last:], found.evaluated, found.pairs_in_all
        )
    if second is not None:
        raise WrongInputError("a second word needs a first one")
    best = search.best(top, told)
    worst = search.worst(min(bottom, search.pairs_in_all - len(best.pairs)))
    evaluated = best.evaluated + worst.evaluated
    return FoundPairs(best.pairs, worst.pairs, evaluated, search.pairs_in_all)


def triples(
    game: Game,
    first: str | None = None,
    second: str | None = None,
    *,
    top: int = 20,
    workers: int = 1,
    told: Callable[[int, int], None] = lambda new, whole: None,
) -> FoundTriples:
    """As ``knuthle triples``: the best third words after two given ones; without, one good triple.

    All triples are too many to try: unless the list is tiny, the one found without words is a bound
    (``proved`` is false), found by climbing from the best pairs.

    Args:
        game: What is played.
        first: The first word.
        second: The second; both are given or none.
        top: How many third words.
        workers: How many processes share the search; what is found is the same.
        told: Hears how many more of how many starts are done.

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
    from solver.pairs.triples import TripleSearch

    search = TripleSearch(game, workers=workers)
    if first is None and second is None:
        return search.best(told)
    if first is None or second is None:
        raise WrongInputError("a third word needs two")
    return search.thirds(first, second, top)
