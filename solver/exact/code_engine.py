"""Optimal Mastermind: the fewest guesses in all, proved by an exhaustive search.

Koyama and Lai ("An optimal Mastermind strategy", 1993) did it for 4 holes and 6 colours: 5,625
guesses for the 1,296 codes. This is branch and bound in the same spirit. A state is a set of
candidates with the guesses that are left; its value is the least total over all strategies. A guess
is worth at least the candidates plus, for each bucket, what the best imaginable strategy needs; so
guesses are tried in the order of that bound until it reaches the best value found. The distance
between the two, the *slack*, is what a bucket may cost more than its bound: it is handed down from
bucket to bucket, and a search that uses it up breaks off.

Two things keep the proof small: only representatives are tried (``game.codes``: they split in every
way that any guess does, up to a map that keeps the state), and of guesses with equal splits only
the first. The transposition table is keyed by the candidates themselves, so no two sets can be
confused.

It is separate from the search of words (``branch_and_bound``), which knows no maps of a game
onto itself: there a few thousand guesses are bounded by their letters, here a few dozen kinds are
graded on the way. The search of words can solve Mastermind as well: for 4 holes and 4 colours
it takes more than a hundred times as long (``tools/bench mastermind``).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from ..errors import WrongInputError
from ..game.game import Game
from ..machine.arrays import Ids
from ..rules.searcher import Expanded, tree_of_states
from ..tree import Tree
from .kernels.code_bounds import Totals, bounds_of_guesses, code_scratch, split_state
from .kernels.lemmas import LOSS, UNLIMITED


@dataclass(frozen=True)
class TableEntry:
    """What a transposition table knows of a state: its value, or that it is at least ``bound``."""

    bound: int
    exact: bool
    guess: int = -1


@dataclass(frozen=True)
class OptimalStrategy:
    """The least total of a Mastermind game, proved, and a strategy that attains it."""

    total: int
    worst: int
    tree: Tree
    states: int


#: In a state of so many codes, any of them is as good a guess as there is.
_FEW = 2


def solve_exactly(
    game: Game,
    within: int | None = None,
    starts: tuple[int, ...] = (),
    check_time: Callable[[], None] = lambda: None,
) -> OptimalStrategy | None:
    """The least total of a Mastermind game, proved; None if not all fall ``within``.

    ``starts`` fixes the first guesses; ``check_time`` is called now and then and may raise.
    """
    return ExactCodes(game, check_time).solve(within or UNLIMITED, starts)


class ExactCodes:
    """The exact search of one Mastermind game, which keeps what it has learned about states."""

    def __init__(self, game: Game, check_time: Callable[[], None] = lambda: None) -> None:
        if game.code_space is None:
            raise WrongInputError(f"exact search by pegs needs Mastermind, not {game.spec}")
        self.game = game
        self._check_time = check_time
        self._space = game.code_space
        self._scratch = code_scratch(self._space)
        self._table: dict[tuple[bytes, int], TableEntry] = {}
        self._ideals = [ideal_totals(game.length, len(game.secrets), 0)]
        while self._ideals[-1][-1] >= LOSS:
            left = len(self._ideals)
            self._ideals.append(ideal_totals(game.length, len(game.secrets), left))
        #: How many states were searched.
        self.states = 0
        #: Of the states that are being searched, the best guess so far.
        self._best_yet: dict[tuple[bytes, int], int] = {}

    def solve(self, within: int, starts: tuple[int, ...] = ()) -> OptimalStrategy | None:
        """The least total of the game and its strategy."""
        members = np.arange(len(self.game.secrets), dtype=np.int32)
        value = self._value_from(members, within, starts)
        if value >= LOSS:
            return None
        tree, worst = self._plan(members, within, starts, self._best_guess)
        return OptimalStrategy(value, worst, tree, self.states)

    def plan(self, members: Ids, left: int) -> Tree | None:
        """A strategy of least total for any set of codes; None if ``left`` guesses are too few."""
        if self._value(members, left, LOSS - 1).bound >= LOSS:
            return None
        return self._plan(members, left, (), self._best_guess)[0]

    def best_so_far(self, within: int, starts: tuple[int, ...] = ()) -> Tree:
        """A strategy by what is known, and where nothing is known by the bounds of guesses.

        It is made at once, may take more than ``within`` guesses, and is no more than a bound.
        """
        members = np.arange(len(self.game.secrets), dtype=np.int32)
        return self._plan(members, within, starts, self._guess_so_far)[0]

    def least_total(self, within: int, starts: tuple[int, ...] = ()) -> int:
        """The total that no strategy is below, whether or not it can be attained."""
        members = np.arange(len(self.game.secrets), dtype=np.int32)
        return self._least_from(members, within, starts)

    def _least_from(self, members: Ids, left: int, starts: tuple[int, ...]) -> int:
        if not starts:
            known = self._table.get((members.tobytes(), min(left, len(members))))
            ideal = int(self._ideals[-1][len(members)])
            if known is None and len(members) > _FEW:
                _, bounds = bounds_of_guesses(self._space, self._scratch, members, self._ideals[-1])
                return max(ideal, int(bounds.min()))
            return max(ideal, known.bound if known is not None and known.bound < LOSS else 0)
        _, buckets = self._split(members, starts[0])
        return len(members) + sum(self._least_from(it, left - 1, starts[1:]) for it in buckets)

    def _guess_so_far(self, state: Ids, left: int) -> int:
        """The best guess that is known for a state, else that with the least bound."""
        if len(state) <= _FEW:
            return int(state[0])
        key = (state.tobytes(), max(0, min(left, len(state))))
        known = self._table.get(key)
        if known is not None and known.exact:
            return known.guess
        if key in self._best_yet:
            return self._best_yet[key]
        # where no limit makes all of them equal, one that separates nothing is never the least
        guesses, bounds = bounds_of_guesses(self._space, self._scratch, state, self._ideals[-1])
        return int(guesses[int(bounds.argmin())])

    def _value_from(self, members: Ids, left: int, starts: tuple[int, ...]) -> int:
        if not starts:
            return self._value(members, left, LOSS - 1).bound
        if left == 0:
            return LOSS
        _, buckets = self._split(members, starts[0])
        values = [self._value_from(bucket, left - 1, starts[1:]) for bucket in buckets]
        return min(LOSS, len(members) + sum(values))

    # --- values ---------------------------------------------------------------------------

    def _ideal(self, left: int) -> Totals:
        """For each size of a state, the total if every guess were solved or split to the full."""
        return self._ideals[min(left, len(self._ideals) - 1)]

    def _value(self, members: Ids, left: int, limit: int) -> TableEntry:
        """The value of a state, or a bound above ``limit``."""
        n = len(members)
        ideal = int(self._ideal(left)[n])
        settled = n <= 2 and ideal < LOSS
        if settled or ideal > limit:
            return TableEntry(ideal, settled, int(members[0]))
        # with guesses to spare the limit does not matter: such states share what is known
        left = min(left, n)
        key = (members.tobytes(), left)
        known = self._table.get(key)
        if known and (known.exact or known.bound > limit):
            return known
        known = self._search(members, left, limit)
        self._table[key] = known
        return known

    def _search(self, members: Ids, left: int, limit: int) -> TableEntry:
        """Try the guesses in the order of their bounds."""
        self.states += 1
        if self.states % 256 == 0:
            self._check_time()
        ideal = self._ideal(left - 1)
        guesses, bounds = bounds_of_guesses(self._space, self._scratch, members, ideal)
        best, chosen = min(limit, LOSS - 1) + 1, -1
        seen: set[bytes] = set()
        promising = bounds < best
        least_refused = int(bounds.min(where=~promising, initial=LOSS))
        guesses, bounds = guesses[promising], bounds[promising]
        key = members.tobytes(), left
        for at in np.argsort(bounds, kind="stable").tolist():
            bound = int(bounds[at])
            if bound >= best:
                least_refused = min(least_refused, bound)
                break
            split, buckets = self._split(members, int(guesses[at]))
            if split in seen:
                continue
            seen.add(split)
            value = self._value_of_split(buckets, left - 1, bound, best - 1)
            if value < best:
                best, chosen = value, int(guesses[at])
                self._best_yet[key] = chosen
            else:
                least_refused = min(least_refused, value)
        self._best_yet.pop(key, None)
        if chosen < 0:
            return TableEntry(least_refused, False)
        return TableEntry(best, True, chosen)

    def _value_of_split(self, buckets: list[Ids], left: int, bound: int, limit: int) -> int:
        """The value of a guess with these buckets, or a bound above ``limit``."""
        ideal = self._ideal(left)
        for bucket in sorted(buckets, key=len):
            expected = int(ideal[len(bucket)])
            slack = limit - bound
            found = self._value(bucket, left, expected + slack)
            bound += found.bound - expected
            if bound > limit:
                break
        return bound

    def _split(self, members: Ids, guess: int) -> tuple[bytes, list[Ids]]:
        """The buckets that go on, by ascending score, and bytes that name the split."""
        heads, scores, order, starts = split_state(self._space, self._scratch, guess, members)
        buckets = [order[a:b] for a, b in pairwise(starts.tolist())]
        if scores[-1] == self.game.solved:  # the highest score there is
            buckets.pop()
        return heads.tobytes(), buckets

    # --- the strategy ---------------------------------------------------------------------

    def _best_guess(self, state: Ids, left: int) -> int:
        return self._value(state, left, LOSS - 1).guess

    def _plan(
        self,
        members: Ids,
        within: int,
        starts: tuple[int, ...],
        choose: Callable[[Ids, int], int],
    ) -> tuple[Tree, int]:
        """A strategy in preorder, and its worst case; ``choose`` guesses with so many left."""
        worst = 0

        def expand(state: Ids, depth: int) -> Expanded[Ids]:
            nonlocal worst
            worst = max(worst, depth + 1)
            guess = starts[depth] if depth < len(starts) else choose(state, within - depth)
            _, scores, order, cuts = split_state(self._space, self._scratch, guess, state)
            buckets = [(int(scores[a]), order[a:b]) for a, b in pairwise(cuts.tolist())]
            return guess, [bucket for bucket in buckets if bucket[0] != self.game.solved]

        return tree_of_states(members, expand), worst


def ideal_totals(holes: int, most: int, left: int) -> Totals:
    """Lower bounds: with ``left`` guesses, n candidates take entry n at least.

    Each guess may be right, and each other score may lead to a state of its own.
    """
    others = (holes + 1) * (holes + 2) // 2 - 2
    totals = np.full(most + 1, LOSS, dtype=np.int64)
    totals[0] = 0
    n, total, states = 0, 0, 1
    for depth in range(1, left + 1):
        for _ in range(min(states, most - n)):
            n += 1
            total += depth
            totals[n] = total
        states = min(states * others, most)
    return totals
