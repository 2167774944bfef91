"""The command ``cheatsheet``: the second word for every reply to an opener."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from functools import partial
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

from solver.errors import WrongInputError

from ..columns import Column, attributes, names, records
from ..errors import OutputError
from ..files.output import write_whole
from ..files.text import capitals, counted
from . import options, output, tables
from .option_table import SECONDS_OF_A_ROW

if TYPE_CHECKING:
    from solver.advice.cheatsheet import Sheet

_COLUMNS = (
    Column("groups", "group", lambda row: " > ".join(row.key), lambda row: row.key),
    Column("guesses", "words before", lambda row: " ".join(row.before), lambda row: row.before),
    Column("word", "word", lambda row: row.word or "no legal word"),
    Column("joint_entropy", "joint entropy", lambda row: _dash(row.joint_entropy, ".6f")),
    Column("remaining", "answers", ",d", lambda row: row.answers),
    Column("n_tied", "tied", ",d", lambda row: row.tied),
)
#: The columns of the rule ``optimal`` besides; without a word nothing is proved or not.
_EXACT_COLUMNS = (
    Column("total", "total", lambda row: _dash(row.total, ",d")),
    Column("mean", "guesses", lambda row: _dash(row.mean, ".4f")),
    Column("limit", value=lambda row: row.within),
    Column(
        "proved",
        "claim",
        lambda row: row.claim,
        lambda row: None if row.word is None else row.claim == "proved",
    ),
)
_CARDS = (".pdf", ".html", ".svg")
_SHOWN = 5


def configure_cheatsheet(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of ``cheatsheet``: the opener, the grouping, the card."""
    parser.add_argument("word", metavar="WORD", help="the opener")
    options.add(parser, "--group", "--words-in-all", "--sheet-rule")
    about = "seconds that --rule optimal may take for a row"
    options.add(parser, "--time-limit", type=SECONDS_OF_A_ROW, default=30, help=about)
    options.add(parser, "--card")
    options.add(parser.add_argument_group("choice of guesses"), "--guess-from", "--hard")
    options.add_game_options(parser, advice=True, used=True)
    options.add_output_options(parser, csv_table=True)


def run_cheatsheet(args: argparse.Namespace) -> int:
    """The best second word for every reply to an opener, as a table or a card to
    print.

    Replies are grouped by the full score, by the number of hits, or by (yellow,
    green). --card writes a card of 85.6 x 54 mm panels to print, cut and fold. The
    second word is chosen by entropy (the information of its reply in bits), by
    Knuth's minimax (its largest bucket is smallest; a bucket is what one reply
    leaves possible), or by the fewest guesses to the end. The joint entropy in a
    row is that of all its words within the group.

    --rule optimal chooses the word with the fewest guesses to the end of the game,
    exactly: summed over the answers in the group, where later guesses use the full
    scores. A row says "proved", or "bound" if the time limit ended the search.

    --guess-from chooses the words on the sheet; candidates: those that are still
    possible in the row. With --hard a word must be legal after every full score in
    the row, and words already guessed are left out; a row without such a word says
    "no legal word" (in JSON its word is null). Totals of --rule optimal allow any
    words (with --hard: any legal words) after those on the sheet.

    Examples: knuthle cheatsheet crane
              knuthle cheatsheet crane --group hits --rule optimal
    """
    from solver.advice.cheatsheet import cheat_sheet

    if args.card and PurePath(args.card).suffix.lower() not in _CARDS:
        raise OutputError(f"{args.card}: a card is one of {', '.join(_CARDS)}")
    weighted = options.weighted_from(args)
    game = weighted.game
    if args.past and (args.rule, args.group) != ("entropy", "score"):
        raise WrongInputError(
            "--used weighs answers by entropy and full scores only; --used exclude leaves them out"
        )
    options.check_words(game, args.word)
    with output.at_work(args.quiet) as progress:
        own: Any = {"weights": weighted.weights, "progress": partial(progress, "second words")}
        sheet = cheat_sheet(game, args.word, **options.asked(cheat_sheet, args, **own))
    if args.card:
        from ..pictures import cards

        write_whole(args.card, cards.card_in_form(args.card, sheet), force=args.force)
    exact = sheet.rule == "optimal"
    columns = (*_COLUMNS, *_EXACT_COLUMNS) if exact else _COLUMNS
    rows = records(columns, sheet.rows)
    result = {
        "start": [sheet.opener],
        "n_secrets": sheet.answers,
        **attributes(sheet, "group rule"),
        **attributes(args, "guess_from hard"),
        **weighted.facts,
        "rows": rows,
        "shares": sheet.shares(),
        **(attributes(sheet, "total mean proved") if exact else {}),
    }
    output.emit(args, _text(sheet, columns), result, (names(columns), rows), game)
    return 0


def _text(sheet: Sheet, columns: Sequence[Column]) -> str:
    shares = list(sheet.shares().items())[:_SHOWN]
    some = ", ".join(f"{capitals(word)} {100 * share:.2f} %" for word, share in shares)
    lines = [
        f"{capitals(sheet.opener)}, then by {sheet.group}, {counted(sheet.answers, 'answer')}",
        "",
        tables.table_of(columns, sheet.rows) if sheet.rows else "the opener solves every game",
        "",
        tables.prose(f"share of answers for which a second word is the best: {some or 'none'}"),
    ]
    if sheet.total is not None:
        claim = "proved" if sheet.proved else "bound"
        guesses = counted(sheet.total, "guess", "guesses")
        lines.append(f"{guesses} for all answers, mean {sheet.mean:.4f} ({claim})")
    return "\n".join(lines)


def _dash(value: float | None, form: str) -> str:
    """A figure as people read it; a dash stands for none."""
    return "–" if value is None else format(value, form)
