"""Write a strategy in a form that other programs read.

text  one line a secret, guess and score in turn: every line begins with the whole history, so
      grep finds all that follows from a state; its sha256 is the digest of the strategy
tree  one line a game, indented by what it shares with the line above, as other solvers write it
json  the results and the tree as nested objects
csv   one row a state
dot   a Graphviz digraph, of the first guesses of every game unless --depth says how many

All but dot can be read again: 'knuthle import' makes the same strategy of them.

Examples: knuthle export salet.strategy --to tree --out salet.tree
          knuthle export salet.strategy | grep '^salet bbbbb '
"""

from __future__ import annotations

import argparse
import math

from ...errors import OutputError
from ...exports import EXPORTS, to_dot
from ...files.notation import counted
from ...files.output import Kind, check_apart, check_target
from ...tree import Strategy
from .. import options, output

#: A page or two of a drawing; whole strategies are twenty metres high.
_DEPTH = 2


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of ``export``: the strategy file and the form."""
    parser.add_argument("file", metavar="FILE", help="a strategy file")
    parser.add_argument("--to", choices=list(EXPORTS), default="text", help="the form (text)")
    parser.add_argument("--out", metavar="FILE|-", default="-", help="where to (stdout)")
    parser.add_argument(
        "--depth",
        type=_depth_from,
        metavar="N|all",
        help=f"with --to dot: so many guesses of every game ({_DEPTH})",
    )
    options.add_force_option(parser)


def run(args: argparse.Namespace) -> int:
    """Run ``export``: convert a strategy to another form and write it."""
    if args.depth is not None and args.to != "dot":
        raise OutputError("--depth is for --to dot; the other forms are whole")
    check_target(args.out, Kind[args.to.upper()], force=args.force)
    check_apart([args.out], [args.file])
    strategy = Strategy.load(args.file)
    text = (
        _drawn(strategy, args.depth or _DEPTH) if args.to == "dot" else EXPORTS[args.to](strategy)
    )
    output.write_text(args.out, text, args.force)
    return 0


def _depth_from(text: str) -> float:
    """An argparse type: a whole number from 1, or ``all``."""
    return math.inf if text == "all" else options.at_least_one(text)


def _drawn(strategy: Strategy, depth: float) -> str:
    """The first guesses as a graph; what is left out is told."""
    left_out = sum(below > depth for below in strategy.depth)
    if left_out:
        output.say(
            f"drawn to {counted(int(depth), 'guess', 'guesses')}; {left_out:,} of "
            f"{counted(strategy.nodes, 'state')} left out (--depth N or all draws more)"
        )
    return to_dot(strategy, int(depth) if left_out else None)
