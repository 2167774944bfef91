"""``--dask``: workers of other machines, or a cluster of our own."""

from __future__ import annotations

import argparse
import contextlib
from typing import TYPE_CHECKING

from . import options

if TYPE_CHECKING:
    from solver.game.game import Game

    from ..sweep.cluster import DaskPlace
    from ..sweep.optimal.helpers import RaceHelpers


def add_dask_options(parser: argparse.ArgumentParser) -> None:
    """Add ``--dask`` and what TLS takes: workers of other machines, or of this one."""
    group = parser.add_argument_group("many machines")
    group.add_argument(
        "--dask",
        metavar="tcp://HOST:PORT|local:N",
        help="let the workers of this Dask scheduler do it; local:N starts N of its own here",
    )
    group.add_argument("--dask-ca", metavar="FILE", help="TLS: certificate of the authority")
    group.add_argument("--dask-cert", metavar="FILE", help="TLS: certificate of this machine")
    group.add_argument("--dask-key", metavar="FILE", help="TLS: the key to that certificate")


def place_from(args: argparse.Namespace) -> DaskPlace | None:
    """Where ``--dask`` says that the Dask scheduler is; None if it is not given."""
    from solver.errors import WrongInputError

    files = (args.dask_ca, args.dask_cert, args.dask_key)
    if args.dask is None:
        if any(files):
            raise WrongInputError("--dask-ca, --dask-cert and --dask-key are for --dask, not given")
        return None
    if args.workers:
        raise WrongInputError("--workers is for processes of this machine, --dask has its own")
    from ..sweep.cluster import DaskPlace, require_distributed

    place = DaskPlace(args.dask, *files)
    require_distributed()
    return place


def helpers_from(
    args: argparse.Namespace, game: Game, after: contextlib.ExitStack
) -> RaceHelpers | None:
    """The workers that ``--dask`` names as helpers of ``optimal``, until ``after`` is closed."""
    place = place_from(args)
    if place is None:
        return None
    from ..build.optimal_question import Question
    from ..build.preconditions import fixed_guesses
    from ..sweep.cluster import by_dask
    from ..sweep.optimal.helpers import RaceHelpers

    asked = (args.objective, args.within, args.hard, args.guess_from)
    start = fixed_guesses(game, options.starts_from(args.start, game))
    Question(game, start, *asked, width=args.width).check_shared()
    runner = after.enter_context(by_dask(place))
    return RaceHelpers(runner, game, *asked, time_limit=args.time_limit)
