"""The provably best strategy: over all first guesses, or after given ones.

Objective total: the fewest guesses over all secrets; worst: the smallest number of guesses that
always suffices; losses: the fewest secrets beyond the limit, then the fewest guesses.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from ...errors import OutputError
from ...files.output import Kind, check_target
from .. import interrupt, options, output
from . import optimal_state
from .optimal_report import facts_of, facts_of_strategy, text_of

if TYPE_CHECKING:
    from solver.exact.answers.answer import Answer
    from solver.exact.answers.least_losses import LeastLosses
    from solver.exact.answers.least_worst import LeastWorst
    from solver.exact.race.first_guesses import FirstGuesses
    from solver.game.game import Game

    from ...build.by_rule import Clock
    from ...tree import Strategy

HELP = "the provably best strategy, or the best next guess of a state"
LIMIT = 6
#: With more secrets the least total among the fewest losses is out of reach: it stays a bound,
#: unless a time limit says how long to try.
EXACT_TOTALS = 5_000
#: Guesses that a beam tries in each state when time is over and nothing is found yet.
_GLANCE = 2
OBJECTIVES = ("total", "worst", "losses")


def configure(parser: argparse.ArgumentParser) -> None:
    """All options of the command."""
    parser.add_argument(
        "--start",
        metavar="WORD[,WORD…]|auto",
        default="auto",
        help="the first guesses, whatever the replies; auto: the best one, with proof (auto)",
    )
    options.add_game_options(parser)
    group = parser.add_argument_group("what is best")
    group.add_argument(
        "--objective", choices=OBJECTIVES, default="total", help="what is made least (total)"
    )
    group.add_argument(
        "--within",
        type=options.limit_from,
        metavar="K|none",
        default=LIMIT,
        help=f"no secret may take more guesses; none lifts the limit ({LIMIT})",
    )
    options.add_pool_options(group)
    group.add_argument(
        "--state", metavar="STATE", help="the best next guesses after WORD.SCORE.WORD.SCORE…"
    )
    group.add_argument(
        "--top",
        type=options.at_least_one,
        metavar="N",
        default=1,
        help="make the N best first guesses exact; the others are only excluded (1)",
    )
    group = parser.add_argument_group("work")
    options.add_workers_option(parser)
    options.add_time_limit_option(group, "exit 3, and the best so far is reported as a bound")
    group.add_argument(
        "--width",
        type=options.at_least_one,
        metavar="N",
        help="try only the N most promising guesses of each state: quick, a bound and no proof",
    )
    group.add_argument(
        "--resume", metavar="FILE", help="continue from FILE; an interrupted run leaves it there"
    )
    options.add_output_options(parser, csv_table=True)
    parser.add_argument(
        "--proof", metavar="FILE", help="write a proof that check-proof can check (takes minutes)"
    )
    parser.add_argument(
        "--out",
        metavar="FILE",
        help="the strategy file (default: START-LIST-SECRETS-optimal.strategy in this directory)",
    )


def run(args: argparse.Namespace) -> int:
    """Search, verify, write, report."""
    _check(args)
    game = options.game_from(args)
    output.say_when_compiling(args.quiet)
    if args.state is not None:
        return optimal_state.best_next_words(args, game)
    from solver.machine.clock import OutOfTimeError, time_limit

    from ...build.by_rule import Clock

    clock = Clock()
    hunt = _Hunt(args, game)
    check_time = time_limit(args.time_limit)
    try:
        with _Bar(args.quiet, len(game.secrets)) as bar:
            answer = hunt.answer(bar, check_time)
    except OutOfTimeError as error:
        hunt.lay_aside()
        best = hunt.best_so_far()
        if best is None:
            raise
        _report(args, game, best, clock)
        raise OutOfTimeError(f"{error}; what is reported is a bound") from None
    except BaseException:
        hunt.lay_aside()
        best = hunt.best_so_far()
        if best is not None:
            strategy = _strategy(args, game, best)
            path = args.out or strategy.origin.file_name
            strategy.save(path, force=args.force)
            output.say(f"the best so far, total {strategy.total:,} (bound), is written to {path}")
        raise
    return _report(args, game, answer, clock, check_time)


def _check(args: argparse.Namespace) -> None:
    """Refuse what cannot work before the work begins."""
    output.check_outputs(args, args.resume, args.proof)
    check_target(args.resume)
    check_target(args.proof, Kind.PROOF, force=args.force)
    if args.guess_from == "candidates":
        raise OutputError("the best strategy guesses from allowed or secrets, not candidates")
    if args.proof and args.guess_from != "allowed":
        raise OutputError("--proof is about all allowed guesses; it does not go with --guess-from")
    if args.state is not None:
        optimal_state.check(args)
    if args.proof:
        _check_provable(args)
    if args.width and (args.proof or args.resume):
        raise OutputError("--width gives a bound at once: no --proof or --resume with it")
    if args.out == "-":
        raise OutputError("a strategy file is not text; --out names a file, export prints text")


def _check_provable(args: argparse.Namespace) -> None:
    """Refuse a proof of what the checker of proofs does not know."""
    if args.proof == "-":
        raise OutputError("a proof is not text; --proof names a file")
    if args.game != "wordle":
        raise OutputError(f"--proof is for Wordle: check-proof has no rule for {args.game}")
    if "," in args.start:
        raise OutputError("--proof is about all first guesses or about one --start, not several")


class _Hunt:
    """One search, and what it has found if it is broken off."""

    def __init__(self, args: argparse.Namespace, game: Game) -> None:
        from solver.exact.race.first_guesses import FirstGuesses
        from solver.exact.race.problem import Problem

        from ...build.by_rule import check_start
        from ...build.optimal import game_played

        self._args = args
        self._game = game
        played = game_played(game, args.guess_from)
        self._start = _start(args, played)
        check_start(played, self._start, args.hard)
        self._problem = Problem(played, args.hard, args.within, losses=args.objective == "losses")
        self._state = FirstGuesses(args.top, self._problem.ceiling)
        self._losses: LeastLosses | None = None
        self._worst: LeastWorst | None = None
        #: A strategy within the limit that was found on the way.
        self._within: Answer | None = None
        if args.resume:
            from ...build.findings import take_up

            take_up(args.resume, self._problem, self._state)

    def answer(self, bar: _Bar, check_time: Callable[[], None]) -> Answer:
        """The answer to what the options ask."""
        return self._translated(self._search(bar, check_time))

    def _translated(self, answer: Answer) -> Answer:
        from ...build.optimal import in_words_of

        return in_words_of(self._game, answer, self._args.guess_from)

    def _search(self, bar: _Bar, check_time: Callable[[], None]) -> Answer:
        """The answer, its guesses numbered as in the game that is searched."""
        from solver.exact.answers.best import best_strategy
        from solver.machine.pool import available_cores

        args, problem, start = self._args, self._problem, self._start
        if args.width:
            from solver.exact.answers.beam_strategy import beam_strategy

            return beam_strategy(problem, args.width, start, args.objective, check_time)
        if problem.game.spec != "wordle":
            from solver.exact.answers.mastermind import best_pegs

            return best_pegs(problem, start, args.objective, check_time)
        if args.objective == "worst":
            from solver.exact.answers.least_worst import LeastWorst

            self._worst = LeastWorst(problem, start, bar.excluded, check_time)
            self._worst.settle()
            answer = self._worst.answer()
            assert answer is not None
            return answer
        if args.objective == "losses" and len(start) == 1 and args.within:
            from solver.exact.answers.least_losses import LeastLosses

            timed = check_time if args.time_limit else None
            self._losses = LeastLosses(problem, start[0], timed)
            self._losses.settle()
            if len(problem.game.secrets) > EXACT_TOTALS and not args.time_limit:
                return self._losses.answer()
        workers = args.workers or available_cores()
        return best_strategy(
            problem, start, args.top, workers, self._state, bar, check_time, self._keep
        )

    def _keep(self, answer: Answer) -> None:
        self._within = answer

    def best_so_far(self) -> Answer | None:
        """What holds without the rest of the search."""
        answer = self._found()
        return None if answer is None else self._translated(answer)

    def _found(self) -> Answer | None:
        from solver.exact.answers.best import concluded
        from solver.exact.race.workbench import Workbench

        if self._losses is not None:
            return self._losses.answer()
        if self._worst is not None:
            return self._worst.answer()
        if self._state.best is None:
            return self._within or self._at_a_glance()
        return concluded(Workbench(self._problem), self._state, proved=False)

    def _at_a_glance(self) -> Answer | None:
        """What a narrow beam finds, if that is within the limit."""
        from solver.errors import CouldNotFinishError
        from solver.exact.answers.beam_strategy import beam_strategy

        if self._problem.game.spec != "wordle":
            return None
        try:
            answer = beam_strategy(self._problem, _GLANCE, self._start, self._args.objective)
        except CouldNotFinishError:
            return None
        return answer

    def lay_aside(self) -> None:
        """Leave the findings for the next run, where a file is named for them."""
        if self._args.resume:
            from ...build.findings import lay_aside

            lay_aside(self._args.resume, self._problem, self._state)


def _start(args: argparse.Namespace, game: Game) -> tuple[str, ...]:
    """The given first guesses, none for ``auto``."""
    words = options.starts_from(args.start, game)
    return () if words == ("auto",) else words


def _report(
    args: argparse.Namespace,
    game: Game,
    answer: Answer,
    clock: Clock,
    check_time: Callable[[], None] = lambda: None,
) -> int:
    """Write the strategy and the proof, print the result; the exit code."""
    from solver.machine.clock import OutOfTimeError

    clock.lap("search")
    report = facts_of(args, game, answer)
    strategy = None
    if answer.tree is not None:
        strategy = _strategy(args, game, answer)
        path = args.out or strategy.origin.file_name
        interrupt.check()
        strategy.save(path, force=args.force)
        report |= facts_of_strategy(args, answer, strategy, path)
        clock.lap("verify")
    rows = [
        (opener["word"], opener["total"], opener["bound"], opener["losses"])
        for opener in report["openers"]
    ]
    late: OutOfTimeError | None = None
    if args.proof and answer.proved:
        try:
            _prove(args, game, answer, strategy, check_time)
        except OutOfTimeError as error:
            late = OutOfTimeError(f"{error}; the result stands, its proof is not written")
        clock.lap("proof")
    elif args.proof:
        output.say("no proof written: the result is a bound")
    if args.resume and answer.proved:
        Path(args.resume).unlink(missing_ok=True)
    report["seconds"] = {part: round(took, 4) for part, took in clock.seconds().items()}
    table = (("word", "total", "bound", "losses"), rows)
    output.emit(args, text_of(args, answer, report), report, table)
    if late is not None:
        raise late
    return 0 if answer.tree is not None else 1


def _prove(
    args: argparse.Namespace,
    game: Game,
    answer: Answer,
    strategy: Strategy | None,
    check_time: Callable[[], None],
) -> None:
    """Write down why no strategy does better."""
    from solver.machine.pool import available_cores

    from ...proofs.checker import proof_file
    from ...proofs.writer.oracle import prove_optimal

    if args.objective == "worst" and strategy is not None and strategy.worst == 1:
        output.say(f"one guess is the least there is; {args.proof} is not written")
        return
    start = "" if args.start == "auto" else options.starts_from(args.start, game)[0]
    what = game, args.objective, answer.within, args.hard, strategy, start
    with output.Progress(args.quiet, "step") as progress:
        tell = partial(progress, "proof")
        proof = prove_optimal(*what, tell, args.workers or available_cores(), check_time)
    proof_file.save(proof, args.proof, force=args.force)


def _strategy(args: argparse.Namespace, game: Game, answer: Answer) -> Strategy:
    from ...build.optimal import Asked, strategy_of

    asked = Asked(args.objective, answer.within, args.hard, args.guess_from)
    return strategy_of(game, asked, answer, _start(args, game))[0]


class _Bar:
    """How far the proof is: openers excluded or exact, still open, the best total, the bound."""

    def __init__(self, quiet: bool, secrets: int) -> None:
        self._progress = output.Progress(quiet, "guess")
        self._secrets = secrets
        self._what = ""
        self._seen = 0

    def __call__(self, state: FirstGuesses, count: int) -> None:
        """Show what is known now."""
        limit = state.limit
        settled = sum(1 for bound, exact in state.found.values() if exact or bound > limit)
        self._progress(
            "first guesses settled", settled - self._seen, count, self._known(state, count)
        )
        self._seen = settled

    def _known(self, state: FirstGuesses, count: int) -> str:
        """How many first guesses are open, the best total, and the bound for all."""
        from solver.exact.race.first_guesses import least_open

        least, open_ = least_open(state, self._secrets, count)
        best = "none yet" if state.best is None else f"{state.best % (1 << 32):,}"
        return f"{open_:,} open, best {best}, at least {least % (1 << 32):,}"

    def excluded(self, limit: int, number: int, count: int) -> None:
        """Show how many first guesses a limit has excluded."""
        what = f"first guesses excluded within {limit}"
        self._seen = 0 if what != self._what else self._seen
        self._what = what
        self._progress(what, number - self._seen, count)
        self._seen = number

    def __enter__(self) -> _Bar:
        return self

    def __exit__(self, *_: object) -> None:
        self._progress.close()
