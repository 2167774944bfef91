"""Build the whole strategy of one opener by a rule, play every secret through it, write the file.

The default rule is Knuth's minimax: of all words the one whose largest bucket is smallest, among
equals a remaining candidate, among those the first in alphabetical order.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .. import container
from ..errors import OutputError
from . import common, interrupt, render

if TYPE_CHECKING:
    from solver.game import Game

    from ..build import Solved
    from ..tree import Strategy

HELP = "build, verify and write the whole strategy of one opener"
LIMIT = 6
_SHOWN = 40


def configure(parser: argparse.ArgumentParser) -> None:
    """All options of the command."""
    from solver import words

    parser.add_argument(
        "--start",
        metavar="WORD[,WORD…]|auto",
        default="auto",
        help="the first guesses, whatever the replies; auto: the rule's own first guess (auto)",
    )
    common.add_game_options(parser, secrets="allowed", list_name=words.DEFAULT_LIST)
    common.add_choice_options(parser, common.RULES)
    group = parser.add_argument_group("limit")
    group.add_argument(
        "--within",
        type=common.at_least_one,
        metavar="K",
        help="demand that every secret falls within K guesses: exit 1 and no file if not",
    )
    group.add_argument(
        "--pure", action="store_true", help="with --within: the rule alone, nothing repaired"
    )
    common.add_workers_option(parser, default="1, which is faster than a pool for one opener")
    parser.add_argument(
        "--resume",
        metavar="FILE",
        help="continue from FILE if it is there; an interrupted run leaves its tree in it",
    )
    common.add_output_options(parser, csv_table=True)
    parser.add_argument(
        "--out",
        metavar="FILE",
        help="the strategy file (default: START-LIST-SECRETS-RULE.strategy in this directory)",
    )


def run(args: argparse.Namespace) -> int:
    """Solve, verify, write, report."""
    common.check_outputs(args, args.resume)
    container.check_target(args.resume)
    if args.out == "-":
        raise OutputError("a strategy file is not text; --out names a file, export prints text")
    game = common.game_from(args)
    from ..build import Settings, solve
    from ..tree import Origin

    settings = Settings(
        start=common.starts_from(args.start, game),
        rule=args.rule,
        guess_from=args.guess_from,
        hard=args.hard,
    )
    if args.out is None:
        preview = Origin.of(game, settings.rule, settings.start, hard=settings.hard)
        container.check_target(preview.file_name)
    common.say_when_compiling(args.quiet)
    with common.Progress(args.quiet) as progress:
        solved = solve(game, settings, args.workers or 1, args.resume, progress)
    strategy = solved.strategy
    met = strategy.worst <= (args.within or LIMIT)
    path = None
    if met or args.within is None:
        path = args.out or strategy.origin.file_name
        interrupt.check()
        strategy.save(path)
        if args.resume:
            Path(args.resume).unlink(missing_ok=True)
    report = report_of(solved, path, args.within)
    table = (("guesses", "secrets"), list(enumerate(strategy.histogram, 1)))
    common.emit(args, text_of(game, solved, report), report, table)
    return 0 if met or args.within is None else 1


def report_of(solved: Solved, path: str | None, within: int | None) -> dict[str, Any]:
    """The JSON object."""
    strategy = solved.strategy
    origin = strategy.origin
    limit = within or LIMIT
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
        "histogram": strategy.histogram,
        "worst": strategy.worst,
        "total": strategy.total,
        "mean": strategy.mean,
        "within": {
            "limit": limit,
            "met": strategy.worst <= limit,
            "method": "rule",
            "proved": False,
        },
        "beyond": strategy.beyond(limit),
        "nodes": strategy.nodes,
        "digest": strategy.digest,
        "file": path,
        "seconds": {part: round(took, 4) for part, took in solved.seconds.items()},
    }


def text_of(game: Game, solved: Solved, report: dict[str, Any]) -> str:
    """What a person reads."""
    strategy, seconds = solved.strategy, solved.seconds
    origin = strategy.origin
    hard = ", hard mode" if origin.hard else ""
    start = ", ".join(word.upper() for word in origin.start)
    lines = [
        f"{start} by {origin.rule}{hard}: {origin.secrets:,} secrets ({origin.secrets_name}), "
        f"{origin.guesses:,} guesses ({origin.guess_from})",
        f"list {origin.list_name}, guesses {game.guesses_digest[:16]}…, "
        f"secrets {game.secrets_digest[:16]}…",
        "",
        histogram_text(strategy),
        "",
        f"worst {strategy.worst}, total {strategy.total:,}, mean {strategy.mean:.4f}; "
        f"{strategy.nodes:,} nodes",
        limit_text(report),
        f"every secret played: matrix {seconds['matrix']:.3f} s, search {seconds['search']:.3f} s, "
        f"verification {seconds['verify']:.3f} s",
        f"digest {strategy.digest}",
        f"written to {report['file']}" if report["file"] else "no file written",
    ]
    return "\n".join(lines)


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
        return f"every secret falls within {limit} guesses"
    more = f" and {len(beyond) - _SHOWN:,} more" if len(beyond) > _SHOWN else ""
    verb = "secret takes" if len(beyond) == 1 else "secrets take"
    return f"{len(beyond):,} {verb} more than {limit}: {' '.join(beyond[:_SHOWN])}{more}"
