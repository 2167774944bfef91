"""Grow the whole strategy of every opener, play every secret through each, store the figures.

Compiled code that grades from letters plays all secrets of every strategy, the trusted checker
those of every hundredth besides. However a run ends (Ctrl-C, kill, a full disk), the same command
goes on where it was, and comes to the same table. A database of another list, rule or version is
refused. With --shard 3/8 the third of eight machines does its part; 'sweep merge' joins them.

Examples: knuthle sweep run --openers answers --out sweep.sqlite
          knuthle sweep run --openers serai,lares,lants --rule entropy --out three.sqlite
"""

from __future__ import annotations

import argparse
import re
from typing import Any

from ...files.output import check_apart, is_file
from .. import options, output
from ..progress import Progress
from . import state_text

HELP = "compute what has no row yet"


def configure(parser: argparse.ArgumentParser) -> None:
    """Openers, game, rule, who does the work."""
    parser.add_argument(
        "--openers",
        metavar="all|answers|FILE|WORD,…",
        default="all",
        help="every guess, the answers of the list, or those named (default: all)",
    )
    parser.add_argument(
        "--out", metavar="FILE", required=True, help="the database; it is made or goes on"
    )
    options.add_game_options(parser, secrets="allowed")
    options.add_choice_options(parser)
    options.add_workers_option(parser)
    parser.add_argument(
        "--shard",
        type=_shard,
        default=(1, 1),
        metavar="I/N",
        help="do the I-th of N equal parts of the openers",
    )
    options.add_output_options(parser)


def _shard(text: str) -> tuple[int, int]:
    """An argparse type: one of so many parts."""
    found = re.fullmatch(r"(\d{1,9})/(\d{1,9})", text)
    if not found or not 1 <= int(found[1]) <= int(found[2]):
        raise argparse.ArgumentTypeError(f"{text!r} is no part such as 3/8, the third of eight")
    return int(found[1]), int(found[2])


def run(args: argparse.Namespace) -> int:
    """Go on until all is done, and say how far it is."""
    database, args.out = args.out, None
    output.check_outputs(args, database)
    inputs = [name for name in (args.list_name, args.secrets, args.openers) if is_file(name)]
    check_apart([database], inputs)
    from ...build.by_rule import Settings
    from ...sweep.run import sweep_openers

    game = options.game_from(args)
    settings = Settings(rule=args.rule, guess_from=args.guess_from, hard=args.hard)
    how: dict[str, Any] = {"workers": args.workers, "shard": args.shard}
    output.say_when_compiling(args.quiet)
    with Progress(args.quiet) as progress:
        table = sweep_openers(game, database, args.openers, settings, **how, progress=progress)
    output.emit(args, state_text.state_text(table), table.state())
    return 0
