"""The repair: a rule's strategy is brought within a limit, with as much of it kept as possible.

Only states that break the limit are touched, the deepest first. A state all of whose branches can
be mended keeps its guess. If a branch cannot be mended, no strategy solves the state behind it
with the guesses left; so the guess before it is wrong, whatever follows, and any other guess may
take its place. A *decider* finds one or proves that there is none: every decider is a search over
all guesses that may be made. Which one it is depends on the game and on those guesses. In what it
finds, every branch in which the rule itself suffices is the rule's again.

Complete (docs/exact.md, lemma 10): by induction from the leaves, ``mended`` is None only for states
that no strategy solves within the limit. So, at the top, None is a proof for the forced guesses.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from ..game.game import Game
from ..machine.arrays import Ids
from ..memory_limits import require_room
from ..splits.ranking import measures_of
from ..tree import Tree
from .engine import Engine
from .kernels.lemmas import LOSS, after_guess
from .kernels.table_columns import narrowed
from .kernels.table_vectors import MOST_NARROW
from .limit_search import LimitSearch
from .problem import Problem, ProblemTable
from .set_engine import CandidateEngine, ExactCodes
from .table_layout import possibility_table, require_table
from .values import CheckTime, state_of

#: A history in numbers: (guess, score) in turn.
Moves = tuple[tuple[int, int], ...]

# ---- Deciders


#: Decides whether some candidates can be solved in so many guesses, after a history: a strategy, or
#: None, where it is proved that there is none.
Decider = Callable[[Ids, int, Moves], Tree | None]
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
        return partial(_by_candidates, game, check_time)
    if game.code_space is not None:
        return partial(_by_codes, ExactCodes(game, check_time))
    every = np.arange(len(game.guesses), dtype=np.int32)
    pool = every if guess_from == "allowed" else game.secret_ids
    if hard:
        return partial(_in_hard_mode, game, pool, check_time)
    return PlainWords(game, pool, check_time)


def _by_candidates(
    game: Game, check_time: CheckTime, candidates: Ids, left: int, history: Moves
) -> Tree | None:
    """By the search of candidates, which hard mode always allows: any strategy that loses none."""
    engine = CandidateEngine(game, candidates, check_time=check_time).content_with(LOSS - 1)
    state = state_of(engine.members, left)
    if not engine.value_of_state(state, LOSS - 1).exact:
        return None
    return Problem(game).graded(engine.plan(state).of_secrets(candidates.tolist()))


def _by_codes(engine: ExactCodes, candidates: Ids, left: int, history: Moves) -> Tree | None:
    """By the search of Mastermind, which knows the symmetries: values above a loss are bounds."""
    state = state_of(candidates, left)
    solved = engine.value_of_state(state).exact
    return Problem(engine.game).graded(engine.plan(state)) if solved else None


class PlainWords:
    """The decider for Wordle, with every word that is allowed or with the secrets only.

    A state is searched in the table of its *family*: the candidates of the first state of its
    history that are few enough. What is learnt in one state serves in all others of the family,
    and families come one after the other, so there is one table at a time.
    """

    def __init__(self, game: Game, pool: Ids, check_time: CheckTime) -> None:
        self._pool = pool
        self._check_time = check_time
        self._everyone = np.arange(len(game.secrets), dtype=np.int32)
        self._state = game_of_state(game, pool, self._everyone)
        self._game = game
        #: The family at hand, and its search.
        self._members: Ids = self._everyone[:0]
        self._search: LimitSearch | None = None

    @cached_property
    def _parts(self) -> NDArray[np.int32]:
        """The parts of the guesses over all secrets, by which the columns of a table are sorted."""
        return measures_of(self._state, np.arange(len(self._pool), dtype=np.int32)).parts

    def __call__(self, candidates: Ids, left: int, history: Moves) -> Tree | None:
        """By the limit search."""
        search = self._search_of(self._family(candidates, history))
        own = np.searchsorted(self._members, candidates).astype(np.int32)
        if search.find_core(left, own) is not None:
            return None
        tree = search.plan(state_of(own, left)).of_secrets(self._members.tolist())
        return _named(self._state, tree, self._pool)

    def _family(self, candidates: Ids, history: Moves) -> Ids:
        """The candidates of the first state of a history that are not too many for a table.

        Where some guess has more scores than a byte numbers, families are so small that it does.
        """
        is_narrow = self._parts.max() <= MOST_NARROW
        most = FAMILY_BYTES // len(self._pool) if is_narrow else MOST_NARROW
        members = self._everyone
        for guess, score in history:
            if len(members) <= most:
                break
            row = self._game.score_rows(np.array([guess], dtype=np.int32), members)[0]
            members = members[row == score]
        return members if len(members) <= most else candidates

    def _search_of(self, members: Ids) -> LimitSearch:
        """The search of a family; that of the last one is forgotten."""
        if self._search is None or not np.array_equal(members, self._members):
            self._search, self._members = None, members
            item = 1 if self._parts.max() <= MOST_NARROW else 2
            size = item * len(members) * len(self._pool)
            require_room(size, f"the exact search of a state of {len(members):,} secrets")
            order = np.argsort(-self._parts, kind="stable").astype(np.int32)
            table = possibility_table(self._state, members, order)
            self._search = LimitSearch(table, self._check_time)
        return self._search


def _in_hard_mode(
    game: Game, pool: Ids, check_time: CheckTime, candidates: Ids, left: int, history: Moves
) -> Tree | None:
    """By the exact search of words, for the limit alone, over the guesses that are legal."""
    if left == 1 and len(candidates) > 1:
        return None
    made = [guess for guess, _ in history]
    # no harm: they separate nothing
    pool = np.union1d(pool, np.array(made, dtype=np.int32))
    state = game_of_state(game, pool, candidates)
    require_table(state, hard=True)
    steps = tuple((int(np.searchsorted(pool, guess)), score) for guess, score in history)
    shown = ProblemTable(Problem(state, True, left, history=steps, price=0))
    table = narrowed(shown.table, shown.members, shown.revealed)
    engine = Engine(table, check_time=check_time)
    if not engine.value_of_state(shown.state, LOSS - 1).exact:
        return None
    return _named(state, engine.plan(shown.state), pool)


def _named(state: Game, tree: Tree, pool: Ids) -> Tree:
    """The strategy of a search that numbers its guesses by ``pool``."""
    return Problem(state).graded(tree).renamed(pool.tolist())


def game_of_state(game: Game, pool: Ids, candidates: Ids) -> Game:
    """A game with some of the guesses, and only the candidates as secrets."""
    guesses = tuple(game.guesses[at] for at in pool)
    return replace(game, guesses=guesses, secrets=tuple(game.secrets[at] for at in candidates))


# ---- The repair


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


@dataclass(frozen=True)
class Repairer:
    """Mends the strategies of one rule until they keep a limit."""

    _grower: Grower
    _decide: Decider
    #: Called with the number of secrets of every bucket of the first guess that is mended.
    _progress: Callable[[int], None] = lambda secrets: None

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
        below, game = tree.below(), self._grower.game
        failing = [
            (score, after)
            for score, after in children_of(game, tree.guess[0], state)
            if below[score].height > after.left
        ]
        # the smallest states, which are soon decided, first
        for score, after in sorted(failing, key=lambda item: len(item[1].candidates)):
            mended = self.mended(below[score], after)
            if mended is None and state.forced:
                return None
            if mended is None:  # whatever follows this guess, it is wrong (lemma 10)
                found = self._decide(state.candidates, state.left, state.history)
                return None if found is None else self._blended(found, state)
            below[score] = mended
            if not state.history:
                self._progress(len(after.candidates))
        return Tree.joined(tree.guess[0], below)

    def _blended(self, found: Tree, state: Situation) -> Tree:
        """What the search found, with the rule's own branches wherever they suffice."""
        guess, below = found.guess[0], found.below()
        for score, after in children_of(self._grower.game, guess, state):
            own = self._grower.grow(after.candidates, (), after.history)
            fits = own.height <= after.left
            below[score] = own if fits else self._blended(below[score], after)
        return Tree.joined(guess, below)


def children_of(game: Game, guess: int, state: Situation) -> Iterator[tuple[int, Situation]]:
    """The situations that can follow a guess, unless it is right."""
    row = game.score_rows(np.array([guess], dtype=np.int32), state.candidates)[0]
    for score in np.unique(row).tolist():
        if score != game.solved:
            history, forced = (*state.history, (guess, score)), max(state.forced - 1, 0)
            bucket, left = state.candidates[row == score], after_guess(state.left)
            yield score, Situation(bucket, left, history, forced)
