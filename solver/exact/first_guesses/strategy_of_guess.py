"""The strategy that goes with the value of a first guess."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...errors import WrongFindingError
from ...game.game import Game
from ...tree import Tree
from ..lemmas import LOSS
from ..state_values.results import parted
from .workbench import Workbench


def plan_of(bench: Workbench, column: int, best: int) -> Tree:
    """The strategy of value ``best`` with a given first guess, whatever was searched before."""
    return least_worst(bench, column, best, _fresh_tree(bench, column, best))


def _fresh_tree(bench: Workbench, column: int, best: int) -> Tree:
    """A strategy of least value that begins with a guess: the one found after this guess alone.

    Which of several equally good guesses a state gets may depend on what is known already. Whoever
    was told a wrong value learns of it here.
    """
    bench.forget()
    ceiling = bench.problem.ceiling
    bench.value(column, ceiling, patient=False)
    value, tree = bench.engine.plan_of_guess(
        bench.members, column, bench.problem.left, bench.shown, ceiling
    )
    if (value.bound, value.exact) != (best, True):
        word = bench.problem.game.guesses[bench.table.guess[column]]
        raise WrongFindingError(f"the best strategy that begins with {word} is another")
    return bench.problem.graded(tree)


def least_worst(bench: Workbench, column: int, value: int, tree: Tree) -> Tree:
    """Of a first guess's strategies that have this value, one with the least worst case.

    Where the limit is as near, only the branches that reach it can do with less.
    """
    if value >= LOSS:
        return tree
    better: Tree | None = tree
    while better is not None:
        tree, better = better, _less_deep(bench, column, better)
    return tree


def _less_deep(bench: Workbench, column: int, tree: Tree) -> Tree | None:
    """A strategy of the same total with a smaller worst case, if there is one after the guess."""
    left = tree.height - 2  # after the first guess
    if left < 1:
        return None  # a first guess alone, or one for every other secret: nothing can be saved
    game, secrets = bench.problem.game, bench.problem.secrets
    below = tree.below()
    buckets = parted(bench.engine.table, bench.members, column, bench.shown)
    for rows, after in sorted(buckets, key=lambda bucket: len(bucket[0])):
        score = game.grade(game.guesses[tree.guess[0]], secrets[rows[0]])
        if score not in below or below[score].height <= left:
            continue
        total = _guesses(game, below[score], [secrets[row] for row in rows])
        engine, everyone = bench.engine.narrow(rows, after), np.arange(len(rows), dtype=np.int32)
        value, _ = engine.value_of_state(everyone, left, after, total)
        if not value.exact or value.bound > total:
            return None  # deeper than that, or only at the price of more guesses
        grown = Tree()
        engine.plan(everyone, left, after, grown, -1, rows)
        below[score] = bench.problem.graded(grown)
    return Tree.joined(tree.guess[0], below)


def _guesses(game: Game, tree: Tree, secrets: Sequence[str]) -> int:
    """How many guesses some secrets take together."""
    children, total = tree.children(), 0
    for secret in secrets:
        node = 0
        while (word := game.guesses[tree.guess[node]]) != secret:
            node = children[node][game.grade(word, secret)]
            total += 1
        total += 1
    return total
