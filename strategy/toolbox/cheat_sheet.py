"""The best second word for every reply to an opener that a person can tell apart."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from solver.advice.cheatsheet import Sheet
    from solver.game.game import Game


def cheat_sheet(
    game: Game,
    word: str,
    *,
    group: str = "score",
    depth: int = 2,
    rule: str = "entropy",
    guess_from: str = "allowed",
    hard: bool = False,
    time_limit: float | None = None,
    told: Callable[[int, int], None] = lambda new, whole: None,
) -> Sheet:
    """What to guess after an opener, for every group of replies, down to ``depth`` words in all.

    Replies are grouped by full ``score``, by letters ``hits``, or by ``colours`` (yellow, green).
    The ``rule`` is ``entropy`` (jointly with the words before), ``minimax`` or ``optimal``: the
    fewest guesses to the end, exactly, where ``time_limit`` are the seconds that a row may take
    before it stays a bound. Words come from ``guess_from``: ``allowed``, ``secrets``, or the
    ``candidates`` of the row; ``hard`` holds them to hard mode. ``told`` hears how many more of
    all secrets have their second word.

    >>> from strategy import cheat_sheet, load_game
    >>> game = load_game(["abide", "crane", "raise", "slate", "stare"])
    >>> sheet = cheat_sheet(game, "slate", group="hits", rule="optimal")
    >>> [(row.key, row.word, row.answers, row.total) for row in sheet.rows]
    [(('2',), 'abide', 2, 3), (('3',), 'raise', 1, 1), (('4',), 'stare', 1, 1)]
    >>> sheet.total, sheet.proved
    (10, True)
    """
    from solver.advice import cheatsheet
    from solver.machine import clock

    return cheatsheet.cheat_sheet(
        game,
        word,
        group=group,
        depth=depth,
        rule=rule,
        guess_from=guess_from,
        hard=hard,
        clock=lambda: clock.time_limit(time_limit),
        told=told,
    )
