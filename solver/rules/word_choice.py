"""The next guess by Knuth's minimax among words, by their letters alone: no scores are kept."""

from __future__ import annotations

from ..machine.jit import kernel, lean
from ..machine.rows import Ids
from .few_words import best_of_few
from .letter_bits import FEW, LetterBits, WordSearch, grade
from .many_words import best_of_many


@kernel
def best_word(search: WordSearch, state: Ids) -> int:
    """The column of the guess for three candidates or more."""
    return _best(search, state)


@lean(inner=True, inline=True)
def _best(search: WordSearch, state: Ids) -> int:
    if len(state) <= FEW:
        return best_of_few(search, state)
    return best_of_many(search, state)


@lean(inner=True, inline=True)
def note_scores(letters: LetterBits, column: int, state: Ids, split: Ids) -> None:
    """The scores of one guess against the candidates of a state."""
    for at in range(len(state)):
        split[at] = grade(letters, column, state[at])


@lean(inner=True, inline=True)
def split_by_words(search: WordSearch, state: Ids, split: Ids) -> int:
    """Choose a guess for a state and note its scores."""
    column = search.own_column[state[0]]
    if len(state) > 2:
        column = _best(search, state)
    note_scores(search.letters, column, state, split)
    return search.pool[column]
