"""The commands ``web`` and ``explore``: pages, written or shown to the browsers of this machine."""

from __future__ import annotations

import os
import shlex
import sys
import webbrowser
from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..errors import BadFileError, OutputError
from ..files.text import printable
from ..tree import Strategy
from . import options, output
from .interrupts import check_interrupt

if TYPE_CHECKING:
    from ..web.server import LocalServer

#: The same at each start: what a browser keeps (statistics, the page itself) belongs to an address.
PORT = 12972
#: Where one of these is set there is a desktop, whose browser has windows.
_DESKTOPS = ("DISPLAY", "WAYLAND_DISPLAY")


def _configure_web(parser: ArgumentParser) -> None:
    about = "write the page here, for a host, and show nothing"
    options.add(parser, "--out", dest="folder", metavar="FOLDER", help=about)
    options.add(parser, "--port", default=PORT)


def run_web(args: Namespace) -> None:
    """Open the page for any browser: help, games, reviews and strategies.

    The page computes in the browser with the same kernels as the commands, and
    after the first visit it needs no network. It is shown to browsers of this
    machine only, until Ctrl-C; on a desktop your browser opens.

    --out writes the page as a folder of files that any web server can show, at any
    address; --force allows a folder that is not empty.

    Examples: knuthle web
              knuthle web --out page
    """
    from ..web import folder, server

    if args.folder == "-":
        raise OutputError("--out writes a folder, which does not fit into stdout")
    files = folder.contents()
    n_bytes = sum(map(len, files.values()))
    facts = {"folder": args.folder, "address": None, "n_files": len(files), "n_bytes": n_bytes}
    if args.folder is None:
        policy = folder.policy()
        with server.LocalServer(folder.find, policy, args.port, check_interrupt) as shown:
            _show(args, shown, facts, opens=True)
        return
    folder.write(Path(args.folder), force=args.force)
    output.emit(args, f"written to {printable(args.folder)}, {n_bytes:,} bytes", facts)


def _configure_explore(parser: ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", help="a strategy file")
    about = "the page (the strategy's name with .html, here)"
    options.add(parser, "--out", dest="page", metavar="FILE|-", help=about)
    options.add(parser, "--serve")


def run_explore(args: Namespace) -> None:
    """Write a strategy as one web page that works offline, to click through.

    Colour the tiles as the game does and see the next guess and the possible
    answers; look up the whole game of an answer; explore the tree. The page's
    address holds the clues so far (page.html#lares.bgbgb).

    --serve shows the page to browsers of this machine only, until Ctrl-C; it
    writes no file unless --out names one.

    Examples: knuthle explore lares-original-allowed-minimax.strategy
              knuthle explore lares-original-allowed-minimax.strategy --serve 8000
    """
    if args.page == "-" and (args.json == "-" or args.serve is not None):
        raise OutputError("--out - has stdout to itself: no --serve, and --json into a file")
    if args.page is None and args.serve is None:
        args.page = f"{Path(args.file).stem}.html"
        output.check_outputs(args)
    from ..pictures.page import PageServer, page_of

    try:
        strategy = Strategy.load(args.file)
    except BadFileError as error:
        if error.kind != "foreign":
            raise
        own = f"knuthle verify {shlex.quote(args.file)} -o own.strategy"
        why = f"{error}; if another program wrote it: {own}"
        raise BadFileError(error.kind, why) from None
    page = page_of(strategy)
    facts = {"file": None if args.page == "-" else args.page, "address": None}
    facts |= {"n_bytes": len(page.encode()), "n_nodes": strategy.nodes, "digest": strategy.digest}
    if args.serve is not None:
        with PageServer(page, args.serve, check_interrupt) as server:
            if args.page is not None:
                output.write_text(args.page, page, args.force)
            _show(args, server, facts)
        return
    output.write_text(args.page, page, args.force)
    args.quiet |= args.page == "-"
    output.emit(args, f"written to {printable(args.page)}, {facts['n_bytes']:,} bytes", facts)


def _show(args: Namespace, server: LocalServer, facts: dict[str, Any], opens: bool = False) -> None:
    """Say where a page is, and show it until the command is ended; on a desktop it may open."""
    output.emit(args, server.address, facts | {"address": server.address})
    if not args.quiet:
        output.say("Ctrl-C ends this")
    # where there is no desktop a browser would fill the terminal
    desktop = sys.platform in ("win32", "darwin") or any(map(os.environ.get, _DESKTOPS))
    if opens and desktop and sys.stdout.isatty():
        webbrowser.open(server.address)
    server.serve_forever()
