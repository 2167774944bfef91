"""Pairs of words by the joint entropy of their scores, exactly, over all pairs.

Joint entropy is what the replies to both words tell together on average, in bits, where each bit
halves what is possible: the more, the fewer secrets are left after both, whatever the order.
Without words the best pairs; with two words that pair and its rank among all; --with WORD the best
partners of a word. --bottom adds the worst pairs.

Examples: knuthle pairs --top 5
          knuthle pairs --with crane --bottom 3
"""

from __future__ import annotations

import argparse
from functools import partial
from typing import Any

from solver.errors import WrongInputError

from ...files.letters import plain
from ...files.notation import counted
from .. import options, output, render
from ..progress import Progress
from . import joint_rows


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of ``pairs``: which pairs, and how many."""
    parser.add_argument("words", metavar="WORD", nargs="*", help="two words: their rank")
    options.add_top_option(parser, 20)
    options.add_bottom_option(parser)
    parser.add_argument("--with", dest="partner", metavar="WORD", help="pairs with this word only")
    parser.add_argument("--both-answers", action="store_true", help="both words may be the secret")
    options.add_game_options(parser)
    options.add_workers_option(parser, default="1")
    options.add_output_options(parser, csv_table=True)


def run(args: argparse.Namespace) -> int:
    """Run ``pairs``: search the pairs and print them."""
    from ...toolbox.pairs import pairs

    output.check_outputs(args)
    if len(args.words) not in (0, 2) or (args.words and args.partner):
        raise WrongInputError("name two words, or none, or --with one")
    game = options.game_from(args)
    named = args.words or ([args.partner] if args.partner else [])
    options.check_words(game, *named)
    output.say_when_compiling(args.quiet)
    with Progress(args.quiet) as progress:
        found = pairs(
            game,
            *named,
            top=args.top,
            bottom=args.bottom,
            both_secrets=args.both_answers,
            workers=args.workers or 1,
            told=partial(progress, "pairs"),
        )
    text = "\n…\n".join(joint_rows.table(part) for part in (found.best, found.worst) if part)
    if not text:
        text = "no pair asked for" if found.in_all else "no pair: a pair needs two words"
    of_word = f" with {plain(args.partner)}" if args.partner else ""
    rest = ", the others decided by proved bounds" if found.evaluated < found.in_all else ""
    about = render.prose(
        f"{counted(found.in_all, 'pair')}{of_word} against "
        f"{counted(len(game.secrets), 'secret')}; {found.evaluated:,} evaluated{rest}"
    )
    shown = [*found.best, *found.worst]
    result: dict[str, Any] = {
        "pairs": [joint_rows.public_row(pair) for pair in shown],
        "n_pairs": found.in_all,
        "n_evaluated": found.evaluated,
    }
    output.emit(args, f"{about}\n\n{text}", result, (joint_rows.COLUMNS, result["pairs"]))
    return 0
