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
from ..guess.engine import Engine
from ..mastermind_engine import ExactPegs
from ..possible.search import Possible
from ..state.bounds import LOSS
from ..state.results import Nodes
from ..table.layout import score_table_of
from ..table.narrowed import narrowed
from ..table.score_table import shown_by
from .branches import Branch, branch_of, branch_of_subtree
from .consistent import Consistent

#: A history in numbers: (guess, score) in turn.
Moves = tuple[tuple[int, int], ...]
CheckTime = Callable[[], None]


class Decider(Protocol):
    """Decides states of one game."""

    def __call__(self, candidates: Ids, left: int, history: Moves = ()) -> Branch | None:
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
    return HardWords(game, pool, check_time) if hard else Words(game, pool, check_time)


class Words:
    """Wordle, with every word that is allowed or with the secrets only."""

    def __init__(self, game: Game, pool: Ids, check_time: CheckTime) -> None:
        self._game = game
        self._pool = pool
        self._check_time = check_time

    @cached_property
    def search(self) -> Possible:
        """One search for all states: what it learns in one serves in all others."""
        everything = np.arange(len(self._game.secrets), dtype=np.int32)
        table = score_table_of(
            game_of_state(self._game, self._pool, everything), hard=False, price=0
        )
        return Possible(table, self._check_time)

    def __call__(self, candidates: Ids, left: int, history: Moves = ()) -> Branch | None:
        """By the search of mere possibility."""
        if self.search.solve(left, candidates) is not None:
            return None
        nodes = self.search.plan(left, candidates)
        return _branch_of_nodes(self._game, self._pool, nodes, None)


class HardWords:
    """The same in hard mode: by the exact search, asked for no more than the limit."""

    def __init__(self, game: Game, pool: Ids, check_time: CheckTime) -> None:
        self._game = game
        self._pool = pool
        self._check_time = check_time

    def __call__(self, candidates: Ids, left: int, history: Moves = ()) -> Branch | None:
        """In a room of the guesses that are legal in this state."""
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
        nodes = Nodes()
        engine.plan(everyone, left, shown, nodes, -1, None)
        return _branch_of_nodes(self._game, pool, nodes, candidates)


def _branch_of_nodes(game: Game, pool: Ids, nodes: Nodes, rows: Ids | None) -> Branch:
    """The strategy of a search that numbers its guesses by ``pool`` and its secrets by ``rows``."""
    guess = pool[nodes.guess].tolist()
    witness = nodes.witness if rows is None else rows[nodes.witness].tolist()
    score = [
        -1 if above < 0 else game.grade(game.guesses[guess[above]], game.secrets[secret])
        for above, secret in zip(nodes.parent, witness, strict=True)
    ]
    return branch_of(guess, nodes.parent, score)


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

    def __call__(self, candidates: Ids, left: int, history: Moves = ()) -> Branch | None:
        """The strategy of least total, if the limit can be met at all."""
        tree = self._search.plan(candidates, left)
        return None if tree is None else branch_of_subtree(tree)
