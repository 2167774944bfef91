"""Joint weights by plain counting."""

from __future__ import annotations

from collections import Counter

from solver.game.game import Game
from solver.splits.logarithms import fixed_log_weights


def joint_weight(game: Game, *words: str) -> int:
    """The joint weight of some words by plain counting."""
    weights = fixed_log_weights(len(game.secrets))
    sizes = Counter(tuple(game.grade(word, secret) for word in words) for secret in game.secrets)
    return sum(int(weights[size]) for size in sizes.values())
