"""The best third word for two given ones, exactly; without words, a good triple.

Triples are ranked by joint entropy: what the replies to all three words tell together on average,
in bits. All triples are too many to try: unless the list is tiny, the triple found without words is
a bound, found by climbing from the best pairs, and the output says so.

Examples: knuthle triples --top 3
          knuthle triples crane moist
"""

from __future__ import annotations

import argparse
from functools import partial
from typing import Any

from solver.errors import WrongInputError

from ...files.notation import counted
from .. import options, output, render
from ..progress import Progress
from . import joint_rows


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of ``triples``: two words or none."""
    parser.add_argument("words", metavar="WORD", nargs="*", help="the two words given")
    options.add_top_option(parser, 20, noun="N thirds", least=options.at_least_one)
    options.add_game_options(parser)
    options.add_workers_option(parser, default="1")
    options.add_output_options(parser, csv_table=True)


def run(args: argparse.Namespace) -> int:
    """Run ``triples``: search third words and print the triples."""
    from ...toolbox.pairs import triples

    output.check_outputs(args)
    if len(args.words) not in (0, 2):
        raise WrongInputError("name two words, or none")
    game = options.game_from(args)
    options.check_words(game, *args.words)
    output.say_when_compiling(args.quiet)
    with Progress(args.quiet) as progress:
        found = triples(
            game,
            *args.words,
            top=args.top,
            workers=args.workers or 1,
            told=partial(progress, "triples"),
        )
    claim = "proved" if found.proved else "bound"
    evaluated = counted(found.evaluated, "triple")
    about = render.prose(f"{claim}: {found.search}; {evaluated} evaluated")
    text = "no triple: a triple needs three words"
    if found.triples:
        text = joint_rows.table(found.triples)
    result: dict[str, Any] = {
        "triples": [joint_rows.public_row(triple) for triple in found.triples],
        "proved": found.proved,
        "search": found.search,
        "n_evaluated": found.evaluated,
    }
    output.emit(args, f"{about}\n\n{text}", result, (joint_rows.COLUMNS, result["triples"]))
    return 0
