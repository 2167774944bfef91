"""Write a strategy as one web page to click through: no network, nothing else to install.

Colour the tiles as the game does and see the next guess, what remains and the way back; look up a
secret's whole game; wander in the tree. The page's address holds the state (page.html#lares.bgbgb).

--serve shows the page to browsers of this machine, and to no other, until Ctrl-C; it writes no file
unless --out names one.

Examples: knuthle explore lares-original-allowed-minimax.strategy
          knuthle explore lares-original-allowed-minimax.strategy --serve 8000
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from ...errors import OutputError
from ...files.names import shown
from ...files.output import Kind, check_apart, check_target
from ...tree import Strategy
from .. import interrupt, options, output

_ANY_PORT = 0
_LAST_PORT = 65535


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of ``explore``: the strategy file, the page, the server."""
    parser.add_argument("file", metavar="FILE", help="a strategy file")
    parser.add_argument(
        "-o", "--out", metavar="FILE|-", help="the page (the strategy's name with .html, here)"
    )
    parser.add_argument(
        "--serve",
        nargs="?",
        type=_port,
        const=_ANY_PORT,
        metavar="PORT",
        help="show it at http://127.0.0.1:PORT/ until Ctrl-C (PORT: any that is free)",
    )
    options.add_output_options(parser)


def run(args: argparse.Namespace) -> int:
    """Run ``explore``: make the page of a strategy; write it, or show it."""
    if args.out == "-" and (args.json == "-" or args.serve is not None):
        raise OutputError("--out - has stdout to itself: no --serve, and --json into a file")
    if args.out is None and args.serve is None:
        args.out = f"{Path(args.file).stem}.html"
    check_apart([args.out, args.json], [args.file])
    check_target(args.json, Kind.JSON, force=args.force)
    check_target(args.out, Kind.PAGE, force=args.force)
    from ...pictures.page import page_of

    strategy = Strategy.load(args.file)
    page = page_of(strategy)
    told = {
        "file": None if args.out == "-" else args.out,
        "address": None,
        "n_bytes": len(page.encode()),
        "n_nodes": strategy.nodes,
        "digest": strategy.digest,
    }
    if args.serve is not None:
        _serve(args, page, told)
        return 0
    _write(args, page)
    args.quiet |= args.out == "-"
    output.emit(args, f"written to {shown(args.out)}, {told['n_bytes']:,} bytes", told)
    return 0


def _write(args: argparse.Namespace, page: str) -> None:
    if args.out is not None:
        output.write_text(args.out, page, args.force)


def _serve(args: argparse.Namespace, page: str, told: dict[str, Any]) -> None:
    """Say where the page is, and show it to whoever asks until the command is ended."""
    from ...pictures.serve import PageServer

    with PageServer(page, args.serve, interrupt.check) as server:
        _write(args, page)
        output.emit(args, server.address, told | {"address": server.address})
        if not args.quiet:
            output.say("Ctrl-C ends this")
        server.serve_forever()


def _port(text: str) -> int:
    """An argparse type: the number of a port."""
    port = options.at_least_one(text)
    if port > _LAST_PORT:
        raise argparse.ArgumentTypeError(f"{text} is too large: at most {_LAST_PORT}")
    return port
