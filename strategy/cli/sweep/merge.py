"""Make one database of several, of one list, rule and version: the parts of several machines.

An opener that two of them have must have the same figures in both (of bounds the closer ones are
kept, unless they contradict each other); else nothing is written and the exit code is 1.

Examples: knuthle sweep merge part1.sqlite part2.sqlite --out sweep.sqlite
          knuthle sweep merge part*.sqlite --out sweep.sqlite --json -
"""

from __future__ import annotations

import argparse

from .. import options, output
from . import state_text

HELP = "make one database of several"


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of ``sweep merge``: the parts, and the whole."""
    parser.add_argument("files", metavar="FILE", nargs="+", help="databases of 'sweep run'")
    parser.add_argument(
        "--out", metavar="FILE", required=True, help="the database; made, or added to"
    )
    options.add_output_options(parser)


def run(args: argparse.Namespace) -> int:
    """Run ``sweep merge``: merge databases and report."""
    database, args.out = args.out, None
    output.check_outputs(args, database)
    from ...sweep.optimal.merge import merge_any_sweeps

    table = merge_any_sweeps(args.files, database)
    output.emit(args, state_text.any_state_text(table), table.state())
    return 0
