"""The next word for somebody in the middle of a game: what is left, what to guess, what is wrong.

Clues are (guess, score) pairs. If no secret fits all of them, the error names the smallest set of
clues that cannot be true together, so that a typing mistake is found where it was made.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..game.game import Game, History
from ..game.hard_mode import legal_after, require_legal
from ..game.words import NAMED_LISTS, named_list
from ..machine.rows import Ids
from ..memory_limits import require_room_to_rank
from ..splits.ranking import RankedGuesses, rank_guesses
from .clues import candidates_after, pool_of, require_pool


@dataclass(frozen=True, eq=False)
class Advice:
    """What is left in a state of a game and what to guess."""

    #: Positions of the secrets that fit all clues, and these secrets, alphabetically.
    candidates: Ids
    secrets: tuple[str, ...]
    #: Every word that may be guessed, best first.
    table: RankedGuesses
    #: The common words among all guesses.
    common: Ids
    #: How likely each guess is the secret; none if not a candidate.
    hits: NDArray[np.float64]

    def order(self, rows: NDArray[Any], costs: NDArray[Any]) -> NDArray[np.intp]:
        """Rows by costs; of equal ones the likeliest first, then common words, then by letters."""
        common = np.isin(rows["guess"], self.common)
        return np.lexsort((rows["guess"], ~common, -self.hits[rows["guess"]], costs))


def advise(
    game: Game,
    history: History,
    *,
    by: str = "entropy",
    guess_from: str = "allowed",
    hard: bool = False,
    weights: NDArray[Any] | None = None,
) -> Advice:
    """Advice in the middle of a game: the secrets that fit the clues, and the ranked next words.

    ``weights`` say how likely each secret of the game is, if they are not all equally likely.

    Words of equal measure share a rank; among them those still possible stand first, then common
    words: the secrets or, where any word may be hidden, the answers of a shipped list.
    """
    require_pool(guess_from)
    left = candidates_after(game, history)
    require_room_to_rank(game, len(left))
    pool = pool_of(game, guess_from, left)
    if hard:
        steps = [(game.guess_id(word), score) for word, score in history]
        require_legal(game, steps)
        pool = np.intersect1d(pool, legal_after(game, steps)).astype(np.int32)
    rows = rank_guesses(game, by, candidates=left, guess_ids=pool, weights=weights).rows
    secrets = tuple(game.secrets[secret] for secret in left)
    hits = np.zeros(len(game.guesses))
    hits[game.secret_ids[left]] = 1.0 if weights is None else weights[left]
    advice = Advice(left, secrets, RankedGuesses(game, by, rows), _common_words(game), hits)
    return replace(advice, table=RankedGuesses(game, by, rows[advice.order(rows, rows["rank"])]))


def _common_words(game: Game) -> Ids:
    """The guesses that people know."""
    if len(game.secrets) < len(game.guesses) or game.list_name not in NAMED_LISTS:
        return game.secret_ids
    known = set(named_list(game.list_name, "answers").words)
    return np.array([at for at, word in enumerate(game.guesses) if word in known], dtype=np.int32)
