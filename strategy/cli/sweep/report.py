"""Say which openers are best and worst: by worst case, by secrets beyond six, by mean.

Then how many keep every secret within six guesses, and where well-known openers stand. --csv and
--parquet hold all openers: worst, total, mean, n_beyond, nodes, how many secrets are solved by
1, 2, … guesses (h1, h2, …), and the digest of the strategy, which is that of the file that
'solve-all' writes. The same table gives the same bytes, however it came about.

Examples: knuthle sweep report sweep.sqlite --sort mean --top 20
          knuthle sweep report sweep.sqlite --csv openers.csv --plot openers.svg
"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from ...errors import OutputError
from ...files.notation import counted
from ...files.output import write_whole
from .. import options, output

if TYPE_CHECKING:
    from ...sweep.report import SweepReport

HELP = "the best and the worst openers, as text, a table or a picture"


def configure(parser: argparse.ArgumentParser) -> None:
    """The database, the order, the forms."""
    parser.add_argument("files", metavar="FILE", nargs=1, help="a database of 'sweep run'")
    parser.add_argument(
        "--sort",
        choices=("worst", "beyond", "mean"),
        help="by one of these alone; tables are in this order too (all three; A to Z)",
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
    """Read, rank, report."""
    from ...pictures.plot import form_of, require_matplotlib

    if args.plot:
        form_of(args.plot)
        require_matplotlib()
    if args.parquet == "-":
        raise OutputError("a Parquet file is no text; --parquet names a file")
    output.check_outputs(args)
    from ...sweep.report import report_of_sweep
    from ...sweep.view import open_sweep
    from . import report_text

    table = open_sweep(args.files[0])
    report = report_of_sweep(table, args.sort)
    if args.sort:
        table = table.in_order([it.row for it in report.ranked[args.sort]])
    if args.parquet:
        write_whole(args.parquet, table.to_parquet(args.times), force=args.force)
    if args.plot:
        output.say_when_compiling(args.quiet)
        write_whole(args.plot, picture(report, form_of(args.plot)), force=args.force)
    form = report_text.markdown_of if args.markdown else report_text.text_of
    text = form(report, args.top, args.bottom, args.times)
    rows = (table.columns(args.times), table.records(args.times))
    output.emit(args, text, report.public(args.top, args.bottom, args.times), rows)
    return 0


def picture(report: SweepReport, form: str) -> bytes:
    """All openers in a plane, those with names that are best, worst or well known."""
    from ...pictures.plot import cloud
    from ...sweep.report import ends_of, entropy_and_mean

    named = [row.opener for row, _ in report.known()]
    for rows in report.ranked.values():
        named += [it.row.opener for some in ends_of(rows, 3, 3) for it in some]
    asked = report.table.question
    title = f"{counted(len(report.table), 'opener')} by {asked.rule}"
    title += f" against {counted(asked.secrets, 'secret')}"
    dots = entropy_and_mean(report.table)
    return cloud(dots, named, "entropy in bits", "mean guesses", title, form)
