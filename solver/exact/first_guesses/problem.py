"""The question put to an exact search, and the standing of its first guesses."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from ...game.game import Game
from ...tree import Tree
from ..lemmas import LOSS, NEVER, UNLIMITED

#: A guess, a bound, and whether the bound is its value.
Finding = tuple[int, int, bool]


@dataclass(frozen=True)
class Problem:
    """A state of a game, and what is asked about it."""

    game: Game
    hard: bool = False
    #: Guesses left; None: no limit.
    within: int | None = 6
    #: Positions of the candidates among the secrets; None: all of them.
    candidates: tuple[int, ...] | None = None
    #: The (guess, score) pairs so far: hard mode has to know.
    history: tuple[tuple[int, int], ...] = ()
    #: Whether secrets beyond the limit are allowed, and counted first.
    losses: bool = False
    #: What a guess costs: 1, or 0 where only the limit matters.
    price: int = 1

    @property
    def secrets(self) -> Sequence[str]:
        """The candidates, as words."""
        secrets = self.game.secrets
        return secrets if self.candidates is None else [secrets[at] for at in self.candidates]

    def graded(self, tree: Tree) -> Tree:
        """A tree as the search has grown it, with the scores that its secrets stand for."""
        game, secrets = self.game, self.secrets
        return tree.graded(lambda guess, row: game.grade(game.guesses[guess], secrets[row]))

    @property
    def left(self) -> int:
        """Guesses left in the problem, in the form that kernels want."""
        return UNLIMITED if self.within is None else self.within

    @property
    def ceiling(self) -> int:
        """The value that no strategy of the problem may exceed."""
        return NEVER if self.losses or self.within is None else LOSS - 1


@dataclass(frozen=True)
class Race:
    """The best values of first guesses so far, which set the limit for all others."""

    #: How many places there are.
    top: int
    ceiling: int
    values: tuple[int, ...] = ()
    #: Whether few guesses meet the ceiling, so that it pays to ask that first.
    tight: bool = False

    @property
    def limit(self) -> int:
        """The value above which a first guess wins no place."""
        return self.values[self.top - 1] if len(self.values) >= self.top else self.ceiling

    def joined(self, value: int) -> Race:
        """The race with one more value of a first guess."""
        return replace(self, values=tuple(sorted((*self.values, value))[: self.top]))
