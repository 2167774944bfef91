"""Turn a strategy that another program has written into a strategy file.

FILE is an indented tree of text, nested JSON, lines with a game each, or what 'export --to tree',
'json', 'csv' and 'text' write; which it is shows by looking. Every secret is played first, by
letters alone: what is wrong is not imported, and every fault is named (exit 1). With --hard the
strategy must keep to hard mode, and the file says that it does.

Examples: knuthle import salet.tree -o salet.strategy
          knuthle import mine.json --list words.txt --secrets hidden.txt -o mine.strategy
"""

from __future__ import annotations

import argparse

from ... import any_form
from ...files.names import shown
from ...files.notation import counted
from .. import options, output
from . import fault_rows


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of ``import``: the foreign file, its lists, where the strategy goes."""
    parser.add_argument("file", metavar="FILE", help="a strategy, in any form that is read")
    parser.add_argument(
        "-o", "--out", metavar="FILE", required=True, help="the strategy file to write"
    )
    options.add_judged_options(parser)
    options.add_output_options(parser)


def run(args: argparse.Namespace) -> int:
    """Run ``import``: read a foreign file, play its strategy, write it as one of ours."""
    output.check_outputs(args, inputs=[args.file])
    found = any_form.examine(args.file, **options.held_to(args))
    result = {"file": args.file, "form": found.form} | fault_rows.facts_of(found)
    if found.strategy is None:
        lines = [f"WRONG  {shown(args.file)}: {shown(found.reason)}; nothing is written"]
        text = "\n".join([*lines, *fault_rows.lines_of(found.judgement.faults)])
        output.emit(args, text, result | {"out": None})
        return 1
    found.strategy.save(args.out, force=args.force)
    text = (
        f"{shown(args.file)}: {found.form}, {counted(found.judgement.n_secrets, 'secret')}, "
        f"{fault_rows.figures(found.judgement)}, {found.lists.how}\n"
        f"written to {shown(args.out)}"
    )
    output.emit(args, text, result | {"out": args.out})
    return 0
