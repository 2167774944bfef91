"""``optimal --state``: the best next guesses in the middle of a game, with exact expectations."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from ..errors import OutputError
from ..notation import counted
from . import common, render

if TYPE_CHECKING:
    from solver.exact.api import Ids, Opener
    from solver.game import Game, History

HEADER = ("guess", "total", "mean", "losses")


def check(args: argparse.Namespace) -> None:
    """Refuse options that ask for a whole strategy."""
    whole = {
        "--start": args.start != "auto",
        "--objective": args.objective == "worst",
        "--out": args.out,
        "--proof": args.proof,
        "--resume": args.resume,
        "--width": args.width,
        "--guess-from": args.guess_from != "allowed",
    }
    for option, given in whole.items():
        if given:
            raise OutputError(f"{option} is about whole strategies; it does not go with --state")


def best_next_words(args: argparse.Namespace, game: Game) -> int:
    """The best next guesses of a state."""
    from ..assist import candidates_after

    history = game.parse_state(args.state)
    if args.hard:
        from solver.hard import require_legal

        require_legal(game, [(game.guess_id(word), score) for word, score in history])
    candidates = candidates_after(game, history)
    count = len(candidates)
    solved = any(score == game.solved for _, score in history)
    found = [] if solved else _best(args, game, history, candidates)
    report = {
        "state": game.format_state(history),
        "candidates": count,
        "guesses_left": None if args.within is None else args.within - len(history),
        "hard": args.hard,
        "proved": True,
        "best": [
            {
                "word": opener.word,
                "total": opener.total,
                "mean": opener.total / count,
                "losses": opener.losses,
            }
            for opener in found
        ],
    }
    rows: list[tuple[Any, ...]] = [(o.word, o.total, o.total / count, o.losses) for o in found]
    shown = [(word, f"{total:,}", f"{mean:.4f}", losses) for word, total, mean, losses in rows]
    text = f"{counted(count, 'candidate')}; best next guesses, exact:"
    text = f"solved: {history[-1][0]}" if solved else f"{text}\n{render.table(HEADER, shown)}"
    common.emit(args, text, report, (HEADER, rows))
    return 0


def _best(args: argparse.Namespace, game: Game, history: History, candidates: Ids) -> list[Opener]:
    """Search for them."""
    from solver.exact.api import best_next
    from solver.exact.openers import time_limit

    left = None if args.within is None else args.within - len(history)
    if left is not None and left < 1:
        made = counted(len(history), "guess", "guesses")
        raise OutputError(f"{made} made, and --within {args.within} allows no more")
    steps = [(game.guess_id(word), score) for word, score in history]
    check_time = time_limit(args.time_limit)
    return best_next(game, candidates, left, args.hard, steps, args.top, check_time)
