"""The provably best strategy: over all first guesses, or after given ones.

Best is by --objective. total: the fewest guesses, summed over all secrets; worst: the smallest
number of guesses that always suffices; losses: the fewest secrets that take more guesses than
--within allows, then the fewest guesses. What it says is proved, or called a bound.

Examples: knuthle optimal --start salet
          knuthle optimal --state crane.bybbg
"""

from __future__ import annotations

import argparse
import contextlib
from typing import TYPE_CHECKING

from solver.exact.questions.answer import OBJECTIVES

from ...build.within_limit import LIMIT
from ...errors import OutputError, UnfinishedError
from ...files.names import shown
from ...files.output import Kind, check_target
from .. import dask, interrupt, options, output
from ..progress import Progress
from . import optimal_state
from .optimal_report import facts_of, text_of
from .report import check_default_name

if TYPE_CHECKING:
    from solver.game.game import Game

    from ...build.optimal import Optimal


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of ``optimal``."""
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
        "--state",
        metavar="STATE",
        help=f"the best next guesses after words with their colours, crane.bybbg: {options.MARKS}",
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
    group.add_argument(
        "--recheck",
        action="store_true",
        help="believe nothing of --resume FILE: search it all again, and name what is wrong in it",
    )
    dask.add_dask_options(parser)
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
    """Run ``optimal``: search the best strategy, verify, write, report."""
    _check(args)
    game = options.game_from(args)
    output.say_when_compiling(args.quiet)
    if args.state is not None:
        return optimal_state.best_next_words(args, game)
    if args.out is None:
        check_default_name(args, game, "optimal")
    keeper = _Keeper(args)
    try:
        found = _searched(args, game, keeper)
    except (Exception, KeyboardInterrupt) as error:
        raise _unfinished(args, game, keeper, error) from None
    return _report(args, game, found, keeper)


class _Keeper:
    """Saves the strategy before anything else is written."""

    def __init__(self, args: argparse.Namespace) -> None:
        self._args = args
        #: Where it is.
        self.path: str | None = None

    def __call__(self, found: Optimal) -> None:
        if found.strategy is not None:
            path = self._args.out or found.strategy.origin.file_name
            found.strategy.save(path, force=self._args.force)
            self.path = path


def _check(args: argparse.Namespace) -> None:
    """Refuse outputs that cannot work before the work begins."""
    output.check_outputs(args, args.resume, args.proof)
    check_target(args.resume)
    check_target(args.proof, Kind.PROOF, force=args.force)
    dask.place_from(args)
    if args.state is not None:
        optimal_state.check(args)
    if args.proof == "-":
        raise OutputError("a proof is not text; --proof names a file")
    if args.out == "-":
        raise OutputError("a strategy file is not text; --out names a file, export prints text")


def _searched(args: argparse.Namespace, game: Game, keeper: _Keeper) -> Optimal:
    """What the library finds."""
    from solver.machine.clock import Interrupted

    from ...build.optimal import optimal

    with contextlib.ExitStack() as after:
        progress = after.enter_context(Progress(args.quiet))
        found = optimal(
            game,
            start=options.starts_from(args.start, game),
            objective=args.objective,
            within=args.within,
            hard=args.hard,
            guess_from=args.guess_from,
            top=args.top,
            workers=args.workers,
            helpers=dask.helpers_from(args, game, after),
            time_limit=args.time_limit,
            width=args.width,
            resume=args.resume,
            recheck=args.recheck,
            proof=args.proof,
            force=args.force,
            progress=progress,
            keep=keeper,
        )
    if interrupt.came():
        raise Interrupted(found)
    return found


def _unfinished(
    args: argparse.Namespace, game: Game, keeper: _Keeper, error: BaseException
) -> BaseException:
    """Tell what there is all the same; the error to end with."""
    from solver.machine.clock import OutOfTimeError

    best = getattr(error, "best", None)
    if best is not None and isinstance(error, OutOfTimeError | UnfinishedError):
        try:
            _report(args, game, best, keeper)
        except UnfinishedError as failure:
            output.say(shown(failure))
        if isinstance(error, OutOfTimeError) and not best.proved:
            bound = OutOfTimeError(f"{error}; what is reported is a bound")
            for note in getattr(error, "__notes__", ()):
                bound.add_note(note)
            return bound
    elif keeper.path is not None:
        output.say(f"{_what_is_kept(best)}, is written to {shown(keeper.path)}")
    return error


def _what_is_kept(best: Optimal | None) -> str:
    """Of a search that was broken off, or that has contradicted its findings."""
    if best is None or best.strategy is None:
        return "the strategy that was found without them"
    label = "proved" if best.proved else "bound"
    return f"the best so far, total {best.strategy.total:,} ({label})"


def _report(args: argparse.Namespace, game: Game, found: Optimal, keeper: _Keeper) -> int:
    """Print the result; the exit code."""
    if args.proof and not found.proved:
        output.say("no proof written: the result is a bound")
    elif args.proof and found.outcome.limit == 1 and not found.proof_written:
        output.say(f"one guess is the least there is; {shown(args.proof)} is not written")
    report = facts_of(args, game, found, keeper.path)
    columns = ("word", "total", "bound", "n_beyond", "proved")
    output.emit(args, text_of(args, found, report), report, (columns, report["openers"]))
    return 0 if found.strategy is not None else 1
