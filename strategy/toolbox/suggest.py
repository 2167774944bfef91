"""The next word for somebody in the middle of a game, exactly where few secrets remain."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from solver.choices import MEASURES

from .openers import RankedGuess

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from solver.advice.forecast import Forecast
    from solver.game.game import Game, History

    from ..tree import Step

#: Words of the best by a measure that get exact totals, even if fewer are shown.
LOOKED_AT = 10


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
    #: What ranks the words: ``guesses``, as far as they are exactly known, or a measure.
    by: str
    #: Best first.
    words: list[Suggestion]
    #: How many words beyond these stand equal with the last one.
    n_more_tied: int
    #: The limit, the best words of all and their total; None: solved, or too many secrets remain.
    exact: Forecast | None


def suggest(
    game: Game,
    state: str | Sequence[Step] = (),
    *,
    by: str | None = None,
    top: int | None = 10,
    guess_from: str = "allowed",
    hard: bool = False,
    within: int | None = 6,
    weights: NDArray[Any] | None = None,
) -> Suggestions:
    """As ``knuthle suggest``: the secrets possible after some clues, the best words to guess next.

    Where few secrets remain, each word has the exact total of best play from there on, and the
    words with the least total stand first, after them the ten best by entropy in the order of their
    totals; else entropy ranks all. Of equal words those that may be the secret stand first, then
    common words, then all in alphabetical order.

    Args:
        game: What is played.
        state: Clues: text such as ``"sigma xxxxx tenor xpppx"``, or pairs of a word and its score,
            as text or as its integer.
        by: Rank by any measure of ``openers`` instead.
        top: How many words; ``None``: all.
        guess_from: The pool: ``allowed``, ``secrets`` or ``candidates``.
        hard: Keep to hard mode.
        within: The limit for exact totals, guesses made included; ``None``: none.
        weights: A positive number for each secret of the game; expectations are over these, exact
            (and without a limit) up to 12 secrets.

    Returns:
        The ``secrets``, the ``words`` with their measures, and what is known exactly.

    Raises:
        WrongInputError: Clues contradict each other; the message names them.
        CouldNotFinishError: To rank the words would take more memory than is left.

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
    from solver.advice.forecast import forecast, rank_by_forecast, weighted_forecast
    from solver.advice.suggest import advise

    history = game.parse_state(state) if isinstance(state, str) else _history(game, state)
    measure = by or MEASURES[0]
    advice = advise(game, history, by=measure, guess_from=guess_from, hard=hard, weights=weights)
    found = next((word for word, score in history if score == game.solved), None)
    if found is not None:
        return Suggestions(history, advice.secrets, found, measure, [], 0, None)
    many = None if top is None else max(top, LOOKED_AT)
    words = [game.guesses[guess] for guess in advice.table.rows["guess"][:many]]
    exact = None
    if weights is None:
        exact = forecast(game, history, advice, words, hard=hard, within=within)
    elif not (hard or guess_from != "allowed"):
        exact = weighted_forecast(game, advice, words, weights)
    ranking = rank_by_forecast(advice, None if by else exact, words, top)
    totals = exact.totals | dict.fromkeys(exact.best, exact.least) if exact else {}
    suggestions = []
    for row in advice.table.records(ranking.rows):
        total = totals.get(row["word"])
        mean = None if total is None else total / len(advice.secrets)
        whole = None if total is None or weights is not None else int(total)
        suggestions.append(Suggestion(**row, total=whole, mean=mean))
    ranked_by = "guesses" if ranking.exact else measure
    return Suggestions(
        history, advice.secrets, None, ranked_by, suggestions, ranking.n_more_tied, exact
    )


def _history(game: Game, state: Sequence[Step]) -> History:
    """Clues as the game spells them: its own words, and scores as integers."""
    return tuple(
        (
            game.guesses[game.guess_id(word)],
            game.parse_score(score) if isinstance(score, str) else score,
        )
        for word, score in state
    )
