"""What an exact search answers: a strategy, first guesses with their values, and what is proved."""

from __future__ import annotations

from dataclasses import dataclass

from ...tree import Tree

OBJECTIVES = ("total", "worst", "losses")


@dataclass(frozen=True)
class FirstGuess:
    """A first guess with its exact result, or with the bound that excludes it."""

    word: str
    total: int
    losses: int
    exact: bool
    #: The fixed guesses that follow it whatever the reply.
    more: tuple[str, ...] = ()

    @property
    def words(self) -> tuple[str, ...]:
        """The first guess and the fixed guesses that follow it."""
        return (self.word, *self.more)


@dataclass(frozen=True)
class Answer:
    """What an exact search found out about a problem."""

    #: None: proved that nothing meets the limit, or nothing was found in time.
    tree: Tree | None
    #: First guesses that were looked at, best first, each with its value or its bound.
    first_guesses: list[FirstGuess]
    proved: bool
    #: Of the objective: no strategy is better than this.
    lower_bound: int | None
    #: The limit in force: for ``worst``, the least that can be met.
    within: int | None

    @property
    def impossible(self) -> bool:
        """Whether it is proved that the limit cannot be met."""
        return self.tree is None and self.proved
