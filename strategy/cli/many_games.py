"""``play --games N``: the helper plays by itself, and what its games take on average."""

from __future__ import annotations

import argparse
from functools import partial
from typing import TYPE_CHECKING

from solver.errors import WrongInputError

from ..columns import Column, names, records
from ..files.text import counted
from . import options, output, tables
from .interrupts import reporting_what_is_known
from .progress import Progress
from .solve_all import rounded

if TYPE_CHECKING:
    from collections.abc import Sequence

    from solver.game.game import Game

    from ..play.many_games import Estimate, PlayedGames
    from ..play.proposals import Choice

_GAME_COLUMNS = (
    Column("seed"),
    Column("words"),
    Column("n_taken"),
    Column("n_by_entropy"),
)
#: The seed of the first game, if none is given.
_SEED = 1


def add_games_options(parser: argparse.ArgumentParser) -> None:
    """Add ``--games`` and what belongs to it."""
    group = parser.add_argument_group("many games")
    group.add_argument(
        "--games",
        **options.COUNT,
        help="let the helper play N games by itself, with words that are drawn, and report "
        "what they take",
    )
    group.add_argument(
        "--seed",
        type=options.seed,
        metavar="S",
        help=f"seed of the first game, S+1 of the next; 'knuthle game --seed S' draws the same "
        f"({_SEED})",
    )
    options.add_workers_option(group)


def check_games(args: argparse.Namespace) -> None:
    """Refuse options that do not go with ``--games``, and those that only go with it."""
    if args.games is None:
        for option in ("seed", "workers", "csv"):
            if getattr(args, option) is not None:
                raise WrongInputError(f"--{option} needs --games")
        return
    given = {
        "--state": args.state,
        "--strategy": args.strategy,
        "--protocol": args.protocol,
        "--allow-unknown": args.allow_unknown,
        "--weights": args.weights,
        "--time-limit": args.time_limit,
    }
    for option, present in given.items():
        if present:
            raise WrongInputError(f"{option} does not go with --games, which plays whole games")


def run_games(args: argparse.Namespace, game: Game, choice: Choice) -> int:
    """Let the helper play, and report what the games take."""
    from ..play.many_games import play_games

    output.say_when_compiling(args.quiet)
    report = partial(_report, args, game, choice)
    with reporting_what_is_known(report), Progress(args.quiet) as progress:
        found = play_games(
            game,
            args.boards,
            args.games,
            seed=_SEED if args.seed is None else args.seed,
            choice=choice,
            workers=args.workers,
            progress=partial(progress, "playing"),
        )
    report(found)
    return 0


def _report(args: argparse.Namespace, game: Game, choice: Choice, found: PlayedGames) -> None:
    games, won = records(_GAME_COLUMNS, found.games), found.won
    report = {
        "game": game.spec,
        "list": game.list_name,
        "secrets_name": game.secrets_name,
        "n_secrets": len(game.secrets),
        "boards": found.boards,
        "by": choice.by,
        "start": list(choice.start),
        "guess_from": choice.guess_from,
        "hard": choice.hard,
        "common": choice.common,
        "worlds": choice.worlds,
        "seed": _SEED if args.seed is None else args.seed,
        "n_games": args.games,
        "n_played": len(games),
        "limit": found.limit,
        "mean": found.taken and found.taken.mean,
        "error": found.taken and found.taken.error,
        "worst": found.worst,
        "won": won and won._asdict(),
        "gain": found.gain and found.gain._asdict(),
        "histogram": {str(taken): count for taken, count in found.histogram.items()},
        "games": games,
        "seconds": rounded(found.seconds),
    }
    output.emit(args, "\n".join(_text(args, found)), report, (names(_GAME_COLUMNS), games), game)


def _text(args: argparse.Namespace, found: PlayedGames) -> Sequence[str]:
    if found.taken is None:
        return ["no game was played to its end"]
    games, boards = counted(args.games, "game"), counted(found.boards, "board")
    if len(found.games) < args.games:
        games = f"{len(found.games):,} of {games}"
    lines = [
        f"{games} on {boards}: {_shown(found.taken)} guesses on average, at most {found.worst}"
    ]
    if won := found.won:
        lines.append(
            f"within {found.limit}: {won.n_games:,}, {won.share:.1%} "
            f"(95 % interval {won.low:.1%} to {won.high:.1%})"
        )
    if found.gain:
        lines.append(f"words played out save {_shown(found.gain)} guesses in the same games")
    columns = (
        Column("n_taken", "guesses", ",d", lambda row: row[0]),
        Column("n_games", "games", ",d", lambda row: row[1]),
    )
    return [*lines, "", tables.table_of(columns, [*found.histogram.items()])]


def _shown(estimate: Estimate) -> str:
    error = "" if estimate.error is None else f" ± {estimate.error:.4f}"
    return f"{estimate.mean:.4f}{error}"
