"""Rank openers: every word, or the words named.

Measures: entropy in bits, the expected remaining information, the expected size and the largest of
the buckets, the number of parts. Ties share a rank and stand in alphabetical order. --by letters
counts letters by place, spells a word from the commonest, and ranks it and its neighbours.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from ...files.notation import counted
from .. import options, output, render

if TYPE_CHECKING:
    from solver.game.game import Game
    from solver.splits.letter_counts import LetterStatistics

HELP = "rank first words by entropy, expected size, largest bucket, parts, letters"
ORDERS = ("entropy", "remaining", "expected-size", "parts", "minimax", "proportion")
HEADER = ("rank", "word", "entropy", "remaining", "expected size", "largest", "parts", "answer")
#: Columns that a narrow terminal does without, the first one first: it says what entropy says.
SPARE = ("remaining", "expected size", "largest")


def configure(parser: argparse.ArgumentParser) -> None:
    """Words, measure, how many."""
    parser.add_argument("words", metavar="WORD", nargs="*", help="rank these words (default: all)")
    parser.add_argument(
        "--by", choices=(*ORDERS, "letters"), default="entropy", help="the measure (entropy)"
    )
    parser.add_argument(
        "--top", type=options.at_least_zero, default=20, metavar="N", help="the best N (20)"
    )
    parser.add_argument(
        "--bottom", type=options.at_least_zero, default=0, metavar="N", help="and the worst N (0)"
    )
    options.add_game_options(parser)
    options.add_output_options(parser, csv_table=True)


def run(args: argparse.Namespace) -> int:
    """Print the table."""
    from solver.splits.ranking import rank_guesses

    output.check_outputs(args)
    game = options.game_from(args)
    for word in args.words:
        game.guess_id(word)
    output.say_when_compiling(args.quiet)
    if args.by == "letters":
        return _letters(args, game)
    table = rank_guesses(game, args.by)
    if args.words:
        rows = list(table.records(table.of_words(args.words)))
        text = _table(rows)
    else:
        top, bottom = list(table.records(table.rows[: args.top])), []
        if args.bottom:
            bottom = list(table.records(table.rows[max(args.top, len(table) - args.bottom) :]))
        rows = top + bottom
        text = "\n…\n".join(_table(part) for part in (top, bottom) if part)
    words, secrets = counted(len(table), "word"), counted(len(game.secrets), "secret")
    about = render.prose(f"{words} by {args.by} against {secrets}")
    lines = [about, "", text or "no word asked for"]
    result = {"by": args.by, "words": len(table), "openers": [_public(row) for row in rows]}
    output.emit(args, "\n".join(lines), result, (HEADER, map(_csv, rows)))
    return 0


def _public(row: dict[str, Any]) -> dict[str, Any]:
    """A row as JSON shows it."""
    values = dict(row)
    values["answer"] = values.pop("candidate")
    return values


def _cells(row: dict[str, Any]) -> Sequence[Any]:
    return (
        row["rank"],
        row["word"],
        f"{row['entropy']:.6f}",
        f"{row['remaining_bits']:.6f}",
        f"{row['expected_size']:.3f}",
        f"{row['largest']:,}",
        f"{row['parts']:,}",
        "yes" if row["candidate"] else "",
    )


def _csv(row: dict[str, Any]) -> Sequence[Any]:
    names = ("rank", "word", "entropy", "remaining_bits", "expected_size", "largest", "parts")
    return (*(row[name] for name in names), int(row["candidate"]))


def _table(rows: Iterable[dict[str, Any]]) -> str:
    return render.table(HEADER, map(_cells, rows), spare=SPARE)


def _letters(args: argparse.Namespace, game: Game) -> int:
    """Letter frequencies, the word they spell, and what its neighbours are worth."""
    from solver.splits.letter_counts import letter_statistics
    from solver.splits.ranking import rank_guesses

    found = letter_statistics(game)
    table = rank_guesses(game, "entropy")
    named = sorted({*found.neighbours, *([found.spelled] if found.allowed else []), *args.words})
    rows = list(table.records(table.of_words(named)))
    ranks = {by: _ranks(game, by, named) for by in ("expected-size", "minimax", "parts")}
    header = (*HEADER, *(f"by {by}" for by in ranks))
    extra = [[ranks[by][row["word"]] for by in ranks] for row in rows]
    public = [
        {**_public(row), "ranks": dict(zip(ranks, more, strict=True))}
        for row, more in zip(rows, extra, strict=True)
    ]
    result = {
        "by": "letters",
        "words": len(table),
        "spelled": found.spelled,
        "allowed": found.allowed,
        "places": [
            {chr(97 + letter): float(share) for letter, share in enumerate(shares) if share}
            for shares in found.shares
        ],
        "openers": public,
    }
    cells = [(*_cells(row), *more) for row, more in zip(rows, extra, strict=True)]
    text = "\n".join(
        [
            _frequencies(game, found),
            *(["", render.table(header, cells, spare=SPARE)] if cells else []),
        ]
    )
    csv_rows = [(*_csv(row), *more) for row, more in zip(rows, extra, strict=True)]
    output.emit(args, text, result, (header, csv_rows))
    return 0


def _ranks(game: Game, by: str, words: list[str]) -> dict[str, int]:
    from solver.splits.ranking import rank_guesses

    table = rank_guesses(game, by)
    return {row["word"]: row["rank"] for row in table.records(table.of_words(words))}


def _frequencies(game: Game, found: LetterStatistics) -> str:
    """Letters by place as a table, and what they spell."""
    header = ("letter", *(f"place {place + 1}" for place in range(game.length)))
    rows = [
        (chr(97 + letter), *(f"{share:.3f}" for share in found.shares[:, letter]))
        for letter in range(26)
        if found.shares[:, letter].any()
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
                f"{found.spelled.upper()}: {kind}.\n{near} one letter away."
            ),
        ]
    )
