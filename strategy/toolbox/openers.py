"""First words: ranked by what their splits are worth, and the one that the letters spell."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from solver.game.game import Game
    from solver.splits.letter_counts import LetterStatistics

#: By which words that letters spell are ranked besides entropy.
MORE_MEASURES = ("expected-size", "minimax", "parts")


@dataclass(frozen=True)
class RankedGuess:
    """A guess with its rank and the measures of its split."""

    word: str
    #: Equal ones share the first of their ranks.
    rank: int
    #: In bits.
    entropy: float
    #: The information still missing after it, in bits.
    remaining_bits: float
    #: Secrets in a bucket, the one that the secret falls into, on average.
    expected_size: float
    #: Secrets in the largest bucket.
    largest: int
    #: Buckets.
    parts: int
    #: The mean share of secrets eliminated, plus 1/n if it may be the secret itself.
    proportion: float
    #: Whether it may be the secret.
    candidate: bool


@dataclass(frozen=True)
class SpelledGuess(RankedGuess):
    """A guess ranked by entropy, with its ranks by other measures."""

    ranks: dict[str, int]


@dataclass(frozen=True)
class Spelled:
    """What letters stand where, and what the word that the commonest ones spell is worth."""

    letters: LetterStatistics
    #: That word, if it is one, its neighbours, and the words asked for; best first.
    words: list[SpelledGuess]


def openers(
    game: Game,
    words: Sequence[str] = (),
    *,
    by: str = "entropy",
    top: int | None = None,
    bottom: int = 0,
    weights: NDArray[Any] | None = None,
) -> list[RankedGuess]:
    """All first words with the measures of their splits, best first.

    Equal words share a rank and stand in alphabetical order.

    Args:
        game: What is played.
        words: Show these alone, with their ranks among all.
        by: The measure that ranks them: ``entropy``, ``remaining``, ``expected-size``, ``parts``,
            ``minimax`` or ``proportion``.
        top: Show so many of the best; ``None``: all.
        bottom: And so many of the worst after them.
        weights: A positive number for each secret of the game; expectations are over these.

    Returns:
        A row a word: ``rank``, ``word`` and every measure by its name.

    Raises:
        WrongInputError: A word is no guess of this game, or there is no such measure.
        CouldNotFinishError: It would take more memory than is left.

    >>> from strategy import load_game, openers
    >>> game = load_game(["abide", "crane", "raise", "slate", "stare"])
    >>> [(row.rank, row.word, row.parts) for row in openers(game, by="parts")]
    [(1, 'crane', 5), (1, 'raise', 5), (1, 'slate', 5), (1, 'stare', 5), (5, 'abide', 3)]
    >>> [best] = openers(game, top=1)
    >>> best.word, round(best.entropy, 3)
    ('crane', 2.322)
    """
    from solver.memory_limits import require_room_to_rank
    from solver.splits.ranking import rank_guesses

    require_room_to_rank(game, len(game.secrets))
    table = rank_guesses(game, by, weights=weights)
    if words:
        return [RankedGuess(**row) for row in table.records(table.of_words(list(words)))]
    first = len(table) if top is None else top
    last = max(first, len(table) - bottom)
    shown = (table.rows[:first], table.rows[last:])
    return [RankedGuess(**row) for rows in shown for row in table.records(rows)]


def guesses_by_entropy(
    game: Game, words: Sequence[str], weights: NDArray[Any] | None = None
) -> list[float]:
    """For ``openers``: mean guesses after each first word if entropy chooses the rest.

    Best play takes no more. ``weights`` say how likely each secret is; later guesses do not look at
    them.
    """
    import numpy as np

    from solver.advice.hindsight import lengths_of
    from solver.rules.searcher import Searcher
    from solver.splits.weighted_measures import chances_of

    chances = chances_of(np.ones(len(game.secrets)) if weights is None else weights)
    everything = np.arange(len(game.secrets), dtype=np.int32)
    searcher = Searcher(game, "entropy")
    trees = (searcher.grow(None, [game.guess_id(word)]) for word in words)
    return [float(chances @ lengths_of(game, tree, everything)) for tree in trees]


def spelled_opener(game: Game, words: Sequence[str] = ()) -> Spelled:
    """The word that the commonest letters by place spell, ranked with its neighbours."""
    from solver.splits.letter_counts import letter_statistics

    letters = letter_statistics(game)
    named = sorted({*letters.neighbours, *([letters.spelled] if letters.allowed else []), *words})
    rows = openers(game, named) if named else []
    ranks: dict[str, dict[str, int]] = {row.word: {} for row in rows}
    for by in MORE_MEASURES if named else ():
        for row in openers(game, named, by=by):
            ranks[row.word][by] = row.rank
    return Spelled(letters, [SpelledGuess(**vars(row), ranks=ranks[row.word]) for row in rows])
