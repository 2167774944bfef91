"""The command ``explore``: a strategy as a web page."""

from __future__ import annotations

import argparse
import shlex
from pathlib import Path
from typing import Any

from ..errors import BadFileError, OutputError
from ..files.output import Kind, check_apart, check_target
from ..files.text import printable
from ..tree import Strategy
from . import options, output
from .interrupts import check_interrupt


def configure_explore(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of ``explore``: the strategy file, the page, the server."""
    parser.add_argument("file", metavar="FILE", help="a strategy file")
    about = "the page (the strategy's name with .html, here)"
    options.add(parser, "--out", metavar="FILE|-", help=about)
    options.add(parser, "--serve")
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
    """The strategy of a file; one of another program must become a strategy file first."""
    try:
        return Strategy.load(path)
    except BadFileError as error:
        if error.kind != "foreign":
            raise
        hint = f"if another program wrote it: knuthle verify {shlex.quote(path)} -o own.strategy"
        raise BadFileError(error.kind, f"{error}; {hint}") from None


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
