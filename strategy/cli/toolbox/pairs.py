"""Pairs of words by the joint entropy of their scores, exactly, over all pairs.

Without words the best pairs; with two words that pair and its rank among all; --with WORD the best
partners of a word. --bottom adds the worst pairs.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from solver.errors import WrongInputError

from ...files.notation import counted
from .. import options, output, render

if TYPE_CHECKING:
    from solver.pairs.pair_search import Pair, PairSearch

HELP = "the best pairs of first words by joint entropy, over all of them"
HEADER = ("rank", "words", "joint entropy", "remaining")


def configure(parser: argparse.ArgumentParser) -> None:
    """Which pairs, and how many."""
    parser.add_argument("words", metavar="WORD", nargs="*", help="two words: their rank")
    parser.add_argument(
        "--top", type=options.at_least_zero, default=20, metavar="N", help="the best N (20)"
    )
    parser.add_argument(
        "--bottom", type=options.at_least_zero, default=0, metavar="N", help="and the worst N (0)"
    )
    parser.add_argument("--with", dest="partner", metavar="WORD", help="pairs with this word only")
    parser.add_argument("--both-answers", action="store_true", help="both words may be the secret")
    options.add_game_options(parser)
    options.add_output_options(parser, csv_table=True)


def run(args: argparse.Namespace) -> int:
    """Search and print."""
    from solver.pairs.pair_search import PairSearch

    output.check_outputs(args)
    if len(args.words) not in (0, 2) or (args.words and args.partner):
        raise WrongInputError("name two words, or none, or --with one")
    game = options.game_from(args)
    for word in filter(None, (*args.words, args.partner)):
        game.guess_id(word)
    output.say_when_compiling(args.quiet)
    search = PairSearch(game, both_secrets=args.both_answers)
    found = _find(args, search)
    text = "\n…\n".join(_table(part) for part in (found.top, found.bottom) if part)
    if not text:
        text = "no pair asked for" if found.in_all else "no pair: a pair needs two words"
    of_word = f" with {args.partner.lower()}" if args.partner else ""
    rest = ", the others decided by proved bounds" if found.evaluated < found.in_all else ""
    lines = [
        render.prose(
            f"{counted(found.in_all, 'pair')}{of_word} against "
            f"{counted(len(game.secrets), 'secret')}; {found.evaluated:,} evaluated{rest}"
        ),
        "",
        text,
    ]
    pairs = (*found.top, *found.bottom)
    public = [_public(pair) for pair in pairs]
    result = {"pairs": public, "evaluated": found.evaluated, "in_all": found.in_all}
    rows = [(p.rank, *p.words, p.joint_entropy, p.remaining_bits) for p in pairs]
    header = ("rank", "word", "word2", "joint_entropy", "remaining_bits")
    output.emit(args, "\n".join(lines), result, (header, rows))
    return 0


class _Found(NamedTuple):
    """The pairs to show, and the work it took."""

    top: list[Pair]
    bottom: list[Pair]
    evaluated: int
    in_all: int


def _find(args: argparse.Namespace, search: PairSearch) -> _Found:
    """Ask for what the options want."""
    with output.Progress(args.quiet, unit="word") as progress:

        def told(new: int, whole: int) -> None:
            progress("pairs", new, whole)

        if args.words:
            first, second = args.words
            named = search.ranked(first, second, told)
            return _Found(named.pairs, [], named.evaluated, named.pairs_in_all)
        if args.partner:
            found = search.partners(args.partner)
            cut = max(args.top, len(found.pairs) - args.bottom)
            top, bottom = found.pairs[: args.top], found.pairs[cut:]
            return _Found(top, bottom, found.evaluated, found.pairs_in_all)
        best = search.best(args.top, told)
        worst = search.worst(min(args.bottom, search.pairs_in_all - len(best.pairs)))
        evaluated = best.evaluated + worst.evaluated
        return _Found(best.pairs, worst.pairs, evaluated, search.pairs_in_all)


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
