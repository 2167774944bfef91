"""The next word for somebody in the middle of a game: what is left, what to guess, what is wrong.

Clues are (guess, score) pairs. If no secret fits all of them, the error names the smallest set of
clues that cannot be true together, so that a typing mistake is found where it was made.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from solver.errors import WrongInputError
from solver.game import Game, History

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from solver.openers import Table

POOLS = ("allowed", "secrets", "candidates")


@dataclass(frozen=True, eq=False)
class Advice:
    """What is left and what to guess."""

    #: The secrets that fit all clues, alphabetically.
    secrets: tuple[str, ...]
    #: Every word that may be guessed, best first.
    table: Table


def advise(
    game: Game,
    history: History,
    *,
    by: str = "entropy",
    guess_from: str = "allowed",
    hard: bool = False,
) -> Advice:
    """The secrets that fit the clues and the ranked next words.

    Words of equal measure share a rank; among them those still possible stand first.
    """
    import numpy as np

    from solver.openers import rank_guesses

    left = candidates_after(game, history)
    pool = np.arange(len(game.guesses), dtype=np.int32)
    if guess_from != "allowed":
        pool = game.secret_ids if guess_from == "secrets" else game.secret_ids[left]
    if hard:
        from solver.hard import legal_after, require_legal

        steps = [(game.guess_id(word), score) for word, score in history]
        require_legal(game, steps)
        pool = np.intersect1d(pool, legal_after(game, steps)).astype(np.int32)
    table = rank_guesses(game, by, candidates=left, guess_ids=pool)
    rows = table.rows
    order = np.lexsort((rows["guess"], ~rows["candidate"], rows["rank"]))
    secrets = tuple(game.secrets[secret] for secret in left)
    return Advice(secrets, type(table)(game, by, rows[order]))


def candidates_after(game: Game, history: History) -> NDArray[np.int32]:
    """Positions of the secrets that fit all clues; clues that none fits are named."""
    import numpy as np

    fits = [_fits(game, word, score) for word, score in history]
    whole = np.ones(len(game.secrets), dtype=np.bool_)
    left = np.logical_and.reduce([whole, *fits])
    if not left.any():
        raise WrongInputError(_contradiction(game, history, fits) + _hint(game, history))
    return np.flatnonzero(left).astype(np.int32)


def _fits(game: Game, word: str, score: int) -> NDArray[np.bool_]:
    """Which secrets give a guess that score."""
    import numpy as np

    guess = np.array([game.guess_id(word)], dtype=np.int32)
    fits: NDArray[np.bool_] = game.score_rows(guess)[0] == score
    return fits


def _contradiction(game: Game, history: History, fits: list[Any]) -> str:
    """Name a smallest set of clues that no secret fits."""
    from itertools import combinations

    import numpy as np

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
