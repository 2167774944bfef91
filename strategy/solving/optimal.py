"""The provably best strategy of a game (``optimal``), and the best next words of one state."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from solver.advice.suggest import candidates_after
from solver.choices import LIMIT
from solver.errors import CouldNotFinishError, WrongInputError
from solver.exact.best_strategy import EFFORT, NextWords
from solver.exact.candidates_only import CandidateSearch
from solver.exact.problem import Answer, FirstGuess, Problem, Then, whole_weights
from solver.exact.second_objective import SecondObjective, with_second
from solver.exact.table_layout import require_table
from solver.game.game import require_pool
from solver.game.wordle import require_legal
from solver.machine.clock import Clock, OutOfTimeError, carrying, compile_time, limit_clock
from solver.machine.pool import available_cores
from solver.shown import ShownRows, html_of
from solver.words.lists import words_digest

from ..columns import attributes
from ..errors import BadFileError, WrongStrategyError
from ..files.output import Attempts, Kind, check_target
from ..files.strategy_file import Origin, Verdict
from ..files.text import counted
from ..tree import Strategy
from . import checks
from .progress import as_call, tells_progress
from .search import Checkpoint, OptimalSearch, Question, SearchProgress, game_played

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from solver.exact.first_guesses import Helpers
    from solver.game.game import Game, History

    from ..checkers.proof import Proof


@dataclass(frozen=True, repr=False)
class Optimal(ShownRows):
    """What the search for the best strategy has found out: strategy, bounds, what is proved."""

    #: None: no strategy keeps to the limit, with proof.
    strategy: Strategy | None
    #: What came of playing every secret.
    verdict: Verdict | None
    #: First guesses that were looked at, best first, each with its value or its bound.
    first_guesses: list[FirstGuess]
    #: Whether no strategy is better: an exhaustive search is behind it. Else it is a bound.
    proved: bool
    #: Of the objective: no strategy is better than this.
    lower_bound: int | None
    #: What became of the limit; for the objective ``worst``, of the least that can be met.
    outcome: checks.Outcome
    seconds: dict[str, float]
    #: Whether the search was broken off, by its time limit or by Ctrl-C, and this is the best so
    #: far.
    broken_off: bool = False
    proof_written: bool = False
    #: What an earlier search has left, and this one has believed; None: it stands by itself.
    findings: Checkpoint | None = None
    #: The second objective, where one was sought and there is a strategy.
    then: Then | None = None

    @property
    def settled(self) -> bool:
        """Whether all is proved: the first objective, and the second where one was sought."""
        return self.proved and (self.then is None or self.then.proved)

    def _line(self) -> str:
        if self.strategy is None:
            return f"proved: within {self.outcome.limit} is impossible"
        label = "proved" if self.proved else f"bound, none is below {self.lower_bound:,}"
        weights = self.strategy.origin.weights
        more = f", {weights['total']:,} by weight" if weights else ""
        if self.then is not None:
            more += f"; {self.then.objective} {self.then.value:,}"
            more += " (proved)" if self.then.proved else " (bound)"
        return f"{label}; {self.strategy.line}{more}"

    def _records(self) -> list[dict[str, Any]]:
        return [
            {"word": "+".join(it.words), "total": it.total, "losses": it.losses, "exact": it.exact}
            for it in self.first_guesses
        ]

    def _repr_html_(self) -> str:
        """What a notebook shows: what is proved, and the strategy."""
        drawn = "" if self.strategy is None else self.strategy._repr_html_()
        return html_of(self._line(), self._records() if self.strategy is None else ()) + drawn


@tells_progress("optimal")
def optimal(  # noqa: PLR0913 - by name: 11 of 13 calls name 5 or fewer
    game: Game,
    *,
    start: Sequence[str] = (),
    objective: str = "total",
    within: int | None = LIMIT,
    hard: bool = False,
    guess_from: str = "allowed",
    top: int = 1,
    workers: int | None = None,
    helpers: Helpers | None = None,
    time_limit: float | None = None,
    width: int | str | None = None,
    resume: str | Path | None = None,
    recheck: bool = False,
    weights: NDArray[Any] | None = None,
    then: str | None = None,
    proof: str | Path | None = None,
    force: bool = False,
    progress: bool | SearchProgress | None = None,
    keep: Callable[[Optimal], None] | None = None,
) -> Optimal:
    """The best strategy of a game, over all first guesses or after the given ones.

    Args:
        game: What is played.
        start: The first guesses, if they are given: words, or text with commas.
        objective: What is made least: ``total`` (guesses over all secrets), ``worst`` (the number
            of guesses that always suffices) or ``losses`` (secrets beyond the limit, then the
            total).
        within: No secret may take more guesses; ``None`` lifts the limit.
        hard: Keep to hard mode.
        guess_from: ``allowed``, ``secrets`` to know no other words, or ``candidates`` to guess
            only what may still be the secret.
        top: So many best first guesses get exact values.
        workers: Processes; all cores by default.
        helpers: Who looks at first guesses instead of them, for example workers of Dask.
        time_limit: Seconds, compiling apart, after which the best so far is a bound.
        width: Try only so many guesses of each state: a bound at once, and no proof. With a time
            limit and first guesses the rest of the time raises the bound from below, and proves
            the best strategy where the two meet. ``"auto"`` widens step by step until the time
            limit, which is no error then, or without one until two widths in a row have bettered
            nothing.
        resume: A file in which an interrupted search leaves its findings, and from which the
            next one continues; its result rests on them (``Checkpoint``).
        recheck: Search them again and compare instead of believing them.
        weights: A positive number for each secret of the game (``weighted_game``): then the total
            is the sum of weight times guesses, the weights taken as whole numbers in their ratio.
        then: A second objective among strategies of equal value (of equal losses and total):
            ``worst`` (the least worst case), ``most-within:K`` (the most secrets within K
            guesses) or ``fewest-of:K`` (the fewest that take exactly K).
        proof: A file for a proof that ``check_proof`` checks.
        force: Put it in the place of whatever file is there.
        progress: Called with what is being done and how far it is; ``True`` shows bars.
        keep: Called with the result, or the best so far, before files are written and after the
            proof holds: to save its strategy first.

    Returns:
        The strategy (``None`` if there is none within the limit), whether it is ``proved``, and
        what is known of first guesses; with ``then`` the value of the second objective, and whether
        it is proved.

    Raises:
        OutOfTimeError: The time was up; ``best`` has the best so far. Ctrl-C does likewise. Notes
            name files that could not be written.
        UnfinishedError: A file could not be written though nothing else went wrong; it says which.
        BadFileError: A finding of ``resume`` is wrong, or its file is no such file.
        WrongInputError: A word is no guess, or options contradict each other.

    >>> from strategy import load_game
    >>> game = load_game(["boxer", "cover", "foyer", "hover", "lover", "mover"])
    >>> found = optimal(game, workers=1)
    >>> found.strategy.total, found.proved
    (15, True)
    >>> optimal(game, within=2, workers=1).strategy is None
    True
    >>> optimal(game, then="fewest-of:2", workers=1).then
    Then(objective='fewest-of:2', value=2, proved=True)
    """
    words = checks.fixed_guesses(game, start)
    whole = None if weights is None else _whole_weights(game, weights)
    question = Question(game, words, objective, within, hard, guess_from, top, width, whole, then)
    question.check_options(bool(proof), helpers is not None, bool(resume))
    if width and (proof or resume):
        raise WrongInputError("--width gives a bound at once: no --proof or --resume with it")
    if resume and question.consistent:
        raise WrongInputError("--guess-from candidates begins anew each time: no --resume with it")
    if recheck and not resume:
        raise WrongInputError("--recheck searches the findings of --resume FILE again")
    check_target(resume)
    check_target(proof, Kind.PROOF, force=force)
    clock, check_time = Clock(), limit_clock(time_limit)
    progress, workers = as_call(progress), workers or available_cores()
    search = OptimalSearch(question, check_time, timed=time_limit is not None)
    if resume:
        search.resume(resume, recheck)
    run = _Run(search, clock, None if recheck else resume, keep or (lambda found: None))
    found = None
    try:
        found = _finished(search, search.answer(progress, helpers or workers), clock)
        search.check(found.strategy)
        written = None
        if proof and found.proved:
            written = _proof_of(question, found, clock, progress, workers, check_time)
    except (KeyboardInterrupt, CouldNotFinishError) as error:
        raise run.interrupted(error, found) from None
    except BadFileError:
        raise
    except BaseException as error:
        run.save_checkpoint()
        raise run.attempts.noted(error) from None
    run.attempts.make(partial(run.keep, found))
    if proof and written is not None:
        from ..proofs import proof_file

        found = run.proved(found, partial(proof_file.save, written, proof, force=force))
    found = replace(found, seconds=clock.seconds())
    try:
        search.compare()
    except BadFileError as error:
        raise run.attempts.noted(error) from None
    if run.attempts.failures:
        run.save_checkpoint()
    run.attempts.conclude(found)
    if resume and found.proved:
        Path(resume).unlink(missing_ok=True)
    return found


@dataclass(eq=False)
class _Run:
    """What a call of ``optimal`` leaves behind, however it ends: strategy, proof, checkpoint."""

    _search: OptimalSearch
    _clock: Clock
    _resume: str | Path | None
    keep: Callable[[Optimal], None]
    attempts: Attempts = field(default_factory=Attempts)
    #: How often compiling had been interrupted before.
    _interruptions: int = field(default_factory=lambda: compile_time.interruptions)

    def interrupted(
        self, error: KeyboardInterrupt | CouldNotFinishError, found: Optimal | None
    ) -> BaseException:
        """Leave the best so far and the findings; the exception that says so.

        Where no strategy was found yet, one is made at once; but nobody who presses Ctrl-C while
        kernels are compiled waits for more of them.
        """
        try:
            if found is None:
                best = self._search.best_so_far(
                    quick=compile_time.interruptions == self._interruptions
                )
                if best is not None:
                    found = _finished(self._search, best, self._clock)
                    found = replace(found, broken_off=True)
                    self._search.check(found.strategy)
            else:
                found = replace(found, seconds=self._clock.seconds())
            if found is not None:
                self.attempts.make(partial(self.keep, found))
        finally:
            self.save_checkpoint()
        return self.attempts.noted(carrying(error, found))

    def save_checkpoint(self) -> None:
        if self._resume:
            self.attempts.make(partial(self._search.save_checkpoint, self._resume))

    def proved(self, found: Optimal, save: Callable[[], None]) -> Optimal:
        """With the proof in its file, if that can be written."""
        failed = len(self.attempts.failures)
        self.attempts.make(save)
        self._clock.lap("proof")
        return replace(found, proof_written=len(self.attempts.failures) == failed)


def _finished(search: OptimalSearch, answer: Answer, clock: Clock) -> Optimal:
    """The answer with its strategy, every secret of it played."""
    clock.lap("search")
    question = search.question
    strategy = verdict = None
    met = False
    if answer.tree is not None:
        strategy, verdict = strategy_of_answer(question, answer)
        met = answer.within is None or verdict.worst <= answer.within
        clock.lap("verify")
    # that it is met is proved by playing; that it cannot be met, by the search
    excluded = answer.proved or (question.objective == "losses" and bool(answer.lower_bound))
    # that a limit cannot be met, no beam can say: the limit search has
    beamed = question.width and answer.tree is not None and not answer.proved
    method = checks.BEAM if beamed else checks.EXACT
    return Optimal(
        strategy,
        verdict,
        answer.first_guesses,
        answer.proved,
        answer.lower_bound,
        checks.Outcome(answer.within, met, method, met or excluded),
        clock.seconds(),
        findings=search.believed,
        then=answer.then,
    )


def _whole_weights(game: Game, weights: NDArray[Any]) -> tuple[int, ...]:
    if len(weights) != len(game.secrets) or not all(0 < it < math.inf for it in weights):
        secrets = counted(len(game.secrets), "secret")
        raise WrongInputError(f"weights are positive numbers, one for each of {secrets}")
    return whole_weights(weights.tolist())


def _weighted_claim(game: Game, weights: tuple[int, ...], verdict: Verdict) -> dict[str, Any]:
    """What a file says of the weights: their digest, their sum, and the total of the strategy.

    The digest is that of lines with a secret, a blank and its weight, a whole number.
    """
    weight_of = dict(zip(game.secrets, weights, strict=True))
    lines = [f"{word} {weight}" for word, weight in weight_of.items()]
    total = sum(weight * verdict.taken[word] for word, weight in weight_of.items())
    return {"digest": words_digest(lines), "sum": sum(weights), "total": total}


def strategy_of_answer(question: Question, answer: Answer) -> tuple[Strategy, Verdict]:
    """The strategy of a search's answer, every secret of it played by the trusted checker."""
    tree, game = answer.tree, question.game
    assert tree is not None
    claim = attributes(question, "objective") | attributes(answer, "within proved lower_bound")
    if answer.then is not None:
        claim["then"] = answer.then.facts()
    chosen = attributes(question, "guess_from hard")
    start = question.start or (game.guesses[tree.guess[0]],)
    origin = Origin.of(game, "optimal", start, **chosen, claim=claim)
    strategy = Strategy.of_tree(game, origin, tree)
    verdict = checks.play_every_secret(strategy, game)
    if question.weights is not None:
        weighed = _weighted_claim(game, question.weights, verdict)
        if answer.proved and weighed["total"] != answer.lower_bound:
            raise WrongStrategyError(
                f"the strategy takes {weighed['total']:,} by weight, not {answer.lower_bound:,}"
            )
        strategy = Strategy.of_tree(game, replace(origin, claim=claim | {"weights": weighed}), tree)
    return strategy, verdict


def better_bound(found: Optimal, path: str | Path, *, any_start: bool = False) -> Strategy | None:
    """The strategy of a file, if it answers the same question better than what was found.

    Losses count before the total, and for the objective ``worst`` the worst case does; of equally
    good bounds the one that knows less of the best stands back. A file that cannot be read, or that
    answers another question, is no better.

    Args:
        found: The result of a search that was broken off.
        path: The file in which a bound may have been left before.
        any_start: Whether the question is about all first guesses: then any first guess answers it.
    """
    new = found.strategy
    if new is None or not Path(path).is_file():
        return None
    try:
        old = Strategy.load(path)
    except (BadFileError, OSError):
        return None
    if _asked_for(old, any_start) != _asked_for(new, any_start):
        return None
    return old if _worth(old) > _worth(new) else None


def _asked_for(strategy: Strategy, any_start: bool) -> dict[str, Any]:
    """The question that a strategy answers, as its file says."""
    origin = strategy.origin
    keys = ("game", "guesses_digest", "secrets_digest", "guess_from", "hard", "rule")
    asked = {key: getattr(origin, key) for key in keys}
    objective = origin.claim.get("objective")
    asked |= {"objective": objective, "then": origin.then.get("objective")}
    asked["weights"] = origin.weights.get("digest")
    if objective != "worst":  # then the limit in the file is the strategy's own
        asked["within"] = origin.claim.get("within")
    return asked if any_start else asked | {"start": origin.start}


def _worth(strategy: Strategy) -> tuple[int, int, int, int]:
    """What a bound is worth: the larger, the better."""
    claim, counts = strategy.origin.claim, strategy.histogram
    limit, least = claim.get("within"), claim.get("lower_bound")
    lost = sum(counts[limit:]) if isinstance(limit, int) else 0
    first = strategy.worst if claim.get("objective") == "worst" else lost
    total = strategy.origin.weights.get("total")
    total = total if isinstance(total, int) else strategy.total
    second = strategy.origin.then.get("value")
    second = second if isinstance(second, int) else 0
    if str(strategy.origin.then.get("objective")).partition(":")[0] != "most-within":
        second = -second
    return -first, -total, second, least if isinstance(least, int) else 0


def _proof_of(
    question: Question,
    found: Optimal,
    clock: Clock,
    progress: SearchProgress,
    workers: int,
    check_time: Callable[[], None],
) -> Proof | None:
    """Why no strategy does better, checked; None: one guess is the least there is."""
    from ..proofs.writer import prove_optimal

    if question.objective == "worst" and found.strategy and found.strategy.worst == 1:
        return None
    game, objective, hard = question.game, question.objective, question.hard
    first = question.start[0] if question.start else ""
    try:
        return prove_optimal(
            *(game, objective, found.outcome.limit, hard, found.strategy, first),
            lambda new, whole: progress("proof", new, whole, ""),
            workers,
            check_time,
            question.guess_from,
        )
    except OutOfTimeError as error:
        raise OutOfTimeError(f"{error}; the result stands, its proof is not written") from None
    finally:
        clock.lap("proof")


# --- one state ----------------------------------------------------------------------------


@dataclass(frozen=True)
class NextGuesses:
    """What exact search knows of a state in the middle of a game: its best next guesses."""

    history: History
    #: How many secrets are still possible.
    candidates: int
    #: None: there is no limit.
    guesses_left: int | None
    #: The best guesses in order; none where the last guess was right.
    words: Sequence[FirstGuess] = ()
    #: Whether they are exact, ties included. Else others may be better.
    proved: bool = True
    #: No word loses fewer secrets.
    least_losses: int = 0
    solved: bool = False
    #: The second objective of the best word, where one was sought and is known.
    then: Then | None = None


def next_words(
    game: Game,
    history: History,
    *,
    within: int | None = LIMIT,
    top: int = 1,
    hard: bool = False,
    guess_from: str = "allowed",
    time_limit: float | None = None,
    then: str | None = None,
) -> NextGuesses:
    """The answer of ``optimal --state``: the ``top`` best next guesses in a state, by exact search.

    ``game.parse_state`` reads such a history from text. Guesses already made count for the limit
    ``within``. A time limit and Ctrl-C raise with what is known by then as ``best``.
    A second objective ``then``, as `optimal` takes it, orders words of equal totals, each by the
    best strategy that begins with it; guesses already made count.

    >>> from strategy import load_game
    >>> game = load_game(["boxer", "cover", "foyer", "hover", "lover", "mover"])
    >>> next_words(game, game.parse_state("boxer.bgbgg"), top=2).words[0].total
    12
    """
    checks.has_own_rule(game)  # refuses a rule that could not be checked
    require_pool(guess_from)
    objective = None if then is None else SecondObjective.of(then)
    if hard:
        require_legal(game, [(game.guess_id(word), score) for word, score in history])
    candidates = candidates_after(game, history)
    left = None if within is None else within - len(history)
    state = history, len(candidates), left
    if any(score == game.solved for _, score in history):
        return NextGuesses(*state, solved=True)
    if left is not None and left < 1:
        made = counted(len(history), "guess", "guesses")
        raise WrongInputError(f"{made} made, and --within {within} allows no more")
    played = game_played(game, guess_from, [word for word, _ in history])
    steps = tuple((played.guess_id(word), score) for word, score in history)
    problem = Problem(played, hard, left, tuple(candidates.tolist()), steps)
    search: NextWords | CandidateSearch
    check_time = limit_clock(time_limit)
    if guess_from == "candidates":
        losing = replace(problem, losses=True)
        search = CandidateSearch(losing, top=top, check_time=check_time)
    else:
        if played.code_space is None:
            require_table(played, hard, candidates)
        effort = EFFORT if time_limit is None else None
        search = NextWords(problem, top, check_time, effort)
    interruptions = compile_time.interruptions

    def known() -> NextGuesses:
        return NextGuesses(*state, search.best(), search.proved, search.least_losses)

    try:
        search.settle()
        found = known()
        if objective is not None and found.proved:
            consistent = guess_from == "candidates"
            words = with_second(
                problem, objective, found.words, len(history), consistent, check_time
            )
            second = None if words[0].then is None else Then(objective.text, words[0].then, True)
            found = replace(found, words=words, then=second)
    except (KeyboardInterrupt, CouldNotFinishError) as error:
        compiling = compile_time.interruptions > interruptions
        raise carrying(error, None if compiling else known()) from None
    return found
