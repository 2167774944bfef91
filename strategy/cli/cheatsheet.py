"""The best second word for every reply to an opener that a person can tell apart.

Replies are grouped by full score, by letters hit, or by (yellow, green). --card writes a card of
85.6 x 54 mm panels to print, cut and fold. The joint entropy is that of all words within the group.
"""

from __future__ import annotations

import argparse
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

from ..errors import OutputError
from . import common, render

if TYPE_CHECKING:
    from solver.cheatsheet import Row, Sheet

HELP = "the second word for every reply to an opener, also as a card that prints"
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
        "--rule", choices=("entropy", "minimax"), default="entropy", help="(entropy)"
    )
    parser.add_argument("--card", metavar="FILE.pdf|html|svg", help="write a card that prints")
    common.add_game_options(parser)
    common.add_output_options(parser, csv_table=True)


def run(args: argparse.Namespace) -> int:
    """Print the sheet; write the card."""
    from solver.cheatsheet import cheat_sheet

    if args.card and PurePath(args.card).suffix.lower() not in CARDS:
        raise OutputError(f"{args.card}: a card is one of {', '.join(CARDS)}")
    common.check_outputs(args)
    game = common.game_from(args)
    game.guess_id(args.word)
    common.say_when_compiling(args.quiet)
    sheet = cheat_sheet(game, args.word, group=args.group, depth=args.depth, rule=args.rule)
    if args.card:
        _write_card(args.card, sheet)
    shares = sheet.shares()
    header = ("group", "words before", "word", "joint entropy", "answers", "tied")
    rows = [_cells(row) for row in sheet.rows]
    some = ", ".join(
        f"{word.upper()} {100 * share:.2f} %" for word, share in list(shares.items())[:_SHOWN]
    )
    text = render.table(header, [(*r[:3], f"{r[3]:.6f}", f"{r[4]:,}", f"{r[5]:,}") for r in rows])
    lines = [
        f"{sheet.opener.upper()}, then by {sheet.group}, {sheet.answers:,} secrets",
        "",
        text if rows else "nothing is left after the opener",
        "",
        f"share of secrets for which a second word is the best: {some or 'none'}",
    ]
    result = {
        "opener": sheet.opener,
        "group": sheet.group,
        "rule": sheet.rule,
        "rows": [_public(row) for row in sheet.rows],
        "shares": shares,
    }
    common.emit(args, "\n".join(lines), result, (header, rows))
    return 0


def _write_card(target: str, sheet: Sheet) -> None:
    from .. import card, container

    kind = PurePath(target).suffix.lower()
    if kind == ".pdf":
        container.write_whole(target, card.as_pdf(sheet))
    else:
        drawn = card.as_svg(sheet) if kind == ".svg" else card.as_html(sheet)
        container.write_whole(target, drawn.encode())


def _cells(row: Row) -> tuple[Any, ...]:
    key, before = " > ".join(row.key), " ".join(row.before)
    return key, before, row.word, row.joint_entropy, row.answers, row.tied


def _public(row: Row) -> dict[str, Any]:
    return {
        "key": row.key[0] if len(row.key) == 1 else list(row.key),
        "before": list(row.before),
        "word": row.word,
        "joint_entropy": row.joint_entropy,
        "answers": row.answers,
        "tied": row.tied,
    }
