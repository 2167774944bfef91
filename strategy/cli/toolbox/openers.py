"""Rank openers: every word, or the words named.

The replies to a word part the secrets into buckets, a reply a bucket; the finer, the better the
word. parts: how many buckets; minimax: how many secrets are in the largest; expected-size: how many
are left on average. entropy: what the reply tells on average, in bits, where each bit halves what
is possible; remaining: how many bits are still missing then. proportion: the share of secrets that
is ruled out on average, and a little more for a word that may be the secret. Words that are equal
share a rank and stand in alphabetical order. --by letters counts letters by place, spells a word
from the commonest, and ranks it and its neighbours.

Examples: knuthle openers --top 10
          knuthle openers crane slate --list nyt-2023
"""

from __future__ import annotations

import argparse
import dataclasses
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from solver.choices import MEASURES
from solver.errors import WrongInputError

from ...files.letters import capitals
from ...files.notation import counted
from ...files.output import write_whole
from .. import options, output, render
from . import guess_rows

if TYPE_CHECKING:
    from solver.game.game import Game
    from solver.splits.letter_counts import LetterStatistics

    from ...toolbox.openers import RankedGuess

HEADER = (*guess_rows.COLUMNS, "answer")
#: Columns that a narrow terminal does without, the first one first: it says what entropy says.
SPARE = ("remaining", "expected size", "largest")


#: What a picture shows beside the entropy.
AGAINST = ("parts", "guesses", "expected-size")


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of ``openers``: words, measure, how many."""
    parser.add_argument("words", metavar="WORD", nargs="*", help="rank these words (default: all)")
    parser.add_argument(
        "--by",
        choices=(*MEASURES, "letters"),
        default=MEASURES[0],
        help="the measure (entropy)",
    )
    options.add_top_option(parser, 20)
    options.add_bottom_option(parser)
    parser.add_argument("--plot", metavar="FILE.svg|png|pdf", help="draw them by two measures")
    parser.add_argument(
        "--against",
        choices=AGAINST,
        default=AGAINST[0],
        help="what is drawn against the entropy (parts); guesses: expected, by a strategy",
    )
    options.add_game_options(parser)
    options.add_weights_option(parser)
    options.add_output_options(parser, csv_table=True)


def run(args: argparse.Namespace) -> int:
    """Run ``openers``: rank first words and print the table."""
    from ...toolbox.openers import openers

    if args.plot:
        from ...pictures.plot import form_of, require_matplotlib

        form_of(args.plot)
        if args.by == "letters":
            raise WrongInputError("--plot draws measures, and --by letters ranks by none")
        require_matplotlib()
    output.check_outputs(args)
    if args.by == "letters" and args.weights:
        raise WrongInputError("--by letters counts letters of guesses, which --weights does not do")
    game, weighted = options.weighted_from(args)
    options.check_words(game, *args.words)
    output.say_memory_needed(game, args.quiet)
    output.say_when_compiling(args.quiet)
    if args.by == "letters":
        return _letters(args, game)
    weights = weighted.weights if weighted else None
    rows = openers(game, args.words, by=args.by, top=args.top, bottom=args.bottom, weights=weights)
    if args.plot:
        _draw(args, game, rows, weights)
    cut = len(rows) if args.words else args.top
    text = "\n…\n".join(_table(part) for part in (rows[:cut], rows[cut:]) if part)
    words, secrets = counted(len(game.guesses), "word"), counted(len(game.secrets), "secret")
    about = render.prose(f"{words} by {args.by} against {secrets}")
    if weighted:
        about += f"\n{render.prose(weighted.about())}"
    public = [vars(row) for row in rows]
    result = _sizes(args, game) | options.public_weights(weighted) | {"openers": public}
    text = "\n".join([about, "", text or "no word asked for"])
    output.emit(args, text, result, (_columns(), public))
    return 0


def _draw(
    args: argparse.Namespace, game: Game, rows: list[RankedGuess], weights: Any | None
) -> None:
    """The rows of the table in a plane."""
    from ...pictures.plot import Dot, form_of, plane
    from ...toolbox.openers import guesses_by_entropy

    words = [row.word for row in rows]
    heights: list[float] = [row.parts for row in rows]
    says = "parts"
    if args.against == "expected-size":
        heights, says = [row.expected_size for row in rows], "expected size"
    elif args.against == "guesses":
        heights = guesses_by_entropy(game, words, weights)
        says = "expected guesses, if entropy chooses all later ones"
    dots = [
        Dot(word, row.entropy, height)
        for word, row, height in zip(words, rows, heights, strict=True)
    ]
    title = f"{counted(len(dots), 'first word')} against {counted(len(game.secrets), 'secret')}"
    if weights is not None:
        title += ", by weight"
    content = plane(dots, "entropy in bits", says, title, form_of(args.plot))
    write_whole(args.plot, content, force=args.force)


def _sizes(args: argparse.Namespace, game: Game) -> dict[str, Any]:
    """What the ranking is about, as JSON shows it."""
    return {"by": args.by, "n_guesses": len(game.guesses), "n_secrets": len(game.secrets)}


def _columns() -> list[str]:
    """The names of the values in a row."""
    from ...toolbox.openers import RankedGuess

    return [field.name for field in dataclasses.fields(RankedGuess)]


def _cells(row: RankedGuess) -> list[str]:
    """A row as a person reads it."""
    return [*guess_rows.cells(row), "yes" if row.candidate else ""]


def _table(rows: Iterable[RankedGuess]) -> str:
    return render.table(HEADER, map(_cells, rows), spare=SPARE)


def _letters(args: argparse.Namespace, game: Game) -> int:
    """Letter frequencies, the word they spell, and what its neighbours are worth."""
    from ...toolbox.openers import MORE_MEASURES, spelled_opener

    spelled = spelled_opener(game, args.words)
    letters, rows = spelled.letters, spelled.words
    more = {by: f"rank_{by.replace('-', '_')}" for by in MORE_MEASURES}
    public = [
        {name: value for name, value in vars(row).items() if name != "ranks"}
        | {more[by]: rank for by, rank in row.ranks.items()}
        for row in rows
    ]
    result = _sizes(args, game) | {
        "spelled": letters.spelled,
        "allowed": letters.allowed,
        "places": [
            {letters.alphabet[at]: float(share) for at, share in enumerate(shares) if share}
            for shares in letters.shares
        ],
        "openers": public,
    }
    header = (*HEADER, *(f"by {by}" for by in MORE_MEASURES))
    text = _frequencies(game, letters)
    if rows:
        cells = [[*_cells(row), *row.ranks.values()] for row in rows]
        text += f"\n\n{render.table(header, cells, spare=SPARE)}"
    output.emit(args, text, result, ([*_columns(), *more.values()], public))
    return 0


def _frequencies(game: Game, found: LetterStatistics) -> str:
    """Letters by place as a table, and what they spell."""
    header = ("letter", *(f"place {place + 1}" for place in range(game.length)))
    rows = [
        (letter, *(f"{share:.3f}" for share in found.shares[:, at]))
        for at, letter in enumerate(found.alphabet)
        if found.shares[:, at].any()
    ]
    places = ", ".join(str(place + 1) for place in found.order)
    near = counted(len(found.neighbours), "allowed word is", "allowed words are")
    kind = "an allowed word" if found.allowed else "no allowed word"
    return "\n".join(
        [
            f"Shares of {counted(len(game.guesses), 'word')} with a letter at a place",
            "",
            render.table(header, rows),
            "",
            render.prose(
                f"The commonest letter, place by place ({places}), none twice, spells "
                f"{capitals(found.spelled)}: {kind}.\n{near} one letter away."
            ),
        ]
    )
