"""Draw strategies: how many secrets take how many guesses, or the tree as an icicle.

The picture is SVG, PNG or PDF by the name of the file. What it shows is printed as a table too.
An icicle has a row for each guess and a box for each state, as wide as it has secrets. Drawing
needs matplotlib: pip install 'knuthle[plot]'.

Examples: knuthle plot salet.strategy lares.strategy -o guesses.svg
          knuthle plot salet.strategy --kind tree -o tree.png
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from solver.errors import WrongInputError

from ...files.names import shown
from ...files.output import write_whole
from .. import options, output, render

if TYPE_CHECKING:
    from ...pictures.plot import Named

KINDS = ("guesses", "tree")
_COLUMNS = ("file", "n_secrets", "worst", "total", "mean", "histogram")


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of ``plot``: the strategies, the picture."""
    parser.add_argument("files", metavar="FILE.strategy", nargs="+")
    parser.add_argument(
        "-o", "--out", dest="plot", metavar="FILE.svg|png|pdf", required=True, help="the picture"
    )
    parser.add_argument("--kind", choices=KINDS, default=KINDS[0], help="what is drawn (guesses)")
    options.add_output_options(parser, csv_table=True)


def run(args: argparse.Namespace) -> int:
    """Run ``plot``: draw strategies, and print what is drawn."""
    from ...pictures.plot import Named, distributions, form_of, icicle, require_matplotlib
    from ...tree import Strategy

    form = form_of(args.plot)
    if args.kind == "tree" and len(args.files) > 1:
        raise WrongInputError("--kind tree draws one strategy at a time")
    output.check_outputs(args)
    require_matplotlib()
    strategies = [Named(Path(name).stem, Strategy.load(name)) for name in args.files]
    if args.kind == "tree":
        content = icicle(strategies[0], form)
    else:
        content = distributions(strategies, form)
    write_whole(args.plot, content, force=args.force)
    rows = [_public(each) for each in strategies]
    result = {"file": Path(args.plot).name, "kind": args.kind, "strategies": rows}
    output.emit(args, _text(strategies), result, (_COLUMNS, rows))
    return 0


def _public(named: Named) -> dict[str, Any]:
    """A strategy as JSON and CSV show it."""
    strategy = named.strategy
    values = (
        *(named.name, len(strategy.secrets), strategy.worst),
        *(strategy.total, strategy.mean, strategy.histogram),
    )
    return dict(zip(_COLUMNS, values, strict=True))


def _text(strategies: list[Named]) -> str:
    """The numbers that the picture shows."""
    worst = max(each.strategy.worst for each in strategies)
    header = ("guesses", *(shown(each.name) for each in strategies))
    rows = [
        (n + 1, *(f"{_at(each.strategy.histogram, n):,}" for each in strategies))
        for n in range(worst)
    ]
    means = ("mean", *(f"{each.strategy.mean:.4f}" for each in strategies))
    return render.table(header, [*rows, means])


def _at(histogram: list[int], place: int) -> int:
    return histogram[place] if place < len(histogram) else 0
