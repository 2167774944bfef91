"""What an exact search answers: a strategy, first guesses with their values, and what is proved."""

from __future__ import annotations

from dataclasses import dataclass

OBJECTIVES = ("total", "worst", "losses")


@dataclass(frozen=True)
class FirstGuess:
    """A first guess with its exact result, or with the bound that excludes it."""

    word: str
    total: int
    losses: int
    exact: bool


@dataclass(frozen=True)
class Tree:
    """A strategy as flat columns: guess of the game, position of the parent, score from there."""

    guess: list[int]
    parent: list[int]
    score: list[int]

    def depths(self) -> list[int]:
        """The number of the guess made at each node."""
        depths: list[int] = []
        for above in self.parent:
            depths.append(1 if above < 0 else depths[above] + 1)
        return depths


@dataclass(frozen=True)
class Answer:
    """What an exact search found out."""

    #: None: proved that nothing meets the limit, or nothing was found in time.
    tree: Tree | None
    openers: list[FirstGuess]
    proved: bool
    #: Of the objective: no strategy is better than this.
    lower_bound: int | None
    #: The limit in force: for ``worst``, the least that can be met.
    within: int | None

    @property
    def impossible(self) -> bool:
        """Whether it is proved that the limit cannot be met."""
        return self.tree is None and self.proved
