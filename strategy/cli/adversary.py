"""``optimal --opponent adversary``: the shortest win against an opponent without a fixed word."""

from __future__ import annotations

import argparse
from functools import partial
from typing import TYPE_CHECKING

from ..columns import Column, names, records
from ..files.text import capitals, counted, printable
from . import options, output, tables
from .interrupts import reporting_what_is_known
from .progress import Progress
from .solve_all import rounded

if TYPE_CHECKING:
    from solver.game.game import Game

    from ..solving.shortest_win import ShortestWin

#: So many openers are printed; ``--json`` and ``--csv`` have all.
_SHOWN = 40
_OPENER_COLUMNS = (
    Column("word", "opener", value=lambda opener: "+".join(opener.words)),
    Column("n_left", "left", ",d"),
    Column("n_sequences", "sequences", ",d"),
)
_STEP_COLUMNS = (
    Column("word", "guess"),
    Column("score"),
    Column("n_left", "left", ",d"),
)


def run_adversary(args: argparse.Namespace, of_strategies: dict[str, object]) -> int:
    """Find the shortest win against the adversary, and report it.

    Options ``of_strategies`` are refused: a win is one sequence of guesses.
    """
    output.check_outputs(args)
    given = {"--objective": args.objective != "total", "--then": args.then}
    given |= {"--state": args.state is not None, "--top": args.top != 1}
    why = "is about strategies; a win against the adversary is one sequence of guesses"
    options.refuse(given | of_strategies, why)
    game = options.game_from(args)
    output.say_when_compiling(args.quiet)
    from ..solving.shortest_win import shortest_win

    start = options.starts_from(args.start, game)
    report = partial(_report, args, game)
    with reporting_what_is_known(report), Progress(args.quiet) as progress:
        asked = options.asked(shortest_win, args, start=start, progress=progress)
        found = shortest_win(game, **asked)
    report(found)
    return 0 if found.sequence is not None else 1


def _report(args: argparse.Namespace, game: Game, found: ShortestWin) -> None:
    start = options.starts_from(args.start, game)
    openers = records(_OPENER_COLUMNS, found.openers)
    steps = None if found.sequence is None else records(_STEP_COLUMNS, found.sequence)
    report = {
        "opponent": args.opponent,
        "game": game.spec,
        "list": game.list_name,
        "n_guesses": len(game.guesses),
        "secrets_name": game.secrets_name,
        "n_secrets": len(game.secrets),
        "start": [] if start == ("auto",) else list(start),
        "guess_from": args.guess_from,
        "hard": args.hard,
        "within": found.outcome.facts(),
        "length": found.length,
        "proved": found.proved,
        "lower_bound": found.lower_bound,
        "sequence": steps,
        "openers": openers,
        "n_undecided": found.n_undecided,
        "seconds": rounded(found.seconds),
    }
    output.emit(args, _text(args, game, found), report, (names(_OPENER_COLUMNS), openers), game)


def _text(args: argparse.Namespace, game: Game, found: ShortestWin) -> str:
    mode = ", hard mode" if args.hard else ""
    pool = f", only {args.guess_from} guessed" if args.guess_from != "allowed" else ""
    about = f"against the adversary{mode}{pool}"
    if found.sequence is None:
        return f"proved: no win within {found.outcome.limit} {about}"
    why = "no win is shorter" if found.proved else f"none is shorter than {found.lower_bound}"
    label = "proved" if found.proved else "bound"
    columns = (
        _STEP_COLUMNS[0],
        Column("score", "score", lambda step: game.format_score(step.score)),
        _STEP_COLUMNS[2],
    )
    lines = [
        f"{counted(len(found.sequence), 'guess', 'guesses')} {about} ({label}: {why})",
        "",
        tables.table_of(columns, found.sequence),
    ]
    if found.proved and (found.openers or found.n_undecided):
        lines += ["", *_openers(args, found)]
    return "\n".join(lines)


def _openers(args: argparse.Namespace, found: ShortestWin) -> list[str]:
    """Which first guesses win as quickly."""
    many = counted(len(found.openers), "first guess", "first guesses")
    after = "" if args.start == "auto" else f" after {capitals(printable(args.start))}"
    undecided = f"; {found.n_undecided:,} undecided" if found.n_undecided else ""
    lines = [f"{many}{after} can win in {found.lower_bound}{undecided}:"]
    lines.append(tables.table_of(_OPENER_COLUMNS, found.openers[:_SHOWN]))
    more = len(found.openers) - _SHOWN
    if more > 0:
        lines.append(f"and {more:,} more (--json and --csv have all)")
    return lines
