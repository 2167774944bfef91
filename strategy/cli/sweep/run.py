"""Grow the whole strategy of every opener, play every secret through each, store the figures.

Compiled code that grades from letters plays all secrets of every strategy, the trusted checker
those of every hundredth besides. However a run ends (Ctrl-C, kill, a full disk), the same command
goes on where it was, and comes to the same table. A database of another list, rule or version is
refused. With --shard 3/8 the third of eight machines does its part; 'sweep merge' joins them.

With --rule optimal: what every opener is worth at best, exact as far as the time goes, else between
bounds, which the same command brings closer. Every value is proved, and a strategy attains it.

Examples: knuthle sweep run --openers answers --out sweep.sqlite
          knuthle sweep run --rule optimal --secrets answers --time-limit 600 --out best.sqlite
"""

from __future__ import annotations

import argparse
import contextlib
import re
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

from solver.choices import OPTIMAL, SWEPT_OBJECTIVES

from ...build.within_limit import LIMIT
from ...files.notation import counted
from ...files.output import check_apart, is_file
from .. import dask, options, output
from ..progress import Progress
from . import state_text

if TYPE_CHECKING:
    from ...sweep.optimal.view import ExactTable
    from ...sweep.view import SweepTable

HELP = "compute what has no row yet"


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of ``sweep run``: openers, game, rule, who does the work."""
    parser.add_argument(
        "--openers",
        metavar="all|answers|FILE|WORD,…",
        default="all",
        help="every guess, the answers of the list, or those named (default: all)",
    )
    parser.add_argument(
        "--out", metavar="FILE", required=True, help="the database; it is made or goes on"
    )
    options.add_game_options(parser, secrets="allowed")
    options.add_choice_options(parser, OPTIMAL)
    _add_optimal_options(parser)
    options.add_workers_option(parser)
    parser.add_argument(
        "--shard",
        type=_shard,
        default=(1, 1),
        metavar="I/N",
        help="do the I-th of N equal parts of the openers",
    )
    dask.add_dask_options(parser)
    options.add_output_options(parser)


def _add_optimal_options(parser: argparse.ArgumentParser) -> None:
    """What ``--rule optimal`` is asked."""
    group = parser.add_argument_group("with --rule optimal")
    group.add_argument(
        "--objective",
        choices=SWEPT_OBJECTIVES,
        help="what is made least; possible: nothing, only whether the limit can be met (total)",
    )
    group.add_argument(
        "--within",
        type=options.limit_from,
        metavar="K|none",
        default=argparse.SUPPRESS,
        help=f"no secret may take more guesses; none lifts the limit ({LIMIT})",
    )
    options.add_time_limit_option(group, "exit 3, and what is not exact stays between bounds")


def _shard(text: str) -> tuple[int, int]:
    """An argparse type: one of so many parts."""
    found = re.fullmatch(r"(\d{1,9})/(\d{1,9})", text)
    if not found or not 1 <= int(found[1]) <= int(found[2]):
        raise argparse.ArgumentTypeError(f"{text!r} is no part such as 3/8, the third of eight")
    return int(found[1]), int(found[2])


def run(args: argparse.Namespace) -> int:
    """Run ``sweep run``: go on until all is done, and say how far it is."""
    database, args.out = args.out, None
    output.check_outputs(args, database)
    inputs = [name for name in (args.list_name, args.secrets, args.openers) if is_file(name)]
    check_apart([database], inputs)
    place = dask.place_from(args)
    swept = _best(args) if args.rule == OPTIMAL else _by_rule(args)
    game = options.game_from(args)
    how: dict[str, Any] = {"workers": args.workers, "shard": args.shard}
    output.say_when_compiling(args.quiet)
    with contextlib.ExitStack() as after:
        progress = after.enter_context(Progress(args.quiet))
        if place is not None:
            from ...sweep.cluster import by_dask

            how["runner"] = after.enter_context(by_dask(place))
        table = swept(game, database, args.openers, **how, progress=progress)
    facts = table.state()
    output.emit(args, state_text.any_state_text(table), facts)
    if args.time_limit is not None and facts["n_done"] < facts["n_asked"]:
        raise out_of_time(args.time_limit, facts)
    return 0


def out_of_time(seconds: float, facts: dict[str, Any]) -> Exception:
    """The error that the command ``sweep`` ends with if its time is over and something is left."""
    from solver.machine.clock import OutOfTimeError

    left = counted(facts["n_asked"] - facts["n_done"], "opener")
    return OutOfTimeError(
        f"{left} not exact after {seconds:g} s, the time limit; the same command goes on"
    )


def _by_rule(args: argparse.Namespace) -> Callable[..., SweepTable | ExactTable]:
    """The sweep by a rule that the options ask for."""
    from solver.errors import WrongInputError

    from ...build.by_rule import Settings
    from ...sweep.run import sweep_openers

    if args.objective or args.time_limit or "within" in args:
        raise WrongInputError("--objective, --within and --time-limit are for --rule optimal")
    settings = Settings(rule=args.rule, guess_from=args.guess_from, hard=args.hard)
    return partial(sweep_openers, settings=settings)


def _best(args: argparse.Namespace) -> Callable[..., SweepTable | ExactTable]:
    """The sweep for what is best that the options ask for."""
    from ...sweep.optimal.run import ExactSettings, sweep_optimal

    within = getattr(args, "within", LIMIT)
    settings = ExactSettings(
        args.objective or SWEPT_OBJECTIVES[0], within, args.hard, args.guess_from
    )
    return partial(sweep_optimal, settings=settings, time_limit=args.time_limit)
