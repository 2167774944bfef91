"""Say which openers are best and worst: by worst case, by secrets beyond six, by mean.

Then how many keep every secret within six guesses, and where well-known openers stand. --csv and
--parquet hold all openers: worst, total, mean, n_beyond, nodes, how many secrets are solved by
1, 2, … guesses (h1, h2, …), and the digest of the strategy, which is that of the file that
'solve-all' writes. The same table gives the same bytes, however it came about.

Of --rule optimal: the values in order, then the bounds of what is not exact, 8,123-8,140. A
rank is '?' as long as an opener with bounds may come before it.

Examples: knuthle sweep report sweep.sqlite --sort mean --top 20
          knuthle sweep report sweep.sqlite --csv openers.csv --plot openers.svg
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import TYPE_CHECKING

from solver.errors import WrongInputError

from ...errors import OutputError
from ...files.notation import counted
from ...files.output import write_whole
from .. import options, output

if TYPE_CHECKING:
    from ...sweep.optimal.report import ExactReport
    from ...sweep.optimal.view import ExactTable
    from ...sweep.report import SweepReport
    from ...sweep.view import SweepTable

HELP = "the best and the worst openers, as text, a table or a picture"


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of ``sweep report``: the database, the order, the forms."""
    parser.add_argument("files", metavar="FILE", nargs=1, help="a database of 'sweep run'")
    parser.add_argument(
        "--sort",
        choices=("worst", "beyond", "mean", "value"),
        help="by one of these alone; tables are in this order too (all three; A to Z). value: of "
        "--rule optimal, bounds after what is exact",
    )
    options.add_top_option(parser, 10, "N of each")
    parser.add_argument(
        "--bottom", type=options.at_least_zero, default=5, metavar="N", help="the worst N (5)"
    )
    parser.add_argument("--times", action="store_true", help="CPU times as well")
    parser.add_argument("--markdown", action="store_true", help="print it as Markdown")
    parser.add_argument("--plot", metavar="FILE.svg|png|pdf", help="draw entropy against mean")
    parser.add_argument("--parquet", metavar="FILE", help="write the table as Parquet")
    options.add_output_options(parser, csv_table=True)


def run(args: argparse.Namespace) -> int:
    """Run ``sweep report``: read a database, rank its openers, report."""
    from ...pictures.plot import form_of, require_matplotlib

    if args.plot:
        form_of(args.plot)
        require_matplotlib()
    if args.parquet == "-":
        raise OutputError("a Parquet file is no text; --parquet names a file")
    output.check_outputs(args)
    from ...sweep.optimal.view import open_any_sweep
    from ...sweep.view import SweepTable

    table = open_any_sweep(args.files[0])
    if isinstance(table, SweepTable):
        _report(args, table)
    else:
        _report_exact(args, table)
    return 0


def _report(args: argparse.Namespace, table: SweepTable) -> None:
    """The report on a sweep by a rule."""
    from ...sweep.report import report_of_sweep
    from . import report_text

    if args.sort == "value":
        raise WrongInputError("--sort value is for sweeps by --rule optimal; this one is by a rule")
    report = report_of_sweep(table, args.sort)
    ranked = [it.row for it in report.ranked[args.sort]] if args.sort else table.rows
    form = report_text.markdown_of if args.markdown else report_text.text_of
    text = form(report, args.top, args.bottom, args.times)
    _write(args, report, table.in_order(ranked), text, lambda form: picture(report, form))


def _report_exact(args: argparse.Namespace, table: ExactTable) -> None:
    """The report on a sweep for what is best."""
    from ...sweep.optimal.report import report_of_exact_sweep
    from . import exact_text

    if args.sort not in (None, "value"):
        raise WrongInputError(f"--sort {args.sort} is for sweeps by a rule; here it is value")
    report = report_of_exact_sweep(table)
    ranked = [it.row for it in report.ranked] if args.sort else table.rows
    form = exact_text.markdown_of if args.markdown else exact_text.text_of
    text = form(report, args.top, args.bottom, args.times)
    _write(args, report, table.in_order(ranked), text, lambda form: exact_picture(report, form))


def _write(
    args: argparse.Namespace,
    report: SweepReport | ExactReport,
    table: SweepTable | ExactTable,
    text: str,
    drawn: Callable[[str], bytes],
) -> None:
    """The report in all forms that are asked for; first those that are no text."""
    from ...pictures.plot import form_of

    if args.parquet:
        write_whole(args.parquet, table.to_parquet(args.times), force=args.force)
    if args.plot:
        output.say_when_compiling(args.quiet)
        write_whole(args.plot, drawn(form_of(args.plot)), force=args.force)
    rows = (table.columns(args.times), table.records(args.times))
    output.emit(args, text, report.public(args.top, args.bottom, args.times), rows)


def picture(report: SweepReport, form: str) -> bytes:
    """The picture that ``sweep report`` draws of a sweep by a rule: all openers in a plane.

    Those have names that are best, worst or well known.
    """
    from ...pictures.plot import cloud
    from ...sweep.report import best_and_worst, entropy_and_mean

    named = [row.opener for row, _ in report.known()]
    for rows in report.ranked.values():
        named += [it.row.opener for some in best_and_worst(rows, 3, 3) for it in some]
    asked = report.table.question
    title = f"{counted(len(report.table), 'opener')} by {asked.rule}"
    title += f" against {counted(asked.secrets, 'secret')}"
    dots = entropy_and_mean(report.table)
    return cloud(dots, named, "entropy in bits", "mean guesses", title, form)


def exact_picture(report: ExactReport, form: str) -> bytes:
    """The picture that ``sweep report`` draws of an exact sweep: its exact openers in a plane.

    Those have names that are best or well known.
    """
    from ...pictures.plot import cloud
    from ...sweep.optimal.report import entropy_and_value

    values = report.of_state("exact")
    named = [it.row.opener for it in [*report.known(), *values[:3], *values[-3:]]]
    dots = entropy_and_value(report.table)
    secrets = counted(report.table.question.secrets, "secret")
    title = f"{counted(len(dots), 'opener')} at best against {secrets}"
    drawn = {dot.word for dot in dots}
    shown = [word for word in named if word in drawn]
    return cloud(dots, shown, "entropy in bits", "mean guesses", title, form)
