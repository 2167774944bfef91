"""Let any program play, over its stdin and stdout, and count what it takes.

The program answers lines with lines (docs/referee.md has them on half a page, and players in
Python, C and JavaScript). Every secret is played, or a sample; several processes of the program
share them. Each game that is not won is a fault by name: unknown word, hard-mode breach, too many
guesses, gives up; crash, silence, garbage, out of turn. After one of the last four the process is
ended and the next game gets a new one; after ten of these the rest is not played. Exit 0: all
games won; 1: some not; 2: it is no player. Nothing goes through a shell, and no process is left.

Examples: knuthle referee --sample 100 -- python3 player.py
          knuthle referee --list nyt-2023 --hard --json - -- ./player words.txt
"""

from __future__ import annotations

import argparse
from functools import partial
from statistics import fmean
from typing import TYPE_CHECKING, Any

from ...files.names import shown
from ...files.notation import counted
from .. import options, output, render
from ..progress import Progress

if TYPE_CHECKING:
    from solver.game.game import Game

    from ...play.arena.contest import Bout, Contest, Terms

#: So many faults are told on a terminal; JSON has them all.
_SHOWN = 20


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of ``referee``: the game, the sample, the limits, the command."""
    options.add_game_options(parser)
    parser.add_argument("--hard", action="store_true", help="hold the player to hard mode")
    parser.add_argument(
        "--sample", type=options.at_least_one, metavar="N", help="play only N of the secrets"
    )
    parser.add_argument(
        "--seed", type=options.at_least_zero, default=0, metavar="S", help="which ones (0)"
    )
    parser.add_argument(
        "--timeout",
        type=options.seconds,
        default=10.0,
        metavar="S",
        help="seconds for an answer (10; 120 until it is ready)",
    )
    parser.add_argument(
        "--stop-after",
        type=options.at_least_one,
        default=20,
        metavar="N",
        help="end a game after N guesses (20)",
    )
    options.add_workers_option(parser)
    options.add_output_options(parser, csv_table=True)
    parser.add_argument(
        "command", nargs=argparse.REMAINDER, metavar="-- COMMAND …", help="the program that plays"
    )


def run(args: argparse.Namespace) -> int:
    """Run ``referee``: let a program play every secret, and report."""
    from solver.errors import WrongInputError
    from solver.machine.pool import available_cores

    from ...play.arena.contest import contest, sampled

    output.check_outputs(args)
    command = args.command[1:] if args.command[:1] == ["--"] else args.command
    if not command:
        raise WrongInputError("no command to play with; it follows after --")
    game = options.game_from(args)
    secrets = game.secrets if args.sample is None else sampled(game.secrets, args.sample, args.seed)
    terms = _terms(args, game, secrets)
    with Progress(args.quiet) as progress:
        told = partial(progress, "playing")
        found = contest(command, terms, args.workers or available_cores(), told)
    report = _facts(args, game, found, len(secrets)) | {"command": command}
    output.emit(args, _text(found, report), report, (("word", "n_taken", "guesses"), _rows(found)))
    return 1 if found.faults or found.n_left else 0


def _terms(args: argparse.Namespace, game: Game, secrets: Any) -> Terms:
    from solver.errors import WrongInputError

    from ...play.arena.contest import Terms

    if args.hard and not game.has_hard_mode:
        raise WrongInputError(f"hard mode is a rule of Wordle; {game.spec} has none")
    guesses = frozenset(game.guesses)
    return Terms(game.spec, guesses, secrets, args.hard, args.stop_after, args.timeout)


def _facts(args: argparse.Namespace, game: Game, found: Contest, asked: int) -> dict[str, Any]:
    """The JSON, but for the command."""
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
        "n_secrets": asked,
        "n_played": len(found.bouts),
        "n_solved": len(taken),
        "histogram": found.histogram,
        "worst": max(taken, default=None),
        "total": sum(taken) if taken else None,
        "mean": sum(taken) / len(taken) if taken else None,
        "n_faults": len(found.faults),
        "faults": [_fault(bout) for bout in found.faults],
        "n_restarts": found.n_restarts,
        "games": list(_rows(found)),
        "seconds": {
            "start": round(max(found.starts), 4) if found.starts else None,
            "guess": round(fmean(times), 6) if times else None,
            "slowest": round(max(times), 6) if times else None,
        },
    }


def _fault(bout: Bout) -> dict[str, Any]:
    return {
        "fault": bout.fault,
        "word": bout.secret,
        "guesses": bout.guesses,
        "reason": bout.reason,
    }


def _rows(found: Contest) -> list[dict[str, Any]]:
    """A row a game; what was not found has no number."""
    return [
        {
            "word": bout.secret,
            "n_taken": len(bout.guesses) if bout.solved else None,
            "guesses": bout.guesses,
        }
        for bout in found.bouts
    ]


def _text(found: Contest, report: dict[str, Any]) -> str:
    lines = [f"{shown(report['player'])}"] if report["player"] else []
    lines += [render.histogram(found.histogram), ""] if found.histogram else []
    played = counted(report["n_played"], "game")
    if report["n_solved"]:
        lines.append(
            f"worst {report['worst']}, total {report['total']:,}, mean {report['mean']:.4f}; "
            f"{report['n_solved']:,} of {played} won"
        )
    else:
        lines.append(f"none of {played} won")
    lines += [*_times(report["seconds"]), *_faults(found)]
    if found.n_left:
        left = counted(found.n_left, "secret")
        lines.append(f"{left} not played: {found.n_restarts} processes had to be replaced")
    return render.prose("\n".join(lines))


def _times(seconds: dict[str, Any]) -> list[str]:
    if seconds["guess"] is None:
        return []
    mean, slowest = (f"{1000 * seconds[name]:.3g} ms" for name in ("guess", "slowest"))
    return [f"{mean} a guess, {slowest} the slowest; ready in {seconds['start']:.3g} s"]


def _faults(found: Contest) -> list[str]:
    """The faults, a line each; of many the first."""
    faults = found.faults
    lines = [f"{counted(len(faults), 'fault')}:"] if faults else []
    for bout in faults[:_SHOWN]:
        guesses = f" after {' '.join(bout.guesses)}" if bout.guesses else ""
        lines.append(f"  {bout.fault}: {bout.secret}{guesses}: {shown(bout.reason)}")
    if len(faults) > _SHOWN:
        lines.append(f"  … and {len(faults) - _SHOWN:,} more (--json has them all)")
    return lines
