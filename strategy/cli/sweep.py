"""The command ``sweep``: run, status, report and merge."""

from __future__ import annotations

import contextlib
from argparse import SUPPRESS, ArgumentParser, Namespace
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from solver.choices import LIMIT, OPTIMAL, SWEPT_OBJECTIVES
from solver.errors import WrongInputError
from solver.machine.clock import OutOfTimeError

from ..columns import Column, attributes, cells, headings
from ..errors import OutputError
from ..files.output import is_file, write_whole
from ..files.text import capitals, counted
from ..pictures.plot import form_of, plane
from . import options, output, tables
from .interrupts import interrupt_set_aside

if TYPE_CHECKING:
    from ..sweep.table import ExactTable, SweepTable


def _configure_sweep(parser: ArgumentParser) -> None:
    options.add_actions(parser, ACTIONS)


def run_sweep(args: Namespace) -> int | None:
    """The whole strategy of every opener, computed on all cores or on many machines.

    'run' fills a database with a row for each opener, and resumes an interrupted
    run; 'status' shows the progress; 'merge' joins the databases of several
    machines; 'report' shows the best and the worst openers.

    Examples: knuthle sweep run --openers answers --out sweep.sqlite
              knuthle sweep report sweep.sqlite --top 5
    """
    return ACTIONS[args.action].run(args)


def _configure_run(parser: ArgumentParser) -> None:
    options.add(parser, "--openers", "--database")
    options.add_game_options(parser, secrets="allowed")
    options.add_choice_options(parser, OPTIMAL)
    group = parser.add_argument_group("with --rule optimal")
    options.add(group, "--swept")
    about = "no secret may take more guesses; none lifts the limit (6)"
    options.add(group, "--within", default=SUPPRESS, help=about)
    about = "give up after S seconds: exit 3, and what is not exact stays between bounds"
    options.add(group, "--time-limit", help=about)
    options.add(parser, "--workers", "--shard")
    options.add_dask_options(parser)


def _run(args: Namespace) -> None:
    """Build the whole strategy of every opener, check each, and store its figures.

    Compiled code that grades from letters plays all secrets of every strategy; the
    trusted checker also plays those of every hundredth strategy. However a run
    ends (Ctrl-C, kill, a full disk), the same command resumes it and ends with the
    same table. A database of another list, rule or version is refused. --shard 3/8
    does the third of eight parts, one for each machine; 'sweep merge' joins them.

    --rule optimal finds the fewest guesses that each opener needs with best play:
    exact if time allows, otherwise between bounds, which later runs improve. Every
    exact value is proved, and a strategy attains it.

    Examples: knuthle sweep run --openers answers --out sweep.sqlite
              knuthle sweep run --rule optimal --secrets answers --out best.sqlite
    """
    from ..sweep.table import open_sweep

    place, sweep = options.dask_place_from(args), _sweep_of(args)
    game, how = options.game_from(args), dict[str, Any]()
    with contextlib.ExitStack() as after:
        progress = after.enter_context(output.at_work(args.quiet))
        if place is not None:
            from ..sweep.runners import by_dask

            how["runner"] = after.enter_context(by_dask(place))
        try:
            swept = sweep(game, args.database, args.openers, **how, progress=progress)
        except KeyboardInterrupt:
            with interrupt_set_aside():
                if not args.quiet and is_file(args.database):
                    facts = open_sweep(args.database).state()
                    many = f"{facts['n_done']:,} of {facts['n_asked']:,} openers done"
                    output.say(f"{many}; the same command resumes")
            raise
    left = _emit_state(args, swept)
    if args.time_limit is not None and left:
        limit = f"{args.time_limit:g} s, the time limit; the same command goes on"
        raise OutOfTimeError(f"{counted(left, 'opener')} not exact after {limit}")


def _sweep_of(args: Namespace) -> Callable[..., Any]:
    """The library's sweep that the options describe."""
    from ..solving.by_rule import Settings
    from ..sweep.run import sweep_openers, sweep_optimal

    if args.rule == OPTIMAL:
        objective, within = args.objective or SWEPT_OBJECTIVES[0], getattr(args, "within", LIMIT)
        asked = options.asked(sweep_optimal, args, objective=objective, within=within)
        return partial(sweep_optimal, **asked)
    if args.objective or args.time_limit or "within" in args:
        raise WrongInputError("--objective, --within and --time-limit are for --rule optimal")
    settings = Settings(**attributes(args, "rule guess_from hard"))
    return partial(sweep_openers, **options.asked(sweep_openers, args, settings=settings))


def _emit_state(args: Namespace, swept: SweepTable | ExactTable) -> int:
    """Print how far a sweep of either kind is; returns how many openers are to do."""
    facts = swept.state()
    n_left = int(facts["n_asked"] - facts["n_done"])
    left = f"{counted(n_left, 'opener')} to do" if n_left else "nothing left to do"
    left += "; a run is at work" if swept.running else ""
    if swept.question.objective is not None:
        done = [f"{_counts_text(facts)}; {left}"]
    else:
        played = f"the trusted checker played {facts['n_replayed']:,} of them too"
        played = f"every secret played; {played}"
        done = [f"{len(swept):,} of {facts['n_asked']:,} done, {left}", played]
    output.emit(args, "\n".join([_heading(swept), *done, *_time_lines(swept)]), facts)
    return n_left


def _configure_status(parser: ArgumentParser) -> None:
    parser.add_argument("files", metavar="FILE", nargs=1, help="a database of 'sweep run'")


def _status(args: Namespace) -> int:
    """Show the progress of a sweep, and whether a run is active. Exit 0: it is
    complete.

    Examples: knuthle sweep status sweep.sqlite
              knuthle sweep status sweep.sqlite --json -
    """
    from ..sweep.table import open_sweep

    return 1 if _emit_state(args, open_sweep(args.files[0])) else 0


def _configure_report(parser: ArgumentParser) -> None:
    parser.add_argument("files", metavar="FILE", nargs=1, help="a database of 'sweep run'")
    options.add(parser, "--sort")
    options.add(parser, "--top", default=10, help="the best N of each")
    options.add(parser, "--bottom", default=5, help="the worst N")
    options.add(parser, "--times", "--markdown")
    options.add(parser, "--plot", help="draw entropy against mean")
    options.add(parser, "--parquet")


def _report(args: Namespace) -> None:
    """Show the best and the worst openers: by worst case, secrets beyond six, and
    mean.

    It also says how many openers solve every secret within six guesses, and shows
    well-known openers. --csv and --parquet hold all openers: worst, total, mean,
    n_beyond, nodes, how many secrets are solved by 1, 2, … guesses (h1, h2, …),
    and the digest of the strategy, which is that of the file that 'solve-all'
    writes. The same table always gives the same bytes.

    With --rule optimal: exact values in order, then bounds, such as 8,123-8,140. A
    rank is '?' while an opener with bounds may still come before it.

    Examples: knuthle sweep report sweep.sqlite --sort mean --top 20
              knuthle sweep report sweep.sqlite --csv openers.csv --plot openers.svg
    """
    if args.plot:
        form_of(args.plot)
    if args.parquet == "-":
        raise OutputError("a Parquet file is no text; --parquet names a file")
    from ..sweep import table

    swept: Any = table.open_sweep(args.files[0])
    found = table.report_of(swept, args.sort)
    text = _report_text(args, found)
    if args.sort:
        swept = swept.in_order(found.in_order)
    if args.parquet:
        write_whole(args.parquet, swept.to_parquet(args.times), force=args.force)
    if args.plot:
        output.say_when_compiling(args.quiet)
        question, (dots, labelled) = found.table.question, found.dots()
        how = "at best" if question.objective else f"by {question.rule}"
        openers = counted(len(dots), "opener")
        title = f"{openers} {how} against {counted(question.secrets, 'secret')}"
        axes = "entropy in bits", "mean guesses"
        picture = plane(dots, *axes, title, form_of(args.plot), labelled)
        write_whole(args.plot, picture, force=args.force)
    rows = (swept.columns(args.times), swept.records(args.times))
    output.emit(args, text, found.public(args.top, args.bottom, args.times), rows)


def _configure_merge(parser: ArgumentParser) -> None:
    parser.add_argument("files", metavar="FILE", nargs="+", help="databases of 'sweep run'")
    options.add(parser, "--database")


def _merge(args: Namespace) -> None:
    """Join databases of the same list, rule and version, e.g. those of several
    machines.

    If two of them have the same opener, its figures must be equal (of bounds the
    closer ones are kept, unless they contradict each other); otherwise nothing is
    written and the exit code is 1.

    Examples: knuthle sweep merge part1.sqlite part2.sqlite --out sweep.sqlite
              knuthle sweep merge part*.sqlite --out sweep.sqlite --json -
    """
    from ..sweep.table import merge_sweeps

    _emit_state(args, merge_sweeps(args.files, args.database))


_REPORT = "the best and the worst openers, as text, a table or a picture"
ACTIONS = {
    "run": options.Action("compute the rows that are missing", _configure_run, _run),
    "status": options.Action("show the progress", _configure_status, _status),
    "report": options.Action(_REPORT, _configure_report, _report, csv_table=True),
    "merge": options.Action("make one database of several", _configure_merge, _merge),
}

_RANK = Column("rank", "rank", lambda it: "?" if it.rank is None else f"{it.rank:,}")
_OPENER = Column("opener", "opener", lambda it: capitals(it.row.opener))
#: The columns of openers by a rule: figures of the rows that are ranked.
_BY_RULE = (
    _RANK,
    _OPENER,
    Column("worst", "worst", "", attrgetter("row.worst")),
    Column("n_beyond", "beyond six", ",d", attrgetter("row.n_beyond")),
    Column("mean", "mean", ".4f", attrgetter("row.mean")),
    Column("total", "total", ",d", attrgetter("row.total")),
    Column("nodes", "nodes", ",d", attrgetter("row.nodes")),
)
#: What an objective makes least, as headings of tables say it.
_LEAST = {"total": "total", "worst": "worst case", "possible": "limit"}
#: The states of openers of an exact sweep, as facts and as people call them.
_COUNTED = {"n_exact": "exact", "n_bounds": "between bounds", "n_possible": "possible"}
_COUNTED |= {"n_impossible": "impossible", "n_missing": "not looked at"}

#: Rows of a table with the heading above it and the names of its columns.
_Section = tuple[str, Sequence[str], Sequence[Sequence[object]]]


def _heading(swept: SweepTable | ExactTable) -> str:
    """The lines by which the command ``sweep`` says what a sweep of either kind is about."""
    question = swept.question
    if question.objective is None:
        return tables.about_game(question, f"{counted(len(swept), 'opener')} by {question.rule}")
    limit = "without a limit" if question.within is None else f"within {question.within}"
    asked = f"least {_LEAST[question.objective]} {limit}"
    asked = f"{limit} or not" if question.objective == "possible" else asked
    return tables.about_game(question, f"{counted(len(swept.openers), 'opener')}, {asked}")


def _report_text(args: Namespace, found: Any) -> str:
    """The report on a sweep of either kind, for a terminal or in Markdown."""
    swept, markdown, summary = found.table, args.markdown, list[str]()
    is_exact, heading = swept.question.objective is not None, _heading(swept)
    if is_exact:
        summary.append(_counts_text(swept.facts()))
    elif swept.missing:
        summary.append(f"unfinished: {counted(len(swept.missing), 'opener')} without a row yet")
    if not is_exact and found.share_within is not None:
        of = f"of {counted(len(swept), 'opener')} ({100 * found.share_within:.2f} %)"
        summary.append(f"{found.n_within:,} {of} solve every secret within six guesses")
    summary += _time_lines(swept) if args.times else []
    sections = _exact_sections if is_exact else _rule_sections
    parts = [heading.replace("\n", "  \n") if markdown else heading, "\n".join(summary)]
    for name, header, rows in sections(found, args.top, args.bottom):
        if markdown:  # for a page of documentation: openers left, numbers right
            lines = [header, ["---" if it == "opener" else "---:" for it in header], *rows]
            table = "\n".join(f"| {' | '.join(map(str, row))} |" for row in lines)
            parts.append(f"### {name[0].upper()}{name[1:]}\n\n{table}")
        else:
            parts.append(f"{name}\n{tables.table(header, rows, indent='  ')}")
    return "\n\n".join(parts)


def _time_lines(swept: SweepTable | ExactTable) -> list[str]:
    """The CPU time of all rows, and of each where a rule plays; nothing without rows."""
    if not len(swept):
        return []
    by_rule = swept.question.objective is None
    mean = f", {1000 * swept.seconds / len(swept):.1f} ms an opener" if by_rule else ""
    return [f"CPU time {swept.seconds:,.1f} s{mean}"]


def _counts_text(facts: dict[str, Any]) -> str:
    """How many openers of an exact sweep are exact, bounded, impossible."""
    parts = [f"{facts[key]:,} {name}" for key, name in _COUNTED.items() if facts[key]]
    return ", ".join(parts) or "nothing is known yet"


def _rule_sections(found: Any, top: int, bottom: int) -> Iterable[_Section]:
    """Of a sweep by a rule: the best and the worst by each sort, and the well-known openers."""
    from ..sweep.table import SORTED_BY, best_and_worst

    for by, rows in found.ranked.items():
        for what, some in zip(("best", "worst"), best_and_worst(rows, top, bottom), strict=True):
            if some:
                yield f"{what} by {SORTED_BY[by]}", headings(_BY_RULE), cells(_BY_RULE, some)
    if known := found.known():
        header = ("opener", "worst", "beyond six", "mean", *(f"rank by {by}" for by in known[0][1]))
        yield "well-known openers", header, [
            (capitals(row.opener), row.worst, f"{row.n_beyond:,}", f"{row.mean:.4f}",
             *(f"{rank:,}" for rank in ranks.values()))
            for row, ranks in known
        ]  # fmt: skip


def _exact_sections(found: Any, top: int, bottom: int) -> Iterable[_Section]:
    """Of an exact sweep: values, bounds, what is possible or not, and the well-known openers."""
    from ..sweep.table import best_and_worst

    least = found.table.question.objective
    columns = [_RANK, _OPENER, Column("value", _LEAST[least], lambda it: it.row.value_text())]
    if least == "total":
        columns.append(Column("mean", "mean", ".4f", lambda it: found.table.record(it.row)["mean"]))
    best, worst = best_and_worst(found.of_state("exact"), top, bottom)
    for name, rows in (
        ("best", best),
        ("worst", worst),
        ("bounds, the lowest first", found.of_state("bounds")[:top]),
        ("possible", found.of_state("possible")[:top]),
        ("impossible", found.of_state("impossible")[:top]),
        ("well-known openers", found.known()),
    ):
        if rows:
            yield name, headings(columns), cells(columns, rows)
