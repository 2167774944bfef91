"""Can a state be solved with the guesses that are left, by any strategy whatever?

The answer is a strategy, or the proof that there is none: every search here is exhaustive over the
guesses that may be made. Which search it is depends on the game and on those guesses.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ...game.game import Game
from ...game.hard_mode import legal_after
from ...machine.rows import Ids
from ...memory_limits import require_room
from ...splits.ranking import measures_of
from ...tree import Tree
from ..feasibility.limit_search import Possible, in_other_rows
from ..first_guesses.problem import Problem
from ..guess_values.engine import Engine
from ..lemmas import LOSS
from ..mastermind_engine import ExactPegs
from ..table.layout import (
    MOST_PARTS,
    NoTableError,
    possibility_table,
    require_table,
    score_table_of,
)
from ..table.narrowed import narrowed
from ..table.score_table import shown_by
from .consistent import Consistent
from .without_score_table import ByGuesses, Decider, Moves

CheckTime = Callable[[], None]
#: The table of a family of states takes so many bytes at most, unless one state takes more.
FAMILY_BYTES = 1 << 26


def decider_for(
    game: Game,
    guess_from: str = "allowed",
    hard: bool = False,
    check_time: CheckTime = lambda: None,
) -> Decider:
    """The decider for a game and the guesses that may be made in it."""
    if guess_from == "candidates":
        return Consistent(game, check_time)
    if game.code_space is not None:
        return Pegs(game, check_time)
    every = np.arange(len(game.guesses), dtype=np.int32)
    pool = every if guess_from == "allowed" else game.secret_ids
    return HardWords(game, pool, check_time) if hard else PlainWords(game, pool, check_time)


class PlainWords:
    """The decider for Wordle, with every word that is allowed or with the secrets only.

    A state is searched in the table of its *family*: the candidates of the first state of its
    history that are few enough. What is learnt in one state serves in all others of the family,
    and families come one after the other, so there is one table at a time. A state that no table
    can be made of is decided guess by guess.
    """

    def __init__(self, game: Game, pool: Ids, check_time: CheckTime) -> None:
        self._pool = pool
        self._check_time = check_time
        self._everyone = np.arange(len(game.secrets), dtype=np.int32)
        self._state = game_of_state(game, pool, self._everyone)
        self._by_guesses = ByGuesses(game, check_time)
        self._game = game
        #: The family at hand, and its search; whether there is but one family.
        self._members: Ids = self._everyone[:0]
        self._search: Possible | None = None
        self._is_shared = False

    def share(self, search: Possible) -> None:
        """Ask the search of another decider, over all secrets, from now on."""
        self._search, self._members, self._is_shared = search, self._everyone, True

    @cached_property
    def _parts(self) -> NDArray[np.int32]:
        """The parts of the guesses over all secrets, by which the columns of a table are sorted."""
        return measures_of(self._state, np.arange(len(self._pool), dtype=np.int32)).parts

    def __call__(self, candidates: Ids, left: int, history: Moves = ()) -> Tree | None:
        """By the search of mere possibility."""
        if not self._has_table(candidates):
            return self._by_guesses.plan(candidates, left, history, self._pool, self)
        search = self._search_of(self._family(candidates, history))
        own = np.searchsorted(self._members, candidates).astype(np.int32)
        if search.solve(left, own) is not None:
            return None
        return _named(self._state, in_other_rows(search.plan(left, own), self._members), self._pool)

    @property
    def _countable(self) -> bool:
        """Whether no guess has too many parts for a table, of however many secrets."""
        return bool(self._parts.max() <= MOST_PARTS)

    def _has_table(self, candidates: Ids) -> bool:
        """Whether a table can be made of a state."""
        if self._is_shared or len(candidates) <= MOST_PARTS or self._countable:
            return True
        return bool(measures_of(self._game, self._pool, candidates).parts.max() <= MOST_PARTS)

    def _family(self, candidates: Ids, history: Moves) -> Ids:
        """The candidates of the first state of a history that are not too many for a table."""
        if self._is_shared:
            return self._members
        most = FAMILY_BYTES // len(self._pool) if self._countable else MOST_PARTS
        members = self._everyone
        for guess, score in history:
            if len(members) <= most:
                break
            row = self._game.score_rows(np.array([guess], dtype=np.int32), members)[0]
            members = members[row == score]
        return members if len(members) <= most else candidates

    def _search_of(self, members: Ids) -> Possible:
        """The search of a family; that of the last one is forgotten."""
        if self._search is None or not np.array_equal(members, self._members):
            self._search, self._members = None, members
            size = len(members) * len(self._pool)
            require_room(size, f"the exact search of a state of {len(members):,} secrets")
            order = np.argsort(-self._parts, kind="stable").astype(np.int32)
            table = possibility_table(self._state, members, order)
            self._search = Possible(table, self._check_time, len(self._everyone))
        return self._search


class HardWords:
    """The decider for Wordle in hard mode: the exact search, asked for no more than the limit."""

    def __init__(self, game: Game, pool: Ids, check_time: CheckTime) -> None:
        self._game = game
        self._pool = pool
        self._check_time = check_time
        self._by_guesses = ByGuesses(game, check_time)

    def _legal(self, history: Moves) -> Ids:
        """The guesses that hard mode leaves."""
        return np.intersect1d(legal_after(self._game, history), self._pool)

    def __call__(self, candidates: Ids, left: int, history: Moves = ()) -> Tree | None:
        """Over a table of the guesses that are legal in this state, or guess by guess."""
        if left == 1 and len(candidates) > 1:
            return None
        try:
            return self._searched(candidates, left, history)
        except NoTableError:
            guesses = self._legal(history)
            return self._by_guesses.plan(candidates, left, history, guesses, self)

    def _searched(self, candidates: Ids, left: int, history: Moves) -> Tree | None:
        made = [guess for guess, _ in history]
        pool = np.union1d(self._pool, np.array(made, dtype=np.int32))  # no harm: they tell nothing
        state = game_of_state(self._game, pool, candidates)
        require_table(state, hard=True)
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
    """The game left for a decider: some of the guesses, and only the candidates as secrets."""
    return replace(
        game,
        guesses=tuple(game.guesses[at] for at in pool),
        secrets=tuple(game.secrets[at] for at in candidates),
    )


class Pegs:
    """The decider for Mastermind, by its own search, which knows the symmetries."""

    def __init__(self, game: Game, check_time: CheckTime) -> None:
        self._search = ExactPegs(game, check_time)

    def __call__(self, candidates: Ids, left: int, history: Moves = ()) -> Tree | None:
        """The strategy of least total, if the limit can be met at all."""
        return self._search.plan(candidates, left)
