"""Before a strategy is built: can the fixed guesses be made? After it: every secret is played."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from solver.errors import WrongInputError
from solver.game.hard_mode import legal_after
from solver.machine.pool import Pool

from ..referee import Checker, Verdict, check_choice, conclude
from ..tree import Strategy

if TYPE_CHECKING:
    from solver.game.game import Game

#: Secrets to a task of the verifying pool: small enough to share out, large enough to be worth it.
_GAMES_A_TASK = 500


#: Called with (what is being done, how much of it is new, how much it is in all).
Progress = Callable[[str, int, int], None]


def nobody(what: str, new: int, whole: int) -> None:
    """The progress of whoever does not want to know."""


def fixed_guesses(game: Game, start: Sequence[str]) -> tuple[str, ...]:
    """The fixed first guesses as words of the game; none for ``auto``."""
    if tuple(start) == ("auto",):
        return ()
    return tuple(game.guesses[game.guess_id(word.strip())] for word in start)


def check_start(game: Game, start: Sequence[str], hard: bool) -> None:
    """Refuse fixed guesses that cannot all be made: one twice, or one that hard mode forbids."""
    twice = [word for word in start if start.count(word) > 1]
    if twice:
        raise WrongInputError(f"--start guesses {twice[0]!r} twice, which tells nothing new")
    if not hard:
        return
    everything = np.arange(len(game.secrets), dtype=np.int32)
    states: list[tuple[tuple[tuple[int, int], ...], Any]] = [((), everything)]
    for word in start:
        guess = game.guess_id(word)
        below = []
        for history, candidates in states:
            if guess not in legal_after(game, history):
                named = game.format_state([(game.guesses[g], score) for g, score in history])
                raise WrongInputError(f"hard mode forbids the fixed guess {word!r} after {named}")
            row = game.score_rows(np.array([guess], dtype=np.int32), candidates)[0]
            for score in np.unique(row[row != game.solved]).tolist():
                below.append(((*history, (guess, score)), candidates[row == score]))
        states = below


def play_every_secret(
    strategy: Strategy,
    secrets: Sequence[str],
    workers: int = 1,
    progress: Progress = nobody,
) -> Verdict:
    """Play every secret of the game as a real one, by the trusted checker."""
    tasks = [secrets[at : at + _GAMES_A_TASK] for at in range(0, len(secrets), _GAMES_A_TASK)]
    taken: dict[str, int] = {}
    passed: set[int] = set()
    for number, (some_taken, some_passed) in _played(strategy, tasks, workers):
        taken |= some_taken
        passed |= some_passed
        progress("playing", len(tasks[number]), len(secrets))
    conclude(strategy, taken, passed)
    check_choice(strategy)
    return Verdict(dict(sorted(taken.items())))


def _played(
    strategy: Strategy, tasks: Sequence[Any], workers: int
) -> Iterator[tuple[int, tuple[dict[str, int], set[int]]]]:
    if workers == 1:
        yield from enumerate(map(Checker(strategy).play_all, tasks))
        return
    with Pool(_player, (strategy,), min(workers, len(tasks))) as pool:
        yield from pool.run(tasks)


def _player(strategy: Strategy) -> Callable[[Any], tuple[dict[str, int], set[int]]]:
    return Checker(strategy).play_all
