"""The command ``web``: the page for any browser, shown to this machine or written for a host."""

from __future__ import annotations

import argparse
import os
import sys
import webbrowser
from pathlib import Path
from typing import Any

from ..errors import OutputError
from ..files.output import Kind, check_target
from ..files.text import printable
from . import options, output
from .interrupts import check_interrupt

#: The same at each start: what a browser keeps (statistics, the page itself) belongs to an address.
PORT = 12972
#: Where one of these is set there is a desktop, whose browser has windows.
_DESKTOPS = ("DISPLAY", "WAYLAND_DISPLAY")


def configure_web(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of ``web``: the folder to write, the port."""
    about = "write the page here, for a host, and show nothing"
    options.add(parser, "--out", metavar="FOLDER", help=about)
    options.add(parser, "--port", default=PORT)
    options.add_output_options(parser)


def run_web(args: argparse.Namespace) -> int:
    """Open the page for any browser: help, games, reviews and strategies.

    The page computes in the browser with the same kernels as the commands, and
    after the first visit it needs no network. It is shown to browsers of this
    machine only, until Ctrl-C; on a desktop your browser opens.

    --out writes the page as a folder of files that any web server can show, at any
    address; --force allows a folder that is not empty.

    Examples: knuthle web
              knuthle web --out page
    """
    from ..web import folder

    if args.out == "-":
        raise OutputError("--out writes a folder, which does not fit into stdout")
    check_target(args.json, Kind.JSON, force=args.force)
    if args.out is None:
        _show(args)
        return 0
    n_bytes = folder.write(Path(args.out), force=args.force)
    facts = _facts() | {"folder": args.out, "n_bytes": n_bytes}
    output.emit(args, f"written to {printable(args.out)}, {n_bytes:,} bytes", facts)
    return 0


def _facts() -> dict[str, Any]:
    from ..web.folder import contents

    files = contents()
    n_bytes = sum(map(len, files.values()))
    return {"folder": None, "address": None, "n_files": len(files), "n_bytes": n_bytes}


def _show(args: argparse.Namespace) -> None:
    """Say where the page is, open it, and show it until the command is ended."""
    from ..web import folder
    from ..web.server import LocalServer

    with LocalServer(folder.find, folder.policy(), args.port, check_interrupt) as server:
        output.emit(args, server.address, _facts() | {"address": server.address})
        if not args.quiet:
            output.say("Ctrl-C ends this")
        if sys.stdout.isatty() and _has_desktop():
            webbrowser.open(server.address)
        server.serve_forever()


def _has_desktop() -> bool:
    """Whether a browser would open a window, and not fill the terminal."""
    return sys.platform in ("win32", "darwin") or any(map(os.environ.get, _DESKTOPS))
