"""What is left of a search that time has ended: the next run goes on from there.

The search for an opener's value solves the states that it leaves one after the other. Those that
are solved, with their values and strategies, need not be solved again, and the one that was in the
works need not be searched below the bound that it has reached. They are kept as text, and whatever
a text says is held to what it must be: the strategy that comes of it is played.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from solver.tree import Tree

if TYPE_CHECKING:
    from ..question import SweepQuestion


@dataclass(frozen=True)
class Begun:
    """An opener whose exact search was given up when time was over, and what it left."""

    opener: str
    #: What it has found out, for the next search.
    notes: str
    #: In how many runs it was given up.
    times: int = 1

    def is_sound(self, question: SweepQuestion) -> bool:
        """Whether this can be what a search for the answer to a question has left."""
        if not (type(self.opener) is type(self.notes) is str and type(self.times) is int):
            return False
        pool = question.secrets if question.guess_from == "secrets" else question.guesses
        try:
            if question.objective == "total":
                states_of_text(self.notes, pool, question.secrets)
            else:
                limit_of_text(self.notes)
        except ValueError:
            return False
        return True


@dataclass(frozen=True)
class SolvedState:
    """A state with its value, and a strategy that attains it, as the exact search grows it.

    Without a strategy it is not solved yet: no value is below this one.
    """

    value: int
    tree: Tree

    @property
    def is_solved(self) -> bool:
        """Whether the value of the state is exact."""
        return len(self.tree) > 0


def states_to_text(states: Mapping[int, SolvedState]) -> str:
    """Solved states of an exact sweep, by their first secret, as text for its database."""
    return json.dumps(
        [
            [
                first,
                state.value,
                *map(list, (state.tree.guess, state.tree.parent, state.tree.score)),
            ]
            for first, state in sorted(states.items())
        ],
        separators=(",", ":"),
    )


def states_of_text(text: str, n_guesses: int, n_secrets: int) -> dict[int, SolvedState]:
    """The solved states of an exact sweep in a text of ``states_to_text``, or ValueError."""
    try:
        return {
            _within(first, n_secrets): _state(value, columns, n_guesses, n_secrets)
            for first, value, *columns in json.loads(text)
        }
    except (TypeError, RecursionError):
        raise ValueError(text) from None


def limit_of_text(text: str) -> int:
    """The least limit not refuted when an exact sweep was left, from its text, or ValueError."""
    if not (text.isascii() and text.isdigit() and len(text) < 10):
        raise ValueError(text)
    return max(1, int(text))


def _state(value: Any, columns: list[Any], n_guesses: int, n_secrets: int) -> SolvedState:
    guess, parent, score = columns
    if not len(guess) == len(parent) == len(score):
        raise ValueError
    for at, (made, above, witness) in enumerate(zip(guess, parent, score, strict=True)):
        _within(made, n_guesses)
        _within(witness, n_secrets)
        if type(above) is not int or not (above == -1 if at == 0 else 0 <= above < at):
            raise ValueError
    if type(value) is not int or value < 1:
        raise ValueError
    return SolvedState(value, Tree.of(guess, parent, score))


def _within(number: Any, count: int) -> int:
    if type(number) is not int or not 0 <= number < count:
        raise ValueError
    return number
