"""Trees of states put so that two searches can be compared."""

import numpy as np

from solver.game.game import Game
from solver.rules.searcher import Searcher
from solver.tree import Tree
from tests.support.worlds import all_secrets


def described(game: Game, tree: Tree) -> list[tuple[int, int, str]]:
    """Depth, edge score and guess of every node, as ``naive.nodes`` says them."""
    depths = [depth - 1 for depth in tree.depths()]
    guesses = [game.guesses[guess] for guess in tree.guess]
    return list(zip(depths, tree.score.tolist(), guesses, strict=True))


def histogram(game: Game, tree: Tree) -> list[int]:
    """How many secrets are solved in 1, 2, ... guesses, by following every state's candidates."""
    searcher = Searcher(game, "parts")
    states = {0: (all_secrets(game), 1)}
    solved: list[int] = []
    for node, below in enumerate(tree.children()):
        candidates, turn = states.pop(node)
        for score, bucket in searcher.children(int(tree.guess[node]), candidates):
            if score == game.solved:
                solved.append(turn)
            else:
                states[below[score]] = bucket, turn + 1
    assert not states
    return np.bincount(solved)[1:].tolist()
