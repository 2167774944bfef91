"""``optimal --state``: the best next guesses in the middle of a game, with exact expectations."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from ..errors import OutputError
from . import common, render

if TYPE_CHECKING:
    from solver.game import Game


def best_next_words(args: argparse.Namespace, game: Game) -> int:
    """The best next guesses of a state."""
    from solver.exact.api import best_next

    from ..exact import candidates_after

    history = game.parse_state(args.state)
    candidates = candidates_after(game, history)
    if len(candidates) == 0:
        raise OutputError(f"no secret fits the state {args.state!r}")
    left = None if args.within is None else args.within - len(history)
    if left is not None and left < 1:
        raise OutputError(f"{len(history)} guesses are made and {args.within} are allowed")
    ids = [(game.guess_id(word), score) for word, score in history]
    found = best_next(game, candidates, left, args.hard, ids, args.top)
    count = len(candidates)
    report = {
        "state": game.format_state(history),
        "candidates": count,
        "guesses_left": left,
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
    rows = [(o.word, f"{o.total:,}", f"{o.total / count:.4f}", o.losses) for o in found]
    head = ("guess", "total", "mean", "losses")
    noun = "candidate" if count == 1 else "candidates"
    text = f"{count:,} {noun}; best next guesses, exact:\n{render.table(head, rows)}"
    common.emit(args, text, report, (head, rows))
    return 0
