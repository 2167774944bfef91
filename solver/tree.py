"""The tree of states: the one form in which every search hands over a strategy.

A node is a state in which a guess is made. Three columns describe it: the guess, the node that it
hangs below, and the score that leads there. Columns grow at their ends, go through pipes as bytes,
and a whole subtree is moved by copying slices; no node is an object.

In *preorder*, children by ascending score, the nodes of a subtree lie side by side, and equal
trees have equal columns. Searches grow trees in whatever order suits them, parents before
children; ``in_preorder`` brings them into that order.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


def _empty() -> array[int]:
    return array("i")


@dataclass
class Tree:
    """A strategy, or the part of one that follows from a state; the first node is its root."""

    #: The word guessed at each node, as a number of the game.
    guess: array[int] = field(default_factory=_empty)
    #: The node above; -1 at the root.
    parent: array[int] = field(default_factory=_empty)
    #: The score that leads from there to here; -1 at the root. While an exact search grows the
    #: tree, a secret that takes the edge stands for the score, which follows from it.
    score: array[int] = field(default_factory=_empty)

    @classmethod
    def of(cls, guess: Sequence[int], parent: Sequence[int], score: Sequence[int]) -> Tree:
        """The tree with these columns: guess, parent, score."""
        return cls(array("i", guess), array("i", parent), array("i", score))

    @classmethod
    def of_rows(cls, *rows: NDArray[np.int32]) -> Tree:
        """The tree with these columns, as a kernel has filled them: rows of 32-bit numbers."""
        return cls(*(array("i", row.tobytes()) for row in rows))

    @classmethod
    def joined(cls, guess: int, below: Mapping[int, Tree]) -> Tree:
        """A first guess, and the trees that follow its scores."""
        tree = cls.of([guess], [-1], [-1])
        for score in sorted(below):
            tree.graft(below[score], 0, score)
        return tree

    def __len__(self) -> int:
        return len(self.score)

    def add(self, guess: int, parent: int, score: int) -> int:
        """Append a node to the tree; its number."""
        self.guess.append(guess)
        self.parent.append(parent)
        self.score.append(score)
        return len(self.score) - 1

    def graft(self, other: Tree, parent: int, score: int | None = None) -> None:
        """Append another tree, its root below a node of this one, by a score or by its own."""
        base = len(self)
        parents, scores = array("i", [base + above for above in other.parent]), other.score[:]
        parents[0], scores[0] = parent, other.score[0] if score is None else score
        self.guess += other.guess
        self.parent += parents
        self.score += scores

    def depths(self) -> list[int]:
        """The number of the guess made at each node, the first being 1."""
        depths: list[int] = []
        for above in self.parent:
            depths.append(1 if above < 0 else depths[above] + 1)
        return depths

    @property
    def height(self) -> int:
        """The most guesses that any secret takes."""
        return max(self.depths(), default=0)

    def children(self) -> list[dict[int, int]]:
        """For each node, the nodes below it by their scores."""
        children: list[dict[int, int]] = [{} for _ in self.guess]
        for node in range(1, len(self)):
            children[self.parent[node]][self.score[node]] = node
        return children

    def below(self) -> dict[int, Tree]:
        """What follows each score of the first guess, as trees of their own.

        The tree must be in preorder: then each is a slice of it.
        """
        starts = [node for node in range(1, len(self)) if self.parent[node] == 0]
        spans = pairwise([*starts, len(self)])
        return {self.score[start]: self._slice(start, end) for start, end in spans}

    def _slice(self, start: int, end: int) -> Tree:
        """The subtree that lies between two nodes."""
        above = array("i", [parent - start for parent in self.parent[start:end]])
        tree = Tree(self.guess[start:end], above, self.score[start:end])
        tree.parent[0] = tree.score[0] = -1
        return tree

    def in_preorder(self) -> Tree:
        """This tree with its nodes in preorder, children by ascending score."""
        if self._is_in_preorder():
            return self
        children = self.children()
        tree = Tree()
        stack = [(0, -1, -1)] if self.guess else []
        while stack:
            node, above, score = stack.pop()
            here = tree.add(self.guess[node], above, score)
            stack += [(child, here, by) for by, child in sorted(children[node].items())[::-1]]
        return tree

    def _is_in_preorder(self) -> bool:
        """Whether each node hangs below the one before it, or beside it by a higher score."""
        path: list[int] = []
        for node, above in enumerate(self.parent):
            last = -1
            while path and path[-1] != above:
                last = path.pop()
            if node and (not path or (last >= 0 and self.score[last] >= self.score[node])):
                return False
            path.append(node)
        return True

    def renamed(self, names: Sequence[int]) -> Tree:
        """The same tree with other numbers for the words."""
        return Tree(array("i", [names[guess] for guess in self.guess]), self.parent, self.score)

    def of_secrets(self, names: Sequence[int]) -> Tree:
        """The same tree with other numbers for the secrets that stand for its scores."""
        return Tree(self.guess, self.parent, array("i", [names[secret] for secret in self.score]))

    def graded(self, grade: Callable[[int, int], int]) -> Tree:
        """The finished tree of a search that has noted secrets instead of scores, in preorder.

        ``grade`` gives the score of a guess against such a secret.
        """
        score = array("i", [-1])
        for node in range(1, len(self)):
            score.append(grade(self.guess[self.parent[node]], self.score[node]))
        return Tree(self.guess, self.parent, score).in_preorder()
