"""The commands ``plot`` and ``explore``: strategies as pictures and as a web page."""

from __future__ import annotations

import argparse
import shlex
from operator import attrgetter
from pathlib import Path
from typing import Any

from solver.errors import WrongInputError

from ..columns import Column, names, records
from ..errors import BadFileError, OutputError
from ..files.output import Kind, check_apart, check_target, write_whole
from ..files.text import printable
from ..pictures.plot import Named, distributions, form_of, icicle, require_matplotlib
from ..tree import Strategy
from . import options, output, tables
from .interrupts import check_interrupt

# ---- plot

_KINDS = ("guesses", "tree")
_PLOT_COLUMNS = (
    Column("file", value=attrgetter("name")),
    Column("n_secrets", value=lambda named: len(named.strategy.secrets)),
    *(
        Column(name, value=attrgetter(f"strategy.{name}"))
        for name in ("worst", "total", "mean", "histogram")
    ),
)


def configure_plot(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of ``plot``: the strategies, the picture."""
    parser.add_argument("files", metavar="FILE", nargs="+", help="strategy files")
    parser.add_argument(
        "-o", "--out", dest="plot", metavar="FILE.svg|png|pdf", required=True, help="the picture"
    )
    parser.add_argument("--kind", choices=_KINDS, default=_KINDS[0], help="what is drawn (guesses)")
    options.add_output_options(parser, csv_table=True)


def run_plot(args: argparse.Namespace) -> int:
    """Draw strategies: how many secrets take how many guesses, or the tree.

    The picture is SVG, PNG or PDF by the name of the file; its figures are printed
    as a table too. The tree has a row for each guess and a box for each state; the
    width is the number of its secrets. Drawing needs matplotlib: pip install
    '.[plot]' in the folder of knuthle's sources.

    Examples: knuthle plot salet.strategy lares.strategy -o guesses.svg
              knuthle plot salet.strategy --kind tree -o tree.png
    """
    form, is_tree = form_of(args.plot), args.kind == "tree"
    if is_tree and len(args.files) > 1:
        raise WrongInputError("--kind tree draws one strategy at a time")
    output.check_outputs(args)
    require_matplotlib()
    strategies = [Named(Path(name).stem, Strategy.load(name)) for name in args.files]
    content = icicle(strategies[0], form) if is_tree else distributions(strategies, form)
    write_whole(args.plot, content, force=args.force)
    rows = records(_PLOT_COLUMNS, strategies)
    result = {"file": Path(args.plot).name, "kind": args.kind, "strategies": rows}
    output.emit(args, _histograms_text(strategies), result, (names(_PLOT_COLUMNS), rows))
    return 0


def _histograms_text(strategies: list[Named]) -> str:
    """The numbers that the picture shows."""
    worst = max(each.strategy.worst for each in strategies)
    header = ("guesses", *(printable(each.name) for each in strategies))
    rows = [
        (n, *(f"{sum(each.strategy.histogram[n - 1 : n]):,}" for each in strategies))
        for n in range(1, worst + 1)
    ]
    means = ("mean", *(f"{each.strategy.mean:.4f}" for each in strategies))
    return tables.table(header, [*rows, means])


# ---- explore

_ANY_PORT = 0
_LAST_PORT = 65535


def configure_explore(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of ``explore``: the strategy file, the page, the server."""
    parser.add_argument("file", metavar="FILE", help="a strategy file")
    parser.add_argument(
        "-o", "--out", metavar="FILE|-", help="the page (the strategy's name with .html, here)"
    )
    parser.add_argument(
        "--serve",
        nargs="?",
        type=options.whole(1, _LAST_PORT),
        const=_ANY_PORT,
        metavar="PORT",
        help="show it at http://127.0.0.1:PORT/ until Ctrl-C (PORT: any that is free)",
    )
    options.add_output_options(parser)


def run_explore(args: argparse.Namespace) -> int:
    """Write a strategy as one web page that works offline, to click through.

    Colour the tiles as the game does and see the next guess and the possible
    answers; look up the whole game of an answer; explore the tree. The page's
    address holds the clues so far (page.html#lares.bgbgb).

    --serve shows the page to browsers of this machine only, until Ctrl-C; it
    writes no file unless --out names one.

    Examples: knuthle explore lares-original-allowed-minimax.strategy
              knuthle explore lares-original-allowed-minimax.strategy --serve 8000
    """
    if args.out == "-" and (args.json == "-" or args.serve is not None):
        raise OutputError("--out - has stdout to itself: no --serve, and --json into a file")
    if args.out is None and args.serve is None:
        args.out = f"{Path(args.file).stem}.html"
    check_apart([args.out, args.json], [args.file])
    check_target(args.json, Kind.JSON, force=args.force)
    check_target(args.out, Kind.PAGE, force=args.force)
    from ..pictures.page import page_of

    strategy = _loaded(args.file)
    page = page_of(strategy)
    facts = {
        "file": None if args.out == "-" else args.out,
        "address": None,
        "n_bytes": len(page.encode()),
        "n_nodes": strategy.nodes,
        "digest": strategy.digest,
    }
    if args.serve is not None:
        _serve_page(args, page, facts)
        return 0
    output.write_text(args.out, page, args.force)
    args.quiet |= args.out == "-"
    output.emit(args, f"written to {printable(args.out)}, {facts['n_bytes']:,} bytes", facts)
    return 0


def _loaded(path: str) -> Strategy:
    """The strategy of a file; one of another program must be imported first."""
    try:
        return Strategy.load(path)
    except BadFileError as error:
        if error.kind != "foreign":
            raise
        raise BadFileError(
            error.kind,
            f"{error}; if another program wrote it, import it first: "
            f"knuthle import {shlex.quote(path)} -o imported.strategy",
        ) from None


def _serve_page(args: argparse.Namespace, page: str, facts: dict[str, Any]) -> None:
    """Say where the page is, and show it to whoever asks until the command is ended."""
    from ..pictures.page import PageServer

    with PageServer(page, args.serve, check_interrupt) as server:
        if args.out is not None:
            output.write_text(args.out, page, args.force)
        output.emit(args, server.address, facts | {"address": server.address})
        if not args.quiet:
            output.say("Ctrl-C ends this")
        server.serve_forever()
