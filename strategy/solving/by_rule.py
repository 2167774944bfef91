"""A whole strategy by a rule (``solve``): grown, repaired to keep to a limit, or resumed.

The buckets of the first guess are independent, so they are the tasks. One process takes them in
order, and what it grows is the tree in preorder; workers take the largest first, and the tree is
put in order when it is whole. The result is the same, byte for byte, for any number of workers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.choices import LIMIT, OPTIMAL
from solver.errors import CouldNotFinishError, WrongInputError
from solver.machine.clock import Clock, carrying, limit_clock
from solver.memory_limits import require_room, search_bytes
from solver.rules.searcher import Searcher
from solver.shown import ShownRows
from solver.tree import Tree

from ..columns import attributes
from ..errors import BadFileError, NoStrategyError, StrategyError
from ..files import envelope, strategy_file
from ..files.output import Attempts, write_whole
from ..files.strategy_file import Verdict
from ..tree import Strategy
from . import checks
from .progress import as_call, ignore, tells_progress

if TYPE_CHECKING:
    from solver.game.game import Game


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
        object.__setattr__(self, "start", checks.start_words(self.start))


@dataclass(frozen=True, repr=False)
class Solved(ShownRows):
    """What ``solve`` has come to: the strategy, its games, what became of the limit, seconds."""

    strategy: Strategy
    #: What came of playing every secret.
    verdict: Verdict
    #: What became of the limit; if there was none, whether the strategy keeps to six.
    outcome: checks.Outcome
    seconds: dict[str, float] = field(default_factory=dict)

    def _line(self) -> str:
        return self.strategy.line

    def _records(self) -> list[dict[str, Any]]:
        return [{"secret": word, "guesses": n} for word, n in self.verdict.taken.items()]

    def _repr_html_(self) -> str:
        return self.strategy._repr_html_()


@tells_progress("solve-all")
def solve(  # noqa: PLR0913 - most by name
    game: Game,
    settings: Settings = Settings(),
    workers: int = 1,
    resume: str | Path | None = None,
    progress: bool | checks.Progress = ignore,
    *,
    within: int | None = None,
    pure: bool = False,
    time_limit: float | None = None,
    weights: NDArray[Any] | None = None,
    then: str | None = None,
) -> Solved:
    """Build the whole strategy of a game by a rule, and play every secret through it.

    The games are graded by letters, not by the search; where only the game knows its rule, by the
    game (``verdict.graded_by`` says which).

    Args:
        game: What is played.
        settings: The first guesses, the rule, the pool of guesses, hard mode.
        workers: Processes; the strategy is the same for any number.
        resume: A file in which an interrupted run saves what it has, and from which the next
            one continues.
        progress: Called with what is being done, how much of it is new, and how much it is in all;
            ``True`` shows bars.
        within: A limit on the guesses of every secret: what takes more is repaired. Where no
            strategy meets the limit the rule's own is returned, with an outcome that says so.
        pure: Keep to the rule, whatever the limit.
        time_limit: Seconds.
        weights: For the rule ``optimal``, as ``optimal`` takes them.
        then: For the rule ``optimal``, a second objective, as ``optimal`` takes it.

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
    _check_options(settings, resume, within, pure, weights is not None, then is not None)
    if checks.has_own_rule(game) and resume:
        raise WrongInputError("no file holds what is known of a game with a rule of its own")
    progress = as_call(progress)
    if settings.rule == OPTIMAL:
        how = {"workers": workers, "time_limit": time_limit, "weights": weights, "then": then}
        return _solve_optimally(game, settings, within or LIMIT, progress, how)

    check_time, clock = limit_clock(time_limit), Clock()

    def timed(what: str, new: int, whole: int) -> None:
        check_time()
        progress(what, new, whole)

    if game.code_space is None:
        require_room(search_bytes(game), "this search")
    searcher = Searcher(game, settings.rule, guess_from=settings.guess_from, hard=settings.hard)
    searcher.prepare()
    clock.lap("matrix")
    growing = GrowingStrategy(game, origin_of(game, settings, searcher))
    if resume is not None and Path(resume).exists():
        growing.resume(resume)
    grown = None
    try:
        growing.grow(searcher, workers, timed)
        grown = Strategy.of_tree(game, growing.origin, growing.tree)
        clock.lap("search")
        clock.move(searcher.seconds_of_rows, "search", "matrix")
        strategy, outcome = grown, checks.outcome_of_rule(grown.worst, within or LIMIT)
        if within is not None and not (outcome.met or pure):
            forced = len(checks.fixed_guesses(game, settings.start))
            repaired = _repaired(growing, searcher, within, forced, timed, check_time)
            method = checks.REPAIR if repaired else checks.EXACT
            outcome = checks.Outcome(within, repaired is not None, method, proved=True)
            strategy = repaired or grown
        if within is not None:
            clock.lap("repair")
    except BaseException as error:
        attempts = Attempts()
        if resume is not None:
            attempts.make(partial(growing.save, resume))
        if grown is None or not isinstance(error, (KeyboardInterrupt, CouldNotFinishError)):
            attempts.noted(error)
            raise
        outcome = checks.outcome_of_rule(grown.worst, within or LIMIT)
        played = checks.play_every_secret(grown, game)
        best = Solved(grown, played, outcome, clock.seconds())
        raise attempts.noted(carrying(error, best)) from None
    verdict = checks.play_every_secret(strategy, game, workers, timed)
    clock.lap("verify")
    return Solved(strategy, verdict, outcome, clock.seconds())


def _check_options(
    settings: Settings,
    resume: str | Path | None,
    within: int | None,
    pure: bool,
    weighted: bool,
    second: bool,
) -> None:
    if pure and within is None:
        raise WrongInputError("--pure says how to take --within K, which is missing")
    if settings.rule == OPTIMAL:
        if pure:
            raise WrongInputError("--pure is for rules; the optimal strategy needs no repair")
        if resume:
            raise WrongInputError("--rule optimal resumes nothing; 'knuthle optimal --resume' does")
    elif weighted:
        raise WrongInputError("--weights goes with --rule optimal; other rules look at no weights")
    elif second:
        raise WrongInputError("--then goes with --rule optimal; other rules compare no strategies")


def _solve_optimally(
    game: Game, settings: Settings, within: int, progress: checks.Progress, how: dict[str, Any]
) -> Solved:
    """The least total within a limit, by exact search."""
    from .optimal import optimal

    found = optimal(
        game,
        **attributes(settings, "start hard guess_from"),
        within=within,
        progress=lambda what, new, whole, known: progress(what, new, whole),
        **how,
    )
    if found.strategy is None or found.verdict is None:
        raise NoStrategyError(found.outcome, f"proved: no strategy keeps to {within} guesses")
    return Solved(found.strategy, found.verdict, found.outcome, found.seconds)


def origin_of(game: Game, settings: Settings, searcher: Searcher) -> strategy_file.Origin:
    """The head of a strategy by a rule, with ``auto`` resolved to the rule's own first guess."""
    start = checks.fixed_guesses(game, settings.start)
    if not start:
        first = searcher.next_guess(np.arange(len(game.secrets), dtype=np.int32))
        start = (game.guesses[first],)
    checks.check_start(game, start, settings.hard)
    chosen = attributes(settings, "guess_from hard")
    return strategy_file.Origin.of(game, settings.rule, start, **chosen)


def _repaired(
    growing: GrowingStrategy,
    searcher: Searcher,
    within: int,
    forced: int,
    progress: checks.Progress,
    check_time: Callable[[], None],
) -> Strategy | None:
    """A rule's whole strategy brought within a limit; None if it is proved that none can be.

    No strategy can be that begins with the guesses which are ``forced``.
    """
    from solver.exact.repair import Repairer, decider_for

    game, origin = growing.game, growing.origin
    decide = decider_for(game, searcher.guess_from, searcher.hard, check_time)
    whole = len(game.secrets)
    repairer = Repairer(searcher, decide, lambda secrets: progress("repairing", secrets, whole))
    tree = repairer.within(within, growing.tree.in_preorder(), forced)
    if tree is None:
        return None
    # a first guess that was free may be another one now
    start = origin.start if forced else (game.guesses[tree.guess[0]],)
    claim = {"repaired": True, "within": within}
    return Strategy.of_tree(game, replace(origin, start=start, claim=claim), tree)


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
        from solver.machine.pool import Pool  # a run in one process needs none

        with Pool(_grower, (searcher,), min(workers, len(shared))) as processes:
            yield from processes.run(shared)


def _grower(searcher: Searcher) -> Callable[[Any], Tree]:
    """How a worker does its tasks: the search it inherited, or was sent the recipe of."""
    return lambda task: searcher.grow(*task)


# --- the strategy in the making -------------------------------------------------------------


class OpenState(NamedTuple):
    """A place in a growing tree: how it hangs there (the root: -1), and what is known in it."""

    parent: int
    score: int
    candidates: NDArray[np.int32]
    #: In numbers: (guess, score) in turn.
    history: tuple[tuple[int, int], ...]


class GrowingStrategy:
    """The growing tree of one game, one first guess and one rule.

    ``grow`` fills it by whole subtrees, one for each score of the first guess.
    """

    def __init__(self, game: Game, origin: strategy_file.Origin) -> None:
        self.game = game
        self.origin = origin
        self.tree = Tree()
        self._starts = tuple(game.guess_id(word) for word in origin.start)

    def grow(self, searcher: Searcher, workers: int, progress: checks.Progress) -> None:
        """Give every state its guess, with or without a pool of processes."""
        states = self._missing(searcher)
        if workers > 1:
            states.sort(key=lambda state: -len(state.candidates))
        tasks = [(s.candidates, self._starts[len(s.history) :], s.history) for s in states]
        whole = len(self.game.secrets)
        for number, tree in _grown(searcher, tasks, workers):
            state = states[number]
            self.tree.graft(tree, state.parent, state.score)
            progress("solving", len(state.candidates), whole)

    def _missing(self, searcher: Searcher) -> list[OpenState]:
        """The states after the first guess that have no node yet, in preorder."""
        tree = self.tree
        if not len(tree):
            tree.add(self._starts[0], -1, -1)
        places = zip(tree.parent, tree.score, strict=True)
        known = {place: node for node, place in enumerate(places)}
        missing = []
        stack = [OpenState(-1, -1, np.arange(len(self.game.secrets), dtype=np.int32), ())]
        while stack:
            state = stack.pop()
            node = known.get((state.parent, state.score))
            if node is None:
                missing.append(state)
                continue
            guess = tree.guess[node]
            below = [
                OpenState(node, score, candidates, (*state.history, (guess, score)))
                for score, candidates in searcher.children(guess, state.candidates)
                if score != self.game.solved
            ]
            stack += below[::-1]
        return missing

    def save(self, path: str | Path) -> None:
        """Write the unfinished tree to a file, from which ``resume`` continues."""
        whole = len(self.tree)  # an interrupt may have come between the columns of a node
        body: dict[str, Any] = {"origin": strategy_file.head_of(self.origin), "nodes": whole}
        for name in ("guess", "parent", "score"):
            column = getattr(self.tree, name)[:whole]
            body[name] = strategy_file.pack_column([max(0, number) for number in column])
        write_whole(path, envelope.pack(envelope.PARTIAL, body))

    def resume(self, path: str | Path) -> None:
        """Continue the tree that a file holds, of this very game, opener and rule."""
        kind, body = envelope.read(path)
        if kind != envelope.PARTIAL:
            raise StrategyError(f"{path}: a finished strategy; there is nothing to resume")
        origin = strategy_file.read_origin(body.get("origin"), str(path))
        found = strategy_file.head_of(origin)
        for key, wanted in strategy_file.head_of(self.origin).items():
            if found[key] != wanted:
                begun = f"it was begun with {key} {found[key]!r}"
                raise StrategyError(f"{path}: {begun}, not {wanted!r}")
        guess, parent, score = strategy_file.read_partial(body, str(path))

        # which words it guesses is taken on trust: the finished strategy is played like any other
        depth, seen = list[int](), set[tuple[int, int]]()
        for node, word in enumerate(guess):
            place = (parent[node], score[node]) if node else (-1, -1)
            sound = word < len(self.game.guesses) and score[node] < self.game.n_scores
            sound = sound and place not in seen and (node == 0 or parent[node] < node)
            if sound:
                depth.append(depth[parent[node]] + 1 if node else 0)
                forced = self._starts[depth[node] : depth[node] + 1]
                sound = forced in ((), (word,))
            if not sound:
                raise BadFileError("tree", f"{path}: damaged: node {node} has no place in its tree")
            seen.add(place)
            self.tree.add(word, *place)
