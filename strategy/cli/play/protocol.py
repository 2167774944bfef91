"""``knuthle play --protocol``: the helper as a player, for ``knuthle referee``."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ...play.arena.protocol import Answerer


def serve(args: argparse.Namespace) -> int:
    """Answer a referee on stdin and stdout, until its lines end: by the file of ``--strategy``."""
    from ...play.arena import protocol
    from ...tree import Strategy

    strategy = Strategy.load(args.strategy)
    origin = strategy.origin
    answerer: Answerer = protocol.answerer_of(strategy)
    length = len(strategy.words[0])
    protocol.serve(answerer, origin.game, length, sys.stdin, sys.stdout, hard=origin.hard)
    return 0
