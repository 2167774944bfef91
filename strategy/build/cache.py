"""The cross-game cache: (state, score) → next guess, shared by all games of one opener.

Games of one opener share their beginnings, so a guess that one game has worked out serves every
other game that comes to the same state. That cache *is* the strategy in the making: a game in
progress looks its state up and computes only what no game before it has needed; once every secret
has been played, or the states have been filled in wholesale, it is the whole tree.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn, Protocol

from solver.tree import Tree

from ..errors import StrategyError
from ..files import envelope, strategy_file
from ..files.origin import Origin
from ..files.output import write_whole

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from solver.game.game import Game

    Candidates = NDArray[np.int32]

#: A history in numbers: (guess, score) in turn.
Moves = tuple[tuple[int, int], ...]


class Chooser(Protocol):
    """What the cache of a strategy needs of a search: a guess for each state, and its buckets."""

    def next_guess(self, candidates: Candidates, history: Moves = ...) -> int:
        """The guess to make while these secrets are possible."""

    def children(self, guess: int, candidates: Candidates) -> list[tuple[int, Candidates]]:
        """The candidates parted by the score that ``guess`` gets, by ascending score."""


class OpenState(NamedTuple):
    """A place in the growing tree: how it hangs there (the root: -1), and what is known in it."""

    parent: int
    score: int
    candidates: Candidates
    history: Moves


class StrategyCache:
    """The growing tree of one game, one first guess and one rule, shared by all its games."""

    def __init__(self, game: Game, origin: Origin) -> None:
        self.game = game
        self.origin = origin
        self.tree = Tree()
        #: The cache itself: (node, score) → the node to go to, for the nodes looked at so far.
        self._next: dict[tuple[int, int], int] = {}
        self._starts = tuple(game.guess_id(word) for word in origin.start)

    def __len__(self) -> int:
        return len(self.tree)

    # --- growing --------------------------------------------------------------------------

    def play(self, secret: str, chooser: Chooser) -> list[tuple[str, int]]:
        """Guesses and scores of one game; only what no game before it has is computed."""
        state = self._root()
        game = []
        while True:
            node = self._node_at(state)
            if node is None:
                node = self._decide(state, chooser)
            word = self.game.guesses[self.tree.guess[node]]
            score = self.game.grade(word, secret)
            game.append((word, score))
            if score == self.game.solved:
                return game
            state = self._after(node, state, score, chooser)

    def missing(self, chooser: Chooser, depth: int) -> Iterator[OpenState]:
        """Grow the tree down to ``depth`` guesses; yield the states beyond that have no node yet.

        These are the tasks of a wholesale run: independent of each other, each a whole subtree.
        """
        stack = [self._root()]
        while stack:
            state = stack.pop()
            node = self._node_at(state)
            if node is None:
                if len(state.history) >= depth:
                    yield state
                    continue
                node = self._decide(state, chooser)
            below = [
                OpenState(node, score, candidates, (*state.history, (self.tree.guess[node], score)))
                for score, candidates in chooser.children(self.tree.guess[node], state.candidates)
                if score != self.game.solved
            ]
            stack += below[::-1]

    def graft(self, state: OpenState, tree: Tree) -> None:
        """Take over a whole subtree that was computed for a missing state of the tree."""
        self.tree.graft(tree, state.parent, state.score)

    def _root(self) -> OpenState:
        import numpy as np

        return OpenState(-1, -1, np.arange(len(self.game.secrets), dtype=np.int32), ())

    def _node_at(self, state: OpenState) -> int | None:
        for node in range(len(self._next), len(self.tree)):
            self._next[self.tree.parent[node], self.tree.score[node]] = node
        return self._next.get((state.parent, state.score))

    def _decide(self, state: OpenState, chooser: Chooser) -> int:
        number = len(state.history)
        if number < len(self._starts):
            word = self._starts[number]
        else:
            word = chooser.next_guess(state.candidates, state.history)
        return self.tree.add(int(word), state.parent, state.score)

    def _after(self, node: int, state: OpenState, score: int, chooser: Chooser) -> OpenState:
        candidates = dict(chooser.children(self.tree.guess[node], state.candidates))[score]
        return OpenState(node, score, candidates, (*state.history, (self.tree.guess[node], score)))

    # --- finished or laid aside -----------------------------------------------------------

    def save(self, path: str | Path) -> None:
        """Lay the unfinished tree aside, to be continued by ``resume``."""
        whole = len(self.tree)  # an interrupt may have come between the columns of a node
        columns = {"guess": self.tree.guess, "parent": self.tree.parent, "score": self.tree.score}
        body: dict[str, Any] = {
            "origin": strategy_file.head_of(self.origin),
            "nodes": whole,
            **{
                name: strategy_file.pack_column([max(0, number) for number in column[:whole]])
                for name, column in columns.items()
            },
        }
        write_whole(path, envelope.pack(envelope.PARTIAL, body))

    def resume(self, path: str | Path) -> None:
        """Continue the tree that a file holds, of this very game, opener and rule."""
        kind, body = envelope.read(path)
        if kind != envelope.PARTIAL:
            raise StrategyError(f"{path}: a finished strategy; there is nothing to resume")
        read = strategy_file.Reader(body, str(path))
        if (head := strategy_file.read_origin(read)) != self.origin:
            raise StrategyError(f"{path}: {_difference(head, self.origin)}")
        count = read.whole("nodes", least=0)
        guess, parent, score = (read.column(key, count) for key in ("guess", "parent", "score"))
        self._take(guess, parent, score, read.fail)

    def _take(
        self,
        guess: array[int],
        parent: array[int],
        score: array[int],
        fail: Callable[[str, str], NoReturn],
    ) -> None:
        """Add the nodes of a file, after checking that they hang together.

        Which words it guesses is taken on trust; the finished strategy is played like any other.
        """
        if parent and (parent[0] or score[0]):
            fail("root", "its first node is no root")
        depth, seen = [0] * len(guess), set[tuple[int, int]]()
        for node, word in enumerate(guess):
            if word >= len(self.game.guesses):
                fail("guess", f"node {node} guesses word {word} of {len(self.game.guesses)}")
            if node and parent[node] >= node:
                fail("order", f"node {node} does not come after its parent")
            if node and (parent[node], score[node]) in seen:
                fail("twin", f"node {node} is in the place of another")
            if score[node] >= self.game.n_scores:
                fail("score", f"node {node} follows a score that does not exist")
            depth[node] = depth[parent[node]] + 1 if node else 0
            if depth[node] < len(self._starts) and word != self._starts[depth[node]]:
                fail("guess", f"guess {depth[node] + 1} is not {self.origin.start[depth[node]]!r}")
            place = (parent[node], score[node]) if node else (-1, -1)
            seen.add(place)
            self.tree.add(word, *place)


def _difference(found: Origin, wanted: Origin) -> str:
    """The first thing in which two heads differ."""
    other = strategy_file.head_of(found)
    head = strategy_file.head_of(wanted)
    key, value = next(item for item in head.items() if other[item[0]] != item[1])
    return f"it was begun with {key} {other[key]!r}, not {value!r}"
