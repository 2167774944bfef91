"""The provably best strategy: searched, played by the trusted checker, and proved on demand."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from solver.errors import CouldNotFinishError, WrongInputError
from solver.exact.questions.answer import Answer, FirstGuess
from solver.machine.clock import Clock, OutOfTimeError, carrying
from solver.machine.clock import time_limit as time_limit_of
from solver.machine.pool import available_cores

from ..errors import BadFileError
from ..files.origin import Origin
from ..files.output import Attempts, Kind, check_target
from ..referee import Verdict
from ..tree import Strategy
from .optimal_question import Inquiry, Question, Told
from .preconditions import fixed_guesses, ignore_progress, play_every_secret
from .within_limit import BEAM, EXACT, LIMIT, Outcome

if TYPE_CHECKING:
    from solver.exact.first_guesses.workers import Helpers
    from solver.game.game import Game

    from ..proofs.checker.proof_file import Proof
    from .interrupted_search import Findings


@dataclass(frozen=True)
class Optimal:
    """What the search for the best strategy has found out: strategy, bounds, what is proved."""

    #: None: no strategy keeps to the limit, with proof.
    strategy: Strategy | None
    #: What the trusted checker has seen when it played every secret.
    verdict: Verdict | None
    #: First guesses that were looked at, best first, each with its value or its bound.
    first_guesses: list[FirstGuess]
    #: Whether no strategy is better: an exhaustive search is behind it. Else it is a bound.
    proved: bool
    #: Of the objective: no strategy is better than this.
    lower_bound: int | None
    #: What became of the limit; for the objective ``worst``, of the least that can be met.
    outcome: Outcome
    #: Where the time went.
    seconds: dict[str, float]
    #: Whether the proof is written.
    proof_written: bool = False
    #: What an earlier search has left, and this one has believed; None: it stands by itself.
    findings: Findings | None = None


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
    width: int | None = None,
    resume: str | Path | None = None,
    recheck: bool = False,
    proof: str | Path | None = None,
    force: bool = False,
    progress: Told | None = None,
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
        guess_from: ``allowed``, or ``secrets`` to know no other words.
        top: So many best first guesses get exact values.
        workers: Processes; all cores unless told otherwise.
        helpers: Who looks at first guesses instead of them, for example workers of Dask.
        time_limit: Seconds, after which the best so far is a bound.
        width: Try only so many guesses of each state: a bound at once, and no proof.
        resume: A file in which a search that is broken off leaves its findings, and from which the
            next one continues; its result rests on them (``interrupted_search``).
        recheck: Search them again and compare instead of believing them.
        proof: A file for a proof that ``check_proof`` checks.
        force: Put it in the place of whatever file is there.
        progress: Hears what is being done and how far it is.
        keep: Called with the result, or the best so far, before files are written and after the
            proof holds: to save its strategy first.

    Returns:
        The strategy (``None`` if there is none within the limit), whether it is ``proved``, and
        what is known of first guesses.

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
    """
    question = Question(
        game, fixed_guesses(game, start), objective, within, hard, guess_from, top, width
    )
    _check_extent(question, proof, helpers)
    if width and (proof or resume):
        raise WrongInputError("--width gives a bound at once: no --proof or --resume with it")
    if recheck and not resume:
        raise WrongInputError("--recheck searches the findings of --resume FILE again")
    check_target(resume)
    check_target(proof, Kind.PROOF, force=force)
    clock, check_time = Clock(), time_limit_of(time_limit)
    tell, workers = progress or ignore_progress, workers or available_cores()
    inquiry = Inquiry(question, check_time, timed=time_limit is not None)
    if resume:
        inquiry.take_up(resume, recheck)
    run = _Run(inquiry, clock, None if recheck else resume, keep or (lambda found: None))
    found = None
    try:
        found = _finished(inquiry, inquiry.answer(tell, helpers or workers), clock)
        inquiry.check(found.strategy)
        written = None
        if proof and found.proved:
            prover = _Prover(tell, workers, check_time)
            written = _proof_of(question, found, clock, prover)
    except (KeyboardInterrupt, CouldNotFinishError) as error:
        raise run.broken_off(error, found) from None
    except BadFileError:
        raise
    except BaseException as error:
        run.lay_aside()
        raise run.attempts.noted(error) from None
    run.attempts.make(partial(run.keep, found))
    if proof and written is not None:
        found = run.proved(found, partial(_save_proof, written, proof, force))
    found = replace(found, seconds=clock.seconds())
    try:
        inquiry.compare()
    except BadFileError as error:
        raise run.attempts.noted(error) from None
    if run.attempts.failures:
        run.lay_aside()
    run.attempts.conclude(found)
    if resume and found.proved:
        Path(resume).unlink(missing_ok=True)
    return found


def _check_extent(question: Question, proof: str | Path | None, helpers: Helpers | None) -> None:
    """Refuse what the question has no proof, or no work, for."""
    if proof:
        question.check_provable()
    if helpers is not None:
        question.check_shared()


class _Run:
    """One search with the files that it leaves, however it ends."""

    def __init__(
        self,
        inquiry: Inquiry,
        clock: Clock,
        resume: str | Path | None,
        keep: Callable[[Optimal], None],
    ) -> None:
        self._inquiry = inquiry
        self._clock = clock
        self._resume = resume
        self.keep = keep
        self.attempts = Attempts()

    def broken_off(
        self, error: KeyboardInterrupt | CouldNotFinishError, found: Optimal | None
    ) -> BaseException:
        """Leave the best so far and the findings; the exception that tells of it.

        Whoever presses Ctrl-C waits for no more than what is there; a time limit may be late.
        """
        try:
            if found is None:
                best = self._inquiry.best_so_far(not isinstance(error, KeyboardInterrupt))
                if best is not None:
                    found = _finished(self._inquiry, best, self._clock)
                    self._inquiry.check(found.strategy)
            else:
                found = replace(found, seconds=self._clock.seconds())
            if found is not None:
                self.attempts.make(partial(self.keep, found))
        finally:
            self.lay_aside()
        return self.attempts.noted(carrying(error, found))

    def lay_aside(self) -> None:
        """Leave the findings for another search."""
        if self._resume:
            self.attempts.make(partial(self._inquiry.lay_aside, self._resume))

    def proved(self, found: Optimal, save: Callable[[], None]) -> Optimal:
        """With the proof in its file, if that can be written."""
        failed = len(self.attempts.failures)
        self.attempts.make(save)
        self._clock.lap("proof")
        return replace(found, proof_written=len(self.attempts.failures) == failed)


def _finished(inquiry: Inquiry, answer: Answer, clock: Clock) -> Optimal:
    """The answer with its strategy, every secret of it played."""
    clock.lap("search")
    question = inquiry.question
    strategy = verdict = None
    met = False
    if answer.tree is not None:
        strategy, verdict = strategy_of_answer(question, answer)
        met = answer.within is None or verdict.worst <= answer.within
        clock.lap("verify")
    # that it is met is proved by playing; that it cannot be met, by the search
    excluded = answer.proved or (question.objective == "losses" and bool(answer.lower_bound))
    method = BEAM if question.width else EXACT
    return Optimal(
        strategy,
        verdict,
        answer.first_guesses,
        answer.proved,
        answer.lower_bound,
        Outcome(answer.within, met, method, met or excluded),
        clock.seconds(),
        findings=inquiry.relied_on,
    )


def strategy_of_answer(question: Question, answer: Answer) -> tuple[Strategy, Verdict]:
    """The strategy of a search's answer, every secret of it played by the trusted checker."""
    tree, game = answer.tree, question.game
    assert tree is not None
    claim: dict[str, Any] = {
        "objective": question.objective,
        "within": answer.within,
        "proved": answer.proved,
        "lower_bound": answer.lower_bound,
    }
    pool = {"guess_from": question.guess_from, "hard": question.hard}
    start = question.start or (game.guesses[tree.guess[0]],)
    origin = Origin.of(game, "optimal", start, **pool, claim=claim)
    strategy = Strategy.of_tree(game, origin, tree)
    return strategy, play_every_secret(strategy, game)


@dataclass(frozen=True)
class _Prover:
    """What works on a proof, and who hears of it."""

    tell: Told
    workers: int
    check_time: Callable[[], None]


def _proof_of(question: Question, found: Optimal, clock: Clock, prover: _Prover) -> Proof | None:
    """Why no strategy does better, checked; None: one guess is the least there is."""
    from ..proofs.writer.oracle import prove_optimal

    if question.objective == "worst" and found.strategy and found.strategy.worst == 1:
        return None
    game, objective, hard = question.game, question.objective, question.hard
    first = question.start[0] if question.start else ""
    try:
        return prove_optimal(
            *(game, objective, found.outcome.limit, hard, found.strategy, first),
            lambda new, whole: prover.tell("proof", new, whole, ""),
            prover.workers,
            prover.check_time,
        )
    except OutOfTimeError as error:
        raise OutOfTimeError(f"{error}; the result stands, its proof is not written") from None
    finally:
        clock.lap("proof")


def _save_proof(proof: Proof, path: str | Path, force: bool) -> None:
    from ..proofs.checker import proof_file

    proof_file.save(proof, path, force=force)
