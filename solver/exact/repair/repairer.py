"""A rule's strategy brought within a limit, with as much of it kept as can be.

Only states that break the limit are touched, the deepest first. A state all of whose branches can
be mended keeps its guess. If a branch cannot be mended, no strategy solves the state behind it
with the guesses left; so the guess before it is wrong, whatever follows, and any other guess may
take its place: an exhaustive search finds one or proves that there is none. In what it finds, every
branch in which the rule itself suffices is the rule's again.

Complete (docs/exact.md, lemma 10): by induction from the leaves, ``mended`` is None only for states
that no strategy solves within the limit. So, at the top, None is a proof for the forced guesses.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from ...game.game import Game
from ...machine.rows import Ids
from ...tree import Tree
from ..lemmas import after_guess
from .without_score_table import Decider, Moves


@dataclass(frozen=True)
class Situation:
    """A state with all that its repair has to know."""

    candidates: Ids
    #: Guesses that may still be made.
    left: int
    history: Moves
    #: Guesses that must be made first.
    forced: int


class Grower(Protocol):
    """What the repair of a strategy needs of a rule."""

    @property
    def game(self) -> Game:
        """The game that the rule plays."""

    def grow(self, candidates: Ids, starts: Sequence[int] = ..., history: Moves = ...) -> Tree:
        """The rule's strategy of a state."""


class Repairer:
    """Mends the strategies of one rule until they keep a limit."""

    def __init__(
        self,
        grower: Grower,
        decide: Decider,
        progress: Callable[[int], None] = lambda secrets: None,
    ) -> None:
        self._grower = grower
        self._decide = decide
        #: Called with the number of secrets of every bucket of the first guess that is mended.
        self._progress = progress

    def within(self, limit: int, tree: Tree, forced: int = 0) -> Tree | None:
        """The tree, mended; None: proved that after its first ``forced`` guesses nothing does."""
        everything = np.arange(len(self._grower.game.secrets), dtype=np.int32)
        return self.mended(tree, Situation(everything, limit, (), forced))

    def mended(self, tree: Tree, state: Situation) -> Tree | None:
        """The strategy of a state, with whatever breaks the limit replaced."""
        if tree.height <= state.left:
            return tree
        if state.left <= 1:
            return None
        below = tree.below()
        for score, after in self._failing(tree.guess[0], below, state):
            mended = self.mended(below[score], after)
            if mended is None:
                return None if state.forced else self._replaced(state)
            below[score] = mended
            if not state.history:
                self._progress(len(after.candidates))
        return Tree.joined(tree.guess[0], below)

    def _replaced(self, state: Situation) -> Tree | None:
        """Another guess for a state in which the rule's does not do."""
        found = self._decide(state.candidates, state.left, state.history)
        return None if found is None else self._blended(found, state)

    def _blended(self, found: Tree, state: Situation) -> Tree:
        """What the search found, with the rule's own branches wherever they suffice."""
        guess, below = found.guess[0], found.below()
        for score, after in self._children(guess, state):
            own = self._grower.grow(after.candidates, (), after.history)
            fits = own.height <= after.left
            below[score] = own if fits else self._blended(below[score], after)
        return Tree.joined(guess, below)

    def _failing(
        self, guess: int, below: Mapping[int, Tree], state: Situation
    ) -> Sequence[tuple[int, Situation]]:
        """The branches beyond the limit: the smallest states, which are soon decided, first."""
        failing = [
            (score, after)
            for score, after in self._children(guess, state)
            if below[score].height > after.left
        ]
        return sorted(failing, key=lambda item: len(item[1].candidates))

    def _children(self, guess: int, state: Situation) -> Iterator[tuple[int, Situation]]:
        return children_of(self._grower.game, guess, state)


def children_of(game: Game, guess: int, state: Situation) -> Iterator[tuple[int, Situation]]:
    """The situations, as a repairer keeps them, that can follow a guess, unless it is right."""
    row = game.score_rows(np.array([guess], dtype=np.int32), state.candidates)[0]
    for score in np.unique(row).tolist():
        if score != game.solved:
            yield (
                score,
                Situation(
                    state.candidates[row == score],
                    after_guess(state.left),
                    (*state.history, (guess, score)),
                    max(state.forced - 1, 0),
                ),
            )
