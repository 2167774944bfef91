"""Optimal Mastermind: the fewest guesses in all, proved by an exhaustive search.

Koyama and Lai ("An optimal Mastermind strategy", 1993) did it for 4 holes and 6 colours: 5,625
guesses for the 1,296 codes. This is branch and bound in the same spirit. A state is a set of
candidates with the guesses that are left; its value is the least total over all strategies. A guess
is worth at least the candidates plus, for each bucket, what the best imaginable strategy needs; so
guesses are tried in the order of that bound until it reaches the best value found. The distance
between the two, the *slack*, is what a bucket may cost more than its bound: it is handed down from
bucket to bucket, and a search that uses it up breaks off. With a limit of guesses, codes beyond it
may be allowed: each costs ``LOSS`` more, so that they are the fewest, and the total is the least
among strategies of so many.

The search itself is one kernel (``kernels.code_search``), which says how guesses are listed and
bounded. Here is what surrounds it: the scores that it looks up, forced first guesses, the clock,
what is known when the time is up, and the strategy that is read from its memo.

It is separate from the search of words (``kernels.search``), which knows no maps of a game
onto itself, and lists guesses before it tries them. It can solve Mastermind as well: for 4 holes
and 4 colours it takes more than a hundred times as long (``tools/bench mastermind``).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from ..errors import WrongInputError
from ..game.codes import MOST_ORDERS
from ..game.game import Game
from ..machine.arrays import Ids
from ..memory_limits import require_room
from ..rules.searcher import Expanded, tree_of_states
from ..tree import Tree
from .kernels.code_bounds import bounds_of_guesses, code_scratch, ideal_totals, split_state
from .kernels.code_search import CodeStack, CodeTable, new_code_stack, new_scores, search_codes
from .kernels.lemmas import LOSS, NEVER, UNLIMITED, after_guess, lost
from .kernels.memo import State, known, memo_of_sets
from .kernels.set_frames import FIRST, GUESS, LEFT, NOWHERE, SIZE, Totals


@dataclass(frozen=True)
class OptimalStrategy:
    """The least total of a Mastermind game, proved, and a strategy that attains it."""

    total: int
    worst: int
    tree: Tree
    states: int
    #: Codes beyond the limit: no strategy has fewer, and of those the total is the least.
    losses: int = 0


#: In a state of so many codes, any of them is as good a guess as there is.
_FEW = 2
#: Work between two looks at the clock, some hundredths of a second.
_BUDGET = 100_000
#: From so many candidates on orders of the holes are sought that map them onto themselves: each one
#: that is found saves the search of whole guesses.
_TURNS_FROM = 64
#: Codes graded at a time.
_ROWS = 256
#: Of so many guesses, those that are each other with other names are tried once.
_MANY = 100


class Known(NamedTuple):
    """What is known of a state: its value and the guess that attains it, or a lower bound."""

    bound: int
    exact: bool
    guess: int


def solve_exactly(
    game: Game,
    within: int | None = None,
    starts: tuple[int, ...] = (),
    check_time: Callable[[], None] = lambda: None,
    losses: bool = False,
) -> OptimalStrategy | None:
    """The least total of a Mastermind game, proved; None if not all fall ``within``.

    With ``losses`` codes beyond ``within`` are allowed, and the fewest. ``starts`` fixes the first
    guesses; ``check_time`` is called now and then and may raise.
    """
    return ExactCodes(game, check_time, losses).solve(within or UNLIMITED, starts)


class ExactCodes:
    """The exact search of one Mastermind game, which keeps what it has learned about states."""

    def __init__(
        self, game: Game, check_time: Callable[[], None] = lambda: None, losses: bool = False
    ) -> None:
        """``losses``: whether codes beyond a limit are allowed; else such values are bounds."""
        if game.code_space is None:
            raise WrongInputError(f"exact search by pegs needs Mastermind, not {game.spec}")
        self.game = game
        self._check_time = check_time
        self._losses = losses
        #: The value that no strategy may exceed.
        self._highest = NEVER - 1 if losses else LOSS - 1
        self._space = game.code_space
        self._scratch = code_scratch(self._space)
        self._ideals = [ideal_totals(game.length, len(game.secrets), 0)]
        while self._ideals[-1][-1] >= LOSS:
            left = len(self._ideals)
            self._ideals.append(ideal_totals(game.length, len(game.secrets), left))
        self._memo = memo_of_sets(len(game.secrets))
        self._table: CodeTable | None = None
        self._stack: CodeStack | None = None
        #: How many states were searched.
        self.states = 0
        #: Of the states that are being searched, the best guess so far.
        self._best_yet: dict[tuple[bytes, int], int] = {}

    def _cover(self, members: Ids) -> tuple[CodeTable, CodeStack]:
        """The scores of some codes with all, and memory to search among them."""
        if self._table is None or self._stack is None or (self._table.rows[members] < 0).any():
            self._table = code_table(self.game, members, np.array(self._ideals))
            self._stack = new_code_stack(self._table)
        return self._table, self._stack

    def solve(self, within: int, starts: tuple[int, ...] = ()) -> OptimalStrategy | None:
        """The least value of the game and its strategy; None if it has losses and may not."""
        members = np.arange(len(self.game.secrets), dtype=np.int32)
        value = self._value_from(members, within, starts)
        if value > self._highest:
            return None
        tree, worst = self._plan(members, within, starts, self._best_guess)
        return OptimalStrategy(value % LOSS, worst, tree, self.states, value // LOSS)

    def plan(self, members: Ids, left: int) -> Tree | None:
        """A strategy of least value for any set of codes; None if it has losses and may not."""
        if self._value(members, left, self._highest).bound > self._highest:
            return None
        return self._plan(members, left, (), self._best_guess)[0]

    def best_so_far(self, within: int, starts: tuple[int, ...] = ()) -> Tree:
        """A strategy by what is known, and where nothing is known by the bounds of guesses.

        It is made at once, may take more than ``within`` guesses, and is no more than a bound.
        """
        members = np.arange(len(self.game.secrets), dtype=np.int32)
        return self._plan(members, within, starts, self._guess_so_far)[0]

    def least_value(self, within: int, starts: tuple[int, ...] = ()) -> int:
        """The value that no strategy is below, by what is known now.

        Where no losses are allowed that is a total, whether or not it can be attained.
        """
        members = np.arange(len(self.game.secrets), dtype=np.int32)
        return self._least_from(members, within, starts)

    def _least_from(self, members: Ids, left: int, starts: tuple[int, ...]) -> int:
        size, after = len(members), after_guess(left)
        counted = left if self._losses else UNLIMITED
        if starts:
            values = (
                len(bucket) * lost(counted) + self._least_from(bucket, after, starts[1:])
                for bucket in self.buckets(members, starts[0])
            )
            return size + sum(values)
        least, known = self.least(size, counted), self._known(members, left)
        if known is not None:
            return max(least, known.bound if self._losses or known.bound < LOSS else 0)
        if size <= _FEW:
            return least
        return max(least, int(self._bounds(members, counted)[1].min()))

    def _bounds(self, members: Ids, left: int) -> tuple[Ids, Totals]:
        """The guesses to try and what each takes at least, with losses where they are allowed."""
        after = min(left - 1, len(self._ideals) - 1) if self._losses else -1
        return bounds_of_guesses(self._space, self._scratch, members, self._ideals[after])

    def _guess_so_far(self, state: Ids, left: int) -> int:
        """The best guess that is known for a state, else that with the least bound."""
        if len(state) <= _FEW:
            return int(state[0])
        known = self._known(state, left)
        if known is not None and known.exact:
            return known.guess
        key = state.tobytes(), max(0, min(left, len(state)))
        if key in self._best_yet:
            return self._best_yet[key]
        # a guess that separates nothing is never the least: bounds of sizes rise ever faster
        guesses, bounds = self._bounds(state, left)
        return int(guesses[int(bounds.argmin())])

    def _value_from(self, members: Ids, left: int, starts: tuple[int, ...]) -> int:
        if not starts:
            return self._value(members, left, self._highest).bound
        self._cover(members)
        buckets = self.buckets(members, starts[0])
        value = len(members) + sum(len(bucket) * lost(left) for bucket in buckets)
        if value > self._highest:
            return value
        after = after_guess(left)
        return value + sum(self._value_from(bucket, after, starts[1:]) for bucket in buckets)

    # --- values ---------------------------------------------------------------------------

    def value(self, members: Ids, left: int, limit: int | None = None) -> Known:
        """The value of any set of codes, ascending, or a lower bound of it above ``limit``.

        Without ``limit`` the value itself, if it has no losses or may have some.
        """
        return self._value(members, left, self._highest if limit is None else limit)

    def _known(self, members: Ids, left: int) -> Known | None:
        """What the memo has of a state."""
        count, nothing = len(members), self._memo.revealed[0]
        state = State(members, 0, count, max(0, min(left, count)), nothing)
        bound, exact, guess = known(self._memo, state)
        return None if bound < 0 else Known(int(bound), exact == 1, int(guess))

    def _value(self, members: Ids, left: int, limit: int) -> Known:
        """The value of a state, or a bound above ``limit``."""
        table, stack = self._cover(members)
        stack.members[: len(members)] = members
        place = np.full(1, NOWHERE, dtype=np.int64)
        state = np.array([len(members), left, limit], dtype=np.int64)
        before = int(stack.work[1])
        exact = -1
        while exact < 0:
            bound, exact, guess = search_codes(table, self._memo, stack, place, state, _BUDGET)
            self.states += int(stack.work[1]) - before
            before = int(stack.work[1])
            self._best_yet = _best_of_frames(stack, int(place[0]))
            self._check_time()
        return Known(int(bound), exact == 1, int(guess))

    # --- what a second objective asks (``second_objective``) -------------------------------

    def least(self, size: int, left: int) -> int:
        """The value that no set of so many codes is below."""
        return int(self._ideals[min(left, len(self._ideals) - 1)][size])

    def open_guesses(self, members: Ids, left: int, limit: int) -> list[tuple[int, int]]:
        """Guesses that may be within a limit, one of each kind, and their bounds: rising.

        A guess takes one for each of the codes, and what its buckets take by their sizes.
        """
        table, _ = self._cover(members)
        n_codes = len(table.rows)
        rows = table.scores[:, table.rows[members]].swapaxes(0, 1)  # blocks of 64 codes come first
        scores = rows.reshape(len(members), -1)[:, :n_codes]
        places = scores + table.n_scores * np.arange(n_codes, dtype=np.int64)
        sizes = np.bincount(places.ravel(), minlength=table.n_scores * n_codes)
        sizes = sizes.reshape(n_codes, table.n_scores)
        sizes[:, table.solved] = 0
        bounds = len(members) + self._ideals[min(left - 1, len(self._ideals) - 1)][sizes].sum(
            axis=1
        )
        tells = sizes.max(axis=1) < len(members)
        codes = np.flatnonzero(tells & (bounds <= limit))
        if len(codes) > _MANY:  # it takes longer to find the kinds of a few
            codes = np.intersect1d(codes, self.game.worth_trying(members))
        order = np.argsort(bounds[codes], kind="stable")
        return list(zip(codes[order].tolist(), bounds[codes][order].tolist(), strict=True))

    def buckets(self, members: Ids, guess: int) -> list[Ids]:
        """The buckets of a guess but its own, by ascending score."""
        scores, order, starts = split_state(self._space, self._scratch, guess, members)
        buckets = [order[a:b] for a, b in pairwise(starts.tolist())]
        if scores[-1] == self.game.solved:  # the highest score there is
            buckets.pop()
        return buckets

    # --- the strategy ---------------------------------------------------------------------

    def _best_guess(self, state: Ids, left: int) -> int:
        return self._value(state, left, self._highest).guess

    def _plan(
        self,
        members: Ids,
        within: int,
        starts: tuple[int, ...],
        choose: Callable[[Ids, int], int],
    ) -> tuple[Tree, int]:
        """A strategy in preorder, and its worst case; ``choose`` guesses with so many left.

        After the last of them the strategy goes on without a limit.
        """
        worst = 0

        def expand(state: Ids, depth: int) -> Expanded[Ids]:
            nonlocal worst
            worst = max(worst, depth + 1)
            left = within - depth if depth < within else UNLIMITED
            guess = starts[depth] if depth < len(starts) else choose(state, left)
            scores, order, cuts = split_state(self._space, self._scratch, guess, state)
            buckets = [(int(scores[a]), order[a:b]) for a, b in pairwise(cuts.tolist())]
            return guess, [bucket for bucket in buckets if bucket[0] != self.game.solved]

        return tree_of_states(members, expand), worst


def code_table(game: Game, members: Ids, ideals: Totals) -> CodeTable:
    """The scores of some codes with all codes of a game, numbered in their order."""
    space = game.code_space
    assert space is not None
    n_codes = len(game.secrets)
    require_room(len(members) * n_codes, f"an exact search among {len(members):,} codes")
    raw = _scores(game.length)
    numbers = np.zeros(game.solved + 1, dtype=np.uint8)
    numbers[raw] = np.arange(len(raw))
    scores = new_scores(len(members), n_codes)
    blocks, _, lanes = scores.shape
    for start in range(0, len(members), _ROWS):
        some = members[start : start + _ROWS]
        whole = np.zeros((len(some), blocks * lanes), dtype=np.uint8)
        whole[:, :n_codes] = numbers[game.score_rows(some)]
        scores[:, start : start + _ROWS] = whole.reshape(len(some), blocks, lanes).swapaxes(0, 1)
    rows = np.full(n_codes, -1, dtype=np.int32)
    rows[members] = np.arange(len(members), dtype=np.int32)
    if _TURNS_FROM < space.turns_from <= MOST_ORDERS:
        space = space._replace(turns_from=_TURNS_FROM)
    return CodeTable(scores, rows, len(raw), len(raw) - 1, space, ideals)


def _scores(holes: int) -> list[int]:
    """All scores, ascending: it cannot be that all pegs but one are right and one is misplaced."""
    return [
        black * (holes + 1) + white
        for black in range(holes + 1)
        for white in range(holes + 1 - black)
        if (black, white) != (holes - 1, 1)
    ]


def _best_of_frames(stack: CodeStack, level: int) -> dict[tuple[bytes, int], int]:
    """The best guesses so far of the states whose search is interrupted, by (members, left)."""
    found = {}
    for frame in stack.frames[: level + 1].tolist():
        if frame[GUESS] >= 0:
            members = stack.members[frame[FIRST] : frame[FIRST] + frame[SIZE]]
            found[members.tobytes(), frame[LEFT]] = frame[GUESS]
    return found
