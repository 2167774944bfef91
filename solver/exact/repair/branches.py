"""A strategy as nested branches: the form in which parts of it can be replaced.

Searches hand strategies over as flat columns. To mend one it is taken apart into branches, each
knowing how many guesses it needs, and put together again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ...rules.searcher import Subtree


@dataclass(frozen=True)
class Branch:
    """The strategy of a state: the guess, and a branch for every score that leaves candidates."""

    guess: int
    below: dict[int, Branch] = field(default_factory=dict)

    @cached_property
    def height(self) -> int:
        """The most guesses that any candidate takes from here on."""
        return 1 + max((branch.height for branch in self.below.values()), default=0)


def branch_of_subtree(tree: Subtree) -> Branch:
    """The branches of a strategy that a rule has grown."""
    return branch_of(tree.guess.tolist(), tree.parent.tolist(), tree.score.tolist())


def branch_of(guess: Sequence[int], parent: Sequence[int], score: Sequence[int]) -> Branch:
    """The branches of flat columns, in which parents come before their children."""
    branches = [Branch(int(word)) for word in guess]
    for node in range(len(branches) - 1, 0, -1):  # the last first: whole when their parents ask
        branches[parent[node]].below[int(score[node])] = branches[node]
    return branches[0]


def columns_of(root: Branch) -> tuple[list[int], list[int], list[int]]:
    """Guess, parent and score of each node, parents first; the root has parent and score -1."""
    guess: list[int] = []
    parent: list[int] = []
    score: list[int] = []
    todo: list[tuple[Branch, int, int]] = [(root, -1, -1)]
    while todo:
        branch, above, by = todo.pop()
        here = len(guess)
        guess.append(branch.guess)
        parent.append(above)
        score.append(by)
        todo += [(branch.below[reply], here, reply) for reply in sorted(branch.below, reverse=True)]
    return guess, parent, score
