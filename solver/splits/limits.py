"""What is too large to be measured, refused in words before a kernel meets it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ..errors import WrongInputError
from .logarithms import MOST_CANDIDATES

if TYPE_CHECKING:
    from ..game.game import Game
    from ..game.score_matrix import Scores

#: Larger score matrices are refused instead of filling the machine's memory.
MOST_BYTES = 4 * 10**9


def require_countable(candidates: int) -> None:
    """Refuse more candidates than exact entropies can be summed over."""
    if candidates > MOST_CANDIDATES:
        raise WrongInputError(
            f"{candidates:,} candidates are too many for exact entropies; "
            f"at most {MOST_CANDIDATES:,}"
        )


def all_scores(game: Game) -> Scores:
    """The score matrix, for a search that joins any two rows of it; a huge one is refused."""
    size = len(game.guesses) * len(game.secrets) * np.dtype(game.score_dtype).itemsize
    if size > MOST_BYTES:
        raise WrongInputError(
            f"the scores of {len(game.guesses):,} guesses against {len(game.secrets):,} secrets "
            f"take {size / 1e9:,.0f} GB; joining them needs all at once, at most "
            f"{MOST_BYTES / 1e9:.0f} GB"
        )
    return game.score_rows()
