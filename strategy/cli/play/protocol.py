"""``knuthle play --protocol``: the helper at the table as a player, for ``knuthle referee``."""

from __future__ import annotations

import sys

from ...play.arena import protocol
from ...play.arena.protocol import Proposer


def serve(helper: Proposer) -> int:
    """Answer a referee on stdin and stdout, until its lines end, with what a helper proposes."""
    game = helper.game
    answerer = protocol.answerer_by(helper)
    hard = helper.choice.hard
    protocol.serve(answerer, game.spec, game.length, sys.stdin, sys.stdout, hard=hard)
    return 0
