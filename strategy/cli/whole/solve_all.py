"""Build the whole strategy of one opener by a rule, play every secret through it, write the file.

The default rule is Knuth's minimax: of all words the one whose largest bucket is smallest, among
equals a remaining candidate, among those the first in alphabetical order. --within K repairs
whatever takes more than K guesses, or proves that nothing can; --rule optimal has the least total
of all strategies within K (default 6), with proof.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...errors import OutputError
from ...files.notation import counted
from ...files.output import Kind, check_target
from .. import interrupt, options, output, render

if TYPE_CHECKING:
    from solver.game.game import Game

    from ...build.by_rule import Settings, Solved
    from ...build.within import Outcome
    from ...files.origin import Origin
    from ...tree import Strategy

HELP = "build, verify and write the whole strategy of one opener"
LIMIT = 6
OPTIMAL = "optimal"
_SHOWN = 40


def configure(parser: argparse.ArgumentParser) -> None:
    """All options of the command."""
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
    """Solve, verify, write, report."""
    _check(args)
    game = options.game_from(args)
    from ...build.by_rule import Settings
    from ...files.origin import Origin

    settings = Settings(
        start=options.starts_from(args.start, game),
        rule=args.rule,
        guess_from=args.guess_from,
        hard=args.hard,
    )
    if args.out is None:
        preview = Origin.of(game, settings.rule, settings.start, hard=settings.hard)
        check_target(preview.file_name, Kind.STRATEGY, force=args.force)
    output.say_when_compiling(args.quiet)
    with output.Progress(args.quiet) as progress:
        solved = _solved(args, game, settings, progress)
    if solved is None:
        return _report_nothing(args, game, settings)
    return _report(args, game, solved, settings.start)


def _check(args: argparse.Namespace) -> None:
    """Refuse what cannot work before the work begins."""
    output.check_outputs(args, args.resume)
    check_target(args.resume)
    if args.out == "-":
        raise OutputError("a strategy file is not text; --out names a file, export prints text")
    if args.pure and args.within is None:
        raise OutputError("--pure says how to take --within K, which is missing")
    if args.rule == OPTIMAL:
        if args.pure:
            raise OutputError("--pure is for rules; the optimal strategy needs no repair")
        if args.resume:
            raise OutputError("--rule optimal resumes nothing; 'knuthle optimal --resume' does")
        if args.guess_from == "candidates":
            raise OutputError("--rule optimal guesses from allowed or secrets, not candidates")


def _solved(
    args: argparse.Namespace, game: Game, settings: Settings, progress: output.Progress
) -> Solved | None:
    """The strategy by the rule, within the limit, or the optimal one; None if there is none."""
    from solver.machine.clock import time_limit

    check_time = time_limit(args.time_limit)

    def timed(what: str, new: int, whole: int) -> None:
        check_time()
        progress(what, new, whole)

    if args.rule == OPTIMAL:
        from ...build.optimal import solve_optimal

        return solve_optimal(game, settings, args.within or LIMIT, args.workers or 1, check_time)
    from ...build.by_rule import solve
    from ...build.within import Limit

    limit = None if args.within is None else Limit(args.within, args.pure, check_time)
    return solve(game, settings, args.workers or 1, args.resume, timed, limit)


def _report(args: argparse.Namespace, game: Game, solved: Solved, asked: tuple[str, ...]) -> int:
    """Write the file if there is one to write, and print the result; the exit code."""
    from ...build.within import outcome_of_rule

    strategy = solved.strategy
    outcome = solved.outcome or outcome_of_rule(strategy, LIMIT)
    wanted = outcome.met or args.within is None
    path = None
    if wanted:
        path = args.out or strategy.origin.file_name
        interrupt.check()
        strategy.save(path, force=args.force)
    if args.resume:
        Path(args.resume).unlink(missing_ok=True)
    report = report_of(solved, outcome, path)
    table = (("guesses", "secrets"), list(enumerate(strategy.histogram, 1)))
    output.emit(args, text_of(game, solved, outcome, report, asked), report, table)
    return 0 if wanted else 1


def _report_nothing(args: argparse.Namespace, game: Game, settings: Settings) -> int:
    """Say that no strategy meets the limit, where there is no rule whose figures could be shown."""
    from ...build.within import EXACT, Outcome
    from ...files.origin import Origin

    pool = {"guess_from": args.guess_from, "hard": args.hard}
    origin = Origin.of(game, args.rule, settings.start, **pool)
    outcome = Outcome(args.within or LIMIT, met=False, method=EXACT, proved=True)
    report = facts_of(origin) | dict.fromkeys(_OF_STRATEGY) | {"within": outcome.facts()}
    output.emit(args, impossible_text(outcome, settings.start), report)
    return 1


#: What only a strategy has.
_OF_STRATEGY = (
    "histogram",
    "worst",
    "total",
    "mean",
    "within",
    "beyond",
    "nodes",
    "digest",
    "file",
    "seconds",
)


def facts_of(origin: Origin) -> dict[str, Any]:
    """What was asked for, in the JSON object."""
    return {
        "start": origin.start[0] if len(origin.start) == 1 else list(origin.start),
        "list": origin.list_name,
        "game": origin.game,
        "guesses": origin.guesses,
        "secrets": origin.secrets,
        "secrets_name": origin.secrets_name,
        "rule": origin.rule,
        "guess_from": origin.guess_from,
        "hard": origin.hard,
    }


def report_of(solved: Solved, outcome: Outcome, path: str | None) -> dict[str, Any]:
    """The JSON object; what is impossible is told with the figures of the rule."""
    strategy = solved.strategy
    return facts_of(strategy.origin) | {
        "histogram": strategy.histogram,
        "worst": strategy.worst,
        "total": strategy.total,
        "mean": strategy.mean,
        "within": outcome.facts(),
        "beyond": strategy.beyond(outcome.limit),
        "nodes": strategy.nodes,
        "digest": strategy.digest,
        "file": path,
        "seconds": {part: round(took, 4) for part, took in solved.seconds.items()},
    }


def text_of(
    game: Game, solved: Solved, outcome: Outcome, report: dict[str, Any], asked: tuple[str, ...]
) -> str:
    """What a person reads."""
    from ...build.within import REPAIR

    strategy = solved.strategy
    origin = strategy.origin
    hard = ", hard mode" if origin.hard else ""
    start = ", ".join(word.upper() for word in origin.start)
    label = " (proved: no total is less)" if origin.rule == OPTIMAL else ""
    label = " (repaired)" if outcome.method == REPAIR else label
    took = [
        f"{_PARTS[part]} {solved.seconds[part]:.3f} s" for part in _PARTS if part in solved.seconds
    ]
    lines = [
        f"{start} by {origin.rule}{hard}: "
        f"{counted(origin.secrets, 'secret')} ({origin.secrets_name}), "
        f"{counted(origin.guesses, 'guess', 'guesses')} ({origin.guess_from})",
        f"list {origin.list_name}, guesses {game.guesses_digest[:16]}…, "
        f"secrets {game.secrets_digest[:16]}…",
        "",
        histogram_text(strategy),
        "",
        f"worst {strategy.worst}, total {strategy.total:,}, mean {strategy.mean:.4f}"
        f"{label}; {counted(strategy.nodes, 'node')}",
        limit_text(report),
        f"every secret played: {', '.join(took)}",
        f"digest {strategy.digest}",
        f"written to {report['file']}" if report["file"] else "no file written",
    ]
    if outcome.impossible:
        lines.insert(-1, impossible_text(outcome, asked))
    return "\n".join(lines)


#: Parts of the work as people read them.
_PARTS = {"matrix": "matrix", "search": "search", "repair": "repair", "verify": "verification"}


def impossible_text(outcome: Outcome, start: tuple[str, ...]) -> str:
    """That no strategy at all meets the limit."""
    first = "any first guess" if start == ("auto",) else ", ".join(word.upper() for word in start)
    return f"proved: within {outcome.limit} is impossible from {first}"


def histogram_text(strategy: Strategy) -> str:
    """Guesses, counts and bars."""
    largest = max(strategy.histogram)
    rows = [
        (number, f"{count:,}", render.bar(count, largest))
        for number, count in enumerate(strategy.histogram, 1)
    ]
    return render.table(("guesses", "secrets", ""), rows)


def limit_text(report: dict[str, Any]) -> str:
    """Which secrets lie beyond the limit, the first forty by name."""
    limit, beyond = report["within"]["limit"], report["beyond"]
    if not beyond:
        return f"every secret falls within {counted(limit, 'guess', 'guesses')}"
    more = f" and {len(beyond) - _SHOWN:,} more" if len(beyond) > _SHOWN else ""
    verb = "secret takes" if len(beyond) == 1 else "secrets take"
    return f"{len(beyond):,} {verb} more than {limit}: {' '.join(beyond[:_SHOWN])}{more}"
