"""The next word for somebody in the middle of a game: what is left, what to guess, what is wrong.

Clues are (guess, score) pairs. If no secret fits all of them, the error names the smallest set of
clues that cannot be true together, so that a typing mistake is found where it was made.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..game.game import Game, History
from ..game.hard_mode import legal_after, require_legal
from ..machine.rows import Ids
from ..splits.ranking import RankedGuesses, rank_guesses
from .clues import candidates_after, pool_of, require_pool


@dataclass(frozen=True, eq=False)
class Advice:
    """What is left and what to guess."""

    #: Positions of the secrets that fit all clues, and these secrets, alphabetically.
    candidates: Ids
    secrets: tuple[str, ...]
    #: Every word that may be guessed, best first.
    table: RankedGuesses


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
    require_pool(guess_from)
    left = candidates_after(game, history)
    pool = pool_of(game, guess_from, left)
    if hard:
        steps = [(game.guess_id(word), score) for word, score in history]
        require_legal(game, steps)
        pool = np.intersect1d(pool, legal_after(game, steps)).astype(np.int32)
    rows = rank_guesses(game, by, candidates=left, guess_ids=pool).rows
    order = np.lexsort((rows["guess"], ~rows["candidate"], rows["rank"]))
    secrets = tuple(game.secrets[secret] for secret in left)
    return Advice(left, secrets, RankedGuesses(game, by, rows[order]))
