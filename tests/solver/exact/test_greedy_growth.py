"""Strategies by the most parts: each is played, and chooses as it says."""

import random

import numpy as np
import pytest

from solver.exact.kernels.greedy_growth import GrownNodes, grow_greedily
from solver.exact.table_layout import score_table_of
from solver.game.wordle import WordleGame
from solver.tree import Tree
from tests.support.naive_exact import values_of_guesses
from tests.support.trees import histogram
from tests.support.worlds import all_secrets, some_world


def grown(game: WordleGame, left: int, first: int) -> Tree | None:
    table, everyone = score_table_of(game, False), all_secrets(game)
    nodes = GrownNodes(*(np.empty(2 * len(everyone), dtype=np.int32) for _ in range(3)))
    column = int(np.flatnonzero(table.guess == first)[0])
    count = grow_greedily(table, everyone, left, column, nodes)
    if count < 0:
        return None
    columns, parents, rows = (array[:count] for array in nodes)
    return Tree.of_rows(table.guess[columns], parents, rows).graded(
        lambda guess, secret: game.grade(game.guesses[guess], game.secrets[secret])
    )


@pytest.mark.parametrize("seed", range(20))
def test_what_is_grown_solves_all_in_time(seed: int) -> None:
    dice = random.Random(seed)
    game = some_world(dice, 6, 40)
    found = 0
    for first in dice.sample(range(len(game.guesses)), 4):
        for left in range(1, 7):
            tree = grown(game, left, first)
            if tree is None:
                continue
            found += 1
            assert tree.guess[0] == first
            assert len(histogram(game, tree)) <= left
            lost, _ = values_of_guesses(game.guesses, game.secrets, left)[game.guesses[first]]
            assert lost == 0
    assert found


def test_three_guesses_left_look_further_than_the_most_parts() -> None:
    """Somewhere with three left a guess is made that has fewer parts than another one."""
    assert any(looks_further(seed) for seed in range(140, 200))  # one world in a hundred


def looks_further(seed: int) -> bool:
    game = some_world(random.Random(seed), 6, 40)
    for first in range(min(3, len(game.guesses))):
        tree = grown(game, 4, first)
        if tree is None:
            continue
        for score, node in tree.children()[0].items():
            left = [it for it in game.secrets if game.grade(game.guesses[first], it) == score]
            parts = [len({game.grade(guess, it) for it in left}) for guess in game.guesses]
            if len(left) > 2 and parts[tree.guess[node]] < max(parts):
                return True
    return False
