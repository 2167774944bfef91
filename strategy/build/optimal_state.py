"""The best next guesses in the middle of a game, with exact expectations."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from solver.advice.clues import candidates_after
from solver.errors import CouldNotFinishError, WrongInputError
from solver.exact.first_guesses.problem import Problem
from solver.exact.questions.answer import FirstGuess
from solver.exact.questions.next_words import NextWords
from solver.exact.table.layout import require_table
from solver.game.hard_mode import require_legal
from solver.machine.clock import carrying
from solver.machine.clock import time_limit as time_limit_of

from ..files.notation import counted
from .optimal_question import game_played
from .preconditions import has_own_rule
from .within_limit import LIMIT

if TYPE_CHECKING:
    from solver.game.game import Game, History


@dataclass(frozen=True)
class NextGuesses:
    """What exact search knows of a state in the middle of a game: its best next guesses."""

    history: History
    #: How many secrets are still possible.
    candidates: int
    #: None: there is no limit.
    guesses_left: int | None
    #: The best guesses in order; none where the last guess was right.
    words: Sequence[FirstGuess] = ()
    #: Whether they are exact, ties included. Else others may be better.
    proved: bool = True
    #: No word loses fewer secrets.
    least_losses: int = 0
    #: Whether the secret has been found.
    solved: bool = False


def next_words(
    game: Game,
    history: History,
    *,
    within: int | None = LIMIT,
    top: int = 1,
    hard: bool = False,
    guess_from: str = "allowed",
    time_limit: float | None = None,
) -> NextGuesses:
    """What ``optimal --state`` asks: the ``top`` best next guesses in a state, by exact search.

    ``game.parse_state`` reads such a history from text. Guesses already made count for the limit
    ``within``. A time limit and Ctrl-C raise with what is known by then as ``best``.

    >>> from strategy import load_game
    >>> game = load_game(["boxer", "cover", "foyer", "hover", "lover", "mover"])
    >>> next_words(game, game.parse_state("boxer.bgbgg"), top=2).words[0].total
    12
    """
    has_own_rule(game)  # refuses a rule that could not be checked
    if guess_from == "candidates":
        raise WrongInputError("the best strategy guesses from allowed or secrets, not candidates")
    if hard:
        require_legal(game, [(game.guess_id(word), score) for word, score in history])
    candidates = candidates_after(game, history)
    left = None if within is None else within - len(history)
    state = history, len(candidates), left
    if any(score == game.solved for _, score in history):
        return NextGuesses(*state, solved=True)
    if left is not None and left < 1:
        made = counted(len(history), "guess", "guesses")
        raise WrongInputError(f"{made} made, and --within {within} allows no more")
    played = game_played(game, guess_from, [word for word, _ in history])
    steps = tuple((played.guess_id(word), score) for word, score in history)
    if played.code_space is None:
        require_table(played, hard, candidates)
    problem = Problem(played, hard, left, tuple(candidates.tolist()), steps)
    search = NextWords(problem, top, time_limit_of(time_limit), patient=time_limit is not None)

    def known() -> NextGuesses:
        return NextGuesses(*state, search.best(), search.proved, search.least_losses)

    try:
        search.settle()
    except (KeyboardInterrupt, CouldNotFinishError) as error:
        raise carrying(error, known()) from None
    return known()
