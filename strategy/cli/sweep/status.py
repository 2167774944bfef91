"""Say how far a sweep is, and whether a run is at work on it. Exit 0: nothing is left to do.

Examples: knuthle sweep status sweep.sqlite
          knuthle sweep status sweep.sqlite --json -
"""

from __future__ import annotations

import argparse

from .. import options, output
from . import state_text

HELP = "say how far it is"


def configure(parser: argparse.ArgumentParser) -> None:
    """The database."""
    parser.add_argument("files", metavar="FILE", nargs=1, help="a database of 'sweep run'")
    options.add_output_options(parser)


def run(args: argparse.Namespace) -> int:
    """Read and report."""
    output.check_outputs(args)
    from ...sweep.view import open_sweep

    table = open_sweep(args.files[0])
    output.emit(args, state_text.state_text(table), table.state())
    return 1 if table.missing else 0
