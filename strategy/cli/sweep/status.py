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
    """Add the arguments of ``sweep status``: the database."""
    parser.add_argument("files", metavar="FILE", nargs=1, help="a database of 'sweep run'")
    options.add_output_options(parser)


def run(args: argparse.Namespace) -> int:
    """Run ``sweep status``: read a database and say how far the sweep is."""
    output.check_outputs(args)
    from ...sweep.optimal.view import open_any_sweep

    table = open_any_sweep(args.files[0])
    facts = table.state()
    output.emit(args, state_text.any_state_text(table), facts)
    return 0 if facts["n_done"] == facts["n_asked"] else 1
