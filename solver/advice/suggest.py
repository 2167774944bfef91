"""The next word for somebody in the middle of a game: what is left, what to guess, what is wrong.

Clues are (guess, score) pairs. If no secret fits all of them, the error names the smallest set of
clues that cannot be true together, so that a typing mistake is found where it was made.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from solver.game.game import Game, History

from .clues import candidates_after

if TYPE_CHECKING:
    from solver.splits.ranking import RankedGuesses

POOLS = ("allowed", "secrets", "candidates")


@dataclass(frozen=True, eq=False)
class Advice:
    """What is left and what to guess."""

    #: The secrets that fit all clues, alphabetically.
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
    import numpy as np

    from solver.splits.ranking import rank_guesses

    left = candidates_after(game, history)
    pool = np.arange(len(game.guesses), dtype=np.int32)
    if guess_from != "allowed":
        pool = game.secret_ids if guess_from == "secrets" else game.secret_ids[left]
    if hard:
        from solver.game.hard_mode import legal_after, require_legal

        steps = [(game.guess_id(word), score) for word, score in history]
        require_legal(game, steps)
        pool = np.intersect1d(pool, legal_after(game, steps)).astype(np.int32)
    table = rank_guesses(game, by, candidates=left, guess_ids=pool)
    rows = table.rows
    order = np.lexsort((rows["guess"], ~rows["candidate"], rows["rank"]))
    secrets = tuple(game.secrets[secret] for secret in left)
    return Advice(secrets, type(table)(game, by, rows[order]))
