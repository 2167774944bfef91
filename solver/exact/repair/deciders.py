"""Can a state be solved with the guesses that are left, by any strategy whatever?

The answer is a strategy, or the proof that there is none: every search here is exhaustive over the
guesses that may be made. Which search it is depends on the game and on those guesses.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cached_property
from typing import Protocol

import numpy as np

from ...game.game import Game
from ...machine.rows import Ids
from ...tree import Tree
from ..guess.engine import Engine
from ..mastermind_engine import ExactPegs
from ..possible.search import Possible
from ..race.problem import Problem
from ..state.bounds import LOSS
from ..table.layout import score_table_of
from ..table.narrowed import narrowed
from ..table.score_table import shown_by
from .consistent import Consistent

#: A history in numbers: (guess, score) in turn.
Moves = tuple[tuple[int, int], ...]
CheckTime = Callable[[], None]


class Decider(Protocol):
    """Decides states of one game."""

    def __call__(self, candidates: Ids, left: int, history: Moves = ()) -> Tree | None:
        """A strategy of at most ``left`` guesses; None: it is proved that there is none."""


def decider_for(
    game: Game,
    guess_from: str = "allowed",
    hard: bool = False,
    check_time: CheckTime = lambda: None,
) -> Decider:
    """The search for a game and the guesses that may be made in it."""
    if guess_from == "candidates":
        return Consistent(game, check_time)
    if game.code_space is not None:
        return Pegs(game, check_time)
    every = np.arange(len(game.guesses), dtype=np.int32)
    pool = every if guess_from == "allowed" else game.secret_ids
    return HardWords(game, pool, check_time) if hard else PlainWords(game, pool, check_time)


class PlainWords:
    """Wordle, with every word that is allowed or with the secrets only."""

    def __init__(self, game: Game, pool: Ids, check_time: CheckTime) -> None:
        self._pool = pool
        self._check_time = check_time
        everything = np.arange(len(game.secrets), dtype=np.int32)
        self._state = game_of_state(game, pool, everything)

    @cached_property
    def search(self) -> Possible:
        """One search for all states: what it learns in one serves in all others."""
        return Possible(score_table_of(self._state, hard=False, price=0), self._check_time)

    def __call__(self, candidates: Ids, left: int, history: Moves = ()) -> Tree | None:
        """By the search of mere possibility."""
        if self.search.solve(left, candidates) is not None:
            return None
        return _named(self._state, self.search.plan(left, candidates), self._pool)


class HardWords:
    """Wordle in hard mode: by the exact search, asked for no more than the limit."""

    def __init__(self, game: Game, pool: Ids, check_time: CheckTime) -> None:
        self._game = game
        self._pool = pool
        self._check_time = check_time

    def __call__(self, candidates: Ids, left: int, history: Moves = ()) -> Tree | None:
        """Over a table of the guesses that are legal in this state."""
        if left == 1 and len(candidates) > 1:
            return None
        made = [guess for guess, _ in history]
        pool = np.union1d(self._pool, np.array(made, dtype=np.int32))  # no harm: they tell nothing
        state = game_of_state(self._game, pool, candidates)
        table = score_table_of(state, hard=True, price=0)
        columns = (int(np.flatnonzero(table.guess == at)[0]) for at in np.searchsorted(pool, made))
        shown = shown_by(table, columns, 0)
        everyone = np.arange(len(candidates), dtype=np.int32)
        engine = Engine(narrowed(table, everyone, shown), check_time=self._check_time)
        value, _ = engine.value_of_state(everyone, left, shown, LOSS - 1)
        if not value.exact:
            return None
        tree = Tree()
        engine.plan(everyone, left, shown, tree, -1, None)
        return _named(state, tree, pool)


def _named(state: Game, tree: Tree, pool: Ids) -> Tree:
    """The strategy of a search that numbers its guesses by ``pool``."""
    return Problem(state).graded(tree).renamed(pool.tolist())


def game_of_state(game: Game, pool: Ids, candidates: Ids) -> Game:
    """The game that is left: some of the guesses, and only the candidates as secrets."""
    return replace(
        game,
        guesses=tuple(game.guesses[at] for at in pool),
        secrets=tuple(game.secrets[at] for at in candidates),
    )


class Pegs:
    """Mastermind, by its own search, which knows the symmetries."""

    def __init__(self, game: Game, check_time: CheckTime) -> None:
        self._search = ExactPegs(game, check_time)

    def __call__(self, candidates: Ids, left: int, history: Moves = ()) -> Tree | None:
        """The strategy of least total, if the limit can be met at all."""
        return self._search.plan(candidates, left)
