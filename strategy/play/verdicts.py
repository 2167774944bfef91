"""A review in one sentence, as somebody who watched would say it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..files.letters import capitals
from ..files.notation import counted

if TYPE_CHECKING:
    from .review import Review

#: From so much skill on a game was played so.
_PLAYED = (
    (99.0, "Perfectly played"),
    (95.0, "Very well played"),
    (87.0, "Well played"),
    (75.0, "Fairly played"),
    (50.0, "Not so well played"),
    (0.0, "Poorly played"),
)
#: From here on it is praise.
_PRAISE = 75.0
#: Guesses that luck has saved or cost, from which on it is worth a word, and a strong one.
_SOME, _MUCH = 0.25, 0.75
#: A guess that cost no more than this is not worth a word.
_DEAR = 0.05


def sentence_of(review: Review) -> str:
    """The verdict on a player's game in a sentence: how it was played, how lucky, what it cost."""
    played = next(words for least, words in _PLAYED if review.skill >= least)
    return f"{played}{_luck(review)}: {_end(review)}{_cost(review)}."


def _luck(review: Review) -> str:
    size = abs(review.luck_guesses)
    if size < _SOME:
        return ""
    lucky = review.luck_guesses > 0
    joined = "and" if lucky == (review.skill >= _PRAISE) else "but"
    return f" {joined} {'very ' if size >= _MUCH else ''}{'lucky' if lucky else 'unlucky'}"


def _end(review: Review) -> str:
    first, made = review.guesses[0], len(review.guesses)
    about = "" if first.exact else "about "
    average = f"the best play takes {about}{first.best_expected:.2f} on average"
    guesses = counted(made, "guess", "guesses")
    if review.solved:
        return f"{guesses}, where {average}"
    left = counted(len(review.secrets), "word")
    verb = "is" if len(review.secrets) == 1 else "are"
    if review.lost:
        return f"not found in {guesses}, with {left} left, where {average}"
    return f"{guesses} so far, and {left} {verb} left, where {average}"


def _cost(review: Review) -> str:
    dearest = max(review.guesses, key=lambda guess: guess.lost)
    if dearest.lost < _DEAR:
        return ""
    best = capitals(dearest.best)
    return f"; {best} instead of {capitals(dearest.word)} would have saved {dearest.lost:.2f}"
