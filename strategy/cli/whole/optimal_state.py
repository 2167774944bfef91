"""``optimal --state``: the best next guesses in the middle of a game, with exact expectations."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from solver.errors import CouldNotFinishError

from ...errors import OutputError
from ...files.notation import counted
from .. import output, render

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from solver.exact.answers.next_words import NextWords
    from solver.game.game import Game, History

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
    }
    for option, given in whole.items():
        if given:
            raise OutputError(f"{option} is about whole strategies; it does not go with --state")


def best_next_words(args: argparse.Namespace, game: Game) -> int:
    """The best next guesses of a state."""
    from solver.advice.clues import candidates_after

    history = game.parse_state(args.state)
    if args.hard:
        from solver.game.hard_mode import require_legal

        require_legal(game, [(game.guess_id(word), score) for word, score in history])
    candidates = candidates_after(game, history)
    if any(score == game.solved for _, score in history):
        _tell(args, game, history, len(candidates), None)
        return 0
    search = _search(args, game, history, candidates)
    try:
        search.settle()
    except CouldNotFinishError as error:
        _tell(args, game, history, len(candidates), search)
        raise type(error)(f"{error}; what is reported is a bound") from None
    _tell(args, game, history, len(candidates), search)
    return 0


def _tell(
    args: argparse.Namespace, game: Game, history: History, count: int, search: NextWords | None
) -> None:
    """Report what is known; without a search, that the state is solved."""
    found = [] if search is None else search.best()
    proved = search is None or search.proved
    report = {
        "state": game.format_state(history),
        "candidates": count,
        "guesses_left": None if args.within is None else args.within - len(history),
        "hard": args.hard,
        "guess_from": args.guess_from,
        "proved": proved,
        "least_losses": 0 if search is None else search.least_losses,
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
    if search is None:
        text = f"solved: {history[-1][0]}"
    else:
        text = f"{_heading(count, search)}\n{render.table(HEADER, shown)}"
    output.emit(args, text, report, (HEADER, rows))


def _heading(count: int, search: NextWords) -> str:
    """How many candidates there are, and what the table is worth."""
    many = counted(count, "candidate")
    if search.proved:
        return f"{many}; best next guesses, exact:"
    least = f"no word loses fewer than {search.least_losses}"
    return f"{many}; the best next guesses found: a bound, others may be better ({least}):"


def _search(
    args: argparse.Namespace, game: Game, history: History, candidates: NDArray[np.int32]
) -> NextWords:
    """The search for them."""
    from solver.exact.answers.next_words import NextWords
    from solver.exact.race.problem import Problem
    from solver.machine.clock import time_limit

    from ...build.optimal import game_played

    left = None if args.within is None else args.within - len(history)
    if left is not None and left < 1:
        made = counted(len(history), "guess", "guesses")
        raise OutputError(f"{made} made, and --within {args.within} allows no more")
    played = game_played(game, args.guess_from, [word for word, _ in history])
    steps = tuple((played.guess_id(word), score) for word, score in history)
    problem = Problem(played, args.hard, left, tuple(candidates.tolist()), steps)
    timed = args.time_limit is not None
    return NextWords(problem, args.top, time_limit(args.time_limit), patient=timed)
