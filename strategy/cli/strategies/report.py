"""What ``solve-all`` and ``optimal`` both say of a strategy, as JSON."""

from __future__ import annotations

import argparse
import glob
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...exports import head_facts, results
from ...files.origin import Origin
from ...files.output import Kind, check_target

if TYPE_CHECKING:
    from solver.game.game import Game

    from ...build.within_limit import Outcome
    from ...tree import Strategy


def report_of(
    origin: Origin, strategy: Strategy | None, outcome: Outcome, path: str | None
) -> dict[str, Any]:
    """The JSON that ``solve-all`` and ``optimal`` print of a strategy, as far as both share it.

    What only a strategy has is null where there is none.
    """
    limit = outcome.limit
    beyond = None
    if strategy is not None:
        beyond = [] if limit is None else strategy.beyond(limit)
    return {
        **head_facts(origin),
        **results(strategy),
        "within": outcome.facts(),
        "n_beyond": None if beyond is None else len(beyond),
        "beyond": beyond,
        "file": path,
    }


def check_default_name(
    args: argparse.Namespace, game: Game, rule: str, start: Sequence[str] = ()
) -> None:
    """Before a strategy is solved for, refuse the name of its file that its result will make.

    Where the first guess is free, any may be the one; all names are equally long.
    """
    words = tuple(start) if tuple(start) not in ((), ("auto",)) else (game.guesses[0],)
    pool = {"guess_from": args.guess_from, "hard": args.hard}
    name = Origin.of(game, rule, words, **pool).file_name
    check_target(name, Kind.STRATEGY, force=args.force)
    if words == tuple(start):
        return
    rest = name.removeprefix(words[0])
    guesses = set(game.guesses)
    for other in sorted(Path().glob(f"*{glob.escape(rest)}")):
        if other.name.removesuffix(rest) in guesses:
            check_target(other, Kind.STRATEGY, force=args.force)


def rounded(seconds: dict[str, float]) -> dict[str, float]:
    """The seconds of each part of building a strategy, as a command's JSON says them."""
    return {part: round(took, 4) for part, took in seconds.items()}
