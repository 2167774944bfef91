"""What to guess in a state, by a strategy file.

A state is a row of guesses with their colours: lares.bbybb.cling.bybbb, or with spaces, where
b is grey (or x, -), y yellow (or p), g green (or o). No state: the first guess.

Examples: knuthle lookup lares-original-allowed-minimax.strategy
          knuthle lookup lares-original-allowed-minimax.strategy lares bbybb
"""

from __future__ import annotations

import argparse

from ...tree import Strategy
from .. import options, output

_SHOWN = 10


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of ``lookup``: the strategy file and the state."""
    parser.add_argument("file", metavar="FILE", help="a strategy file")
    options.add_state_argument(parser, "lares.bbybb.cling.bybbb")
    options.add_output_options(parser)


def run(args: argparse.Namespace) -> int:
    """Run ``lookup``: print the next guess in a state and how many secrets remain."""
    output.check_outputs(args, inputs=[args.file])
    strategy = Strategy.load(args.file)
    history = strategy.parse_state(" ".join(args.state))
    guess = strategy.next_guess(history)
    remaining = strategy.remaining(history)
    result = {
        "state": [list(step) for step in history],
        "guess": guess,
        "remaining": len(remaining),
        "secrets": remaining,
    }
    some = " ".join(remaining) if len(remaining) <= _SHOWN else ""
    noun = "secret remains" if len(remaining) == 1 else "secrets remain"
    text = f"{guess}  ({len(remaining):,} {noun}{': ' + some if some else ''})"
    output.emit(args, text, result)
    return 0
