"""The next word for somebody in the middle of a game, exactly where few secrets remain."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from .openers import RankedGuess

if TYPE_CHECKING:
    from solver.advice.forecast import Forecast
    from solver.game.game import Game, History

    from ..tree import Step


@dataclass(frozen=True)
class Suggestion(RankedGuess):
    """A word that may be guessed next, and what it will take to the end."""

    #: Guesses summed over the secrets that remain, exactly; None: not known, or out of the limit.
    total: int | None
    #: Guesses still to be made, on average.
    mean: float | None


@dataclass(frozen=True)
class Suggestions:
    """What is left after some clues, and what to guess."""

    state: History
    #: The secrets that fit all clues.
    secrets: tuple[str, ...]
    #: The secret, if a clue says that it was guessed: then there is nothing to suggest.
    solved: str | None
    #: Best first.
    words: list[Suggestion]
    #: The limit, the best words of all and their total; None: solved, or too many secrets remain.
    exact: Forecast | None


def suggest(
    game: Game,
    state: str | Sequence[Step] = (),
    *,
    by: str = "entropy",
    top: int | None = 10,
    guess_from: str = "allowed",
    hard: bool = False,
    within: int | None = 6,
) -> Suggestions:
    """The secrets still possible after some clues, and the best words to guess next.

    Clues are text such as ``"sigma xxxxx tenor xpppx"``, or pairs of a word and its score, as text
    or as its integer. Words are ranked ``by`` the same measures as openers; of equal ones those
    that may be the secret stand first. Where few secrets remain, each word has the exact total of
    best play ``within`` a limit (None: none) from there on. Clues that contradict each other raise
    WrongInputError, which names them.

    >>> from strategy import load_game, suggest
    >>> game = load_game(["abide", "crane", "raise", "slate", "stare"])
    >>> found = suggest(game, "abide ybbbg", top=1)
    >>> found.secrets
    ('crane', 'slate', 'stare')
    >>> [(row.word, row.total) for row in found.words]
    [('crane', 5)]
    >>> found.exact.best, found.exact.least
    (('crane', 'slate', 'stare'), 5)
    """
    from solver.advice.forecast import forecast
    from solver.advice.suggest import advise

    history = game.parse_state(state) if isinstance(state, str) else _history(game, state)
    advice = advise(game, history, by=by, guess_from=guess_from, hard=hard)
    found = next((word for word, score in history if score == game.solved), None)
    if found is not None:
        return Suggestions(history, advice.secrets, found, [], None)
    rows = list(advice.table.records(advice.table.rows[:top]))
    words = [row["word"] for row in rows]
    exact = forecast(game, history, advice, words, hard=hard, within=within)
    totals = exact.totals if exact else {}
    suggestions = []
    for row in rows:
        total = totals.get(row["word"])
        mean = None if total is None else total / len(advice.secrets)
        suggestions.append(Suggestion(**row, total=total, mean=mean))
    return Suggestions(history, advice.secrets, None, suggestions, exact)


def _history(game: Game, state: Sequence[Step]) -> History:
    """Clues as the game spells them: its own words, and scores as integers."""
    return tuple(
        (
            game.guesses[game.guess_id(word)],
            game.parse_score(score) if isinstance(score, str) else score,
        )
        for word, score in state
    )
