"""What is still possible, and what to guess next.

Clues are words with their scores: "sigma xxxxx tenor xpppx", or parse.BBYBB.clint.BBYYB. Without
clues: the first word. Clues that contradict each other are named (exit 2).
"""

from __future__ import annotations

import argparse
from typing import Any

from . import common, render
from .openers import ORDERS

HELP = "the words still possible and the best next guess"
_SHOWN = 30


def configure(parser: argparse.ArgumentParser) -> None:
    """The clues, the measure, the words allowed."""
    parser.add_argument("state", metavar="STATE", nargs="*", help="sigma xxxxx tenor xpppx")
    parser.add_argument("--by", choices=ORDERS, default="entropy", help="the measure (entropy)")
    parser.add_argument(
        "--top", type=common.at_least_zero, default=10, metavar="N", help="the best N (10)"
    )
    common.add_pool_options(parser.add_argument_group("choice of guesses"))
    common.add_game_options(parser)
    common.add_output_options(parser, csv_table=True)


def run(args: argparse.Namespace) -> int:
    """Print what is left and what to guess."""
    from ..assist import advise

    common.check_outputs(args)
    game = common.game_from(args)
    history = game.parse_state(" ".join(args.state))
    common.say_when_compiling(args.quiet)
    advice = advise(game, history, by=args.by, guess_from=args.guess_from, hard=args.hard)
    rows = list(advice.table.records(advice.table.rows[: args.top]))
    result = {
        "state": [list(step) for step in history],
        "remaining": len(advice.secrets),
        "secrets": list(advice.secrets),
        "by": args.by,
        "suggestions": rows,
    }
    nothing = "no word to show"
    if history and history[-1][1] == game.solved:
        nothing = f"solved: {history[-1][0]}"
        result["suggestions"] = rows = []
    noun = "secret remains" if len(advice.secrets) == 1 else "secrets remain"
    more = " …" if len(advice.secrets) > _SHOWN else ""
    lines = [
        f"{len(advice.secrets):,} {noun}: {' '.join(advice.secrets[:_SHOWN])}{more}",
        "",
        render.table(HEADER, map(_cells, rows)) if rows else nothing,
    ]
    common.emit(args, "\n".join(lines), result, (HEADER, map(_plain, rows)))
    return 0


HEADER = (
    "rank",
    "word",
    "entropy",
    "remaining",
    "expected size",
    "largest",
    "parts",
    "proportion",
    "possible",
)


def _plain(row: dict[str, Any]) -> tuple[Any, ...]:
    return (
        row["rank"],
        row["word"],
        row["entropy"],
        row["remaining_bits"],
        row["expected_size"],
        row["largest"],
        row["parts"],
        row["proportion"],
        int(row["candidate"]),
    )


def _cells(row: dict[str, Any]) -> tuple[str, ...]:
    return (
        str(row["rank"]),
        row["word"],
        f"{row['entropy']:.6f}",
        f"{row['remaining_bits']:.6f}",
        f"{row['expected_size']:.3f}",
        f"{row['largest']:,}",
        f"{row['parts']:,}",
        f"{row['proportion']:.7f}",
        "yes" if row["candidate"] else "",
    )
