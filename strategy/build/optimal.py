"""The provably best strategy: searched, played by the trusted checker, and proved on demand."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from solver.errors import CouldNotFinishError, WrongInputError
from solver.exact.answers.answer import Answer, FirstGuess
from solver.machine.clock import Clock, OutOfTimeError, carrying
from solver.machine.clock import time_limit as time_limit_of
from solver.machine.pool import available_cores

from ..files.origin import Origin
from ..referee import Verdict
from ..tree import Strategy
from .checks import fixed_guesses, play_every_secret
from .question import Inquiry, Question, Told, nobody
from .within import BEAM, EXACT, LIMIT, Outcome

if TYPE_CHECKING:
    from solver.game.game import Game


@dataclass(frozen=True)
class Optimal:
    """What the search for the best strategy has found out."""

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


def optimal(  # noqa: PLR0913 - what can be asked, by name
    game: Game,
    *,
    start: Sequence[str] = (),
    objective: str = "total",
    within: int | None = LIMIT,
    hard: bool = False,
    guess_from: str = "allowed",
    top: int = 1,
    workers: int | None = None,
    time_limit: float | None = None,
    width: int | None = None,
    resume: str | Path | None = None,
    proof: str | Path | None = None,
    force: bool = False,
    progress: Told | None = None,
) -> Optimal:
    """The best strategy of a game, over all first guesses or after the given ones.

    ``objective`` is what is made least: ``total`` (guesses over all secrets), ``worst`` (the number
    of guesses that always suffices) or ``losses`` (secrets beyond the limit ``within``, then the
    total). The ``top`` best first guesses get exact values. With a ``width`` only so many guesses
    of each state are tried: a bound at once. ``workers`` are all cores unless told otherwise.

    ``resume`` names a file in which a search that is broken off leaves its findings, and from which
    the next one continues. ``proof`` names a file for a proof that ``check_proof`` checks
    (``force``: in the place of whatever file is there).
    Ctrl-C and ``time_limit`` (seconds, OutOfTimeError) raise with the best so far as ``best``.

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
    if proof:
        question.check_provable()
    if width and (proof or resume):
        raise WrongInputError("--width gives a bound at once: no --proof or --resume with it")
    clock, check_time = Clock(), time_limit_of(time_limit)
    tell, workers = progress or nobody, workers or available_cores()
    inquiry = Inquiry(question, check_time, timed=time_limit is not None)
    if resume:
        inquiry.take_up(resume)
    try:
        answer = inquiry.answer(tell, workers)
    except BaseException as error:
        if resume:
            inquiry.lay_aside(resume)
        if not isinstance(error, KeyboardInterrupt | CouldNotFinishError):
            raise
        best = inquiry.best_so_far()
        raise carrying(error, best and _finished(question, best, clock)) from None
    found = _finished(question, answer, clock)
    if proof and found.proved:
        prover = _Prover(tell, workers, check_time, force)
        found = _proved(question, found, proof, clock, prover)
    if resume and found.proved:
        Path(resume).unlink(missing_ok=True)
    return replace(found, seconds=clock.seconds())


def _finished(question: Question, answer: Answer, clock: Clock) -> Optimal:
    """The answer with its strategy, every secret of it played."""
    clock.lap("search")
    strategy = verdict = None
    met = False
    if answer.tree is not None:
        strategy, verdict = strategy_of(question, answer)
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
    )


def strategy_of(question: Question, answer: Answer) -> tuple[Strategy, Verdict]:
    """The strategy of an answer, every secret of it played by the trusted checker."""
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
    return strategy, play_every_secret(strategy, game.secrets)


@dataclass(frozen=True)
class _Prover:
    """What works on a proof, and who hears of it."""

    tell: Told
    workers: int
    check_time: Callable[[], None]
    #: Whether a file that is no proof may be replaced.
    force: bool


def _proved(
    question: Question, found: Optimal, path: str | Path, clock: Clock, prover: _Prover
) -> Optimal:
    """Write down why no strategy does better; that one guess is the least there is needs none."""
    from ..proofs.checker import proof_file
    from ..proofs.writer.oracle import prove_optimal

    if question.objective == "worst" and found.strategy and found.strategy.worst == 1:
        return found
    game, objective, hard = question.game, question.objective, question.hard
    first = question.start[0] if question.start else ""
    try:
        proof = prove_optimal(
            *(game, objective, found.outcome.limit, hard, found.strategy, first),
            lambda new, whole: prover.tell("proof", new, whole, ""),
            prover.workers,
            prover.check_time,
        )
    except (KeyboardInterrupt, CouldNotFinishError) as error:
        clock.lap("proof")
        best = replace(found, seconds=clock.seconds())
        if isinstance(error, OutOfTimeError):
            error = OutOfTimeError(f"{error}; the result stands, its proof is not written")
        raise carrying(error, best) from None
    proof_file.save(proof, path, force=prover.force)
    clock.lap("proof")
    return replace(found, proof_written=True)
