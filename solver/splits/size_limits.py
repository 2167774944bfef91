"""What is too large to be measured or kept, refused in words before it is begun."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from .. import memory
from ..errors import CouldNotFinishError, WrongInputError
from .logarithms import MOST_CANDIDATES

if TYPE_CHECKING:
    from ..game.game import Game
    from ..game.score_matrix import Scores
    from ..machine.rows import Ids

#: Larger score matrices are refused instead of filling the machine's memory.
MOST_BYTES = 4 * 10**9
#: The scores of games up to this size are not worth a word, though they are made by parts as well.
_UNSAID = 1 << 30
#: What a search needs beside the scores of its states: the program, blocks of scores, columns.
_PROGRAM, _BLOCKS = 60 << 20, 3 << 26
#: And for each guess and each secret: letters, places, nodes of the tree, games.
_GUESS, _SECRET = 600, 1500


def require_countable(candidates: int) -> None:
    """Refuse more candidates than exact entropies can be summed over."""
    if candidates > MOST_CANDIDATES:
        raise WrongInputError(
            f"{candidates:,} candidates are too many for exact entropies; "
            f"at most {MOST_CANDIDATES:,}"
        )


def require_room(size: int, what: str) -> None:
    """Refuse to measure or search what would not fit into the memory left, as the system tells."""
    left = memory.available()
    if left is not None and size > left:
        raise CouldNotFinishError(
            f"{what} takes {_in_words(size)} of memory and {_in_words(left)} is left; "
            "free some, or take shorter lists"
        )


def matrix_bytes(game: Game, candidates: int | None = None) -> int:
    """What all scores of a game would take, against some of the secrets or (None) all."""
    count = len(game.secrets) if candidates is None else candidates
    return len(game.guesses) * count * int(np.dtype(game.score_dtype).itemsize)


def search_bytes(game: Game, candidates: int | None = None) -> int:
    """About what a one-step search takes at most: never all scores of a large game.

    Over some of the secrets, or (None) over all.
    """
    count = len(game.secrets) if candidates is None else candidates
    words = len(game.guesses) * _GUESS + count * _SECRET
    return _PROGRAM + min(matrix_bytes(game, candidates), _BLOCKS) + words


def require_room_to_rank(game: Game, candidates: int) -> None:
    """Refuse to measure all guesses of a game against candidates where memory is too short."""
    if game.code_space is None:
        require_room(search_bytes(game, candidates), "this ranking")


def what_it_takes(game: Game) -> str | None:
    """A sentence on the memory for a large game's search; None if it is not worth one."""
    if matrix_bytes(game) <= _UNSAID or game.code_space is not None:
        return None
    return (
        f"{len(game.guesses):,} guesses against {len(game.secrets):,} secrets: "
        f"{_in_words(matrix_bytes(game))} of scores, made some at a time; "
        f"about {_in_words(search_bytes(game))} of memory"
    )


def all_scores(game: Game, guess_ids: Ids | None = None) -> Scores:
    """The score matrix, for a search that joins any two rows of it; a huge one is refused.

    Of some of the guesses, or (None) of all.
    """
    count = len(game.guesses) if guess_ids is None else len(guess_ids)
    size = count * len(game.secrets) * int(np.dtype(game.score_dtype).itemsize)
    if size > MOST_BYTES:
        raise WrongInputError(
            f"the scores of {count:,} guesses against {len(game.secrets):,} secrets "
            f"take {size / 1e9:,.0f} GB; joining them needs all at once, at most "
            f"{MOST_BYTES / 1e9:.0f} GB"
        )
    require_room(size, f"joining the scores of {count:,} guesses")
    return game.score_rows(guess_ids)


def _in_words(size: int) -> str:
    return f"{size / 1e9:,.1f} GB" if size >= 10**9 else f"{max(1, size // 10**6):,} MB"
