"""The tree of states, against nested dictionaries."""

import random
from typing import Any

import pytest

from solver.tree import Tree

#: A guess, and what follows by its scores.
Nested = tuple[int, dict[int, Any]]


def drawn(dice: random.Random, most: int = 4) -> Nested:
    """A tree of at most so many guesses."""
    scores = dice.sample(range(9), dice.randint(0, 3)) if most > 1 else []
    return dice.randrange(100), {score: drawn(dice, most - 1) for score in scores}


def grown(nested: Nested, dice: random.Random) -> Tree:
    """The tree as a search grows it: parents before children, otherwise in any order."""
    tree = Tree()
    todo = [(nested, -1, -1)]
    while todo:
        (guess, below), parent, score = todo.pop(dice.randrange(len(todo)))
        node = tree.add(guess, parent, score)
        todo += [(after, node, by) for by, after in below.items()]
    return tree


def rows(nested: Nested, parent: int = -1, score: int = -1, base: int = 0) -> list[list[int]]:
    """Guess, parent and score of each node in preorder, by the definition."""
    guess, below = nested
    found = [[guess, parent, score]]
    for by in sorted(below):
        found += rows(below[by], base, by, base + len(found))
    return found


@pytest.mark.parametrize("seed", range(50))
def test_trees_are_what_their_definition_says(seed: int) -> None:
    dice = random.Random(seed)
    nested = drawn(dice)
    tree = grown(nested, dice).in_preorder()
    assert [[*it] for it in zip(tree.guess, tree.parent, tree.score, strict=True)] == rows(nested)
    assert tree.in_preorder() is tree and tree.height == max(tree.depths())
    assert len(tree.depths()) == len(tree) == sum(len(below) for below in tree.children()) + 1
    below = {score: grown(after, dice).in_preorder() for score, after in nested[1].items()}
    assert tree.height == 1 + max((it.height for it in below.values()), default=0)
    assert tree.below() == below and Tree.joined(nested[0], below) == tree
    assert tree.renamed(range(100, 200)).guess.tolist() == [100 + word for word in tree.guess]


@pytest.mark.parametrize("seed", range(20))
def test_grafts_hang_below_their_node(seed: int) -> None:
    dice = random.Random(seed)
    tree, other = (grown(drawn(dice), dice).in_preorder() for _ in range(2))
    node, before, path = dice.randrange(len(tree)), len(tree), list[int]()
    free = next(score for score in range(10) if score not in tree.children()[node])
    tree.graft(other, node, free)
    assert tree.children()[node][free] == before
    while node:
        path.append(tree.score[node])
        node = tree.parent[node]
    cut = tree.in_preorder()
    for score in [*path[::-1], free]:
        cut = cut.below()[score]
    assert cut == other


def test_secrets_become_scores_once() -> None:
    """A search notes a secret that takes an edge; the finished tree has the score of it."""
    tree = Tree.of([5, 7, 9], [-1, 0, 0], [-1, 30, 20])
    graded = tree.graded(lambda guess, secret: guess * secret)
    assert graded == Tree.of([5, 9, 7], [-1, 0, 0], [-1, 100, 150])
