"""The best second word for every reply to an opener that a person can tell apart.

Replies are grouped by full score, by letters hit, or by (yellow, green). --card writes a card of
85.6 x 54 mm panels to print, cut and fold. A second word is chosen by entropy, what its reply tells
on average in bits, by Knuth's minimax, whose largest bucket is smallest (a bucket is what one reply
leaves possible), or by the fewest guesses to the end. The joint entropy in a row is that of all its
words within the group.

--rule optimal takes the word with the fewest guesses to the end, exactly: summed over the answers
in the group, where the game is played on with the full scores. A row says "proved", or "bound"
where its time limit cut the search short.

--guess-from is the pool of the words on the sheet; candidates: those still possible in the row.
With --hard such a word must be legal after every full score with candidates in the row, and words
already guessed are left out; a row for which no word is left says "no legal word" (in JSON its word
is null). Totals of --rule optimal allow any words (with --hard: any legal words)
after those on the sheet.

Examples: knuthle cheatsheet crane
          knuthle cheatsheet crane --group hits --rule optimal
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from functools import partial
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

from solver.choices import GROUPS, SHEET_RULES

from ...errors import OutputError
from ...files.letters import capitals
from ...files.notation import counted
from ...files.output import write_whole
from .. import options, output, render
from ..progress import Progress

if TYPE_CHECKING:
    from solver.advice.cheatsheet import Row, Sheet

HEADER = (
    "group",
    "words before",
    "word",
    "joint entropy",
    "answers",
    "tied",
    "total",
    "guesses",
    "claim",
)
#: Columns for the rules that look one step ahead.
_ONE_STEP = 6
#: The same for programs; those after the first six are for the rule ``optimal``.
COLUMNS = (
    *("groups", "guesses", "word", "joint_entropy", "remaining", "n_tied"),
    *("total", "mean", "limit", "proved"),
)
CARDS = (".pdf", ".html", ".svg")
_SHOWN = 5


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of ``cheatsheet``: the opener, the grouping, the card."""
    parser.add_argument("word", metavar="WORD", help="the opener")
    parser.add_argument(
        "--group",
        choices=GROUPS,
        default="score",
        help="what of a reply one looks up: score, the colour of each letter (bybbg: b grey, "
        "y yellow, g green); hits, how many are not grey (2); colours, how many are yellow and "
        "green (1,1) (score)",
    )
    parser.add_argument(
        "--depth", type=int, choices=(2, 3, 4), default=2, help="words in all, opener included (2)"
    )
    parser.add_argument(
        "--rule", choices=SHEET_RULES, default="entropy", help="how words are chosen (entropy)"
    )
    parser.add_argument(
        "--time-limit",
        type=options.at_least_one,
        default=30,
        metavar="S",
        help="seconds that --rule optimal may take for a row (30)",
    )
    parser.add_argument("--card", metavar="FILE.pdf|html|svg", help="write a card that prints")
    options.add_pool_options(parser.add_argument_group("choice of guesses"))
    options.add_game_options(parser)
    options.add_output_options(parser, csv_table=True)


def run(args: argparse.Namespace) -> int:
    """Run ``cheatsheet``: print the sheet; write the card."""
    from solver.advice.cheatsheet import cheat_sheet

    if args.card and PurePath(args.card).suffix.lower() not in CARDS:
        raise OutputError(f"{args.card}: a card is one of {', '.join(CARDS)}")
    output.check_outputs(args)
    game = options.game_from(args)
    options.check_words(game, args.word)
    output.say_when_compiling(args.quiet)
    with Progress(args.quiet) as progress:
        sheet = cheat_sheet(
            game,
            args.word,
            group=args.group,
            depth=args.depth,
            rule=args.rule,
            guess_from=args.guess_from,
            hard=args.hard,
            time_limit=args.time_limit,
            told=partial(progress, "second words"),
        )
    if args.card:
        from ...pictures import card

        write_whole(args.card, card.card_in_form(args.card, sheet), force=args.force)
    exact = sheet.rule == "optimal"
    columns = COLUMNS if exact else COLUMNS[:_ONE_STEP]
    values = [dict(zip(COLUMNS, _values(row), strict=True)) for row in sheet.rows]
    rows = [{name: row[name] for name in columns} for row in values]
    result = {
        "start": [sheet.opener],
        "n_secrets": sheet.answers,
        "group": sheet.group,
        "rule": sheet.rule,
        "guess_from": args.guess_from,
        "hard": args.hard,
        "rows": rows,
        "shares": sheet.shares(),
        **({"total": sheet.total, "mean": sheet.mean, "proved": sheet.proved} if exact else {}),
    }
    header = HEADER if exact else HEADER[:_ONE_STEP]
    output.emit(args, _text(sheet, header), result, (columns, rows))
    return 0


def _text(sheet: Sheet, header: Sequence[str]) -> str:
    """What a person reads."""
    rows = [_cells(row) for row in sheet.rows]
    shares = list(sheet.shares().items())[:_SHOWN]
    some = ", ".join(f"{capitals(word)} {100 * share:.2f} %" for word, share in shares)
    lines = [
        f"{capitals(sheet.opener)}, then by {sheet.group}, {counted(sheet.answers, 'secret')}",
        "",
        render.table(header, rows) if rows else "nothing is left after the opener",
        "",
        render.prose(f"share of secrets for which a second word is the best: {some or 'none'}"),
    ]
    if sheet.total is not None:
        claim = "proved" if sheet.proved else "bound"
        guesses = counted(sheet.total, "guess", "guesses")
        lines.append(f"{guesses} for all secrets, mean {sheet.mean:.4f} ({claim})")
    return "\n".join(lines)


def _values(row: Row) -> Sequence[Any]:
    """The columns of a row; without a word nothing is proved or not."""
    split = row.key, row.before, row.word, row.joint_entropy, row.answers, row.tied
    proved = None if row.word is None else row.claim == "proved"
    return (*split, row.total, row.mean, row.within, proved)


def _cells(row: Row) -> Sequence[str]:
    """A row as a person reads it."""
    cells = [" > ".join(row.key), " ".join(row.before), "no legal word", "–"]
    if row.word is not None:
        cells[2:] = row.word, f"{row.joint_entropy:.6f}"
    cells += [f"{row.answers:,}", f"{row.tied:,}"]
    if row.total is not None:
        cells += [f"{row.total:,}", f"{row.mean:.4f}", row.claim]
    elif row.claim:
        cells += ["–", "–", row.claim]
    return cells
