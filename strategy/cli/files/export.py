"""Write a strategy in a form that other programs read.

text  one line a secret, guess and score in turn: every line begins with the whole history, so
      grep finds all that follows from a state; its sha256 is the digest of the strategy
json  the results and the tree as nested objects
csv   one row a state
dot   a Graphviz digraph
"""

from __future__ import annotations

import argparse

from ...exports import EXPORTS
from ...files.output import Kind, check_apart, check_target
from ...tree import Strategy
from .. import options, output

HELP = "write a strategy as text, JSON, CSV or a Graphviz graph"


def configure(parser: argparse.ArgumentParser) -> None:
    """The file and the form."""
    parser.add_argument("file", metavar="FILE", help="a strategy file")
    parser.add_argument("--to", choices=list(EXPORTS), default="text", help="the form (text)")
    parser.add_argument("--out", metavar="FILE|-", default="-", help="where to (stdout)")
    options.add_force_option(parser)


def run(args: argparse.Namespace) -> int:
    """Convert and write."""
    check_target(args.out, Kind[args.to.upper()], force=args.force)
    check_apart([args.out], [args.file])
    output.write_text(args.out, EXPORTS[args.to](Strategy.load(args.file)), args.force)
    return 0
