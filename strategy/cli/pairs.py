"""Pairs of words by the joint entropy of their scores, exactly, over all pairs.

Without words the best pairs; with two words that pair and its rank among all; --with WORD the best
partners of a word. --bottom finds the worst pairs, ranked from the worst.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from solver.errors import WrongInputError

from ..notation import counted
from . import common, render

if TYPE_CHECKING:
    from solver.pairs import Pair, PairSearch, Ranking

HELP = "the best pairs of first words by joint entropy, over all of them"
HEADER = ("rank", "words", "joint entropy", "remaining")


def configure(parser: argparse.ArgumentParser) -> None:
    """Which pairs, and how many."""
    parser.add_argument("words", metavar="WORD", nargs="*", help="two words: their rank")
    parser.add_argument(
        "--top", type=common.at_least_zero, default=20, metavar="N", help="the best N (20)"
    )
    parser.add_argument(
        "--bottom", type=common.at_least_zero, default=0, metavar="N", help="and the worst N (0)"
    )
    parser.add_argument("--with", dest="partner", metavar="WORD", help="pairs with this word only")
    parser.add_argument("--both-answers", action="store_true", help="both words may be the secret")
    common.add_game_options(parser)
    common.add_output_options(parser, csv_table=True)


def run(args: argparse.Namespace) -> int:
    """Search and print."""
    from solver.pairs import PairSearch

    common.check_outputs(args)
    if len(args.words) not in (0, 2) or (args.words and args.partner):
        raise WrongInputError("name two words, or none, or --with one")
    game = common.game_from(args)
    for word in filter(None, (*args.words, args.partner)):
        game.guess_id(word)
    common.say_when_compiling(args.quiet)
    search = PairSearch(game, both_secrets=args.both_answers)
    top, bottom, evaluated = _find(args, search)
    text = "\n…\n".join(_table(part) for part in (top, bottom) if part)
    if not text:
        text = (
            "no pair: a pair needs two words" if search.pairs_in_all == 0 else "no pair asked for"
        )
    lines = [
        f"{counted(search.pairs_in_all, 'pair')} against {counted(len(game.secrets), 'secret')}; "
        f"{evaluated:,} evaluated, the others excluded by proved bounds",
        "",
        text,
    ]
    public = [_public(pair) for pair in (*top, *bottom)]
    result = {"pairs": public, "evaluated": evaluated, "in_all": search.pairs_in_all}
    rows = [(p.rank, *p.words, p.joint_entropy, p.remaining_bits) for p in (*top, *bottom)]
    header = ("rank", "word", "word2", "joint_entropy", "remaining_bits")
    common.emit(args, "\n".join(lines), result, (header, rows))
    return 0


def _find(args: argparse.Namespace, search: PairSearch) -> tuple[list[Pair], list[Pair], int]:
    """The pairs to show, best and worst, and how many were evaluated."""
    with common.Progress(args.quiet, unit="word") as progress:

        def told(new: int, whole: int) -> None:
            progress("pairs", new, whole)

        if args.words:
            first, second = args.words
            named = search.ranked(first, second, told)
            return named.pairs, [], named.evaluated
        if args.partner:
            found = search.partners(args.partner)
            cut = max(args.top, len(found.pairs) - args.bottom)
            return found.pairs[: args.top], found.pairs[cut:], found.evaluated
        found = search.best(args.top, told)
        worst: Ranking | None = search.worst(args.bottom) if args.bottom else None
        more = worst.evaluated if worst else 0
        return found.pairs, worst.pairs if worst else [], found.evaluated + more


def _public(pair: Pair) -> dict[str, Any]:
    return {
        "words": list(pair.words),
        "joint_entropy": pair.joint_entropy,
        "remaining_bits": pair.remaining_bits,
        "rank": pair.rank,
    }


def _table(pairs: Sequence[Pair]) -> str:
    rows = [
        (p.rank, " ".join(p.words), f"{p.joint_entropy:.9f}", f"{p.remaining_bits:.7f}")
        for p in pairs
    ]
    return render.table(HEADER, rows)
