"""The best second word for every reply to an opener that a person can tell apart.

Replies are grouped by full score, by letters hit, or by (yellow, green). --card writes a card of
85.6 x 54 mm panels to print, cut and fold. The joint entropy is that of all words within the group.

--rule optimal takes the word with the fewest guesses to the end, exactly: summed over the answers
in the group, where the game is played on with the full scores. A row says "proved", or "bound"
where its time limit cut the search short.

--guess-from is the pool of the words on the sheet; candidates: those still possible in the row.
With --hard such a word must be legal after every full score with candidates in the row, and words
already guessed are left out; a row for which no word is left says "no legal word" (in JSON its word
is null, its claim "none"). Totals of --rule optimal allow any words (with --hard: any legal words)
after those on the sheet.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

from ...errors import OutputError
from ...files.notation import counted
from .. import options, output, render

if TYPE_CHECKING:
    from solver.advice.cheatsheet import Row, Sheet
    from solver.game.game import Game

HELP = "the second word for every reply to an opener, also as a card that prints"
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
CARDS = (".pdf", ".html", ".svg")
_SHOWN = 5


def configure(parser: argparse.ArgumentParser) -> None:
    """The opener, the grouping, the card."""
    parser.add_argument("word", metavar="WORD", help="the opener")
    parser.add_argument(
        "--group", choices=("score", "hits", "colours"), default="score", help="(score)"
    )
    parser.add_argument(
        "--depth", type=int, choices=(2, 3, 4), default=2, help="words in all, opener included (2)"
    )
    parser.add_argument(
        "--rule", choices=("entropy", "minimax", "optimal"), default="entropy", help="(entropy)"
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
    """Print the sheet; write the card."""
    if args.card and PurePath(args.card).suffix.lower() not in CARDS:
        raise OutputError(f"{args.card}: a card is one of {', '.join(CARDS)}")
    output.check_outputs(args)
    game = options.game_from(args)
    game.guess_id(args.word)
    output.say_when_compiling(args.quiet)
    sheet = _sheet(args, game)
    if args.card:
        _write_card(args.card, sheet)
    result = {
        "opener": sheet.opener,
        "group": sheet.group,
        "rule": sheet.rule,
        "guess_from": args.guess_from,
        "hard": args.hard,
        "rows": [_public(row) for row in sheet.rows],
        "shares": sheet.shares(),
        **_sum(sheet),
    }
    header = HEADER if sheet.rule == "optimal" else HEADER[:_ONE_STEP]
    output.emit(args, _text(sheet, header), result, (header, [_cells(r) for r in sheet.rows]))
    return 0


def _sheet(args: argparse.Namespace, game: Game) -> Sheet:
    """Make the sheet, with a bar."""
    from solver.advice.cheatsheet import cheat_sheet
    from solver.machine.clock import time_limit

    with output.Progress(args.quiet) as progress:
        return cheat_sheet(
            game,
            args.word,
            group=args.group,
            depth=args.depth,
            rule=args.rule,
            guess_from=args.guess_from,
            hard=args.hard,
            clock=lambda: time_limit(args.time_limit),
            told=lambda new, whole: progress("second words", new, whole),
        )


def _text(sheet: Sheet, header: Sequence[str]) -> str:
    """What a person reads."""
    rows = [
        (*row[:2], *_choice(*row[2:4]), f"{row[4]:,}", f"{row[5]:,}", *_outlook(row[6:]))
        for row in map(_cells, sheet.rows)
    ]
    shares = list(sheet.shares().items())[:_SHOWN]
    some = ", ".join(f"{word.upper()} {100 * share:.2f} %" for word, share in shares)
    lines = [
        f"{sheet.opener.upper()}, then by {sheet.group}, {counted(sheet.answers, 'secret')}",
        "",
        render.table(header, rows) if rows else "nothing is left after the opener",
        "",
        render.prose(f"share of secrets for which a second word is the best: {some or 'none'}"),
    ]
    total = _sum(sheet).get("total")
    if total is not None:
        claim = "proved" if all(row.claim == "proved" for row in sheet.rows) else "bound"
        mean = total / sheet.answers
        lines.append(
            f"{counted(total, 'guess', 'guesses')} for all secrets, mean {mean:.4f} ({claim})"
        )
    return "\n".join(lines)


def _choice(word: str | None, entropy: float | None) -> tuple[str, str]:
    """The word of a row and its joint entropy."""
    return ("no legal word", "–") if word is None else (word, f"{entropy:.6f}")


def _outlook(cells: Sequence[Any]) -> Sequence[str]:
    """Total, mean and claim of a row by the rule optimal."""
    if not cells:
        return ()
    total, mean, claim = cells
    return ("–", "–", claim) if total is None else (f"{total:,}", f"{mean:.4f}", claim)


def _sum(sheet: Sheet) -> dict[str, Any]:
    """All guesses of a sheet by the rule optimal, the opener included."""
    if sheet.rule != "optimal":
        return {}
    totals = [row.total for row in sheet.rows if len(row.key) == 1]
    known = [total for total in totals if total is not None]
    whole = len(known) == len(totals)
    return {"total": sheet.answers + sum(known) if whole else None}


def _write_card(target: str, sheet: Sheet) -> None:
    from ...files.output import write_whole
    from ...pictures import card

    kind = PurePath(target).suffix.lower()
    if kind == ".pdf":
        write_whole(target, card.as_pdf(sheet))
    else:
        drawn = card.as_svg(sheet) if kind == ".svg" else card.as_html(sheet)
        write_whole(target, drawn.encode())


def _cells(row: Row) -> tuple[Any, ...]:
    key, before = " > ".join(row.key), " ".join(row.before)
    cells = key, before, row.word, row.joint_entropy, row.answers, row.tied
    if not row.claim:
        return cells
    mean = None if row.total is None else row.total / row.answers
    return (*cells, row.total, mean, row.claim)


def _public(row: Row) -> dict[str, Any]:
    values = {
        "key": row.key[0] if len(row.key) == 1 else list(row.key),
        "before": list(row.before),
        "word": row.word,
        "joint_entropy": row.joint_entropy,
        "answers": row.answers,
        "tied": row.tied,
    }
    if not row.claim:
        return values
    mean = None if row.total is None else row.total / row.answers
    exact = {"total": row.total, "expected_guesses": mean, "within": row.within}
    return {**values, **exact, "claim": row.claim}
