"""The cross-game cache: (state, score) → next guess, shared by all games of one opener.

Games of one opener share their beginnings, so a guess that one game has worked out serves every
other game that comes to the same state. That cache *is* the strategy in the making: a game in
progress looks its state up and computes only what no game before it has needed; once every secret
has been played, or the states have been filled in wholesale, it is the whole tree.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn, Protocol

from ..errors import StrategyError
from ..files import envelope, strategy_file
from ..files.origin import Origin
from ..files.output import write_whole
from ..tree import Strategy

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from solver.game.game import Game

    Candidates = NDArray[np.int32]

#: A history in numbers: (guess, score) in turn.
Moves = tuple[tuple[int, int], ...]


class Chooser(Protocol):
    """What the cache needs of a search."""

    def next_guess(self, candidates: Candidates, history: Moves = ...) -> int:
        """The guess to make while these secrets are possible."""

    def children(self, guess: int, candidates: Candidates) -> list[tuple[int, Candidates]]:
        """The candidates parted by the score that ``guess`` gets, by ascending score."""


class State(NamedTuple):
    """A place in the growing tree: how it hangs there, and what is known in it."""

    parent: int
    score: int
    candidates: Candidates
    history: Moves


class StrategyCache:
    """The growing tree of one game, one opener and one rule. Guesses are positions in the game."""

    def __init__(self, game: Game, origin: Origin) -> None:
        self.game = game
        self.origin = origin
        self.guess: list[int] = []
        self.parent: list[int] = []
        self.score: list[int] = []
        self._child: dict[tuple[int, int], int] = {}
        self._starts = tuple(game.guess_id(word) for word in origin.start)

    def __len__(self) -> int:
        return len(self.guess)

    # --- growing --------------------------------------------------------------------------

    def play(self, secret: str, chooser: Chooser) -> list[tuple[str, int]]:
        """Play one game, computing only what no game before it has; its guesses and scores."""
        state = self._root()
        game = []
        while True:
            node = self._node_at(state)
            if node is None:
                node = self._decide(state, chooser)
            word = self.game.guesses[self.guess[node]]
            score = self.game.grade(word, secret)
            game.append((word, score))
            if score == self.game.solved:
                return game
            state = self._after(node, state, score, chooser)

    def missing(self, chooser: Chooser, depth: int) -> Iterator[State]:
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
                State(node, score, candidates, (*state.history, (self.guess[node], score)))
                for score, candidates in chooser.children(self.guess[node], state.candidates)
                if score != self.game.solved
            ]
            stack += below[::-1]

    def graft(
        self, state: State, guess: Sequence[int], parent: Sequence[int], score: Sequence[int]
    ) -> None:
        """Take over a whole subtree that was computed for a missing state."""
        base = len(self.guess)
        for number, word in enumerate(guess):
            above = state.parent if number == 0 else base + parent[number]
            self._add(word, above, state.score if number == 0 else score[number])

    def _root(self) -> State:
        import numpy as np

        return State(0, 0, np.arange(len(self.game.secrets), dtype=np.int32), ())

    def _node_at(self, state: State) -> int | None:
        if not state.history:
            return 0 if self.guess else None
        return self._child.get((state.parent, state.score))

    def _decide(self, state: State, chooser: Chooser) -> int:
        number = len(state.history)
        if number < len(self._starts):
            word = self._starts[number]
        else:
            word = chooser.next_guess(state.candidates, state.history)
        return self._add(word, state.parent, state.score)

    def _after(self, node: int, state: State, score: int, chooser: Chooser) -> State:
        candidates = dict(chooser.children(self.guess[node], state.candidates))[score]
        return State(node, score, candidates, (*state.history, (self.guess[node], score)))

    def _add(self, word: int, parent: int, score: int) -> int:
        node = len(self.guess)
        self.guess.append(int(word))
        self.parent.append(int(parent))
        self.score.append(int(score))
        if node:
            self._child[int(parent), int(score)] = node
        return node

    # --- finished or laid aside -----------------------------------------------------------

    def to_strategy(self) -> Strategy:
        """The finished tree; every state must have its node by now."""
        return Strategy.from_columns(self.game, self.origin, self.guess, self.parent, self.score)

    def save(self, path: str | Path) -> None:
        """Lay the unfinished tree aside, to be continued by ``load``."""
        whole = len(self.score)  # an interrupt may have come between the columns of a node
        body: dict[str, Any] = {
            "origin": strategy_file.head_of(self.origin),
            "nodes": whole,
            "guess": strategy_file.pack_column(self.guess[:whole]),
            "parent": strategy_file.pack_column(self.parent[:whole]),
            "score": strategy_file.pack_column(self.score),
        }
        write_whole(path, envelope.pack(envelope.PARTIAL, body))

    def resume(self, path: str | Path) -> None:
        """Continue from a file, which must be of this very game, opener and rule."""
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
        depth = [0] * len(guess)
        for node, word in enumerate(guess):
            if word >= len(self.game.guesses):
                fail("guess", f"node {node} guesses word {word} of {len(self.game.guesses)}")
            if node and parent[node] >= node:
                fail("order", f"node {node} does not come after its parent")
            if node and (parent[node], score[node]) in self._child:
                fail("twin", f"node {node} is in the place of another")
            if score[node] >= self.game.n_scores:
                fail("score", f"node {node} follows a score that does not exist")
            depth[node] = depth[parent[node]] + 1 if node else 0
            if depth[node] < len(self._starts) and word != self._starts[depth[node]]:
                fail("guess", f"guess {depth[node] + 1} is not {self.origin.start[depth[node]]!r}")
            self._add(word, parent[node], score[node])


def _difference(found: Origin, wanted: Origin) -> str:
    """The first thing in which two heads differ."""
    other = strategy_file.head_of(found)
    key, value = next(
        item for item in strategy_file.head_of(wanted).items() if other[item[0]] != item[1]
    )
    return f"it was begun with {key} {other[key]!r}, not {value!r}"
