"""What the clues of a game so far leave possible, and which of them contradict each other."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..errors import WrongInputError
from ..game.game import GUESS_POOLS, Game, History

if TYPE_CHECKING:
    from ..machine.rows import Ids


def require_pool(guess_from: str) -> None:
    """For advice, refuse a name of a pool that it cannot choose guesses from."""
    if guess_from not in GUESS_POOLS:
        raise WrongInputError(
            f"guesses come from {', '.join(GUESS_POOLS)}; {guess_from!r} is none of them"
        )


def pool_of(game: Game, guess_from: str, candidates: Ids) -> Ids:
    """The guesses that advice chooses from, ascending; candidates are positions of secrets."""
    if guess_from == "allowed":
        return np.arange(len(game.guesses), dtype=np.int32)
    return game.secret_ids if guess_from == "secrets" else game.secret_ids[candidates]


def candidates_after(game: Game, history: History) -> Ids:
    """Positions of the secrets that fit all clues; clues that none fits are named."""
    fits = [_fits(game, word, score) for word, score in history]
    whole = np.ones(len(game.secrets), dtype=np.bool_)
    left = np.logical_and.reduce([whole, *fits])
    if not left.any():
        raise WrongInputError(_contradiction(game, history, fits) + _hint(game, history))
    return np.flatnonzero(left).astype(np.int32)


def contradiction(game: Game, history: History) -> str:
    """Which clues cannot be true together, where no secret fits them all."""
    return _contradiction(game, history, [_fits(game, word, score) for word, score in history])


def _fits(game: Game, word: str, score: int) -> NDArray[np.bool_]:
    """Which secrets give a guess that score."""
    guess = np.array([game.guess_id(word)], dtype=np.int32)
    fits: NDArray[np.bool_] = game.score_rows(guess)[0] == score
    return fits


def _contradiction(game: Game, history: History, fits: list[Any]) -> str:
    """Name a smallest set of clues that no secret fits."""
    where = f"no secret of {game.list_name} ({game.secrets_name})"
    for size in range(1, len(fits) + 1):
        for some in combinations(range(len(fits)), size):
            if not np.logical_and.reduce([fits[at] for at in some]).any():
                clues = [f"{history[at][0]} {game.format_score(history[at][1])}" for at in some]
                if size == 1:
                    return f"{where} gives {clues[0]}"
                others, last = " and ".join(clues[:-1]), clues[-1]
                verb = "contradicts" if size == 2 else "contradict"
                return f"{others} {verb} {last}: {where} fits {'both' if size == 2 else 'all'}"
    raise AssertionError("some secret fits all clues")


def _hint(game: Game, history: History) -> str:
    """Whether the fault may lie in the secrets being fewer than the guesses."""
    fitting = [
        word for word in game.guesses if all(game.grade(g, word) == score for g, score in history)
    ]
    if not fitting:
        return ""
    example = fitting[0] if len(fitting) == 1 else f"{fitting[0]} and {len(fitting) - 1:,} more"
    return f"; allowed guesses do ({example}): try --secrets allowed"
