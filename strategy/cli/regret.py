"""The command ``regret``: what guesses cost against the best one, as a table and JSON."""

from __future__ import annotations

import argparse
import sys

from ..columns import Column, attributes, names, records
from ..files.text import capitals, counted, terms_of
from . import options, output, tables
from .option_table import or_word, seconds
from .tiles import Tiles


def configure_regret(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of ``regret``: the guesses, the clues before them, how long it may take."""
    parser.add_argument("words", metavar="WORD[,WORD…]", help="the guesses to judge")
    options.add_state_argument(parser, "crane bybbg")
    options.add(parser, "--hard", help="hard mode is played: what it forbids has no regret")
    kind = or_word("none", None, seconds)
    about = "give bounds after S seconds a guess; none: search to the end (2)"
    options.add(parser, "--time-limit", type=kind, default=2.0, metavar="S|none", help=about)
    options.add_game_options(parser)
    options.add(parser, "--weights", "--colours")
    options.add_output_options(parser, csv_table=True)


def run_regret(args: argparse.Namespace) -> int:
    """What a guess costs against the best one, in guesses.

    The regret is the average number of guesses that are still needed from this
    guess on, itself included, less that of the best guess: 0 for a best one. The
    average is over the answers that fit the clues, with best play and without a
    limit of guesses. Where the search takes too long two bounds are given, low and
    high, and the regret lies between them.

    With up to 100 possible answers it is exact, and takes some milliseconds. First
    guesses of the list 'original' come from a table of records, where all 12,972
    are settled. "fits" says whether a guess keeps to all clues so far; with --hard
    a guess that is not allowed has no regret.

    Examples: knuthle regret sloth crane bybbb
              knuthle regret crane,soare --json -
    """
    from ..play.regret import Judge

    weighted = options.weighted_from(args)
    game, words = weighted.game, [word.strip() for word in args.words.split(",")]
    options.check_words(game, *words)
    state = game.parse_state(" ".join(args.state))
    output.say_when_compiling(args.quiet)
    judge = Judge(game, hard=args.hard, weights=weighted.weights, time_limit=args.time_limit)
    found = judge.regrets([state] * len(words), words)
    first, code = found[0], Tiles.of(sys.stdout, args.colours).code
    columns = (
        Column("word", "guess", lambda row: code(game, row.word)),
        *tables.between("regret", "not allowed"),
        *tables.between("expected", "not allowed"),
        Column("exact"),
        Column("legal"),
        Column("consistent", "fits"),
    )
    rows = records(columns, found)
    facts = {"state": state, "remaining": first.remaining, "hard": args.hard, **weighted.facts}
    facts |= records(tables.between("least"), [first])[0] | attributes(first, "best recorded")
    facts["guesses"] = rows
    secrets = counted(first.remaining, terms_of(game.spec).secret)
    best = " ".join(code(game, capitals(word)) for word in first.best)
    notes = [f"{secrets} possible; the best guess takes {first.least} on average: {best}"]
    if first.recorded:
        notes.append("by the table of records")
    if any(each.regret and not each.exact for each in found):
        notes.append("– between bounds; --time-limit none searches to the end")
    lines = [*map(tables.prose, weighted.about), tables.table_of(columns, found), ""]
    text = "\n".join([*lines, *map(tables.prose, notes)])
    output.emit(args, text, facts, (names(columns), rows), game)
    return 0
