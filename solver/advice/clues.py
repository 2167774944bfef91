"""What the clues of a game so far leave possible, and which of them contradict each other."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..errors import WrongInputError
from ..game.game import Game, History

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


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
