"""The best third word for two given ones, exactly; without words, a good triple.

All triples are too many to try: unless the list is tiny, the triple found without words is a bound,
found by climbing from the best pairs, and the output says so.
"""

from __future__ import annotations

import argparse

from solver.errors import WrongInputError

from ...files.notation import counted
from .. import options, output, render

HELP = "the best third word after two, and good triples"
HEADER = ("rank", "words", "joint entropy", "remaining")


def configure(parser: argparse.ArgumentParser) -> None:
    """Two words or none."""
    parser.add_argument("words", metavar="WORD", nargs="*", help="the two words given")
    parser.add_argument(
        "--top", type=options.at_least_one, default=20, metavar="N", help="the best N thirds (20)"
    )
    options.add_game_options(parser)
    options.add_output_options(parser, csv_table=True)


def run(args: argparse.Namespace) -> int:
    """Search and print."""
    from solver.pairs.triples import TripleSearch

    output.check_outputs(args)
    if len(args.words) not in (0, 2):
        raise WrongInputError("name two words, or none")
    game = options.game_from(args)
    for word in args.words:
        game.guess_id(word)
    output.say_when_compiling(args.quiet)
    search = TripleSearch(game)
    if args.words:
        first, second = args.words
        found = search.thirds(first, second, args.top)
    else:
        with output.Progress(args.quiet, unit="start") as progress:
            found = search.best(lambda new, whole: progress("triples", new, whole))
    public = [
        {
            "words": list(t.words),
            "joint_entropy": t.joint_entropy,
            "remaining_bits": t.remaining_bits,
            "rank": t.rank,
        }
        for t in found.triples
    ]
    claim = "proved" if found.proved else "bound"
    evaluated = counted(found.evaluated, "triple")
    lines = [render.prose(f"{claim}: {found.search}; {evaluated} evaluated"), ""]
    rows = [
        (t.rank, " ".join(t.words), f"{t.joint_entropy:.9f}", f"{t.remaining_bits:.7f}")
        for t in found.triples
    ]
    lines.append(render.table(HEADER, rows) if rows else "no triple: a triple needs three words")
    result = {
        "triples": public,
        "claim": claim,
        "search": found.search,
        "evaluated": found.evaluated,
    }
    header = ("rank", "word", "word2", "word3", "joint_entropy", "remaining_bits")
    csv_rows = [(t.rank, *t.words, t.joint_entropy, t.remaining_bits) for t in found.triples]
    output.emit(args, "\n".join(lines), result, (header, csv_rows))
    return 0
