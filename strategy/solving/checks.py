"""Before and after a strategy is built: is its start legal, are all secrets found, is a limit met?

The trusted checker grades Wordle and Mastermind by its own few lines. A game whose rule is
somebody's own is played by that rule, and the verdict says so.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from solver.errors import WrongInputError
from solver.game.wordle import legal_after

from ..checkers.referee import OWN_GRADE, Checker, Verdict, check_choice, check_second, conclude
from ..files.text import is_known
from ..tree import Strategy

if TYPE_CHECKING:
    from solver.game.game import Game

#: Secrets to a task of the verifying pool: small enough to share out, large enough to be worth it.
_GAMES_A_TASK = 500
#: And without a pool: the checker looks at many games together.
_GAMES_TOGETHER = 5000

#: Called with (what is being done, how much of it is new, how much it is in all).
Progress = Callable[[str, int, int], None]


def ignore_progress(what: str, new: int, whole: int, more: str = "") -> None:
    """Ignore the progress of building a strategy, or many in a sweep: the default."""


def start_words(start: str | Sequence[str]) -> tuple[str, ...]:
    """Before building: the first guesses that are to be made, of words or of text with commas."""
    return tuple(word.strip() for word in (start.split(",") if isinstance(start, str) else start))


def fixed_guesses(game: Game, start: str | Sequence[str]) -> tuple[str, ...]:
    """The guesses that a strategy is to begin with, as words of the game; none for ``auto``."""
    words = start_words(start)
    return () if words == ("auto",) else tuple(game.guesses[game.guess_id(w)] for w in words)


def check_start(game: Game, start: Sequence[str], hard: bool) -> None:
    """Refuse, before building, fixed guesses that repeat or that hard mode forbids."""
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


def has_own_rule(game: Game) -> bool:
    """Whether a game to build for has somebody's own rule, which the trusted checker lacks.

    Such a game under a name that they do know is refused: they would take it for another one.
    """
    from solver.game.mastermind import MastermindGame
    from solver.game.wordle import WordleGame

    if not is_known(game.spec):
        return True
    if not isinstance(game, WordleGame | MastermindGame):
        raise WrongInputError(
            f"{type(game).__name__} has a rule of its own and goes by the name {game.spec!r}, "
            "by which the checker would grade; let its spec be another one"
        )
    return False


class OwnChecker(Checker):
    """The checker for games of somebody's own rule: it plays them by the game's own grade."""

    def __init__(self, strategy: Strategy, game: Game) -> None:
        super().__init__(strategy)
        self._grade = partial(map, game.grade)


def play_every_secret(
    strategy: Strategy, game: Game, workers: int = 1, progress: Progress = ignore_progress
) -> Verdict:
    """Before a strategy just built counts, have the checker of its game play every secret."""
    secrets = game.secrets
    size = _GAMES_A_TASK if workers > 1 else _GAMES_TOGETHER
    tasks = [secrets[at : at + size] for at in range(0, len(secrets), size)]
    taken: dict[str, int] = {}
    passed: set[int] = set()
    for number, (some_taken, some_passed) in _played(strategy, game, tasks, workers):
        taken |= some_taken
        passed |= some_passed
        progress("playing", len(tasks[number]), len(secrets))
    conclude(strategy, taken, passed)
    check_choice(strategy)
    check_second(strategy)
    verdict = Verdict(dict(sorted(taken.items())))
    return replace(verdict, graded_by=OWN_GRADE) if has_own_rule(game) else verdict


def _played(
    strategy: Strategy, game: Game, tasks: Sequence[Any], workers: int
) -> Iterator[tuple[int, tuple[dict[str, int], set[int]]]]:
    if workers == 1:
        yield from enumerate(map(_player(strategy, game), tasks))
        return
    from solver.machine.pool import Pool  # a run in one process needs none

    with Pool(_player, (strategy, game), min(workers, len(tasks))) as pool:
        yield from pool.run(tasks)


def _player(strategy: Strategy, game: Game) -> Callable[[Any], tuple[dict[str, int], set[int]]]:
    checker = OwnChecker(strategy, game) if has_own_rule(game) else Checker(strategy)
    return checker.play_all


# --- the limit ----------------------------------------------------------------------------

#: How it was decided whether a limit is met. The rule's strategy is kept where it suffices and
#: repaired where it does not (``by_rule``), unless the rule is to be taken as it is.
RULE, REPAIR, EXACT, BEAM = "rule", "repair", "exact", "beam"


@dataclass(frozen=True)
class Outcome:
    """What became of a limit on the guesses: the object ``within`` of the reports.

    A strategy that meets the limit proves it by being played, and a search that excludes every
    strategy proves the contrary; a rule's failure proves nothing about other strategies.
    """

    limit: int | None
    met: bool
    method: str
    proved: bool

    def facts(self) -> dict[str, Any]:
        """The limit and what became of it, for the JSON object."""
        return asdict(self)

    @property
    def impossible(self) -> bool:
        """Whether it is proved that no strategy at all meets the limit."""
        return self.proved and not self.met


def outcome_of_rule(worst: int, limit: int) -> Outcome:
    """What became of a limit where a strategy is built and left as the rule has made it."""
    return Outcome(limit, worst <= limit, RULE, proved=worst <= limit)
