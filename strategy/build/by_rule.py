"""``solve-all``: grow the whole strategy, with or without a pool, and play every secret through it.

The buckets of the first guess are independent, so they are the tasks. One process takes them in
order, and what it grows is the tree in preorder; workers take the largest first, and the tree is
put in order when it is whole. The result is the same, byte for byte, for any number of workers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from solver.errors import CouldNotFinishError, WrongInputError
from solver.machine.clock import Clock, carrying
from solver.machine.clock import time_limit as time_limit_of
from solver.memory_limits import require_room, search_bytes
from solver.rules.searcher import Searcher

from ..errors import NoStrategyError
from ..files.origin import Origin
from ..files.output import Attempts
from ..referee import Verdict
from ..tree import Strategy
from .cache import StrategyCache
from .preconditions import (
    Progress,
    check_start,
    fixed_guesses,
    has_own_rule,
    ignore_progress,
    play_every_secret,
    start_words,
)
from .within_limit import EXACT, LIMIT, REPAIR, Outcome, outcome_of_rule, repaired

if TYPE_CHECKING:
    from solver.game.game import Game
    from solver.tree import Tree

#: The rule that is no rule: the least total of all strategies within the limit, with proof.
OPTIMAL = "optimal"


@dataclass(frozen=True)
class Settings:
    """How the strategy of a game is chosen by a rule: equal settings give the same strategy.

    Args:
        start: The first guesses, played whatever the replies: a sequence of words, or text with
            commas; ``auto``: the rule's own. What is kept is a tuple.
        rule: ``minimax``, ``entropy``, ``expected-size``, ``parts``, ``proportion`` or ``optimal``.
        guess_from: Which guesses it may make: ``allowed``, ``secrets`` or ``candidates``.
        hard: Keep to hard mode.

    >>> from strategy import Settings
    >>> Settings(rule="entropy", hard=True).start
    ('auto',)
    >>> Settings("crane,slate").start
    ('crane', 'slate')
    """

    start: Sequence[str] = ("auto",)
    rule: str = "minimax"
    guess_from: str = "allowed"
    hard: bool = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "start", start_words(self.start))


@dataclass(frozen=True)
class Solved:
    """What ``solve`` has come to: the strategy, its games, what became of the limit, seconds."""

    strategy: Strategy
    #: What the trusted checker has seen when it played every secret.
    verdict: Verdict
    #: What became of the limit; if none was asked for, whether the strategy keeps to six.
    outcome: Outcome
    #: Where the time went.
    seconds: dict[str, float] = field(default_factory=dict)


def solve(
    game: Game,
    settings: Settings = Settings(),
    workers: int = 1,
    resume: str | Path | None = None,
    progress: Progress = ignore_progress,
    *,
    within: int | None = None,
    pure: bool = False,
    time_limit: float | None = None,
) -> Solved:
    """Build the whole strategy of a game by a rule, and play every secret through it.

    The games are graded by the trusted checker; where only the game knows its rule, by the game
    (``verdict.graded_by`` says which).

    Args:
        game: What is played.
        settings: The first guesses, the rule, the pool of guesses, hard mode.
        workers: Processes; the strategy is the same for any number.
        resume: A file in which an interrupted run lays aside what it has, and from which the next
            one continues.
        progress: Hears what is being done, how much of it is new, and how much it is in all.
        within: A limit on the guesses of every secret: what takes more is repaired. Where no
            strategy meets the limit the rule's own is returned, with an outcome that says so.
        pure: Keep to the rule, whatever the limit.
        time_limit: Seconds.

    Returns:
        The strategy, the verdict of the games, what became of the limit, and where the time went.

    Raises:
        OutOfTimeError: The time was up; it and the KeyboardInterrupt of Ctrl-C carry the strategy
            before its repair, if it was there, as ``best``.
        NoStrategyError: The rule ``optimal`` has none within the limit.
        WrongInputError: A word is no guess, or options contradict each other.

    >>> from strategy import Settings, load_game, solve
    >>> game = load_game(["abide", "crane", "raise", "slate", "stare"])
    >>> strategy = solve(game, Settings(start=("abide",), rule="parts")).strategy
    >>> strategy.histogram, strategy.total
    ([1, 2, 2], 11)
    >>> solve(game, Settings(rule="optimal"), within=3).strategy.total
    9
    """
    check_time = time_limit_of(time_limit)
    _check_asked(settings, resume, within, pure)
    if has_own_rule(game) and resume:
        raise WrongInputError("no file holds what is known of a game with a rule of its own")
    if settings.rule == OPTIMAL:
        return _solve_optimally(game, settings, workers, within or LIMIT, time_limit, progress)

    def timed(what: str, new: int, whole: int) -> None:
        check_time()
        progress(what, new, whole)

    clock = Clock()
    if game.code_space is None:
        require_room(search_bytes(game), "this search")
    searcher = Searcher(game, settings.rule, guess_from=settings.guess_from, hard=settings.hard)
    searcher.prepare()
    clock.lap("matrix")
    cache = StrategyCache(game, origin_of(game, settings, searcher))
    if resume is not None and Path(resume).exists():
        cache.resume(resume)
    grown = None
    try:
        fill_cache(cache, searcher, workers, timed)
        grown = Strategy.of_tree(game, cache.origin, cache.tree)
        clock.lap("search")
        clock.move(searcher.seconds_of_rows, "search", "matrix")
        strategy, outcome = grown, outcome_of_rule(grown.worst, within or LIMIT)
        if within is not None and not (outcome.met or pure):
            forced = len(fixed_guesses(game, settings.start))
            tree = repaired(cache.tree, searcher, within, forced, timed, check_time)
            outcome = Outcome(within, tree is not None, REPAIR if tree else EXACT, proved=True)
            if tree is not None:
                strategy = Strategy.of_tree(
                    game, _mended(cache.origin, game, tree, forced, within), tree
                )
        if within is not None:
            clock.lap("repair")
    except BaseException as error:
        attempts = Attempts()
        if resume is not None:
            attempts.make(partial(cache.save, resume))
        if grown is None or not isinstance(error, (KeyboardInterrupt, CouldNotFinishError)):
            attempts.noted(error)
            raise
        outcome = outcome_of_rule(grown.worst, within or LIMIT)
        played = play_every_secret(grown, game)
        best = Solved(grown, played, outcome, clock.seconds())
        raise attempts.noted(carrying(error, best)) from None
    verdict = play_every_secret(strategy, game, workers, timed)
    clock.lap("verify")
    return Solved(strategy, verdict, outcome, clock.seconds())


def _check_asked(
    settings: Settings, resume: str | Path | None, within: int | None, pure: bool
) -> None:
    """Refuse what cannot go together."""
    if pure and within is None:
        raise WrongInputError("--pure says how to take --within K, which is missing")
    if settings.rule == OPTIMAL:
        if pure:
            raise WrongInputError("--pure is for rules; the optimal strategy needs no repair")
        if resume:
            raise WrongInputError("--rule optimal resumes nothing; 'knuthle optimal --resume' does")
        if settings.guess_from == "candidates":
            raise WrongInputError("--rule optimal guesses from allowed or secrets, not candidates")


def _solve_optimally(
    game: Game,
    settings: Settings,
    workers: int,
    within: int,
    time_limit: float | None,
    progress: Progress,
) -> Solved:
    """The least total within a limit, by exact search."""
    from .optimal import optimal

    found = optimal(
        game,
        start=settings.start,
        within=within,
        hard=settings.hard,
        guess_from=settings.guess_from,
        workers=workers,
        time_limit=time_limit,
        progress=lambda what, new, whole, known: progress(what, new, whole),
    )
    if found.strategy is None or found.verdict is None:
        reason = f"proved: no strategy keeps to {within} guesses"
        raise NoStrategyError(reason, found.outcome)
    return Solved(found.strategy, found.verdict, found.outcome, found.seconds)


def origin_of(game: Game, settings: Settings, searcher: Searcher) -> Origin:
    """The head of a strategy by a rule, with ``auto`` resolved to the rule's own first guess."""
    start = fixed_guesses(game, settings.start)
    if not start:
        first = searcher.next_guess(np.arange(len(game.secrets), dtype=np.int32))
        start = (game.guesses[first],)
    check_start(game, start, settings.hard)
    return Origin.of(game, settings.rule, start, guess_from=settings.guess_from, hard=settings.hard)


def _mended(origin: Origin, game: Game, tree: Tree, forced: int, within: int) -> Origin:
    """The head of a repaired strategy; a first guess that was free may be another one now."""
    start = origin.start if forced else (game.guesses[tree.guess[0]],)
    return replace(origin, start=start, claim={"repaired": True, "within": within})


def fill_cache(
    cache: StrategyCache,
    searcher: Searcher,
    workers: int,
    progress: Progress,
) -> None:
    """Give every state of a strategy cache its guess, with or without a pool of processes."""
    starts = [cache.game.guess_id(word) for word in cache.origin.start]
    states = list(cache.missing(searcher, depth=1))
    if workers > 1:
        states.sort(key=lambda state: -len(state.candidates))
    tasks = [(s.candidates, tuple(starts[len(s.history) :]), s.history) for s in states]
    whole = len(cache.game.secrets)
    for number, tree in _grown(searcher, tasks, workers):
        state = states[number]
        cache.graft(state, tree)
        progress("solving", len(state.candidates), whole)


def _grown(searcher: Searcher, tasks: Sequence[Any], workers: int) -> Iterator[tuple[int, Tree]]:
    """The subtrees of the tasks, by this process or by a pool.

    The smallest task is done here in any case: it compiles the kernels, once, before there are
    workers that would all compile them.
    """
    here = len(tasks) if workers == 1 else min(len(tasks), 1)
    shared = tasks[: len(tasks) - here]
    for number in range(len(shared), len(tasks)):
        yield number, searcher.grow(*tasks[number])
    if shared:
        from solver.machine.pool import Pool

        with Pool(_grower, (searcher,), min(workers, len(shared))) as pool:
            yield from pool.run(shared)


def _grower(searcher: Searcher) -> Callable[[Any], Tree]:
    """What a worker answers tasks with: the search it inherited, or was sent the recipe of."""
    return lambda task: searcher.grow(*task)
