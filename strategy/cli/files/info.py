"""Say what a file is: its game, lists, rule and results.

Strategies, proofs and what an interrupted search has left (--resume) are told apart by looking.

Examples: knuthle info lares-original-allowed-minimax.strategy
          knuthle info salet.tree --json -
"""

from __future__ import annotations

import argparse

from ... import verification
from ...files.names import shown
from .. import options, output


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of ``info``: the file."""
    parser.add_argument("file", metavar="FILE", help="a file that knuthle wrote")
    options.add_output_options(parser)


def run(args: argparse.Namespace) -> int:
    """Run ``info``: print the head and the results of a file."""
    output.check_outputs(args, inputs=[args.file])
    result = verification.describe(args.file)
    rows = {shown(key): shown(_text(value)) for key, value in result.items()}
    width = max(map(len, rows))
    text = "\n".join(f"{key:<{width}}  {value}" for key, value in rows.items())
    output.emit(args, text, result)
    return 0


def _text(value: object) -> str:
    if isinstance(value, list):
        return ", ".join(map(str, value))
    if isinstance(value, dict):
        return ", ".join(f"{key} {inner}" for key, inner in value.items())
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:.8f}" if isinstance(value, float) else str(value)
