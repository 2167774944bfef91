"""Scores and counts as the strategy room writes them, for both games. Standard library only.

The trusted checker and the exports must not ask the solver what a score looks like.
"""

from __future__ import annotations

import re

from ..errors import OutputError

#: ``wordle``, or ``mastermind:HOLESxCOLOURS`` with an optional ``:distinct``.
GAME = re.compile(r"wordle|mastermind:[1-9]\d?x[1-9]\d?(:distinct)?")


def is_known(game: str) -> bool:
    """Whether strategy files and the trusted checker have a notation for a game's rule."""
    return GAME.fullmatch(game) is not None


def require_known(game: str) -> None:
    """Refuse to write files of a game with a rule of somebody's own: nobody could read them."""
    if not is_known(game):
        raise OutputError(
            f"no file holds and no text shows the strategies of {game!r}: "
            "they know the rules of wordle and mastermind:HxC[:distinct]"
        )


def is_pegs(game: str) -> bool:
    """Whether files note the scores of a game as black and white pegs."""
    return game.startswith("mastermind")


def solved_score(game: str, length: int) -> int:
    """The score of a solved word, of so many letters, as strategy files write it."""
    return length * (length + 1) if is_pegs(game) else 3**length - 1


def score_text(game: str, length: int, score: int) -> str:
    """A score as people write it: ``bbygb`` in Wordle, ``1,2`` in Mastermind."""
    require_known(game)
    if is_pegs(game):
        black, white = divmod(score, length + 1)
        return f"{black},{white}"
    return "".join("byg"[score // 3**place % 3] for place in range(length))


def counted(number: int, noun: str, plural: str = "") -> str:
    """A number with its noun, as all texts note it: ``1 secret``, ``2,315 secrets``."""
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"
