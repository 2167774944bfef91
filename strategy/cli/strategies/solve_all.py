"""Build the whole strategy of one opener by a rule, play every secret through it, write the file.

A strategy says what to guess after every reply that can come. A guess parts the words that are
still possible into buckets, one for each reply it can get. The default rule is Knuth's minimax: of
all words the one whose largest bucket is smallest, among equals a word that is still possible,
among those the first in alphabetical order. --within K allows no secret more than K guesses: what
takes more is repaired, or it is proved that nothing can be. --rule optimal has the least total of
guesses of all strategies within K (default 6), with proof.

Examples: knuthle solve-all --start lares
          knuthle solve-all --start crane --secrets answers --within 5
"""

from __future__ import annotations

import argparse
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...errors import NoStrategyError, OutputError
from ...files.letters import capitals
from ...files.names import shown
from ...files.notation import counted
from ...files.output import Attempts, check_target
from .. import interrupt, options, output, render
from ..progress import Progress
from .report import check_default_name, report_of, rounded

if TYPE_CHECKING:
    from solver.game.game import Game

    from ...build.by_rule import Solved
    from ...build.within_limit import Outcome
    from ...files.origin import Origin
    from ...tree import Strategy

OPTIMAL = "optimal"
_SHOWN = 40


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of ``solve-all``."""
    from solver.game import words

    parser.add_argument(
        "--start",
        metavar="WORD[,WORD…]|auto",
        default="auto",
        help="the first guesses, whatever the replies; auto: the rule's own first guess (auto)",
    )
    options.add_game_options(parser, secrets="allowed", list_name=words.DEFAULT_LIST)
    options.add_choice_options(parser, OPTIMAL)
    group = parser.add_argument_group("limit")
    group.add_argument(
        "--within",
        type=options.at_least_one,
        metavar="K",
        help="every secret within K guesses: what takes more is repaired by exact search, "
        "or proved impossible: exit 1 and no file",
    )
    group.add_argument(
        "--pure",
        action="store_true",
        help="with --within: the rule alone, nothing repaired; exit 1 and no file if it fails",
    )
    options.add_time_limit_option(group)
    options.add_workers_option(parser, default="1, which is faster than a pool for one opener")
    parser.add_argument(
        "--resume",
        metavar="FILE",
        help="continue from FILE if it is there; an interrupted run leaves its tree in it",
    )
    options.add_output_options(parser, csv_table=True)
    parser.add_argument(
        "--out",
        metavar="FILE",
        help="the strategy file (default: START-LIST-SECRETS-RULE.strategy in this directory)",
    )


def run(args: argparse.Namespace) -> int:
    """Run ``solve-all``: solve, verify, write, report."""
    output.check_outputs(args, args.resume)
    check_target(args.resume)
    if args.out == "-":
        raise OutputError("a strategy file is not text; --out names a file, export prints text")
    game = options.game_from(args)
    from ...build.by_rule import Settings, solve
    from ...files.origin import Origin

    start = options.starts_from(args.start, game)
    settings = Settings(start, args.rule, args.guess_from, args.hard)
    pool = {"guess_from": args.guess_from, "hard": args.hard}
    preview = Origin.of(game, args.rule, start, **pool)
    if args.out is None:
        check_default_name(args, game, args.rule, start)
    output.say_memory_needed(game, args.quiet)
    output.say_when_compiling(args.quiet)
    try:
        with Progress(args.quiet) as progress:
            solved = solve(
                game,
                settings,
                args.workers or 1,
                args.resume,
                progress,
                within=args.within,
                pure=args.pure,
                time_limit=args.time_limit,
            )
    except NoStrategyError as error:
        return _report_nothing(args, preview, error.outcome)
    return _report(args, game, solved, start)


def _report(args: argparse.Namespace, game: Game, solved: Solved, asked: tuple[str, ...]) -> int:
    """Write the file if there is one to write, and print the result; the exit code."""
    strategy = solved.strategy
    wanted = solved.outcome.met or args.within is None
    path = None
    attempts = Attempts()
    if wanted:
        path = args.out or strategy.origin.file_name
        interrupt.check()
        attempts.make(partial(strategy.save, path, force=args.force))
        path = None if attempts.failures else path
    if args.resume and not attempts.failures:
        Path(args.resume).unlink(missing_ok=True)
    report = report_of(strategy.origin, strategy, solved.outcome, path)
    report["seconds"] = rounded(solved.seconds)
    rows = [{"n_taken": taken, "count": n} for taken, n in enumerate(strategy.histogram, 1)]
    table = (("n_taken", "count"), rows)
    text = text_of(game, solved, report, asked)
    attempts.make(partial(output.emit, args, text, report, table))
    attempts.conclude()
    return 0 if wanted else 1


def _report_nothing(args: argparse.Namespace, origin: Origin, outcome: Outcome) -> int:
    """Say that no strategy meets the limit, where there is no rule whose figures could be shown."""
    report = report_of(origin, None, outcome, None) | {"seconds": None}
    output.emit(args, impossible_text(outcome, origin.start), report)
    return 1


def text_of(game: Game, solved: Solved, report: dict[str, Any], asked: tuple[str, ...]) -> str:
    """The answer of ``solve-all`` as a person reads it."""
    from ...build.within_limit import REPAIR

    strategy, outcome = solved.strategy, solved.outcome
    origin = strategy.origin
    hard = ", hard mode" if origin.hard else ""
    start = ", ".join(capitals(word) for word in origin.start)
    label = " (proved: no total is less)" if origin.rule == OPTIMAL else ""
    label = " (repaired)" if outcome.method == REPAIR else label
    took = [
        f"{_PARTS[part]} {solved.seconds[part]:.3f} s" for part in _PARTS if part in solved.seconds
    ]
    lines = [
        f"{start} by {origin.rule}{hard}: "
        f"{counted(origin.secrets, 'secret')} ({shown(origin.secrets_name)}), "
        f"{counted(origin.guesses, 'guess', 'guesses')} ({origin.guess_from})",
        f"list {shown(origin.list_name)}, guesses {game.guesses_digest[:16]}…, "
        f"secrets {game.secrets_digest[:16]}…",
        "",
        histogram_text(strategy),
        "",
        f"worst {strategy.worst}, total {strategy.total:,}, mean {strategy.mean:.4f}"
        f"{label}; {counted(strategy.nodes, 'node')}",
        limit_text(report),
        f"every secret played: {', '.join(took)}",
        f"digest {strategy.digest}",
        f"written to {shown(report['file'])}" if report["file"] else "no file written",
    ]
    if outcome.impossible:
        lines.insert(-1, impossible_text(outcome, asked))
    return "\n".join(lines)


#: Parts of the work as people read them.
_PARTS = {"matrix": "matrix", "search": "search", "repair": "repair", "verify": "verification"}


def impossible_text(outcome: Outcome, start: tuple[str, ...]) -> str:
    """What ``solve-all`` prints if no strategy at all meets the limit."""
    first = "any first guess" if start == ("auto",) else ", ".join(capitals(word) for word in start)
    return f"proved: within {outcome.limit} is impossible from {first}"


def histogram_text(strategy: Strategy) -> str:
    """The histogram of a strategy as ``solve-all`` prints it: guesses, counts and bars."""
    return render.histogram(strategy.histogram)


def limit_text(report: dict[str, Any]) -> str:
    """Which secrets lie beyond the limit, as ``solve-all`` prints it: the first forty by name."""
    limit, beyond = report["within"]["limit"], report["beyond"]
    if not beyond:
        return f"every secret falls within {counted(limit, 'guess', 'guesses')}"
    more = f" and {len(beyond) - _SHOWN:,} more" if len(beyond) > _SHOWN else ""
    verb = "secret takes" if len(beyond) == 1 else "secrets take"
    return f"{len(beyond):,} {verb} more than {limit}: {' '.join(beyond[:_SHOWN])}{more}"
