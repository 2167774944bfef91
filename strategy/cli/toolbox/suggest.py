"""What is still possible, and what to guess next.

Clues are words with their scores: "sigma xxxxx tenor xpppx", or parse.BBYBB.clint.BBYYB. Without
clues: the first word. Clues that contradict each other are named (exit 2).

Where few secrets remain, "guesses" is the exact expected number of guesses still to be made: the
word, and then best play with any allowed word, so that every secret falls within the limit. A word
that cannot do that shows the limit with a >, one that is too hard to look through at once a dash.

In JSON each suggestion has these guesses as "expected_guesses", and summed over the secrets as
"total", or null; "exact" has the limit ("within", or null), the best words and their total.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ...files.notation import counted
from .. import options, output, render
from .openers import ORDERS

if TYPE_CHECKING:
    from solver.advice.forecast import Forecast
    from solver.game.game import Game

HELP = "the words still possible and the best next guess"
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
    "guesses",
)
#: Columns that a narrow terminal does without, the first one first: it says what entropy says.
SPARE = ("remaining", "expected size", "largest", "proportion")
_SHOWN = 30


def configure(parser: argparse.ArgumentParser) -> None:
    """The clues, the measure, the words allowed."""
    parser.add_argument("state", metavar="STATE", nargs="*", help="sigma xxxxx tenor xpppx")
    parser.add_argument("--by", choices=ORDERS, default="entropy", help="the measure (entropy)")
    parser.add_argument(
        "--top", type=options.at_least_zero, default=10, metavar="N", help="the best N (10)"
    )
    parser.add_argument(
        "--within",
        type=options.limit_from,
        default=6,
        metavar="K|none",
        help="the limit for exact figures, guesses made included; none lifts it (6)",
    )
    options.add_pool_options(parser.add_argument_group("choice of guesses"))
    options.add_game_options(parser)
    options.add_output_options(parser, csv_table=True)


def run(args: argparse.Namespace) -> int:
    """Print what is left and what to guess."""
    from solver.advice.forecast import forecast
    from solver.advice.suggest import advise

    output.check_outputs(args)
    game = options.game_from(args)
    history = game.parse_state(" ".join(args.state))
    output.say_when_compiling(args.quiet)
    advice = advise(game, history, by=args.by, guess_from=args.guess_from, hard=args.hard)
    found = [word for word, score in history if score == game.solved]
    solved = bool(found)
    rows = [] if solved else list(advice.table.records(advice.table.rows[: args.top]))
    words = [row["word"] for row in rows]
    ahead = (
        None
        if solved
        else forecast(game, history, advice, words, hard=args.hard, within=args.within)
    )
    for row in rows:
        total = ahead.totals.get(row["word"]) if ahead else None
        row["total"] = total
        row["expected_guesses"] = None if total is None else total / len(advice.secrets)
    result = {
        "state": [list(step) for step in history],
        "remaining": len(advice.secrets),
        "secrets": list(advice.secrets),
        "by": args.by,
        "exact": _public(ahead) if ahead else None,
        "suggestions": rows,
    }
    more = " …" if len(advice.secrets) > _SHOWN else ""
    verb = "remains" if len(advice.secrets) == 1 else "remain"
    nothing = f"solved: {found[0]}" if solved else "no word to show"
    lines = [
        render.prose(
            f"{counted(len(advice.secrets), 'secret')} {verb}: "
            f"{' '.join(advice.secrets[:_SHOWN])}{more}"
        ),
        "",
        _table(rows, ahead) if rows else nothing,
        *(["", *map(render.prose, _explain(game, ahead, args))] if ahead else []),
    ]
    output.emit(args, "\n".join(lines), result, (HEADER, map(_plain, rows)))
    return 0


def _public(ahead: Forecast) -> dict[str, Any]:
    """What JSON says of the exact figures."""
    return {
        "within": ahead.within,
        "secrets": ahead.secrets,
        "best": list(ahead.best),
        "total": ahead.least,
        "expected_guesses": None if ahead.least is None else ahead.least / ahead.secrets,
    }


def _explain(game: Game, ahead: Forecast, args: argparse.Namespace) -> list[str]:
    """What the exact figures are about, and the best words."""
    over = counted(ahead.secrets, "remaining secret")
    limit = "without a limit" if ahead.within is None else f"all within {ahead.within} guesses"
    lines = []
    if ahead.within is None and args.within is not None:
        lines.append(f"no word finds them all within {args.within} guesses")
    if not ahead.totals and ahead.least is None:
        return [*lines, "too hard for exact figures at once: knuthle optimal --state has the time"]
    mode = "in hard mode" if args.hard else "with any allowed word"
    lines.append(f"guesses: expected, exact, over the {over}, {limit}, played on {mode}")
    if ahead.least is not None:
        names = " ".join(word.upper() for word in ahead.best[:_SHOWN])
        more = " …" if len(ahead.best) > _SHOWN else ""
        mean = ahead.least / ahead.secrets
        lines.append(f"fewest: {mean:.4f} ({ahead.least} in all) by {names}{more}")
    return lines


def _plain(row: dict[str, Any]) -> Sequence[Any]:
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
        row["expected_guesses"],
    )


def _table(rows: list[dict[str, Any]], ahead: Forecast | None) -> str:
    return render.table(HEADER, [_cells(row, ahead) for row in rows], spare=SPARE)


def _cells(row: dict[str, Any], ahead: Forecast | None) -> Sequence[str]:
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
        _guesses(row, ahead),
    )


def _guesses(row: dict[str, Any], ahead: Forecast | None) -> str:
    """The exact figure, or why there is none."""
    if ahead is None or row["word"] not in ahead.totals:
        return "–" if ahead else ""
    if row["expected_guesses"] is None:
        return f">{ahead.within}"
    return f"{row['expected_guesses']:.4f}"
