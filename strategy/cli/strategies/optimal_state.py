"""``optimal --state``: the best next guesses in the middle of a game, with exact expectations."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from solver.errors import CouldNotFinishError

from ...errors import OutputError
from ...files.notation import counted
from .. import output, render
from ..progress import Progress

if TYPE_CHECKING:
    from solver.game.game import Game

    from ...build.optimal_state import NextGuesses

HEADER = ("guess", "total", "mean", "losses")
COLUMNS = ("word", "total", "mean", "n_beyond")
#: So many of the words that share the last place are shown, candidates first.
_TIED = 10


def check(args: argparse.Namespace) -> None:
    """Refuse options of ``optimal --state`` that ask for a whole strategy."""
    whole = {
        "--start": args.start != "auto",
        "--objective": args.objective == "worst",
        "--out": args.out,
        "--proof": args.proof,
        "--resume": args.resume,
        "--recheck": args.recheck,
        "--width": args.width,
        "--dask": args.dask,
    }
    for option, given in whole.items():
        if given:
            raise OutputError(f"{option} is about whole strategies; it does not go with --state")


def best_next_words(args: argparse.Namespace, game: Game) -> int:
    """Run ``optimal --state``: search for the best next guesses of a state, and report them."""
    from ...build.optimal_state import next_words

    history = game.parse_state(args.state)
    try:
        with Progress(args.quiet):
            found = next_words(
                game,
                history,
                within=args.within,
                top=args.top,
                hard=args.hard,
                guess_from=args.guess_from,
                time_limit=args.time_limit,
            )
    except CouldNotFinishError as error:
        _tell(args, game, error.best)
        raise type(error)(f"{error}; what is reported is a bound") from None
    _tell(args, game, found)
    return 0


def _tell(args: argparse.Namespace, game: Game, found: NextGuesses) -> None:
    """Report what is known."""
    count = found.candidates
    rows: list[dict[str, Any]] = [
        dict(
            zip(COLUMNS, (guess.word, guess.total, guess.total / count, guess.losses), strict=True)
        )
        for guess in found.words
    ]
    report = {
        "state": found.history,
        "remaining": count,
        "n_guesses_left": found.guesses_left,
        "hard": args.hard,
        "guess_from": args.guess_from,
        "proved": found.proved,
        "n_beyond_bound": found.least_losses,
        "suggestions": rows,
    }
    if found.solved:
        text = f"solved: {found.history[-1][0]}"
    else:
        text = f"{_heading(found)}\n{_table(rows, args.top, _candidates(game, found))}"
    output.emit(args, text, report, (COLUMNS, rows))


def _candidates(game: Game, found: NextGuesses) -> set[str]:
    from solver.advice.clues import candidates_after

    return {game.secrets[at] for at in candidates_after(game, found.history)}


def _table(found: Sequence[dict[str, Any]], top: int, candidates: set[str]) -> str:
    """The best words, and a few of those that share the last place."""
    rows = [tuple(row[name] for name in COLUMNS) for row in found]
    tied = [row for row in rows if row[1:] == rows[-1][1:]]
    tied.sort(key=lambda row: row[0] not in candidates)
    before = rows[: len(rows) - len(tied)]
    few = max(_TIED, top - len(before))
    shown = [
        (word, f"{total:,}", f"{mean:.4f}", losses)
        for word, total, mean, losses in (*before, *tied[:few])
    ]
    more = len(tied) - few
    last = f"\nand {more:,} more as good as the last" if more > 0 else ""
    return render.table(HEADER, shown) + last


def _heading(found: NextGuesses) -> str:
    """How many candidates there are, and what the table is worth."""
    many = counted(found.candidates, "candidate")
    if found.proved:
        return f"{many}; best next guesses, exact:"
    least = f"no word loses fewer than {found.least_losses}"
    return f"{many}; the best next guesses found: a bound, others may be better ({least}):"
