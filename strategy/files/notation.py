"""Scores and counts as the strategy room writes them, for both games. Standard library only.

The trusted checker and the exports must not ask the solver what a score looks like.
"""

from __future__ import annotations

import re

#: ``wordle``, or ``mastermind:HOLESxCOLOURS`` with an optional ``:distinct``.
GAME = re.compile(r"wordle|mastermind:[1-9]\d?x[1-9]\d?(:distinct)?")


def is_pegs(game: str) -> bool:
    """Whether a game is graded by black and white pegs."""
    return game.startswith("mastermind")


def solved_score(game: str, length: int) -> int:
    """The score of the guess that is the secret."""
    return length * (length + 1) if is_pegs(game) else 3**length - 1


def score_text(game: str, length: int, score: int) -> str:
    """A score as people write it: ``bbygb`` in Wordle, ``1,2`` in Mastermind."""
    if is_pegs(game):
        black, white = divmod(score, length + 1)
        return f"{black},{white}"
    return "".join("byg"[score // 3**place % 3] for place in range(length))


def counted(number: int, noun: str, plural: str = "") -> str:
    """A number with its noun: ``1 secret``, ``2,315 secrets``."""
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"
