"""Write a strategy in a form that other programs read.

text  one line a secret, guess and score in turn: every line begins with the whole history, so
      grep finds all that follows from a state; its sha256 is the digest of the strategy
json  the results and the tree as nested objects
csv   one row a state
dot   a Graphviz digraph
"""

from __future__ import annotations

import argparse

from .. import container
from ..formats import EXPORTS
from ..lookup import load
from . import common

HELP = "write a strategy as text, JSON, CSV or a Graphviz graph"


def configure(parser: argparse.ArgumentParser) -> None:
    """The file and the form."""
    parser.add_argument("file", metavar="FILE", help="a strategy file")
    parser.add_argument("--to", choices=list(EXPORTS), default="text", help="the form (text)")
    parser.add_argument("--out", metavar="FILE|-", default="-", help="where to (stdout)")


def run(args: argparse.Namespace) -> int:
    """Convert and write."""
    container.check_target(args.out)
    container.check_apart([args.out], [args.file])
    common.write_text(args.out, EXPORTS[args.to](load(args.file)))
    return 0
