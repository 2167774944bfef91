"""``solve-all``: grow the whole strategy, with or without a pool, and play every secret through it.

The opener's buckets are independent, so they are the tasks: largest first, handed out as workers
free up, spliced into the cross-game cache by their place and not by their time of arrival. The
result is the same, byte for byte, for any number of workers.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from solver.errors import WrongInputError
from solver.game.hard_mode import legal_after
from solver.machine.pool import Pool
from solver.rules.searcher import Searcher

from ..files.origin import Origin
from ..referee import Checker, Verdict, check_choice, conclude
from ..tree import Strategy
from .cache import StrategyCache
from .within import Limit, Outcome

if TYPE_CHECKING:
    from solver.game.game import Game
    from solver.rules.searcher import Subtree

#: Called with (what is being done, how much of it is new, how much it is in all).
Progress = Callable[[str, int, int], None]

#: Secrets to a task of the verifying pool: small enough to share out, large enough to be worth it.
_GAMES_A_TASK = 500


@dataclass(frozen=True)
class Settings:
    """How a strategy is chosen. Two equal settings give the same strategy.

    The first guesses, played whatever the replies (``auto``: the rule's own), the rule, which
    guesses it may make, and whether in hard mode.

    >>> from strategy import Settings
    >>> Settings(rule="entropy", hard=True).start
    ('auto',)
    """

    start: tuple[str, ...] = ("auto",)
    rule: str = "minimax"
    guess_from: str = "allowed"
    hard: bool = False


@dataclass(frozen=True)
class Solved:
    """A finished strategy, the verdict of the checker, and where the time went."""

    strategy: Strategy
    verdict: Verdict
    #: What became of the limit that was asked for.
    outcome: Outcome | None = None
    seconds: dict[str, float] = field(default_factory=dict)


def solve(
    game: Game,
    settings: Settings = Settings(),
    workers: int = 1,
    resume: str | Path | None = None,
    progress: Progress = lambda what, new, whole: None,
    limit: Limit | None = None,
) -> Solved:
    """Build the whole strategy of a game by a rule and play every secret through it.

    ``resume`` names a file in which an interrupted run lays aside what it has, and from which the
    next one continues. With a ``limit`` whatever breaks it is repaired; where that is impossible,
    the rule's strategy is returned as it is, with an outcome that says so.

    >>> from strategy import Settings, load_game, solve
    >>> game = load_game(["abide", "crane", "raise", "slate", "stare"])
    >>> strategy = solve(game, Settings(start=("abide",), rule="parts")).strategy
    >>> strategy.histogram, strategy.total
    ([1, 2, 2], 11)
    """
    clock = Clock()
    searcher = Searcher(game, settings.rule, guess_from=settings.guess_from, hard=settings.hard)
    searcher.prepare()
    clock.lap("matrix")
    cache = StrategyCache(game, origin_of(game, settings, searcher))
    if resume is not None and Path(resume).exists():
        cache.resume(resume)
    outcome = None
    try:
        fill(cache, searcher, workers, progress)
        strategy = cache.to_strategy()
        clock.lap("search")
        if limit is not None:
            strategy, outcome = limit.applied(strategy, searcher, settings.start, progress)
            clock.lap("repair")
    except BaseException:
        if resume is not None:
            cache.save(resume)
        raise
    verdict = play_every_secret(strategy, game.secrets, workers, progress)
    clock.lap("verify")
    return Solved(strategy, verdict, outcome, clock.seconds())


def origin_of(game: Game, settings: Settings, searcher: Searcher) -> Origin:
    """The head of the strategy, with ``auto`` resolved to the rule's own first guess."""
    start = settings.start
    if start == ("auto",):
        first = searcher.next_guess(np.arange(len(game.secrets), dtype=np.int32))
        start = (game.guesses[first],)
    start = tuple(game.guesses[game.guess_id(word)] for word in start)
    check_start(game, start, settings.hard)
    return Origin.of(game, settings.rule, start, guess_from=settings.guess_from, hard=settings.hard)


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


def fill(
    cache: StrategyCache,
    searcher: Searcher,
    workers: int,
    progress: Progress,
) -> None:
    """Give every state of the cache its guess."""
    starts = [cache.game.guess_id(word) for word in cache.origin.start]
    states = sorted(cache.missing(searcher, depth=1), key=lambda state: -len(state.candidates))
    tasks = [(s.candidates, tuple(starts[len(s.history) :]), s.history) for s in states]
    whole = len(cache.game.secrets)
    for number, tree in _grown(searcher, tasks, workers):
        state = states[number]
        cache.graft(state, tree.guess.tolist(), tree.parent.tolist(), tree.score.tolist())
        progress("solving", len(state.candidates), whole)


def _grown(searcher: Searcher, tasks: Sequence[Any], workers: int) -> Iterator[tuple[int, Subtree]]:
    """The subtrees of the tasks, by this process or by a pool.

    The smallest task is done here in any case: it compiles the kernels, once, before there are
    workers that would all compile them.
    """
    here = len(tasks) if workers == 1 else min(len(tasks), 1)
    shared = tasks[: len(tasks) - here]
    for number in range(len(shared), len(tasks)):
        yield number, searcher.grow(*tasks[number])
    if shared:
        with Pool(_grower, (searcher,), min(workers, len(shared))) as pool:
            yield from pool.run(shared)


def _grower(searcher: Searcher) -> Callable[[Any], Subtree]:
    """What a worker answers tasks with: the search it inherited, or was sent the recipe of."""
    return lambda task: searcher.grow(*task)


def play_every_secret(
    strategy: Strategy,
    secrets: Sequence[str],
    workers: int = 1,
    progress: Progress = lambda what, new, whole: None,
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


class Clock:
    """Seconds by part of the work."""

    def __init__(self) -> None:
        self._begun = self._last = time.perf_counter()
        self._seconds: dict[str, float] = {}

    def lap(self, part: str) -> None:
        """Close a part."""
        now = time.perf_counter()
        self._seconds[part] = self._seconds.get(part, 0.0) + now - self._last
        self._last = now

    def seconds(self) -> dict[str, float]:
        """All parts, and the whole under ``all``."""
        return self._seconds | {"all": time.perf_counter() - self._begun}
