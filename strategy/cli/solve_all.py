"""The command ``solve-all``, and the facts of a strategy that ``optimal`` reports too."""

from __future__ import annotations

import glob
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from solver.choices import OPTIMAL

from ..errors import NoStrategyError, OutputError
from ..exports import head_facts, results
from ..files.output import Attempts, Kind, bound_name, check_target
from ..files.strategy_file import Origin
from ..files.text import capitals, counted, printable
from . import options, output, tables
from .interrupts import check_interrupt
from .option_table import LIMIT_OF_GAME
from .options import Weighted

if TYPE_CHECKING:
    from ..solving import by_rule, checks
    from ..tree import Strategy

#: So many secrets beyond the limit are named.
_NAMED_BEYOND = 40
#: Parts of the work, and what people read.
_WORK_PARTS = {"matrix": "matrix", "search": "search", "repair": "repair"}
_WORK_PARTS |= {"verify": "verification", "compile": "compilation"}


def _configure_solve_all(parser: ArgumentParser) -> None:
    options.add_start_option(parser, "the rule's own first guess")
    options.add_game_options(parser, secrets="allowed")
    options.add_choice_options(parser, OPTIMAL)
    options.add(parser, "--weights", "--then")
    group = parser.add_argument_group("limit")
    about = "every secret within K guesses: exact search repairs the strategy, or "
    about += "proves that it is impossible (exit 1 and no file)"
    options.add(group, "--within", type=LIMIT_OF_GAME, metavar="K", help=about)
    options.add(group, "--pure", "--time-limit")
    faster = "1, which is faster than a pool for one opener"
    options.add(parser, "--workers", help=f"processes that share the work (default: {faster})")
    about = "continue from FILE if it is there; an interrupted run leaves its tree in it"
    options.add(parser, "--resume", help=about)
    about = "the strategy file (default: START-LIST-SECRETS-RULE.strategy in this directory)"
    options.add(parser, "--out", help=about)


def run_solve_all(args: Namespace) -> int:
    """Build the whole strategy of one opener by a rule, check it, and write it to a
    file.

    A strategy says what to guess after every possible reply. A guess splits the
    possible words into buckets, one for each reply. The default rule is Knuth's
    minimax: of all words the one whose largest bucket is smallest. Ties: a word
    that is still possible comes first, then alphabetical order. The checker plays
    a game for every secret. With --within K every secret must be found in K
    guesses: exact search repairs what takes more, or proves that it is impossible.
    --rule optimal finds the strategy with the least total of guesses within K
    (default 6), with proof; with --weights, the least sum of weight times guesses;
    with --then, among equal totals the one that is best by a second objective.

    Examples: knuthle solve-all --start lares
              knuthle solve-all --start crane --secrets answers --within 5
    """
    weighted = options.weighted_from(args)
    game = weighted.game
    from ..solving.by_rule import Settings, solve
    from ..solving.checks import fixed_guesses

    start = fixed_guesses(game, args.start) or ("auto",)
    settings = Settings(start, args.rule, args.guess_from, args.hard)
    check_out(args, weighted, args.rule, start)
    output.say_memory_needed(game, args.quiet)
    try:
        with output.at_work(args.quiet) as progress:
            asked = options.asked(solve, args, weights=weighted.weights)
            solved = solve(game, settings, args.workers or 1, args.resume, progress, **asked)
    except NoStrategyError as error:
        preview = Origin.of(game, args.rule, start, guess_from=args.guess_from, hard=args.hard)
        report = report_of(preview, None, error.outcome, None) | {"seconds": None}
        report |= {"then": None} if args.then else {}
        report |= weight_facts(weighted, None)
        output.emit(args, _impossible_text(error.outcome, start), report, game=game)
        return 1
    strategy, path, attempts = solved.strategy, None, Attempts()
    wanted = solved.outcome.met or args.within is None
    if wanted:
        path = args.out or strategy.origin.file_name
        check_interrupt()
        attempts.make(partial(strategy.save, path, force=args.force))
        path = None if attempts.failures else path
    if args.resume and not attempts.failures:
        Path(args.resume).unlink(missing_ok=True)
    report = report_of(strategy.origin, strategy, solved.outcome, path)
    report |= {"seconds": rounded(solved.seconds)}
    report |= {"then": strategy.origin.then} if args.then else {}
    report |= weight_facts(weighted, strategy)
    rows = [{"n_taken": taken, "count": n} for taken, n in enumerate(strategy.histogram, 1)]
    text = _solved_text(solved, report, start, weighted.about)
    attempts.make(partial(output.emit, args, text, report, (("n_taken", "count"), rows)))
    attempts.conclude()
    return 0 if wanted else 1


def _solved_text(
    solved: by_rule.Solved, report: dict[str, Any], start: Sequence[str], about: Sequence[str]
) -> str:
    from ..solving.checks import REPAIR

    strategy, outcome, seconds = solved.strategy, solved.outcome, solved.seconds
    origin, limit, beyond = strategy.origin, report["within"]["limit"], report["beyond"]
    first = ", ".join(map(capitals, origin.start))
    label = " (proved: no total is less)" if origin.rule == OPTIMAL else ""
    label = " (repaired)" if outcome.method == REPAIR else label
    shown = {part for part, took in seconds.items() if took or part != "compile"}
    parts = {part: name for part, name in _WORK_PARTS.items() if part in shown}
    took = [f"{name} {seconds[part]:.3f} s" for part, name in parts.items()]
    within = f"every secret falls within {counted(limit, 'guess', 'guesses')}"
    if beyond:
        many = counted(len(beyond), "secret takes", "secrets take")
        n_more = len(beyond) - _NAMED_BEYOND
        more = f" and {n_more:,} more" if n_more > 0 else ""
        within = f"{many} more than {limit}: {' '.join(beyond[:_NAMED_BEYOND])}{more}"
    lines = [
        tables.about_game(origin, f"{first} by {origin.rule}"),
        "",
        tables.histogram(strategy.histogram),
        "",
        *about,
        f"worst {strategy.worst}, total {report['total']:,}, mean {report['mean']:.4f}"
        f"{label}; {counted(strategy.nodes, 'node')}",
        *second_lines(report.get("then")),
        within,
        f"every secret played: {', '.join(took)}",
        f"digest {strategy.digest}",
        f"written to {printable(report['file'])}" if report["file"] else "no file written",
    ]
    if outcome.impossible:
        lines.insert(-1, _impossible_text(outcome, start))
    return "\n".join(lines)


def _impossible_text(outcome: checks.Outcome, start: Sequence[str]) -> str:
    """What ``solve-all`` prints if no strategy at all meets the limit."""
    first = "any first guess" if start == ("auto",) else ", ".join(map(capitals, start))
    return f"proved: within {outcome.limit} is impossible from {first}"


# ---- What ``optimal`` reports too

#: A second objective in words, for K guesses.
_SECOND = {
    "worst": "among equal totals the least worst case: {value:,}",
    "most-within": "among equal totals the most secrets within {k}: {value:,}",
    "fewest-of": "among equal totals the fewest secrets that take {k}: {value:,}",
}


def second_lines(then: dict[str, Any] | None) -> list[str]:
    """The second objective of a strategy, and whether it is proved; nothing without one."""
    if then is None:
        return []
    kind, _, guesses = then["objective"].partition(":")
    label = "proved" if then["proved"] else "bound"
    return [f"{_SECOND[kind].format(k=guesses, value=then['value'])} ({label})"]


def report_of(
    origin: Origin, strategy: Strategy | None, outcome: checks.Outcome, path: str | None
) -> dict[str, Any]:
    """The JSON of ``solve-all``, and most of ``optimal``'s; null is what only a strategy has."""
    beyond, report = None, head_facts(origin) | results(strategy)
    if strategy is not None:
        if by_weight := strategy.origin.weights:
            total = by_weight["total"]
            report |= {"total": total, "mean": total / by_weight["sum"]}
        beyond = [] if outcome.limit is None else strategy.beyond(outcome.limit)
    return report | {
        "within": outcome.facts(),
        "n_beyond": None if beyond is None else len(beyond),
        "beyond": beyond,
        "file": path,
    }


def weight_facts(weighted: Weighted, strategy: Strategy | None) -> dict[str, Any]:
    """The JSON of the weights that a search was given, empty without them; null: no strategy."""
    if weighted.weights is None:
        return {}
    claimed = {} if strategy is None else strategy.origin.weights
    more = {name: claimed.get(name) for name in ("sum", "digest")}
    return weighted.facts | {"weights": weighted.facts["weights"] | more}


def check_out(args: Namespace, weighted: Weighted, rule: str, start: Sequence[str] = ()) -> None:
    """Before a strategy is solved for, refuse the name of its file, given or made by its result.

    Where the first guess is free, any may be the one; all names are equally long. Where the search
    may be broken off, by the rule ``optimal``, the name of a bound is looked at too.
    """
    if args.out == "-":
        raise OutputError("a strategy file is not text; --out names a file, export prints text")
    if args.out is not None:
        return
    game, free = weighted.game, tuple(start) in ((), ("auto",))
    words = (game.guesses[0],) if free else tuple(start)
    pool = {"guess_from": args.guess_from, "hard": args.hard}
    pool |= {} if weighted.weights is None else {"claim": {"weights": {}}}
    usual = Origin.of(game, rule, words, **pool).file_name
    for name in (usual, bound_name(usual)) if rule == "optimal" else (usual,):
        check_target(name, Kind.STRATEGY, force=args.force)
        rest = name.removeprefix(words[0])
        for other in sorted(Path().glob(f"*{glob.escape(rest)}")) if free else ():
            if other.name.removesuffix(rest) in game.guesses:
                check_target(other, Kind.STRATEGY, force=args.force)


def rounded(seconds: dict[str, float]) -> dict[str, float]:
    """The seconds of each part of building a strategy, as a command's JSON says them."""
    return {part: round(took, 4) for part, took in seconds.items()}
