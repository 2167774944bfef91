"""The command ``referee``: any program plays all secrets over its stdin and stdout.

It is not the trusted checker of strategies, which is ``strategy.checkers.verify``.
"""

from __future__ import annotations

import argparse
from functools import partial
from operator import attrgetter
from statistics import fmean
from typing import TYPE_CHECKING, Any

from solver.errors import WrongInputError

from ..columns import Column, names, records
from ..files.text import counted, printable
from . import options, output, tables

if TYPE_CHECKING:
    from solver.game.game import Game

    from ..play.arena import Contest

_GAME_COLUMNS = (
    Column("word", value=attrgetter("secret")),
    Column("n_taken", value=lambda game: len(game.guesses) if game.solved else None),
    Column("guesses"),
)
_FAULT_COLUMNS = (
    Column("fault"),
    Column("word", value=attrgetter("secret")),
    Column("guesses"),
    Column("reason"),
)


def configure_referee(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of ``referee``: the game, the sample, the limits, the command."""
    options.add_game_options(parser)
    options.add(parser, "--hard", help="the player must follow hard mode")
    parser.add_argument("--sample", **options.COUNT, help="play only N of the secrets")
    about = "draw the sample by this number: the same S, the same sample (0)"
    options.add(parser, "--seed", default=0, metavar="S", help=about)
    parser.add_argument(
        "--timeout",
        type=options.seconds_for_an_answer,
        default=10.0,
        metavar="S",
        help="seconds for an answer (10; 120 until it is ready)",
    )
    parser.add_argument(
        "--stop-after", **options.COUNT, default=20, help="end a game after N guesses (20)"
    )
    options.add(parser, "--workers")
    options.add_output_options(parser, csv_table=True)
    parser.add_argument(
        "command", nargs=argparse.REMAINDER, metavar="-- COMMAND …", help="the program that plays"
    )


def run_referee(args: argparse.Namespace) -> int:
    """Let any program play, over its stdin and stdout, and count its guesses.

    The program answers each line with a line (docs/referee.md has the protocol on
    half a page, and players in Python, C and JavaScript). Every secret is played,
    or a sample; several processes of the program share them. Each game that is not
    won is a fault with a name: unknown word, hard-mode breach, too many guesses,
    gives up; crash, silence, garbage, out of turn. After one of the last four the
    process is stopped and the next game gets a new one; after ten of these the
    rest is not played. Exit 0: all games won; 1: some not; 2: the program does not
    follow the protocol. No shell is used; every process is stopped.

    Examples: knuthle referee --sample 100 -- python3 player.py
              knuthle referee --list nyt-2023 --hard --json - -- ./player words.txt
    """
    from solver.machine.pool import available_cores

    from ..play.arena import Terms, contest, sampled

    output.check_outputs(args)
    command = args.command[1:] if args.command[:1] == ["--"] else args.command
    if not command:
        raise WrongInputError("no command to play with; it follows after --")
    game = options.game_from(args)
    secrets = game.secrets if args.sample is None else sampled(game.secrets, args.sample, args.seed)
    if args.hard and not game.has_hard_mode:
        raise WrongInputError(f"hard mode is a rule of Wordle; {game.spec} has none")
    limits = (args.hard, args.stop_after, args.timeout)
    terms = Terms(game.spec, frozenset(game.guesses), secrets, *limits)
    workers = args.workers or available_cores()
    with output.at_work(args.quiet) as progress:
        found = contest(command, terms, workers, partial(progress, "playing"))
    report = _facts(args, game, found, len(secrets)) | {"command": command}
    rows = report["games"]
    output.emit(args, _text(found, report), report, (names(_GAME_COLUMNS), rows), game)
    return 1 if found.faults or found.n_left else 0


def _facts(args: argparse.Namespace, game: Game, found: Contest, n_secrets: int) -> dict[str, Any]:
    taken, times = found.taken.values(), found.seconds
    return {
        "player": found.player or None,
        "game": game.spec,
        "list": game.list_name,
        "n_guesses": len(game.guesses),
        "guesses_digest": game.guesses_digest,
        "secrets_name": game.secrets_name,
        "secrets_digest": game.secrets_digest,
        "hard": args.hard,
        "limit": args.stop_after,
        "n_secrets": n_secrets,
        "n_played": len(found.games),
        "n_solved": len(taken),
        "histogram": found.histogram,
        "worst": max(taken, default=None),
        "total": sum(taken) if taken else None,
        "mean": sum(taken) / len(taken) if taken else None,
        "n_faults": len(found.faults),
        "faults": records(_FAULT_COLUMNS, found.faults),
        "n_restarts": found.n_restarts,
        "games": records(_GAME_COLUMNS, found.games),
        "seconds": {
            "start": round(max(found.starts), 4) if found.starts else None,
            "guess": round(fmean(times), 6) if times else None,
            "slowest": round(max(times), 6) if times else None,
        },
    }


def _text(found: Contest, report: dict[str, Any]) -> str:
    lines = [f"{printable(report['player'])}"] if report["player"] else []
    lines += [tables.histogram(found.histogram), ""] if found.histogram else []
    played = counted(report["n_played"], "game")
    if report["n_solved"]:
        lines.append(
            f"worst {report['worst']}, total {report['total']:,}, mean {report['mean']:.4f}; "
            f"{report['n_solved']:,} of {played} won"
        )
    else:
        lines.append(f"none of {played} won")
    seconds = report["seconds"]
    if seconds["guess"] is not None:
        mean, slowest = (f"{1000 * seconds[name]:.3g} ms" for name in ("guess", "slowest"))
        lines.append(f"{mean} a guess, {slowest} the slowest; ready in {seconds['start']:.3g} s")
    if found.faults:
        faults = [
            f"  {game.fault}: {game.secret}{' after ' * bool(game.guesses)}"
            f"{' '.join(game.guesses)}: {printable(game.reason)}"
            for game in found.faults
        ]
        lines += [f"{counted(len(faults), 'fault')}:", *tables.first_lines(faults)]
    if found.n_left:
        left = counted(found.n_left, "secret")
        lines.append(f"{left} not played: {found.n_restarts} processes had to be replaced")
    return tables.prose("\n".join(lines))
